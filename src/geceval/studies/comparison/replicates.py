"""Replicates of scores by the bootstrap, and of differences with swapped labels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import optimal_sums, resampled_sums, settled_references
from geceval.counting.counts import Counts, Floats
from geceval.counting.policies import choose_optimal
from geceval.statistics.resampling import Keys, Whole, whole
from geceval.statistics.significance import count_extreme, randomisation_p, sampled_p
from geceval.statistics.threads import run_in_threads
from geceval.studies.comparison.resampled_counts import Resampled, Sums, block_length, differing

Weights: TypeAlias = Literal["poisson", "swap", "labelling"]


class Drawn(ABC):
    """Replicates of the scores of n systems, or of their runs, under a metric."""

    resampled: Resampled
    #: Scores [n] of the systems with the references of the replicates, which may differ from the official scores.
    observed: Floats
    #: Number of sentences [pairs] on which the systems of each pair differ.
    differing: NDArray[np.int64]

    @abstractmethod
    def bootstrap(self) -> Floats:
        """Return the scores [samples, n] of bootstrap samples."""

    @abstractmethod
    def p_values(self) -> list[tuple[float, bool]]:
        """Return p of each pair by randomisation, and whether it is exact."""

    def observed_gap(self, at: int) -> float:
        """Return the difference of the observed scores of pair ``at``."""
        a, b = self.resampled.pairs[at]
        return float(self.observed[a] - self.observed[b])

    @abstractmethod
    def sentences(self) -> list[tuple[Keys, NDArray[Any]]]:
        """Return keys [S] and counts [S, n, C] of the sentences, in parts."""

    def left_out(self) -> Floats:
        """Return the jackknife scores [units, n]: each row leaves one unit out."""
        parts = self.sentences()
        units, places = np.unique(np.concatenate([keys for keys, _ in parts]), return_inverse=True)
        starts = np.cumsum([0, *(len(keys) for keys, _ in parts)])
        total = np.sum([rows.sum(axis=0, dtype=np.int64) for _, rows in parts], axis=0)
        order, scores = np.argsort(places, kind="stable"), []
        block = max(1, block_length(total) // 8)  # their scores take some times more memory than sums
        firsts = range(0, len(units), block)
        for first, own in zip(firsts, np.split(order, np.searchsorted(places[order], firsts[1:])), strict=True):
            left = np.repeat(total[np.newaxis], min(block, len(units) - first), axis=0)
            own.sort()
            numbers = np.split(own, np.searchsorted(own, starts[1:-1]))
            for (_, rows), start, within in zip(parts, starts[:-1], numbers, strict=True):
                np.subtract.at(left, places[within] - first, rows[within - start])
            scores.append(self.resampled.score_sums(left))
        return np.concatenate(scores)


def drawn_of(resampled: Resampled) -> Drawn:
    """Return the replicates of the whole corpus."""
    if not resampled.chosen_at_the_end:
        return OfSums(resampled, resampled.whole.sums)
    keys, counts = resampled.counts()
    if resampled.treatment == "optimum":
        return OfOptima(resampled, keys, counts)
    sums = resampled.sums()
    sums.take(keys, best_rows(resampled, counts))
    return OfSums(resampled, sums)


def best_rows(resampled: Resampled, counts: Sequence[Counts]) -> Whole:
    """Return the counts [S, n, K] of references that maximise each system's score."""
    figure = resampled.metric.figure
    return whole(np.stack([own.chosen(choose_optimal(figure, own)) for own in counts], axis=1))


class OfSums(Drawn):
    """Replicates in which each sentence keeps its references.

    Sums are drawn in blocks of replicates, so memory does not depend on the number of samples.
    """

    def __init__(self, resampled: Resampled, sums: Sums) -> None:
        self.resampled, self.sums, self.differing = resampled, sums, sums.differing
        self.totals = sums.total()
        self.observed = resampled.score_sums(self.totals)

    def bootstrap(self) -> Floats:
        score = self.resampled.score_sums
        blocks = self.sums.blocks("poisson")
        return np.concatenate([np.stack([score(own) for own in _by_system(block)], axis=1) for block in blocks])

    def p_values(self) -> list[tuple[float, bool]]:
        options, few = self.resampled.options, self.sums.few
        found = {at: (self._exact_p(at, *own), True) for at, own in enumerate(few) if own is not None}
        sampled = [at for at, own in enumerate(few) if own is None]
        beyond = np.zeros(len(sampled), np.int64)
        for block in self.sums.blocks("swap") if sampled else ():
            count = partial(self._count_extreme, sampled, _by_system(block))
            beyond += run_in_threads(count, len(sampled), options.threads)
        for at, extreme in zip(sampled, beyond.tolist(), strict=True):
            found[at] = sampled_p(extreme, options.samples), False
        return [found[at] for at in range(len(few))]

    def _exact_p(self, at: int, keys: Keys, rows: Whole) -> float:
        units, places = np.unique(keys, return_inverse=True)
        flat = rows.reshape(len(rows), -1) if len(rows) else np.zeros((0, 2 * self.totals.shape[1]), np.int64)
        count = 1 << len(units)
        moved = resampled_sums(flat, places.astype(np.uint64), "labelling", 0, count).reshape(count, 2, -1)
        return randomisation_p(self._swapped(at, moved[:, 1] - moved[:, 0]), self.observed_gap(at), exact=True)

    def _count_extreme(self, pairs: Sequence[int], sums: Whole, number: int) -> int:
        """Count the extreme replicates of one of the pairs.

        ``sums`` [n, r, C] belong to the swapped sentences.
        """
        at = pairs[number]
        a, b = self.resampled.pairs[at]
        return count_extreme(self._swapped(at, sums[b] - sums[a]), self.observed_gap(at))

    def _swapped(self, at: int, exchanged: Whole) -> Floats:
        """Return the differences [r] of a pair that exchanges these counts [r, C]."""
        (a, b), score = self.resampled.pairs[at], self.resampled.score_sums
        return score(self.totals[a] + exchanged) - score(self.totals[b] - exchanged)

    def sentences(self) -> list[tuple[Keys, NDArray[Any]]]:
        return self.sums.drawn + self.sums.kept


def _by_system(block: Whole) -> Whole:
    """Return the contiguous sums [n, r, C] of a block [r, n, C]."""
    return np.ascontiguousarray(block.transpose(1, 0, 2))


class OfOptima(Drawn):
    """Replicates that each choose the references with the highest score."""

    def __init__(self, resampled: Resampled, keys: Keys, counts: Sequence[Counts]) -> None:
        self.resampled, self.keys, self.best = resampled, keys, best_rows(resampled, counts)
        self.above, self.below = (weights.tolist() for weights in resampled.metric.figure.ratio)
        self.tables = [(whole(one.array), one.mask) for one in counts]
        settled = [settled_references(*table, self.above, self.below) for table in self.tables]
        self.open = [choice < 0 for choice in settled]
        #: Counts [n, S, K] of references that are the best in every replicate; 0 where that depends on the replicate.
        self.rows = np.stack([
            np.where(choice[:, np.newaxis] < 0, 0, array[np.arange(len(choice)), choice])
            for choice, (array, _) in zip(settled, self.tables, strict=True)
        ])  # fmt: skip
        self.observed = resampled.score_sums(self.best.sum(axis=0))
        tables = [array for array, _ in self.tables]
        #: For each pair, whether the counts of each sentence [S] differ under any reference.
        self._differs = [differing(tables, runs) for runs in resampled.runs]
        self.differing = np.array([own.sum() for own in self._differs], dtype=np.int64)
        options, systems = resampled.options, range(len(counts))
        #: For each system, sums [samples, K] of the settled counts of swapped sentences.
        self._swapped = [
            self._settled(k, keys, "swap", options.samples) for k in systems if options.swaps(resampled.pairs)
        ]

    def _open(self, k: int, keys: Keys) -> tuple[Whole, NDArray[np.bool_], Keys]:
        """Return the sentences of a system whose references depend on the replicate."""
        (array, mask), own = self.tables[k], self.open[k]
        return array[own], mask[own], keys[own]

    def _settled(self, k: int, keys: Keys, kind: Weights, samples: int) -> Whole:
        """Return the resampled sums [samples, K] of settled sentences."""
        options = self.resampled.options
        return resampled_sums(self.rows[k], keys, kind, options.seed, samples, options.threads)

    def _sums(self, base: Whole, own: int, other: int | None, keys: Keys, kind: Weights) -> Whole:
        options = self.resampled.options
        first, second = self._open(own, keys), None if other is None else self._open(other, keys)
        return optimal_sums(base, first, second, self.above, self.below, kind, options.seed, options.threads)

    def bootstrap(self) -> Floats:
        keys, samples = self.keys, self.resampled.options.samples
        each = (
            self._sums(self._settled(k, keys, "poisson", samples), k, None, keys, "poisson")
            for k in range(len(self.tables))
        )
        return np.stack([self.resampled.score_sums(sums) for sums in each], axis=1)

    def p_values(self) -> list[tuple[float, bool]]:
        return run_in_threads(self._p_value, len(self.resampled.pairs), self.resampled.options.threads)

    def _p_value(self, at: int) -> tuple[float, bool]:
        a, b = self.resampled.pairs[at]
        differs, keys = self._differs[at], self.keys
        units = np.unique(keys[differs])
        kind: Weights = "swap"
        exact = len(units) <= self.resampled.options.few
        if exact:
            # A sentence that does not differ gets a bit that no labelling sets.
            keys, kind = np.where(differs, np.searchsorted(units, keys), 63).astype(np.uint64), "labelling"
            exchanged = self._settled(b, keys, kind, 1 << len(units)) - self._settled(a, keys, kind, 1 << len(units))
        else:
            exchanged = self._swapped[b] - self._swapped[a]
        score, totals = self.resampled.score_sums, self.rows.sum(axis=1)
        first = self._sums(totals[a] + exchanged, a, b, keys, kind)
        second = self._sums(totals[b] - exchanged, b, a, keys, kind)
        return randomisation_p(score(first) - score(second), self.observed_gap(at), exact=exact), exact

    def sentences(self) -> list[tuple[Keys, NDArray[Any]]]:
        # The jackknife keeps the references of the full corpus.
        return [(self.keys, self.best)]
