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
    sentences, references, _ = counts.array.shape
    choice = np.zeros(sentences, dtype=np.intp)
    if references == 1:
        return choice
    ranks = metric.ranking(counts.array)
    ranks[~counts.mask] = -np.inf
    top = ranks[:, 0]
    for r in range(1, references):
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
