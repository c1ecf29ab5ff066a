"""The list of metrics, and the settings of one."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from geceval.counting.catalogue.metric_facts import MetricFacts
from geceval.report.report import Report
from geceval.report.table import ReportTable, TableColumn

#: Columns of the text.
WIDTH = 80
NOTES = (
    "gold: gold edits in M2, --gold FILE",
    "neural: pip install 'geceval[neural]'; models are downloaded unless folders",
    "settings of a metric: geceval metrics errant",
)


def metric_list_report(metrics: Sequence[MetricFacts]) -> Report:
    """Return the list of metrics."""
    columns = [TableColumn(head) for head in ("metric", "measures", "needs", "extra")]
    rows = [[one.name, one.cls.measures, one.needs, one.cls.extra or ""] for one in metrics]
    return Report(
        "geceval/metrics@1",
        lambda: {"metrics": [one.to_dict() for one in metrics]},
        lambda: [ReportTable(columns, rows, notes=NOTES)],
    )


def metric_report(metric: MetricFacts) -> Report:
    """Return the settings of a metric."""
    return Report(
        "geceval/metric@1", lambda: _document(metric), lambda: ["".join(f"{line}\n" for line in _lines(metric))]
    )


def _document(metric: MetricFacts) -> dict[str, Any]:
    settings = [one.to_dict() for one in metric.settings]
    return {**metric.to_dict(), "example": metric.example, "settings": settings}


def _lines(metric: MetricFacts) -> Iterator[str]:
    yield f"{metric.name}: {metric.cls.measures}" if metric.cls.measures else metric.name
    yield f"needs: {metric.needs}" + (f"; pip install 'geceval[{metric.cls.extra}]'" if metric.cls.extra else "")
    yield ""
    settings = metric.settings
    indent = max((len(one.name) for one in settings), default=0) + 4
    yield from ["settings:"] if settings else ["no settings"]
    for one in settings:
        texts = (one.meaning, f"{one.values} (default: {one.default_text})")
        first, *rest = (line for text in texts for line in textwrap.wrap(text, WIDTH - indent, break_on_hyphens=False))
        yield f"  {one.name:{indent - 2}}{first}"
        yield from (" " * indent + line for line in rest)
    yield ""
    yield "example:"
    data, spec = metric.example.split(" -m ")
    yield f"  {data} \\"
    yield f"    -m {spec}"
    if metric.page is not None:
        yield ""
        yield f"see: docs/{metric.page}"
