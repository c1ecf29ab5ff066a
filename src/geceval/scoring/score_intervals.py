"""Intervals of scores, by system, metric and group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import names
from geceval.counting.results import AnyResult
from geceval.tables.number_text import confidence
from geceval.tables.table import TableColumn

if TYPE_CHECKING:
    from geceval.resampling.comparison_results import Comparison, SystemScore

#: Scores with intervals by system, metric and group (None: the whole corpus).
Intervals: TypeAlias = "Mapping[tuple[str, AnyMetric, str | None], SystemScore]"


def metrics_in(results: Mapping[str, Sequence[AnyResult]]) -> list[AnyMetric]:
    """Return the metrics, which are the same for all systems."""
    return [result.metric for result in next(iter(results.values()))]


def intervals_of(intervals: Comparison | None, metrics: Sequence[AnyMetric]) -> Intervals:
    """Return the interval of each system and metric, on the whole corpus (None) and on each group.

    A group whose score is unknown has none.
    """
    if intervals is None:
        return {}
    distinct = list(dict.fromkeys(metrics))
    by_name = dict(zip(names(distinct), distinct, strict=True))
    return {(score.system, by_name[score.metric], score.group): score for score in intervals.systems}


def interval_column(intervals: Comparison, label: str, metric: AnyMetric) -> TableColumn:
    """Return the column of the intervals of a metric's scores; ``label`` is empty for a single metric."""
    title = f"{label} {confidence(intervals.alpha)} interval".strip()
    return TableColumn(title, "interval", metric.scale.in_percent, next_to_previous=True)


def interval_document(score: SystemScore) -> dict[str, float]:
    """Return the interval of a score as JSON values."""
    return {name: getattr(score, name) for name in ("low", "high", "deviation")}


def interval_options(intervals: Comparison | None) -> dict[str, Any]:
    """Return the options of intervals as JSON values, under their key."""
    if intervals is None:
        return {}
    return {"intervals": {"alpha": intervals.alpha, "signature": intervals.signature}}
