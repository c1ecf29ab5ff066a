"""Report of scores at thresholds of confidence."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from geceval._kernel import Text
from geceval.base.cached import cached_property
from geceval.base.errors import InputError, UsageError
from geceval.counting.metric_names import heads_of, labels
from geceval.counting.stream import AnyMetric
from geceval.report.report import Report
from geceval.report.scores.score_report import settings
from geceval.report.table import ReportTable, TableCell, TableColumn, TableRow, Value
from geceval.statistics.intervals import Interval
from geceval.studies.confidence.threshold_curves import CurveIntervals, ThresholdCurve
from geceval.text.corpus import Corpus
from geceval.text.files import read_text

SCHEMA = "geceval/sweep@1"
#: Maximum number of thresholds of a curve in a table; JSON, CSV and TSV have all.
MOST_ROWS = 10


@dataclass(frozen=True)
class SweptCurve:
    """A curve with the thresholds of its summary.

    Attributes:
        curve: The curve.
        given: Threshold that was chosen before; None: none.
        replicates: Number of bootstrap replicates of the intervals; 0: no intervals.
    """

    curve: ThresholdCurve
    given: float | None = None
    replicates: int = 0

    @property
    def chosen(self) -> dict[str, tuple[float, int]]:
        """Name -> threshold of the summary and its index."""
        curve = self.curve
        named = {"all": (float(curve.thresholds[0]), 0), "best": (float(curve.thresholds[curve.best]), curve.best)}
        return named if self.given is None else named | {"given": (self.given, curve.place(self.given))}

    @cached_property
    def intervals(self) -> CurveIntervals | None:
        """Intervals of the chosen thresholds, in their order."""
        places = [place for _, place in self.chosen.values()]
        return self.curve.intervals(places, replicates=self.replicates) if self.replicates else None

    def to_document(self) -> dict[str, Any]:
        """Return the summary and the curve as JSON values."""
        curve, intervals = self.curve, self.intervals
        chosen = {
            name: {"threshold": threshold, **self._values(place)} for name, (threshold, place) in self.chosen.items()
        }
        columns = {name: own[:-1].tolist() for name, own in self._columns.items()}
        document = {
            "system": curve.system,
            "metric": curve.metric.name,
            "settings": settings(curve.metric),
            "signature": curve.signature,
            "confidences": curve.confidences,
            "average_precision": curve.average_precision,
            **chosen,
            "curve": {"threshold": curve.thresholds.tolist(), **columns},
        }
        if intervals is None:
            return document
        of_scores = dict(zip(chosen, map(_pair, intervals.scores), strict=True))
        bounds = {"threshold": _pair(intervals.threshold), "average_precision": _pair(intervals.average_precision)}
        return document | {"intervals": {**bounds, "scores": of_scores, "replicates": self.replicates}}

    @property
    def _columns(self) -> dict[str, Any]:
        return {"suggestions": self.curve.suggestions, **self.curve.parts, "score": self.curve.scores}

    def _values(self, place: int) -> dict[str, Any]:
        return {name: own[place].item() for name, own in self._columns.items()}

    def row(self, place: int, parts: Sequence[str]) -> list[Value | TableCell]:
        """Return suggestions, parts and score at a threshold; None for missing parts."""
        metric, values = self.curve.metric, self._values(place)
        cells = [TableCell(values.get(part), percent=metric.part_in_percent(part)) for part in parts]
        best = place == self.curve.best
        return [values["suggestions"], *cells, TableCell(values["score"], percent=metric.in_percent, best=best)]


def read_sweep(path: str) -> dict[str, Any]:
    """Return the JSON report of a sweep; raises InputError for another file."""
    text = read_text(path)
    with contextlib.suppress(ValueError):
        report = json.loads(text)
        if isinstance(report, dict) and report.get("schema") == SCHEMA:
            return report
    raise InputError(f"is no report of a sweep ({SCHEMA})", path=path, hint="geceval sweep … -o dev.json writes one")


def tuned_threshold(report: Mapping[str, Any], system: str, metric: AnyMetric) -> float:
    """Return the best threshold of a system under a metric in the report of a sweep.

    Raises:
        UsageError: If the report has none.
    """
    for own in report["results"]:
        if (own["system"], own["metric"], own["settings"]) == (system, metric.name, settings(metric)):
            return float(own["best"]["threshold"])
    there = dict.fromkeys(f"{own['system']} under {own['metric']}" for own in report["results"])
    message = f"--tuned: no threshold of {system} under {metric.name} with these settings"
    raise UsageError(message, hint=f"the report has {', '.join(there)}; -c NAME=FILE names a system")


def fingerprint(corpus: Corpus) -> str:
    """Return a checksum of the source."""
    return f"{Text(corpus.source).fingerprint():032x}"


def sweep_report(swept: Sequence[SweptCurve], inputs: Mapping[str, Any]) -> Report:
    """Return the scores at thresholds.

    Args:
        swept: The curves.
        inputs: Description of the input files, for JSON.
    """
    return Report(
        SCHEMA,
        lambda: {**inputs, "results": [own.to_document() for own in swept]},
        lambda: [_summary(swept), *(_curve_table(own) for own in swept)],
        records=lambda: [_records(swept)],
    )


def _parts(swept: Sequence[SweptCurve]) -> list[str]:
    return list(dict.fromkeys(part for own in swept for part in own.curve.parts))


def _columns(parts: Sequence[str], head: str) -> list[TableColumn]:
    figures = [TableColumn(name, "score") for name in [*parts, head]]
    return [TableColumn("threshold", "exact"), TableColumn("suggestions", "count"), *figures]


def _summary(swept: Sequence[SweptCurve]) -> ReportTable:
    """Return the scores of all edits, at the best threshold, and at the given one."""
    parts, called = _parts(swept), labels([own.curve.metric for own in swept])
    columns = [TableColumn("system"), TableColumn("metric"), TableColumn("edits"), *_columns(parts, "score")]
    if any(own.replicates for own in swept):
        columns.insert(4, TableColumn("95 % interval", "interval", digits=3, beside=True))
        columns.append(TableColumn("95 % interval", "interval", beside=True))
    columns.append(TableColumn("AP", "score", percent=True))
    rows: list[TableRow] = []
    for own, label in zip(swept, called, strict=True):
        for at, (name, (threshold, place)) in enumerate(own.chosen.items()):
            cells: list[Value | TableCell] = [own.curve.system, label, name, threshold, *own.row(place, parts)]
            if own.intervals is not None:
                cells.insert(4, _pair(own.intervals.threshold) if name == "best" else None)
                cells.append(TableCell(_pair(own.intervals.scores[at]), percent=own.curve.metric.in_percent))
            rows.append([*cells, own.curve.average_precision if at == 0 else None])
    signatures = dict.fromkeys(own.curve.signature for own in swept)
    return ReportTable(columns, rows, [*signatures, *dict.fromkeys(_thresholds(own.curve) for own in swept)])


def _thresholds(curve: ThresholdCurve) -> str:
    if len(curve.thresholds) < curve.confidences:
        return f"{curve.system}: {len(curve.thresholds)} thresholds, quantiles of {curve.confidences:,} confidences"
    return f"{curve.system}: all {curve.confidences:,} confidences are thresholds"


def _curve_table(own: SweptCurve) -> ReportTable:
    """Return some thresholds of a curve, in equal steps, and the chosen ones."""
    curve, parts = own.curve, list(own.curve.parts)
    label = labels([curve.metric])
    [head] = heads_of([curve.metric], label)
    steps = np.linspace(0, len(curve.thresholds) - 1, MOST_ROWS).round().astype(int).tolist()
    shown = sorted({*steps, curve.best})
    rows: list[TableRow] = [[float(curve.thresholds[place]), *own.row(place, parts)] for place in shown]
    return ReportTable(_columns(parts, head.formula), rows, title=f"{curve.system}, {label[0]}")


def _records(swept: Sequence[SweptCurve]) -> ReportTable:
    """Return all thresholds of all curves."""
    parts, called = _parts(swept), labels([own.curve.metric for own in swept])
    rows: list[TableRow] = []
    for own, label in zip(swept, called, strict=True):
        for place, threshold in enumerate(own.curve.thresholds.tolist()):
            rows.append([own.curve.system, label, threshold, *own.row(place, parts)])
    return ReportTable([TableColumn("system"), TableColumn("metric"), *_columns(parts, "score")], rows)


def _pair(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high
