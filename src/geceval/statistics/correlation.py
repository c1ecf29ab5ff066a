"""Correlations of two score vectors over systems: Pearson, Spearman, Kendall.

All three take arrays [..., n] and correlate along the last axis, so one call handles a thousand replicates. Fewer than
two systems, a constant vector or NaN give NaN and no error. Spearman's and Kendall's ties are values that differ by
rounding only (base.ties). Kendall's tau compares all pairs, block by block, in O(n²) time; the others take
O(n log n).

Two tests of whether one metric correlates with people better than another.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from geceval.base.ties import TOLERANCE, exceeds
from geceval.statistics import Floats
from geceval.statistics.rankings import signs


def pearson(x: ArrayLike, y: ArrayLike) -> Floats:
    """Return Pearson's r along the last axis, shape [...]."""
    a, b = _centred(x), _centred(y)
    return _ratio((a * b).sum(axis=-1), (a * a).sum(axis=-1), (b * b).sum(axis=-1))


def spearman(x: ArrayLike, y: ArrayLike) -> Floats:
    """Return Spearman's rho along the last axis.

    This is Pearson's r of the ranks, with average ranks for ties.
    """
    return pearson(average_ranks(x), average_ranks(y))


def kendall(x: ArrayLike, y: ArrayLike) -> Floats:
    """Return Kendall's tau-b (1945) along the last axis.

    This is the number of concordant minus discordant pairs, corrected for ties.
    """
    a, b = np.broadcast_arrays(np.asarray(x, np.float64), np.asarray(y, np.float64))
    sums = np.zeros((3, *a.shape[:-1]))
    for start in range(0, a.shape[-1], BLOCK):
        # The sign of each difference between a value of the block and any value, [..., block, n].
        x_signs, y_signs = (signs(values[..., start : start + BLOCK, None] - values[..., None, :]) for values in (a, b))
        products = x_signs * y_signs, x_signs * x_signs, y_signs * y_signs
        sums += [product.sum(axis=(-2, -1)) for product in products]
    return _ratio(*sums)


CORRELATIONS: Mapping[str, Callable[[ArrayLike, ArrayLike], Floats]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


def average_ranks(x: ArrayLike) -> Floats:
    """Return the rank along the last axis, 1 for the smallest.

    Ties get their average rank. A vector that contains NaN gets NaN ranks only.
    """
    values = np.asarray(x, np.float64)
    if values.shape[-1] == 0:
        return values
    order = np.argsort(values, axis=-1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=-1)
    place = np.broadcast_to(np.arange(values.shape[-1]), values.shape)
    new = np.ones(values.shape, np.bool_)
    new[..., 1:] = exceeds(ascending[..., 1:], ascending[..., :-1])
    first = np.maximum.accumulate(np.where(new, place, 0), axis=-1)
    last_of_group = np.concatenate([new[..., 1:], np.ones((*values.shape[:-1], 1), np.bool_)], axis=-1)
    backwards = np.where(last_of_group, place, values.shape[-1])[..., ::-1]
    last = np.minimum.accumulate(backwards, axis=-1)[..., ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return np.where(np.isnan(values).any(axis=-1, keepdims=True), np.nan, ranks)


@dataclass(frozen=True)
class Correlations:
    """Correlations of a metric with human scores over ``n`` systems."""

    n: int
    pearson: float
    spearman: float
    kendall: float

    @classmethod
    def of(cls, metric: ArrayLike, human: ArrayLike) -> Correlations:
        """Correlate two vectors [n]."""
        return cls(
            np.asarray(human).shape[-1],
            *(float(measure(metric, human)) for measure in CORRELATIONS.values()),
        )


def leave_one_out(metric: ArrayLike, human: ArrayLike) -> list[Correlations]:
    """Return the correlations without each system in turn, which reveals outliers."""
    x, y = np.asarray(metric), np.asarray(human)
    return [Correlations.of(np.delete(x, k), np.delete(y, k)) for k in range(x.shape[-1])]


def _centred(x: ArrayLike) -> Floats:
    values = np.asarray(x, np.float64)
    if values.shape[-1] == 0:
        return values
    # Exactly 0 for a constant vector, even if its mean is rounded.
    constant = (values == values[..., :1]).all(axis=-1, keepdims=True)
    return np.where(constant, 0.0, values - values.mean(axis=-1, keepdims=True))


#: Number of rows of the pair table that are in memory at once.
BLOCK = 256


def _ratio(product: Floats, first_variance: Floats, second_variance: Floats) -> Floats:
    # The product of the roots, not the root of the product: the product of two small variances may underflow.
    scale = np.sqrt(first_variance) * np.sqrt(second_variance)
    out = np.full(np.broadcast_shapes(np.shape(product), np.shape(scale)), np.nan)
    ratio = np.divide(product, scale, out=out, where=scale > 0)
    clipped: Floats = np.clip(ratio, -1.0, 1.0)
    return clipped


def williams_t(r_first: float, r_second: float, r_metrics: float, n: int) -> float:
    """Return Williams' t, with n - 3 degrees of freedom; NaN for n < 4.

    The test assumes normal, independent systems.

    Args:
        r_first: correlation of the first metric with the human scores.
        r_second: correlation of the second metric with the human scores.
        r_metrics: correlation of the two metrics.
        n: number of systems.

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
        first: sentence scores [n, S] of the first metric.
        second: sentence scores [n, S] of the second metric.
        figure: agreement with people of standardised sentence scores [n, S].
        replicates: number of replicates.
        seed: seed of the random generator.

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
