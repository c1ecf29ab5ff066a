"""Page of scores at thresholds: curves, reliability diagrams, and the tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from geceval.counting.metric_names import labels
from geceval.reporting.charts import COLOURED, WIDTH, shortened
from geceval.reporting.report_page import render_page, table_rows
from geceval.reporting.sweep_report import Swept
from geceval.tables.report import Report
from geceval.tables.svg import Drawing, Point, Scale, line, mark, name_points, printable

#: Maximum number of points of a line, and of points with a mark.
MOST_POINTS, MOST_MARKS = 300, 25


def render_sweep(swept: Sequence[Swept], report: Report, digits: int = 2) -> str:
    """Return the page; equal reports give equal bytes.

    Args:
        swept: The systems under the metrics.
        report: Their report.
        digits: Number of decimals of scores.

    Returns:
        The page as HTML.

    Raises:
        MissingExtraError: If Jinja2 is not installed.
    """
    return render_page(
        "sweep.html.jinja",
        report.schema,
        report.document(),
        rows_of=lambda table: table_rows(table, digits),
        charts=list(_charts(swept)),
        tables=report.tables(),
    )


def _charts(swept: Sequence[Swept]) -> Iterator[tuple[str, str]]:
    """Yield title and SVG element of the charts of each metric."""
    called = labels([own.curve.metric for own in swept])
    for at, label in enumerate(dict.fromkeys(called)):
        here = {own.curve.system: own for own, name in zip(swept, called, strict=True) if name == label}
        curves = {system: own.columns for system, own in here.items()}
        verdicts = {system: own.calibration.figures for system, own in here.items() if own.calibration is not None}
        kinds = ("recall", "precision", curves), ("threshold", "score", curves), ("confidence", "right", verdicts)
        for x, y, columns in kinds:
            pairs = {system: zip(own.get(x, ()), own.get(y, ()), strict=False) for system, own in columns.items()}
            series = {system: [pair for pair in own if not any(map(math.isnan, pair))] for system, own in pairs.items()}
            title = f"{label}: {'reliability' if y == 'right' else f'{y} against {x}'}"
            if any(series.values()):
                yield title, _chart(f"{x}-{at}", title, x, y, series)


def _chart(name: str, title: str, x: str, y: str, series: Mapping[str, Sequence[Point]]) -> str:
    """Return the SVG element of a chart with a line per system."""
    drawing, frame = Drawing(name, WIDTH, 300), (38.0, 26.0, WIDTH - 14, 256.0)
    left, top, right, bottom = frame
    columns = list(zip(*(point for own in series.values() for point in own), strict=True))
    across, along = (
        Scale(min(columns[0]), max(columns[0]), left, right),
        Scale(min(columns[1]), max(columns[1]), bottom, top),
    )
    drawing.across(across, top, bottom, x)
    drawing.along(along, left, right, y)
    if y == "right":
        low, high = max(across.low, along.low), min(across.high, along.high)
        drawing.shape(line((across(low), along(low)), (across(high), along(high))), "contour", "calibrated")
    names = []
    for at, (system, points) in enumerate(series.items()):
        kind = f"s{at + 1}" if at < COLOURED else "s0"
        shown = [*points[:: len(points) // MOST_POINTS + 1], points[-1]]
        places = [(across(own), along(other)) for own, other in shown]
        drawing.shape(line(*places), f"{kind} trend", system)
        for place, (own, other) in zip(places, shown if len(shown) <= MOST_MARKS else (), strict=False):
            drawing.shape(mark(*place, 0, 2.5), f"{kind} mark", f"{system}: {x} {own:.4g}, {y} {other:.4g}")
        names.append((shortened(printable(system)), places[len(places) // 2]))
    name_points(drawing, names, frame)
    return drawing.element(title, "A line per system; the tables below have the numbers.")
