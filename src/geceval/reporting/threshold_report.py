"""Scores at thresholds of confidence as tables and a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from geceval.counting.metric_names import labels
from geceval.reporting.page_template import render_page, table_rows
from geceval.reporting.swept_systems import SCHEMA, Swept
from geceval.reporting.threshold_charts import CURVES, curve_chart, drawn_curves, sweep_pictures
from geceval.reporting.threshold_curves import BINS, ERRORS
from geceval.statistics.intervals import Interval
from geceval.tables.report import Report
from geceval.tables.table import ReportTable, TableCell, TableColumn, TableRow, table_columns

#: Number of thresholds of a curve in a table; JSON, CSV and TSV have all.
SHOWN = 10
#: Systems under metrics, with their names.
Named: TypeAlias = Sequence[tuple[Swept, list[str]]]


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
    return ReportTable(
        [*columns, TableColumn("95 % interval", "interval", percent, finer=1, next_to_previous=True)], rows
    )


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
    labels_of_metrics = dict.fromkeys(curve.label for picture in CURVES for curve in drawn_curves(swept, picture))
    charts = [
        curve_chart(picture, [curve])
        for label in labels_of_metrics
        for picture in CURVES
        for curve in drawn_curves(swept, picture)
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
