"""Selection of sentences: order, systems, types, expressions and numbers."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import Corpus, Errant, Green, MaxMatch, evaluate
from geceval.base.errors import UsageError
from geceval.counting.system_results import kept_counts
from geceval.extending import Metric, Wanted, examine
from geceval.inspection.sentence_selection import SelectingScores, _EditMatches
from geceval.text.m2.type_selectors import TypeSelectors
from support.effort import examples
from support.examples import example_corpus
from support.messages import message_of

CORPUS = example_corpus(gold=True)


def chosen(wanted: Wanted, metrics: list[Metric] | None = None, corpus: Any = CORPUS) -> list[int]:
    metrics = [Errant()] if metrics is None else metrics
    return [sentence.number for sentence in examine(corpus, metrics, wanted, checks=False).sentences]


def scores(metric: Metric, system: str) -> np.ndarray:
    [result] = evaluate(CORPUS, [metric], checks=False)[system]
    return result.sentence_scores()


def test_order_is_that_of_the_scores() -> None:
    green = Green()
    of_noisy = scores(green, "noisy")
    for sort, sign in (("worst", 1), ("best", -1)):
        numbers = chosen(Wanted(None, sort, "noisy"), [green])  # type: ignore[arg-type]
        assert sorted(numbers) == list(range(1, 41))
        ordered = [sign * of_noisy[number - 1] for number in numbers]
        assert ordered == sorted(ordered)
    assert chosen(Wanted(5, system="noisy"), [green]) == chosen(Wanted(None, system="noisy"), [green])[:5]


def test_order_of_several_systems_is_that_of_their_mean() -> None:
    mean = np.mean([scores(Green(), name) for name in ("careful", "eager", "noisy")], axis=0)
    ordered = mean[np.array(chosen(Wanted(None), [Green()])) - 1]
    assert (np.diff(ordered) >= 0).all()


@pytest.mark.parametrize("metric", [Errant(), MaxMatch()], ids=lambda metric: metric.name)
def test_equal_scores_are_ordered_by_number_of_faults(metric: Metric) -> None:
    examined = examine(CORPUS, [metric], Wanted(None, system="noisy"), checks=False)
    keys = []
    for sentence in examined.sentences:
        output = sentence.outputs["noisy"]
        scored = output.scores[examined.metrics[0]]
        faults = sum(row.outcome in ("wrong", "missed") for row in scored.evidence)
        keys.append((scored.score, -faults, sentence.number))
    assert keys == sorted(keys)


def test_sentences_worse_than_another_system_have_the_largest_loss_first() -> None:
    loss = scores(Errant(), "noisy") - scores(Errant(), "eager")
    numbers = chosen(Wanted(None, system="noisy", against="eager", worse=True))
    assert set(numbers) == set((np.flatnonzero(loss < 0) + 1).tolist())
    assert (np.diff(loss[np.array(numbers) - 1]) >= 0).all()
    [first] = examine(
        CORPUS, [Errant()], Wanted(1, system="noisy", against="eager", worse=True), checks=False
    ).sentences
    assert list(first.outputs) == ["noisy", "eager"]


def test_order_by_difference_is_that_of_the_largest_among_systems() -> None:
    of_systems = np.stack([scores(Green(), name) for name in ("careful", "eager", "noisy")])
    spread = of_systems.max(axis=0) - of_systems.min(axis=0)
    ordered = spread[np.array(chosen(Wanted(None, "difference"), [Green()])) - 1]
    assert (np.diff(ordered) <= 0).all()


def test_sentences_on_which_metrics_disagree_are_selected_and_counted() -> None:
    metrics: list[Metric] = [Green(), Green(beta=0.1)]
    first, second = (scores(metric, "eager") - scores(metric, "noisy") for metric in metrics)
    wanted = Wanted(None, system="eager", against="noisy", disagree=True)
    examined = examine(CORPUS, metrics, wanted, checks=False)
    opposite = np.flatnonzero(np.sign(first) * np.sign(second) < 0) + 1
    assert sorted(sentence.number for sentence in examined.sentences) == opposite.tolist()
    assert len(opposite) == examined.fit > 2
    agreement = examined.agreement
    assert agreement is not None
    assert agreement.opposite == examined.fit
    assert agreement.alike == (np.sign(first) == np.sign(second)).sum()
    assert agreement.alike + agreement.opposite + agreement.one_sees_none == 40
    sizes = np.minimum(abs(first) / first.std(), abs(second) / second.std())
    ordered = sizes[[sentence.number - 1 for sentence in examined.sentences]]
    assert (np.diff(ordered) <= 0).all()
    # The order of systems and metrics does not change the selection.
    swapped = Wanted(None, system="noisy", against="eager", disagree=True)
    assert set(chosen(swapped, metrics[::-1])) == set(opposite.tolist())


def test_selection_by_type_and_outcome() -> None:
    for outcome in ("correct", "wrong", "missed"):
        wanted = Wanted(None, "given", "noisy", type="DET", outcome=outcome)  # type: ignore[arg-type]
        selected = examine(CORPUS, [Errant()], wanted, checks=False)
        all_sentences = examine(CORPUS, [Errant()], range(1, 41), checks=False)
        expected = [
            sentence.number
            for sentence in all_sentences.sentences
            if any(
                row.outcome == outcome and row.type is not None and row.type.endswith(":DET")
                for row in sentence.outputs["noisy"].scores["ERRANT"].evidence
            )
        ]
        assert expected
        assert [sentence.number for sentence in selected.sentences] == expected


@pytest.mark.parametrize(
    ("pattern", "type_", "expected"),
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
def test_pattern_matches_type_operation_or_category(pattern: str, type_: str, expected: bool) -> None:
    assert TypeSelectors.of(pattern).match(type_) is expected


def test_selection_by_expression() -> None:
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


def test_random_selection_depends_on_the_seed() -> None:
    first, repeated, reseeded = (chosen(Wanted(5, "random", seed=seed)) for seed in (1, 1, 2))
    assert first == repeated != reseeded
    assert first == sorted(first)
    assert len(set(first)) == 5
    lost = Wanted(None, system="noisy", against="eager", worse=True)
    assert set(chosen(Wanted(3, "random", "noisy", "eager", worse=True))) <= set(chosen(lost))


@settings(max_examples=examples(20))
@given(number=st.integers(0, 50), sort=st.sampled_from(["worst", "best", "difference", "random", "given"]))
def test_number_of_sentences_is_at_most_the_requested(number: int, sort: Any) -> None:
    examined = examine(CORPUS, [Errant()], Wanted(number, sort), checks=False)
    assert len(examined.sentences) == min(number, 40)
    assert (examined.fit, examined.total) == (40, 40)


@pytest.mark.parametrize(
    "options",
    [
        {"number": -1},
        {"sort": "longest"},
        {"outcome": "right"},
        {"grep": "("},
        {"grep": 3},
        {"worse": "yes"},
        {"worse": True},
        {"system": "a", "disagree": True},
        {"system": "a", "against": "a"},
        {"against": "a"},
    ],
    ids=",".join,
)
def test_invalid_selection_is_refused(options: dict[str, Any], snapshot: SnapshotAssertion) -> None:
    assert message_of(Wanted, **options) == snapshot


@pytest.mark.parametrize(
    ("wanted", "metrics"),
    [(Wanted(), []), (Wanted(system="eager", against="noisy", disagree=True), [Errant()])],
)
def test_too_few_metrics_for_the_selection_are_refused(
    wanted: Wanted, metrics: list[Metric], snapshot: SnapshotAssertion
) -> None:
    assert message_of(chosen, wanted, metrics) == snapshot


def test_types_require_references() -> None:
    with pytest.raises(UsageError, match="require references"):
        examine(Corpus(["a b"], systems={"it": ["a c"]}), [], Wanted(sort="given", type="X"))


def test_order_of_a_metric_where_lower_is_better_is_reversed() -> None:
    class Loss(geceval.Green):
        scale = replace(Green.scale, higher_is_better=False)

    of_noisy = scores(Green(), "noisy")
    ordered = of_noisy[np.array(chosen(Wanted(None, system="noisy"), [Loss()])) - 1]
    assert (np.diff(ordered) <= 0).all()


@pytest.mark.parametrize(
    "make", [SelectingScores, lambda metric: _EditMatches(metric, Wanted(type="*", outcome="wrong"))]
)
def test_parts_in_order_or_merged_give_the_result_of_the_corpus(make: Any) -> None:
    [counts] = [kept_counts(CORPUS, Errant(), evidence=True)["noisy"]]
    unparted, first, second = (make(Errant()) for _ in range(3))
    unparted.add(counts)
    parts = [kept_counts(part, Errant(), evidence=True)["noisy"] for part in CORPUS.parts(17)]
    first.add(parts[0])
    second.add(parts[1])
    second.add(parts[2])
    first.merge(pickle.loads(pickle.dumps(second)))
    for merged, expected in zip(first.result(), unparted.result(), strict=True):
        np.testing.assert_array_equal(merged, expected)
