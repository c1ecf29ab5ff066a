"""Picture of a meta-evaluation: scores of metrics against scores by people."""

from __future__ import annotations

import math

import numpy as np

from geceval.agreement.study_results import MetricResult, StudyResults
from geceval.counting.metric_names import labels
from geceval.tables.charts import Chart, Frame, Pictures, Systems, panel_frames, widened
from geceval.tables.svg import Drawing, Scale, line

#: Space around the points, as a share of their range.
SPACE = 0.1


def agreement_pictures(results: StudyResults) -> Pictures:
    """Return the picture of a meta-evaluation, "agreement"."""
    return {"agreement": lambda width: agreement_chart(results, width)}


def agreement_chart(results: StudyResults, width: float) -> Chart:
    """Return a chart of scores of metrics against scores by people, with a panel for each metric."""
    heads = labels([result.scores.metric for result in results.metrics])
    titles = [f"{head}\n{_correlation(result)}" for head, result in zip(heads, results.metrics, strict=True)]
    drawing, frames = panel_frames("agreement", titles, width)
    by_people = sorted(zip(results.people.tolist(), results.study.systems, strict=True), reverse=True)
    systems = Systems([system for _, system in by_people])
    for head, result, frame in zip(heads, results.metrics, frames, strict=True):
        _scatter(drawing, frame, results, result, systems, head)
    systems.add_key(drawing, results.study.systems)
    pairs = zip(heads, results.metrics, strict=True)
    description = "; ".join(f"{head} {_correlation(result)}" for head, result in pairs)
    return Chart(drawing, "Scores of metrics against scores by people", description)


def _correlation(result: MetricResult) -> str:
    return f"r = {result.agreement.pearson:.3f}, ρ = {result.agreement.spearman:.3f}"


def _scatter(
    drawing: Drawing, frame: Frame, results: StudyResults, result: MetricResult, systems: Systems, head: str
) -> None:
    """Draw the scores of a metric against human scores, with the least-squares line."""
    left, top, right, bottom = frame
    rows = zip(results.study.systems, results.people.tolist(), result.scores.values.tolist(), strict=True)
    points = {system: (x, y) for system, x, y in rows if math.isfinite(x + y)}
    if not points:
        drawing.text((left + right) / 2, (top + bottom) / 2, "no scores", "middle quiet")
        return
    people, scores = zip(*points.values(), strict=True)
    ends = []
    if not math.isnan(result.agreement.pearson):
        slope, base = np.polyfit(results.people, result.scores.values, 1).tolist()
        ends = [(x, slope * x + base) for x in (min(people), max(people))]
    across = Scale(*widened(people, SPACE), left, right)
    along = Scale(*widened([*scores, *(y for _, y in ends)], SPACE), bottom, top)
    drawing.across(across, top, bottom, f"people: {results.measure.label}")
    drawing.along(along, left, right, head)
    if ends:
        drawing.shape(line(*((across(x), along(y)) for x, y in ends)), "source trend")
    for system in reversed(systems.ordered(points)):
        x, y = points[system]
        text = f"{system}: people {x:.4g}, metric {y:.4g}"
        systems.add_mark(drawing, system, across(x), along(y), text)
