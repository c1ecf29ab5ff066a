"""``geceval compare``: test whether one system is better than another."""

from __future__ import annotations

from geceval.base.requests import CommandRequest, option
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import (
    LENGTH,
    ChecksOption,
    CorpusOptions,
    GroupingOptions,
    GuardOption,
    MetricOptions,
    OutputOptions,
    RecordOption,
    StatisticsOptions,
    sort_option,
)
from geceval.cli.output import check_record, write_recorded
from geceval.cli.parsing import Command
from geceval.cli.stderr import warn, watching
from geceval.report.report import Report
from geceval.text.files import record_opened_files


class CompareStatisticsOptions(StatisticsOptions, title="statistics"):
    """Options of tests, intervals and power."""

    power: bool = option("--power", help="show the number of sentences needed for a power of 80 %")


class PartOptions(GroupingOptions, title="scores by type or group"):
    """Options of comparisons by type or group."""


class CompareRequest(RecordOption, GuardOption, ChecksOption, CommandRequest):
    """Systems, metrics, and the comparison."""

    data: CorpusOptions = CorpusOptions()
    metric: MetricOptions = MetricOptions()
    statistics: CompareStatisticsOptions = CompareStatisticsOptions()
    parts: PartOptions = PartOptions()
    output: OutputOptions = OutputOptions()
    sort: str = sort_option("score", "score, ")

    def check(self) -> None:
        check_record(self.record, self.output.target)


def run(request: CompareRequest) -> None:
    """Write the comparison."""
    inputs = inputs_of(request)
    with record_opened_files() as files:
        report = compared(request, inputs)
    metrics = request.metric.metrics or inputs.default_metrics(by_kind=request.parts.by is not None)
    write_recorded("compare", request, report, files, metrics)


def inputs_of(request: CompareRequest) -> CorpusInputs:
    """Return the texts of a request."""
    return CorpusInputs(request.data, quiet=request.output.quiet, threads=request.output.threads)


def report_of(request: CompareRequest) -> Report:
    """Return the comparison."""
    return compared(request, inputs_of(request))


def compared(request: CompareRequest, inputs: CorpusInputs) -> Report:
    """Return the comparison of opened texts."""
    from geceval.counting.groups.groupings import length_bands_of
    from geceval.counting.run import Run
    from geceval.counting.stream import shows_source
    from geceval.report.comparisons.comparison_report import comparison_report
    from geceval.studies.comparison.compare import comparison_of, resample_systems
    from geceval.studies.comparison.power import power_of

    statistics, parts, output = request.statistics, request.parts, request.output
    metrics, corpus = inputs.metrics(request.metric, by_kind=parts.by is not None), inputs.corpus()
    blocks = inputs.labels(statistics.blocks)
    groups = length_bands_of(corpus) if parts.group == LENGTH else inputs.labels(parts.group)
    counting = Run(corpus, metrics, guard=shows_source(metrics) and request.guard)
    shown = counting.source
    options = statistics.comparison_options(shown, metrics, output.threads)
    with watching(counting, request.data.files.source, quiet=output.quiet) as (advance, found):
        counts = resample_systems(
            shown, metrics, options, progress=advance, checks=request.checks, blocks=blocks, by=parts.by, groups=groups
        )
        files = inputs.to_document(found, blocks=statistics.blocks, by=parts.by, group=parts.group)
        comparison = comparison_of(shown, counts, options)
        warn(*comparison.warnings)
    power = power_of(counts, alpha=statistics.alpha) if statistics.power else []
    return comparison_report(comparison, files, power, sort=request.sort, groups=parts.head)


COMMAND = Command(CompareRequest, run, report_of)
