"""Bootstrap intervals of scores and correlations.

For the agreement of a metric with human judgments, resampling *systems* shows how the metric would do on other systems.
These intervals are wide for a dozen systems. Resampling *sentences*, with the judgments and the metric's counts of the
same sentences, shows how it would do on another test set.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

# Imported now: a process that is forked while a thread imports it would wait forever.
from numpy.typing import ArrayLike, NDArray

from geceval.statistics.correlation import CORRELATIONS

#: Number of replicates that are correlated at once; the pairs of systems of each need memory.
_PART = 10_000


#: Fewest sentences, or blocks of them, whose scores have an interval.
FEWEST = 10
#: Number of draws of sentences in memory at once.
_WEIGHTS = 10_000_000


@dataclass(frozen=True)
class Interval:
    """Percentile bounds; ``undefined`` counts the replicates that are NaN.

    NaN replicates are left out.
    """

    low: float
    high: float
    undefined: int


def percentile_interval(replicates: NDArray[np.float64], *, level: float = 0.95, units: int = FEWEST) -> Interval:
    """Return the percentile interval of replicates [B]; NaN for fewer than FEWEST units.

    The bounds are the sorted values number floor(B a / 2) + 1 and B - floor(B a / 2) of the B defined replicates, where
    a = 1 - level. ``units`` is the number of sentences or blocks that were drawn.
    """
    defined = replicates[~np.isnan(replicates)]
    count = len(defined)
    if count == 0 or units < FEWEST:
        return Interval(math.nan, math.nan, len(replicates))
    cut = math.floor(round(count * (1 - level) / 2, 9))
    bounds = cut, count - 1 - cut
    low, high = np.partition(defined, bounds)[list(bounds)].tolist()
    return Interval(low, high, len(replicates) - count)


def deviation_of(replicates: NDArray[np.float64]) -> float:
    """Return the standard deviation of the replicates [B] that have a value; NaN for fewer than two."""
    defined = replicates[~np.isnan(replicates)]
    return float(defined.std(ddof=1)) if len(defined) > 1 else math.nan


def system_intervals(
    metric: ArrayLike, human: ArrayLike, *, replicates: int = 1000, seed: int = 1
) -> dict[str, Interval]:
    """Return intervals of the correlations of ``metric`` [n] with ``human`` [n].

    Systems are drawn with replacement.
    """
    x, y = np.asarray(metric, np.float64), np.asarray(human, np.float64)
    drawn = np.random.RandomState(seed).randint(len(x), size=(replicates, len(x)))
    return correlation_intervals(x[drawn], y[drawn])


def correlation_intervals(
    metric: NDArray[np.float64], human: NDArray[np.float64], *, level: float = 0.95
) -> dict[str, Interval]:
    """Return the interval of every correlation from scores [replicates, n]."""
    parts = [slice(start, start + _PART) for start in range(0, max(len(metric), 1), _PART)]
    return {
        name: percentile_interval(np.concatenate([measure(metric[part], human[part]) for part in parts]), level=level)
        for name, measure in CORRELATIONS.items()
    }


def draw_sentence_weights(
    sentences: int, *, replicates: int, seed: int, size: int = 1000
) -> Iterator[NDArray[np.int64]]:
    """Yield the number of draws of each sentence, [size, sentences] at a time.

    The judgments and all metrics of a run share the weights, so no result depends on which others are computed.
    """
    rng = np.random.RandomState(seed)
    for start in range(0, replicates, size):
        drawn = (rng.randint(sentences, size=sentences) for _ in range(min(size, replicates - start)))
        yield np.stack([np.bincount(lines, minlength=sentences) for lines in drawn])


def sentence_intervals(
    figures: Callable[[NDArray[np.int64]], Sequence[float]], sentences: int, *, replicates: int, seed: int
) -> list[Interval]:
    """Return the bootstrap interval of each figure; NaN for fewer than FEWEST sentences.

    Args:
        figures: A function of the number of draws of each sentence.
        sentences: Number of sentences, which are drawn with replacement.
        replicates: Number of replicates.
        seed: Seed of the replicates.
    """
    size = max(1, _WEIGHTS // sentences)
    parts = draw_sentence_weights(sentences, replicates=replicates, seed=seed, size=size)
    values = np.array([figures(weights) for part in parts for weights in part])
    return [percentile_interval(column, units=sentences) for column in values.T]
