"""``geceval gate``: fail if a score is below a threshold."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from cyclopts import Group, Parameter

from geceval.base.arguments import ALPHA, number
from geceval.base.errors import CheckFailedError, UsageError
from geceval.base.output_files import write_errors
from geceval.commands.shared.bars import bars_of, split_bar, split_shares
from geceval.commands.shared.corpus_options import CorpusOptions
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.option_groups import METRICS
from geceval.commands.shared.option_values import OutputFile, flag
from geceval.commands.shared.options import Checks, MetricOptions, OutputOptions, written_as
from geceval.commands.shared.output_formats import text_of, write_report
from geceval.commands.shared.run_progress import watching
from geceval.commands.shared.run_warnings import print_spending, warn_each, warn_of_single_system
from geceval.commands.shared.statistics_options import Alpha, Blocks
from geceval.counting.checks.text_checks import FAILURES
from geceval.counting.comparison_options import Options
from geceval.counting.groupings import CountGroups
from geceval.counting.metric import AnyMetric
from geceval.counting.run import Run
from geceval.counting.run_options import Progress, RunOptions
from geceval.counting.system_results import system_results
from geceval.resampling.tested_scores import scores_with_tests
from geceval.results.named_figures import Bar
from geceval.scoring.gate import Scores, against_bars, against_rival, against_shares, failed_lines, gate_report, outcome
from geceval.tables.report import Report
from geceval.terminal.writing import write_text
from geceval.text.reading.corpus_files import CorpusReader
from geceval.text.system_files import systems_of

BARS = Group.create_ordered("thresholds", help="as in tables, on the 0-100 scale for most metrics", sort_key=2)
#: Name of the environment variable with the file that GitHub shows.
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"


@Parameter(name="*", group=METRICS)
@dataclass(frozen=True, kw_only=True)
class GateMetricOptions(MetricOptions):
    """Metrics that are compared with another system."""

    metrics: Annotated[tuple[str, ...], Parameter(alias="-m", metavar="METRIC")] = ()
    """metrics of --not-worse-than (default: the metrics of the thresholds, else of geceval score)"""


@Parameter(name="*", group=BARS)
@dataclass(frozen=True, kw_only=True)
class BarOptions:
    """Bars on scores, and the other system."""

    fail_under: Annotated[tuple[str, ...], Parameter(metavar="METRIC=POINTS")] = ()
    """fail if a score is lower: errant=40 errant.precision=50"""
    fail_over: Annotated[tuple[str, ...], Parameter(metavar="METRIC=POINTS")] = ()
    """fail if a score is higher: false-alarms=5 (percent); or if more answers, in percent, are empty=1, refusals=0 or
    cut=2 (as their provider states)"""
    not_worse_than: Annotated[str | None, Parameter(metavar="FILE")] = None
    """fail if a system is significantly worse than the system whose output is FILE (text or M2)"""
    alpha: Alpha = 0.05
    blocks: Blocks = None

    def __post_init__(self) -> None:
        number("--alpha", self.alpha, ALPHA)
        for text in (*self.fail_under, *self.fail_over):
            split_bar(text)
        split_shares(self.fail_over, FAILURES)
        lowest, _ = split_shares(self.fail_under, FAILURES)
        if lowest:
            name = next(iter(lowest))
            raise UsageError(f"--fail-under {name}: fewer {name} answers are better", hint=f"--fail-over {name}=1")
        for name in ("alpha", "blocks"):
            if self.not_worse_than is None and getattr(self, name) != getattr(type(self), name):
                message = f"{flag(name)} requires --not-worse-than"
                raise UsageError(message, hint="--not-worse-than FILE names another system")


@written_as("table", "json", "markdown", "github")
class GateOutputOptions(OutputOptions):
    """Formats of checks, and the summary."""

    summary: Annotated[OutputFile | None, Parameter(metavar="FILE")] = None
    """also write the checks in Markdown (default: append them to $GITHUB_STEP_SUMMARY if set)"""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class GateRequest:
    """Systems and the bars that their scores are held against."""

    data: CorpusOptions = CorpusOptions()
    metric: GateMetricOptions = GateMetricOptions()
    bars: BarOptions = BarOptions()
    output: GateOutputOptions = GateOutputOptions()
    checks: Checks = True


# --- run ---


def gate(*, request: GateRequest = GateRequest()) -> None:
    """Write the checks.

    Raises:
        CheckFailedError: A bar is not kept.
        UsageError: There is no bar or no system, or a score cannot be checked.

    Examples:
      geceval gate -s source.txt -r ref*.txt -c checker.txt --fail-under errant=40 errant.precision=50
      geceval gate --gold gold.m2 -c checker.txt --fail-under errant=40 -f github
      geceval gate -s source.txt -r ref*.txt -c new.txt -m green --not-worse-than old.txt
      geceval gate -s source.txt -r ref*.txt -i new.jsonl --id custom_id --fail-over empty=1 refusals=0 cut=2

    Exit status: 0 if all checks pass, 1 if one fails, 2 for wrong usage or input.

    documentation: docs/gate.md
    """
    options, output = request.bars, request.output
    if not (options.fail_under or options.fail_over) and options.not_worse_than is None:
        raise UsageError("a threshold is required", hint="--fail-under errant=40 or --not-worse-than FILE")
    shares, highest = split_shares(options.fail_over, FAILURES)
    inputs = CorpusInputs(request.data.with_failed_answers() if shares else request.data, threads=output.threads)
    if shares and not request.checks:
        raise UsageError(f"--no-checks does not apply to --fail-over {next(iter(shares))}", hint="omit --no-checks")
    bars, compared = _bars_and_metrics(request, inputs, highest)
    metrics = list(dict.fromkeys([*compared, *(bar.figure.metric for bar in bars)]))
    request.metric.check_are_used(metrics)
    rivals = {} if options.not_worse_than is None else _other_system(options.not_worse_than, request.data, metrics)
    rival, corpus = next(iter(rivals), None), inputs.corpus(others=rivals)
    blocks = inputs.labels(options.blocks)
    with watching(Run(corpus, metrics), request.data.files.common_source) as (advance, warnings):
        warn_of_single_system(corpus, metrics)
        scores, comparison = _scores(request, corpus, metrics, compared, rival, blocks, advance)
    print_spending(metrics)
    tested = Scores(metrics, {name: row for name, row in scores.results.items() if name not in rivals})
    checks = [*against_bars(tested, bars), *against_shares(tested, shares)]
    if rival is not None:
        checks += against_rival(scores, rival, comparison)
    document = inputs.to_document(warnings, not_worse_than=options.not_worse_than)
    report = gate_report(checks, tested, document, output.digits)
    write_report(report, output, output.digits)
    write_summary(report, output.summary, output.digits)
    if not all(check.kept for check in checks):
        raise CheckFailedError(f"{outcome(checks)}\n{failed_lines(checks, output.digits)}")


def _bars_and_metrics(
    request: GateRequest, inputs: CorpusInputs, highest: Sequence[str]
) -> tuple[list[Bar], list[AnyMetric]]:
    """Return the bars, and the metrics that are compared with another system; ``highest``: bars that fail above."""
    make = partial(inputs.metrics_of, named=request.metric)
    chosen: Sequence[AnyMetric] = make(request.metric.metrics)
    low, high = {"--fail-under": request.bars.fail_under}, {"--fail-over": highest}
    bars = bars_of(low, high, chosen, make)
    # Shares of answers need a count of lines only, which no reference is needed for.
    default = inputs.default_metrics() if request.bars.not_worse_than is not None else ["change-rate"]
    compared = chosen or [bar.figure.metric for bar in bars] or make(default)
    return bars, list(dict.fromkeys(compared))


def _other_system(text: str, data: CorpusOptions, metrics: Sequence[AnyMetric]) -> dict[str, str]:
    """Return the name and the file of the other system.

    Raises:
        UsageError: A metric cannot be tested.
    """
    for metric in metrics:
        if metric.pool is not None:
            message = f"--not-worse-than: a {metric.label} score depends on the other systems of the run"
            raise UsageError(message, hint="leave the metric to another run of geceval gate")
    systems = systems_of([text])
    if len(systems) != 1:
        raise UsageError(f"--not-worse-than: {text} has {len(systems)} systems, not 1", hint="name the file of one")
    [(name, path)] = systems.items()
    return {path if name in systems_of(data.files.systems) else name: path}


def _scores(
    request: GateRequest,
    corpus: CorpusReader,
    metrics: Sequence[AnyMetric],
    compared: Sequence[AnyMetric],
    rival: str | None,
    blocks: Sequence[str] | None,
    progress: Progress | None,
) -> tuple[Scores, Any]:
    """Return the scores and, with a rival, the comparison of all systems with it."""
    threads = request.output.threads
    kwargs: dict[str, Any] = {"progress": progress, "checks": request.checks}
    if rival is None:
        return Scores(metrics, system_results(corpus, metrics, views=["corpus"], threads=threads, **kwargs)), None

    options = Options(rival, alpha=request.bars.alpha, threads=threads)
    options = options.with_samples(None, corpus.system_names, len(compared))
    groups, run_options = CountGroups(blocks), RunOptions(**kwargs)
    results, comparison = scores_with_tests(corpus, metrics, compared, options, groups, run_options)
    warn_each(comparison.warnings)
    return Scores(metrics, results), comparison


def write_summary(report: Report, summary: str | None, digits: int) -> None:
    """Write the checks in Markdown to the summary, or to the file of GitHub."""
    text = text_of(report, "markdown", summary, digits)
    if summary is not None:
        write_text(summary, text)
    elif step := os.environ.get(STEP_SUMMARY):
        with write_errors(step), open(step, "a", encoding="utf-8", errors="surrogateescape") as out:  # noqa: PTH123
            out.write(f"{text}\n")
