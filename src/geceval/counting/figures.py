"""What a policy needs to know of a metric: by which figure references are compared.

For F-like metrics that is one small object, ``F``: how F is made of what hits, what is proposed and what is gold, with
which conventions and which rounding. It is written here once, for arrays and for the policy ``running``; a metric
states its own in one expression. Other metrics have a ``RankingFigure``: their score, or several figures.
"""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import rounded_all, running_choices
from geceval.base.errors import UsageError
from geceval.counting.counts import Floats

#: A sum of counts [K], by its weights.
Weights: TypeAlias = tuple[float, ...]
Choices: TypeAlias = NDArray[np.intp]


def weighted(counts: NDArray[Any], weights: Weights) -> Floats:
    """The sum [...] of counts [..., K] with weights [K], not all 0, from the last column to the first: always in the
    same order, so that it is the same to the last bit. Of columns (hit, a, b) hit + (a + b)."""
    counts = np.asarray(counts)
    terms: list[Floats] = [weight * counts[..., k] for k, weight in enumerate(weights) if weight]
    return functools.reduce(np.add, reversed(terms))


def ratio(above: Floats, below: Floats, otherwise: float) -> Floats:
    """above / below, and ``otherwise`` where nothing is below."""
    some = below > 0
    return np.where(some, above / np.where(some, below, 1.0), otherwise)


def f_score(precision: Floats, recall: Floats, beta: float) -> Floats:
    """Return F [...] of precision and recall, 0 where both are 0; an infinite beta gives the recall."""
    if math.isinf(beta):
        return np.asarray(recall)
    square = beta**2
    return ratio((1 + square) * precision * recall, square * precision + recall, 0.0)


def rounded(values: Floats, digits: int) -> Floats:
    """Rounded as Python rounds, which numpy's faster rounding is not always."""
    return rounded_all(values.ravel(), digits).reshape(values.shape)


class Figure(ABC):
    """What references are compared by."""

    #: For the policy ``best``, [..., T] of counts [..., K]: the first number decides, the following break ties.
    ranking: Callable[[NDArray[Any]], Floats]

    @abstractmethod
    def key(self, totals: Sequence[Any], own: Sequence[Any]) -> tuple[float, ...]:
        """For ``running``: what candidates are compared by, of the totals [K] with the sentence and of its ``own``."""

    @property
    def ratio(self) -> tuple[Floats, Floats]:
        """For ``optimum``: weights [K] of the counts above and below the line, score = above / below."""
        raise UsageError("this metric is not a ratio of sums and does not know the selection optimum")

    def run(self, counts: NDArray[Any], present: NDArray[np.bool_], totals: NDArray[Any]) -> Choices:
        """The references [S] that ``running`` takes, sentence after sentence; ``totals`` [K] is what they are added to,
        in place. The first among equals wins."""
        so_far, choices = totals.tolist(), []
        for rows, there in zip(counts.tolist(), present.tolist(), strict=True):
            candidates = [
                ([total + more for total, more in zip(so_far, row, strict=True)], row, r)
                for r, row in enumerate(rows)
                if there[r]
            ]
            so_far, _, r = max(candidates, key=lambda it: self.key(it[0], it[1])) if len(rows) > 1 else candidates[0]
            choices.append(r)
        totals[:] = so_far
        return np.array(choices, dtype=np.intp)


@dataclass(frozen=True)
class RankingFigure(Figure):
    """References are compared by several figures of a metric, [..., T] of counts [..., K], one after the other."""

    ranking: Callable[[NDArray[Any]], Floats]

    def key(self, totals: Sequence[Any], own: Sequence[Any]) -> tuple[float, ...]:
        return tuple(self.ranking(np.array(totals)).tolist())


@dataclass(frozen=True)
class F(Figure):
    """F of hits among what is proposed and what is gold, recall weighted by ``beta``.

    Precision is ``hit`` / ``proposed``, 1 where nothing is ``wrong``; recall ``hit`` / ``gold``, 1 where nothing is
    ``missed``: sums of the counts, by their weights [K]. References are compared by F ``of`` these ratios, or of the
    sums (1 where nothing is proposed nor gold), rounded to ``digits`` as Python rounds; then by ``ties``, sums of the
    totals or, where ``ties_of`` says so, of the sentence's own counts.
    """

    beta: float
    hit: Weights
    proposed: Weights
    gold: Weights
    wrong: Weights
    missed: Weights
    ties: tuple[Weights, ...]
    ties_of: Literal["totals", "sentence"] = "totals"
    of: Literal["ratios", "sums"] = "ratios"
    digits: int | None = None

    @property
    def square(self) -> float:
        """Beta squared."""
        return self.beta**2

    def precision_recall(self, totals: NDArray[Any]) -> tuple[Floats, Floats]:
        """Precision and recall [...] of totals [..., K]."""
        hit = weighted(totals, self.hit)
        precision, recall = (ratio(hit, weighted(totals, whole), 0.0) for whole in (self.proposed, self.gold))
        precision = np.where(weighted(totals, self.wrong) == 0, 1.0, precision)
        return precision, np.where(weighted(totals, self.missed) == 0, 1.0, recall)

    def score(self, totals: NDArray[Any]) -> Floats:
        """F [...] of totals [..., K], 0 where precision and recall are."""
        return f_score(*self.precision_recall(totals), self.beta)

    def _compared(self, totals: NDArray[Any]) -> Floats:
        value = self.score(totals) if self.of == "ratios" else self._of_sums(totals)
        return value if self.digits is None else rounded(value, self.digits)

    def _of_sums(self, totals: NDArray[Any]) -> Floats:
        hit, below = weighted(totals, self.hit), self.square * weighted(totals, self.gold)
        below = below + weighted(totals, self.proposed)
        return np.where(below > 0, ratio((1 + self.square) * hit, below, 0.0), np.where(hit == 0, 1.0, 0.0))

    def ranking(self, counts: NDArray[Any]) -> Floats:
        return np.stack([self._compared(counts), *(weighted(counts, tie) for tie in self.ties)], axis=-1)

    def key(self, totals: Sequence[Any], own: Sequence[Any]) -> tuple[float, ...]:
        of = np.array(own if self.ties_of == "sentence" else totals)
        return (float(self._compared(np.array(totals))), *(float(weighted(of, tie)) for tie in self.ties))

    @property
    def ratio(self) -> tuple[Floats, Floats]:
        hit, proposed, gold = (np.array(weights) for weights in (self.hit, self.proposed, self.gold))
        return (1 + self.square) * hit, proposed + self.square * gold

    def run(self, counts: NDArray[Any], present: NDArray[np.bool_], totals: NDArray[Any]) -> Choices:
        choices, totals[:] = running_choices(counts.astype(totals.dtype, copy=False), present, totals, self)
        return choices.astype(np.intp, copy=False)
