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
    defined = [at for at, score in enumerate(scores) if not math.isnan(score)]
    tops: dict[int, float] = {}  # the highest of the scores that equal each score
    top = math.inf
    for at in sorted(defined, key=lambda at: -scores[at]):
        top = scores[at] if exceeds(top, scores[at]) else top
        tops[at] = top
    return sorted(range(len(scores)), key=lambda at: (at not in tops, -tops.get(at, 0.0)))
