"""Charts of a comparison: the scores of systems with their intervals."""

from __future__ import annotations

from geceval.comparison.comparison_results import Comparison, shown_figure, shown_interval
from geceval.tables.charts import Chart, ScoreMark, Systems, score_chart
from geceval.tables.table import confidence


def comparison_chart(
    comparison: Comparison, metric: str, systems: Systems, drawing_name: str, digits: int = 2
) -> Chart:
    """Return a chart of scores with intervals, the best system at the top.

    The unchanged source and the best possible score are the last rows.
    """
    scale = 100.0 if comparison.in_percent(metric) else 1.0
    scores = []
    for row in comparison.best_first(metric):
        figure = shown_figure(comparison, metric, row.value, digits)
        text = f"{figure} {shown_interval(comparison, row, digits)}"
        cluster = (comparison.form(metric, row.system), row.cluster) if row.cluster else None
        scores.append(ScoreMark(row.system, scale * row.value, scale * row.low, scale * row.high, text, cluster))
    best_possible = comparison.ceiling(metric)
    ceiling = None
    if best_possible is not None:
        ceiling = scale * best_possible, shown_figure(comparison, metric, best_possible, digits)
    head, axis = comparison.heads[metric], f"{confidence(comparison.alpha)} interval"
    title = f"{head.label}: scores with intervals"
    return score_chart(drawing_name, title, f"{head.figure}, {axis}", scores, systems, ceiling)
