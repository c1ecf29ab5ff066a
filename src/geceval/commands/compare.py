"""``geceval compare``: test whether one system is better than another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from geceval.base.errors import UsageError
from geceval.commands.shared.corpus_options import CorpusOptions
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.option_groups import OTHER, STATISTICS
from geceval.commands.shared.option_values import changed, flag
from geceval.commands.shared.options import Changes, Checks, MetricOptions, OutputOptions, Record
from geceval.commands.shared.run_progress import watching
from geceval.commands.shared.run_records import check_record, write_recorded
from geceval.commands.shared.run_warnings import warn_each
from geceval.commands.shared.statistics_options import LENGTH, GroupingOptions, StatisticsOptions
from geceval.comparison.comparison_report import comparison_report
from geceval.comparison.output_changes import OutputChanges, changes_report
from geceval.comparison.power import power_of
from geceval.counting.breakdown import length_bands_of
from geceval.counting.evaluate import evaluate
from geceval.counting.run import Run
from geceval.counting.stream import shows_source
from geceval.inspection.examination import examine
from geceval.inspection.sentence_selection import Wanted
from geceval.resampling.compared_metrics import comparison_of
from geceval.resampling.resampled_systems import resample_systems
from geceval.tables.report import Report
from geceval.terminal.messages import collected
from geceval.text.files import record_opened_files


@Parameter(name="*", group=STATISTICS)
@dataclass(frozen=True, kw_only=True)
class CompareStatisticsOptions(StatisticsOptions):
    """Options of tests, intervals and power."""

    power: bool = False
    """show the number of sentences needed for a power of 80 %"""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class CompareRequest:
    """Systems, metrics, and the comparison."""

    data: CorpusOptions = CorpusOptions()
    metric: MetricOptions = MetricOptions()
    statistics: CompareStatisticsOptions = CompareStatisticsOptions()
    parts: GroupingOptions = GroupingOptions()
    output: OutputOptions = OutputOptions()
    changes: Annotated[Changes, Parameter(group=OTHER)] = None
    record: Record = None
    checks: Checks = True

    def __post_init__(self) -> None:
        check_record(self.record, self.output.target)
        if self.statistics.power and self.data.files.runs:
            raise UsageError("--power requires one run of each system", hint="omit --power")
        for name in changed(self.statistics) | changed(self.parts):
            if self.changes is not None:
                raise UsageError(f"{flag(name)} does not apply to --changes", hint="run geceval compare twice")


def compare(*, request: CompareRequest = CompareRequest()) -> None:
    """Write the comparison.

    Examples:
      geceval compare -s source.txt -r ref0.txt ref1.txt -c careful.txt eager.txt -m green
      geceval compare --gold gold.m2 -c BASE=old.txt NEW=seed1.txt,seed2.txt --baseline BASE --by type
      geceval compare --gold gold.m2 -c old.txt new.txt --changes old new -o changes.json

    documentation: docs/comparison.md
    """
    inputs = CorpusInputs(request.data, threads=request.output.threads)
    with record_opened_files() as files:
        report = compared(request, inputs)
    metrics = request.metric.metrics or inputs.default_metrics(request.parts.by)
    write_recorded("compare", request, report, files, metrics)


def report_of(request: CompareRequest) -> Report:
    """Return the comparison."""
    return compared(request, CorpusInputs(request.data, threads=request.output.threads))


def compared(request: CompareRequest, inputs: CorpusInputs) -> Report:
    """Return the comparison of opened texts."""
    if request.changes is not None:
        return compared_outputs(request, *request.changes, inputs)

    statistics, parts, output = request.statistics, request.parts, request.output
    metrics, corpus = inputs.metrics(request.metric, parts.by), inputs.corpus(runs=True)
    blocks = inputs.labels(statistics.blocks)
    groups = length_bands_of(corpus) if parts.group == LENGTH else inputs.labels(parts.group)
    counting = Run(corpus.with_unchanged() if shows_source(metrics) else corpus, metrics)
    source = counting.source
    options = statistics.comparison_options(source, metrics, output.threads, runs=request.data.files.runs)
    with watching(counting, request.data.files.source) as (advance, warnings):
        counts = resample_systems(
            source, metrics, options, progress=advance, blocks=blocks, by=parts.by, groups=groups, checks=request.checks
        )
        files = inputs.to_document(warnings, blocks=statistics.blocks, by=parts.by, group=parts.group)
        comparison = comparison_of(source, counts, options)
        warn_each(comparison.warnings)
    power = power_of(counts, alpha=statistics.alpha) if statistics.power else []
    return comparison_report(comparison, files, power, groups=parts.head)


def compared_outputs(request: CompareRequest, before: str, after: str, inputs: CorpusInputs) -> Report:
    """Return the changes between two of the systems."""
    metrics, corpus, threads = inputs.metrics(request.metric), inputs.corpus(), request.output.threads
    selection = Wanted(number=None, sort="given", system=after, against=before)
    with collected() as warnings:
        examined = examine(
            corpus, metrics, selection, annotator=inputs.language.annotator, threads=threads, checks=request.checks
        )
        scores = evaluate(corpus, list(dict.fromkeys(metrics)), views=["corpus"], threads=threads, checks=False)
    changes = OutputChanges(before, after, examined)
    pairs = zip(examined.metrics, scores[before], scores[after], strict=True)
    score_pairs = {
        label: (score_before.score().value, score_after.score().value) for label, score_before, score_after in pairs
    }
    signatures = [result.signature() for result in scores[after]]
    return changes_report(changes, score_pairs, signatures, inputs.to_document(warnings))
