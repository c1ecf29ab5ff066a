"""Pictures of scores: scores with intervals, precision against recall, and maps of types or groups."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from geceval.counting.metric_names import heads_of, labels
from geceval.counting.results import AnyResult
from geceval.counting.scores import Level, number_of
from geceval.scoring.score_intervals import intervals_of, metrics_in
from geceval.tables.charts import Chart, Pictures, ScoreMark, ScorePanel, Systems, score_chart
from geceval.tables.heat_map import MapCell, heat_chart
from geceval.tables.number_text import confidence
from geceval.tables.precision_recall import PrecisionRecall, precision_recall_chart
from geceval.text.files import SOURCE

if TYPE_CHECKING:
    from geceval.counting.breakdown import GroupedResult
    from geceval.resampling.comparison_results import Comparison

#: Results by system, one per metric.
ByName: TypeAlias = Mapping[str, Sequence[AnyResult]]


def score_pictures(results: ByName, level: Level, intervals: Comparison | None = None) -> Pictures:
    """Return the pictures of scores: "scores", and "precision-recall" if a metric has these parts.

    Args:
        results: Results of each system, one per metric; systems are drawn in this order.
        level: Level of the scores.
        intervals: Intervals of corpus scores.
    """
    pictures = {"scores": partial(_scores, results, level, intervals)}
    metrics = _with_precision_and_recall(results, level)
    if any(metric.points for metric in metrics):
        pictures["precision-recall"] = partial(_precision_recall, metrics, _systems(results, level))
    return pictures


def _systems(results: ByName, level: Level) -> Systems:
    """Return colours and marks, by the ranks under the first metric."""
    scores = {name: row[0].score(level).value for name, row in results.items()}
    sign = metrics_in(results)[0].scale.sign
    return Systems(sorted(scores, key=lambda name: (name == SOURCE, -sign * scores[name])))


def _scores(results: ByName, level: Level, intervals: Comparison | None, width: float) -> Chart:
    """Return the chart of the table of scores, with its rows and a panel for each metric."""
    metrics = metrics_in(results)
    bounds = intervals_of(intervals, metrics)
    panels = []
    for index, (metric, head) in enumerate(zip(metrics, heads_of(metrics, labels(metrics)), strict=True)):
        marks, scale = [], metric.scale.factor
        for name, row in results.items():
            value = row[index].score(level).value
            score = bounds.get((name, metric, None))
            low, high = (value, value) if score is None else (score.low, score.high)
            marks.append(ScoreMark(name, scale * value, scale * low, scale * high, f"{scale * value:.2f}"))
        panels.append(ScorePanel(head.formula, marks))
    axis = "" if intervals is None else f"{confidence(intervals.alpha)} intervals"
    title = f"{', '.join(labels(metrics))}: scores"
    return score_chart("scores", title, axis, panels, _systems(results, level), width)


def _with_precision_and_recall(results: ByName, level: Level) -> list[PrecisionRecall]:
    metrics = metrics_in(results)
    parts = []
    for index, (metric, label) in enumerate(zip(metrics, labels(metrics), strict=True)):
        of_systems = {name: row[index].score(level).parts for name, row in results.items()}
        beta = metric.settings.get("beta")
        if beta is not None and all({"precision", "recall"} <= values.keys() for values in of_systems.values()):
            parts.append(PrecisionRecall(label, beta, of_systems))
    return parts


def _precision_recall(metrics: Sequence[PrecisionRecall], systems: Systems, width: float) -> Chart:
    chart = precision_recall_chart("precision-recall", metrics, systems, width=width)
    assert chart is not None  # a metric has both
    return chart


def group_pictures(
    results: Mapping[str, Sequence[GroupedResult]], kind: str, named: Callable[[str], str] = str
) -> Pictures:
    """Return the picture of scores by type of edit or by group of sentences: a map of groups × systems.

    Args:
        results: Results of each system, one per metric.
        kind: Name of the picture: "types" or "groups".
        named: Returns the shown name of a group.
    """
    return {kind: partial(_map, results, kind, named)}


def _map(results: Mapping[str, Sequence[GroupedResult]], kind: str, named: Callable[[str], str], width: float) -> Chart:
    first = next(iter(results.values()))
    metrics = metrics_in(results)
    heads = heads_of(metrics, labels(metrics))
    panels, digits = dict[str, dict[str, list[MapCell]]](), 1
    for index, (result, head) in enumerate(zip(first, heads, strict=True)):
        scale = result.metric.scale.factor
        digits = digits if result.metric.scale.in_percent else 2
        columns = [row[index].groups() for row in results.values()]
        labels_of_groups = list(dict.fromkeys(label for groups in columns for label in groups))
        panels[head.formula] = {
            named(str(label)) or "(none)": [
                MapCell(scale * number_of(groups[label].value) if label in groups else math.nan) for groups in columns
            ]
            for label in labels_of_groups
        }
    title = f"{', '.join(panels)}: scores by {kind.removesuffix('s')}"
    return heat_chart(kind, title, list(results), panels, digits=digits, width=width)
