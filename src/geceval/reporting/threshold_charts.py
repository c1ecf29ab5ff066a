"""Charts of scores at thresholds of confidence, and of calibrations."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from geceval.counting.metric_names import labels
from geceval.reporting.swept_systems import Swept
from geceval.tables.charts import WIDTH, Chart, Frame, Pictures, Systems, panel_frames
from geceval.tables.svg import Drawing, Point, Scale, line

#: Maximum number of points of a line, and of points with a mark.
MOST_POINTS, MOST_MARKS = 300, 25
#: Axes of each picture.
CURVES = {
    "precision-recall": ("recall", "precision"),
    "thresholds": ("threshold", "score"),
    "reliability": ("confidence", "right"),
}


class DrawnCurve(NamedTuple):
    """The lines of systems in a chart.

    Attributes:
        label: Name of the metric.
        x: Name of the horizontal axis.
        y: Name of the vertical axis.
        lines: The points of each system.
    """

    label: str
    x: str
    y: str
    lines: Mapping[str, Sequence[Point]]


def sweep_pictures(swept: Sequence[Swept]) -> Pictures:
    """Return the pictures of scores at thresholds, with a panel for each metric.

    They are "precision-recall", "thresholds" (scores against thresholds) and "reliability" of calibrations.
    """
    return {name: partial(curve_chart, name, curves) for name in CURVES if (curves := drawn_curves(swept, name))}


def drawn_curves(swept: Sequence[Swept], picture: str) -> list[DrawnCurve]:
    """Return the lines of a picture for each metric that has any."""
    x, y = CURVES[picture]
    names, curves = labels([entry.curve.metric for entry in swept]), []
    for label in dict.fromkeys(names):
        lines = {}
        for entry in (entry for entry, name in zip(swept, names, strict=True) if name == label):
            calibration = {} if entry.calibration is None else entry.calibration.figures
            values = calibration if picture == "reliability" else entry.columns
            pairs = zip(values.get(x, ()), values.get(y, ()), strict=False)
            system = " ".join(filter(None, (entry.curve.system, entry.curve.rule)))
            lines[system] = [point for point in pairs if not any(map(math.isnan, point))]
        if any(lines.values()):
            curves.append(DrawnCurve(label, x, y, {system: points for system, points in lines.items() if points}))
    return curves


def curve_chart(picture: str, curves: Sequence[DrawnCurve], width: float = WIDTH) -> Chart:
    """Return a chart with a line per system and a panel for each metric."""
    drawing, frames = panel_frames(f"{picture}-{curves[0].label}", [curve.label for curve in curves], width)
    systems = Systems(list(dict.fromkeys(system for curve in curves for system in curve.lines)))
    for curve, frame in zip(curves, frames, strict=True):
        _draw_curve(drawing, curve, systems, frame)
    systems.add_key(drawing, list(systems.shapes))
    name = "reliability" if picture == "reliability" else f"{curves[0].y} against {curves[0].x}"
    title = f"{', '.join(curve.label for curve in curves)}: {name}"
    return Chart(drawing, title, "A line per system; the tables have the numbers.")


def _draw_curve(drawing: Drawing, curve: DrawnCurve, systems: Systems, frame: Frame) -> None:
    """Draw the lines of systems under a metric."""
    columns = list(zip(*(point for points in curve.lines.values() for point in points), strict=True))
    across = Scale(min(columns[0]), max(columns[0]), frame.left, frame.right)
    along = Scale(min(columns[1]), max(columns[1]), frame.bottom, frame.top)
    drawing.across(across, frame.top, frame.bottom, curve.x)
    drawing.along(along, frame.left, frame.right, curve.y)
    if curve.y == "right":
        low, high = max(across.low, along.low), min(across.high, along.high)
        drawing.shape(line((across(low), along(low)), (across(high), along(high))), "contour", "calibrated")
    for system in reversed(systems.ordered(curve.lines)):
        points, kind = curve.lines[system], systems.colours[system]
        points = [*points[:: len(points) // MOST_POINTS + 1], points[-1]]
        drawing.shape(line(*((across(x), along(y)) for x, y in points)), f"{kind} trend", system)
        for x, y in points[:: len(points) // MOST_MARKS + 1]:
            text = f"{system}: {curve.x} {x:.4g}, {curve.y} {y:.4g}"
            drawing.shape(systems.mark(system, across(x), along(y), 2.5), f"{kind} mark", text)
