"""``geceval metrics``: list the metrics, the settings of each, and try the laws on one."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from cyclopts import Parameter

from geceval.base.errors import UsageError
from geceval.commands.shared.options import TargetOption, written_as
from geceval.commands.shared.output_formats import write_report
from geceval.counting.metric_classes import METRICS
from geceval.counting.metric_names import metrics_of
from geceval.inspection.metric_facts import MetricFacts, metric_facts
from geceval.inspection.metric_laws import broken_laws
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
    rows = [[metric.name, metric.cls.about.measures, metric.needs, metric.cls.about.extra or ""] for metric in metrics]
    return Report(
        "geceval/metrics@1",
        lambda: {"metrics": [metric.to_dict() for metric in metrics]},
        lambda: [ReportTable(columns, rows, notes=NOTES)],
    )


def metric_report(metric: MetricFacts) -> Report:
    """Return the settings of a metric."""
    lines = "".join(f"{line}\n" for line in _settings(metric))
    settings = [setting.to_dict() for setting in metric.settings]
    document = {**metric.to_dict(), "example": metric.example, "settings": settings}
    return Report("geceval/metric@1", lambda: document, lambda: [lines])


def laws_report(tried: Mapping[str, Mapping[str, str]]) -> Report:
    """Return which laws hold for metrics, by name, and what is wrong with the others."""
    columns = [TableColumn(head) for head in ("metric", "law", "holds", "what is wrong")]
    rows = [
        [name, law, "no" if fault else "yes", fault] for name, faults in tried.items() for law, fault in faults.items()
    ]
    return Report("geceval/laws@1", lambda: {"metrics": tried}, lambda: [ReportTable(columns, rows)])


def _settings(metric: MetricFacts) -> Iterator[str]:
    yield f"{metric.name}: {metric.cls.about.measures}" if metric.cls.about.measures else metric.name
    yield f"needs: {metric.needs}" + (
        f"; pip install 'geceval[{metric.cls.about.extra}]'" if metric.cls.about.extra else ""
    )
    settings = metric.settings
    yield from ["", "settings:"] if settings else ["", "no settings"]
    width = max((len(setting.name) for setting in settings), default=0)
    for setting in settings:
        yield from _behind(
            f"  {setting.name:{width}}  ", setting.meaning, f"{setting.values} (default: {setting.default_text})"
        )
    yield from ["", "signatures contain the settings, and entries that docs/scoring.md explains"]
    yield from ["", "example:", *command_lines(metric.example)]
    if metric.page is not None:
        yield from ["", f"see: docs/{metric.page}"]


def _behind(head: str, *texts: str) -> Iterator[str]:
    """Yield texts wrapped behind a head."""
    lines = [line for text in texts for line in textwrap.wrap(text, WIDTH - len(head), break_on_hyphens=False)]
    for index, line in enumerate(lines or [""]):
        yield ((" " * len(head) if index else head) + line).rstrip()


def command_lines(command: str) -> list[str]:
    """Return a command wrapped before its options, with the backslashes of a shell."""
    if len(command) <= WIDTH - 2:
        return [f"  {command}"]
    data, options = command.split(" -m ", 1)
    rest = textwrap.wrap(f"-m {options}", WIDTH - 6, break_long_words=False, break_on_hyphens=False)
    return " \\\n    ".join([f"  {data}", *rest]).split("\n")


@written_as("table", "json")
class MetricsRequest(TargetOption):
    """The format of the list or of the settings."""

    check: Annotated[tuple[str, ...], Parameter(metavar="METRIC", consume_multiple=True)] = ()
    """try the laws of metrics on examples: ./metric.py:EditRate; exit status 1 if one does not hold"""


def metrics(
    metric: Annotated[str | None, Parameter(name="METRIC", help="name of a metric (default: list all)")] = None,
    /,
    *,
    request: MetricsRequest = MetricsRequest(),
) -> None:
    """Write the list of metrics, or the settings of one.

    Examples:
      geceval metrics
      geceval metrics errant
      geceval metrics errant -f json
      geceval metrics --check exact.py:Exact

    documentation: docs/scoring.md
    """
    if request.check:
        if metric is not None:
            raise UsageError("--check and the name of a metric exclude each other", hint=f"--check {metric}")
        tried = {spec: broken_laws(metric) for spec in request.check for metric in metrics_of(spec)}
        write_report(laws_report(tried), request)
        raise SystemExit(1 if any(any(faults.values()) for faults in tried.values()) else 0)
    if metric is None:
        report = metric_list_report([metric_facts(name) for name in METRICS.names()])
    else:
        report = metric_report(metric_facts(metric))
    write_report(report, request)
