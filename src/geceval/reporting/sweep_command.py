"""Report of scores at thresholds of confidence, and of calibration.

Page of scores at thresholds: curves, reliability diagrams, and the tables.

``geceval sweep``: scores of systems at thresholds of confidence.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, TypeAlias

import numpy as np
from cyclopts import Group, Parameter

from geceval._kernel import Text
from geceval.base.arguments import PLACES, RESAMPLES, Bounds, number
from geceval.base.errors import InputError, UsageError
from geceval.cli.corpus_options import CorpusOptions
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import METRICS, OUTPUT, MetricOptions, OutputOptions, Resamples, check_whole
from geceval.cli.output import collected, progress, warn, write_report, write_text
from geceval.counting.metric_names import labels
from geceval.counting.stream import AnyMetric
from geceval.reporting.charts import COLOURED, WIDTH, shortened
from geceval.reporting.explorer import ConfidentSystem
from geceval.reporting.report_page import render_page, table_rows
from geceval.reporting.threshold_curves import BINS, ERRORS, Calibration, ThresholdCurve, calibrations, threshold_curves
from geceval.scoring.score_report import settings
from geceval.statistics.resampling import Interval
from geceval.tables.report import FORMATS, Report
from geceval.tables.svg import Drawing, Point, Scale, line, mark, name_points, printable
from geceval.tables.table import ReportTable, TableCell, TableColumn, TableRow, table_columns
from geceval.text.files import read_text

SCHEMA = "geceval/sweep@1"
#: Number of thresholds of a curve in a table; JSON, CSV and TSV have all.
SHOWN = 10


@dataclass(frozen=True)
class Swept:
    """A system under a metric.

    Attributes:
        curve: The scores at thresholds.
        calibration: The calibration, if requested.
        given: A threshold of the curve that was chosen before; None: none.
        replicates: Number of bootstrap replicates of the intervals; 0: no intervals.
    """

    curve: ThresholdCurve
    calibration: Calibration | None = None
    given: float | None = None
    replicates: int = 0

    @cached_property
    def chosen(self) -> dict[str, int]:
        """Name -> index of a threshold: of all edits, the best one, the given one."""
        given = {} if self.given is None else {"given": int(np.searchsorted(self.curve.thresholds, self.given))}
        return {"all": 0, "best": self.curve.best, **given}

    @cached_property
    def intervals(self) -> dict[str, Any]:
        """Intervals by name; empty without replicates."""
        found = self.curve.intervals(self.chosen, replicates=self.replicates) if self.replicates else {}
        if self.calibration is not None and self.replicates:
            found |= self.calibration.intervals(replicates=self.replicates)
        return found

    @cached_property
    def columns(self) -> dict[str, list[Any]]:
        """The curve by column."""
        last = len(self.curve.thresholds)
        facts = {"threshold": self.curve.thresholds, "suggestions": self.curve.suggestions, **self.curve.figures}
        return {name: own[:last].tolist() for name, own in facts.items()}

    def to_document(self) -> dict[str, Any]:
        """Return the chosen thresholds, the curve and the calibration as JSON values."""
        curve, own = self.curve, self.calibration
        chosen = {name: {key: values[at] for key, values in self.columns.items()} for name, at in self.chosen.items()}
        return {
            "system": curve.system,
            "metric": curve.metric.name,
            "settings": settings(curve.metric),
            "signature": curve.signature,
            "confidences": curve.confidences,
            "average_precision": curve.average_precision,
            **chosen,
            "intervals": self.intervals,
            "curve": self.columns,
            "calibration": None if own is None else own.figures,
        }


def read_thresholds(path: str) -> tuple[str, dict[tuple[str, str], float]]:
    """Return the best thresholds in the JSON report of a sweep.

    Args:
        path: The file.

    Returns:
        The checksum of the sentences, and a threshold by system and metric, as ``metric_key`` writes it.

    Raises:
        InputError: If it is another file.
    """
    text = read_text(path)
    try:
        document = json.loads(text)
        keys = [(own["system"], json.dumps([own["metric"], own["settings"]])) for own in document["results"]]
        values = [float(own["best"]["threshold"]) for own in document["results"]]
        if document["schema"] == SCHEMA:
            return document["fingerprint"], dict(zip(keys, values, strict=True))
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        pass
    raise InputError(f"is no report of a sweep ({SCHEMA})", path=path, hint="geceval sweep … -o dev.json writes one")


def metric_key(metric: AnyMetric) -> str:
    """Return the name and the settings of a metric as JSON."""
    return json.dumps([metric.name, settings(metric)])


def sweep_report(swept: Sequence[Swept], inputs: Mapping[str, Any]) -> Report:
    """Return the scores at thresholds.

    Args:
        swept: The systems under the metrics.
        inputs: Description of the input files, for JSON.
    """
    called = labels([own.curve.metric for own in swept])
    named = [(own, [own.curve.system, label]) for own, label in zip(swept, called, strict=True)]

    def tables() -> list[ReportTable]:
        found = [_thresholds(named, 0), _thresholds(named, SHOWN), _measures(named), _bins(named)]
        return [table for table in found if table.rows]

    return Report(
        SCHEMA,
        lambda: {**inputs, "results": [own.to_document() for own in swept]},
        tables,
        records=lambda: [_thresholds(named)],
    )


#: Systems under metrics, with their names.
Named: TypeAlias = Sequence[tuple[Swept, list[str]]]
NAMES = table_columns("text", "system", "metric")


def _thresholds(named: Named, most: int | None = None) -> ReportTable:
    """Return the scores at all thresholds, or at the chosen ones and ``most`` others."""
    heads = sorted({head: 0 for own, _ in named for head in own.columns}, key="score".__eq__)
    rows: list[TableRow] = []
    sections, notes = [], []
    for own, names in named:
        curve, last = own.curve, len(own.curve.thresholds) - 1
        steps = np.linspace(0, last, last + 1 if most is None else most).round().astype(int).tolist()
        sections.append(len(rows))
        for place in sorted({*steps, *own.chosen.values()}):
            edits = ", ".join(name for name, at in own.chosen.items() if at == place)
            cells = [
                TableCell(
                    own.columns[head][place] if head in own.columns else None,
                    percent=curve.metric.scale.part_in_percent(head),
                )
                for head in heads[2:]
            ]
            rows.append([*names, edits, curve.thresholds[place].item(), int(curve.suggestions[place]), *cells])
        notes.append(f"{' '.join(names)}: {last + 1} thresholds of {curve.confidences:,} confidences")
    columns = [*NAMES, TableColumn("edits"), TableColumn("threshold", "exact"), TableColumn("suggestions", "count")]
    notes = [] if most else [*dict.fromkeys(own.curve.signature for own, _ in named), *notes]
    columns += table_columns("score", *heads[2:], undefined=True)
    return ReportTable(columns, rows, notes, sections=sections[1:])


def _measures(named: Named) -> ReportTable:
    """Return average precision and the errors of calibration, and the intervals."""
    rows: list[TableRow] = []
    for own, names in named:
        values = {"average_precision": own.curve.average_precision}
        if own.intervals:
            values["best_threshold"] = own.columns["threshold"][own.curve.best]
            values |= {name: own.columns["score"][place] for name, place in own.chosen.items()}
        if own.calibration is not None:
            values |= {name: own.calibration.figures[name] for name in ERRORS}
        for name, value in values.items():
            percent = own.curve.metric.scale.in_percent if name in own.chosen else name == "average_precision"
            called = f"score, {name}" if name in own.chosen else name.replace("_", " ")
            rows.append([*names, called, TableCell(value, percent=percent), _bounds(own.intervals.get(name), percent)])
    columns = [*NAMES, TableColumn("measure"), TableColumn("value", "score", finer=1)]
    return _with_intervals(columns, rows)


def _bins(named: Named) -> ReportTable:
    """Return the bins with edits, a reliability diagram as a table."""
    rows: list[TableRow] = []
    for own, names in named:
        found = {} if own.calibration is None else own.calibration.figures
        intervals = own.intervals.get("right", [None] * len(found.get("edits", ())))
        bins = zip(*(found.get(name, ()) for name in BINS), intervals, strict=True)
        for at, (edits, confidence, right, interval) in enumerate(bins):
            if edits:
                ends = f"{at / len(intervals):.4g} - {(at + 1) / len(intervals):.4g}"
                rows.append([*names, ends, int(edits), confidence, right, _bounds(interval)])
    columns = [*NAMES, TableColumn("bin"), TableColumn("edits", "count"), *table_columns("score", *BINS[1:])]
    return _with_intervals(columns, rows)


def _with_intervals(columns: Sequence[TableColumn], rows: Sequence[TableRow]) -> ReportTable:
    """Return a table whose last column contains intervals, if there are any."""
    if all(row[-1] is None for row in rows):
        return ReportTable(columns, [row[:-1] for row in rows])
    return ReportTable([*columns, TableColumn("95 % interval", "interval", finer=1, beside=True)], rows)


def _bounds(interval: Interval | None, percent: bool = False) -> TableCell | None:
    return None if interval is None else TableCell((interval.low, interval.high), percent=percent)


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


#: Warning about thresholds that were chosen on the reported sentences.
TUNED = "the best thresholds were chosen on the sentences that they are scored on: --tuned DEV.json scores a test set"
THRESHOLDS = Group.create_ordered("thresholds", sort_key=2)


@Parameter(name="*", group=METRICS)
@dataclass(frozen=True, kw_only=True)
class SweptMetricOptions(MetricOptions):
    """Metrics that are scored at thresholds."""

    metrics: Annotated[tuple[str, ...], Parameter(alias="-m", metavar="METRIC")] = ("errant",)
    """metrics, such as errant:mode=ds (list: geceval metrics) (default: errant)"""


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class SweepOutputOptions(OutputOptions):
    """Format, also a page with charts, file, digits, threads, quiet."""

    formats: ClassVar[tuple[str, ...]] = (*FORMATS, "html")
    format: Annotated[str | None, Parameter(alias="-f", choices=(*FORMATS, "html"))] = None
    """output format (default: by the ending of -o, or table)"""


@Parameter(name="*", group=THRESHOLDS)
@dataclass(frozen=True, kw_only=True)
class SweepRequest:
    """Systems given as M2, metrics, and the thresholds."""

    data: CorpusOptions = CorpusOptions()
    metric: SweptMetricOptions = SweptMetricOptions()
    output: SweepOutputOptions = SweepOutputOptions()
    threshold: Annotated[float | None, Parameter(alias="-t", metavar="T")] = None
    """also score this threshold"""
    tuned: Annotated[str | None, Parameter(metavar="FILE")] = None
    """also score the best thresholds of a development set, from its JSON report"""
    steps: int | None = None
    """at most N thresholds, quantiles of the confidences (default: all; if references are chosen in the order of the
    sentences or for the best total, 2 million / sentences)"""
    calibration: Annotated[int | None, Parameter(metavar="BINS")] = None
    """also measure calibration, in this number of bins of equal width, such as 10"""
    intervals: bool = False
    """show 95 % bootstrap intervals of thresholds and scores"""
    resamples: Resamples = 1000

    def __post_init__(self) -> None:
        if self.threshold is not None:
            number("--threshold", self.threshold, Bounds(-1e150, 1e150))
        check_whole(self, steps=Bounds(2, PLACES.high), calibration=Bounds(1, 10_000), resamples=RESAMPLES)
        if self.threshold is not None and self.tuned is not None:
            raise UsageError("--threshold and --tuned exclude each other")


def sweep(*, request: SweepRequest = SweepRequest()) -> None:
    """Write the scores at thresholds.

    Examples:
      geceval sweep --gold dev.m2 -c checker=dev-system.m2 --intervals -o dev.json
      geceval sweep --gold test.m2 -c checker=test-system.m2 --tuned dev.json
      geceval sweep -s source.txt -r ref*.txt -c checker=system.m2 --calibration 10 -o curve.json

    A system is M2 with a confidence in the comment field of each edit:
    A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||0.93|||0

    documentation: docs/thresholds.md
    """
    output, replicates = request.output, request.resamples if request.intervals else 0
    checksum, tuned = ("", {}) if request.tuned is None else read_thresholds(request.tuned)
    inputs = CorpusInputs(request.data, quiet=output.quiet, threads=output.threads)
    metrics = inputs.metrics_of(request.metric.metrics, request.metric)
    [corpus] = inputs.corpus().parts(int(PLACES.high))
    swept, fingerprint = [], f"{Text(corpus.source).fingerprint():032x}"
    with progress(quiet=output.quiet) as advance, collected(quiet=output.quiet) as found:
        for name in corpus.system_names:
            given = [tuned.get((name, metric_key(metric)), request.threshold) for metric in metrics]
            if request.tuned is not None and None in given:
                hint = f"it has the systems {', '.join(system for system, _ in tuned)}; -c NAME=FILE names a system"
                raise InputError(f"no thresholds of {name} under these metrics", path=request.tuned, hint=hint)
            system = ConfidentSystem(corpus, name, metrics, output.threads, advance)
            curves = threshold_curves(system, steps=request.steps, also=[own for own in given if own is not None])
            verdicts = (
                [None for _ in metrics] if request.calibration is None else calibrations(system, request.calibration)
            )
            rows = zip(curves, verdicts, given, strict=True)
            swept += [Swept(curve, verdict, own, replicates) for curve, verdict, own in rows]
        if request.threshold is None and checksum in ("", fingerprint):
            warn(TUNED)
    about = {"sentences": len(corpus), "fingerprint": fingerprint}
    report = sweep_report(swept, inputs.to_document(found) | about)
    if output.written_format == "html":
        write_text(output.target, render_sweep(swept, report, output.digits))
        return
    write_report(output.target, report, output.written_format, output.digits)
