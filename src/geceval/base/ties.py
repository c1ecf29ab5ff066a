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
    defined = [index for index, score in enumerate(scores) if not math.isnan(score)]
    highest_equal: dict[int, float] = {}  # the highest of the scores that equal each score
    highest = math.inf
    for index in sorted(defined, key=lambda index: -scores[index]):
        highest = scores[index] if exceeds(highest, scores[index]) else highest
        highest_equal[index] = highest
    return sorted(range(len(scores)), key=lambda index: (index not in highest_equal, -highest_equal.get(index, 0.0)))
