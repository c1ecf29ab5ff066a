"""Selection policies, which choose the reference of each sentence.

A policy reads counts and the figure by which references are compared, never text. Every signature names it. It is a
function of the counts of a part of a stream, ``choose``; ``Totals`` sums the chosen counts.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import first_largest, sums_of_choices
from geceval.base.errors import UsageError
from geceval.counting.counts import Counts
from geceval.counting.figures import Figure
from geceval.statistics.reference_draws import DRAWS, ReferenceDraws
from geceval.statistics.sums import RowSum, row_sum

#: Some sentences of a part, and m choices [m, s] of their references.
Chosen: TypeAlias = tuple["slice | NDArray[np.intp]", NDArray[Any]]

ALL = slice(None)


class Policy(ABC):
    """Choice of references; the score is the mean over the policy's m choices."""

    name: ClassVar[str]
    #: Whether the choice is independent of the order of the sentences.
    order_free: ClassVar[bool]
    #: Whether sentence scores are means over references, instead of scores with the best reference.
    averages: ClassVar[bool] = False
    #: Whether the choice depends on all sentences: it is made at the end, from the counts of the whole corpus.
    at_end: ClassVar[bool] = False

    @property
    def settings(self) -> dict[str, Any]:
        """Entries of the signature."""
        return {"policy": self.name}

    def start(self) -> Any:
        """Return the state before the first part; None if the choice depends on no preceding sentences."""
        return None

    @abstractmethod
    def choose(self, figure: Figure, counts: Counts, state: Any) -> Iterator[Chosen]:
        """Yield the sentences of the next part with their choices, and update the state.

        ``Totals`` repeats the choices of sentences with fewer ones at the end, when the largest number is known.
        """

    def summands(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return counts [S, R, K] as the numbers to sum."""
        return array

    def sums(self, state: Any) -> NDArray[Any] | None:
        """Return the sums [K] of the chosen counts if the state has them."""
        return None

    def choices(self, figure: Figure, counts: Counts, times: int | None = None, state: Any = None) -> NDArray[np.intp]:
        """Return m choices [m, S] of references for a whole corpus, or for the next part.

        Args:
            figure: Figure by which references are compared.
            counts: Counts of the corpus or part.
            times: M (None: the largest number of choices of a sentence).
            state: State before the part, which is updated (None: the state before the first part).
        """
        chosen = list(self.choose(figure, counts, self.start() if state is None else state))
        return _laid_out(chosen, len(counts), times)

    def check_merge(self) -> None:
        """Raise UsageError if a choice depends on preceding sentences."""
        if not self.order_free:
            raise UsageError(
                "the choice of references depends on the order of the sentences: separate parts cannot be merged",
                hint="use selection=optimum, or selection=mean for GLEU",
            )


def _laid_out(chosen: Sequence[Chosen], sentences: int, times: int | None = None) -> NDArray[np.intp]:
    """Return the choices [times, S] of a part in the order of its sentences; None: their largest number."""
    times = max((len(choices) for _, choices in chosen), default=1) if times is None else times
    all_choices = np.empty((times, sentences), np.intp)
    for indices, choices in chosen:
        all_choices[:, indices] = np.resize(choices, (times, choices.shape[1]))
    return all_choices


class Totals:
    """Sums [m, K] of the chosen counts of a stream, part by part.

    Sums of real numbers are rounded once, so that they do not depend on the parts; ``running`` has sums of its own.
    """

    def __init__(self, policy: Policy, figure: Figure) -> None:
        self.policy, self.figure, self.state = policy, figure, policy.start()
        #: Sums [m · K], by the number m of choices of the sentences.
        self._sums: dict[int, RowSum] = {}
        #: Counts of each part, if references are chosen at the end.
        self._kept: list[Counts] = []
        self._dtype = np.dtype(np.int64)

    def add(self, counts: Counts) -> NDArray[Any] | None:
        """Add the next part.

        Returns:
            The choice [1, S] of its references; None if there are several, or none before the end.
        """
        self._dtype = np.result_type(self._dtype, counts.array)
        if self.policy.at_end:
            self._kept.append(counts.without_evidence())
            return None
        return self._add_chosen(counts, self._sums)

    def add_sums(self, sums: NDArray[np.int64]) -> None:
        """Add the sums [K] of the next part with the references that the policy chooses."""
        self._sums.setdefault(1, RowSum()).add(sums[np.newaxis])

    def _add_chosen(self, counts: Counts, sums: dict[int, RowSum]) -> NDArray[Any] | None:
        """Add the chosen counts of a part to sums; return the choice if there is one."""
        array = self.policy.summands(counts.array)
        chosen: list[Chosen] = []
        for sentences, choices in self.policy.choose(self.figure, counts, self.state):
            if self.policy.sums(self.state) is None:
                sums.setdefault(len(choices), RowSum()).add(_summed(array[sentences], choices))
            if not self.policy.averages:
                chosen.append((sentences, choices))
            del choices  # the next draws then fit in the processor's cache
        return None if self.policy.averages else _laid_out(chosen, len(counts))

    def value(self) -> NDArray[Any]:
        """Return the sums so far. Raises UsageError if nothing was added."""
        if (state_sums := self.policy.sums(self.state)) is not None:
            return state_sums[np.newaxis].copy()
        sums = dict(self._sums)
        if self._kept:
            self._kept = [Counts.concatenate(self._kept)]
            self._add_chosen(self._kept[0], sums)
        if not sums:
            raise UsageError("no sentences were counted")
        # Sorted, so that rounding does not depend on the order of the sentences.
        values = [(number, sums[number].value()) for number in sorted(sums)]
        rows = [np.resize(value, (max(sums), len(value) // number)) for number, value in values]
        return functools.reduce(np.add, rows).astype(self._dtype)

    def merge(self, other: Totals) -> None:
        """Add other totals, as the following part.

        Raises UsageError if a choice depends on preceding sentences.
        """
        self.policy.check_merge()
        self._dtype = np.result_type(self._dtype, other._dtype)
        self._kept += other._kept
        for number, sums in other._sums.items():
            self._sums.setdefault(number, RowSum()).merge(sums)


def _summed(array: NDArray[Any], choices: NDArray[Any]) -> NDArray[Any]:
    """Return rows [n, m · K], whose sums are those of the counts [S, R, K] for the choices [m, S]."""
    if len(choices) == 1:
        rows: NDArray[Any] = array[np.arange(len(array)), choices[0]]
        return rows
    if array.dtype.kind != "f":
        sums = sums_of_choices(np.ascontiguousarray(array, np.int64), np.ascontiguousarray(choices, np.uint32))
        return sums.reshape(1, -1)
    rows = array[np.arange(len(array))[:, np.newaxis], choices.T]
    return rows.reshape(len(rows), len(choices) * array.shape[2])


def best(figure: Figure, counts: Counts) -> NDArray[np.intp]:
    """Return the references [S] with the largest ranking; of equal ones the first."""
    if counts.array.shape[1] == 1:
        return np.zeros(len(counts), dtype=np.intp)
    return counts.cached(("best", figure), lambda: figure.best(counts.array, counts.present))


@dataclass(frozen=True)
class Best(Policy):
    """Choice of the reference with the highest sentence score (GREEN, GLEU -m)."""

    name: ClassVar[str] = "best"
    order_free: ClassVar[bool] = True

    def choose(self, figure: Figure, counts: Counts, state: None) -> Iterator[Chosen]:
        yield ALL, best(figure, counts)[np.newaxis]


@dataclass(frozen=True)
class Mean(Policy):
    """Mean of R corpus scores, of which the k-th uses each sentence's k-th reference.

    A sentence with fewer references repeats them from the first one. A sentence score is the mean over its references.
    """

    name: ClassVar[str] = "mean"
    order_free: ClassVar[bool] = True
    averages: ClassVar[bool] = True

    def choose(self, figure: Figure, counts: Counts, state: None) -> Iterator[Chosen]:
        numbers, present_first = counts.mask.sum(axis=1), np.argsort(~counts.mask, axis=1, kind="stable")
        for number in np.unique(numbers).tolist():
            sentences = np.flatnonzero(numbers == number)
            yield sentences, present_first[sentences, :number].T


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

    def start(self) -> ReferenceDraws:
        return ReferenceDraws(self.iterations, self.seed, randint=self.randint)

    def choose(self, figure: Figure, counts: Counts, state: ReferenceDraws) -> Iterator[Chosen]:
        step = max(1, DRAWS // self.iterations)
        for first in range(0, len(counts), step):
            sentences = slice(first, first + step)
            yield sentences, state.next(counts.mask[sentences])

    def summands(self, array: NDArray[Any]) -> NDArray[np.int64]:
        """Return counts as integers; raises UsageError for others."""
        if array.dtype.kind == "f" and (array % 1).any():
            raise UsageError("sampled references require integer counts")
        return np.ascontiguousarray(array, np.int64)


@dataclass
class _RunningSums:
    """Sums [K] of the chosen counts, in the order of the sentences; None before the first part."""

    totals: NDArray[Any] | None = None


@dataclass(frozen=True)
class Running(Policy):
    """Choice of the reference that maximises the score of all sentences so far.

    References are compared by the figure of the totals so far plus the sentence's counts; of equal ones the first is
    chosen. The choice depends on the order of the sentences, as in the public tools (MaxMatch, ERRANT).
    """

    name: ClassVar[str] = "running"
    order_free: ClassVar[bool] = False

    def start(self) -> _RunningSums:
        return _RunningSums()

    def choose(self, figure: Figure, counts: Counts, state: _RunningSums) -> Iterator[Chosen]:
        totals = np.zeros(len(counts.columns), np.int64) if state.totals is None else state.totals
        totals = totals.astype(np.result_type(totals, counts.array), copy=False)
        choices, state.totals = figure.run(counts.array, counts.mask, totals)
        yield ALL, choices[np.newaxis]

    def sums(self, state: _RunningSums) -> NDArray[Any] | None:
        """Return the sums by which references are chosen, as the public tools do."""
        return state.totals


@dataclass(frozen=True)
class Optimum(Policy):
    """Choice of the references that together maximise the corpus score exactly.

    The choice does not depend on the order of the sentences. It requires an F, which is a ratio of two weighted sums of
    counts, and keeps all counts.

    Dinkelbach's method alternates between the ratio and the best reference of each sentence under it, until neither
    changes. Of equal references the one with the larger numerator is chosen, then with the smaller denominator, then
    the first one, so that a sentence without gain takes the reference with the smallest cost.

    Source:
        Dinkelbach (Management Science 13.7, 1967).
    """

    name: ClassVar[str] = "optimum"
    order_free: ClassVar[bool] = True
    at_end: ClassVar[bool] = True

    def choose(self, figure: Figure, counts: Counts, state: None) -> Iterator[Chosen]:
        yield ALL, _optimal(figure, counts)[np.newaxis]


def _optimal(figure: Figure, counts: Counts) -> NDArray[np.intp]:
    if figure.f is None:
        raise UsageError("the metric is not a ratio of sums and does not support the selection optimum")
    above, below = figure.f.ratio
    gains, costs = counts.array @ above, counts.array @ below
    rows = np.arange(len(counts))
    gold = counts.array @ np.array(figure.f.gold)  # with beta 0, missed edits cost nothing
    cheapest = first_largest(-np.stack([costs, gold], axis=-1), counts.present)
    if not (costs + gold)[rows, cheapest].any():
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
#: Meaning of the setting that names one.
SELECTED = "choice of references: in the order of the sentences, or for the best total"
