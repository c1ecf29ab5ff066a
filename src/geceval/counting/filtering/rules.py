"""Conditions as intervals of values, which decide whether any or all pairs pass."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.counting.figure_names import NamedFigure
from geceval.counting.filtering.conditions import Comparison, Condition, Junction, Not
from geceval.counting.filtering.features import Feature

#: A number of a pair, which a condition compares.
Figure: TypeAlias = NamedFigure | Feature
#: Steps after which the search for values that pass is given up.
MOST_STEPS = 2_000
_OPPOSITE = {"<": ">=", ">=": "<", "<=": ">", ">": "<=", "==": "!=", "!=": "=="}
_INFINITY = Decimal("Infinity")


@dataclass(frozen=True)
class Interval:
    """Values from ``low`` to ``high``; an open end is excluded."""

    low: Decimal = -_INFINITY
    high: Decimal = _INFINITY
    open_low: bool = False
    open_high: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether no value lies in it."""
        return self.low > self.high or (self.low == self.high and (self.open_low or self.open_high))

    def within(self, other: Interval) -> Interval:
        """Return the values that lie in both."""
        low, open_low = max((self.low, self.open_low), (other.low, other.open_low))
        high, closed_high = min((self.high, not self.open_high), (other.high, not other.open_high))
        return Interval(low, high, open_low, not closed_high)

    def of_whole_numbers(self) -> Interval:
        """Return the interval between the smallest and the largest whole number in it."""
        low, high = self.low, self.high
        if low.is_finite():
            low = Decimal(math.floor(low) + 1 if self.open_low else math.ceil(low))
        if high.is_finite():
            high = Decimal(math.ceil(high) - 1 if self.open_high else math.floor(high))
        return Interval(low, high)

    def holds(self, values: NDArray[Any], scale: int) -> NDArray[np.bool_]:
        """Return which raw values lie in it; NaN does not.

        ``scale`` is the factor from raw values to values of the interval.
        """
        low, high = float(self.low / scale), float(self.high / scale)
        above = values > low if self.open_low else values >= low
        below = values < high if self.open_high else values <= high
        found: NDArray[np.bool_] = above & below
        return found


@dataclass(frozen=True)
class Within:
    """A figure lies in an interval."""

    figure: Figure
    interval: Interval


@dataclass(frozen=True)
class Every:
    """All of the rules hold."""

    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class Either:
    """At least one of the rules holds."""

    rules: tuple[Rule, ...]


#: Choices that are left, and the values of figures so far.
_Narrowed: TypeAlias = "tuple[list[Either], dict[Figure, Interval]]"
#: A condition without ``not``: a comparison with a value that is not a number is neither true nor, negated, false.
Rule: TypeAlias = "Within | Every | Either"


def rule_of(condition: Condition, figures: Mapping[str, Figure], *, negated: bool = False) -> Rule:
    """Return the rule of a condition, or of its negation, given the figures by name."""
    if isinstance(condition, Not):
        return rule_of(condition.condition, figures, negated=not negated)
    if isinstance(condition, Junction):
        rules = tuple(rule_of(one, figures, negated=negated) for one in condition.conditions)
        return Every(rules) if (condition.joint == "and") != negated else Either(rules)
    figure = figures[condition.name]
    order, bound = (condition.order, condition.bound) if isinstance(condition, Comparison) else ("==", Decimal(1))
    intervals = _intervals(_OPPOSITE[order] if negated else order, bound)
    if figure.is_whole:
        intervals = [interval.of_whole_numbers() for interval in intervals]
    rules = tuple(Within(figure, interval) for interval in intervals)
    return rules[0] if len(rules) == 1 else Either(rules)


def _intervals(order: str, bound: Decimal) -> list[Interval]:
    """Return the values that are in this order with a bound."""
    below, above = Interval(high=bound, open_high="=" not in order), Interval(low=bound, open_low="=" not in order)
    if order == "==":
        return [Interval(bound, bound)]
    if order == "!=":
        return [Interval(high=bound, open_high=True), Interval(low=bound, open_low=True)]
    return [below if order[0] == "<" else above]


def holding(rule: Rule, values: Callable[[Figure], NDArray[Any]]) -> NDArray[np.bool_]:
    """Return for which pairs [S] a rule holds, given the raw values [S] of figures."""
    if isinstance(rule, Within):
        return rule.interval.holds(values(rule.figure), rule.figure.scale)
    parts = [holding(one, values) for one in rule.rules]
    found: NDArray[np.bool_] = (np.logical_and if isinstance(rule, Every) else np.logical_or).reduce(parts)
    return found


def figures_in(rule: Rule) -> Iterator[Figure]:
    """Yield the figures of a rule, in order."""
    if isinstance(rule, Within):
        yield rule.figure
    else:
        for one in rule.rules:
            yield from figures_in(one)


def can_hold(*rules: Rule) -> bool:
    """Return whether there are values of the figures with which all rules hold.

    Figures are taken as independent of each other. True also if the search takes too many steps.
    """
    waiting: list[tuple[list[Rule], dict[Figure, Interval]]] = [(list(rules), {})]
    for _ in range(MOST_STEPS):
        if not waiting:
            return False
        goals, box = waiting.pop()
        ends = _narrowed(goals, box)
        if ends is None:
            continue
        choices, box = ends
        if not choices:
            return True
        first, *rest = choices
        waiting += [([one, *rest], box) for one in reversed(first.rules)]
    return True


def _narrowed(goals: Sequence[Rule], box: Mapping[Figure, Interval]) -> _Narrowed | None:
    """Return the choices that are left and the values that all other goals allow.

    None if the goals allow no value.
    """
    left, narrow = list(goals), dict(box)
    choices: list[Either] = []
    while left:
        goal = left.pop()
        if isinstance(goal, Every):
            left += goal.rules
        elif isinstance(goal, Either):
            choices.append(goal)
        else:
            figure = goal.figure
            low, high = figure.limits
            now = narrow.get(figure, Interval(Decimal(low), Decimal(high))).within(goal.interval)
            if now.is_empty:
                return None
            narrow[figure] = now
    return choices, narrow
