"""Window analysis (Kobayashi et al. 2024): does a metric tell apart systems that people find close?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from geceval.base.errors import UsageError
from geceval.statistics.correlation import Correlations


@dataclass(frozen=True)
class Window:
    """Correlations over systems of neighbouring human ranks ``first``..``last`` (from 1, the best).

    ``span`` is the distance of their human scores; where it is tiny, a correlation of -1 or 1 means little.
    """

    first: int
    last: int
    systems: tuple[str, ...]
    span: float
    agreement: Correlations


def windows(systems: Sequence[str], metric: ArrayLike, human: ArrayLike, *, size: int = 4) -> list[Window]:
    """Every window of ``size`` systems, best first by human score (equal scores in the order given).

    ``metric`` and ``human`` are [n]. Raises `UsageError` unless 2 <= size <= n.
    """
    x, y = np.asarray(metric, np.float64), np.asarray(human, np.float64)
    if not 2 <= size <= len(systems):
        raise UsageError(f"a window holds 2 to {len(systems)} systems here, not {size}")
    order = np.argsort(-y, kind="stable")
    return [
        Window(
            start + 1,
            start + size,
            tuple(systems[k] for k in chosen),
            float(y[chosen].max() - y[chosen].min()),
            Correlations.of(x[chosen], y[chosen]),
        )
        for start in range(len(systems) - size + 1)
        for chosen in (order[start : start + size],)
    ]
