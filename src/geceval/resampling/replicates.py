"""Replicates of scores, of means over repeated runs, and of differences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import resampling_weights
from geceval.base.ties import TOLERANCE
from geceval.counting.counts import Floats
from geceval.counting.policies import Optimum
from geceval.resampling.repeated_runs import RunVariances, Variance
from geceval.resampling.resampled_counts import Resampled
from geceval.resampling.sentence_groups import Group
from geceval.resampling.system_counts import means
from geceval.resampling.weighted_sums import Pair, Sums
from geceval.statistics.intervals import deviation_of
from geceval.statistics.resampling import Keys, Whole, as_integers, exact_floats, weighted_sums
from geceval.statistics.significance import count_extreme, randomisation_p, sampled_p

#: Fewest sentences or blocks whose differences are close enough to a normal distribution.
MANY_UNITS = 500


def replicates_of(resampled: Resampled) -> Replicates:
    """Return the replicates of the whole corpus."""
    if not resampled.chosen_at_the_end:
        return Replicates(resampled, resampled.all_sentences.sums)
    keys, counts = resampled.counts()
    # The references that maximise each system's score.
    figure = resampled.metric.figure
    best_rows = [of_system.chosen(Optimum().choices(figure, of_system)[0]) for of_system in counts]
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
        return np.concatenate(self.sums.map_blocks("poisson", lambda _, sums: self.resampled.score_sums(sums)))

    def empty(self) -> Floats:
        """Return the share [n] of bootstrap samples in which nothing is counted."""
        blocks = self.sums.map_blocks("poisson", lambda _, sums: (~sums.any(axis=-1)).sum(axis=0))
        return np.asarray(np.sum(blocks, axis=0) / self.resampled.options.number_of("poisson"))

    def p_values(self) -> list[tuple[float, bool]]:
        """Return p of each pair by randomisation, and whether it is exact."""
        samples, few, pairs = self.resampled.options.samples, self.sums.differing_rows, self.resampled.pairs
        results = {
            pair: (self._exact_p(pair, *rows), True) for pair, rows in zip(pairs, few, strict=True) if rows is not None
        }
        sampled = [pair for pair in pairs if pair not in results]
        if sampled:
            blocks = self.sums.map_blocks("swap", lambda _, sums: self._count_extreme(sampled, sums))
            beyond = np.sum(blocks, axis=0).tolist()
            results |= {pair: (sampled_p(count, samples), False) for pair, count in zip(sampled, beyond, strict=True)}
        return [results[pair] for pair in pairs]

    def _exact_p(self, pair: Pair, keys: Keys, rows: Whole) -> float:
        units, numbers = np.unique(keys, return_inverse=True)
        flat = rows.reshape(len(rows), -1) if len(rows) else np.zeros((0, 2 * self.totals.shape[1]), np.int64)
        count = 1 << len(units)
        weights = resampling_weights(numbers.astype(np.uint64), "labelling", 0, count)
        moved = weighted_sums(weights, exact_floats(flat)).reshape(count, 2, -1)
        differences = self._swapped(*pair, moved[:, 1] - moved[:, 0])
        return randomisation_p(differences, float(figure_of(self.observed, pair)), exact=True)

    def _count_extreme(self, pairs: Sequence[Pair], sums: Whole) -> NDArray[np.int64]:
        """Return the number [pairs] of replicates that are at least as extreme as the observed differences.

        ``sums`` [r, n, C] belong to the sentences whose labels are swapped.
        """
        formula, (first, second) = self.resampled.metric.tested_formula, np.array(list(zip(*pairs, strict=True)))
        observed = self.observed[first] - self.observed[second]
        if formula is None:
            differences = [self._swapped(a, b, sums[:, b] - sums[:, a]) for a, b in pairs]
            return count_extreme(np.stack(differences, axis=-1), observed)
        totals, exchanged = map(self.resampled.as_counts, (self.totals, sums))
        return formula.count_extreme(totals, exchanged, first, second, observed, TOLERANCE)

    def _swapped(self, a: int, b: int, exchanged: Whole) -> Floats:
        """Return the differences [r] of two systems that exchange these counts [r, C]."""
        score = self.resampled.score_sums
        return score(self.totals[a] + exchanged) - score(self.totals[b] - exchanged)


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

    Attributes:
        metric: Name of the metric.
        label: Label of the group; None for the whole corpus.
        resampled: Resampled counts of the metric.
        group: Sums of the sentences.
        run_values: Official scores of all runs; a system without repeated runs is its only run.
        drawn: Replicates of the scores.
        is_normal: Whether intervals and tests are those of a normal distribution with the bootstrap's standard error.
    """

    metric: str
    label: str | None
    resampled: Resampled
    group: Group
    run_values: Floats
    drawn: Replicates
    is_normal: bool = False

    @cached_property
    def values(self) -> Floats:
        """Official scores [n] of the systems, means over their runs."""
        return means(self.run_values, self.resampled.members)

    @property
    def units(self) -> int:
        """Number of sentences, or of blocks of them, that are resampled, and at most of those that count."""
        return min(self.counted, self.resampled.number_of_units)

    @cached_property
    def counted(self) -> int:
        """Number of sentences that the metric counts, of the system with the fewest."""
        metric, totals = self.resampled.metric, self.resampled.as_counts(self.drawn.totals)
        if "sentences" not in metric.scale.plain_parts:
            return self.group.sentences
        return int(np.min(metric.parts(totals.reshape(-1, self.resampled.columns))["sentences"]))

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
            low = float(np.fmin.reduce(replicates, axis=None, initial=0.0))  # fmin and fmax leave out NaN
        if metric.scale.in_percent and not math.isfinite(high):
            high = float(np.fmax.reduce(replicates, axis=None, initial=1.0))
        return low, high

    @property
    def width(self) -> float:
        """Largest difference of two scores."""
        return self.bounds[1] - self.bounds[0]

    @cached_property
    def replicates(self) -> Floats:
        """Scores [B, n] of the bootstrap samples of sentences, means over runs."""
        return np.asfortranarray(means(self._of_runs, self.resampled.members))  # read by system

    @cached_property
    def _of_members(self) -> RunVariances:
        return RunVariances(self.drawn.observed, self._of_runs, self.resampled.members)

    def variance(self, *systems: int) -> Variance | None:
        """Return the variance of a system's score or of a difference; None for percentiles of the replicates."""
        if self.resampled.options.runs:
            return self._of_members.of(*systems)
        return Variance(deviation_of(figure_of(self.replicates, systems)) ** 2) if self.is_normal else None


def figure_of(scores: Floats, systems: Sequence[int]) -> Any:
    """Return the scores [...] of a system, or the differences of two systems, from scores [..., n]."""
    return scores[..., systems[0]] - (scores[..., systems[1]] if len(systems) > 1 else 0)


def levels(name: str, resampled: Resampled) -> Iterator[Level]:
    """Yield the whole corpus, then its groups.

    A system that is absent from a group gets the score of zero counts. Groups in which no system has a score are left
    out, and groups whose score the counts of a system do not determine.
    """
    drawn = replicates_of(resampled)
    yield Level(name, None, resampled, resampled.all_sentences, resampled.official_scores(), drawn)
    for label, (group, scores) in resampled.grouped().items():
        drawn = Replicates(resampled, group.sums)
        systems = zip(resampled.systems, drawn.observed.tolist(), strict=True)
        defined = [scores[system].value if system in scores else observed for system, observed in systems]
        values = np.array(defined, np.float64)  # None becomes NaN
        if None not in defined and not np.isnan(values).all():
            yield Level(name, str(label), resampled, group, values, drawn)


def annotator_levels(name: str, resampled: Resampled) -> list[Level]:
    """Return the whole corpus with the references of each annotator alone.

    It is empty if a sentence lacks an annotator's reference, or if the metric needs all references together.
    """
    # Tests of all pairs by randomisation for each annotator would multiply the time of a comparison.
    is_normal = resampled.number_of_units >= MANY_UNITS
    drawn = [Replicates(resampled, group.sums) for group in resampled.annotators.groups]
    return [
        Level(name, None, resampled, group, replicates.observed, replicates, is_normal)
        for group, replicates in zip(resampled.annotators.groups, drawn, strict=True)
    ]
