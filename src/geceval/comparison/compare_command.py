"""``geceval compare``: test whether one system is better than another."""

from __future__ import annotations

from typing import Any

from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, option
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import (
    CHANGES,
    LENGTH,
    ChecksOption,
    CorpusOptions,
    GroupingOptions,
    GuardOption,
    MetricOptions,
    OutputOptions,
    RecordOption,
    StatisticsOptions,
)
from geceval.cli.output import check_record, write_recorded
from geceval.cli.parsing import Command
from geceval.cli.stderr import collected, warn, watching
from geceval.comparison.comparison_report import comparison_report
from geceval.tables.report import Report
from geceval.text.files import record_opened_files


class CompareStatisticsOptions(StatisticsOptions, title="statistics"):
    """Options of tests, intervals and power."""

    power: bool = option("--power")


class PartOptions(GroupingOptions, title="scores by type or group"):
    """Options of comparisons by type or group."""


class CompareRequest(RecordOption, GuardOption, ChecksOption, CommandRequest):
    """Systems, metrics, and the comparison."""

    data: CorpusOptions = CorpusOptions()
    metric: MetricOptions = MetricOptions()
    statistics: CompareStatisticsOptions = CompareStatisticsOptions()
    parts: PartOptions = PartOptions()
    output: OutputOptions = OutputOptions()
    sort: str = option("--sort", metavar="BY", default="score")
    changes: tuple[str, ...] = CHANGES

    def check(self) -> None:
        check_record(self.record, self.output.target)
        if self.statistics.power and self.data.files.runs:
            raise UsageError("--power is for systems with one run: more sentences do not make runs more alike")
        tests = {"sort", *(name for part in (self.statistics, self.parts) for name, _, _ in part.options())}
        for name, facts, _ in self.changed_options():
            if self.changes and name in tests:
                raise UsageError(f"{facts.name(name)} does not apply to --changes", hint="run geceval compare twice")


def run(request: CompareRequest) -> None:
    """Write the comparison."""
    inputs = CorpusInputs(request.data, quiet=request.output.quiet, threads=request.output.threads)
    with record_opened_files() as files:
        report = compared(request, inputs)
    metrics = request.metric.metrics or inputs.default_metrics(by_kind=request.parts.by is not None)
    write_recorded("compare", request, report, files, metrics)


def report_of(request: CompareRequest) -> Report:
    """Return the comparison."""
    return compared(request, CorpusInputs(request.data, quiet=request.output.quiet, threads=request.output.threads))


def compared(request: CompareRequest, inputs: CorpusInputs) -> Report:
    """Return the comparison of opened texts."""
    if request.changes:
        return changed(request, inputs)
    from geceval.comparison.compare import resample_systems
    from geceval.comparison.pair_tests import comparison_of
    from geceval.comparison.power import power_of
    from geceval.counting.groups.groupings import length_bands_of
    from geceval.counting.run import Run
    from geceval.counting.stream import shows_source

    statistics, parts, output = request.statistics, request.parts, request.output
    metrics, corpus = inputs.metrics(request.metric, by_kind=parts.by is not None), inputs.corpus(runs=True)
    blocks = inputs.labels(statistics.blocks)
    groups = length_bands_of(corpus) if parts.group == LENGTH else inputs.labels(parts.group)
    counting = Run(corpus, metrics, guard=shows_source(metrics) and request.guard)
    shown = counting.source
    options = statistics.comparison_options(shown, metrics, output.threads, runs=request.data.files.runs)
    with watching(counting, request.data.files.source, quiet=output.quiet) as (advance, found):
        counts = resample_systems(
            shown, metrics, options, progress=advance, checks=request.checks, blocks=blocks, by=parts.by, groups=groups
        )
        files = inputs.to_document(found, blocks=statistics.blocks, by=parts.by, group=parts.group)
        comparison = comparison_of(shown, counts, options)
        warn(*comparison.warnings)
    power = power_of(counts, alpha=statistics.alpha) if statistics.power else []
    return comparison_report(comparison, files, power, sort=request.sort, groups=parts.head)


def changed(request: CompareRequest, inputs: CorpusInputs) -> Report:
    """Return the changes between two of the systems."""
    from geceval.comparison.output_changes import OutputChanges, changes_report
    from geceval.counting.run import evaluate
    from geceval.inspection.examination import examine
    from geceval.inspection.sentence_selection import Wanted

    before, after = request.changes
    metrics, corpus, threads = inputs.metrics(request.metric), inputs.corpus(), request.output.threads
    wanted = Wanted(number=None, sort="given", system=after, against=before)
    with collected(quiet=request.output.quiet) as found:
        how: dict[str, Any] = {"threads": threads, "checks": request.checks}
        examined = examine(corpus, metrics, wanted, annotator=inputs.language.annotator_or_default, **how)
        scores = evaluate(corpus, list(dict.fromkeys(metrics)), views=["corpus"], threads=threads, checks=False)
    changes = OutputChanges(before, after, examined)
    pairs = zip(examined.metrics, scores[before], scores[after], strict=True)
    both = {label: (one.score().value, other.score().value) for label, one, other in pairs}
    signatures = [result.signature() for result in scores[after]]
    return changes_report(changes, both, signatures, inputs.to_document(found))


COMMAND = Command(CompareRequest, run, report_of)
