"""The sentences that matter of a corpus too large to be shown whole: the worst, the best, those on which systems differ
most, and some drawn at random, which say what is usual."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from geceval.studies.explaining.sentence_selection import Order, Own, Wanted, in_order


@dataclass(frozen=True)
class Outstanding:
    """The ``numbers`` of the sentences from 1 on, ascending; how many were taken in each order, nothing if all were."""

    numbers: Sequence[int]
    taken: dict[Order, int]


def outstanding(own: Own, number: int, seed: int = 0) -> Outstanding:
    """``number`` of the sentences, from what is known of them under one metric: equal shares of the worst, the best,
    those on which the systems differ most, and random ones; what stands among several shares makes room for more."""
    systems, total = own.scores.shape
    if total <= number:
        return Outstanding(range(1, total + 1), {})
    orders: list[Order] = ["worst", "best", *(["difference"] if systems > 1 else []), "random"]  # type: ignore[list-item]
    left, taken = np.ones(total, dtype=bool), dict[Order, int]()
    for at, order in enumerate(orders):
        share = (number - sum(taken.values())) // (len(orders) - at)
        chosen = in_order(np.flatnonzero(left), Wanted(share, order, seed=seed), [own])
        left[chosen] = False
        taken[order] = len(chosen)
    return Outstanding((np.flatnonzero(~left) + 1).tolist(), taken)
