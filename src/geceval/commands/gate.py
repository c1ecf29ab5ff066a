"""``geceval gate``: fail if a score is below a threshold."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Annotated, Any

from cyclopts import Group, Parameter

from geceval.base.arguments import ALPHA, number, shown
from geceval.base.errors import CheckFailedError, UsageError
from geceval.base.output_files import write_errors
from geceval.commands.shared.corpus_options import CorpusOptions
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.option_groups import METRICS
from geceval.commands.shared.option_values import OutputFile, flag
from geceval.commands.shared.options import Checks, MetricOptions, OutputOptions, written_as
from geceval.commands.shared.output_formats import text_of, write_report
from geceval.commands.shared.run_progress import watching
from geceval.commands.shared.run_warnings import print_spending, warn_each, warn_of_single_system
from geceval.commands.shared.statistics_options import Alpha, Blocks
from geceval.counting.comparison_options import Options
from geceval.counting.evaluate import evaluate
from geceval.counting.metric import AnyMetric
from geceval.counting.run import Run
from geceval.counting.run_options import Progress
from geceval.resampling.tested_scores import scores_with_tests
from geceval.results.named_figures import NamedFigure, figure_named
from geceval.scoring.gate import Bar, Scores, against_bars, against_rival, failed_lines, gate_report, outcome
from geceval.tables.report import Report
from geceval.terminal.writing import write_text
from geceval.text.reading.corpus_files import CorpusReader
from geceval.text.system_files import systems_of

BARS = Group.create_ordered("thresholds", help="as in tables, on the 0-100 scale for most metrics", sort_key=2)
#: Name of the environment variable with the file that GitHub shows.
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
#: Points have no exponent, and at most as many digits as a double represents.
_POINTS = re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]{1,17})?")


def split_bar(text: str) -> tuple[str, Decimal]:
    """Split ``errant=40`` or ``green:beta=0.5=40`` into name and points.

    Raises:
        UsageError: The text is not a bar.
    """
    name, equals, points = text.rpartition("=")
    if not (name and equals):
        raise UsageError(f"{shown(text)} is not a metric with a threshold, such as errant=40")
    if "=" in name.partition(":")[0]:
        raise UsageError(f"{shown(text)} is not one threshold; separate several by spaces: errant=40 green=50")
    if not _POINTS.fullmatch(points):
        raise UsageError(f"{shown(points)} is not a number, such as 40 or 0.5")
    return name, Decimal(points)


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
    """fail if a score is higher: false-alarms=5 (percent)"""
    not_worse_than: Annotated[str | None, Parameter(metavar="FILE")] = None
    """fail if a system is significantly worse than the system whose output is FILE (text or M2)"""
    alpha: Alpha = 0.05
    blocks: Blocks = None

    def __post_init__(self) -> None:
        number("--alpha", self.alpha, ALPHA)
        for text in (*self.fail_under, *self.fail_over):
            split_bar(text)
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


# --- bars ---


def bars_of(
    options: BarOptions, metrics: Sequence[AnyMetric], make: Callable[[list[str]], Sequence[AnyMetric]]
) -> list[Bar]:
    """Return the bars of the options.

    ``make`` makes a metric that is not in ``metrics``.

    Raises:
        UsageError: A metric or part is unknown, or a bar has a wrong direction or no possible score.
    """
    bars = []
    for texts, option, higher in (
        (options.fail_under, "--fail-under", True),
        (options.fail_over, "--fail-over", False),
    ):
        for text in texts:
            name, points = split_bar(text)
            try:
                figure = figure_named(name, metrics, make)
                _check_points(name, figure, points, higher)
            except UsageError as error:
                hint = f"add the threshold: {text}=40" if ":" in name and error.hint is None else error.hint
                raise UsageError(f"{option} {text}: {error.message}", hint=hint) from None
            bars.append(Bar(figure, points, higher))
    return bars


def _check_points(name: str, figure: NamedFigure, points: Decimal, higher: bool) -> None:
    """Raise UsageError for a bar with a wrong direction or scale."""
    metric = figure.metric
    if not figure.part and metric.scale.higher_is_better != higher:
        which, option = ("higher", "--fail-under") if metric.scale.higher_is_better else ("lower", "--fail-over")
        raise UsageError(f"{which} {metric.label} scores are better", hint=f"{option} {name}={points}")
    # Less than 1 % of false alarms, where lower is better, is a usual bar.
    is_share = figure.in_percent and metric.scale.higher_is_better
    if is_share and 0 < points < 1:
        raise UsageError("thresholds use the 0-100 scale, as tables do", hint=f"{name}={points.scaleb(2):f}")
    low, high = figure.limits
    if not low <= points <= high:
        hint = "thresholds use the 0-100 scale, such as errant=40" if figure.in_percent else None
        raise UsageError(f"{metric.label} scores are between {low:g} and {high:g}", hint=hint)


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

    Exit status: 0 if all checks pass, 1 if one fails, 2 for wrong usage or input.

    documentation: docs/integrations/ci.md
    """
    options, output = request.bars, request.output
    if not (options.fail_under or options.fail_over) and options.not_worse_than is None:
        raise UsageError("a threshold is required", hint="--fail-under errant=40 or --not-worse-than FILE")
    inputs = CorpusInputs(request.data, threads=output.threads)
    bars, compared = _bars_and_metrics(request, inputs)
    metrics = list(dict.fromkeys([*compared, *(bar.figure.metric for bar in bars)]))
    request.metric.check_are_used(metrics)
    rivals = {} if options.not_worse_than is None else _other_system(options.not_worse_than, request.data, metrics)
    rival, corpus = next(iter(rivals), None), inputs.corpus(others=rivals)
    blocks = inputs.labels(options.blocks)
    with watching(Run(corpus, metrics), request.data.files.source) as (advance, warnings):
        warn_of_single_system(corpus, metrics)
        scores, comparison = _scores(request, corpus, metrics, compared, rival, blocks, advance)
    print_spending(metrics)
    tested = Scores(metrics, {name: row for name, row in scores.results.items() if name not in rivals})
    checks = list(against_bars(tested, bars))
    if rival is not None:
        checks += against_rival(scores, rival, comparison)
    document = inputs.to_document(warnings, not_worse_than=options.not_worse_than)
    report = gate_report(checks, tested, document, output.digits)
    write_report(report, output, output.digits)
    write_summary(report, output.summary, output.digits)
    if not all(check.kept for check in checks):
        raise CheckFailedError(f"{outcome(checks)}\n{failed_lines(checks, output.digits)}")


def _bars_and_metrics(request: GateRequest, inputs: CorpusInputs) -> tuple[list[Bar], list[AnyMetric]]:
    """Return the bars, and the metrics that are compared with another system."""
    make = partial(inputs.metrics_of, named=request.metric)
    chosen: Sequence[AnyMetric] = make(request.metric.metrics)
    bars = bars_of(request.bars, chosen, make)
    compared = chosen or [bar.figure.metric for bar in bars] or make(inputs.default_metrics())
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
    [(name, path)] = systems_of([text]).items()
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
        return Scores(metrics, evaluate(corpus, metrics, views=["corpus"], threads=threads, **kwargs)), None

    options = Options(rival, alpha=request.bars.alpha, threads=threads)
    options = options.with_samples(None, corpus.system_names, len(compared))
    results, comparison = scores_with_tests(corpus, metrics, compared, options, blocks=blocks, **kwargs)
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
