"""``geceval metrics``: the metrics, and the settings of each."""

from __future__ import annotations

from geceval.base.requests import CommandRequest, option
from geceval.cli.options import FormatOption
from geceval.cli.output import text_of, write_text
from geceval.cli.parsing import Command
from geceval.counting.metric_names import METRICS


class MetricsRequest(FormatOption, CommandRequest):
    """The metric, and the format of its settings."""

    metric: str | None = option(nargs="?", metavar="METRIC")
    format: str | None = option("-f", "--format", choices=["table", "json"])


def run(request: MetricsRequest) -> None:
    """Write the list of metrics, or the settings of one."""
    from geceval.app.metric_facts import metric_facts, metric_list_report, metric_report

    if request.metric is None:
        report = metric_list_report([metric_facts(name) for name in METRICS.names()])
    else:
        report = metric_report(metric_facts(request.metric))
    write_text(request.target, text_of(report, request.written_format, request.target))


COMMAND = Command(MetricsRequest, run)
