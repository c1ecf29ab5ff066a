"""Agreement of two score vectors over systems: Pearson, Spearman, Kendall.

All three take arrays [..., n] and correlate along the last axis, so a thousand replicates are one call. Fewer
than two systems, a constant vector or a NaN give NaN, never an error. The rank statistics compare all
pairs: O(n²) time and memory a vector, meant for the tens of systems of a meta-evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Scores = NDArray[np.float64]


def pearson(x: ArrayLike, y: ArrayLike) -> Scores:
    """Pearson's r along the last axis, shape [...]."""
    a, b = _centred(x), _centred(y)
    return _ratio((a * b).sum(axis=-1), (a * a).sum(axis=-1), (b * b).sum(axis=-1))


def spearman(x: ArrayLike, y: ArrayLike) -> Scores:
    """Spearman's rho along the last axis: Pearson's r of the ranks, ties taking their average rank."""
    return pearson(average_ranks(x), average_ranks(y))


def kendall(x: ArrayLike, y: ArrayLike) -> Scores:
    """Kendall's tau-b along the last axis (1945): concordant minus discordant pairs, ties corrected."""
    a, b = _signs(x), _signs(y)
    axes = (-2, -1)
    return _ratio((a * b).sum(axis=axes), (a * a).sum(axis=axes), (b * b).sum(axis=axes))


CORRELATIONS: Mapping[str, Callable[[ArrayLike, ArrayLike], Scores]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


def average_ranks(x: ArrayLike) -> Scores:
    """Rank along the last axis, 1 for the smallest; equal values take their average; NaN where any is."""
    values = np.asarray(x, np.float64)
    ranks: Scores = (values.shape[-1] + 1 + _signs(values).sum(axis=-1)) / 2
    return ranks


@dataclass(frozen=True)
class Agreement:
    """Correlations of a metric with people over ``n`` systems."""

    n: int
    pearson: float
    spearman: float
    kendall: float

    @classmethod
    def of(cls, metric: ArrayLike, human: ArrayLike) -> Agreement:
        """Correlate two vectors [n]."""
        return cls(
            np.asarray(human).shape[-1],
            *(float(measure(metric, human)) for measure in CORRELATIONS.values()),
        )


def leave_one_out(metric: ArrayLike, human: ArrayLike) -> list[Agreement]:
    """The agreement without each system in turn: an outlier that drives Pearson's r shows here."""
    x, y = np.asarray(metric), np.asarray(human)
    return [Agreement.of(np.delete(x, k), np.delete(y, k)) for k in range(x.shape[-1])]


def _centred(x: ArrayLike) -> Scores:
    values = np.asarray(x, np.float64)
    if values.shape[-1] == 0:
        return values
    # Exactly 0 for a constant vector, whatever rounding does to its mean.
    constant = (values == values[..., :1]).all(axis=-1, keepdims=True)
    return np.where(constant, 0.0, values - values.mean(axis=-1, keepdims=True))


def _signs(x: ArrayLike) -> Scores:
    values = np.asarray(x, np.float64)
    return np.sign(values[..., :, None] - values[..., None, :])


def _ratio(product: Scores, one: Scores, other: Scores) -> Scores:
    # sqrt of each, not of the product: the product of two small variances may underflow.
    scale = np.sqrt(one) * np.sqrt(other)
    out = np.full(np.broadcast_shapes(np.shape(product), np.shape(scale)), np.nan)
    ratio = np.divide(product, scale, out=out, where=scale > 0)
    clipped: Scores = np.clip(ratio, -1.0, 1.0)
    return clipped
