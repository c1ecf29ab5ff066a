"""Selection policies: which reference each sentence is scored against.

A policy sees counts and the metric's arithmetic, never text. It is named in every signature.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from geceval.metric import Counts, Metric


class Policy(ABC):
    """How references are chosen: ``choices(metric, counts)`` is [m, S], the reference of every sentence, m times."""

    name: ClassVar[str]
    #: Whether a sentence's choice depends on that sentence alone, so that a corpus can be summed up block by block.
    local: ClassVar[bool]
    #: Whether the order of the sentences is without effect.
    order_free: ClassVar[bool]

    @abstractmethod
    def choices(self, metric: Metric, counts: Counts) -> NDArray[np.intp]:
        """[m, S]: the reference of every sentence, m times; the corpus score is the mean over the m."""

    @property
    def settings(self) -> dict[str, Any]:
        """What goes into the signature."""
        return {"policy": self.name}

    def totals(self, metric: Metric, counts: Counts) -> NDArray[Any]:
        """The sums [m, K] of the chosen rows."""
        sums = [counts.chosen(choice).sum(axis=0) for choice in self.choices(metric, counts)]
        return np.stack(sums)

    def sentence_scores(self, metric: Metric, counts: Counts) -> NDArray[np.float64]:
        """[S]: every sentence on its own, with its best reference."""
        return metric.score(counts.chosen(best(metric, counts)))


def best(metric: Metric, counts: Counts) -> NDArray[np.intp]:
    """[S]: for every sentence the reference with the largest ``metric.ranking``, the first one among equals."""
    if counts.array.shape[1] == 1:
        return np.zeros(len(counts), dtype=np.intp)
    return first_largest(metric.ranking(counts.array), counts.mask)


def first_largest(ranks: NDArray[np.float64], mask: NDArray[np.bool_]) -> NDArray[np.intp]:
    """[S]: in each row the place r with the largest ``ranks[s, r]``, compared number by number, the first one among
    equals; places outside ``mask[s, r]`` do not count."""
    ranks = np.where(mask[..., np.newaxis], ranks, -np.inf)
    choice = np.zeros(len(ranks), dtype=np.intp)
    top = ranks[:, 0]
    for r in range(1, ranks.shape[1]):
        other = ranks[:, r]
        differs = np.argmax(other != top, axis=1)[:, np.newaxis]  # 0 if nothing differs, which is no gain either
        gain = np.take_along_axis(other, differs, 1) > np.take_along_axis(top, differs, 1)
        choice[gain[:, 0]] = r
        top = np.where(gain, other, top)
    return choice


@dataclass(frozen=True)
class Best(Policy):
    """Every sentence takes the reference with which it scores highest by itself (GREEN, GLEU -m)."""

    name: ClassVar[str] = "best"
    local: ClassVar[bool] = True
    order_free: ClassVar[bool] = True

    def choices(self, metric: Metric, counts: Counts) -> NDArray[np.intp]:
        return best(metric, counts)[np.newaxis]


@dataclass(frozen=True)
class Running(Policy):
    """Sentence after sentence, the reference that makes the score of all sentences so far highest (MaxMatch, ERRANT).

    What is compared is ``metric.running_key`` of the totals so far plus the sentence's counts; the first among equals
    wins. The choice depends on the order of the sentences, as in the public tools.
    """

    name: ClassVar[str] = "running"
    local: ClassVar[bool] = False
    order_free: ClassVar[bool] = False

    def choices(self, metric: Metric, counts: Counts) -> NDArray[np.intp]:
        totals = [0] * len(counts.columns)
        chosen = []
        for rows, mask in zip(counts.array.tolist(), counts.mask.tolist(), strict=True):
            candidates = [
                ([total + more for total, more in zip(totals, row, strict=True)], r)
                for r, row in enumerate(rows)
                if mask[r]
            ]
            if len(candidates) > 1:
                totals, r = max(candidates, key=lambda candidate: metric.running_key(candidate[0]))
            else:
                [(totals, r)] = candidates
            chosen.append(r)
        return np.array(chosen, dtype=np.intp)[np.newaxis]


@dataclass(frozen=True)
class Optimum(Policy):
    """The references that together give the highest corpus score, whatever the order of the sentences.

    For scores that are a ratio of two weighted sums of counts (``metric.ratio``): Dinkelbach's method (Management
    Science 13.7, 1967) alternates between the ratio and the best reference of each sentence under it, until neither
    changes; the result is the exact optimum. Among equals more above the line, then less below it, then the first
    reference (so that a sentence without any gain still takes the reference that costs least).
    """

    name: ClassVar[str] = "optimum"
    local: ClassVar[bool] = False
    order_free: ClassVar[bool] = True

    def choices(self, metric: Metric, counts: Counts) -> NDArray[np.intp]:
        above, below = metric.ratio
        gains, costs = counts.array @ np.asarray(above), counts.array @ np.asarray(below)
        rows = np.arange(len(counts))
        ratio = 0.0
        while True:
            choice = first_largest(np.stack([gains - ratio * costs, gains, -costs], axis=-1), counts.mask)
            gain, cost = gains[rows, choice].sum(), costs[rows, choice].sum()
            if cost == 0 or gain / cost <= ratio:
                return choice[np.newaxis]
            ratio = gain / cost
