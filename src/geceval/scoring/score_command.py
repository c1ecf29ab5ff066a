"""``geceval score``: score systems with metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from geceval.base.errors import GecevalWarning, UsageError
from geceval.cli.inputs import CorpusInputs
from geceval.cli.output import text_of, write_text
from geceval.cli.run_records import write_recorded
from geceval.cli.stderr import collected, print_spending, progress, steps_of, warn, warn_of_single_system
from geceval.counting.comparison_options import Options
from geceval.counting.groups.breakdown import evaluate_groups
from geceval.counting.judged import AsksJudge
from geceval.counting.metric_names import labels
from geceval.counting.run import Run, evaluate
from geceval.counting.stream import wants_guard
from geceval.scoring.evaluation import scores_with_tests, with_means
from geceval.scoring.group_report import group_report, kind_report
from geceval.scoring.row_output import RowOutput
from geceval.scoring.score_options import SENTENCE_FORMATS, ScoreRequest
from geceval.scoring.score_report import BY_NAME, score_report, sorted_results
from geceval.scoring.sentence_rows import RowLayout, SentenceRows, columns_of
from geceval.tables.dry_run_report import dry_run_report
from geceval.text.files import SOURCE, record_opened_files

if TYPE_CHECKING:
    from geceval.counting.counts import Level
    from geceval.counting.metric import Metric
    from geceval.counting.stream import Progress
    from geceval.scoring.sentence_rows import ScoredPart
    from geceval.tables.report import Report
    from geceval.text.reading.corpus_files import CorpusReader

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
        return Run(self.corpus, self.metrics, self.guard)

    def scored(self) -> Report:
        """Return the report of the scores, or of the scores of groups."""
        request, quiet = self.request, self.request.output.quiet
        source = request.data.files.source
        with (
            progress(lambda: steps_of(self.counting, source), quiet=quiet) as advance,
            collected(quiet=quiet) as found,
        ):
            warn_of_single_system(self.corpus, self.metrics)
            if request.has_groups:
                return self._groups(advance, found)
            return self._scores(advance, found)

    def _scores(self, advance: Progress | None, found: Sequence[GecevalWarning]) -> Report:
        """Return the report of scores of corpora or sentences."""
        request, level, intervals = self.request, self.request.metric.level, None
        runs = request.data.files.runs if len(self.corpus.system_names) > 1 else {}
        how: dict[str, Any] = {"progress": advance, "checks": request.checks}
        threads = request.output.threads
        if request.metric.intervals:
            metrics, options = self.counting.metrics, Options(pairs="none", threads=threads, runs=runs)
            results, intervals = scores_with_tests(self.counting.source, metrics, metrics, options, **how)
            warn(*(intervals.warnings if runs else ()))
        else:
            details = level == "sentence" and (request.output.parts or request.output.written_format == "json")
            how |= {"views": VIEWS[level], "details": details, "guard": self.guard, "threads": threads}
            results = evaluate(self.corpus, self.metrics, **how)
        if runs:
            results = with_means(results, runs)
        return score_report(
            sorted_results(results, request.output.sort, level),
            level,
            self.inputs.to_document(found),
            parts=request.output.parts,
            intervals=intervals,
        )

    def _groups(self, advance: Progress | None, found: Sequence[GecevalWarning]) -> Report:
        """Return the report of scores by type of edit or by group of sentences."""
        request, tables, output = self.request, self.request.tables, self.request.output
        grouping = tables.grouping()
        assert grouping is not None

        groups = evaluate_groups(
            self.corpus,
            self.metrics,
            grouping,
            guard=self.guard,
            threads=output.threads,
            progress=advance,
            checks=request.checks,
        )
        groups = sorted_results(groups, request.output.sort, "corpus")
        inputs = self.inputs.to_document(found)
        if tables.by is not None:
            return kind_report(groups, tables.by, inputs, tables.macro)
        return group_report(groups, tables.group or "", inputs, parts=request.output.parts)

    def stream(self, output: RowOutput) -> None:
        """Write each row when its sentence is scored."""
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

        counting = replace(self.counting, threads=request.output.threads, checks=request.checks)
        with collected(quiet=request.output.quiet) as found:
            warn_of_single_system(self.corpus, self.metrics)
            output.write(counting, self.inputs, found, layout, rows_of, parts=request.output.parts)

    def dry_run(self) -> Report:
        """Return the report of the requests that the metrics would send."""
        judged = [metric for metric in self.metrics if isinstance(metric, AsksJudge)]
        if not judged:
            raise UsageError("--dry-run: none of the metrics uses a judge", hint="-m llm:model=NAME")
        plans = [plan for metric in judged if (plan := metric.request_plan(self.counting.source)) is not None]
        return dry_run_report(labels(judged), plans)


def run_of(request: ScoreRequest) -> ScoreRun:
    """Return the run of a request."""
    inputs = CorpusInputs(request.data, quiet=request.output.quiet, threads=request.output.threads)
    metrics = inputs.metrics(request.metric, by_kind=request.tables.by is not None)
    takes_runs = not request.has_groups and request.metric.level != "sentence"
    corpus = inputs.corpus(request.tables.labels if request.has_groups else None, runs=takes_runs)
    return ScoreRun(request, inputs, metrics, corpus, wants_guard(metrics) and request.guard)


def score(*, request: ScoreRequest = ScoreRequest()) -> None:
    """Write the scores.

    Examples:
      geceval score -s source.txt -r ref0.txt ref1.txt -c sys1.txt sys2.txt --parts
      geceval score --gold gold.m2 -c sys1.m2 sys2.txt -m errant:mode=cs maxmatch --by type
      geceval score -i pairs.csv -m green green:unit=char gleu -o scores.csv

    documentation: docs/scoring.md
    """
    output, rows = request.output, None
    if request.is_streamed:
        rows = RowOutput(output, request.signatures)
        rows.check()
    with record_opened_files() as inputs:
        own = run_of(request)
        if request.metric.dry_run:
            write_text(output.target, text_of(own.dry_run(), request.output.written_format, output.target))
            return
        if rows is not None:
            own.stream(rows)
            print_spending(own.metrics, quiet=output.quiet)
            return
        report = own.scored()
    metrics = request.metric.metrics or own.inputs.default_metrics(by_kind=request.tables.by is not None)
    write_recorded("score", request, report, inputs, metrics)
    print_spending(own.metrics, quiet=output.quiet)


def report_of(request: ScoreRequest) -> Report:
    """Return the report of scores."""
    return run_of(request).scored()
