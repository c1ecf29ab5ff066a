"""p-values from replicates, and corrections for multiple tests."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from geceval.base.ties import TOLERANCE
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
    beyond, replicates = count_extreme(differences, observed), len(np.asarray(differences))
    return beyond / replicates if exact else sampled_p(beyond, replicates)


def count_extreme(differences: ArrayLike, observed: float) -> int:
    """Return the number of differences [R] at least as far from 0 as ``observed``."""
    return int((np.abs(np.asarray(differences, np.float64)) >= abs(observed) - TOLERANCE).sum())


def sampled_p(beyond: int, replicates: int) -> float:
    """Return p from the number of extreme replicates among random ones."""
    return (beyond + 1) / (replicates + 1)


def centred_p(differences: ArrayLike, observed: float) -> float:
    """Return the two-sided p of no difference from a bootstrap [B] shifted to mean 0.

    p = (1 + #{|d* - mean d*| >= |d|}) / (B + 1). Source: Efron and Tibshirani (1993), chapter 16.
    """
    drawn = np.asarray(differences, np.float64)
    return randomisation_p(drawn - drawn.mean(), observed)


def monte_carlo_error(p: float, replicates: int) -> float:
    """Return the standard error of a p-value from random replicates.

    Another seed changes the p-value by about this much.
    """
    return math.sqrt(max(p * (1 - p), 0.0) / replicates)


# --- many tests ---


def holm(p: ArrayLike) -> Floats:
    """Return p-values [m] adjusted by Holm (1979).

    Bounds the probability of any false rejection by alpha, under any dependence.
    """
    values, order = np.asarray(p, np.float64), np.argsort(p, kind="stable")
    m = len(values)
    adjusted = np.maximum.accumulate(np.minimum(values[order] * np.arange(m, 0, -1), 1.0))
    return adjusted[np.argsort(order)]


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Return p-values [m] adjusted by Benjamini and Hochberg (1995).

    Bounds the expected share of false rejections by alpha if the tests are independent or positively dependent.
    """
    values, order = np.asarray(p, np.float64), np.argsort(p, kind="stable")
    m = len(values)
    stepped = np.minimum(values[order] * m / np.arange(1, m + 1), 1.0)
    return np.minimum.accumulate(stepped[::-1])[::-1][np.argsort(order)]


Adjustment: TypeAlias = Literal["holm", "bh", "none"]
ADJUSTMENTS: Mapping[Adjustment, Callable[[ArrayLike], Floats]] = {
    "holm": holm,
    "bh": benjamini_hochberg,
    "none": lambda p: np.array(p, np.float64),
}
