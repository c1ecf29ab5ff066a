"""Charts of a comparison: scores with intervals, net benefit."""

from __future__ import annotations

from collections.abc import Sequence

from geceval.resampling.break_even_report import decision_chart
from geceval.resampling.comparison_results import Comparison, MetricComparison
from geceval.resampling.system_tables import ordered, shown_figure, shown_with_interval
from geceval.tables.charts import WIDTH, Chart, Pictures, ScoreMark, ScorePanel, Systems, score_chart
from geceval.tables.number_text import confidence


def comparison_chart(
    metrics: Sequence[MetricComparison],
    alpha: float,
    systems: Systems,
    drawing_name: str,
    digits: int = 2,
    width: float = WIDTH,
) -> Chart:
    """Return a chart of scores with intervals, the best system of each metric at the top.

    The unchanged source and the score of the gold as text are the last rows.
    """
    panels = []
    for metric in metrics:
        scale = 100.0 if metric.in_percent else 1.0
        scores = []
        for row in metric.best_first:
            text = shown_with_interval(metric, row.value, row, digits)
            cluster = (metric.form(row.system), row.cluster) if row.cluster else None
            scores.append(ScoreMark(row.system, scale * row.value, scale * row.low, scale * row.high, text, cluster))
        ceiling = None
        if metric.ceiling is not None:
            ceiling = scale * metric.ceiling, shown_figure(metric, metric.ceiling, digits)
        panels.append(ScorePanel(metric.heads.formula, scores, ceiling))
    title = f"{', '.join(metric.label for metric in metrics)}: scores with intervals"
    return score_chart(drawing_name, title, f"{confidence(alpha)} interval", panels, systems, width)


def comparison_pictures(comparison: Comparison) -> Pictures:
    """Return the pictures of a comparison: "scores", and "net-benefit" if metrics count right and wrong edits."""
    metrics = list(comparison.values())
    systems = Systems(ordered(comparison)[metrics[0].name])
    decisions = {metric.label: metric.decisions for metric in metrics if metric.decisions is not None}

    def scores(width: float) -> Chart:
        return comparison_chart(metrics, comparison.alpha, systems, "scores", width=width)

    def net_benefit(width: float) -> Chart:
        return decision_chart(decisions, systems, "net-benefit", width)

    return {"scores": scores, **({"net-benefit": net_benefit} if decisions else {})}
