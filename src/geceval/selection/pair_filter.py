"""Conditions on the scores, features and columns of pairs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import choices, did_you_mean, shown
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import AnyHint
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_classes import METRICS
from geceval.results.named_figures import NamedFigure, figure_named
from geceval.results.sentence_rows import ScoredPart, text_of_cell
from geceval.selection.conditions import (
    ComparisonNode,
    Condition,
    Flag,
    Junction,
    Not,
    condition_error,
    parse_condition,
)
from geceval.selection.pair_features import FEATURES, Feature, FeatureReader, find_feature
from geceval.text.frames import plain_values

#: A number of a pair, which a condition compares.
PairFigure: TypeAlias = "NamedFigure | Feature | ColumnFigure"
#: Comparisons; none of them holds for NaN.
_COMPARE: Mapping[str, Callable[[NDArray[Any], float], NDArray[np.bool_]]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": lambda values, bound: (values < bound) | (values > bound),
}
#: Cells of the user's table, by column.
Cells: TypeAlias = Sequence[Sequence[Any]]
_OPPOSITE = {"<": ">=", ">=": "<", "<=": ">", ">": "<=", "==": "!=", "!=": "=="}


@dataclass(frozen=True)
class ColumnFigure:
    """A column of the user's table, compared with numbers or with texts."""

    name: str
    index: int

    scale: ClassVar[int] = 1
    in_percent: ClassVar[bool] = False

    def numbers(self, values: NDArray[Any], first: int) -> NDArray[np.float64]:
        """Return cells as numbers; empty cells are NaN.

        Raises:
            InputError: A cell is not a number.
        """
        numbers = np.full(len(values), np.nan)
        for index, value in enumerate(values):
            if value is None or value == "":
                continue
            try:
                numbers[index] = float(value)
            except (TypeError, ValueError):
                message = f"sentence {first + index + 1}: {self.name} is not a number: {shown(value)}"
                raise InputError(message, hint=f'put a text value in quotes: {self.name} == "{value}"') from None
        return numbers


@dataclass(frozen=True)
class PairFilter:
    """A condition on the pairs of a system.

    Attributes:
        condition: The condition.
        figures: The figures of the condition by name.
        metrics: All metrics of the run.
    """

    condition: Condition
    figures: Mapping[str, PairFigure]
    metrics: Sequence[AnyMetric]

    @staticmethod
    def of(
        text: str,
        metrics: Sequence[AnyMetric],
        make: Callable[[list[str]], Sequence[AnyMetric]],
        table: Sequence[str] = (),
    ) -> PairFilter:
        """Return the filter of a condition.

        Args:
            text: The condition, such as ``green >= 90 and not identical``.
            metrics: The metrics of the run.
            make: Returns the metrics of specifications, for metrics that only the condition names.
            table: Names of the columns of the user's table; features and metrics precede them.

        Raises:
            UsageError: The condition is malformed, or has unknown names or wrong bounds.
        """
        condition = parse_condition(text)
        figures: dict[str, PairFigure] = {}
        run = list(metrics)
        for leaf in _leaves(condition):
            figure: PairFigure
            try:
                figure = find_feature(leaf.name) or figure_named(leaf.name, run, make)
            except UsageError as error:
                if leaf.name not in table:
                    raise condition_error(text, leaf.name_span, *_unknown_name(leaf.name, error, table)) from None
                figure = ColumnFigure(leaf.name, list(table).index(leaf.name))
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
    def conditional_metrics(self) -> list[AnyMetric]:
        """The metrics of the condition."""
        return list(dict.fromkeys(figure.metric for figure in self.figures.values() if isinstance(figure, NamedFigure)))

    @property
    def has_parts(self) -> bool:
        """Whether the condition is about parts of scores."""
        return any(isinstance(figure, NamedFigure) and figure.part for figure in self.figures.values())

    def passing(self, part: ScoredPart, system: str, reader: FeatureReader, cells: Cells = ()) -> NDArray[np.intp]:
        """Return the indices of the pairs of a part that meet the condition.

        ``cells`` are those of the user's table.
        """

        @cache
        def values(figure: PairFigure) -> NDArray[Any]:
            if isinstance(figure, ColumnFigure):
                return np.array([[value] for value in plain_values(cells[figure.index])], object)[:, 0]
            if isinstance(figure, Feature):
                return reader.values(figure, part.corpus, system)
            scores = part.figures[system, figure.metric][figure.part]
            return figure.metric.scale.with_conventions({figure.part: scores})[figure.part]

        return np.flatnonzero(evaluate_condition(self.condition, self.figures, values, first=part.corpus.first))


def evaluate_condition(
    condition: Condition,
    figures: Mapping[str, PairFigure],
    values: Callable[[PairFigure], NDArray[Any]],
    *,
    negated: bool = False,
    first: int = 0,
) -> NDArray[np.bool_]:
    """Return for which pairs [S] a condition, or its negation, holds.

    For NaN, neither a comparison nor its negation holds.

    Args:
        condition: The condition.
        figures: Its figures by name.
        values: Returns the raw values [S] of a figure.
        negated: Whether the negation must hold.
        first: Number of pairs before these, for messages.
    """
    if isinstance(condition, Not):
        return evaluate_condition(condition.condition, figures, values, negated=not negated, first=first)
    if isinstance(condition, Junction):
        parts = [
            evaluate_condition(part, figures, values, negated=negated, first=first) for part in condition.conditions
        ]
        combine = np.logical_and if (condition.joint == "and") != negated else np.logical_or
        holds: NDArray[np.bool_] = combine.reduce(parts)
        return holds
    figure = figures[condition.name]
    order, bound = (condition.order, condition.bound) if isinstance(condition, ComparisonNode) else ("==", Decimal(1))
    raw = values(figure)
    if isinstance(bound, str):
        equal = np.array([text_of_cell(value) == bound for value in raw], bool)
        return equal if (order == "==") != negated else ~equal
    if isinstance(figure, ColumnFigure):
        raw = figure.numbers(raw, first)
    # Decimals are divided since float(57.99) / 100 differs from 0.5799.
    return _COMPARE[_OPPOSITE[order] if negated else order](raw, float(bound / figure.scale))


# --- figures of a condition ---


def _leaves(condition: Condition) -> Iterator[ComparisonNode | Flag]:
    if isinstance(condition, Not):
        yield from _leaves(condition.condition)
    elif isinstance(condition, Junction):
        for part in condition.conditions:
            yield from _leaves(part)
    else:
        yield condition


def _unknown_name(name: str, error: UsageError, table: Sequence[str]) -> tuple[str, AnyHint | None]:
    """Return message and hint of the error for the name of an unknown figure."""
    base = re.split("[:. ]", name)[0]
    if base in METRICS or base.lower() in FEATURES:
        return error.message, error.hint
    base = name if base in table else base
    figures = ", ".join([*FEATURES, *([choices(table)] if table else [])])
    hint = f"choose from {figures} and the metrics (geceval metrics lists them)"
    return f"unknown name {base!r}", did_you_mean(base, [*FEATURES, *table, *METRICS.names()]) or hint


def _check_comparison(text: str, leaf: ComparisonNode | Flag, figure: PairFigure) -> None:
    """Raise UsageError if a comparison or its bound does not suit the figure."""
    is_flag = isinstance(figure, Feature) and figure.is_flag
    if isinstance(leaf, Flag):
        if not is_flag:
            is_column = isinstance(figure, ColumnFigure)
            message = f"{leaf.name} is a {'column' if is_column else 'number'} and needs a comparison"
            hint = f"such as: {leaf.name} >= {90 if figure.in_percent else 1}"
            hint += f' or {leaf.name} == "text"' if is_column else ""
            raise condition_error(text, leaf.name_span, message, hint)
    elif is_flag:
        hint = f"write {leaf.name} or not {leaf.name}"
        span = leaf.name_span[0], leaf.bound_span[1]
        raise condition_error(text, span, f"{leaf.name} is true or false and takes no comparison", hint)
    elif isinstance(leaf.bound, str):
        if not isinstance(figure, ColumnFigure):
            raise condition_error(text, leaf.bound_span, f"{leaf.name} is a number and cannot be compared with text")
        if leaf.order not in ("==", "!="):
            raise condition_error(text, leaf.bound_span, "text can only be compared by == and !=")
    elif figure.in_percent and 0 < leaf.bound < 1:
        hint = f"{(100 * leaf.bound).normalize():f}, not {leaf.bound}"
        raise condition_error(text, leaf.bound_span, f"{leaf.name} uses the 0-100 scale", hint)
