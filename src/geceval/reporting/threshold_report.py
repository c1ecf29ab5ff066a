"""Scores at thresholds of confidence: tables, charts, a page."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from geceval.base.errors import InputError
from geceval.base.ties import exceeds
from geceval.counting.counts import Floats
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import labels
from geceval.reporting.report_page import render_page, table_rows
from geceval.reporting.threshold_curves import BINS, ERRORS, Calibration, ThresholdCurve
from geceval.results.named_figures import Bar, settings
from geceval.statistics.intervals import Interval
from geceval.tables.charts import WIDTH, Chart, Frame, Pictures, Systems, panel_frames
from geceval.tables.report import Report
from geceval.tables.svg import Drawing, Point, Scale, line
from geceval.tables.table import ReportTable, TableCell, TableColumn, TableRow, table_columns
from geceval.text.files import read_text

SCHEMA = "geceval/sweep@1"
#: Number of thresholds of a curve in a table; JSON, CSV and TSV have all.
SHOWN = 10


@dataclass(frozen=True)
class Condition:
    """A bar that the system must reach at a threshold, such as a share of false alarms.

    Attributes:
        label: Name of the figure.
        bar: The bar.
        curve: The scores of its metric at the thresholds.
    """

    label: str
    bar: Bar
    curve: ThresholdCurve

    @property
    def values(self) -> Floats:
        """The figure [T + 1] at each threshold."""
        return self.curve.figures[self.bar.figure.part or "score"]


@dataclass(frozen=True)
class Swept:
    """A system under a metric.

    Attributes:
        curve: The scores at thresholds.
        conditions: Conditions of a threshold.
        calibration: The calibration, if requested.
        threshold: A threshold of the curve that was chosen before; None: none.
        replicates: Number of bootstrap replicates of the intervals; 0: no intervals.
    """

    curve: ThresholdCurve
    conditions: Sequence[Condition] = ()
    calibration: Calibration | None = None
    threshold: float | None = None
    replicates: int = 0

    @cached_property
    def chosen(self) -> dict[str, int]:
        """Name -> index of a threshold: of all edits, the best and the allowed one if there are, the given one."""
        best = {} if self.curve.best is None else {"best": self.curve.best}
        if self.allowed is not None:
            best["allowed"] = self.allowed
        extra = {} if self.threshold is None else {"given": int(np.searchsorted(self.curve.thresholds, self.threshold))}
        return {"all": 0, **best, **extra}

    @cached_property
    def allowed(self) -> int | None:
        """Index of the threshold that meets the conditions with the highest recall; of equal ones the highest.

        None without conditions, or if no threshold meets them. Metrics without recall count by their score.
        """
        meets = np.all([condition.bar.keeps(condition.values[:-1]) for condition in self.conditions], axis=0)
        sign = 1 if self.curve.metric.scale.higher_is_better else -1
        figures = self.curve.figures
        ranked = figures["recall"][:-1] if "recall" in figures else sign * figures["score"][:-1]
        places = np.flatnonzero(meets & ~np.isnan(ranked)) if self.conditions else np.array([], np.intp)
        return int(places[~exceeds(ranked[places].max(), ranked[places])][-1]) if len(places) else None

    @cached_property
    def intervals(self) -> dict[str, Any]:
        """Intervals by name; empty without replicates."""
        intervals = self.curve.intervals(self.chosen, replicates=self.replicates) if self.replicates else {}
        if self.calibration is not None and self.replicates:
            intervals |= self.calibration.intervals(replicates=self.replicates)
        return intervals

    @cached_property
    def columns(self) -> dict[str, list[Any]]:
        """The curve by column."""
        last = len(self.curve.thresholds)
        facts = {"threshold": self.curve.thresholds, "suggestions": self.curve.suggestions, **self.curve.figures}
        facts |= {condition.label: condition.values for condition in self.conditions}
        return {name: values[:last].tolist() for name, values in facts.items()}

    def in_percent(self, column: str) -> bool:
        """Return whether tables show a column times 100."""
        of_conditions = {condition.label: condition.bar.figure.in_percent for condition in self.conditions}
        return of_conditions.get(column, self.curve.metric.scale.part_in_percent(column))

    def to_document(self) -> dict[str, Any]:
        """Return the chosen thresholds, the curve and the calibration as JSON values."""
        curve, calibration = self.curve, self.calibration
        chosen = {
            name: {key: values[index] for key, values in self.columns.items()} for name, index in self.chosen.items()
        }
        rule = {"rule": curve.rule} if curve.rule else {}
        allowed = {"allowed": None} if self.conditions else {}
        return {
            "system": curve.system,
            **rule,
            "metric": curve.metric.name,
            "settings": settings(curve.metric),
            "signature": curve.signature,
            "confidences": curve.confidences,
            "average_precision": curve.average_precision,
            **({"all": None, "best": None} | allowed | chosen),
            "intervals": self.intervals,
            "curve": self.columns,
            "calibration": None if calibration is None else calibration.figures,
        }


#: Systems under metrics, with their names.
Named: TypeAlias = Sequence[tuple[Swept, list[str]]]
#: Maximum number of points of a line, and of points with a mark.
MOST_POINTS, MOST_MARKS = 300, 25
#: Axes of each picture.
CURVES = {
    "precision-recall": ("recall", "precision"),
    "thresholds": ("threshold", "score"),
    "reliability": ("confidence", "right"),
}


def read_thresholds(path: str) -> tuple[str, dict[tuple[str, str, str], float | None]]:
    """Return the chosen thresholds in the JSON report of a sweep: the allowed ones under conditions, else the best.

    Args:
        path: The file.

    Returns:
        The checksum of the sentences, and a threshold by system, rule and metric, as ``metric_key`` writes it; None if
        no threshold is best.

    Raises:
        InputError: If it is another file.
    """
    text = read_text(path)
    try:
        document = json.loads(text)
        keys = [
            (result["system"], result.get("rule", ""), json.dumps([result["metric"], result["settings"]]))
            for result in document["results"]
        ]
        best_rows = [result.get("allowed", result["best"]) for result in document["results"]]
        values = [None if row is None else float(row["threshold"]) for row in best_rows]
        if document["schema"] == SCHEMA:
            return document["fingerprint"], dict(zip(keys, values, strict=True))
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        pass
    raise InputError(f"is not a report of geceval sweep ({SCHEMA})", path=path, hint="geceval sweep … -o dev.json")


def metric_key(metric: AnyMetric) -> str:
    """Return the name and the settings of a metric as JSON."""
    return json.dumps([metric.name, settings(metric)])


def sweep_report(swept: Sequence[Swept], inputs: Mapping[str, Any]) -> Report:
    """Return the scores at thresholds.

    Args:
        swept: The systems under the metrics.
        inputs: Description of the input files, for JSON.
    """
    names = labels([system.curve.metric for system in swept])
    has_rules = any(system.curve.rule for system in swept)
    systems = [
        (system, [system.curve.system, *[system.curve.rule] * has_rules, label])
        for system, label in zip(swept, names, strict=True)
    ]

    def tables() -> list[ReportTable]:
        measures = [_measures(systems, percent=percent) for percent in (True, False)]
        curves = [] if has_rules else [_thresholds(systems, SHOWN)]
        candidates = [_thresholds(systems, 0), *curves, *measures, _bins(systems)]
        return [table for table in candidates if table.rows]

    return Report(
        SCHEMA,
        lambda: {**inputs, "results": [system.to_document() for system in swept]},
        tables,
        records=lambda: [_thresholds(systems)],
        pictures=lambda: sweep_pictures(swept),
    )


def _name_columns(systems: Named) -> list[TableColumn]:
    has_rules = any(system.curve.rule for system, _ in systems)
    return table_columns("text", "system", *["rule"] * has_rules, "metric")


def _thresholds(systems: Named, most: int | None = None) -> ReportTable:
    """Return the scores at all thresholds, or at the chosen ones and ``most`` others."""
    heads = sorted({head: 0 for system, _ in systems for head in system.columns}, key="score".__eq__)
    rows: list[TableRow] = []
    sections, notes = [], []
    for system, names in systems:
        curve, last = system.curve, len(system.curve.thresholds) - 1
        steps = np.linspace(0, last, last + 1 if most is None else most).round().astype(int).tolist()
        sections.append(len(rows))
        for index in sorted({*steps, *system.chosen.values()}):
            edits = ", ".join(name for name, chosen in system.chosen.items() if chosen == index)
            cells = []
            for head in heads[2:]:
                value = system.columns[head][index] if head in system.columns else None
                cells.append(TableCell(value, percent=system.in_percent(head)))
            rows.append([*names, edits, curve.thresholds[index].item(), int(curve.suggestions[index]), *cells])
        notes += [] if curve.rule else [f"{' '.join(names)}: {note}" for note in _notes(system)]
    columns = [*_name_columns(systems), TableColumn("edits")]
    columns += [TableColumn("threshold", "exact"), TableColumn("suggestions", "count")]
    notes = [] if most else [*dict.fromkeys(system.curve.signature for system, _ in systems), *notes]
    columns += table_columns("score", *heads[2:], undefined=True)
    return ReportTable(columns, rows, notes, sections=sections[1:])


def _notes(system: Swept) -> Iterator[str]:
    """Yield the number of thresholds, and why none is chosen."""
    curve = system.curve
    yield f"{len(curve.thresholds)} thresholds of {curve.confidences:,} confidences"
    if curve.best is None:
        is_scored = not np.isnan(curve.figures["score"][:-1]).all()
        reason = "none has a better score than the output without edits" if is_scored else "there is no score"
        reason = f"{curve.metric.name} is no quality" if curve.metric.scale.description else reason
        yield f"no best threshold, since {reason}"
    if system.conditions and system.allowed is None:
        undefined = [condition.label for condition in system.conditions if np.isnan(condition.values[:-1]).all()]
        reason = f"{undefined[0]} has no value" if undefined else "none meets the conditions"
        yield f"no allowed threshold, since {reason}"


def _measures(systems: Named, *, percent: bool) -> ReportTable:
    """Return measures with their intervals: scores times 100, or the best threshold and the errors of calibration."""
    rows: list[TableRow] = []
    for system, names in systems:
        scale = system.curve.metric.scale.in_percent
        values = {"average_precision": (system.curve.average_precision, True)}
        if system.intervals:
            values |= {name: (system.columns["score"][index], scale) for name, index in system.chosen.items()}
            if system.curve.best is not None:
                values["best_threshold"] = system.columns["threshold"][system.curve.best], False
        if system.calibration is not None:
            values |= {name: (system.calibration.figures[name], False) for name in ERRORS}
        for name, (value, in_percent) in values.items():
            if in_percent == percent:
                measure = f"score, {name}" if name in system.chosen else name.replace("_", " ")
                rows.append([*names, measure, value, _bounds(system.intervals.get(name))])
    points = TableColumn("points" if percent else "value", "score", percent, finer=1)
    columns = [*_name_columns(systems), TableColumn("measure"), points]
    return _with_intervals(columns, rows, percent=percent)


def _bins(systems: Named) -> ReportTable:
    """Return the bins with edits, a reliability diagram as a table."""
    rows: list[TableRow] = []
    for system, names in systems:
        figures = {} if system.calibration is None else system.calibration.figures
        intervals = system.intervals.get("right", [None] * len(figures.get("edits", ())))
        bins = zip(*(figures.get(name, ()) for name in BINS), intervals, strict=True)
        for index, (edits, confidence, right, interval) in enumerate(bins):
            if edits:
                ends = f"{index / len(intervals):.4g} - {(index + 1) / len(intervals):.4g}"
                rows.append([*names, ends, int(edits), confidence, right, _bounds(interval)])
    columns = [*_name_columns(systems), TableColumn("bin"), TableColumn("edits", "count")]
    columns += table_columns("score", *BINS[1:])
    return _with_intervals(columns, rows)


def _with_intervals(columns: Sequence[TableColumn], rows: Sequence[TableRow], *, percent: bool = False) -> ReportTable:
    """Return a table whose last column contains intervals, if there are any."""
    if all(row[-1] is None for row in rows):
        return ReportTable(columns, [row[:-1] for row in rows])
    return ReportTable([*columns, TableColumn("95 % interval", "interval", percent, finer=1, beside=True)], rows)


def _bounds(interval: Interval | None) -> tuple[float, float] | None:
    return None if interval is None else (interval.low, interval.high)


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
    labels_of_metrics = dict.fromkeys(curve.label for picture in CURVES for curve in _curves(swept, picture))
    charts = [
        _chart(picture, [curve])
        for label in labels_of_metrics
        for picture in CURVES
        for curve in _curves(swept, picture)
        if curve.label == label
    ]
    return render_page(
        "sweep.html.jinja",
        report.schema,
        report.document(),
        rows_of=lambda table: table_rows(table, digits),
        charts=[(chart.title, chart.element) for chart in charts],
        tables=report.tables(),
    )


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
    return {name: partial(_chart, name, curves) for name in CURVES if (curves := _curves(swept, name))}


def _curves(swept: Sequence[Swept], picture: str) -> list[DrawnCurve]:
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


def _chart(picture: str, curves: Sequence[DrawnCurve], width: float = WIDTH) -> Chart:
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
