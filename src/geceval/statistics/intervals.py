"""How far a number would move with other systems or other test sentences: bootstrap intervals.

Of a metric's agreement with people, resampling *systems* asks how the metric would fare on other systems (wide with a
dozen of them); resampling *sentences*, people's judgments and the metric's counts of the same sentences together, how
it would fare on another test set.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from geceval.statistics.correlation import CORRELATIONS

#: Replicates that are correlated at a time; all at once need memory for pairs of systems.
_PART = 10_000


@dataclass(frozen=True)
class Interval:
    """Percentile bounds; ``undefined`` replicates had no correlation (constant scores) and are left out."""

    low: float
    high: float
    undefined: int


def percentile_interval(replicates: NDArray[np.float64], *, level: float = 0.95) -> Interval:
    """Values number floor(B a / 2) + 1 and B - floor(B a / 2) of the B defined replicates, a = 1 - level."""
    defined = np.sort(replicates[~np.isnan(replicates)])
    count = len(defined)
    if count == 0:
        return Interval(math.nan, math.nan, len(replicates))
    cut = math.floor(round(count * (1 - level) / 2, 9))
    return Interval(float(defined[cut]), float(defined[count - 1 - cut]), len(replicates) - count)


def bca_interval(
    replicates: NDArray[np.float64], observed: float, left_out: NDArray[np.float64], *, level: float = 0.95
) -> Interval:
    """Bias-corrected and accelerated bounds (Efron 1987) from replicates [B] of ``observed``, and its values
    ``left_out`` [n] without each unit in turn.

    The bias is taken from the share of replicates below the observed value, half of those equal to it included.
    Where all replicates are equal, or all on one side, there is nothing to correct by: the percentile interval.
    """
    defined = np.sort(replicates[~np.isnan(replicates)])
    count, normal = len(defined), NormalDist()
    below = (float((defined < observed).sum()) + float((defined <= observed).sum())) / (2 * max(count, 1))
    if not 0 < below < 1:
        return percentile_interval(replicates, level=level)
    bias, pull = normal.inv_cdf(below), acceleration(left_out)

    def share(tail: float) -> float:
        z = bias + normal.inv_cdf(tail)
        return normal.cdf(bias + z / (1 - pull * z)) if pull * z < 1 else float(z > 0)

    low = math.floor(round(count * share((1 - level) / 2), 9))
    high = count - 1 - math.floor(round(count * (1 - share((1 + level) / 2)), 9))
    low, high = min(low, count - 1), max(high, 0)
    return Interval(float(defined[low]), float(defined[high]), len(replicates) - count)


def acceleration(left_out: NDArray[np.float64]) -> float:
    """How much the standard deviation of a number changes with its value, from the jackknife [n] (Efron 1987)."""
    gaps = left_out.mean() - left_out
    squares = float((gaps**2).sum())
    return float((gaps**3).sum()) / (6 * squares**1.5) if squares > 0 else 0.0


def over_systems(
    metric: ArrayLike, human: ArrayLike, *, replicates: int = 1000, seed: int = 1, level: float = 0.95
) -> dict[str, Interval]:
    """Intervals of the correlations of ``metric`` [n] with ``human`` [n], systems drawn with replacement."""
    x, y = np.asarray(metric, np.float64), np.asarray(human, np.float64)
    drawn = np.random.RandomState(seed).randint(len(x), size=(replicates, len(x)))
    return intervals_of(x[drawn], y[drawn], level=level)


def intervals_of(
    metric: NDArray[np.float64], human: NDArray[np.float64], *, level: float = 0.95
) -> dict[str, Interval]:
    """Intervals of every correlation from replicated scores, both [replicates, n]."""
    parts = [slice(start, start + _PART) for start in range(0, max(len(metric), 1), _PART)]
    return {
        name: percentile_interval(np.concatenate([measure(metric[part], human[part]) for part in parts]), level=level)
        for name, measure in CORRELATIONS.items()
    }


def draw_sentence_weights(
    sentences: int, *, replicates: int, seed: int, size: int = 1000
) -> Iterator[NDArray[np.int64]]:
    """Yield how often each sentence is drawn in ``size`` replicates at a time: [size, sentences].

    One draw serves the judgments and every metric of a run: no result depends on what else was asked for.
    """
    rng = np.random.RandomState(seed)
    for start in range(0, replicates, size):
        drawn = (rng.randint(sentences, size=sentences) for _ in range(min(size, replicates - start)))
        yield np.stack([np.bincount(lines, minlength=sentences) for lines in drawn])
