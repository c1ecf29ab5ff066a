"""Filters of pairs: conditions whose names stand for metrics and features."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import did_you_mean
from geceval.base.errors import UsageError
from geceval.corpora.conditions import Comparison, Condition, Flag, Junction, Not, fault, parse_condition
from geceval.corpora.pair_features import FEATURES, Feature, FeatureReader, find_feature
from geceval.counting.metric_names import METRICS
from geceval.counting.stream import AnyMetric
from geceval.scoring.evaluation import NamedFigure, figure_named
from geceval.scoring.sentence_rows import ScoredPart

#: A number of a pair, which a condition compares.
Figure: TypeAlias = NamedFigure | Feature
#: Comparisons, none of which holds for NaN.
_COMPARE: Mapping[str, Callable[[NDArray[Any], float], NDArray[np.bool_]]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": lambda values, bound: (values < bound) | (values > bound),
}
_OPPOSITE = {"<": ">=", ">=": "<", "<=": ">", ">": "<=", "==": "!=", "!=": "=="}


@dataclass(frozen=True)
class PairFilter:
    """A condition on the pairs of a system.

    ``figures``: the figures of the condition by name. ``metrics``: all metrics of the run.
    """

    condition: Condition
    figures: Mapping[str, Figure]
    metrics: Sequence[AnyMetric]

    @staticmethod
    def of(text: str, metrics: Sequence[AnyMetric], make: Callable[[list[str]], Sequence[AnyMetric]]) -> PairFilter:
        """Return the filter of a condition.

        Args:
            text: The condition, such as ``green >= 90 and not identical``.
            metrics: The metrics of the run.
            make: Returns the metrics of specifications, for metrics that only the condition names.

        Raises:
            UsageError: The condition is malformed, or has unknown names or wrong bounds.
        """
        condition = parse_condition(text)
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
        return PairFilter(condition, figures, run)

    @property
    def features(self) -> list[Feature]:
        """The features of the condition."""
        return list(dict.fromkeys(figure for figure in self.figures.values() if isinstance(figure, Feature)))

    @property
    def has_parts(self) -> bool:
        """Whether the condition is about parts of scores."""
        return any(isinstance(figure, NamedFigure) and figure.part for figure in self.figures.values())

    def passing(self, part: ScoredPart, system: str, reader: FeatureReader) -> NDArray[np.intp]:
        """Return the places of the pairs of a part that pass."""

        @cache
        def values(figure: Figure) -> NDArray[np.float64]:
            if isinstance(figure, Feature):
                return reader.values(figure, part.corpus, system)
            figures = part.figures[system, figure.metric]
            return figure.metric.scale.with_conventions({figure.part: figures[figure.part]})[figure.part]

        return np.flatnonzero(holding(self.condition, self.figures, values))


def holding(
    condition: Condition,
    figures: Mapping[str, Figure],
    values: Callable[[Figure], NDArray[Any]],
    *,
    negated: bool = False,
) -> NDArray[np.bool_]:
    """Return for which pairs [S] a condition, or its negation, holds.

    A comparison with NaN is neither true nor, negated, true.

    Args:
        condition: The condition.
        figures: Its figures by name.
        values: Returns the raw values [S] of a figure.
        negated: Whether the negation must hold.
    """
    if isinstance(condition, Not):
        return holding(condition.condition, figures, values, negated=not negated)
    if isinstance(condition, Junction):
        parts = [holding(inner, figures, values, negated=negated) for inner in condition.conditions]
        combine = np.logical_and if (condition.joint == "and") != negated else np.logical_or
        holds: NDArray[np.bool_] = combine.reduce(parts)
        return holds
    figure = figures[condition.name]
    order, bound = (condition.order, condition.bound) if isinstance(condition, Comparison) else ("==", Decimal(1))
    # Divided as decimals: 57.99 points are the float 0.5799, which 57.99 / 100 is not.
    return _COMPARE[_OPPOSITE[order] if negated else order](values(figure), float(bound / figure.scale))


# --- what names stand for ---


def _leaves(condition: Condition) -> Iterator[Comparison | Flag]:
    if isinstance(condition, Not):
        yield from _leaves(condition.condition)
    elif isinstance(condition, Junction):
        for one in condition.conditions:
            yield from _leaves(one)
    else:
        yield condition


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
        place = leaf.of_name[0], leaf.of_bound[1]
        raise fault(text, place, f"{leaf.name} is true or false and takes no comparison", hint)
    elif figure.in_percent and 0 < leaf.bound < 1:
        message = f"{leaf.name} is in points of 100"
        raise fault(text, leaf.of_bound, message, f"{(100 * leaf.bound).normalize():f}, not {leaf.bound}")
