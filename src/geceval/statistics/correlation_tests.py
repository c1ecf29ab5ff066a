"""Tests of whether one metric correlates with people better than another."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from geceval.base.ties import TOLERANCE
from geceval.statistics import Floats


def williams_t(r_first: float, r_second: float, r_metrics: float, n: int) -> float:
    """Return Williams' t, with n - 3 degrees of freedom; NaN for n < 4.

    The test assumes normal, independent systems.

    Args:
        r_first: Correlation of the first metric with the human scores.
        r_second: Correlation of the second metric with the human scores.
        r_metrics: Correlation of the two metrics.
        n: Number of systems.

    Source: Williams (1959); Graham and Baldwin (2014).
    """
    if n < 4:
        return math.nan
    k = 1 - r_first**2 - r_second**2 - r_metrics**2 + 2 * r_first * r_second * r_metrics
    spread = 2 * k * (n - 1) / (n - 3) + (r_first + r_second) ** 2 / 4 * (1 - r_metrics) ** 3
    if not spread > 0:
        return math.nan if math.isnan(spread) or r_first != r_second else 0.0
    return (r_first - r_second) * math.sqrt((n - 1) * (1 + r_metrics) / spread)


def student_p(t: float, freedom: int) -> float:
    """Return P(abs(T) >= abs(t)) for Student's t with integer degrees of freedom.

    Source: Abramowitz and Stegun, 26.7.3-4.
    """
    if math.isnan(t):
        return math.nan
    angle = math.atan(abs(t) / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term, total = (cosine, 0.0) if odd else (1.0, 0.0)
    for k in range(2 + odd, freedom + 1, 2):
        total += term
        term *= cosine * cosine * (k - 1) / k
    inside = 2 / math.pi * (angle + sine * total) if odd else sine * total
    return max(0.0, 1 - inside)


def perm_both(first: Floats, second: Floats, figure: Callable[[Floats], float], *, replicates: int, seed: int) -> float:
    """Return the two-sided p of PERM-BOTH for a difference of a figure of two metrics.

    The sentence scores of each metric are standardised. Each (system, sentence) cell is swapped between the metrics
    with probability 1/2. p = (b + 1) / (replicates + 1), where b counts the replicates whose difference is at least as
    large as the observed one.

    Args:
        first: Sentence scores [n, S] of the first metric.
        second: Sentence scores [n, S] of the second metric.
        figure: Agreement with people of standardised sentence scores [n, S].
        replicates: Number of replicates.
        seed: Seed of the random generator.

    Source: Deutsch, Dror and Roth (2021).
    """
    x, y = _standardised(first), _standardised(second)
    observed = abs(figure(x) - figure(y))
    if math.isnan(observed):
        return math.nan
    rng = np.random.RandomState(seed)
    middle, half = (x + y) / 2, (x - y) / 2
    # A swap inverts the sign of half the difference of a cell.
    swapped = (half * (rng.randint(0, 2, size=half.shape) * 2 - 1) for _ in range(replicates))
    differences = np.array([abs(figure(middle + part) - figure(middle - part)) for part in swapped])
    return (1 + int((differences >= observed - TOLERANCE).sum())) / (replicates + 1)


def _standardised(scores: Floats) -> Floats:
    spread = scores.std()
    standardised: Floats = (scores - scores.mean()) / (spread if spread > 0 else 1.0)
    return standardised
