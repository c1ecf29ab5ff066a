"""Replicates of scores, of means over repeated runs, and of differences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from geceval._kernel import resampled_sums
from geceval.comparison.repeated_runs import RunVariances
from geceval.comparison.resampled_counts import Group, Resampled, Sums, means
from geceval.counting.counts import Floats
from geceval.counting.policies import choose_optimal
from geceval.statistics.resampling import Keys, Whole, as_integers
from geceval.statistics.significance import count_extreme, randomisation_p, sampled_p
from geceval.statistics.sums import run_in_threads


def replicates_of(resampled: Resampled) -> Replicates:
    """Return the replicates of the whole corpus."""
    if not resampled.chosen_at_the_end:
        return Replicates(resampled, resampled.all_sentences.sums)
    keys, counts = resampled.counts()
    # The references that maximise each system's score.
    best_rows = [of_system.chosen(choose_optimal(resampled.metric.figure, of_system)) for of_system in counts]
    sums = resampled.sums()
    sums.take(keys, as_integers(np.stack(best_rows, axis=1)))
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
        return np.concatenate([np.stack([score(sums) for sums in _by_system(block)], axis=1) for block in blocks])

    def p_values(self) -> list[tuple[float, bool]]:
        """Return p of each pair by randomisation, and whether it is exact."""
        options, small = self.resampled.options, self.sums.few
        results = {pair: (self._exact_p(pair, *rows), True) for pair, rows in enumerate(small) if rows is not None}
        sampled = [pair for pair, rows in enumerate(small) if rows is None]
        beyond = np.zeros(len(sampled), np.int64)
        for block in self.sums.blocks("swap") if sampled else ():
            count = partial(self._count_extreme, sampled, _by_system(block))
            beyond += run_in_threads(count, len(sampled), options.threads)
        for pair, extreme in zip(sampled, beyond.tolist(), strict=True):
            results[pair] = sampled_p(extreme, options.samples), False
        return [results[pair] for pair in range(len(small))]

    def observed_gap(self, pair: int) -> float:
        """Return the difference of the observed scores of pair ``at``."""
        a, b = self.resampled.pairs[pair]
        return float(self.observed[a] - self.observed[b])

    def _exact_p(self, pair: int, keys: Keys, rows: Whole) -> float:
        units, numbers = np.unique(keys, return_inverse=True)
        flat = rows.reshape(len(rows), -1) if len(rows) else np.zeros((0, 2 * self.totals.shape[1]), np.int64)
        count = 1 << len(units)
        moved = resampled_sums(flat, numbers.astype(np.uint64), "labelling", 0, count, 0, 0).reshape(count, 2, -1)
        return randomisation_p(self._swapped(pair, moved[:, 1] - moved[:, 0]), self.observed_gap(pair), exact=True)

    def _count_extreme(self, pairs: Sequence[int], sums: Whole, number: int) -> int:
        """Count the extreme replicates of one of the pairs.

        ``sums`` [n, r, C] belong to the swapped sentences.
        """
        pair = pairs[number]
        a, b = self.resampled.pairs[pair]
        return count_extreme(self._swapped(pair, sums[b] - sums[a]), self.observed_gap(pair))

    def _swapped(self, pair: int, exchanged: Whole) -> Floats:
        """Return the differences [r] of a pair that exchanges these counts [r, C]."""
        (a, b), score = self.resampled.pairs[pair], self.resampled.score_sums
        return score(self.totals[a] + exchanged) - score(self.totals[b] - exchanged)


def _by_system(block: Whole) -> Whole:
    """Return the contiguous sums [n, r, C] of a block [r, n, C]."""
    return np.ascontiguousarray(block.transpose(1, 0, 2))


def add_within(score: float, deviation: float, bounds: tuple[float, float]) -> float:
    """Return a score plus a deviation on a scale that ends at the bounds.

    A score m moves by d to m + (b − m) tanh(d / (b − m)), where b is the bound in the direction of d: by d where the
    bound is far, and never beyond it.
    """
    room = bounds[1] - score if deviation > 0 else score - bounds[0]
    if math.isinf(room):
        return score + deviation
    moved = score + room * math.tanh(deviation / room) if room > 0 else score
    return min(max(moved, bounds[0]), bounds[1])  # the sum may be rounded beyond the bound


def carry_within(bound: float, observed: float, value: float, bounds: tuple[float, float]) -> float:
    """Return a bound of an interval around ``observed``, carried to ``value``.

    The range on either side of ``observed`` is stretched to the range on this side of ``value``; without a smallest or
    largest score, the bound is shifted.
    """
    edge = bounds[0] if bound < observed else bounds[1]
    if value == observed or not math.isfinite(edge) or edge == observed:
        return bound + (value - observed)
    return edge + (bound - edge) * (value - edge) / (observed - edge)


@dataclass(frozen=True)
class Level:
    """The whole corpus or a group under a metric.

    ``run_values`` are the official scores of all runs; a system without repeated runs is its only run.
    """

    metric: str
    label: str | None
    resampled: Resampled
    group: Group
    run_values: Floats
    drawn: Replicates

    @cached_property
    def values(self) -> Floats:
        """Official scores [n] of the systems, means over their runs."""
        return means(self.run_values, self.resampled.members)

    @cached_property
    def observed(self) -> Floats:
        """Scores [n] with the references of the replicates."""
        return means(self.drawn.observed, self.resampled.members)

    @cached_property
    def _of_runs(self) -> Floats:
        return self.drawn.bootstrap()

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """Smallest and largest score.

        A score in per cent without a stated one ends at 0 and 100, unless a sample is beyond.
        """
        metric, replicates = self.resampled.metric, self._of_runs
        low, high = metric.scale.low, metric.scale.high
        if metric.scale.in_percent and not math.isfinite(low):
            low = float(np.nanmin(replicates, initial=0.0))
        if metric.scale.in_percent and not math.isfinite(high):
            high = float(np.nanmax(replicates, initial=1.0))
        return low, high

    @property
    def width(self) -> float:
        """Largest difference of two scores."""
        return self.bounds[1] - self.bounds[0]

    @cached_property
    def replicates(self) -> Floats:
        """Scores [B, n] of the bootstrap samples of sentences, means over runs."""
        return means(self._of_runs, self.resampled.members)

    @cached_property
    def variances(self) -> RunVariances | None:
        """Variances over sentences and runs, if a system has several runs."""
        if not self.resampled.options.runs:
            return None
        return RunVariances(self.drawn.observed, self._of_runs, self.resampled.members)


def levels(name: str, resampled: Resampled) -> Iterator[Level]:
    """Yield the whole corpus, then its groups.

    A system that is absent from a group gets the score of zero counts.
    """
    yield Level(name, None, resampled, resampled.all_sentences, resampled.official_scores(), replicates_of(resampled))
    for label, (group, scores) in resampled.grouped().items():
        drawn = Replicates(resampled, group.sums)
        systems = zip(resampled.systems, drawn.observed.tolist(), strict=True)
        defined = [scores[system].value if system in scores else observed for system, observed in systems]
        values = np.array(defined, np.float64)  # None, an undefined score, becomes NaN
        if not np.isnan(values).any():
            yield Level(name, str(label), resampled, group, values, drawn)
