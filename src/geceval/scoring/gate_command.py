"""``geceval gate``: fail if a score is below a bar."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from geceval.base.arguments import shown
from geceval.base.errors import BelowTheBarError, UsageError
from geceval.base.output_files import write_errors
from geceval.base.requests import CommandRequest, OptionGroup, option
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import SIGNIFICANCE, ChecksOption, CorpusOptions, MetricOptions, OutputOptions
from geceval.cli.output import text_of, write_text
from geceval.cli.parsing import Command
from geceval.cli.stderr import collected, print_spending, progress, steps_of, warn, warn_of_single_system
from geceval.scoring.figure_names import NamedFigure, figure_named
from geceval.text.inputs import systems_of

if TYPE_CHECKING:
    from geceval.counting.stream import AnyMetric
    from geceval.scoring.bars import Bar, Scores
    from geceval.tables.report import Report
    from geceval.text.reading.corpus_files import CorpusFiles


#: Name of the environment variable with the file that GitHub shows.
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
#: Points have no exponent and no more digits than a double tells apart.
_POINTS = re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]{1,17})?")


def split_bar(text: str) -> tuple[str, Decimal]:
    """Split ``errant=40`` or ``green:beta=0.5=40`` into name and points.

    Raises:
        UsageError: The text is not a bar.
    """
    name, equals, number = text.rpartition("=")
    if not (name and equals):
        raise UsageError(f"{shown(text)} is not a metric with a bar, such as errant=40")
    if "=" in name.partition(":")[0]:
        raise UsageError(f"{shown(text)} is not one metric with a bar; separate bars by spaces: errant=40 green=50")
    if not _POINTS.fullmatch(number):
        raise UsageError(f"{shown(number)} is not a number of points, such as 40 or 0.5")
    return name, Decimal(number)


class GateMetricOptions(MetricOptions, title="metrics"):
    """Metrics that are compared with another system."""


class BarOptions(OptionGroup, title="bars"):
    """Bars on scores, and the other system."""

    fail_under: tuple[str, ...] = option("--fail-under", metavar="METRIC=POINTS")
    fail_over: tuple[str, ...] = option("--fail-over", metavar="METRIC=POINTS")
    rival: str | None = option("--not-worse-than", reads_file=True)
    alpha: float = SIGNIFICANCE

    def check(self) -> None:
        for text in (*self.fail_under, *self.fail_over):
            split_bar(text)
        if self.rival is None and any(name == "alpha" for name, *_ in self.changed_options()):
            raise UsageError("--alpha requires --not-worse-than", hint="--not-worse-than FILE names another system")


class GateOutputOptions(OutputOptions, title="output"):
    """Formats of checks, and the summary."""

    format: str | None = option("-f", "--format", choices=["table", "json", "markdown", "github"])
    summary: str | None = option("--summary", effect="files")


class GateRequest(ChecksOption, CommandRequest):
    """Systems and the bars that their scores are held against."""

    data: CorpusOptions = CorpusOptions()
    metric: GateMetricOptions = GateMetricOptions()
    bars: BarOptions = BarOptions()
    output: GateOutputOptions = GateOutputOptions()


# --- bars ---


def bars_of(
    asked: BarOptions, given: Sequence[AnyMetric], make: Callable[[list[str]], Sequence[AnyMetric]]
) -> list[Bar]:
    """Return the bars of the options.

    ``make`` makes a metric that is not among the ``given`` ones.

    Raises:
        UsageError: A metric or part is unknown, or a bar has a wrong direction or no possible score.
    """
    from geceval.scoring.bars import Bar

    bars = []
    for texts, flag, higher in ((asked.fail_under, "--fail-under", True), (asked.fail_over, "--fail-over", False)):
        for text in texts:
            name, points = split_bar(text)
            try:
                figure = figure_named(name, given, make)
                _check_points(name, figure, points, higher)
            except UsageError as error:
                hint = f"points follow the settings: {text}=40" if ":" in name and error.hint is None else error.hint
                raise UsageError(f"{flag} {text}: {error.message}", hint=hint) from None
            bars.append(Bar(figure, points, higher))
    return bars


def _check_points(name: str, figure: NamedFigure, points: Decimal, higher: bool) -> None:
    """Raise UsageError for a bar with a wrong direction or scale."""
    metric = figure.metric
    if not figure.part and metric.higher_is_better != higher:
        which, flag = ("higher", "--fail-under") if metric.higher_is_better else ("lower", "--fail-over")
        raise UsageError(f"{which} {metric.label} scores are better", hint=f"{flag} {name}={points}")
    # Less than 1 % of false alarms, where lower is better, is a usual bar.
    is_share = figure.in_percent and metric.higher_is_better
    if is_share and 0 < points < 1:
        raise UsageError("bars are points of 100, as in tables", hint=f"{name}={points.scaleb(2):f}")
    low, high = figure.limits
    if not low <= points <= high:
        hint = "bars are points of 100, such as errant=40" if figure.in_percent else None
        raise UsageError(f"{metric.label} scores are between {low:g} and {high:g}", hint=hint)


# --- run ---


def run(request: GateRequest) -> None:
    """Write the checks.

    Raises:
        BelowTheBarError: A bar is not kept.
        UsageError: There is no bar or no system, or a score cannot be checked.
    """
    from geceval.scoring.bars import Scores, against_bars, against_rival
    from geceval.scoring.gate_report import failed_lines, gate_report, outcome

    asked, output = request.bars, request.output
    if not (asked.fail_under or asked.fail_over) and asked.rival is None:
        raise UsageError("a bar is needed", hint="--fail-under errant=40 or --not-worse-than FILE")
    inputs = CorpusInputs(request.data, quiet=output.quiet, threads=output.threads)
    bars, compared = _held_metrics(request, inputs)
    metrics = list(dict.fromkeys([*compared, *(bar.figure.metric for bar in bars)]))
    request.metric.check_are_used(metrics)
    others = {} if asked.rival is None else _other_system(asked.rival, request.data, metrics)
    rival, corpus = next(iter(others), None), inputs.corpus(others=others)
    with collected(quiet=output.quiet) as found:
        warn_of_single_system(corpus, metrics)
        scores, comparison = _scores(request, corpus, metrics, compared, rival)
    print_spending(metrics, quiet=output.quiet)
    own = Scores(metrics, {name: row for name, row in scores.results.items() if name not in others})
    checks = list(against_bars(own, bars))
    if rival is not None:
        checks += against_rival(scores, rival, comparison)
    report = gate_report(checks, own, inputs.to_document(found, not_worse_than=asked.rival), output.digits)
    write_text(output.target, text_of(report, output.written_format, output.target, output.digits))
    write_summary(report, output.summary, output.digits)
    if not all(check.kept for check in checks):
        raise BelowTheBarError(f"{outcome(checks)}\n{failed_lines(checks, output.digits)}")


def _held_metrics(request: GateRequest, inputs: CorpusInputs) -> tuple[list[Bar], list[AnyMetric]]:
    """Return the bars, and the metrics that are compared with another system."""
    make = partial(inputs.metrics_of, named=request.metric)
    given: Sequence[AnyMetric] = make(request.metric.metrics)
    bars = bars_of(request.bars, given, make)
    compared = given or [bar.figure.metric for bar in bars] or make(inputs.default_metrics())
    return bars, list(dict.fromkeys(compared))


def _other_system(text: str, data: CorpusOptions, metrics: Sequence[AnyMetric]) -> dict[str, str]:
    """Return the name and the file of the other system.

    Raises:
        UsageError: A metric cannot be tested.
    """
    for metric in metrics:
        if metric.pooled:
            message = f"--not-worse-than: a {metric.label} score depends on the other systems of the run"
            raise UsageError(message, hint="leave the metric to another run of geceval gate")
    [(name, path)] = systems_of([text]).items()
    return {path if name in systems_of(data.files.systems) else name: path}


def _scores(
    request: GateRequest,
    corpus: CorpusFiles,
    metrics: Sequence[AnyMetric],
    compared: Sequence[AnyMetric],
    rival: str | None,
) -> tuple[Scores, Any]:
    """Return the scores and, with a rival, the comparison of all systems with it."""
    from geceval.counting.run import Run, evaluate
    from geceval.scoring.bars import Scores

    threads = request.output.threads
    counting = Run(corpus, metrics)
    with progress(lambda: steps_of(counting, request.data.files.source), quiet=request.output.quiet) as advance:
        how: dict[str, Any] = {"progress": advance, "checks": request.checks}
        if rival is None:
            return Scores(metrics, evaluate(corpus, metrics, views=["corpus"], threads=threads, **how)), None
        from geceval.counting.comparison_options import Options
        from geceval.scoring.evaluation import scores_with_tests

        options = Options(rival, alpha=request.bars.alpha, threads=threads)
        options = options.with_samples(None, corpus.system_names, len(compared))
        results, comparison = scores_with_tests(corpus, metrics, compared, options, **how)
        warn(*comparison.warnings)
        return Scores(metrics, results), comparison


def write_summary(report: Report, summary: str | None, digits: int) -> None:
    """Write the checks in Markdown to the summary, or to the file of GitHub."""
    text = text_of(report, "markdown", summary, digits)
    if summary is not None:
        write_text(summary, text)
    elif step := os.environ.get(STEP_SUMMARY):
        with write_errors(step), open(step, "a", encoding="utf-8", errors="surrogateescape") as out:  # noqa: PTH123
            out.write(f"{text}\n")


COMMAND = Command(GateRequest, run)
