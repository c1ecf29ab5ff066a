"""``geceval report``: write scores, differences and sentences to one HTML file."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from cyclopts import Parameter

from geceval.base.arguments import COUNT, DIGITS, THREADS
from geceval.base.errors import UsageError
from geceval.base.python_hints import warn
from geceval.cli.corpus_options import CorpusOptions
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import (
    OUTPUT,
    Changes,
    Checks,
    Digits,
    Guard,
    MetricOptions,
    OutputFile,
    Quiet,
    StatisticsOptions,
    TargetOption,
    Threads,
    check_whole,
)
from geceval.cli.output import say, watching, write_text
from geceval.counting.run import Run
from geceval.counting.stream import shows_source
from geceval.inspection.sentence_selection import Wanted
from geceval.reporting.overview import overview
from geceval.reporting.report_page import About, page_environment, render

#: Default number of sentences on the page, which opens in a second.
SENTENCES = 1500


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class PageOptions(TargetOption):
    """Options of the page."""

    formats: ClassVar[tuple[str, ...]] = ("html",)
    target: Annotated[OutputFile | None, Parameter(name=("--output", "-o"), metavar="FILE")] = None
    """output file, - for standard output (default: report.html)"""
    title: Annotated[str | None, Parameter(metavar="TEXT")] = None
    """title of the page"""
    group: Annotated[str | None, Parameter(metavar="FILE")] = None
    """also scores by groups of sentences: a file of labels, one per line, or a column of -i"""
    changes: Annotated[Changes, Parameter(group=OUTPUT)] = None
    sentences: int = SENTENCES
    """number of sentences on the page, 0 for none; in equal parts the worst, the best, those on which systems differ,
    and random ones"""
    digits: Digits = 2
    threads: Threads = 0
    quiet: Quiet = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self, sentences=COUNT, digits=DIGITS, threads=THREADS)


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

    documentation: docs/report.md
    """
    gc.disable()  # a collection would visit millions of objects that live until the page is written
    try:
        write_report(request)
    finally:
        gc.enable()


def write_report(request: ReportRequest) -> None:
    """Write the page of a run."""
    page_environment()  # before anything is counted, because Jinja2 may be missing
    statistics, page = request.statistics, request.page
    inputs = CorpusInputs(request.data, quiet=page.quiet, threads=page.threads)
    metrics, corpus = inputs.metrics(request.metric), inputs.corpus(page.group)
    guard = request.guard and (shows_source(metrics) or not any(metric.pooled for metric in metrics))
    counting = Run(corpus, metrics, guard=guard)
    source = counting.source
    if page.changes is not None:
        check_changes(page, *page.changes, corpus.system_names)
    alone = len(corpus.system_names) == 1
    options = statistics.comparison_options(source, metrics, page.threads, "none" if alone else "all")
    file, passes = request.data.files.source, 1 + (page.sentences > 0)
    with watching(counting, file, passes, quiet=page.quiet) as (advance, warnings):
        summary = overview(
            source,
            metrics,
            options,
            blocks=inputs.labels(statistics.blocks),
            groups=inputs.labels(page.group),
            sentences=page.sentences,
            annotator=inputs.language.annotator,
            progress=advance,
            checks=request.checks,
        )
        for text in summary.comparison.warnings:
            warn(text)
        files = inputs.to_document([], blocks=statistics.blocks, group=page.group)
        about = About(page.title or About.title, [str(warning) for warning in warnings], files, page.changes or ())
        text = render(summary, about, page.digits)
    target = page.target or "report.html"
    write_text(target, text)
    if target != "-" and not page.quiet:
        say(f"{target}: {Path(target).stat().st_size / 1e6:.1f} MB; open it in a browser")


def check_changes(page: PageOptions, before: str, after: str, systems: Sequence[str]) -> None:
    """Raise UsageError if the changes of the two systems cannot be shown."""
    Wanted(system=after, against=before).systems(systems)
    if not page.sentences:
        raise UsageError("--changes needs sentences: not with --sentences 0")
