"""Reports of the list of metrics and of their settings."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from geceval.app.metric_facts import MetricFacts
from geceval.tables.report import Report
from geceval.tables.table import ReportTable, TableColumn

#: Width of the text in columns of a terminal.
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
    lines = "".join(f"{line}\n" for line in _settings(metric))
    settings = [setting.to_dict() for setting in metric.settings]
    document = {**metric.to_dict(), "example": metric.example, "settings": settings}
    return Report("geceval/metric@1", lambda: document, lambda: [lines])


def _settings(metric: MetricFacts) -> Iterator[str]:
    yield f"{metric.name}: {metric.cls.measures}" if metric.cls.measures else metric.name
    yield f"needs: {metric.needs}" + (f"; pip install 'geceval[{metric.cls.extra}]'" if metric.cls.extra else "")
    settings = metric.settings
    yield from ["", "settings:"] if settings else ["", "no settings"]
    names = max((len(one.name) for one in settings), default=0)
    for one in settings:
        yield from _behind(f"  {one.name:{names}}  ", one.meaning, f"{one.values} (default: {one.default_text})")
    yield from ["", "signatures contain the settings, and entries that docs/scoring.md explains"]
    yield from ["", "example:", *command_lines(metric.example)]
    if metric.page is not None:
        yield from ["", f"see: docs/{metric.page}"]


def _behind(head: str, *texts: str) -> Iterator[str]:
    """Yield texts wrapped behind a head."""
    lines = [line for text in texts for line in textwrap.wrap(text, WIDTH - len(head), break_on_hyphens=False)]
    for at, line in enumerate(lines or [""]):
        yield ((" " * len(head) if at else head) + line).rstrip()


def command_lines(command: str) -> list[str]:
    """Return a command wrapped before its options, with the backslashes of a shell."""
    if len(command) <= WIDTH - 2:
        return [f"  {command}"]
    data, options = command.split(" -m ", 1)
    rest = textwrap.wrap(f"-m {options}", WIDTH - 6, break_long_words=False, break_on_hyphens=False)
    return " \\\n    ".join([f"  {data}", *rest]).split("\n")
