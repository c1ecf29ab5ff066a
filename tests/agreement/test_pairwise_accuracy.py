"""Soft and tie-calibrated pairwise accuracy, on cases worked by hand, against loops, and recorded from a public tool.

The tool is google-research/mt-metrics-eval at 68a481a (not the package of this name on PyPI);
tests/differential/test_mt_metrics_eval.py compares with it where it is available.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import geceval
from geceval.agreement.edit_weights import implied_weights
from geceval.agreement.human_ranking import rank_by_people
from geceval.agreement.judgments import Item, Judgments, Ratings
from geceval.agreement.meta_evaluation import evaluate_metrics
from geceval.agreement.metric_agreement import count_systems, score_systems
from geceval.agreement.pairwise_accuracy import (
    SWAPS,
    PeoplePairs,
    TiedPairs,
    corpus_swap_p,
    swap_p,
)
from geceval.agreement.people import People, expand_pairs
from geceval.agreement.study import StudyOptions, make_study
from geceval.base.errors import InputError, UsageError
from geceval.extending import Scale
from geceval.statistics.aggregation import metric_pairs
from support.examples import example_corpus

Scores = NDArray[np.float64]


def exact_p(gaps: Scores) -> list[float]:
    """The share of all signs with which the sum is at least the observed one."""
    signs = np.array(list(itertools.product([-1, 1], repeat=gaps.shape[1])))
    return [float((signs @ row >= row.sum() - 1e-9).mean()) for row in gaps]


def test_p_of_swaps_approaches_that_of_all_signs() -> None:
    gaps = np.array(
        [[3.0, 1, 2, 1, 2, 0, 1], [1, -1, 1, -1, 2, 0, 1], [0, 0, 0, 0, 0, 0, 0], [-1, -2, -1, -1, 0, -3, 1]]
    )
    expected = exact_p(gaps)
    # All signs reach the sum 0, which says nothing of the two systems.
    expected[2] = 0.5
    assert swap_p(gaps).tolist() == pytest.approx(expected, abs=0.05)
    certain = swap_p(np.ones((1, 60)))
    assert certain.tolist() == [1 / (SWAPS + 1)]


def rated(values: Scores) -> People:
    return People.of(Ratings("memory", tuple("ABCDEFGH"[: len(values)]), values))


@given(st.integers(0, 1000), st.integers(2, 5), st.integers(2, 20))
def test_soft_accuracy_of_people_with_themselves_is_one(seed: int, systems: int, sentences: int) -> None:
    scores = np.random.RandomState(seed).normal(size=(systems, sentences))
    people = rated(scores)
    verdicts = PeoplePairs.of(people, people.pairs.systems, sentences)
    first, second = np.triu_indices(systems, 1)
    assert verdicts.soft_accuracy(swap_p(scores[first] - scores[second])) == 1.0
    assert 0 <= verdicts.soft_accuracy(swap_p(scores[second] - scores[first])) <= 1
    # The scale of a metric does not matter.
    affine = verdicts.soft_accuracy_of_means(7 * scores - 3)
    assert affine == pytest.approx(verdicts.soft_accuracy_of_means(scores))
    # A normal approximation of 2 to 19 draws.
    assert affine > (0.9 if sentences > 10 else 0.5)


@dataclass(frozen=True)
class Unmoved(geceval.Green):
    """A metric that sees no differences."""

    def score(self, totals: Scores) -> Scores:
        return np.full(totals.shape[:-1], 0.5)


@pytest.mark.parametrize("aggregation", ["corpus", "mean"])
def test_metric_without_differences_has_the_same_soft_accuracy_under_all_names(aggregation: str) -> None:
    """People prefer the systems in the order of their names, or in the reverse order."""
    corpus, options = example_corpus(), StudyOptions(aggregation=aggregation, resamples=2)
    values = np.random.RandomState(0).normal(size=(3, len(corpus))) + np.array([[3.0], [2], [1]])
    shares = []
    for rows in (values, values[::-1]):
        study = make_study(Ratings("memory", tuple(corpus.systems), rows), corpus)
        [result] = evaluate_metrics(study, [Unmoved()], options).metrics
        shares.append(result.soft_accuracy)
    assert shares[0] == pytest.approx(shares[1], abs=0.01)
    assert 0.4 < shares[0] < 0.6


def test_pairs_that_nobody_judged_are_left_out() -> None:
    values = np.array([[1.0, 2, np.nan, np.nan], [0, 0, 3, 4], [np.nan, np.nan, 1, 1]])
    verdicts = PeoplePairs.of(rated(values), ("A", "B", "C"), 4)
    assert np.isnan(verdicts.p).tolist() == [False, True, False]
    p = np.array([0.25, 0.99, 0.25])
    assert verdicts.soft_accuracy(p) == pytest.approx(1 - np.abs(verdicts.p - p)[[0, 2]].mean())
    everywhere = np.array([[5.0] * 4, [1] * 4, [0] * 4])
    assert verdicts.soft_accuracy_of_means(everywhere) == verdicts.soft_accuracy_of_means(everywhere * [[1], [1], [-9]])


@dataclass(frozen=True)
class Loss(geceval.Green):
    """The negative of GREEN, whose low scores are good."""

    name: ClassVar[str] = "loss"
    scale: ClassVar[Scale] = Scale(-1.0, 0.0, higher_is_better=False)

    def score(self, totals: Scores) -> Scores:
        return -super().score(totals)


@pytest.mark.parametrize("aggregation", ["corpus", "mean", "expected-wins"])
def test_low_scores_agree_with_people_if_they_are_good(aggregation: str) -> None:
    corpus = example_corpus(references=1)
    ratings = Ratings("memory", tuple(corpus.systems), np.random.RandomState(1).rand(3, len(corpus)))
    options = StudyOptions(aggregation=aggregation, resamples=50, tests=True)
    results = evaluate_metrics(make_study(ratings, corpus), [geceval.Green(), Loss()], options)
    green, loss = results.metrics
    for name in ("agreement", "left_out", "accuracy", "tie_calibrated", "soft_accuracy", "segments"):
        assert str(getattr(loss, name)) == str(getattr(green, name)), name
    assert loss.intervals == green.intervals
    assert {test.p for test in results.tests} <= {1.0} or math.isnan(results.tests[0].p)
    printed = green.scores.printed if aggregation == "expected-wins" else -green.scores.printed
    assert loss.scores.printed.tolist() == printed.tolist()
    [note] = [note for note in results._report().tables()[0].notes if note.startswith("lower scores are better")]
    assert note.endswith(": LOSS")


@dataclass(frozen=True)
class Undefined(geceval.Green):
    """GREEN without a score for sentences in which nothing is right."""

    def score(self, totals: Scores) -> Scores:
        scores = super().score(totals)
        return np.where(scores == 1, np.nan, scores)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_sentence_without_a_score_is_no_tie() -> None:
    corpus = example_corpus()
    study = make_study(Ratings("memory", tuple(corpus.systems), ratings_of_green()), corpus)
    with pytest.raises(InputError, match="GREEN has no score for careful in sentence 1, which people judged"):
        evaluate_metrics(study, [Undefined()], StudyOptions(resamples=0))
    with pytest.raises(InputError, match="no score for a sentence"):
        geceval.rank(corpus, [Undefined()], samples=2)


def test_ratings_have_no_verdicts_on_outputs() -> None:
    corpus = example_corpus()
    ratings = Ratings("memory", tuple(corpus.systems), ratings_of_green())
    study, options = make_study(ratings, corpus), StudyOptions(pairs="outputs")
    for refused in (
        lambda: evaluate_metrics(study, ["green"], options),
        lambda: rank_by_people(ratings, options),
        lambda: implied_weights(study, pairs="outputs"),
    ):
        with pytest.raises(UsageError, match="ratings do not say which systems were judged as one output"):
            refused()


def soft_accuracy(people: list[float], metric: list[float]) -> float:
    judged = np.ones((len(people), 1), bool)
    return PeoplePairs(np.array(people), judged).soft_accuracy(np.array(metric))


def test_soft_accuracy_is_the_limit_of_accuracy() -> None:
    assert soft_accuracy([0, 1, 0], [0, 0, 0]) == pytest.approx(2 / 3)
    assert soft_accuracy([0.2, math.nan], [0.5, 0.1]) == pytest.approx(0.7)
    assert math.isnan(soft_accuracy([math.nan], [0.5]))


def test_verdicts_are_net_wins_and_judged_sentences() -> None:
    values = np.array([[1.0, 2, np.nan], [1, 1, 3], [0, 3, 3]])
    people = rated(values)
    of_ratings = PeoplePairs.of(people, ("A", "B", "C"), 3)
    assert of_ratings.p.tolist() == swap_p(np.array([[0, 1.0, 0], [1, -1, 0], [1, -2, 0]])).tolist()
    of_pairs = PeoplePairs.of(People(people.pairs, people.lines), ("A", "B", "C"), 3)
    assert of_pairs.p.tolist() == swap_p(np.array([[0, 1.0, 0], [1, -1, 0], [1, -1, 0]])).tolist()
    assert of_pairs.judged.tolist() == of_ratings.judged.tolist() == [[True, True, False]] * 2 + [[True] * 3]


def test_p_of_a_corpus_score_swaps_outputs_of_the_judged_sentences() -> None:
    corpus = example_corpus()
    [counted] = count_systems(corpus, [geceval.Green()])
    counts = dict(zip(counted.systems, counted.counts, strict=True))
    rng, metric = np.random.RandomState(0), geceval.Green()
    judged = rng.rand(3, 40) < 0.6
    judged[2] = False
    p = corpus_swap_p(metric, counts, judged)
    assert math.isnan(p[2])
    for k, (a, b) in enumerate([("careful", "eager"), ("careful", "noisy")]):
        rows = [metric_rows(counted.metric, counts[name])[judged[k]] for name in (a, b)]

        def gap(mask: NDArray[np.bool_], rows: list[Scores] = rows) -> float:
            swapped = [np.where(mask[:, None], rows[1 - side], rows[side]).sum(axis=0) for side in (0, 1)]
            return float(metric.score(swapped[0]) - metric.score(swapped[1]))

        observed = gap(np.zeros(judged[k].sum(), bool))
        drawn = [gap(rng.rand(judged[k].sum()) < 0.5) >= observed - 1e-9 for _ in range(4000)]
        assert p[k] == pytest.approx(np.mean(drawn), abs=0.04)


def metric_rows(metric: geceval.Green, counts: geceval.extending.Counts) -> Scores:
    [choice] = metric.choices(counts)
    return np.asarray(counts.chosen(choice), np.float64)


def test_soft_accuracy_follows_the_aggregation() -> None:
    study = make_study(Ratings("memory", ("careful", "eager", "noisy"), ratings_of_green()), example_corpus())
    for aggregation in ("mean", "expected-wins"):
        options = StudyOptions(aggregation=aggregation, resamples=2)
        [result] = evaluate_metrics(study, ["green"], options).metrics
        assert result.soft_accuracy is not None
        assert result.soft_accuracy == 1.0 if aggregation == "mean" else result.soft_accuracy > 0.9
        assert (result.tie_calibrated, result.one_person) == (1.0, None)


def ratings_of_green() -> Scores:
    return score_systems(count_systems(example_corpus(), [geceval.Green()])[0]).sentences


# --- ties ---


def calibrated(scores: Scores, people: Scores) -> tuple[float, float]:
    """Accuracy and threshold for scores and ratings [n, S]."""
    pairs = metric_pairs(tuple("ABCDEFGH"[: len(people)]), people)
    ones = np.ones(len(pairs), np.int64)
    tied = TiedPairs.of(pairs, ones, pairs.source_id, scores)
    return tied.calibrated()


def accuracy_with(epsilon: float, scores: Scores, people: Scores) -> float:
    right = []
    for (a, x), (b, y) in itertools.combinations(zip(scores, people, strict=True), 2):
        metric = np.where(abs(a - b) <= epsilon + 1e-9, 0, np.sign(a - b))
        right.append(metric == np.sign(x - y))
    return float(np.mean(right))


def test_ties_are_calibrated_by_hand() -> None:
    people = np.array([[1.0, 2.0], [1.0, 1.0], [0.0, 1.0]])
    scores = np.array([[0.5, 0.9], [0.4, 0.1], [0.1, 0.15]])
    # Differences of people's ties: .1 and .05; of the others .3, .4, .8, .75, all in people's order.
    assert calibrated(scores, people) == (1.0, pytest.approx(0.1))
    assert calibrated(-scores, people) == (pytest.approx(2 / 6), pytest.approx(0.1))
    assert calibrated(np.zeros((3, 2)), people) == (pytest.approx(2 / 6), 0.0)
    distinct = np.array([[3.0, 3], [2, 2], [1, 1]])
    assert calibrated(scores, distinct) == (pytest.approx(5 / 6), 0.0)  # 0.1 against 0.15 is wrong, and no tie helps


tables = st.integers(2, 4).flatmap(
    lambda n: st.tuples(
        *(
            st.lists(st.lists(st.integers(0, 6), min_size=4, max_size=4), min_size=n, max_size=n).map(
                lambda rows: np.array(rows, float)
            )
            for _ in range(2)
        )
    )
)


@given(tables)
def test_threshold_is_the_best_of_all_differences(values: tuple[Scores, Scores]) -> None:
    scores, people = values[0] / 10, values[1]
    share, epsilon = calibrated(scores, people)
    differences = np.abs(scores[:, None] - scores[None]).ravel()
    by_threshold = {float(value): accuracy_with(value, scores, people) for value in (0.0, *differences)}
    assert share == pytest.approx(max(by_threshold.values()))
    assert share >= accuracy_with(0.0, scores, people) - 1e-12
    assert share >= (people[:, None] == people[None])[np.triu_indices(len(people), 1)].mean() - 1e-12  # all tied
    assert accuracy_with(epsilon, scores, people) == pytest.approx(share)
    assert all(value >= epsilon - 1e-9 for value, right in by_threshold.items() if right >= share - 1e-12)
    assert calibrated(scores * 3 + 1, people) == (pytest.approx(share), pytest.approx(3 * epsilon))
    assert calibrated(people, people)[0] == 1.0


@given(tables, st.lists(st.integers(0, 3), min_size=4, max_size=4))
def test_weighted_sentences_are_repeated_sentences(values: tuple[Scores, Scores], times: list[int]) -> None:
    scores, people = values
    pairs = metric_pairs(tuple("ABCD"[: len(people)]), people)
    tied = TiedPairs.of(pairs, np.ones(len(pairs), np.int64), pairs.source_id, scores)
    shares = tied.resampled(np.array([times, [1, 1, 1, 1]]))
    if any(times):
        repeated = [np.repeat(table, times, axis=1) for table in (scores, people)]
        assert shares[0] == pytest.approx(calibrated(*repeated)[0])
    else:
        assert math.isnan(shares[0])
    assert shares[1] == pytest.approx(calibrated(scores, people)[0])


def test_group_of_systems_counts_for_each_pair_or_once() -> None:
    people = Judgments(
        "memory", (Item(0, "u", (("A", "B"), ("C",)), (1, 2), 1), Item(1, "u", (("A",), ("C",)), (2, 1), 2))
    )
    once, sharing = expand_pairs(people).once()
    assert sharing.tolist() == [2, 1]
    scores = np.array([[3.0, 3], [3, 0], [1, 1]])  # right on AB against C, wrong on A against C
    for weight, share in ((sharing, 2 / 3), (np.ones_like(sharing), 1 / 2)):
        tied = TiedPairs.of(once, weight, once.source_id, scores)
        assert tied.calibrated()[0] == pytest.approx(share)


# --- recorded ---

RECORDED = {"one_minus_pce": 0.60605, "acc23": 346 / 600, "epsilon": 0.03479378712940884}


def test_figures_recorded_from_mt_metrics_eval() -> None:
    """Seeded normal scores of 6 systems on 40 sentences; people's rounded to integers, so that they tie.

    Recorded: compute_one_minus_pce with 100,000 permutations; tau_optimization with acc_23.
    """
    rng = np.random.RandomState(59)
    truth = np.arange(6) / 6
    people = np.rint(truth[:, None] + rng.normal(size=(6, 40)))
    scores = truth[::-1, None] / 3 + people / 2 + rng.normal(size=(6, 40))
    first, second = np.triu_indices(6, 1)
    verdicts = PeoplePairs.of(rated(people), tuple("ABCDEF"), 40)
    spa = verdicts.soft_accuracy(swap_p(scores[first] - scores[second]))
    assert spa == pytest.approx(RECORDED["one_minus_pce"], abs=0.01)
    share, epsilon = calibrated(scores, people)
    assert share == pytest.approx(RECORDED["acc23"], abs=1e-9)
    assert epsilon == pytest.approx(RECORDED["epsilon"], abs=1e-9)
