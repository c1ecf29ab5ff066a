"""Correlations, their intervals and tests of two metrics."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from geceval.statistics import intervals
from geceval.statistics.correlation import (
    BLOCK,
    CORRELATIONS,
    Correlations,
    average_ranks,
    kendall,
    leave_one_out,
    pearson,
    spearman,
)
from geceval.statistics.correlation_tests import perm_both, student_p, williams_t
from geceval.statistics.intervals import draw_sentence_weights, percentile_interval, system_intervals
from geceval.statistics.judged_pairs import SUMMED, weighted_tallies


def test_values_stored_from_scipy() -> None:
    """scipy 1.17: pearsonr, spearmanr, kendalltau, rankdata."""
    x, y = [0.2, 0.5, 0.5, 0.9, -1.0, 0.3, 0.5, 2.0], [1.0, 3.0, 2.0, 2.0, -4.0, 0.0, 2.5, 2.0]
    assert pearson(x, y) == pytest.approx(0.7397003658236803, abs=1e-12)
    assert spearman(x, y) == pytest.approx(0.65, abs=1e-12)
    assert kendall(x, y) == pytest.approx(0.48, abs=1e-12)
    assert average_ranks(x).tolist() == [2, 5, 5, 7, 1, 3, 5, 8]


@pytest.mark.parametrize("name", CORRELATIONS)
@pytest.mark.parametrize(
    ("x", "y"), [([], []), ([1], [2]), ([1, 1, 1], [1, 2, 3]), ([0.1] * 7, list(range(7))), ([1, math.nan], [1, 2])]
)
def test_undefined_is_nan(name: str, x: list[float], y: list[float]) -> None:
    assert math.isnan(CORRELATIONS[name](x, y))
    assert math.isnan(CORRELATIONS[name](y, x))


@pytest.mark.parametrize("name", CORRELATIONS)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=9), st.data())
def test_laws_of_correlation(name: str, points: list[tuple[int, int]], data: st.DataObject) -> None:
    measure = CORRELATIONS[name]
    x, y = np.array(points, float).T
    r = measure(x, y)
    shuffled = data.draw(st.permutations(range(len(x))))
    assert np.isnan(r) or -1 <= r <= 1
    assert measure(y, x) == pytest.approx(r, nan_ok=True)
    assert measure(x[shuffled], y[shuffled]) == pytest.approx(r, nan_ok=True)
    assert measure(2 * x + 7, -y) == pytest.approx(-r, nan_ok=True)
    both = measure(np.stack([x, y]), np.stack([y, y]))
    assert both[0] == pytest.approx(r, nan_ok=True)


@pytest.mark.parametrize("name", CORRELATIONS)
def test_rows_of_a_batch_are_correlated_apart(name: str) -> None:
    x = np.array([[1.0, 3, 2, 5, 6, 6, 2], [0.1] * 7, [math.nan, 1, 2, 3, 4, 5, 6], [4.0, 1, 1, 0, 2, 2, 1]])
    y = np.array([2.0, 1, 4, 4, 7, 0, 3])
    measure = CORRELATIONS[name]
    correlations = measure(x, y)
    assert np.isnan(correlations).tolist() == [False, True, True, False]
    assert correlations[[0, 3]].tolist() == [float(measure(x[0], y)), float(measure(x[3], y))]


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=9))
def test_kendall_is_the_count_of_pairs(points: list[tuple[int, int]]) -> None:
    pairs = list(itertools.combinations(points, 2))
    agreement = sum(np.sign(a - c) * np.sign(b - d) for (a, b), (c, d) in pairs)
    untied = [sum(p[k] != q[k] for p, q in pairs) for k in (0, 1)]
    expected = agreement / math.sqrt(untied[0] * untied[1]) if all(untied) else math.nan
    assert kendall(*np.array(points).T) == pytest.approx(expected, nan_ok=True)


def test_an_outlier_shows_in_leave_one_out() -> None:
    metric, human = [1, 2, 3, 4, 50], [2, 1, 4, 3, 60]
    assert Correlations.of(metric, human).pearson > 0.99
    assert leave_one_out(metric, human)[4].pearson == pytest.approx(0.6)
    assert leave_one_out(metric, human)[4].n == 4


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30))
def test_average_ranks_are_the_count_of_smaller_and_equal_values(values: list[int]) -> None:
    expected = [sum(b < a for b in values) + (sum(b == a for b in values) + 1) / 2 for a in values]
    assert average_ranks(values).tolist() == expected
    assert average_ranks([values, values]).tolist() == [expected, expected]


def test_long_vectors_are_compared_in_blocks() -> None:
    rng = np.random.RandomState(0)
    x, y = rng.randint(0, 50, (2, 2 * BLOCK + 3)).astype(float)
    signs = [np.sign(np.subtract.outer(v, v)) for v in (x, y)]
    expected = (signs[0] * signs[1]).sum() / math.sqrt((signs[0] ** 2).sum() * (signs[1] ** 2).sum())
    assert kendall(x, y) == pytest.approx(expected)
    assert spearman(x, y) == pytest.approx(pearson(average_ranks(x), average_ranks(y)))


# --- intervals ---


def test_percentiles_take_the_stated_values() -> None:
    interval = percentile_interval(np.arange(1000.0)[::-1])
    assert (interval.low, interval.high, interval.undefined) == (25.0, 974.0, 0)  # the 26th and the 975th
    interval = percentile_interval(np.array([1.0, np.nan, 3.0]))
    assert (interval.low, interval.high, interval.undefined) == (1.0, 3.0, 1)
    assert math.isnan(percentile_interval(np.array([np.nan])).low)


def test_intervals_over_systems_hold_the_estimate_and_repeat() -> None:
    metric = np.arange(12.0)
    human = metric + np.tile([0.0, 3.0], 6)
    by_measure = system_intervals(metric, human, seed=0)
    assert by_measure == system_intervals(metric, human, seed=0)
    assert by_measure != system_intervals(metric, human, seed=1)
    for name, measure in CORRELATIONS.items():
        assert by_measure[name].low <= measure(metric, human) <= by_measure[name].high
    assert system_intervals([1.0, 2.0], [1.0, 2.0], replicates=50)["pearson"].undefined > 0


def test_intervals_are_those_of_all_replicates(monkeypatch: pytest.MonkeyPatch) -> None:
    metric, human = np.random.RandomState(0).normal(size=(2, 5, 7))
    monkeypatch.setattr(intervals, "_PART", 2)
    by_measure = intervals.correlation_intervals(metric, human, level=1.0)
    for name, measure in CORRELATIONS.items():
        each = measure(metric, human)
        assert (by_measure[name].low, by_measure[name].high) == (each.min(), each.max())
        half = intervals.correlation_intervals(metric, human, level=0.5)[name]
        assert (half.low, half.high) == (np.sort(each)[1], np.sort(each)[3])


def test_weights_draw_as_many_sentences_as_there_are() -> None:
    weights = next(draw_sentence_weights(50, replicates=400, seed=0))
    assert weights.shape == (400, 50)
    assert (weights.sum(1) == 50).all()
    assert weights.mean(0) == pytest.approx(np.ones(50), abs=0.3)
    assert (weights[:3] == next(draw_sentence_weights(50, replicates=3, seed=0))).all()


def test_reweighted_tallies_are_weighted_sums() -> None:
    wins = np.arange(24).reshape(6, 2, 2)
    sums = weighted_tallies(np.array([[1, 0, 2, 0, 0, 3], [0] * 6]), wins)
    assert (sums[0] == wins[0] + 2 * wins[2] + 3 * wins[5]).all()
    assert (sums[1] == 0).all()
    drawn = np.random.default_rng(0).integers(0, 5, (3, 2 * SUMMED + 1), np.uint8)
    assert (weighted_tallies(drawn, np.ones((2 * SUMMED + 1, 1, 1), bool))[:, 0, 0] == drawn.sum(1)).all()


# --- tests of two metrics ---


@pytest.mark.parametrize(
    ("t", "freedom", "p"),
    [
        (0.5, 1, 0.7048327646991335),
        (2.0, 9, 0.07655282377070101),
        (-1.3, 10, 0.2227658172068446),
        (4.2, 12, 0.0012319002271227464),
        (0.01, 3, 0.992649111412852),
        (30.0, 5, 7.718648620496053e-07),
        (1.7, 2, 0.23123342620157122),
        (0.0, 4, 1.0),
    ],
)
def test_student_as_scipy_has_it(t: float, freedom: int, p: float) -> None:
    assert student_p(t, freedom) == pytest.approx(p, abs=1e-12)


def test_williams_by_hand() -> None:
    # n = 13, r = .75 and .62, the metrics correlate with .9.
    k = 1 - 0.75**2 - 0.62**2 - 0.9**2 + 2 * 0.75 * 0.62 * 0.9
    expected = 0.13 * math.sqrt(12 * 1.9 / (2 * k * 1.2 + (1.37**2 / 4) * 0.001))
    assert williams_t(0.75, 0.62, 0.9, 13) == pytest.approx(expected)
    assert williams_t(0.62, 0.75, 0.9, 13) == pytest.approx(-expected)
    assert williams_t(0.7, 0.7, 1.0, 13) == 0.0
    assert williams_t(0.5, 0.0, 0.0, 4) == pytest.approx(0.5 * math.sqrt(3 / (2 * 0.75 * 3 + 0.0625)))
    assert math.isnan(williams_t(0.7, 0.6, 0.5, 3))
    assert math.isnan(williams_t(math.nan, 0.6, 0.5, 12))
    assert math.isnan(williams_t(0.6, 0.6, math.nan, 12))
    assert math.isnan(williams_t(0.7, 0.6, 1.0, 13))  # no three variables correlate like this


def r_of_means(people: NDArray[np.float64]) -> Callable[[NDArray[np.float64]], float]:
    return lambda cells: float(pearson(cells.mean(axis=1), people))


def test_a_metric_against_itself_and_against_noise() -> None:
    rng = np.random.RandomState(0)
    people = np.arange(8.0)
    good = people[:, None] + rng.normal(size=(8, 60))
    noise = rng.normal(size=(8, 60))
    assert perm_both(good, good, r_of_means(people), replicates=99, seed=0) == 1.0
    assert perm_both(good, good * 3 + 1, r_of_means(people), replicates=99, seed=0) == 1.0  # scale does not matter
    assert perm_both(good, noise, r_of_means(people), replicates=199, seed=0) == 1 / 200
    swapped = perm_both(noise, good, r_of_means(people), replicates=199, seed=0)
    assert swapped == 1 / 200
    assert math.isnan(perm_both(good, noise, r_of_means(np.ones(8)), replicates=9, seed=0))


def test_perm_both_standardises_each_metric() -> None:
    rng = np.random.RandomState(0)
    people = np.arange(6.0)
    first, second = (people[:, None] + rng.normal(scale=scale, size=(6, 20)) for scale in (2, 8))
    p = perm_both(first, second, r_of_means(people), replicates=99, seed=0)
    assert 0.02 < p < 0.9
    assert perm_both(first * 30 + 7, second / 2 - 1, r_of_means(people), replicates=99, seed=0) == p
    assert math.isnan(perm_both(np.ones((6, 20)), second, r_of_means(people), replicates=9, seed=0))
