"""Selection policies: which reference each sentence is scored against.

A policy sees counts and the figure by which references are compared, never text. It is named in every signature. It is
a fold over the stream of counts: ``start``, then ``add`` the counts of part after part; the ``totals`` are there at any
time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Sampler, sampled_references
from geceval.base.errors import UsageError
from geceval.counting.counts import Counts, Floats
from geceval.counting.figures import Choices, Figure
from geceval.statistics.sums import RowSum, row_sum


class Fold(ABC):
    """The totals of a corpus as its counts come in, part by part."""

    @abstractmethod
    def add(self, counts: Counts) -> Choices | None:
        """Take in the next part; the reference of each of its sentences, [S], where that is settled at once."""

    @abstractmethod
    def totals(self) -> NDArray[Any]:
        """The sums [m, K] of the chosen counts so far, a row for each of the policy's m choices."""

    def merge(self, other: Any) -> None:
        """Take in what was added to another fold, as the part that follows.

        Raises UsageError where a choice depends on the sentences before.
        """
        raise UsageError(
            "the choice of references depends on the order of the sentences: parts counted apart cannot be merged",
            hint="choose one that does not, such as selection=optimum, or for GLEU selection=mean",
        )


class Policy(ABC):
    """How references are chosen for the sentences; the score is the mean over the policy's m choices."""

    name: ClassVar[str]
    #: Whether the order of the sentences is without effect.
    order_free: ClassVar[bool]

    @abstractmethod
    def start(self, figure: Figure) -> Fold:
        """An empty fold; references are compared by ``figure``."""

    @abstractmethod
    def choices(self, figure: Figure, counts: Counts) -> NDArray[np.intp]:
        """[m, S]: the reference of every sentence of a whole corpus, m times."""

    @property
    def settings(self) -> dict[str, Any]:
        """What goes into the signature."""
        return {"policy": self.name}

    #: Whether a sentence by itself scores the mean over its references, and not the score with its best one.
    averages: ClassVar[bool] = False


def best(figure: Figure, counts: Counts) -> Choices:
    """[S]: for every sentence the reference with the largest ranking, the first one among equals."""
    if counts.array.shape[1] == 1:
        return np.zeros(len(counts), dtype=np.intp)
    return counts.once(("best", figure), lambda: first_largest(figure.ranking(counts.array), counts.mask))


def first_largest(ranks: Floats, mask: NDArray[np.bool_]) -> Choices:
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
    """Every sentence takes the reference with which it scores highest by itself (GREEN, GLEU -m)."""

    name: ClassVar[str] = "best"
    order_free: ClassVar[bool] = True

    def start(self, figure: Figure) -> Fold:
        return _SummedFold(figure)

    def choices(self, figure: Figure, counts: Counts) -> NDArray[np.intp]:
        return best(figure, counts)[np.newaxis]


# --- mean ---


@dataclass
class _MeanFold(Fold):
    """``sums[n]``: over the sentences with n references, the counts of each one's k-th, [n · K]."""

    sums: dict[int, RowSum] = field(default_factory=dict)

    def add(self, counts: Counts) -> None:
        rows = np.take_along_axis(counts.array, _own(counts)[..., np.newaxis], axis=1)
        number = counts.mask.sum(axis=1)
        for n in np.unique(number).tolist():
            own = rows[number == n, :n]
            self.sums.setdefault(n, RowSum()).add(own.reshape(len(own), -1))

    def totals(self) -> NDArray[Any]:
        by_number = {n: self.sums[n].value().reshape(n, -1) for n in sorted(self.sums)}
        if not by_number:
            raise UsageError("nothing was counted")
        return np.stack([sum(sums[k % n] for n, sums in by_number.items()) for k in range(max(by_number))])

    def merge(self, other: _MeanFold) -> None:
        for n, sums in other.sums.items():
            self.sums.setdefault(n, RowSum()).merge(sums)


def _own(counts: Counts) -> NDArray[np.intp]:
    """[S, R]: the references a sentence has, in order, then the others."""
    return np.argsort(~counts.mask, axis=1, kind="stable")


@dataclass(frozen=True)
class Mean(Policy):
    """The mean of R corpus scores, in the k-th of which every sentence takes its k-th reference.

    A sentence with fewer references starts again at its first one. A sentence score is the mean over its references.
    """

    name: ClassVar[str] = "mean"
    order_free: ClassVar[bool] = True
    averages: ClassVar[bool] = True

    def start(self, figure: Figure) -> Fold:
        return _MeanFold()

    def choices(self, figure: Figure, counts: Counts) -> NDArray[np.intp]:
        return in_turn(counts, int(counts.mask.sum(axis=1).max()))


def in_turn(counts: Counts, times: int) -> NDArray[np.intp]:
    """[m, S]: the references of every sentence in order, again from its first one where it has fewer than ``times``."""
    own, number = _own(counts), counts.mask.sum(axis=1)
    return np.stack([own[np.arange(len(own)), k % number] for k in range(times)])


# --- sampled ---


@dataclass
class _Samples(Fold):
    sampler: Sampler

    def add(self, counts: Counts) -> None:
        try:
            self.sampler.add(counts.array, counts.present)
        except ValueError as error:
            raise UsageError(str(error)) from error

    def totals(self) -> NDArray[Any]:
        try:
            sums: NDArray[Any] = self.sampler.sums
        except ValueError as error:
            raise UsageError(str(error)) from error
        return sums


@dataclass(frozen=True)
class Sampled(Policy):
    """The mean of corpus scores with references drawn at random for every sentence, ``iterations`` times (GLEU).

    Seed None draws what the original scorer draws: for iteration i the generator (MT19937) is seeded with i * 101, and
    each sentence in order takes int(random() * R); with ``randint`` it takes randint(0, R - 1), which the same code
    does under Python 3. Any other seed is free. With one reference a single iteration is enough. A sentence score is
    the mean over its references, which is what sampling tends to.
    """

    iterations: int = 500
    seed: int | None = None
    randint: bool = False

    name: ClassVar[str] = "sampled"
    order_free: ClassVar[bool] = False
    averages: ClassVar[bool] = True

    @property
    def settings(self) -> dict[str, Any]:
        seed = ("randint" if self.randint else "fixed") if self.seed is None else self.seed
        return {"policy": self.name, "iterations": self.iterations, "seed": seed}

    def start(self, figure: Figure) -> Fold:
        return _Samples(Sampler(self.iterations, self.seed, randint=self.randint))

    def choices(self, figure: Figure, counts: Counts) -> NDArray[np.intp]:
        enough = 1 if bool((counts.mask.sum(axis=1) == 1).all()) else self.iterations
        return sampled_references(counts.mask, enough, self.seed, randint=self.randint).astype(np.intp)


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
            raise UsageError("nothing was counted")
        return self.sums[np.newaxis].copy()


@dataclass(frozen=True)
class Running(Policy):
    """Sentence after sentence, the reference that makes the score of all sentences so far highest (MaxMatch, ERRANT).

    What is compared is the figure of the totals so far plus the sentence's counts; the first among equals wins. The
    choice depends on the order of the sentences, as in the public tools.
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
    """All counts: which reference is best depends on all sentences."""

    figure: Figure
    parts: list[Counts] = field(default_factory=list)

    def add(self, counts: Counts) -> None:
        self.parts.append(counts.without_evidence())

    def totals(self) -> NDArray[Any]:
        self.parts = [Counts.concatenate(self.parts)]
        [counts] = self.parts
        return row_sum(counts.chosen(optimal(self.figure, counts)))[np.newaxis]

    def merge(self, other: _KeptFold) -> None:
        self.parts += other.parts


@dataclass(frozen=True)
class Optimum(Policy):
    """The references that together give the highest corpus score, whatever the order of the sentences.

    For scores that are a ratio of two weighted sums of counts. Keeps all counts.
    """

    name: ClassVar[str] = "optimum"
    order_free: ClassVar[bool] = True

    def start(self, figure: Figure) -> Fold:
        return _KeptFold(figure)

    def choices(self, figure: Figure, counts: Counts) -> NDArray[np.intp]:
        return optimal(figure, counts)[np.newaxis]


def optimal(figure: Figure, counts: Counts) -> Choices:
    """[S]: Dinkelbach's method (Management Science 13.7, 1967) alternates between the ratio and the best reference of
    each sentence under it, until neither changes; the result is the exact optimum. Among equals more above the line,
    then less below it, then the first reference (so that a sentence without any gain still takes the reference that
    costs least)."""
    above, below = figure.ratio
    gains, costs = counts.array @ above, counts.array @ below
    rows = np.arange(len(counts))
    cheapest = first_largest(-costs[..., np.newaxis], counts.mask)
    if not costs[rows, cheapest].any():
        return cheapest  # nothing found, nothing missed: perfect, though no ratio
    ratio = 0.0
    while True:
        choice = first_largest(np.stack([gains - ratio * costs, gains, -costs], axis=-1), counts.mask)
        sums = row_sum(counts.chosen(choice))
        gain, cost = sums @ above, sums @ below
        if cost == 0 or gain / cost <= ratio:
            return choice
        ratio = float(gain / cost)


#: What metrics whose public tool runs through the sentences offer: the tool's choice, or the best of all choices.
Selection: TypeAlias = Literal["running", "optimum"]
SELECTIONS: dict[Selection, Policy] = {"running": Running(), "optimum": Optimum()}
