"""Numbers with which a page computes scores with accepted edits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import geceval
from geceval.inspection.examination import Examination
from geceval.m2 import Block, Edit
from support.reports import labelled_examples

CORPUS = labelled_examples()
ALL = range(1, len(CORPUS) + 1)


def examination(corpus: geceval.Corpus, metric: Any, numbers: Sequence[int]) -> Examination:
    return Examination(corpus, [metric], numbers, corpus.system_names, judge=metric)


def test_counts_are_those_of_errant_and_bits_their_false_positives() -> None:
    examined = examination(CORPUS, geceval.Errant(), ALL)
    assert examined.has_preview
    counts = {
        name: geceval.Errant().counts(CORPUS.source, lines, CORPUS.references).array
        for name, lines in CORPUS.systems.items()
    }
    for s, sentence in enumerate(examined):
        for name, output in sentence.outputs.items():
            assert output.preview is not None
            references, *numbers = output.preview
            bits = numbers[3 * references :]
            assert np.array(numbers[: 3 * references]).reshape(references, 3).tolist() == counts[name][s].tolist()
            assert len(bits) == len(output.version.edits)
            for r in range(references):
                assert sum(mask >> r & 1 for mask in bits) == counts[name][s, r, 1]


def test_bits_are_positions_among_the_references_of_a_sentence() -> None:
    edit, second = Edit(0, 1, "R:OTHER", ("b",), annotator=3), Edit(0, 1, "R:OTHER", ("c",), annotator=1)
    gold = [Block("a", (edit, second)), Block("a", (edit,))]
    corpus = geceval.Corpus(["a", "a"], gold=gold, systems={"s": ["c", "c"]})
    previews = [sentence.outputs["s"].preview for sentence in examination(corpus, geceval.Errant(), [1, 2])]
    assert previews == [[2, 0, 1, 1, 1, 0, 0, 1], [1, 0, 1, 1, 1]]


@pytest.mark.parametrize(
    ("metric", "numbers"),
    [
        (geceval.Errant(), [1, 2]),
        (geceval.Errant(selection="optimum"), ALL),
        (geceval.Errant(mode="ds"), ALL),
        (geceval.Cleme(), ALL),
    ],
)
def test_metric_or_selection_that_could_differ_has_no_preview(metric: Any, numbers: Any) -> None:
    examined = examination(CORPUS, metric, numbers)
    assert not examined.has_preview
    assert next(iter(examined)).outputs["careful"].preview is None
