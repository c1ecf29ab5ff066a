"""The sentences that are wanted, in the order that is asked for."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import geceval
from geceval import Corpus, Errant, Green, MaxMatch, evaluate
from geceval.base.errors import UsageError
from geceval.counting.run import kept_counts
from geceval.extending import Metric, Wanted, examine
from geceval.inspection.sentence_selection import SelectingScores, _EditMatches
from geceval.text.m2.edit import matches_type
from support.effort import examples
from support.examples import example_corpus

CORPUS = example_corpus(gold=True)


def chosen(wanted: Wanted, metrics: list[Metric] | None = None, corpus: Any = CORPUS) -> list[int]:
    metrics = [Errant()] if metrics is None else metrics
    return [sentence.number for sentence in examine(corpus, metrics, wanted, checks=False).sentences]


def scores(metric: Metric, system: str) -> np.ndarray:
    [result] = evaluate(CORPUS, [metric], checks=False)[system]
    return result.sentence_scores()


def test_the_worst_and_the_best_first() -> None:
    green = Green()
    own = scores(green, "noisy")
    for sort, sign in (("worst", 1), ("best", -1)):
        numbers = chosen(Wanted(None, sort, "noisy"), [green])  # type: ignore[arg-type]
        assert sorted(numbers) == list(range(1, 41))
        ordered = [sign * own[number - 1] for number in numbers]
        assert ordered == sorted(ordered)
    assert chosen(Wanted(5, system="noisy"), [green]) == chosen(Wanted(None, system="noisy"), [green])[:5]


def test_of_several_systems_the_mean_counts() -> None:
    mean = np.mean([scores(Green(), name) for name in ("careful", "eager", "noisy")], axis=0)
    ordered = mean[np.array(chosen(Wanted(None), [Green()])) - 1]
    assert (np.diff(ordered) >= 0).all()


@pytest.mark.parametrize("metric", [Errant(), MaxMatch()], ids=lambda metric: metric.name)
def test_among_equals_the_one_with_more_faults_comes_first(metric: Metric) -> None:
    found = examine(CORPUS, [metric], Wanted(None, system="noisy"), checks=False)
    keys = []
    for sentence in found.sentences:
        output = sentence.outputs["noisy"]
        scored = output.scores[found.metrics[0]]
        faults = sum(row.outcome in ("wrong", "missed") for row in scored.evidence)
        keys.append((scored.score, -faults, sentence.number))
    assert keys == sorted(keys)


def test_worse_than_another_with_the_largest_loss_first() -> None:
    loss = scores(Errant(), "noisy") - scores(Errant(), "eager")
    numbers = chosen(Wanted(None, system="noisy", against="eager", worse=True))
    assert set(numbers) == set((np.flatnonzero(loss < 0) + 1).tolist())
    assert (np.diff(loss[np.array(numbers) - 1]) >= 0).all()
    [first] = examine(
        CORPUS, [Errant()], Wanted(1, system="noisy", against="eager", worse=True), checks=False
    ).sentences
    assert list(first.outputs) == ["noisy", "eager"]


def test_the_largest_difference_among_all_systems() -> None:
    own = np.stack([scores(Green(), name) for name in ("careful", "eager", "noisy")])
    spread = own.max(axis=0) - own.min(axis=0)
    ordered = spread[np.array(chosen(Wanted(None, "difference"), [Green()])) - 1]
    assert (np.diff(ordered) <= 0).all()


def test_where_two_metrics_disagree() -> None:
    metrics: list[Metric] = [Green(), Green(beta=0.1)]
    first, second = (scores(metric, "eager") - scores(metric, "noisy") for metric in metrics)
    wanted = Wanted(None, system="eager", against="noisy", disagree=True)
    found = examine(CORPUS, metrics, wanted, checks=False)
    opposite = np.flatnonzero(np.sign(first) * np.sign(second) < 0) + 1
    assert sorted(sentence.number for sentence in found.sentences) == opposite.tolist()
    assert len(opposite) == found.fit > 2
    agreement = found.agreement
    assert agreement is not None
    assert agreement.opposite == found.fit
    assert agreement.alike == (np.sign(first) == np.sign(second)).sum()
    assert agreement.alike + agreement.opposite + agreement.one_sees_none == 40
    sizes = np.minimum(abs(first) / first.std(), abs(second) / second.std())
    ordered = sizes[[sentence.number - 1 for sentence in found.sentences]]
    assert (np.diff(ordered) <= 0).all()
    # Whoever comes first, and in whatever order the metrics are named: the same sentences.
    turned = Wanted(None, system="noisy", against="eager", disagree=True)
    assert set(chosen(turned, metrics[::-1])) == set(opposite.tolist())


def test_by_type_and_outcome() -> None:
    for outcome in ("correct", "wrong", "missed"):
        wanted = Wanted(None, "given", "noisy", type="DET", outcome=outcome)  # type: ignore[arg-type]
        found = examine(CORPUS, [Errant()], wanted, checks=False)
        whole = examine(CORPUS, [Errant()], range(1, 41), checks=False)
        expected = [
            sentence.number
            for sentence in whole.sentences
            if any(
                row.outcome == outcome and row.type is not None and row.type.endswith(":DET")
                for row in sentence.outputs["noisy"].scores["ERRANT"].evidence
            )
        ]
        assert expected
        assert [sentence.number for sentence in found.sentences] == expected


@pytest.mark.parametrize(
    ("asked", "type_", "expected"),
    [
        ("R:VERB:TENSE", "R:VERB:TENSE", True),
        ("VERB:TENSE", "R:VERB:TENSE", True),
        ("R", "R:VERB:TENSE", True),
        ("VERB*", "R:VERB:TENSE", True),
        ("VERB", "R:VERB:TENSE", False),
        ("M", "R:VERB:TENSE", False),
        ("SPELL", "R:VERB+R:SPELL", True),
        ("Vform", "Vform", True),
        ("UNK", "UNK", True),
    ],
)
def test_types(asked: str, type_: str, expected: bool) -> None:
    assert matches_type(asked, type_) is expected


def test_by_expression() -> None:
    corpus = Corpus(
        ["a one", "a two", "a b", "a c"],
        [["a one", "a Two", "three", "a c"]],
        {"x": ["a one", "a two", "a b", "x four"], "y": ["y"] * 4},
    )
    for pattern, system, expected in (
        ("one", None, [1]),
        ("(?i)TWO", None, [2]),
        ("^three$", None, [3]),
        ("four", "x", [4]),
        ("four", "y", []),
        ("^y$", "y", [1, 2, 3, 4]),
        ("nowhere", None, []),
    ):
        assert chosen(Wanted(None, "given", system, grep=pattern), corpus=corpus) == expected


def test_drawn_by_seed() -> None:
    first, again, other = (chosen(Wanted(5, "random", seed=seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert first == sorted(first)
    assert len(set(first)) == 5
    lost = Wanted(None, system="noisy", against="eager", worse=True)
    assert set(chosen(Wanted(3, "random", "noisy", "eager", worse=True))) <= set(chosen(lost))


@settings(max_examples=examples(20))
@given(number=st.integers(0, 50), sort=st.sampled_from(["worst", "best", "difference", "random", "given"]))
def test_never_more_than_asked_for(number: int, sort: Any) -> None:
    found = examine(CORPUS, [Errant()], Wanted(number, sort), checks=False)
    assert len(found.sentences) == min(number, 40)
    assert (found.fit, found.total) == (40, 40)


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (lambda: Wanted(-1), "number"),
        (lambda: Wanted(sort="longest"), "sort"),  # type: ignore[arg-type]
        (lambda: Wanted(outcome="right"), "outcome"),  # type: ignore[arg-type]
        (lambda: Wanted(grep="("), "regular expression"),
        (lambda: Wanted(grep=3), "grep must be text"),  # type: ignore[arg-type]
        (lambda: Wanted(worse="yes"), "worse must be True or False"),  # type: ignore[arg-type]
        (lambda: Wanted(worse=True), "require two systems"),
        (lambda: Wanted(system="a", disagree=True), "require two systems"),
        (lambda: Wanted(system="a", against="a"), "with itself"),
        (lambda: Wanted(against="a"), "requires system"),
    ],
)
def test_what_cannot_be_wanted(wanted: Any, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        wanted()


@pytest.mark.parametrize(
    ("wanted", "metrics", "why"),
    [
        (Wanted(), [], "requires a metric"),
        (Wanted(system="eager", against="noisy", disagree=True), [Errant()], "two metrics"),
    ],
)
def test_what_is_not_there(wanted: Wanted, metrics: list[Metric], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        chosen(wanted, metrics)


def test_types_require_references() -> None:
    with pytest.raises(UsageError, match="require references"):
        examine(Corpus(["a b"], systems={"it": ["a c"]}), [], Wanted(sort="given", type="X"))


def test_lower_is_better_where_the_metric_says_so() -> None:
    class Loss(geceval.Green):
        scale = replace(Green.scale, higher_is_better=False)

    own = scores(Green(), "noisy")
    ordered = own[np.array(chosen(Wanted(None, system="noisy"), [Loss()])) - 1]
    assert (np.diff(ordered) <= 0).all()


@pytest.mark.parametrize(
    "make", [SelectingScores, lambda metric: _EditMatches(metric, Wanted(type="*", outcome="wrong"))]
)
def test_parts_are_the_whole(make: Any) -> None:
    """In order, or merged."""
    [counts] = [kept_counts(CORPUS, Errant(), evidence=True)["noisy"]]
    whole, one, other = (make(Errant()) for _ in range(3))
    whole.add(counts)
    parts = [kept_counts(part, Errant(), evidence=True)["noisy"] for part in CORPUS.parts(17)]
    one.add(parts[0])
    other.add(parts[1])
    other.add(parts[2])
    one.merge(pickle.loads(pickle.dumps(other)))
    for found, expected in zip(one.result(), whole.result(), strict=True):
        np.testing.assert_array_equal(found, expected)
