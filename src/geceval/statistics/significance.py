"""Is a difference more than chance? p-values from replicates, and what many tests ask of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from geceval.statistics import Floats

#: Scores are at most 1 or so; differences closer than this are rounding.
ROUNDING = 1e-12


def randomisation_p(differences: ArrayLike, observed: float, *, exact: bool = False) -> float:
    """Two-sided p of a paired randomisation test (Noreen 1989) from ``differences`` [R] with labels swapped.

    p = (b + 1) / (R + 1) with b the replicates at least as far from 0 as ``observed``, which is one of the labellings
    (Phipson and Smyth 2010); ties count against significance. ``exact``: the replicates are all labellings, so that
    p = b / R.
    """
    swapped = np.abs(np.asarray(differences, np.float64))
    beyond = int((swapped >= abs(observed) - ROUNDING).sum())
    return beyond / len(swapped) if exact else (beyond + 1) / (len(swapped) + 1)


def centred_p(differences: ArrayLike, observed: float) -> float:
    """Two-sided p of no difference from bootstrap ``differences`` [B], moved to mean 0 (Efron and Tibshirani 1993, ch.
    16): p = (1 + #{|d* - mean d*| >= |d|}) / (B + 1)."""
    drawn = np.asarray(differences, np.float64)
    return randomisation_p(drawn - drawn.mean(), observed)


def monte_carlo_error(p: float, replicates: int) -> float:
    """The standard error of a p from so many random replicates: another seed moves it by about as much."""
    return math.sqrt(max(p * (1 - p), 0.0) / replicates)


# --- many tests ---


def holm(p: ArrayLike) -> Floats:
    """Adjusted p [m] by Holm (1979): the chance of any false rejection is at most alpha, whatever the dependence."""
    values, order = np.asarray(p, np.float64), np.argsort(p, kind="stable")
    m = len(values)
    adjusted = np.maximum.accumulate(np.minimum(values[order] * np.arange(m, 0, -1), 1.0))
    return adjusted[np.argsort(order)]


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Adjusted p [m] by Benjamini and Hochberg (1995): of all that is rejected a share of alpha is false at most, on
    average, where tests are independent or positively dependent."""
    values, order = np.asarray(p, np.float64), np.argsort(p, kind="stable")
    m = len(values)
    stepped = np.minimum(values[order] * m / np.arange(1, m + 1), 1.0)
    return np.minimum.accumulate(stepped[::-1])[::-1][np.argsort(order)]


def benjamini_yekutieli(p: ArrayLike) -> Floats:
    """As benjamini_hochberg, under any dependence (Benjamini and Yekutieli 2001)."""
    values = np.asarray(p, np.float64)
    harmonic = float((1 / np.arange(1, len(values) + 1)).sum())
    return np.minimum(benjamini_hochberg(np.minimum(values * harmonic, harmonic)), 1.0)


Adjustment: TypeAlias = Literal["holm", "bh", "by", "none"]
ADJUSTMENTS: Mapping[Adjustment, Callable[[ArrayLike], Floats]] = {
    "holm": holm,
    "bh": benjamini_hochberg,
    "by": benjamini_yekutieli,
    "none": lambda p: np.array(p, np.float64),
}
