"""Against scipy where it computes the same thing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from geceval._kernel import resampling_weights
from geceval.statistics.intervals import percentile_interval
from geceval.statistics.multiple_tests import benjamini_hochberg
from geceval.statistics.resampling import exact_floats, sentence_keys, weighted_sums
from geceval.statistics.significance import randomisation_p

RNG = np.random.default_rng(0)
#: Triples of two systems: hits, false alarms, misses.
A, B = (RNG.poisson(rates, size=(200, 3)) for rates in ((1.0, 1.1, 1.2), (0.8, 1.2, 1.3)))


@pytest.fixture(scope="module")
def stats() -> Any:
    """Imported when a test runs: it takes more than a second."""
    from scipy import stats

    return stats


def f(sums: Any) -> Any:
    """F0.5 of [..., 3]."""
    tp, fp, fn = np.moveaxis(np.asarray(sums, float), -1, 0)
    return 1.25 * tp / (1.25 * tp + fp + 0.25 * fn)


def ours(rows: NDArray[Any], kind: Any, samples: int) -> NDArray[np.int64]:
    weights = resampling_weights(sentence_keys(0, len(rows)), kind, 0, samples)
    return weighted_sums(weights, exact_floats(rows.astype(np.int64)))


def test_intervals_are_those_of_scipy(stats: Any) -> None:
    replicates = f(ours(A, "poisson", 20000))
    interval = percentile_interval(replicates)

    def statistic(rows: Any, axis: int) -> Any:
        return f(A[rows].sum(axis=-2))

    settings: Any = {"n_resamples": 20000, "batch": 2000, "method": "percentile", "rng": 1}
    expected = stats.bootstrap((np.arange(200),), statistic, **settings)
    spread = expected.standard_error
    assert interval.low == pytest.approx(expected.confidence_interval.low, abs=0.1 * spread)
    assert interval.high == pytest.approx(expected.confidence_interval.high, abs=0.1 * spread)
    assert replicates.std(ddof=1) == pytest.approx(spread, rel=0.04)


def test_randomisation_p_is_that_of_scipy(stats: Any) -> None:
    both = np.concatenate([A, B], axis=1)
    moved = ours(both, "swap", 20000)
    exchanged = moved[:, 3:] - moved[:, :3]
    differences = f(A.sum(axis=0) + exchanged) - f(B.sum(axis=0) - exchanged)
    observed = float(f(A.sum(axis=0)) - f(B.sum(axis=0)))
    p = randomisation_p(differences, observed)

    def statistic(x: Any, y: Any) -> Any:
        # Sentences as numbers, so that each moves whole.
        table = np.concatenate([A, B])
        return f(table[x].sum(axis=0)) - f(table[y].sum(axis=0))

    rows = np.arange(200), np.arange(200, 400)
    expected = stats.permutation_test(
        rows, statistic, permutation_type="samples", vectorized=False, n_resamples=4000, rng=1
    )
    assert expected.statistic == pytest.approx(observed)
    assert p == pytest.approx(expected.pvalue, abs=0.02)


def test_p_of_all_labellings_is_that_of_scipy(stats: Any) -> None:
    """scipy doubles the smaller tail, which is the same for differences: they are symmetric about 0."""
    first, second = A[:9], B[:9]
    moved = ours(np.concatenate([first, second], axis=1), "labelling", 512)
    exchanged = moved[:, 3:] - moved[:, :3]
    differences = f(first.sum(axis=0) + exchanged) - f(second.sum(axis=0) - exchanged)
    table = np.concatenate([first, second])
    expected = stats.permutation_test(
        (np.arange(9), np.arange(9, 18)),
        lambda x, y: f(table[x].sum(axis=0)) - f(table[y].sum(axis=0)),
        permutation_type="samples",
        vectorized=False,
        n_resamples=np.inf,
    )
    assert randomisation_p(differences, float(expected.statistic), exact=True) == pytest.approx(expected.pvalue)


def test_false_discovery_rates(stats: Any) -> None:
    p = RNG.uniform(size=30) ** 3
    assert benjamini_hochberg(p) == pytest.approx(stats.false_discovery_control(p, method="bh"))
