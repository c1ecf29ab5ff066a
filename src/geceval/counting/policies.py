"""Selection policies, which choose the reference of each sentence, and the figures that they compare.

A policy reads counts and the figure by which references are compared, never text. Every signature names it. It is a
fold over the stream of counts: ``start``, then ``add`` the counts of each part; ``totals`` are available at any time.

For metrics whose score is an F-score, the figure is an object ``F``: the computation of F from hits, proposed and gold
counts, with conventions and rounding. The kernel implements it, for arrays and for the policy ``running``; a metric
defines its own in one expression. Other metrics have a ``RankingFigure``: their score, or several numbers.
"""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Form, ScoreFormula, first_largest, rounded_all, running_choices, sums_of_choices
from geceval.base.errors import UsageError
from geceval.counting.counts import Counts, Floats
from geceval.statistics.reference_draws import DRAWS, ReferenceDraws
from geceval.statistics.sums import RowSum, row_sum

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

    def reduced_columns(self, counts: NDArray[Any]) -> NDArray[Any]:
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
        running_totals, choices = totals.tolist(), []
        for rows, is_present in zip(counts.tolist(), present.tolist(), strict=True):
            candidates = [
                ([total + count for total, count in zip(running_totals, row, strict=True)], row, r)
                for r, row in enumerate(rows)
                if is_present[r]
            ]
            best_candidate = candidates[0]
            if len(rows) > 1:
                best_candidate = max(candidates, key=lambda candidate: self.key(candidate[0], candidate[1]))
            running_totals, _, r = best_candidate
            choices.append(r)
        totals[:] = running_totals
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
        hit, proposed, gold = (np.array(weights) for weights in (self.hit, self.proposed, self.gold))
        square = self.beta**2
        return (1 + square) * hit, proposed + square * gold

    def run(self, counts: NDArray[Any], present: NDArray[np.bool_], totals: NDArray[Any]) -> Choices:
        choices, totals[:] = running_choices(counts, present, totals, self._form)
        return choices.astype(np.intp, copy=False)


class Fold(ABC):
    """Accumulator of the chosen counts of a corpus, part by part."""

    @abstractmethod
    def add(self, counts: Counts) -> Choices | None:
        """Add the next part; return the chosen references [S] if they are known at once."""

    @abstractmethod
    def totals(self) -> NDArray[Any]:
        """Return the sums [m, K] of the counts so far, for each of the m choices."""

    def merge(self, other: Any) -> None:
        """Add another fold, as the following part.

        Raises UsageError if a choice depends on the preceding sentences.
        """
        raise UsageError(
            "the choice of references depends on the order of the sentences: separate parts cannot be merged",
            hint="use selection=optimum, or selection=mean for GLEU",
        )


class Policy(ABC):
    """Choice of references; the score is the mean over the policy's m choices."""

    name: ClassVar[str]
    #: Whether the choice is independent of the order of the sentences.
    order_free: ClassVar[bool]

    @abstractmethod
    def start(self, figure: Figure) -> Fold:
        """Return an empty fold that compares references by ``figure``."""

    @abstractmethod
    def choices(self, figure: Figure, counts: Counts) -> NDArray[np.intp]:
        """Return m choices [m, S] of references for a whole corpus."""

    @property
    def settings(self) -> dict[str, Any]:
        """Entries of the signature."""
        return {"policy": self.name}

    #: Whether sentence scores are means over references, instead of scores with the best reference.
    averages: ClassVar[bool] = False


def best(figure: Figure, counts: Counts) -> Choices:
    """Return the references [S] with the largest ranking; of equal ones the first."""
    if counts.array.shape[1] == 1:
        return np.zeros(len(counts), dtype=np.intp)
    return counts.cached(("best", figure), lambda: figure.best(counts.array, counts.present))


# --- best ---


@dataclass
class _SummedFold(Fold):
    figure: Figure
    sums: RowSum = field(default_factory=RowSum)

    def add(self, counts: Counts) -> Choices:
        choice = best(self.figure, counts)
        self.sums.add(counts.chosen(choice))
        return choice

    def totals(self) -> NDArray[Any]:
        return self.sums.value()[np.newaxis]

    def merge(self, other: _SummedFold) -> None:
        self.sums.merge(other.sums)


@dataclass(frozen=True)
class Best(Policy):
    """Choice of the reference with the highest sentence score (GREEN, GLEU -m)."""

    name: ClassVar[str] = "best"
    order_free: ClassVar[bool] = True

    def start(self, figure: Figure) -> Fold:
        return _SummedFold(figure)

    def choices(self, figure: Figure, counts: Counts) -> NDArray[np.intp]:
        return best(figure, counts)[np.newaxis]


# --- mean ---


@dataclass
class _MeanFold(Fold):
    """Sums [n · K] of the counts of each k-th reference, by number n of references."""

    sums: dict[int, RowSum] = field(default_factory=dict)

    def add(self, counts: Counts) -> None:
        rows = np.take_along_axis(counts.array, _present_first(counts)[..., np.newaxis], axis=1)
        numbers = counts.mask.sum(axis=1)
        for n in np.unique(numbers).tolist():
            rows_of_n = rows[numbers == n, :n]
            self.sums.setdefault(n, RowSum()).add(rows_of_n.reshape(len(rows_of_n), -1))

    def totals(self) -> NDArray[Any]:
        by_number = {n: self.sums[n].value().reshape(n, -1) for n in sorted(self.sums)}
        if not by_number:
            raise UsageError("no sentences were counted")
        return np.stack([sum(sums[k % n] for n, sums in by_number.items()) for k in range(max(by_number))])

    def merge(self, other: _MeanFold) -> None:
        for n, sums in other.sums.items():
            self.sums.setdefault(n, RowSum()).merge(sums)


def _present_first(counts: Counts) -> NDArray[np.intp]:
    """Return the present references of each sentence [S, R], then the missing ones."""
    return np.argsort(~counts.mask, axis=1, kind="stable")


@dataclass(frozen=True)
class Mean(Policy):
    """Mean of R corpus scores, of which the k-th uses each sentence's k-th reference.

    A sentence with fewer references repeats them from the first one. A sentence score is the mean over its references.
    """

    name: ClassVar[str] = "mean"
    order_free: ClassVar[bool] = True
    averages: ClassVar[bool] = True

    def start(self, figure: Figure) -> Fold:
        return _MeanFold()

    def choices(self, figure: Figure, counts: Counts) -> NDArray[np.intp]:
        return take_in_turn(counts, int(counts.mask.sum(axis=1).max()))


def take_in_turn(counts: Counts, times: int) -> NDArray[np.intp]:
    """Return the references [times, S] of each sentence in order, repeated if fewer."""
    references, numbers = _present_first(counts), counts.mask.sum(axis=1)
    return np.stack([references[np.arange(len(counts)), k % numbers] for k in range(times)])


# --- sampled ---


@dataclass
class _SampledFold(Fold):
    draws: ReferenceDraws
    #: Number of sentences whose references are drawn together.
    step: int
    sums: NDArray[Any] | None = None

    def add(self, counts: Counts) -> None:
        array = counts.array
        if array.dtype.kind == "f" and (array % 1).any():
            raise UsageError("sampled references require integer counts")
        if self.sums is None:
            self.sums = np.zeros((1, len(counts.columns)), np.result_type(np.int64, array))
        whole = np.ascontiguousarray(array, np.int64)
        for start in range(0, len(counts), self.step):
            part = slice(start, start + self.step)
            self.sums = self.sums + sums_of_choices(whole[part], self.draws.next(counts.mask[part]))

    def totals(self) -> NDArray[Any]:
        if self.sums is None:
            raise UsageError("no sentences were counted")
        return self.sums.copy()


@dataclass(frozen=True)
class Sampled(Policy):
    """Mean of corpus scores with references sampled for each sentence (GLEU).

    With one reference a single iteration is enough. A sentence score is the mean over its references, to which sampling
    converges.

    Attributes:
        iterations: Number of samples.
        seed: Seed of the samples. None samples as the original scorer: iteration i seeds the generator (MT19937) with
            i * 101, and each sentence in order uses int(random() * R).
        randint: Without a seed, use randint(0, R - 1), as the original scorer does under Python 3.
    """

    iterations: int = 500
    seed: int | None = None
    randint: bool = False

    name: ClassVar[str] = "sampled"
    order_free: ClassVar[bool] = False
    averages: ClassVar[bool] = True

    @property
    def settings(self) -> dict[str, Any]:
        settings = {"policy": self.name, "iterations": self.iterations}
        if self.seed is not None:
            return settings | {"seed": self.seed}
        return settings | {"seed": "fixed"} | ({"draws": "python3"} if self.randint else {})

    def start(self, figure: Figure) -> Fold:
        return _SampledFold(self._draws(), max(1, DRAWS // self.iterations))

    def choices(self, figure: Figure, counts: Counts) -> NDArray[np.intp]:
        return self._draws().next(counts.mask).astype(np.intp)

    def _draws(self) -> ReferenceDraws:
        return ReferenceDraws(self.iterations, self.seed, randint=self.randint)


# --- running ---


@dataclass
class _RunningFold(Fold):
    figure: Figure
    sums: NDArray[Any] | None = None

    def add(self, counts: Counts) -> Choices:
        if self.sums is None:
            self.sums = np.zeros(len(counts.columns), dtype=np.int64)
        self.sums = self.sums.astype(np.result_type(self.sums, counts.array), copy=False)
        return self.figure.run(counts.array, counts.mask, self.sums)

    def totals(self) -> NDArray[Any]:
        if self.sums is None:
            raise UsageError("no sentences were counted")
        return self.sums[np.newaxis].copy()


@dataclass(frozen=True)
class Running(Policy):
    """Choice of the reference that maximises the score of all sentences so far.

    References are compared by the figure of the totals so far plus the sentence's counts; of equal ones the first is
    chosen. The choice depends on the order of the sentences, as in the public tools (MaxMatch, ERRANT).
    """

    name: ClassVar[str] = "running"
    order_free: ClassVar[bool] = False

    def start(self, figure: Figure) -> Fold:
        return _RunningFold(figure)

    def choices(self, figure: Figure, counts: Counts) -> NDArray[np.intp]:
        totals = np.zeros(len(counts.columns), dtype=np.result_type(np.int64, counts.array))
        return figure.run(counts.array, counts.mask, totals)[np.newaxis]


# --- optimum ---


@dataclass
class _KeptFold(Fold):
    """All counts, since the best references depend on all sentences."""

    figure: Figure
    parts: list[Counts] = field(default_factory=list)

    def add(self, counts: Counts) -> None:
        self.parts.append(counts.without_evidence())

    def totals(self) -> NDArray[Any]:
        self.parts = [Counts.concatenate(self.parts)]
        [counts] = self.parts
        return row_sum(counts.chosen(choose_optimal(self.figure, counts)))[np.newaxis]

    def merge(self, other: _KeptFold) -> None:
        self.parts += other.parts


@dataclass(frozen=True)
class Optimum(Policy):
    """Choice of the references that together maximise the corpus score.

    The choice does not depend on the order of the sentences. It requires a score that is a ratio of two weighted sums
    of counts, and keeps all counts.
    """

    name: ClassVar[str] = "optimum"
    order_free: ClassVar[bool] = True

    def start(self, figure: Figure) -> Fold:
        return _KeptFold(figure)

    def choices(self, figure: Figure, counts: Counts) -> NDArray[np.intp]:
        return choose_optimal(figure, counts)[np.newaxis]


def choose_optimal(figure: Figure, counts: Counts) -> Choices:
    """Return the references [S] that maximise a ratio of sums exactly.

    Dinkelbach's method alternates between the ratio and the best reference of each sentence under it, until neither
    changes. Of equal references the one with the larger numerator is chosen, then with the smaller denominator, then
    the first one, so that a sentence without gain takes the reference with the smallest cost.

    Source:
        Dinkelbach (Management Science 13.7, 1967).
    """
    above, below = figure.ratio
    gains, costs = counts.array @ above, counts.array @ below
    rows = np.arange(len(counts))
    cheapest = first_largest(-costs[..., np.newaxis], counts.present)
    if not costs[rows, cheapest].any():
        return cheapest  # without edits the score is perfect, though its ratio is undefined
    ratio = 0.0
    while True:
        choice = first_largest(np.stack([gains - ratio * costs, gains, -costs], axis=-1), counts.present)
        sums = row_sum(counts.chosen(choice))
        gain, cost = sums @ above, sums @ below
        if cost == 0 or gain / cost <= ratio:
            return choice
        ratio = float(gain / cost)


#: Selections of metrics whose public tool chooses sentence by sentence: the tool's choice, or the optimum.
Selection: TypeAlias = Literal["running", "optimum"]
SELECTIONS: dict[str, Policy] = {"running": Running(), "optimum": Optimum()}
