"""``geceval metrics``: the metrics, and the settings of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from cyclopts import Parameter

from geceval.cli.options import OUTPUT, TargetOption
from geceval.cli.output import text_of, write_text
from geceval.counting.metric_names import METRICS


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class MetricsRequest(TargetOption):
    """The format of the list or of the settings."""

    formats: ClassVar[tuple[str, ...]] = ("table", "json")
    format: Annotated[str | None, Parameter(alias="-f", choices=("table", "json"))] = None
    """output format (default: by the ending of -o, or table)"""


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

    documentation: docs/scoring.md
    """
    from geceval.app.metric_facts import metric_facts, metric_list_report, metric_report

    if metric is None:
        report = metric_list_report([metric_facts(name) for name in METRICS.names()])
    else:
        report = metric_report(metric_facts(metric))
    write_text(request.target, text_of(report, request.written_format, request.target))
