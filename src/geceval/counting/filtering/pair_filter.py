"""Filters of pairs: conditions whose names stand for metrics and features."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import did_you_mean
from geceval.base.errors import GecevalWarning, UsageError
from geceval.counting.figure_names import NamedFigure, figure_named
from geceval.counting.filtering.conditions import Comparison, Condition, Flag, Junction, Not, fault, parse_condition
from geceval.counting.filtering.features import FEATURES, Feature, FeatureReader, find_feature
from geceval.counting.filtering.rules import Figure, Rule, can_hold, figures_in, holding, rule_of
from geceval.counting.metric_names import METRICS
from geceval.counting.sentence_scores import ScoredPart
from geceval.counting.stream import AnyMetric


@dataclass(frozen=True)
class PairFilter:
    """A condition on the pairs of a system. ``metrics``: all metrics of the run."""

    rule: Rule
    metrics: Sequence[AnyMetric]

    @staticmethod
    def of(text: str, metrics: Sequence[AnyMetric], make: Callable[[list[str]], Sequence[AnyMetric]]) -> PairFilter:
        """Return the filter of a condition.

        Args:
            text: The condition, such as ``green >= 90 and not identical``.
            metrics: The metrics of the run.
            make: Returns the metrics of specifications, for metrics that only the condition names.

        Raises:
            UsageError: The condition is malformed, has unknown names or wrong bounds, or no pair can pass it.
        """
        condition = parse_condition(text)
        figures = _figures(text, condition, metrics, make)
        _check_possible(text, condition, figures)
        rule = rule_of(condition, figures)
        named = [figure.metric for figure in figures_in(rule) if isinstance(figure, NamedFigure)]
        return PairFilter(rule, [*metrics, *(one for one in dict.fromkeys(named) if one not in metrics)])

    @property
    def features(self) -> list[Feature]:
        """The features of the condition."""
        return list(dict.fromkeys(figure for figure in figures_in(self.rule) if isinstance(figure, Feature)))

    @property
    def has_parts(self) -> bool:
        """Whether the condition is about parts of scores."""
        return any(isinstance(figure, NamedFigure) and figure.part for figure in figures_in(self.rule))

    def passing(self, part: ScoredPart, system: str, reader: FeatureReader) -> NDArray[np.intp]:
        """Return the places of the pairs of a part that pass."""

        @cache
        def values(figure: Figure) -> NDArray[np.float64]:
            if isinstance(figure, Feature):
                return reader.values(figure, part.corpus, system)
            figures = part.figures[system, figure.metric]
            return figure.metric.with_conventions({figure.part: figures[figure.part]})[figure.part]

        return np.flatnonzero(holding(self.rule, values))


# --- what names stand for ---


def _leaves(condition: Condition) -> Iterator[Comparison | Flag]:
    if isinstance(condition, Not):
        yield from _leaves(condition.condition)
    elif isinstance(condition, Junction):
        for one in condition.conditions:
            yield from _leaves(one)
    else:
        yield condition


def _figures(
    text: str, condition: Condition, metrics: Sequence[AnyMetric], make: Callable[[list[str]], Sequence[AnyMetric]]
) -> dict[str, Figure]:
    """Return the figures of a condition by name.

    Raises UsageError that shows the place of an unknown name or a wrong bound.
    """
    figures: dict[str, Figure] = {}
    run = list(metrics)
    for leaf in _leaves(condition):
        place = leaf.place if isinstance(leaf, Flag) else leaf.of_name
        try:
            figure = find_feature(leaf.name) or figure_named(leaf.name, run, make)
        except UsageError as error:
            raise fault(text, place, *_unknown(leaf.name, error)) from None
        if isinstance(figure, NamedFigure) and figure.metric not in run:
            run.append(figure.metric)
        figures[leaf.name] = figure
        _check_comparison(text, leaf, figure)
    return figures


def _unknown(name: str, error: UsageError) -> tuple[str, str | None]:
    """Return message and hint of the error for a name of no figure."""
    base = re.split("[:. ]", name)[0]
    if base in METRICS or base.lower() in FEATURES:
        return error.message, error.hint
    choices = f"choose from {', '.join(FEATURES)} and the metrics (geceval metrics lists them)"
    return f"unknown name {base!r}", did_you_mean(base, [*FEATURES, *METRICS.names()]) or choices


def _check_comparison(text: str, leaf: Comparison | Flag, figure: Figure) -> None:
    """Raise UsageError if a comparison or its bound does not suit the figure."""
    is_flag = isinstance(figure, Feature) and figure.is_flag
    if isinstance(leaf, Flag):
        if not is_flag:
            message = f"{leaf.name} is a number and needs a comparison"
            raise fault(text, leaf.place, message, f"such as: {leaf.name} >= {90 if figure.in_percent else 1}")
    elif is_flag:
        hint = f"write {leaf.name} or not {leaf.name}"
        raise fault(text, leaf.place, f"{leaf.name} is true or false and takes no comparison", hint)
    elif figure.in_percent and 0 < leaf.bound < 1:
        message = f"{leaf.name} is in points of 100"
        raise fault(text, leaf.of_bound, message, f"{(100 * leaf.bound).normalize():f}, not {leaf.bound}")


# --- conditions that nothing or everything passes ---


def _check_possible(text: str, condition: Condition, figures: Mapping[str, Figure]) -> None:
    """Raise UsageError if no pair can pass.

    Warns (GecevalWarning) of pieces of the condition that always or never hold.
    """
    if not can_hold(rule_of(condition, figures)):
        place, why = _reason(text, condition, figures)
        raise fault(text, place, "no pair can pass this condition", why)
    for piece, holds in _constants(condition, figures):
        shown = f"the condition {_written(text, piece)!r} {'always' if holds else 'never'} holds"
        warnings.warn(f"{shown}{_values(piece, figures)}", GecevalWarning, stacklevel=1)


def _constants(condition: Condition, figures: Mapping[str, Figure]) -> Iterator[tuple[Condition, bool]]:
    """Yield the largest pieces that always (True) or never hold."""
    for holds in (True, False):
        if not can_hold(rule_of(condition, figures, negated=holds)):
            yield condition, holds
            return
    inner = condition.conditions if isinstance(condition, Junction) else ()
    for piece in (condition.condition,) if isinstance(condition, Not) else inner:
        yield from _constants(piece, figures)


def _reason(text: str, condition: Condition, figures: Mapping[str, Figure]) -> tuple[tuple[int, int], str | None]:
    """Return the smallest piece that is found to be impossible, and why."""
    if isinstance(condition, Junction) and condition.joint == "and":
        rules = [rule_of(one, figures) for one in condition.conditions]
        for piece, rule in zip(condition.conditions, rules, strict=True):
            if not can_hold(rule):
                return _reason(text, piece, figures)
        for first, second in combinations(range(len(rules)), 2):
            if not can_hold(rules[first], rules[second]):
                own, other = condition.conditions[first], condition.conditions[second]
                place = own.place[0], other.place[1]
                return place, f"{_written(text, own)!r} and {_written(text, other)!r} exclude each other"
    return condition.place, _values(condition, figures).removeprefix(": ") or None


def _written(text: str, condition: Condition) -> str:
    return text[slice(*condition.place)]


def _values(condition: Condition, figures: Mapping[str, Figure]) -> str:
    """Return the limits of what a comparison compares, as the end of a message."""
    if not isinstance(condition, Comparison):
        return ""
    low, high = figures[condition.name].limits
    if np.isinf(high):
        kind = "a whole number" if figures[condition.name].is_whole else "a number"
        return f": {condition.name} is {kind}" + ("" if np.isinf(low) else f", at least {low:g}")
    return f": {condition.name} is between {low:g} and {high:g}"
