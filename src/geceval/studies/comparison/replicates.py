"""Replicates of scores: of every system's by the bootstrap, of every pair's difference with labels swapped."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import optimal_sums, resampled_sums, settled_references
from geceval.counting.counts import Counts, Floats
from geceval.counting.policies import optimal
from geceval.statistics.resampling import Keys, Whole, whole
from geceval.studies.comparison.resampled_counts import Resampled, Sums, Treatment

Kind: TypeAlias = Literal["poisson", "swap", "labelling"]


@dataclass(frozen=True)
class Swapped:
    """Differences [R] of a pair's scores with labels swapped; ``exact``: all labellings; ``differing`` sentences."""

    differences: Floats
    exact: bool
    differing: int


class Drawn(ABC):
    """The replicates of n systems under a metric."""

    #: The systems' scores [n] as they are resampled: with this treatment of references, not with the official one.
    observed: Floats

    @abstractmethod
    def bootstrap(self) -> Floats:
        """Scores [samples, n] of bootstrap samples, the same ones for all systems and metrics."""

    @abstractmethod
    def swapped(self, at: int) -> Swapped:
        """Of the pair with this number."""

    @abstractmethod
    def differing(self, at: int) -> int:
        """The sentences on which the pair with this number differs."""

    @abstractmethod
    def left_out(self) -> Floats:
        """The scores [n, units] without each unit in turn."""


def drawn_of(resampled: Resampled, treatment: Treatment) -> Drawn:
    """The replicates of the whole corpus."""
    if not resampled.chosen_at_the_end:
        return OfSums(resampled, resampled.sums)
    keys, counts = resampled.counts()
    if treatment == "optimum":
        return OfOptima(resampled, keys, counts)
    sums = Sums(resampled.plan, resampled.pairs)
    sums.take(keys, best_rows(resampled, counts))
    return OfSums(resampled, sums)


def best_rows(resampled: Resampled, counts: Sequence[Counts]) -> Whole:
    """[S, n, K]: the counts of the references that together give each system's highest score."""
    figure = resampled.metric.figure
    return whole(np.stack([own.chosen(optimal(figure, own)) for own in counts], axis=1))


def without_each(resampled: Resampled, keys: Keys, rows: Whole) -> Floats:
    """The scores [n, units] of rows [S, n, C] without those of each unit in turn."""
    units, places = np.unique(keys, return_inverse=True)
    own = np.zeros((len(units), *rows.shape[1:]), dtype=np.int64)
    np.add.at(own, places, rows)
    return resampled.score_sums(rows.sum(axis=0) - own).T


class OfSums(Drawn):
    """Each sentence has its references."""

    def __init__(self, resampled: Resampled, sums: Sums) -> None:
        # A copy, so that more may be taken in, and what is drawn here goes with this object.
        self.resampled, self.sums = resampled, sums = resampled, copy.copy(sums)
        sums.draw()
        assert sums.totals is not None
        self.totals: Whole = sums.totals
        self.observed = resampled.score_sums(self.totals)

    def bootstrap(self) -> Floats:
        assert self.sums.drawn is not None
        drawn = self.sums.drawn
        return np.stack([self.resampled.score_sums(drawn[:, k]) for k in range(drawn.shape[1])], axis=1)

    def differing(self, at: int) -> int:
        return int(self.sums.differing[at])

    def swapped(self, at: int) -> Swapped:
        a, b = self.resampled.pairs[at]
        few, totals = self.sums.few[at], self.totals
        if few is not None:
            keys, rows = few
            units, places = np.unique(keys, return_inverse=True)
            flat = rows.reshape(len(rows), -1) if len(rows) else np.zeros((0, 2 * totals.shape[1]), np.int64)
            count = 1 << len(units)
            moved = resampled_sums(flat, places.astype(np.uint64), "labelling", 0, count).reshape(count, 2, -1)
            return Swapped(self._differences(a, b, moved[:, 0], moved[:, 1]), True, self.differing(at))
        assert self.sums.swapped is not None
        moved_a, moved_b = self.sums.swapped[:, a], self.sums.swapped[:, b]
        return Swapped(self._differences(a, b, moved_a, moved_b), False, self.differing(at))

    def _differences(self, a: int, b: int, moved_a: Whole, moved_b: Whole) -> Floats:
        score, exchanged = self.resampled.score_sums, moved_b - moved_a
        differences: Floats = score(self.totals[a] + exchanged) - score(self.totals[b] - exchanged)
        return differences

    def left_out(self) -> Floats:
        return without_each(self.resampled, *self.sums.sentences())


class OfOptima(Drawn):
    """The references are those that give the highest score, in each replicate anew."""

    def __init__(self, resampled: Resampled, keys: Keys, counts: Sequence[Counts]) -> None:
        self.resampled, self.keys, self.own = resampled, keys, counts
        self.above, self.below = (weights.tolist() for weights in resampled.metric.figure.ratio)
        self.tables = [(whole(one.array), one.mask) for one in counts]
        settled = [settled_references(*table, self.above, self.below) for table in self.tables]
        self.open = [choice < 0 for choice in settled]
        #: [n, S, K]: the counts of the references that are the best ones in any replicate; 0 where that depends.
        self.rows = np.stack([
            np.where(choice[:, np.newaxis] < 0, 0, array[np.arange(len(choice)), choice])
            for choice, (array, _) in zip(settled, self.tables, strict=True)
        ])  # fmt: skip
        self.observed = resampled.score_sums(best_rows(resampled, counts).sum(axis=0))

        #: Of each pair, [S]: whether the sentence's counts against any reference differ.
        self._differs = [self._differ(*pair) for pair in resampled.pairs]
        samples, systems = resampled.plan.samples, range(len(counts)) if resampled.plan.swaps else ()
        #: Of each system, [samples, K]: the sums of what is settled in sentences that are swapped.
        self._swapped = [self._settled(k, keys, "swap", samples) for k in systems]

    def _open(self, k: int, keys: Keys) -> tuple[Whole, NDArray[np.bool_], Keys]:
        """The sentences of a system whose references are left to the replicate."""
        (array, mask), own = self.tables[k], self.open[k]
        return array[own], mask[own], keys[own]

    def _settled(self, k: int, keys: Keys, kind: Kind, samples: int) -> Whole:
        """[samples, K]: the resampled sums of the others."""
        return resampled_sums(self.rows[k], keys, kind, self.resampled.plan.seed, samples, self.resampled.plan.threads)

    def _sums(self, base: Whole, own: int, other: int | None, keys: Keys, kind: Kind) -> Whole:
        plan = self.resampled.plan
        second = None if other is None else self._open(other, keys)
        ratio = self.above, self.below
        return optimal_sums(base, self._open(own, keys), second, *ratio, kind, plan.seed, plan.threads)

    def bootstrap(self) -> Floats:
        keys, samples = self.keys, self.resampled.plan.samples
        each = (
            self._sums(self._settled(k, keys, "poisson", samples), k, None, keys, "poisson")
            for k in range(len(self.tables))
        )
        return np.stack([self.resampled.score_sums(sums) for sums in each], axis=1)

    def _differ(self, a: int, b: int) -> NDArray[np.bool_]:
        differ: NDArray[np.bool_] = (self.tables[a][0] != self.tables[b][0]).any(axis=(1, 2))
        return differ

    def differing(self, at: int) -> int:
        return int(self._differs[at].sum())

    def swapped(self, at: int) -> Swapped:
        a, b = self.resampled.pairs[at]
        plan, differs = self.resampled.plan, self._differs[at]
        units = np.unique(self.keys[differs])
        exact = len(units) <= plan.few
        keys, samples = self.keys, plan.samples
        kind: Kind = "swap"
        if exact:
            # A sentence that does not differ takes a bit that no labelling has.
            keys = np.where(differs, np.searchsorted(units, keys), 63).astype(np.uint64)
            kind, samples = "labelling", 1 << len(units)
        moved = (
            [self._settled(k, keys, kind, samples) for k in (a, b)] if exact else [self._swapped[a], self._swapped[b]]
        )
        exchanged, totals = moved[1] - moved[0], self.rows.sum(axis=1)
        first = self._sums(totals[a] + exchanged, a, b, keys, kind)
        second = self._sums(totals[b] - exchanged, b, a, keys, kind)
        score = self.resampled.score_sums
        return Swapped(score(first) - score(second), exact, self.differing(at))

    def left_out(self) -> Floats:
        """With the references of the full run: one sentence does not change them."""
        return without_each(self.resampled, self.keys, best_rows(self.resampled, self.own))
