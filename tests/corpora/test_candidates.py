"""Minimum Bayes risk and reranking: as the definitions say, each text counted once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import geceval
from geceval.base.errors import InputError, UsageError
from geceval.corpora.candidate_choice import by_scores
from geceval.extending import Metric
from support.effort import examples
from support.instances import instances
from support.strategies import sentences

ALL = instances()
COMPARING = {
    n: m for n, m in ALL.items() if m.evidence_of in ("texts", "edits") and not m.pooled and m.scale.higher_is_better
}
SOURCE = ["He go home .", "She have a cats ."]
CANDIDATES = [
    ["He goes home .", "He go home .", "He goes home .", "He went home ."],
    ["She has a cat .", "She has cats ."],
]


def expected_utility(metric: Metric[Any], source: str, row: list[str], weights: list[float]) -> list[float]:
    """Slowly, by the definition."""
    total = sum(weights)
    return [
        sum(weight * metric.sentence_score(source, text, [other]) for other, weight in zip(row, weights, strict=True))
        / total
        for text in row
    ]


@pytest.mark.parametrize("metric", COMPARING.values(), ids=COMPARING)
def test_the_definition(metric: Metric[Any]) -> None:
    found = geceval.mbr(CANDIDATES, metric, SOURCE)
    for s, row in enumerate(CANDIDATES):
        table = [[metric.sentence_score(SOURCE[s], text, [other]) for other in row] for text in row]
        assert found.utilities[s].tolist() == table
        np.testing.assert_allclose(
            found.scores[s], expected_utility(metric, SOURCE[s], row, [1.0] * len(row)), rtol=1e-12
        )
    assert found.choice.tolist() == [own.argmax() for own in found.scores]


rows = st.lists(st.tuples(sentences, st.lists(sentences, min_size=1, max_size=6)), min_size=1, max_size=6)


@settings(max_examples=examples(40))
@given(rows, st.sampled_from([geceval.Green(), geceval.Gleu(), geceval.Errant(), geceval.Cleme(weights="none")]))
def test_any_candidates(drawn: list[tuple[str, list[str]]], metric: Metric[Any]) -> None:
    source, candidates = [line for line, _ in drawn], [own for _, own in drawn]
    weights = [[1.0 + c for c in range(len(own))] for own in candidates]
    found = geceval.mbr(candidates, metric, source, weights=weights)
    for s, row in enumerate(candidates):
        expected = expected_utility(metric, source[s], row, weights[s])
        np.testing.assert_allclose(found.scores[s], expected, rtol=1e-12, atol=1e-15)
        assert found.texts[s] == row[int(np.argmax(found.scores[s]))]
        alone = geceval.mbr([row], metric, [source[s]], weights=[weights[s]])
        assert alone.scores[0].tobytes() == found.scores[s].tobytes()


def test_many_sentences_are_counted_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    source, candidates = SOURCE * 50, CANDIDATES * 50
    whole = geceval.mbr(candidates, "green", source)
    monkeypatch.setattr("geceval.corpora.candidate_choice.CELLS", 7)
    parts = geceval.mbr(candidates, "green", source)
    assert [own.tobytes() for own in parts.scores] == [own.tobytes() for own in whole.scores]
    assert parts.texts == whole.texts == ["He goes home .", "She has a cat ."] * 50


def test_weights_and_ties() -> None:
    candidates = [["a b c d", "a b c e", "a b c f"]]
    assert geceval.mbr(candidates, "green", ["a b c"]).choice.tolist() == [0]
    weighed = geceval.mbr(candidates, "green", ["a b c"], weights=[[0, 0, 5]])
    assert weighed.texts == ["a b c f"]
    assert weighed.signature.startswith(
        "MBR|weights:given|GREEN|n:4|beta:2|unit:word|policy:best|refs:1|level:sentence"
    )
    assert weighed.order(0) == [2, 0, 1]


def test_reranking_by_references_is_the_oracle() -> None:
    references = [["He went home ."], ["She has cats .", "She has some cats ."]]
    found = geceval.rerank(CANDIDATES, "errant", SOURCE, per_sentence=references)
    assert found.texts == ["He went home .", "She has cats ."]
    assert "|refs:1-2|" in found.signature
    for s, row in enumerate(CANDIDATES):
        expected = [geceval.Errant().sentence_score(SOURCE[s], text, references[s]) for text in row]
        assert found.scores[s].tolist() == expected


def test_reranking_without_references() -> None:
    from support.toys import TOYS

    [metric, *_] = [
        toy for toy in TOYS if toy.evidence_of == "nothing" and not toy.pooled and toy.scale.higher_is_better
    ]
    found = geceval.rerank(CANDIDATES, metric, SOURCE)
    for s, row in enumerate(CANDIDATES):
        assert found.scores[s].tolist() == [metric.sentence_score(SOURCE[s], text) for text in row]
    assert "refs" not in found.signature


UTILITIES = st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.7]), min_size=4, max_size=4)


@given(st.lists(UTILITIES, min_size=1, max_size=5), st.data())
def test_choice_among_sums_in_another_order_is_the_first(rows: list[list[float]], data: st.DataObject) -> None:
    best = max(rows, key=sum)
    candidates = [*rows, *(data.draw(st.permutations(best)) for _ in range(3))]
    ranked = by_scores([["x"] * len(candidates)], [[sum(row) / 4 for row in candidates]])
    tied = [at for at, row in enumerate(candidates) if math.isclose(sum(row), sum(best))]
    assert ranked.choice.tolist() == tied[:1]


def test_by_given_scores() -> None:
    assert by_scores(CANDIDATES, [[0, 3, 3, 1], [-2.5, -2.0]]).texts == ["He go home .", "She has cats ."]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: geceval.mbr(CANDIDATES, ALL["dsgram"], SOURCE), "dsgram does not compare"),
        (lambda: geceval.mbr(CANDIDATES, "goto", SOURCE), "goto does not compare"),
        (lambda: geceval.mbr(CANDIDATES, "green", SOURCE[:1]), "candidates  2   <- 1 more"),
        (lambda: geceval.mbr([["a"], []], "green", SOURCE), "sentence 1 (counted from 0) has no candidate"),
        (lambda: geceval.mbr(["a", "b"], "green", SOURCE), "candidates of sentence 0 (counted from 0): a list"),
        (lambda: geceval.mbr([["a"], [None]], "green", SOURCE), "candidates of sentence 1, sentence 0"),
        (lambda: geceval.mbr([], "green", []), "there are no sentences"),
        (
            lambda: geceval.mbr(CANDIDATES, "green", SOURCE, weights=[[1], [1]]),
            "one for each of 4 candidates is needed",
        ),
        (lambda: geceval.mbr(CANDIDATES, "green", SOURCE, weights=[[1] * 4, [0, 0]]), "and one that is not 0"),
        (lambda: geceval.mbr(CANDIDATES, "green", SOURCE, weights=[[1] * 4, [-1, 2]]), "is -1; it must be at least 0"),
        (lambda: geceval.mbr(CANDIDATES, "green", SOURCE, weights=[[1] * 4]), "weights     1   <- 1 fewer"),
        (lambda: geceval.rerank(CANDIDATES, "maxmatch", SOURCE), "cannot score a candidate alone"),
        (lambda: geceval.rerank(CANDIDATES, "green", SOURCE, per_sentence=[["a"]]), "per_sentence  1   <- 1 fewer"),
    ],
)
def test_errors_are_for_people(make: Any, said: str) -> None:
    with pytest.raises((InputError, UsageError)) as caught:
        make()
    assert said in str(caught.value)
