"""Minimum Bayes risk and reranking follow their definitions."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval.extending import Metric
from geceval.selection.candidate_choice import by_scores
from support.effort import examples
from support.instances import instances
from support.messages import message_of
from support.strategies import sentences

pytestmark = pytest.mark.filterwarnings("ignore:.*fewer than 4 tokens has the lowest score")

ALL = instances()
COMPARING = {
    n: m
    for n, m in ALL.items()
    if m.uses_references and not m.needs_gold and m.pool is None and m.scale.higher_is_better
}
SOURCE = ["He go home .", "She have a cats ."]
CANDIDATES = [
    ["He goes home .", "He go home .", "He goes home .", "He went home ."],
    ["She has a cat .", "She has cats ."],
]


def expected_utility(metric: Metric[Any], source: str, row: list[str], weights: list[float]) -> list[float]:
    """Return the expected utilities by the definition."""
    total = sum(weights)
    return [
        sum(weight * metric.sentence_score(source, text, [other]) for other, weight in zip(row, weights, strict=True))
        / total
        for text in row
    ]


@pytest.mark.parametrize("metric", COMPARING.values(), ids=COMPARING)
def test_choice_maximises_the_expected_utility(metric: Metric[Any]) -> None:
    choices = geceval.mbr(CANDIDATES, metric, SOURCE)
    for s, row in enumerate(CANDIDATES):
        table = [[metric.sentence_score(SOURCE[s], text, [other]) for other in row] for text in row]
        assert choices.utilities[s].tolist() == table
        np.testing.assert_allclose(
            choices.scores[s], expected_utility(metric, SOURCE[s], row, [1.0] * len(row)), rtol=1e-12
        )
    assert choices.choice.tolist() == [scores.argmax() for scores in choices.scores]


rows = st.lists(st.tuples(sentences, st.lists(sentences, min_size=1, max_size=6)), min_size=1, max_size=6)


@settings(max_examples=examples(40))
@given(rows, st.sampled_from([geceval.Green(), geceval.Gleu(), geceval.Errant(), geceval.Cleme(weights="none")]))
def test_scores_of_any_candidates_are_expected_utilities(
    drawn: list[tuple[str, list[str]]], metric: Metric[Any]
) -> None:
    source, candidates = [line for line, _ in drawn], [texts for _, texts in drawn]
    weights = [[1.0 + c for c in range(len(texts))] for texts in candidates]
    choices = geceval.mbr(candidates, metric, source, weights=weights)
    for s, row in enumerate(candidates):
        expected = expected_utility(metric, source[s], row, weights[s])
        np.testing.assert_allclose(choices.scores[s], expected, rtol=1e-12, atol=1e-15)
        assert choices.texts[s] == row[int(np.argmax(choices.scores[s]))]
        single = geceval.mbr([row], metric, [source[s]], weights=[weights[s]])
        assert single.scores[0].tobytes() == choices.scores[s].tobytes()


def test_many_sentences_are_counted_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    source, candidates = SOURCE * 50, CANDIDATES * 50
    unparted = geceval.mbr(candidates, "green", source)
    monkeypatch.setattr("geceval.selection.candidate_choice.CELLS", 7)
    parts = geceval.mbr(candidates, "green", source)
    assert [scores.tobytes() for scores in parts.scores] == [scores.tobytes() for scores in unparted.scores]
    assert parts.texts == unparted.texts == ["He goes home .", "She has a cat ."] * 50


def test_weights_decide_and_ties_go_to_the_first() -> None:
    candidates = [["a b c d", "a b c e", "a b c f"]]
    assert geceval.mbr(candidates, "green", ["a b c"]).choice.tolist() == [0]
    weighed = geceval.mbr(candidates, "green", ["a b c"], weights=[[0, 0, 5]])
    assert weighed.texts == ["a b c f"]
    assert weighed.signature.startswith(
        "MBR|weights:given|GREEN|n:4|beta:2|unit:word|policy:best|refs:1|level:sentence"
    )
    assert weighed.order(0) == [2, 0, 1]


def test_candidates_without_an_ngram_are_warned_of() -> None:
    texts = [["He goes .", "He go .", "He went ."]]
    with pytest.warns(
        geceval.GecevalWarning, match="GREEN: a perfect correction of fewer than 4 tokens has the lowest"
    ):
        assert not geceval.mbr(texts, "green", ["He go ."]).scores[0].any()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        geceval.mbr(texts, "errant", ["He go ."])
        geceval.mbr([[f"{text} .", "", "a b c d"] for text in texts[0]], "green", ["He go ."] * 3)


def test_reranking_by_references_is_the_oracle() -> None:
    references = [["He went home ."], ["She has cats .", "She has some cats ."]]
    choices = geceval.rerank(CANDIDATES, "errant", SOURCE, per_sentence=references)
    assert choices.texts == ["He went home .", "She has cats ."]
    assert "|refs:1-2|" in choices.signature
    for s, row in enumerate(CANDIDATES):
        expected = [geceval.Errant().sentence_score(SOURCE[s], text, references[s]) for text in row]
        assert choices.scores[s].tolist() == expected


def test_reranking_without_references() -> None:
    from support.toys import TOYS

    [metric, *_] = [toy for toy in TOYS if not toy.uses_references and toy.pool is None and toy.scale.higher_is_better]
    choices = geceval.rerank(CANDIDATES, metric, SOURCE)
    for s, row in enumerate(CANDIDATES):
        assert choices.scores[s].tolist() == [metric.sentence_score(SOURCE[s], text) for text in row]
    assert "refs" not in choices.signature


UTILITIES = st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.7]), min_size=4, max_size=4)


@given(st.lists(UTILITIES, min_size=1, max_size=5), st.data())
def test_choice_among_sums_in_another_order_is_the_first(rows: list[list[float]], data: st.DataObject) -> None:
    best = max(rows, key=sum)
    candidates = [*rows, *(data.draw(st.permutations(best)) for _ in range(3))]
    ranked = by_scores([["x"] * len(candidates)], [[sum(row) / 4 for row in candidates]])
    tied = [at for at, row in enumerate(candidates) if math.isclose(sum(row), sum(best))]
    assert ranked.choice.tolist() == tied[:1]


def test_choice_by_given_scores_is_the_first_highest() -> None:
    assert by_scores(CANDIDATES, [[0, 3, 3, 1], [-2.5, -2.0]]).texts == ["He go home .", "She has cats ."]


@pytest.mark.parametrize(
    ("function", "candidates", "options"),
    [
        (geceval.mbr, CANDIDATES, {"metric": ALL["dsgram"]}),
        (geceval.mbr, CANDIDATES, {"metric": "goto"}),
        (geceval.mbr, CANDIDATES, {"source": SOURCE[:1]}),
        (geceval.mbr, [["a"], []], {}),
        (geceval.mbr, ["a", "b"], {}),
        (geceval.mbr, [["a"], [None]], {}),
        (geceval.mbr, [], {"source": []}),
        (geceval.mbr, CANDIDATES, {"weights": [[1], [1]]}),
        (geceval.mbr, CANDIDATES, {"weights": [[1] * 4, [0, 0]]}),
        (geceval.mbr, CANDIDATES, {"weights": [[1] * 4, [-1, 2]]}),
        (geceval.mbr, CANDIDATES, {"weights": [[1] * 4]}),
        (geceval.rerank, CANDIDATES, {"metric": "maxmatch"}),
        (geceval.rerank, CANDIDATES, {"per_sentence": [["a"]]}),
    ],
)
def test_invalid_candidates_metric_or_weights_are_refused(
    function: Any, candidates: Any, options: dict[str, Any], snapshot: SnapshotAssertion
) -> None:
    assert message_of(function, candidates, **{"metric": "green", "source": SOURCE} | options) == snapshot
