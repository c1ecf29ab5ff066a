"""Soft and tie-calibrated pairwise accuracy beside google-research/mt-metrics-eval.

The repository has no release on PyPI, where another package has its name: GECEVAL_MT_METRICS_EVAL is a clone of it. Its
two files are imported one by one, since its package requires apache_beam.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from geceval.agreement.pairwise_accuracy import PeoplePairs, TiedPairs, swap_p
from geceval.statistics.aggregation import metric_pairs

CLONE = os.environ.get("GECEVAL_MT_METRICS_EVAL")
pytestmark = pytest.mark.skipif(
    CLONE is None, reason="GECEVAL_MT_METRICS_EVAL is not a clone of google-research/mt-metrics-eval"
)


def module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, Path(CLONE or "") / f"mt_metrics_eval/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@pytest.mark.parametrize("seed", range(20))
def test_soft_pairwise_accuracy_is_one_minus_their_confidence_error(seed: int) -> None:
    pce, rng = module("pce"), np.random.RandomState(seed)
    systems, sentences = rng.randint(2, 12), rng.randint(10, 300)
    people = np.rint(np.arange(systems)[:, None] / 8 + rng.normal(size=(systems, sentences)))
    scores = people * rng.rand() + rng.normal(size=(systems, sentences))
    their_p = [pce.compute_pairwise_p_values(values, 10_000) for values in (people, scores)]
    first, second = np.triu_indices(systems, 1)
    our_p = [swap_p(values[first] - values[second]) for values in (people, scores)]
    for ours, theirs in zip(our_p, their_p, strict=True):
        assert ours == pytest.approx(theirs[first, second], abs=0.075)  # 1000 draws: five standard errors
    expected = pce.compute_one_minus_pce(*their_p)
    verdicts = PeoplePairs(our_p[0], np.ones((len(first), sentences), bool))
    assert verdicts.soft_accuracy(our_p[1]) == pytest.approx(expected, abs=0.03)
    # Ties of people have a probability that the normal distribution of the metric's sums does not change.
    assert verdicts.soft_accuracy_of_means(scores) == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize("seed", range(20))
def test_tie_calibration_is_their_optimisation(seed: int) -> None:
    """They average over sentences, we pool pairs: equal if all sentences have the same number of pairs."""
    tau, rng = module("tau_optimization"), np.random.RandomState(seed)
    systems, sentences = rng.randint(2, 10), rng.randint(2, 60)
    people = rng.randint(0, 4, size=(systems, sentences)).astype(float)
    steps = 2.0 ** rng.randint(1, 20)  # differences of multiples of a power of 2 have no rounding errors
    scores = np.rint((people / 5 + rng.normal(size=(systems, sentences))) * steps) / steps
    theirs = tau.tau_optimization(scores.T, people.T, tau.TauSufficientStats.acc_23)
    pairs = metric_pairs([f"s{k}" for k in range(systems)], people)
    tied = TiedPairs.of(pairs, np.ones(len(pairs), np.int64), pairs.source_id, scores)
    share, epsilon = tied.calibrated()
    assert share == pytest.approx(theirs.best_tau, abs=1e-9)
    assert theirs.taus[theirs.thresholds.index(epsilon)] == pytest.approx(theirs.best_tau, abs=1e-9)
