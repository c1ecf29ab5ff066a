"""Counts with which a page computes scores with accepted edits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import geceval
from geceval.studies.explaining.examination import examine
from geceval.studies.explaining.preview_counts import preview_counts
from geceval.text.m2 import Block, Edit
from support.reports import labelled_examples

CORPUS = labelled_examples()
ALL = range(1, len(CORPUS) + 1)


def test_counts_are_those_of_errant_and_bits_their_false_positives() -> None:
    examined = examine(CORPUS, [geceval.Errant()], ALL)
    found = preview_counts(CORPUS, [geceval.Errant()], examined, "builtin")
    assert found is not None
    assert found.beta == 0.5
    for at, name in enumerate(CORPUS.systems):
        counts = geceval.Errant().counts(CORPUS.source, CORPUS.systems[name], CORPUS.references).array
        for s, rows in enumerate(found.counts):
            references, *numbers = rows[at]
            bits = numbers[3 * references :]
            assert np.array(numbers[: 3 * references]).reshape(references, 3).tolist() == counts[s].tolist()
            assert len(bits) == len(examined.sentences[s].outputs[name].version.edits)
            for r in range(references):
                assert sum(mask >> r & 1 for mask in bits) == counts[s, r, 1]


def test_bits_are_places_among_the_references_of_a_sentence() -> None:
    edit, other = Edit(0, 1, "R:OTHER", ("b",), annotator=3), Edit(0, 1, "R:OTHER", ("c",), annotator=1)
    gold = [Block("a", (edit, other)), Block("a", (edit,))]
    corpus = geceval.Corpus(["a", "a"], gold=gold, systems={"s": ["c", "c"]})
    found = preview_counts(corpus, [geceval.Errant()], examine(corpus, [geceval.Errant()], [2, 1]), "builtin")
    assert found is not None
    assert [row[0] for row in found.counts] == [[1, 0, 1, 1, 1], [2, 0, 1, 1, 1, 0, 0, 1]]


@pytest.mark.parametrize(
    ("metric", "numbers"),
    [
        (geceval.Errant(), [1, 2]),
        (geceval.Errant(selection="optimum"), ALL),
        (geceval.Errant(mode="ds"), ALL),
        (geceval.Cleme(), ALL),
    ],
)
def test_there_is_no_preview_that_could_differ(metric: Any, numbers: Any) -> None:
    assert preview_counts(CORPUS, [metric], examine(CORPUS, [metric], numbers), "builtin") is None
