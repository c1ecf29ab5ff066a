"""Plot of a meta-evaluation: scores of metrics against scores by people."""

from __future__ import annotations

import math

import numpy as np

from geceval.agreement.meta_report import heads_of
from geceval.agreement.study import MetricResult, StudyResults
from geceval.tables.charts import Chart, shortened, widened
from geceval.tables.svg import DISTANCES, Box, Drawing, Scale, line, mark, name_points, printable

#: Width and height of a panel with its axes, and maximum number of panels in a row.
PANEL, COLUMNS = (360.0, 330.0), 3
#: Distances of names from their points; all names have a place in most plots.
FAR = (*DISTANCES, 40.0, 54.0, 70.0, 90.0)
#: Space for names around the points, as a share of their range.
NAMES = 0.12


def correlation_chart(results: StudyResults) -> Chart:
    """Return a chart of scores of metrics against scores by people, with a panel for each metric."""
    pairs = zip(heads_of(results), results.metrics, strict=True)
    description = "; ".join(f"{head} {_correlation(result)}" for head, result in pairs)
    return Chart(_panels(results), "Scores of metrics against scores by people", description)


def _panels(results: StudyResults) -> Drawing:
    """Return a drawing with a panel for each metric, under its name."""
    count = len(results.metrics)
    columns = 2 if count == 4 else min(COLUMNS, count)
    width, height = PANEL
    drawing = Drawing("correlation", columns * width, math.ceil(count / columns) * height)
    for index, (head, result) in enumerate(zip(heads_of(results), results.metrics, strict=True)):
        frame = _frame(index % columns * width, index // columns * height)
        drawing.text((frame[0] + frame[2]) / 2, frame[1] - 36, shortened(printable(head), 40), "middle head")
        _scatter(drawing, frame, results, result)
    return drawing


def _frame(left: float, top: float) -> Box:
    """Return the frame of a panel, with space for heads and axes."""
    return (left + 52, top + 50, left + PANEL[0] - 14, top + PANEL[1] - 44)


def _correlation(result: MetricResult) -> str:
    return f"r = {result.agreement.pearson:.3f}, ρ = {result.agreement.spearman:.3f}"


def _scatter(drawing: Drawing, frame: Box, results: StudyResults, result: MetricResult) -> None:
    """Draw the scores of a metric against human scores, with the least-squares line."""
    left, top, right, bottom = frame
    rows = zip(results.study.systems, results.people.tolist(), result.scores.values.tolist(), strict=True)
    points = [(system, x, y) for system, x, y in rows if math.isfinite(x + y)]
    if not points:
        drawing.text((left + right) / 2, (top + bottom) / 2, "no scores", "middle quiet")
        return
    _, people, scores = zip(*points, strict=True)
    ends = []
    if not math.isnan(result.agreement.pearson):
        slope, base = np.polyfit(results.people, result.scores.values, 1).tolist()
        ends = [(x, slope * x + base) for x in (min(people), max(people))]
    across = Scale(*widened(people, NAMES), left, right)
    along = Scale(*widened([*scores, *(y for _, y in ends)], NAMES), bottom, top)
    drawing.text((left + right) / 2, top - 22, _correlation(result), "middle")
    drawing.across(across, top, bottom, f"people: {results.measure.label}")
    drawing.along(along, left, right, "metric")
    if ends:
        drawing.shape(line(*((across(x), along(y)) for x, y in ends)), "s2 trend")
    names = []
    for system, x, y in points:
        drawing.shape(mark(across(x), along(y), 0, 3), "s1 mark", f"{system}: people {x:.4g}, metric {y:.4g}")
        names.append((shortened(printable(system)), (across(x), along(y))))
    name_points(drawing, names, (left, top, right, bottom), FAR)
