"""Intervals cover and tests reject as often as stated, in simulated corpora."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from geceval._kernel import resampling_weights
from geceval.agreement.edit_weights import implied_weights
from geceval.counting.comparison_options import Options
from geceval.resampling.break_even import NetBenefits, OutcomeWeights, undecided_ranges
from geceval.resampling.weighted_sums import Sums
from geceval.statistics.correlation import pearson
from geceval.statistics.correlation_tests import perm_both
from geceval.statistics.intervals import percentile_interval
from geceval.statistics.resampling import exact_floats, sentence_keys, weighted_sums
from support import simulated_runs
from support.simulated_counts import counts_with_a_crossing
from support.verdicts import correct_and_outside, edit_counts, simulated_study

TRIALS, SENTENCES, SAMPLES = 600, 400, 599


def f_score(sums: Any) -> Any:
    """F0.5 of [..., (TP, FP, FN)]."""
    tp, fp, fn = np.moveaxis(np.asarray(sums, float), -1, 0)
    return 1.25 * tp / (1.25 * tp + fp + 0.25 * fn)


def difference(sums: Any) -> Any:
    return f_score(sums[..., :3]) - f_score(sums[..., 3:])


@pytest.mark.parametrize("blocked", [False, True])
def test_percentile_intervals_cover_as_often_as_stated(blocked: bool) -> None:
    """Percentile intervals at 95 % cover 93 to 97 % of simulated test sets.

    Of F and of the difference of two correlated systems; in blocks, whose sentences share an author, too.
    """
    rng = np.random.default_rng(0)
    skill = np.repeat(rng.gamma(4.0, 0.25, 2000), 5)[:, np.newaxis]  # of an author of five sentences
    errors = rng.poisson(2.0 * skill)
    hits = rng.binomial(errors, [[0.4, 0.35]])
    wrong = rng.poisson(0.6, (10000, 2)) + rng.poisson(0.4, (10000, 1))
    both = [np.stack([hits[:, k], wrong[:, k], errors[:, 0] - hits[:, k]], axis=1) for k in (0, 1)]
    everyone = np.concatenate(both, axis=1).reshape(2000, 5, 6)
    statistics = (lambda sums: f_score(sums[..., :3]), difference)
    truths = [float(statistic(everyone.sum(axis=(0, 1)))) for statistic in statistics]
    covered = np.zeros(2)
    for seed in range(TRIALS):
        if blocked:
            rows = everyone[rng.integers(2000, size=SENTENCES // 4)].reshape(-1, 6)
            keys = np.repeat(sentence_keys(0, SENTENCES // 4), 5)
        else:
            rows = everyone.reshape(-1, 6)[rng.integers(10000, size=SENTENCES)]
            keys = sentence_keys(0, SENTENCES)
        sums = weighted_sums(resampling_weights(keys, "poisson", seed, SAMPLES), exact_floats(rows))
        for k, statistic in enumerate(statistics):
            interval = percentile_interval(statistic(sums))
            covered[k] += interval.low <= truths[k] <= interval.high
    assert ((covered / TRIALS >= 0.93) & (covered / TRIALS <= 0.97)).all(), covered / TRIALS


def test_intervals_contain_planted_weights_as_often_as_they_say() -> None:
    edits = edit_counts(150, 4, seed=1)
    hits = np.zeros(3)
    planted = {"correct": 0.8, "outside": -0.3, "ratio": -0.3 / 0.8}
    for seed in range(60):
        study = simulated_study(edits, correct_and_outside(edits) @ np.array([0.8, -0.3]), seed)
        [[weight]] = [result.weights for result in implied_weights(study, resamples=100, seed=seed)]
        intervals = [weight.intervals[name] for name in planted]
        hits += [
            interval.low <= value <= interval.high for interval, value in zip(intervals, planted.values(), strict=True)
        ]
    # 95 % of 60 are 57; fewer than 51 or all of them would be rare if the intervals were right.
    assert hits.min() >= 51
    assert hits.min() < 60


def test_perm_both_keeps_its_level() -> None:
    """Two equally noisy metrics: p below .1 in about a tenth of the cases (binomial sd .024 over 150)."""
    rng = np.random.RandomState(0)
    people = np.arange(6.0)

    def r_of_means(cells: NDArray[np.float64]) -> float:
        return float(pearson(cells.mean(axis=1), people))

    ps = [
        perm_both(*(people[:, None] + rng.normal(scale=8, size=(2, 6, 20))), r_of_means, replicates=99, seed=k)
        for k in range(150)
    ]
    assert 0.02 < np.mean(np.array(ps) <= 0.1) < 0.18


@pytest.mark.parametrize(("runs", "between"), [((3, 3), 1), ((5, 5), 0), ((10, 3), 3)])
def test_equal_systems_with_runs_are_distinguished_as_often_as_stated(
    runs: tuple[int, int], between: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulated_runs, "PAIRS", 1000)
    share, full, alone = simulated_runs.rejections(runs, between)
    assert share == pytest.approx(0.05, abs=0.02)
    # The full variance of runs contains noise of sentences again, and has no degrees of freedom.
    assert alone > 0.1 if between else full < 0.03


def test_intervals_contain_the_true_break_even_cost_as_often_as_they_state() -> None:
    columns = OutcomeWeights(np.array([1, 0]), np.array([0, 1]))
    covered, runs = 0, 400
    for seed in range(runs):
        benefits = NetBenefits(columns, partial(Sums, Options(samples=399, seed=seed), (), np.asarray))
        benefits.add(counts_with_a_crossing(seed), sentence_keys(0, 300))
        grid, _, replicates = benefits.curves()
        ranges = undecided_ranges(replicates[:, 0] - replicates[:, 1], grid, 0.05)
        covered += any(low <= 2 <= high for low, high in ranges)
    assert 0.92 <= covered / runs <= 0.975
