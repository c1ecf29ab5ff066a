"""p-values from replicates."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from geceval.base.ties import TOLERANCE


def randomisation_p(differences: ArrayLike, observed: float, *, exact: bool = False) -> float:
    """Return the two-sided p of a paired randomisation test (Noreen 1989).

    p = (b + 1) / (R + 1), where b counts the replicates at least as far from 0 as ``observed``, which is one of the
    labellings itself (Phipson and Smyth 2010). Ties count against significance.

    Args:
        differences: Differences [R] with swapped labels.
        observed: The observed difference.
        exact: Whether the replicates are all labellings; then p = b / R.
    """
    beyond, replicates = int(count_extreme(differences, observed)), len(np.asarray(differences))
    return beyond / replicates if exact else sampled_p(beyond, replicates)


def fewest_differences(alpha: float) -> int:
    """Return the smallest number of units that differ with which a randomisation test can have p below alpha.

    Of the 2^n labellings of n units, two are at least as extreme as the observed one.
    """
    return math.floor(1 - math.log2(alpha)) + 1


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
