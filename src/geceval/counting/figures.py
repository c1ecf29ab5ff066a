"""Figures: arithmetic on sums of counts, by which metrics score and references are compared.

For most metrics the figure is an F-score. An object ``F`` has its weights, conventions and rounding; the kernel
computes it, for arrays and for the policy ``running``. Other metrics compare references by numbers of their own.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Form, ScoreFormula, first_largest, rounded_all, running_choices
from geceval.counting.counts import Floats

#: Weights of a sum of counts [K].
SumWeights: TypeAlias = tuple[float, ...]


def weighted(counts: NDArray[Any], weights: SumWeights) -> Floats:
    """Return the sum [...] of counts [..., K] with weights [K], which are not all 0.

    The sum goes from the last column to the first, so that it is reproducible to the last bit: the sum of columns
    (hit, a, b) is hit + (a + b).
    """
    counts = np.asarray(counts)
    terms: list[Floats] = [weight * counts[..., k] for k, weight in enumerate(weights) if weight]
    return functools.reduce(np.add, reversed(terms))


def ratio(above: Floats, below: Floats, otherwise: float) -> Floats:
    """Return above / below, and ``otherwise`` where ``below`` is 0."""
    is_positive = below > 0
    return np.where(is_positive, above / np.where(is_positive, below, 1.0), otherwise)


def nan_without(share: Floats, total: NDArray[Any]) -> Floats:
    """Return shares of a total, NaN where the total is 0."""
    return np.where(np.asarray(total) == 0, np.nan, share)


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


@dataclass(frozen=True)
class F:
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
    hit: SumWeights
    proposed: SumWeights
    gold: SumWeights
    wrong: SumWeights
    missed: SumWeights
    ties: tuple[SumWeights, ...]
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
        ratios = self.formula.parts(totals)
        return ratios[..., 0], ratios[..., 1]

    @property
    def formula(self) -> ScoreFormula:
        """F of totals [..., K], 0 if precision and recall are 0."""
        return ScoreFormula.f(self._form)

    def ranking(self, counts: NDArray[Any]) -> Floats:
        """Return F and the sums that break ties, [..., T] of counts [..., K]."""
        return self._form.ranks(counts)

    @property
    def ratio(self) -> tuple[Floats, Floats]:
        """Weights [K] of the sums whose ratio is F, if precision and recall are defined."""
        hit, proposed, gold = (np.array(weights) for weights in (self.hit, self.proposed, self.gold))
        square = self.beta**2
        return (1 + square) * hit, proposed + square * gold

    def run(
        self, counts: NDArray[Any], present: NDArray[np.bool_], totals: NDArray[Any]
    ) -> tuple[NDArray[np.int64], Floats]:
        """Return the references [S] with the highest F so far; see ``Figure.run``."""
        return running_choices(counts, present, totals, self._form)


#: Function with the arguments and results of ``Figure.run``.
RunningChoice: TypeAlias = Callable[[NDArray[Any], NDArray[np.bool_], NDArray[Any]], tuple[NDArray[np.int64], Floats]]


@dataclass(frozen=True)
class Figure:
    """Comparison of references.

    Attributes:
        ranking: Numbers [..., T] of counts [..., K]: the first one decides, the others break ties.
        f: The score, if it is an F: ``running`` and ``optimum`` compare references by it.
        running: Choice of ``running`` without ``f``, with the arguments and results of ``run`` (None: by the ranking of
            the totals up to and including each sentence).
        is_score: Whether the best reference of a sentence is the one with the highest score.
    """

    ranking: Callable[[NDArray[Any]], Floats]
    f: F | None = None
    running: RunningChoice | None = None
    is_score: bool = False

    def best(self, counts: NDArray[Any], present: NDArray[np.bool_] | None) -> NDArray[np.intp]:
        """Return the references [S] of counts [S, R, K] with the largest ranking.

        Of equal ones the first.

        ``present``: whether each sentence has each reference [S, R]; None: all.
        """
        return first_largest(self.ranking(counts), present)

    def run(
        self, counts: NDArray[Any], present: NDArray[np.bool_], totals: NDArray[Any]
    ) -> tuple[NDArray[np.intp], NDArray[Any]]:
        """Return the references [S] of the highest totals so far, and the totals [K] after them.

        Of equal ones the first.

        Args:
            counts: Counts [S, R, K].
            present: Whether each sentence has each reference [S, R].
            totals: Sums [K] of the chosen counts of preceding sentences.
        """
        running = self.running if self.f is None else self.f.run
        if running is not None:
            choices, sums = running(counts, present, totals)
            return choices.astype(np.intp, copy=False), sums.astype(totals.dtype, copy=False)
        chosen = np.zeros(len(counts), np.intp)
        for s, is_present in enumerate(present):
            chosen[s] = self.best((totals + counts[s])[np.newaxis], is_present[np.newaxis])[0]
            totals = totals + counts[s, chosen[s]]
        return chosen, totals
