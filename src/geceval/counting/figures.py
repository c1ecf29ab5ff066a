"""Define the figures by which policies compare references.

For metrics whose score is an F-score, the figure is an object ``F``: the computation of F from hits, proposed and gold
counts, with conventions and rounding. The kernel implements it, for arrays and for the policy ``running``; a metric
defines its own in one expression. Other metrics have a ``RankingFigure``: their score, or several numbers.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Form, first_largest, rounded_all, running_choices
from geceval.base.errors import UsageError
from geceval.counting.counts import Floats

#: Weights of a sum of counts [K].
Weights: TypeAlias = tuple[float, ...]
Choices: TypeAlias = NDArray[np.intp]


def weighted(counts: NDArray[Any], weights: Weights) -> Floats:
    """Return the sum [...] of counts [..., K] with weights [K], which are not all 0.

    The sum goes from the last column to the first, so that it is reproducible to the last bit: the sum of columns
    (hit, a, b) is hit + (a + b).
    """
    counts = np.asarray(counts)
    terms: list[Floats] = [weight * counts[..., k] for k, weight in enumerate(weights) if weight]
    return functools.reduce(np.add, reversed(terms))


def ratio(above: Floats, below: Floats, otherwise: float) -> Floats:
    """Return above / below, and ``otherwise`` where ``below`` is 0."""
    some = below > 0
    return np.where(some, above / np.where(some, below, 1.0), otherwise)


def nan_without(part: Floats, whole: NDArray[Any]) -> Floats:
    """Return a share of a whole, NaN where the whole is 0."""
    return np.where(np.asarray(whole) == 0, np.nan, part)


def f_score(precision: Floats, recall: Floats, beta: float) -> Floats:
    """Return F [...] of precision and recall, 0 if both are 0.

    An infinite beta gives the recall.
    """
    if math.isinf(beta):
        return np.asarray(recall)
    square = beta**2
    return ratio((1 + square) * precision * recall, square * precision + recall, 0.0)


def rounded(values: Floats, digits: int) -> Floats:
    """Round as Python does; numpy's faster rounding differs in some cases."""
    return rounded_all(values.ravel(), digits).reshape(values.shape)


class Figure:
    """Figure by which references are compared."""

    #: Whether the best reference of a sentence is the one with the highest score.
    is_score: ClassVar[bool] = False
    #: For the policy ``best``, numbers [..., T] of counts [..., K]: the first one decides, the others break ties.
    ranking: Callable[[NDArray[Any]], Floats]

    def best(self, counts: NDArray[Any], present: NDArray[np.bool_] | None) -> Choices:
        """Return the references [S] of counts [S, R, K] with the largest ranking.

        Of equal ones the first.

        ``present``: whether each sentence has each reference [S, R]; None: all.
        """
        return first_largest(self.ranking(counts), present)

    def condensed(self, counts: NDArray[Any]) -> NDArray[Any]:
        """Return counts [..., K] with equal scores in fewer distinct columns.

        Sums of the returned counts score as sums of ``counts``. Resampling sums each distinct column once.
        """
        return counts

    def key(self, totals: Sequence[Any], own: Sequence[Any]) -> tuple[float, ...]:
        """Return the numbers by which ``running`` compares candidates.

        Args:
            totals: Sums of counts [K] up to and including the sentence.
            own: Counts [K] of the sentence.
        """
        return tuple(self.ranking(np.array(totals)).tolist())

    @property
    def ratio(self) -> tuple[Floats, Floats]:
        """Weights [K] of the sums whose ratio is the score, for ``optimum``."""
        raise UsageError("the metric is not a ratio of sums and does not support the selection optimum")

    def run(self, counts: NDArray[Any], present: NDArray[np.bool_], totals: NDArray[Any]) -> Choices:
        """Return the references [S] that ``running`` chooses; of equal ones the first.

        Args:
            counts: Counts [S, R, K].
            present: Whether each sentence has each reference [S, R].
            totals: Sums [K] so far, which are updated in place.
        """
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
    """Comparison by numbers [..., T] of counts [..., K], in lexicographic order."""

    ranking: Callable[[NDArray[Any]], Floats]


@dataclass(frozen=True)
class F(Figure):
    """F-score of sums of counts.

    Precision is ``hit`` / ``proposed``, or 1 if ``wrong`` is 0; recall is ``hit`` / ``gold``, or 1 if ``missed`` is 0.

    Attributes:
        beta: Weight of recall, from 0.
        hit: Weights [K] of correct counts.
        proposed: Weights [K] of all counts of the system.
        gold: Weights [K] of all counts of the reference.
        wrong: Weights [K] of wrong counts.
        missed: Weights [K] of missed counts.
        ties: Weights of the sums that break ties between references.
        ties_of: Whether ties are broken by totals or by counts of the sentence.
        of: Whether references are compared by F of the ratios, or of the sums (1 if no count is proposed or gold).
        digits: Number of digits to which F is rounded to compare references, as Python rounds (None: not rounded).
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

    @cached_property
    def _form(self) -> Form:
        weights = (self.hit, self.proposed, self.gold, self.wrong, self.missed)
        return Form(weights, self.beta**2, self.of, self.digits, self.ties, self.ties_of)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_form"}

    def precision_recall(self, totals: NDArray[Any]) -> tuple[Floats, Floats]:
        """Return precision and recall [...] of totals [..., K]."""
        found = self._form.precision_recall(totals)
        return found[..., 0], found[..., 1]

    def score(self, totals: NDArray[Any]) -> Floats:
        """Return F [...] of totals [..., K], 0 if precision and recall are 0."""
        return self._form.scores(totals)

    def ranking(self, counts: NDArray[Any]) -> Floats:
        """Return F and the sums that break ties, [..., T] of counts [..., K]."""
        return self._form.ranks(counts)

    @property
    def ratio(self) -> tuple[Floats, Floats]:
        hit, proposed, gold = (np.array(weights) for weights in (self.hit, self.proposed, self.gold))
        square = self.beta**2
        return (1 + square) * hit, proposed + square * gold

    def run(self, counts: NDArray[Any], present: NDArray[np.bool_], totals: NDArray[Any]) -> Choices:
        choices, totals[:] = running_choices(counts, present, totals, self._form)
        return choices.astype(np.intp, copy=False)
