"""Replicates of scores by the bootstrap, and of differences with swapped labels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from geceval._kernel import resampled_sums
from geceval.comparison.resampled_counts import Resampled, Sums
from geceval.counting.counts import Floats
from geceval.counting.policies import choose_optimal
from geceval.statistics.resampling import Keys, Whole, whole
from geceval.statistics.significance import count_extreme, randomisation_p, sampled_p
from geceval.statistics.threads import run_in_threads


def replicates_of(resampled: Resampled) -> Replicates:
    """Return the replicates of the whole corpus."""
    if not resampled.chosen_at_the_end:
        return Replicates(resampled, resampled.whole.sums)
    keys, counts = resampled.counts()
    # The references that maximise each system's score.
    best_rows = [own.chosen(choose_optimal(resampled.metric.figure, own)) for own in counts]
    sums = resampled.sums()
    sums.take(keys, whole(np.stack(best_rows, axis=1)))
    return Replicates(resampled, sums)


class Replicates:
    """Replicates of the scores of n systems, or of their runs, under a metric.

    Each sentence keeps its references. Sums are drawn in blocks of replicates, so memory does not depend on the number
    of samples.

    Attributes:
        observed: Scores [n] of the systems with the references of the replicates, which may differ from the official
            scores.
        differing: Number of sentences [pairs] on which the systems of each pair differ.
    """

    def __init__(self, resampled: Resampled, sums: Sums) -> None:
        self.resampled, self.sums, self.differing = resampled, sums, sums.differing
        self.totals = sums.total()
        self.observed = resampled.score_sums(self.totals)

    def bootstrap(self) -> Floats:
        """Return the scores [samples, n] of bootstrap samples."""
        score = self.resampled.score_sums
        blocks = self.sums.blocks("poisson")
        return np.concatenate([np.stack([score(own) for own in _by_system(block)], axis=1) for block in blocks])

    def p_values(self) -> list[tuple[float, bool]]:
        """Return p of each pair by randomisation, and whether it is exact."""
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

    def observed_gap(self, at: int) -> float:
        """Return the difference of the observed scores of pair ``at``."""
        a, b = self.resampled.pairs[at]
        return float(self.observed[a] - self.observed[b])

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


def _by_system(block: Whole) -> Whole:
    """Return the contiguous sums [n, r, C] of a block [r, n, C]."""
    return np.ascontiguousarray(block.transpose(1, 0, 2))
