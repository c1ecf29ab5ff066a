"""Arrays of counts: their types, and how parts are joined."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from geceval import Corpus, Gleu
from geceval.counting.counts import Evidence
from geceval.counting.stream import pick_sentences
from geceval.extending import Counts
from support.messages import message_of

COLUMNS = ("hit", "miss")


def counts_of(rows: Any, **more: Any) -> Counts:
    return Counts(np.array(rows), COLUMNS, **more)


def test_narrow_numbers_are_widened() -> None:
    for narrow, wide in ((np.uint8, np.int64), (np.bool_, np.int64), (np.float32, np.float64), (np.int32, np.int32)):
        assert Counts(np.ones((1, 1, 2), narrow), COLUMNS).array.dtype == wide
    assert Counts(np.full((2, 1, 2), 200, np.uint8), COLUMNS).array.sum(axis=0).tolist() == [[400, 400]]


@pytest.mark.parametrize(
    ("array", "columns"),
    [
        ([[[1, 2]]], COLUMNS),
        (np.ones((1, 1, 2)), "ab"),
        (np.ones((1, 2)), COLUMNS),
        (np.ones((1, 1, 2, 1)), COLUMNS),
        (np.ones((1, 1, 3)), COLUMNS),
        (np.full((1, 1, 2), "x"), COLUMNS),
    ],
)
def test_other_things_are_no_counts(array: Any, columns: Any, snapshot: SnapshotAssertion) -> None:
    assert message_of(Counts, array, columns) == snapshot


def evidence(sentences: list[int], texts: list[int], strings: tuple[str, ...]) -> Evidence:
    zero = np.zeros(len(sentences), np.int64)
    weight = np.ones(len(sentences))
    return Evidence(np.array(sentences), zero, zero, weight, text=np.array(texts, np.int32), strings=strings)


def test_parts_are_joined_with_all_that_belongs_to_them() -> None:
    first = counts_of([[[1, 0]], [[0, 1]]], evidence=evidence([0, 1, 1], [0, 1, 0], ("a", "b")), labels=["x", "y"])
    second = counts_of(
        [[[2, 2], [3, 3]]],
        present=np.array([[True, True]]),
        evidence=evidence([0, 0], [0, 1], ("b", "c")),
        labels=["z"],
        given_up=np.array([True]),
    )
    joined = Counts.concatenate([first, second])
    assert joined.array.tolist() == [[[1, 0], [0, 0]], [[0, 1], [0, 0]], [[2, 2], [3, 3]]]
    assert joined.mask.tolist() == [[True, False], [True, False], [True, True]]
    assert joined.labels == ["x", "y", "z"]
    assert joined.given_up is not None
    assert (joined.given_up.dtype, joined.given_up.tolist()) == (np.bool_, [False, False, True])
    assert joined.evidence is not None
    assert joined.evidence.sentence.tolist() == [0, 1, 1, 2, 2]
    assert joined.evidence.text is not None
    assert [joined.evidence.strings[place] for place in joined.evidence.text] == ["a", "b", "a", "b", "c"]
    plain = Counts.concatenate([first, counts_of([[[1, 1]]])])
    assert (plain.present, plain.evidence, plain.labels, plain.given_up) == (None, None, None, None)
    assert Counts.concatenate([second]) is second


def test_totals_of_samples_are_their_mean() -> None:
    corpus = Corpus(["a b c", "d e"], [["a b", "d"], ["a c c", "d e f"]], {"it": ["a b c c", "d f"]})
    metric = Gleu(iterations=7)
    counts = metric.count(metric.prepare(corpus), corpus.systems["it"])
    sums = np.array([counts.chosen(choice).sum(axis=0) for choice in metric.choices(counts)])
    assert len({tuple(row) for row in sums.tolist()}) > 1
    score = metric.corpus_score(corpus.source, corpus.systems["it"], corpus.references)
    assert list(score.totals.values()) == pytest.approx(sums.mean(axis=0))
    assert score.deviation == pytest.approx(metric.score(sums).std())


def test_sentences_are_picked_by_their_place_in_the_corpus() -> None:
    part = Corpus(["c", "d", "e"], [["C", "D", "E"]], {"it": ["1", "2", "3"]}).as_part(2, ())
    indices = np.array([0, 1, 3, 4, 9])
    picked = pick_sentences(part, indices)
    assert picked is not None
    assert (picked.source, picked.systems["it"]) == (["d", "e"], ["2", "3"])
    assert pick_sentences(part, np.array([0, 1, 5])) is None
