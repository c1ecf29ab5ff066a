"""Net benefit of systems by the cost of a wrong edit, and the costs at which two systems change order.

The net benefit of a system at cost c is the sum over the sentences of max over references (TP - c FP): linear in c
between the costs at which a sentence changes its reference. All functions of c are therefore given by their values at
these costs (``grid``). Source: Vickers and Elkin (2006); docs/metrics/edits.md.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.ties import TOLERANCE
from geceval.counting.counts import Counts, Floats
from geceval.counting.metric import AnyMetric
from geceval.statistics.resampling import Keys, Whole

#: Highest cost of a wrong edit, in correct edits, up to which systems are compared.
HIGHEST = 20
#: Number of parts of a stretch of costs, of which only those where a difference may begin to be shown are searched.
CUTS = 64
#: Share by which an end of a range may differ between the halves of the replicates.
UNCERTAIN = 0.5
#: A range of costs.
Range: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Reversal:
    """Costs at which an annotator's references alone reverse an order that is shown with all references.

    Attributes:
        annotator: Number of the annotator, from 0.
        better: System with the higher net benefit by these references.
        costs: Ranges of costs.
    """

    annotator: int
    better: str
    costs: tuple[Range, ...]


@dataclass(frozen=True)
class BreakEven:
    """Order of two systems by the cost of a wrong edit.

    Attributes:
        a: Name of the first system.
        b: Name of the second system.
        a_better: Ranges of costs where ``a`` has the higher net benefit.
        b_better: Ranges of costs where ``b`` has the higher net benefit.
        undecided: Ranges of costs where the bootstrap interval of the difference contains 0: a confidence set of the
            costs at which the order changes.
        near_unchanged: Ranges of costs where the bootstrap interval of the higher net benefit contains 0, the one of
            the unchanged text; empty unless the order changes above the costs where a system is better than this.
        uncertain: Ends of these ranges that differ much between the two halves of the replicates; empty unless the
            order changes.
        reversals: Costs at which the order is shown, and the references of an annotator alone have the opposite one.
    """

    a: str
    b: str
    a_better: tuple[Range, ...]
    b_better: tuple[Range, ...]
    undecided: tuple[Range, ...]
    near_unchanged: tuple[Range, ...] = ()
    uncertain: tuple[float, ...] = ()
    reversals: tuple[Reversal, ...] = ()

    @property
    def is_shown(self) -> bool:
        """Whether a difference is shown at some cost."""
        return any(self.shown_costs.values())

    @property
    def shown_costs(self) -> dict[str, tuple[Range, ...]]:
        """Ranges of costs where each system is shown to have the higher net benefit."""
        decided = outside(self.undecided)
        return {name: _common(better, decided) for name, better in ((self.a, self.a_better), (self.b, self.b_better))}

    @property
    def crossings(self) -> list[float]:
        """The costs at which the order changes."""
        ranges = sorted([(*ends, "a") for ends in self.a_better] + [(*ends, "b") for ends in self.b_better])
        return [second[0] for first, second in itertools.pairwise(ranges) if first[2] != second[2]]


@dataclass(frozen=True)
class Decisions:
    """Net benefit of all systems under the edits of a metric.

    Attributes:
        costs: Costs of a wrong edit, from 0 to HIGHEST, between which net benefit is linear.
        curves: Net benefit, TP - cost · FP of all sentences, by system at these costs.
        pairs: Order of the tested pairs.
    """

    costs: tuple[float, ...]
    curves: Mapping[str, tuple[float, ...]]
    pairs: tuple[BreakEven, ...]

    def worth(self, system: str) -> float:
        """Return the cost up to which a system is not worse than the unchanged text, at most HIGHEST."""
        return _last_useful(*(np.array(numbers) for numbers in (self.curves[system], self.costs)))

    def useful_crossings(self, pair: BreakEven) -> list[float]:
        """Return the costs of a change of order at which a system of the pair is not worse than the unchanged text."""
        top = max(self.worth(pair.a), self.worth(pair.b))
        return [cost for cost in pair.crossings if cost <= top + TOLERANCE]


class OutcomeWeights(NamedTuple):
    """Weights [K] of the counts of right and of wrong edits."""

    right: NDArray[np.int64]
    wrong: NDArray[np.int64]


def outcome_weights(metric: AnyMetric) -> OutcomeWeights | None:
    """Return the columns of right and wrong edits; None for a metric that does not count edits, or weighs them.

    A metric without missed edits counts what a system leaves unchanged.
    """
    outcomes = metric.outcomes
    if not metric.takes_gold or metric.pool is not None or metric.constant is not None:
        return None
    if "missed" not in outcomes.columns.values():
        return None
    right, wrong = (
        np.array([outcomes.columns.get(column) == outcome for column in metric.columns], np.int64)
        for outcome in ("correct", "wrong")
    )
    return OutcomeWeights(right, wrong - outcomes.again * right) if right.any() and wrong.any() else None


@dataclass
class NetBenefits:
    """Right and wrong edits of n systems, by the reference that is best at each cost."""

    columns: OutcomeWeights
    #: Makes empty sums of replicates (resampled_counts.Sums).
    make_sums: Callable[[], Any]
    #: Sums [n, 2] of all sentences, by the references that are best at cost 0.
    cheapest: Any = field(init=False)
    #: Keys [V] and right and wrong edits [V, n, R, 2] of sentences whose best references depend on the cost.
    varying: list[tuple[Keys, Whole]] = field(default_factory=list)
    #: Right and wrong edits [n, R, 2] of all sentences by each reference alone.
    of_references: Whole | None = None

    def __post_init__(self) -> None:
        self.cheapest = self.make_sums()

    def add(self, counts: Sequence[Counts], keys: Keys) -> None:
        """Add the counts of all systems on sentences with keys [S]."""
        references = max(of_system.array.shape[1] for of_system in counts)
        edits = np.stack([self._edits(of_system, references) for of_system in counts], axis=1)
        cheapest, dearest = (_best(edits, cost) for cost in (0, HIGHEST))
        # A sentence's benefit is convex in the cost: a reference that is best at both ends is best between them.
        varies = (cheapest != dearest).any(axis=(1, 2))
        self.cheapest.take(keys, cheapest)
        self._add_of_references(edits.sum(axis=0))
        if varies.any():
            self.varying.append((keys[varies], edits[varies]))

    def merge(self, other: NetBenefits) -> None:
        """Add the sentences of another object."""
        self.cheapest.merge(other.cheapest)
        self.varying += other.varying
        if other.of_references is not None:
            self._add_of_references(other.of_references)

    def _add_of_references(self, sums: Whole) -> None:
        """Add sums [n, R, 2]; the last reference of a part without others is one of those, too."""
        if self.of_references is None:
            self.of_references = sums
            return
        size = max(self.of_references.shape[1], sums.shape[1])
        padded = [
            np.pad(values, ((0, 0), (0, size - values.shape[1]), (0, 0)), mode="edge")
            for values in (self.of_references, sums)
        ]
        self.of_references = padded[0] + padded[1]

    def _edits(self, counts: Counts, references: int) -> Whole:
        """Return right and wrong edits [S, references, 2]; a missing reference repeats the first that exists."""
        array, mask = counts.array, np.pad(counts.mask, ((0, 0), (0, references - counts.array.shape[1])))
        present = np.where(mask, np.arange(references), np.argmax(mask, axis=1)[:, np.newaxis])
        edits = np.stack([array @ self.columns.right, array @ self.columns.wrong], axis=-1)
        return np.take_along_axis(edits, present[..., np.newaxis], axis=1).astype(np.int64)

    def curves(self) -> tuple[Floats, Floats, Floats]:
        """Return the grid [G], and the net benefit [n, G] and of the replicates [B, n, G] at its costs."""
        references = max((edits.shape[2] for _, edits in self.varying), default=0)
        padding = [(edits, references - edits.shape[2]) for _, edits in self.varying]
        lines = [np.pad(edits, ((0, 0), (0, 0), (0, more), (0, 0)), mode="edge") for edits, more in padding]
        costs = {Fraction(0), Fraction(HIGHEST)}
        for edits in lines:
            costs |= _breakpoints(edits.reshape(-1, references, 2))
        grid = np.array([float(cost) for cost in sorted(costs)])
        changes = self.make_sums()
        for (keys, _), edits in zip(self.varying, lines, strict=True):
            at_costs = np.stack([_best(edits, cost) for cost in grid], axis=2)
            changes.take(keys, (at_costs - at_costs[:, :, :1]).reshape(*at_costs.shape[:2], -1))
        parts = [self.cheapest, changes] if self.varying else [self.cheapest]
        total = np.sum([_benefits(part.total(), grid) for part in parts], axis=0)
        blocks = [part.map_blocks("poisson", lambda _, sums: _benefits(sums, grid)) for part in parts]
        return grid, total, np.sum([np.concatenate(of_part) for of_part in blocks], axis=0)


def _best(edits: Whole, cost: float) -> Whole:
    """Return the edits [S, n, 2] by the best of R references; of equal ones, with fewest wrong edits."""
    benefit = edits[..., 0] - cost * edits[..., 1]
    fewest = np.where(benefit >= benefit.max(axis=-1, keepdims=True) - TOLERANCE, -edits[..., 1], -np.inf)
    choice = np.argmax(fewest, axis=-1)[..., np.newaxis, np.newaxis]
    return np.take_along_axis(edits, choice, axis=-2)[..., 0, :]


def _breakpoints(lines: Whole) -> set[Fraction]:
    """Return the costs between 0 and HIGHEST where the best of lines [V, R, 2] changes."""
    costs: set[Fraction] = set()
    for rows in np.unique(lines, axis=0).tolist():
        right, wrong = max(rows, key=lambda row: (row[0], -row[1]))
        while steps := [(Fraction(right - tp, wrong - fp), fp, tp) for tp, fp in rows if fp < wrong]:
            cost, wrong, right = min(steps)
            if cost >= HIGHEST:
                break
            costs.add(cost)
    return costs


def _benefits(sums: Whole, grid: Floats) -> Floats:
    """Return the net benefit [..., n, G] of sums [..., n, G · 2], or of sums [..., n, 2] that all costs share."""
    edits = sums.reshape(*sums.shape[:-1], -1, 2)
    return np.asarray(edits[..., 0] - edits[..., 1] * grid)


def decisions_of(
    benefits: NetBenefits,
    systems: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    alpha: float,
    decidable: Sequence[bool] | None = None,
) -> Decisions:
    """Return the curves of all systems, and the order of pairs of them, given as indices.

    ``decidable``: whether the test of a pair can show a difference (None: of each). An interval that excludes 0 shows
    none where it cannot: few sentences differ.
    """
    grid, totals, drawn = benefits.curves()
    replicates = np.ascontiguousarray(drawn.transpose(1, 2, 0))  # [n, G, B], whose differences are read by cost
    orders = []
    for (a, b), can_decide in zip(pairs, decidable or [True] * len(pairs), strict=True):
        positive, negative = better_ranges(totals[a] - totals[b], grid)
        differences = (replicates[a] - replicates[b]).T
        undecided = undecided_ranges(differences, grid, alpha) if can_decide else ((0.0, float(HIGHEST)),)
        pair = BreakEven(systems[a], systems[b], positive, negative, undecided)
        # Intervals of other pairs are not shown, and take most of the time.
        if pair.crossings:
            uncertain = [*_uncertain_ends(pair.undecided, differences, grid, alpha)]
            if pair.crossings[-1] > _last_useful(totals[[a, b]].max(axis=0), grid) + TOLERANCE:
                higher = np.maximum(replicates[a], replicates[b]).T
                pair = replace(pair, near_unchanged=undecided_ranges(higher, grid, alpha))
                uncertain += _uncertain_ends(pair.near_unchanged, higher, grid, alpha)
            pair = replace(pair, uncertain=tuple(uncertain))
        orders.append(replace(pair, reversals=tuple(_reversals(pair, benefits.of_references, a, b, grid))))
    curves = {name: tuple(values.tolist()) for name, values in zip(systems, totals, strict=True)}
    return Decisions(tuple(grid.tolist()), curves, tuple(orders))


def _uncertain_ends(ranges: Sequence[Range], values: Floats, grid: Floats, alpha: float) -> Iterator[float]:
    """Yield the ends of ranges that differ by more than UNCERTAIN of their size between the halves of replicates."""
    middle = len(values) // 2
    halves = [undecided_ranges(half, grid, alpha) for half in (values[:middle], values[middle:])]
    for place, end in ((place, ends[place]) for ends in ranges for place in (0, 1)):
        of_halves = [[ends[place] for ends in half] for half in halves]
        nearest = [min(ends, key=lambda other: abs(other - end), default=0) for ends in of_halves]
        if max(nearest) - min(nearest) > UNCERTAIN * max(nearest):
            yield end


def _reversals(pair: BreakEven, of_references: Whole | None, a: int, b: int, grid: Floats) -> Iterator[Reversal]:
    """Yield the references with which alone the order is the opposite one at a cost where the order is shown."""
    sums, shown_costs = np.zeros((0, 0, 2)) if of_references is None else of_references, pair.shown_costs
    for number in range(sums.shape[1] if sums.shape[1] > 1 else 0):
        of_a, of_b = (_benefits(sums[system, number], grid) for system in (a, b))
        b_better, a_better = better_ranges(of_b - of_a, grid)
        for better, ranges, worse in ((pair.a, a_better, pair.b), (pair.b, b_better, pair.a)):
            if costs := _common(ranges, shown_costs[worse]):
                yield Reversal(number, better, costs)


def _common(first: Sequence[Range], second: Sequence[Range]) -> tuple[Range, ...]:
    """Return the ranges that are in both."""
    common = ((max(low, start), min(high, end)) for (low, high), (start, end) in itertools.product(first, second))
    return tuple(sorted((low, high) for low, high in common if high - low > TOLERANCE))


def outside(ranges: Sequence[Range]) -> tuple[Range, ...]:
    """Return the ranges from 0 to HIGHEST that are in none of some sorted ranges."""
    ends = [0.0, *itertools.chain(*ranges), float(HIGHEST)]
    gaps = zip(ends[::2], ends[1::2], strict=True)
    return tuple((low, high) for low, high in gaps if high - low > TOLERANCE)


def positive_stretches(values: Floats, grid: Floats) -> tuple[Floats, Floats]:
    """Return where functions [B, G], linear on a grid, are above 0: starts [*] and ends [*] of stretches."""
    first, last, before, after = grid[:-1], grid[1:], values[:, :-1], values[:, 1:]
    above = values > TOLERANCE
    rises, falls = ~above[:, :-1] & above[:, 1:], above[:, :-1] & ~above[:, 1:]
    share = np.divide(before, before - after, out=np.zeros_like(before), where=rises | falls)
    root = first + np.clip(share, 0, 1) * (last - first)
    begin, end = (np.full(np.count_nonzero(above[:, place]), grid[place]) for place in (0, -1))
    return np.concatenate([begin, root[rises]]), np.concatenate([root[falls], end])


def _last_useful(benefits: Floats, grid: Floats) -> float:
    """Return the cost up to which net benefits [G] are not below those of the unchanged text."""
    return max((high for _, high in joined(*positive_stretches(benefits[np.newaxis], grid))), default=0.0)


def better_ranges(difference: Floats, grid: Floats) -> tuple[tuple[Range, ...], tuple[Range, ...]]:
    """Return the ranges where a difference [G] of net benefits is above 0, and below 0."""
    positive, negative = (joined(*positive_stretches(sign * difference[np.newaxis], grid)) for sign in (1, -1))
    return positive, negative


def undecided_ranges(differences: Floats, grid: Floats, alpha: float) -> tuple[Range, ...]:
    """Return the ranges where the percentile interval of differences [B, G] of net benefits contains 0."""
    enough = len(differences) - math.floor(round(len(differences) * alpha / 2, 9))
    by_cost = np.ascontiguousarray(differences.T)
    beyond = [by_cost > TOLERANCE, by_cost < -TOLERANCE]
    throughout = np.stack([signs[:-1] & signs[1:] for signs in beyond])
    somewhere = [np.count_nonzero(signs[:-1] | signs[1:], axis=1) for signs in beyond]
    fewest = np.count_nonzero(throughout, axis=2)
    is_decided, is_open = np.max(fewest, axis=0) >= enough, np.max(somewhere, axis=0) < enough
    points: list[float] = []
    opens: list[bool] = []
    for k, (low, high) in enumerate(itertools.pairwise(grid.tolist())):
        starts, states = [low], [bool(is_open[k])]
        if not (is_decided[k] or is_open[k]):
            changing = by_cost[k : k + 2, ~throughout[:, k].any(axis=0)].T
            starts, states = _openings(changing, (low, high), enough - fewest[:, k])
        points += starts
        opens += states
    turns = [point for point, before, after in zip(points, [False, *opens[:-1]], opens, strict=True) if before != after]
    turns += [float(grid[-1])] if opens[-1] else []
    return tuple(zip(turns[::2], turns[1::2], strict=True))


def _openings(differences: Floats, ends: Range, missing: NDArray[np.int64]) -> tuple[list[float], list[bool]]:
    """Return where stretches between two costs begin, and whether 0 is within the interval of the differences there.

    ``missing`` is the number of these differences [B, 2] above 0, and below 0, from which on it is not.
    """
    grid = np.array(ends)
    bounds = [[np.sort(costs) for costs in positive_stretches(sign * differences, grid)] for sign in (1, -1)]
    edges = np.linspace(*ends, CUTS + 1)
    before = np.array([[np.searchsorted(costs, edges, "right") for costs in of_sign] for of_sign in bounds])
    numbers, limit = before[:, 0] - before[:, 1], missing[:, np.newaxis]
    begun, ended = np.diff(before[:, 0]), np.diff(before[:, 1])
    is_open = np.all(numbers[:, :-1] + begun < limit, axis=0)
    is_decided = np.any(numbers[:, :-1] - ended >= limit, axis=0)
    points, states = [edges[:-1][is_open | is_decided]], [is_open[is_open | is_decided]]
    for k in np.flatnonzero(~(is_open | is_decided)).tolist():
        parts = [
            [costs[slice(*span)] for costs, span in zip(bounds[sign], before[sign, :, k : k + 2].tolist(), strict=True)]
            for sign in (0, 1)
        ]
        within = np.unique(np.concatenate([edges[k : k + 2], *parts[0], *parts[1]]))
        middles = (within[:-1] + within[1:]) / 2
        change = [np.searchsorted(starts, middles) - np.searchsorted(stops, middles) for starts, stops in parts]
        points.append(within[:-1])
        states.append(np.all(numbers[:, k, np.newaxis] + np.array(change) < limit, axis=0))
    in_order = np.argsort(starts := np.concatenate(points), kind="stable")
    starts, opens = starts[in_order], np.concatenate(states)[in_order]
    begins = np.append(0, np.flatnonzero(np.diff(opens)) + 1)
    return starts[begins].tolist(), opens[begins].tolist()


def joined(starts: Floats, ends: Floats) -> tuple[Range, ...]:
    """Return ranges in order, with adjacent ones joined."""
    ranges: list[Range] = []
    for start, end in sorted(zip(starts.tolist(), ends.tolist(), strict=True)):
        if ranges and start <= ranges[-1][1] + TOLERANCE:
            ranges[-1] = ranges[-1][0], end
        else:
            ranges.append((start, end))
    return tuple(ranges)
