"""Page of scores at thresholds: curves, reliability diagrams, and the tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from geceval._kernel import __version__
from geceval.counting.metric_names import labels
from geceval.report.documents import as_json
from geceval.report.page.charts import COLOURED, WIDTH, shortened
from geceval.report.page.report_page import FILES, in_script, page_environment, policy, table_rows
from geceval.report.page.svg import Drawing, Point, Scale, line, mark, name_points, printable
from geceval.report.report import Report
from geceval.report.scores.sweep_report import Swept

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
    environment, style = page_environment(), (FILES / "report.css").read_text(encoding="utf-8")
    environment.globals["rows_of"] = lambda table: table_rows(table, digits)
    safe = environment.filters["safe"]
    page = environment.get_template("sweep.html.jinja").render(
        version=__version__,
        charts=[(title, safe(svg)) for title, svg in _charts(swept)],
        tables=report.tables(),
        style=safe(style),
        policy=policy("", style),
        document=safe(in_script(as_json(report.schema, report.document(), short=True))),
    )
    return str(page)


def _charts(swept: Sequence[Swept]) -> Iterator[tuple[str, str]]:
    """Yield title and SVG element of the charts of each metric."""
    called = labels([own.curve.metric for own in swept])
    for at, label in enumerate(dict.fromkeys(called)):
        curves = {own.curve.system: own for own, name in zip(swept, called, strict=True) if name == label}
        for x, y in (("recall", "precision"), ("threshold", "score")):
            series = {
                name: list(zip(own.columns[x], own.columns[y], strict=True))
                for name, own in curves.items()
                if {x, y} <= own.columns.keys()
            }
            yield from _chart(f"{x}-{at}", f"{label}: {y} against {x}", x, y, series)
        verdicts = {name: own.calibration.figures for name, own in curves.items() if own.calibration is not None}
        bins = {
            name: [(x, y) for x, y, edits in zip(own["confidence"], own["right"], own["edits"], strict=True) if edits]
            for name, own in verdicts.items()
        }
        yield from _chart(f"reliability-{at}", f"{label}: reliability", "confidence", "right", bins)


def _chart(name: str, title: str, x: str, y: str, series: Mapping[str, Sequence[Point]]) -> Iterator[tuple[str, str]]:
    """Yield title and SVG element of a chart with a line per system, if it has lines."""
    if not series:
        return
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
    yield title, drawing.element(title, "A line per system; the tables below have the numbers.")
