"""Tolerance of comparisons of scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

#: Scores that differ by at most this are equal, since their difference is a rounding error: scores are about 1 at most.
TOLERANCE = 1e-9


def exceeds(first: Any, second: Any) -> Any:
    """Return whether a score is above another by more than a rounding error.

    Scores may be arrays; NaN is not above and not below a score.
    """
    return first > second + TOLERANCE


def order_of_best(scores: Sequence[float]) -> list[int]:
    """Return the indices of scores, the highest first and NaN last.

    Equal scores keep their order.
    """
    ranked, undefined = list[tuple[float, int]](), list[int]()
    for at, score in enumerate(scores):
        if math.isnan(score):
            undefined.append(at)
        else:
            ranked.append((-score, at))
    order, first = list[int](), 0
    ranked.sort()
    for rank, (negated, _) in enumerate(ranked):
        if exceeds(negated, ranked[first][0]):
            order += sorted(at for _, at in ranked[first:rank])
            first = rank
    return [*order, *sorted(at for _, at in ranked[first:]), *undefined]
