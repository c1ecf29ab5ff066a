"""Correlations of two score vectors over systems: Pearson, Spearman, Kendall.

All three take arrays [..., n] and correlate along the last axis, so one call handles a thousand replicates. Fewer than
two systems, a constant vector or NaN give NaN and no error. Spearman's and Kendall's ties are values that differ by
rounding only (base.ties). Kendall's tau compares all pairs, block by block, in O(n²) time; the others take
O(n log n).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from geceval.base.ties import exceeds
from geceval.statistics import Floats
from geceval.statistics.judged_pairs import signs


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
        return cls(np.asarray(human).shape[-1], *(float(measure(metric, human)) for measure in CORRELATIONS.values()))


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
