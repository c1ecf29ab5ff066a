"""Agreement of two score vectors over systems: Pearson, Spearman, Kendall.

All three take arrays [..., n] and correlate along the last axis, so a thousand replicates are one call. Fewer
than two systems, a constant vector or a NaN give NaN, never an error. Kendall's compares all pairs: O(n²) time, a block
at a time; the others take O(n log n).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from geceval.statistics import Floats


def pearson(x: ArrayLike, y: ArrayLike) -> Floats:
    """Pearson's r along the last axis, shape [...]."""
    a, b = _centred(x), _centred(y)
    return _ratio((a * b).sum(axis=-1), (a * a).sum(axis=-1), (b * b).sum(axis=-1))


def spearman(x: ArrayLike, y: ArrayLike) -> Floats:
    """Spearman's rho along the last axis: Pearson's r of the ranks, ties taking their average rank."""
    return pearson(average_ranks(x), average_ranks(y))


def kendall(x: ArrayLike, y: ArrayLike) -> Floats:
    """Kendall's tau-b along the last axis (1945): concordant minus discordant pairs, ties corrected."""
    a, b = np.asarray(x, np.float64), np.asarray(y, np.float64)
    sums = np.zeros((3, *np.broadcast_shapes(a.shape, b.shape)[:-1]))
    for start in range(0, a.shape[-1], BLOCK):
        # The order of each value of a block to every other one, [..., block, n].
        own, other = (np.sign(values[..., start : start + BLOCK, None] - values[..., None, :]) for values in (a, b))
        sums += [(one * two).sum(axis=(-2, -1)) for one, two in ((own, other), (own, own), (other, other))]
    return _ratio(*sums)


CORRELATIONS: Mapping[str, Callable[[ArrayLike, ArrayLike], Floats]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


def average_ranks(x: ArrayLike) -> Floats:
    """Rank along the last axis, 1 for the smallest; equal values take their average; NaN where any is."""
    values = np.asarray(x, np.float64)
    if values.shape[-1] == 0:
        return values
    order = np.argsort(values, axis=-1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=-1)
    place = np.broadcast_to(np.arange(values.shape[-1]), values.shape)
    new = np.ones(values.shape, np.bool_)
    new[..., 1:] = ascending[..., 1:] != ascending[..., :-1]
    first = np.maximum.accumulate(np.where(new, place, 0), axis=-1)
    last_of_group = np.concatenate([new[..., 1:], np.ones((*values.shape[:-1], 1), np.bool_)], axis=-1)
    backwards = np.where(last_of_group, place, values.shape[-1])[..., ::-1]
    last = np.minimum.accumulate(backwards, axis=-1)[..., ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return np.where(np.isnan(values).any(axis=-1, keepdims=True), np.nan, ranks)


@dataclass(frozen=True)
class Correlations:
    """Correlations of a metric with people over ``n`` systems."""

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
    """The agreement without each system in turn: an outlier that drives Pearson's r shows here."""
    x, y = np.asarray(metric), np.asarray(human)
    return [Correlations.of(np.delete(x, k), np.delete(y, k)) for k in range(x.shape[-1])]


def _centred(x: ArrayLike) -> Floats:
    values = np.asarray(x, np.float64)
    if values.shape[-1] == 0:
        return values
    # Exactly 0 for a constant vector, whatever rounding does to its mean.
    constant = (values == values[..., :1]).all(axis=-1, keepdims=True)
    return np.where(constant, 0.0, values - values.mean(axis=-1, keepdims=True))


#: Rows of the table of pairs that are held at a time.
BLOCK = 256


def _ratio(product: Floats, one: Floats, other: Floats) -> Floats:
    # sqrt of each, not of the product: the product of two small variances may underflow.
    scale = np.sqrt(one) * np.sqrt(other)
    out = np.full(np.broadcast_shapes(np.shape(product), np.shape(scale)), np.nan)
    ratio = np.divide(product, scale, out=out, where=scale > 0)
    clipped: Floats = np.clip(ratio, -1.0, 1.0)
    return clipped
