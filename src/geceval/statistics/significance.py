"""p-values from replicates, and corrections for multiple tests.

Rank ranges and clusters of systems, as WMT computed them.

WMT 2013 to 2016 computed both from replicated scores, WMT since 2017 from significance tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from geceval.base.ties import TOLERANCE, exceeds, order_of_best
from geceval.statistics import Floats


def randomisation_p(differences: ArrayLike, observed: float, *, exact: bool = False) -> float:
    """Return the two-sided p of a paired randomisation test (Noreen 1989).

    p = (b + 1) / (R + 1), where b counts the replicates at least as far from 0 as ``observed``, which is one of the
    labellings itself (Phipson and Smyth 2010). Ties count against significance.

    Args:
        differences: differences [R] with swapped labels.
        observed: the observed difference.
        exact: whether the replicates are all labellings; then p = b / R.
    """
    beyond, replicates = int(count_extreme(differences, observed)), len(np.asarray(differences))
    return beyond / replicates if exact else sampled_p(beyond, replicates)


def count_extreme(differences: ArrayLike, observed: ArrayLike) -> NDArray[np.int64]:
    """Return the number [...] of differences [R, ...] at least as far from 0 as ``observed`` [...].

    A difference without a value (NaN) counts against significance, as ties do.
    """
    is_nearer = np.abs(np.asarray(differences, np.float64)) < np.abs(observed) - TOLERANCE
    return np.asarray((~is_nearer).sum(axis=0))


def sampled_p(beyond: int, replicates: int) -> float:
    """Return p from the number of extreme replicates among random ones."""
    return (beyond + 1) / (replicates + 1)


def centred_p(differences: ArrayLike, observed: float) -> float:
    """Return the two-sided p of no difference from a bootstrap [B] shifted to mean 0.

    p = (1 + #{|d* - mean d*| >= |d|}) / (B + 1) of the B samples whose difference has a value; 1 without one. Source:
    Efron and Tibshirani (1993), chapter 16.
    """
    drawn = np.asarray(differences, np.float64)
    defined = drawn[~np.isnan(drawn)]
    return randomisation_p(defined - defined.mean(), observed) if len(defined) else 1.0


def monte_carlo_error(p: float, replicates: int) -> float:
    """Return the standard error of a p-value from random replicates.

    Another seed changes the p-value by about this much.
    """
    return math.sqrt(max(p * (1 - p), 0.0) / replicates)


# --- many tests ---


def holm(p: ArrayLike) -> Floats:
    """Return p-values adjusted by Holm (1979) for the m tests; NaN is not a test and stays NaN.

    Bounds the probability of any false rejection by alpha, under any dependence.
    """

    def adjust(ascending: Floats) -> Floats:
        return np.asarray(np.maximum.accumulate(np.minimum(ascending * np.arange(len(ascending), 0, -1), 1.0)))

    return _adjust_tests(p, adjust)


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Return p-values adjusted by Benjamini and Hochberg (1995) for the m tests; NaN is not a test and stays NaN.

    Bounds the expected share of false rejections by alpha if the tests are independent or positively dependent.
    """

    def adjust(ascending: Floats) -> Floats:
        m = len(ascending)
        stepped = np.minimum(ascending * m / np.arange(1, m + 1), 1.0)
        return np.asarray(np.minimum.accumulate(stepped[::-1])[::-1])

    return _adjust_tests(p, adjust)


def _adjust_tests(p: ArrayLike, adjust: Callable[[Floats], Floats]) -> Floats:
    """Return p-values with those that are not NaN replaced by ``adjust`` of them in ascending order."""
    values = np.array(p, np.float64)
    tests = np.flatnonzero(~np.isnan(values))
    order = tests[np.argsort(values[tests], kind="stable")]
    values[order] = adjust(values[order])
    return values


Adjustment: TypeAlias = Literal["holm", "bh", "none"]
ADJUSTMENTS: Mapping[Adjustment, Callable[[ArrayLike], Floats]] = {
    "holm": holm,
    "bh": benjamini_hochberg,
    "none": lambda p: np.array(p, np.float64),
}


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
        systems: names of the K systems.
        replicates: scores [replicates, K].
        scores: the scores [K] to sort by; the means of the replicates by default.
        level: the share of replicates that a rank range covers.
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
