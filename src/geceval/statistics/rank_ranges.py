"""Rank ranges and clusters of systems, as WMT computed them.

WMT 2013 to 2016 computed both from replicated scores, WMT since 2017 from significance tests.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from geceval.base.ties import exceeds, order_of_best


@dataclass(frozen=True)
class Placing:
    """Mean, deviation, rank range and cluster (from 1) of a system over replicates."""

    system: str
    mean: float
    deviation: float
    best_rank: int
    worst_rank: int
    cluster: int


def ranks_best_first(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the rank of every score along the last axis, 1 for the highest.

    Equal scores share the better rank.
    """
    above: NDArray[np.int64] = exceeds(scores[..., None, :], scores[..., :, None]).sum(axis=-1)
    return 1 + above


def rank_ranges(replicates: NDArray[np.float64], *, level: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the (best, worst) rank of every system from scores [replicates, K].

    ceil((B - level · B) / 2) of a system's sorted ranks are dropped at either end.
    """
    count = len(replicates)
    ranks = np.sort(ranks_best_first(replicates), axis=0)
    # round() first: 1000 - 0.95 * 1000 must be exactly 50.
    dropped = math.ceil(round((count - level * count) / 2, 9))
    central = ranks[dropped : count - dropped] if count > 2 * dropped else ranks
    return central[0], central[-1]


def placings(
    systems: tuple[str, ...],
    replicates: NDArray[np.float64],
    *,
    scores: NDArray[np.float64] | None = None,
    level: float = 0.95,
) -> list[Placing]:
    """Return the systems, best first, with rank ranges and clusters.

    A new cluster begins after place k if the worst rank of all places up to k is better than the best rank of all
    places below.

    Args:
        systems: Names of the K systems.
        replicates: Scores [replicates, K].
        scores: The scores [K] to sort by; the means of the replicates by default.
        level: The share of replicates that a rank range covers.
    """
    means = replicates.mean(axis=0)
    deviations = replicates.std(axis=0, ddof=1) if len(replicates) > 1 else np.zeros(len(systems))
    best, worst = rank_ranges(replicates, level=level)
    order = np.array(order_of_best((means if scores is None else scores).tolist()), dtype=np.intp)
    worst_so_far = np.maximum.accumulate(worst[order])
    best_below = np.minimum.accumulate(best[order][::-1])[::-1]
    cluster = 1
    rows = []
    for place, k in enumerate(order):
        if place and worst_so_far[place - 1] < best_below[place]:
            cluster += 1
        rows.append(Placing(systems[k], float(means[k]), float(deviations[k]), int(best[k]), int(worst[k]), cluster))
    return rows


def ranges_by_tests(beats: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the (best, worst) rank [K] that tests allow.

    ``beats[i, j]`` is whether i is significantly better than j.
    """
    best: NDArray[np.int64] = 1 + beats.sum(axis=0)
    worst: NDArray[np.int64] = len(beats) - beats.sum(axis=1)
    return best, worst


def clusters_by_tests(scores: NDArray[np.float64], beats: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the cluster [K] of every system, from 1.

    The systems are sorted by score, highest first. A cluster ends after a place if every system up to it is
    significantly better than every system below. Source: Bojar et al. (WMT 2017).
    """
    order = np.array(order_of_best(scores.tolist()), dtype=np.intp)
    sorted_beats = beats[np.ix_(order, order)]
    lines = [place for place in range(1, len(order)) if sorted_beats[:place, place:].all()]
    clusters = np.empty(len(order), dtype=np.int64)
    clusters[order] = 1 + np.searchsorted(lines, np.arange(len(order)), side="right")
    return clusters
