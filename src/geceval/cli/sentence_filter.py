"""``--keep 'green >= 0.9'``: which pairs of source and hypothesis are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from geceval.base.errors import InputError, UsageError
from geceval.cli.stderr import warn
from geceval.counting.figure_names import NamedFigure, figure_named
from geceval.counting.groups.conditions import Condition, conditions, fault
from geceval.counting.sentence_scores import ScoredPart
from geceval.counting.stream import AnyMetric
from geceval.report.scores.sentence_rows import RowLayout, SentenceRows
from geceval.text.corpus import Corpus, MadeTexts, as_text


@dataclass(frozen=True)
class SentenceFilter:
    """The conditions of ``--keep``, each with the metric and the part (empty: the score) that it is about."""

    asked: Sequence[tuple[Condition, AnyMetric, str]]

    @staticmethod
    def of(text: str, metrics: Sequence[AnyMetric]) -> SentenceFilter:
        """What a text says of the metrics of a run. Raises UsageError that points at what is wrong; warns of bounds
        that every score or none is within."""
        asked = []
        for condition in conditions(text):
            figure = _meant(text, condition, metrics)
            _check_bound(text, condition, figure.metric, figure.part)
            asked.append((condition, figure.metric, figure.part))
        return SentenceFilter(asked)

    @property
    def parts(self) -> bool:
        """Whether parts of scores must be known."""
        return any(part for _, _, part in self.asked)


def _meant(text: str, condition: Condition, metrics: Sequence[AnyMetric]) -> NamedFigure:
    """Return the figure that a condition names. Raises UsageError that points at it."""
    try:
        return figure_named(condition.name, metrics)
    except UsageError as error:
        end = condition.at + len(condition.name)
        raise fault(text, condition.at, end, f"--keep: {error.message}", error.hint) from None


def _check_bound(text: str, condition: Condition, metric: AnyMetric, part: str) -> None:
    at = condition.at, condition.at + len(condition.name)
    if condition.percent and not metric.in_percent:
        raise fault(text, *at, f"--keep: scores of {metric.label} are not shown in percent", "write the number alone")
    low, high = metric.range
    if metric.in_percent:
        high = min(high, 1.0)
    if (condition.bound <= 1) if part else (low <= condition.bound <= high):
        return
    passing = "every" if (condition.order[0] == "<") == (condition.bound > high) else "no"
    told = f"--keep: {condition.bound:g} is outside what {condition.name} can be, {low:g} to {high:g}: "
    told += f"{passing} pair passes '{condition.order}'"
    if metric.in_percent and condition.bound > 1:
        told += f" (tables show it times 100; here that is {condition.bound / 100:g}, or {condition.bound:g}%)"
    warn(told)


def kept_rows(part: ScoredPart, layout: RowLayout, kept: SentenceFilter) -> SentenceRows:
    """The rows of a part that pass, with their texts as they were given."""
    [system] = {column.system for column in layout.columns}
    holds = [condition.holds(part.figures[system, metric][name]) for condition, metric, name in kept.asked]
    places = np.flatnonzero(np.logical_and.reduce(holds)).tolist()
    lines = [part.corpus.first + place + 1 for place in places]
    figures = [part.figures[system, column.metric][column.part][places] for column in layout.columns]
    return SentenceRows(lines, _texts(part.corpus.unprepared or part.corpus, system, layout, places), figures)


def _texts(corpus: Corpus, system: str, layout: RowLayout, places: Sequence[int]) -> list[list[str | None]]:
    references = () if isinstance(corpus.references, MadeTexts) else corpus.references
    if layout.references != len(references):
        raise InputError(f"there are {len(references)} references, and {layout.references} before")
    columns: list[Sequence[str | None]] = [corpus.source, as_text(corpus.systems[system]), *references]
    return [[column[place] for place in places] for column in columns]
