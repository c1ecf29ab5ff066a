"""``geceval score``: score systems with metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from geceval.base.errors import GecevalWarning, UsageError
from geceval.commands.shared.corpus_options import CorpusOptions
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.option_groups import PARTS, SCORES
from geceval.commands.shared.options import (
    Checks,
    Guard,
    MetricOptions,
    Parts,
    PictureOutputOptions,
    PricesOption,
    Record,
    Signatures,
    TypeNamesOption,
    written_as,
)
from geceval.commands.shared.output_formats import text_of
from geceval.commands.shared.run_progress import watching
from geceval.commands.shared.run_records import check_record, write_recorded
from geceval.commands.shared.run_warnings import print_spending, warn_each, warn_of_single_system
from geceval.commands.shared.statistics_options import Blocks, GroupingOptions, labels_of
from geceval.counting.comparison_options import Options
from geceval.counting.groupings import CountGroups
from geceval.counting.metric import Metric
from geceval.counting.metric_names import labels
from geceval.counting.results import AnyResult
from geceval.counting.run import Run
from geceval.counting.run_options import Progress, RunOptions
from geceval.counting.scores import Level
from geceval.counting.stream import wants_guard
from geceval.counting.system_results import system_results
from geceval.scoring.evaluation import with_means
from geceval.scoring.score_report import BY_NAME, score_report, sorted_results
from geceval.tables.report import FORMATS, ROW_FORMATS, Report
from geceval.tables.svg import PICTURES
from geceval.terminal.messages import collected
from geceval.terminal.writing import write_text
from geceval.text.files import SOURCE, record_opened_files
from geceval.text.reading.corpus_files import CorpusReader

if TYPE_CHECKING:
    from geceval.commands.shared.row_output import RowOutput
    from geceval.results.sentence_rows import ScoredPart
    from geceval.scoring.expenses import Expenses

#: Formats for sentence scores only.
SENTENCE_FORMATS = ("jsonl", "parquet")


@Parameter(name="*", group=SCORES)
@dataclass(frozen=True, kw_only=True)
class ScoreOptions:
    """The level of the scores, and what is added to them."""

    level: Level = "corpus"
    """print corpus scores, sentence scores, or means of sentence scores"""
    intervals: bool = False
    """add 95 % bootstrap intervals of corpus scores"""
    blocks: Annotated[Blocks, Parameter(group=SCORES)] = None
    expenses: Annotated[bool, Parameter(negative="")] = False
    """add tokens, cost and seconds per answer of each system, as its provider states them in -i FILE"""
    prices: PricesOption = ()
    dry_run: bool = False
    """count the requests, tokens and costs of a judge; send nothing"""


@Parameter(name="*", group=PARTS)
@dataclass(frozen=True, kw_only=True)
class ScoreTableOptions(GroupingOptions):
    """Tables by kinds of edits or by groups of sentences."""

    type_names: Annotated[TypeNamesOption, Parameter(group=PARTS)] = "codes"
    macro: Literal["any", "gold", "weighted"] | None = None
    """with --by: add the mean over types with an edit (any), over types with a gold edit (gold), or weighted by gold
    edits"""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.macro is not None and self.by is None:
            raise UsageError("--macro requires --by")
        if self.type_names != "codes" and self.by not in ("type", "full"):
            raise UsageError(f"--type-names {self.type_names} requires --by type or full")


@written_as(*FORMATS, *SENTENCE_FORMATS, *PICTURES)
class ScoreOutputOptions(PictureOutputOptions):
    """Format, file, picture, digits, threads, quiet."""

    parts: Parts = False
    picture: Literal["scores", "precision-recall", "types", "groups"] | None = None
    """picture to write: scores (default), with --intervals also their intervals, or precision-recall; with --by or
    --group a map of types or groups"""
    sort: Annotated[str, Parameter(metavar="BY")] = "given"
    """order of the systems: the name of a metric (best first), name or given"""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ScoreRequest:
    """Systems, metrics, and how their scores are shown."""

    data: CorpusOptions = CorpusOptions()
    metric: MetricOptions = MetricOptions()
    scores: ScoreOptions = ScoreOptions()
    tables: ScoreTableOptions = ScoreTableOptions()
    output: ScoreOutputOptions = ScoreOutputOptions()
    signatures: Signatures = None
    record: Record = None
    checks: Checks = True
    guard: Guard = True

    def __post_init__(self) -> None:
        if self.record is not None:
            check_record(self.record, self.output.target)
        self._check_level()
        kinds = {"types": self.tables.by, "groups": self.tables.group}
        pictures = [name for name, grouping in kinds.items() if grouping is not None][:1]
        self.output.check_picture(*(pictures or ("scores", "precision-recall")))
        if self.scores.intervals and self.scores.level != "corpus":
            raise UsageError(f"--intervals requires --level corpus, not --level {self.scores.level}")
        if self.scores.blocks is not None and not self.scores.intervals:
            raise UsageError("--blocks requires --intervals", hint="add --intervals")
        self._check_expenses()
        if self.record is not None and self.scores.level == "sentence":
            raise UsageError("--record requires corpus scores, not --level sentence")
        if self.record is not None and self.scores.dry_run:
            raise UsageError("--record: this run has no scores to be recorded")

    def _check_expenses(self) -> None:
        if self.scores.prices and not self.scores.expenses:
            raise UsageError("--prices requires --expenses", hint="add --expenses")
        if self.scores.expenses and (self.has_groups or self.scores.level == "sentence"):
            raise UsageError("--expenses requires scores of systems", hint="omit --by, --group and --level")

    def _check_level(self) -> None:
        level, has_signatures = self.scores.level, self.signatures is not None
        if self.has_groups and level != "corpus":
            name = "--by" if self.tables.by is not None else "--group"
            raise UsageError(f"{name} requires --level corpus, not --level {level}")
        if level != "sentence":
            if has_signatures:
                raise UsageError("--signatures requires sentence scores", hint="--level sentence")
            if self.output.written_format in SENTENCE_FORMATS:
                hint = "--level sentence, or --format json"
                raise UsageError(f"--format {self.output.written_format} requires sentence scores", hint=hint)
            return
        if self.output.written_format in PICTURES:
            raise UsageError("a picture requires scores of systems", hint="--level corpus or --level mean")
        if self.output.written_format not in ROW_FORMATS:
            if has_signatures:
                hint = f"-f {', '.join(ROW_FORMATS[:-1])} or {ROW_FORMATS[-1]}"
                raise UsageError("--signatures requires a format that is written row by row", hint=hint)
        elif self.output.sort not in ("given", "name"):
            hint = "--sort name, or -f table or json, which hold all in memory"
            raise UsageError(f"--sort {self.output.sort} needs all scores before the first is written", hint=hint)

    @property
    def has_groups(self) -> bool:
        """Whether the scores are by kinds of edits or groups of sentences."""
        return self.tables.by is not None or self.tables.group is not None

    @property
    def is_streamed(self) -> bool:
        """Whether the scores are written as they come."""
        return self.scores.level == "sentence" and self.output.written_format in ROW_FORMATS


#: Level of the scores -> views of the counts that it needs.
VIEWS: dict[str, list[Level]] = {"corpus": ["corpus"], "sentence": ["sentence", "mean"], "mean": ["mean"]}


@dataclass(frozen=True)
class ScoreRun:
    """A request with its opened files.

    ``guard``: whether the unchanged source is scored as well.
    """

    request: ScoreRequest
    inputs: CorpusInputs
    metrics: Sequence[Metric[Any]]
    corpus: CorpusReader
    guard: bool

    @cached_property
    def counting(self) -> Run:
        """The counting run, with the unchanged source if it is shown."""
        return Run(self.corpus.with_unchanged() if self.guard else self.corpus, self.metrics)

    def scored(self) -> Report:
        """Return the report of the scores, or of the scores of groups."""
        request = self.request
        source = request.data.files.common_source
        with watching(self.counting, source) as (advance, warnings):
            warn_of_single_system(self.corpus, self.metrics)
            if request.has_groups:
                return self._groups(advance, warnings)
            return self._scores(advance, warnings)

    def _scores(self, advance: Progress | None, warnings: Sequence[GecevalWarning]) -> Report:
        """Return the report of scores of corpora or sentences."""
        request, level, intervals = self.request, self.request.scores.level, None
        runs = request.data.files.runs if len(self.corpus.system_names) > 1 else {}
        kwargs: dict[str, Any] = {"progress": advance, "checks": request.checks}
        files: dict[str, Any] = {}
        threads = request.output.threads
        if request.scores.intervals:
            from geceval.resampling.tested_scores import scores_with_tests  # other scores load a tenth faster

            metrics, options = self.counting.metrics, Options(pairs="none", threads=threads, runs=runs)
            groups, files = CountGroups(self.inputs.labels(request.scores.blocks)), {"blocks": request.scores.blocks}
            results, intervals = scores_with_tests(
                self.counting.source, metrics, metrics, options, groups, RunOptions(**kwargs)
            )
            warn_each(intervals.warnings)
        else:
            details = level == "sentence" and (request.output.parts or request.output.written_format == "json")
            kwargs |= {"views": VIEWS[level], "details": details, "guard": self.guard, "threads": threads}
            results = system_results(self.corpus, self.metrics, **kwargs)
        shown_results: dict[str, list[AnyResult]] = {name: [*row] for name, row in results.items()}
        if runs:
            shown_results = with_means(results, runs)
        return score_report(
            sorted_results(shown_results, request.output.sort, level),
            level,
            self.inputs.to_document(warnings, **files),
            parts=request.output.parts,
            intervals=intervals,
            expenses=self._expenses() if request.scores.expenses else None,
        )

    def _expenses(self) -> Mapping[str, Expenses]:
        """Return the expenses of the systems in tables; raises UsageError if no table contains any."""
        from geceval.scoring.expenses import expenses_of, parse_prices  # most scores have no expenses

        columns = self.inputs.columns
        expenses = expenses_of({} if columns is None else columns.systems, parse_prices(self.request.scores.prices))
        if not expenses:
            hint = "-i FILE with usage, cost or latency next to the answers, one system in each file"
            raise UsageError("--expenses: no table contains tokens, cost or latency of its system", hint=hint)
        return expenses

    def _groups(self, advance: Progress | None, warnings: Sequence[GecevalWarning]) -> Report:
        """Return the report of scores by type of edit or by group of sentences."""
        from geceval.counting.breakdown import evaluate_groups  # most scores need no groups
        from geceval.scoring.group_report import group_report, kind_report

        request, tables, output = self.request, self.request.tables, self.request.output
        kwargs: dict[str, Any] = {"progress": advance, "checks": request.checks}
        files: dict[str, Any] = {}
        intervals = None
        if request.scores.intervals:
            from geceval.resampling.tested_scores import group_scores_with_intervals

            options, labels = Options(pairs="none", threads=output.threads), self.inputs.groups(tables.group)
            count_groups = CountGroups(self.inputs.labels(request.scores.blocks), tables.by, labels)
            files = {"blocks": request.scores.blocks}
            source, metrics = self.counting.source, self.counting.metrics
            groups, intervals = group_scores_with_intervals(
                source, metrics, options, count_groups, RunOptions(**kwargs)
            )
        else:
            grouping = tables.grouping()
            assert grouping is not None
            kwargs |= {"guard": self.guard, "threads": output.threads}
            groups = evaluate_groups(self.corpus, self.metrics, grouping, **kwargs)
        groups = sorted_results(groups, request.output.sort, "corpus")
        inputs = self.inputs.to_document(warnings, **files)
        if tables.by is not None:
            return kind_report(
                groups, tables.by, inputs, tables.macro, intervals=intervals, type_names=tables.type_names
            )
        return group_report(groups, tables.group or "", inputs, parts=output.parts, intervals=intervals)

    def stream(self, output: RowOutput) -> None:
        """Write the rows of sentences while they are scored."""
        from geceval.results.sentence_rows import RowLayout, SentenceRows, columns_of  # corpus scores need no rows

        request, corpus, metrics = self.request, self.counting.source, self.counting.metrics
        names = sorted(corpus.system_names) if request.output.sort == BY_NAME else list(corpus.system_names)
        systems = sorted(names, key=lambda name: name == SOURCE)  # the source comes last
        if request.output.written_format in SENTENCE_FORMATS:
            metrics = list(dict.fromkeys(metrics))
        layout = RowLayout(columns_of(systems, metrics, parts=request.output.parts, alone=False))

        def rows_of(part: ScoredPart) -> SentenceRows:
            figures = [part.figures[column.system, column.metric][column.part] for column in layout.columns]
            first = part.corpus.first + 1
            return SentenceRows(range(first, first + len(part.corpus)), (), figures)

        options = RunOptions(request.output.threads, checks=request.checks)
        counting = Run(self.counting.source, self.counting.metrics, options)
        with collected() as warnings:
            warn_of_single_system(self.corpus, self.metrics)
            output.write(counting, self.inputs, warnings, layout, rows_of, parts=request.output.parts)

    def dry_run(self) -> Report:
        """Return the report of the requests that the metrics would send."""
        judged = [metric for metric in self.metrics if metric.judging is not None]
        if not judged:
            raise UsageError("--dry-run: none of the metrics uses a judge", hint="-m llm:model=NAME")
        from geceval.scoring.request_report import dry_run_report  # other scores need no plans of requests

        plans = [metric.judging.plan(metric, self.counting.source) for metric in judged if metric.judging is not None]
        return dry_run_report(labels(judged), plans)


def run_of(request: ScoreRequest) -> ScoreRun:
    """Return the run of a request."""
    inputs = CorpusInputs(request.data, threads=request.output.threads)
    metrics = inputs.metrics(request.metric, request.tables.by)
    takes_runs = not request.has_groups and request.scores.level != "sentence"
    labels = labels_of(request.tables.group) if request.has_groups and not request.scores.intervals else None
    corpus = inputs.corpus(labels, runs=takes_runs)
    return ScoreRun(request, inputs, metrics, corpus, wants_guard(metrics) and request.guard)


def score(*, request: ScoreRequest = ScoreRequest()) -> None:
    """Write the scores.

    Examples:
      geceval score -s source.txt -r ref0.txt ref1.txt -c sys1.txt sys2.txt --parts
      geceval score --gold gold.m2 -c sys1.m2 sys2.txt -m errant:mode=cs maxmatch --by type
      geceval score -i pairs.csv -m green green:unit=char gleu -o scores.csv
      geceval score --gold gold.m2 -c sys1.txt sys2.txt -m errant --intervals -o scores.pdf --size page
      geceval score -s source.txt -r ref0.txt -i batch.jsonl --id custom_id -m errant
      geceval score -s source.txt -r ref0.txt -i batch.jsonl --expenses --prices price_prompt=0.15,price_answer=0.6

    documentation: docs/scoring.md
    """
    output, rows = request.output, None
    if request.is_streamed:
        from geceval.commands.shared.row_output import RowOutput  # corpus scores need no rows

        rows = RowOutput(output, request.signatures)
        rows.check()
    with record_opened_files() as inputs:
        run = run_of(request)
        if request.scores.dry_run:
            write_text(output.target, text_of(run.dry_run(), request.output.written_format, output.target))
            return
        if rows is not None:
            run.stream(rows)
            print_spending(run.metrics)
            return
        report = run.scored()
    metrics = request.metric.metrics or run.inputs.default_metrics(request.tables.by)
    write_recorded("score", request, report, inputs, metrics)
    print_spending(run.metrics)


def report_of(request: ScoreRequest) -> Report:
    """Return the report of scores."""
    return run_of(request).scored()
