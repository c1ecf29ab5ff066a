"""``geceval report``: write scores, differences and sentences to one HTML file."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from cyclopts import Parameter

from geceval.base.arguments import COUNT
from geceval.base.errors import UsageError
from geceval.commands.shared.corpus_options import CorpusOptions
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.option_groups import OUTPUT
from geceval.commands.shared.option_values import OutputFile, check_whole
from geceval.commands.shared.options import (
    Changes,
    Checks,
    Digits,
    Guard,
    MetricOptions,
    PricesOption,
    TargetOption,
    Threads,
)
from geceval.commands.shared.run_progress import watching
from geceval.commands.shared.run_warnings import warn_each
from geceval.commands.shared.statistics_options import GroupFile, StatisticsOptions, labels_of
from geceval.counting.run import Run
from geceval.counting.stream import shows_source
from geceval.inspection.sentence_selection import Wanted
from geceval.reporting.overview import overview
from geceval.reporting.page_template import page_environment
from geceval.reporting.report_page import PageFacts, ReportPage
from geceval.scoring.expenses import expenses_of, parse_prices
from geceval.terminal.messages import say
from geceval.terminal.writing import write_text

#: Default number of sentences on the page, which opens in a second.
SENTENCES = 1500


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class PageOptions(TargetOption):
    """Options of the page."""

    formats: ClassVar[tuple[str, ...]] = ("html", "markdown")
    target: Annotated[OutputFile | None, Parameter(name=("--output", "-o"), metavar="FILE")] = None
    """output file, - for standard output (default: report.html); with the ending .md: results in words and tables of
    scores, for a comment in CI"""
    title: Annotated[str | None, Parameter(metavar="TEXT")] = None
    """title of the page"""
    group: GroupFile = None
    changes: Annotated[Changes, Parameter(group=OUTPUT)] = None
    limit: int = SENTENCES
    """number of sentences on the page, 0 for none; equal numbers of the worst, the best, those on which systems differ,
    and random ones"""
    prices: PricesOption = ()
    digits: Digits = 2
    threads: Threads = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self, limit=COUNT)
        if self.written_format == "markdown" and (self.changes is not None or self.group is not None):
            message = "--changes and --group need a page: the summary in Markdown has no section for them"
            raise UsageError(
                message, hint="geceval compare --changes A B -f markdown, geceval score --group FILE -f markdown"
            )


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ReportRequest:
    """Systems, metrics, the comparison, and the page."""

    data: CorpusOptions = CorpusOptions()
    metric: MetricOptions = MetricOptions()
    statistics: StatisticsOptions = StatisticsOptions()
    page: PageOptions = PageOptions()
    checks: Checks = True
    guard: Guard = True


def report(*, request: ReportRequest = ReportRequest()) -> None:
    """Write the page.

    Examples:
      geceval report -s source.txt -r ref0.txt ref1.txt -c careful.txt eager.txt -o report.html
      geceval report --gold gold.m2 -c A=sys1.txt B=sys2.m2 -m errant maxmatch --title "Our systems"
      geceval report -s source.txt -r ref*.txt -c sys*.txt -m green gleu --group levels.txt

    The page is one file without network access.

    documentation: docs/explaining.md
    """
    gc.disable()  # a collection would visit millions of objects that live until the page is written
    try:
        write_page(request)
    finally:
        gc.enable()


def write_page(request: ReportRequest) -> None:
    """Write the page of a run."""
    page_environment()  # before anything is counted, because Jinja2 may be missing
    statistics, page = request.statistics, request.page
    sentences = 0 if page.written_format == "markdown" else page.limit
    inputs = CorpusInputs(request.data, threads=page.threads)
    metrics, corpus = inputs.metrics(request.metric), inputs.corpus(labels_of(page.group))
    guard = request.guard and (shows_source(metrics) or not any(metric.pool is not None for metric in metrics))
    counting = Run(corpus.with_unchanged() if guard else corpus, metrics)
    source = counting.source
    if page.changes is not None:
        check_changes(page, *page.changes, corpus.system_names)
    alone = len(corpus.system_names) == 1
    options = statistics.comparison_options(source, metrics, page.threads, "none" if alone else "all")
    expenses = means_of_expenses(inputs, page.prices)
    file, passes = request.data.files.common_source, 1 + (sentences > 0)
    with watching(counting, file, passes) as (advance, warnings):
        summary = overview(
            source,
            metrics,
            options,
            blocks=inputs.labels(statistics.blocks),
            groups=inputs.groups(page.group),
            sentences=sentences,
            annotator=inputs.language.annotator,
            progress=advance,
            checks=request.checks,
        )
        warn_each(summary.comparison.warnings)
        files = inputs.to_document([], blocks=statistics.blocks, group=page.group)
        texts = [f"{warning.file}: {warning.message}".removeprefix(": ") for warning in warnings]
        about = PageFacts(page.title or PageFacts.title, texts, files, page.changes or (), expenses)
        written = ReportPage(summary, about, page.digits)
        target: str = page.target or "report.html"
        is_summary = page.written_format == "markdown"
        write_text(target, written.markdown() if is_summary else written.page())
    if target != "-" and not page.quiet:
        use = "for a comment" if is_summary else "open it in a browser"
        say(f"{target}: {Path(target).stat().st_size / 1e6:.1f} MB; {use}")


def means_of_expenses(inputs: CorpusInputs, prices: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return the mean cost and latency of an answer by system, for tables that contain one system.

    Raises:
        InputError: A cell is neither empty nor a number.
        UsageError: A price has another name, or no table contains tokens.
    """
    systems = {} if inputs.columns is None else inputs.columns.systems
    expenses = expenses_of(systems, parse_prices(prices))
    if prices and all(row.cost is None for row in expenses.values()):
        hint = "-i FILE with usage next to the answers, one system in each file"
        raise UsageError("--prices: no table contains the tokens of its system", hint=hint)
    means = {
        "cost": {name: row.mean_cost for name, row in expenses.items() if row.cost is not None},
        "latency": {name: row.seconds for name, row in expenses.items() if row.seconds is not None},
    }
    return {head: by_system for head, by_system in means.items() if by_system}


def check_changes(page: PageOptions, before: str, after: str, systems: Sequence[str]) -> None:
    """Raise UsageError if the changes of the two systems cannot be shown."""
    Wanted(system=after, against=before).systems(systems)
    if not page.limit:
        raise UsageError("--changes and --limit 0 exclude each other")
