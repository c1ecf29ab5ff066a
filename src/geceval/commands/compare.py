"""``geceval compare``: test whether one system is better than another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from cyclopts import Parameter

from geceval.base.arguments import COUNT, Bounds
from geceval.base.errors import UsageError
from geceval.commands.shared.corpus_options import CorpusOptions
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.option_groups import OTHER, PARTS, STATISTICS
from geceval.commands.shared.option_values import TypesOption, changed, check_whole, flag
from geceval.commands.shared.options import Changes, Checks, MetricOptions, PictureOutputOptions, Record, written_as
from geceval.commands.shared.run_progress import watching
from geceval.commands.shared.run_records import check_record, write_recorded
from geceval.commands.shared.run_warnings import warn_each
from geceval.commands.shared.statistics_options import GroupingOptions, StatisticsOptions
from geceval.comparison.answered_sentences import AnsweredCounts
from geceval.comparison.compared_types import compared_types
from geceval.comparison.comparison_report import comparison_report
from geceval.comparison.output_changes import OutputChanges, changes_report
from geceval.comparison.power import power_of
from geceval.comparison.type_report import type_report
from geceval.counting.groupings import CountGroups
from geceval.counting.metric_names import DEFAULT_METRICS
from geceval.counting.run import Run
from geceval.counting.run_options import RunOptions
from geceval.counting.stream import shows_source
from geceval.counting.system_results import system_results
from geceval.inspection.examination import examine
from geceval.inspection.sentence_selection import Wanted
from geceval.resampling.compared_metrics import comparison_of
from geceval.resampling.resampled_systems import resample_systems
from geceval.tables.report import FORMATS, Report
from geceval.tables.svg import PICTURES
from geceval.terminal.messages import collected
from geceval.text.files import record_opened_files


@Parameter(name="*", group=STATISTICS)
@dataclass(frozen=True, kw_only=True)
class CompareStatisticsOptions(StatisticsOptions):
    """Options of tests, intervals and power."""

    power: bool = False
    """show the number of sentences needed for a power of 80 %"""
    without_failed: bool = False
    """add the result on the sentences that all systems answered: no empty line, refusal or answer that was cut"""


@Parameter(name="*", group=PARTS)
@dataclass(frozen=True, kw_only=True)
class ComparePartsOptions(GroupingOptions):
    """Differences by kinds of edits or by groups of sentences, or of single types of edits."""

    type: TypesOption = ()
    """compare by these types of edits, each alone: DET, R:VERB:SVA, R, VERB*, DET+PREP (default metrics: errant success
    false-alarms)"""
    top: Annotated[int | None, Parameter(metavar="N")] = None
    """add the N most frequent types of the gold edits to --type"""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self, top=Bounds(1, COUNT.high))
        grouped = [name for name in ("by", "group") if getattr(self, name) is not None]
        if self.has_types and grouped:
            raise UsageError(f"--{grouped[0]} does not apply to --type and --top", hint="run geceval compare twice")

    @property
    def has_types(self) -> bool:
        """Whether systems are compared by types of edits, each alone."""
        return bool(self.type) or self.top is not None


@written_as(*FORMATS, *PICTURES)
class CompareOutputOptions(PictureOutputOptions):
    """Tables, or a picture."""

    picture: Literal["scores", "net-benefit", "types", "over-correction"] | None = None
    """picture to write: scores with intervals (default), or net-benefit; with --type: types (default), a map, or
    over-correction, F against false alarms"""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class CompareRequest:
    """Systems, metrics, and the comparison."""

    data: CorpusOptions = CorpusOptions()
    metric: MetricOptions = MetricOptions()
    statistics: CompareStatisticsOptions = CompareStatisticsOptions()
    parts: ComparePartsOptions = ComparePartsOptions()
    output: CompareOutputOptions = CompareOutputOptions()
    changes: Annotated[Changes, Parameter(group=OTHER)] = None
    record: Record = None
    checks: Checks = True

    def __post_init__(self) -> None:
        check_record(self.record, self.output.target)
        if self.statistics.power and self.data.files.runs:
            raise UsageError("--power requires one run of each system", hint="omit --power")
        if self.statistics.power and self.parts.has_types:
            raise UsageError("--power does not apply to --type and --top", hint="use -m errant:types=DET --power")
        if self.statistics.without_failed and not self.checks:
            raise UsageError("--no-checks does not apply to --without-failed", hint="omit --no-checks")
        if self.statistics.without_failed and self.parts.has_types:
            raise UsageError("--without-failed does not apply to --type and --top", hint="run geceval compare twice")
        pictures = ("types", "over-correction") if self.parts.has_types else ("scores", "net-benefit")
        self.output.check_picture(*pictures)
        if self.changes is not None and self.output.written_format in PICTURES:
            raise UsageError("--changes has no picture", hint="omit --changes")
        for name in changed(self.statistics) | changed(self.parts):
            if self.changes is not None:
                raise UsageError(f"{flag(name)} does not apply to --changes", hint="run geceval compare twice")


def compare(*, request: CompareRequest = CompareRequest()) -> None:
    """Write the comparison.

    Examples:
      geceval compare -s source.txt -r ref0.txt ref1.txt -c careful.txt eager.txt -m green
      geceval compare --gold gold.m2 -c BASE=old.txt NEW=seed1.txt,seed2.txt --baseline BASE --by type
      geceval compare --gold gold.m2 -c BASE=old.txt NEW=new.txt --baseline BASE --type DET PREP R:VERB:SVA -o types.pdf
      geceval compare --gold gold.m2 -c old.txt new.txt --changes old new -o changes.json

    documentation: docs/comparison.md
    """
    inputs = _inputs(request)
    with record_opened_files() as files:
        report = compared(request, inputs)
    metrics = _named_metrics(request, inputs).metrics
    write_recorded("compare", request, report, files, metrics)


def _named_metrics(request: CompareRequest, inputs: CorpusInputs) -> MetricOptions:
    """Return the metrics of the request, or the default ones."""
    if request.metric.metrics:
        return request.metric
    parts = request.parts
    default = DEFAULT_METRICS["types"] if parts.has_types else inputs.default_metrics(parts.by)
    return replace(request.metric, metrics=tuple(default))


def report_of(request: CompareRequest) -> Report:
    """Return the comparison."""
    return compared(request, _inputs(request))


def _inputs(request: CompareRequest) -> CorpusInputs:
    """Return the corpus; answers that failed are counted if they are left out."""
    data = request.data.with_failed_answers() if request.statistics.without_failed else request.data
    return CorpusInputs(data, threads=request.output.threads)


def compared(request: CompareRequest, inputs: CorpusInputs) -> Report:
    """Return the comparison of opened texts."""
    if request.changes is not None:
        return compared_outputs(request, *request.changes, inputs)

    statistics, parts, output = request.statistics, request.parts, request.output
    metrics, corpus = inputs.metrics(_named_metrics(request, inputs)), inputs.corpus(runs=True)
    types = None
    with collected() as type_warnings:
        if parts.has_types:
            types = compared_types(corpus, metrics, parts.type, top=parts.top, threads=output.threads)
            metrics = types.metrics
    groups = CountGroups(inputs.labels(statistics.blocks), parts.by, inputs.groups(parts.group))
    counting = Run(corpus.with_unchanged() if shows_source(metrics) else corpus, metrics)
    source = counting.source
    options = statistics.comparison_options(source, metrics, output.threads, runs=request.data.files.runs)
    answers = AnsweredCounts(groups.blocks) if statistics.without_failed else None
    add = None if answers is None else answers.add
    with watching(counting, request.data.files.common_source) as (advance, warnings):
        run_options = RunOptions(progress=advance, checks=request.checks)
        counts = resample_systems(source, metrics, options, groups, run_options, receiver=add)
        files = inputs.to_document(
            [*type_warnings, *warnings], blocks=statistics.blocks, by=parts.by, group=parts.group
        )
        comparison = comparison_of(source, counts, options)
        warn_each(comparison.warnings)
        answered = None if answers is None else answers.compared(source, counts, options)
    if types is not None:
        return type_report(comparison, types, files)
    power = power_of(counts, alpha=statistics.alpha) if statistics.power else []
    return comparison_report(comparison, files, power, groups=parts.head, answered=answered)


def compared_outputs(request: CompareRequest, before: str, after: str, inputs: CorpusInputs) -> Report:
    """Return the changes between two of the systems."""
    metrics, corpus, threads = inputs.metrics(request.metric), inputs.corpus(), request.output.threads
    selection = Wanted(number=None, sort="given", system=after, against=before)
    with collected() as warnings:
        examined = examine(
            corpus, metrics, selection, annotator=inputs.language.annotator, threads=threads, checks=request.checks
        )
        scores = system_results(corpus, list(dict.fromkeys(metrics)), views=["corpus"], threads=threads, checks=False)
    changes = OutputChanges(before, after, examined)
    pairs = zip(examined.metrics, scores[before], scores[after], strict=True)
    score_pairs = {
        label: (score_before.score().value, score_after.score().value) for label, score_before, score_after in pairs
    }
    signatures = [result.signature() for result in scores[after]]
    return changes_report(changes, score_pairs, signatures, inputs.to_document(warnings))
