"""Charts of scores: precision against recall, or scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from geceval.counting.counts import Level
from geceval.counting.metric_names import labels
from geceval.counting.results import AnyResult
from geceval.tables.charts import Chart, ScoreMark, Systems, precision_recall_chart, score_chart
from geceval.text.files import SOURCE


def score_charts(results: Mapping[str, Sequence[AnyResult]], level: Level) -> list[Chart]:
    """Return a chart of each metric: precision against recall, or the scores of a metric without these parts."""
    metrics, charts = [result.metric for result in next(iter(results.values()))], list[Chart]()
    systems = Systems([])
    for index, (metric, label) in enumerate(zip(metrics, labels(metrics), strict=True)):
        scores = {name: row[index].score(level) for name, row in results.items()}
        sign, scale = (1 if metric.scale.higher_is_better else -1), (100 if metric.scale.in_percent else 1)
        ranked = sorted(scores, key=lambda name: (name == SOURCE, -sign * scores[name].value))
        systems = Systems(ranked) if index == 0 else systems
        parts, beta = {name: score.parts for name, score in scores.items()}, metric.settings.get("beta")
        chart = None
        if beta is not None and all({"precision", "recall"} <= values.keys() for values in parts.values()):
            chart = precision_recall_chart(f"pr-{index}", label, beta, parts, systems)
        if chart is None:
            values = [(name, scale * scores[name].value) for name in ranked]
            marks = [ScoreMark(name, value, value, value, f"{value:.2f}") for name, value in values]
            chart = score_chart(f"scores-{index}", f"{label}: scores", "score", marks, systems)
        charts.append(chart)
    return charts
