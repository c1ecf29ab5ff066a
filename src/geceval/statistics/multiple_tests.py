"""Corrections of p-values for multiple tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from geceval.statistics import Floats


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
