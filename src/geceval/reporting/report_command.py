"""``geceval report``: write scores, differences and sentences to one HTML file."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from pathlib import Path

from geceval.base.arguments import COUNT
from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, option
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import (
    CHANGES,
    ChecksOption,
    CorpusOptions,
    DigitsOption,
    GuardOption,
    MetricOptions,
    QuietOption,
    StatisticsOptions,
    TargetOption,
    ThreadsOption,
)
from geceval.cli.output import write_text
from geceval.cli.parsing import Command
from geceval.cli.stderr import say, warn, watching

#: Default number of sentences on the page, which opens in a second.
SENTENCES = 1500


class PageOptions(QuietOption, ThreadsOption, DigitsOption, TargetOption, title="output"):
    """Options of the page."""

    formats = ("html",)
    title: str | None = option("--title", metavar="TEXT")
    group: str | None = option("--group", reads_file=True)
    changes: tuple[str, ...] = CHANGES
    sentences: int = option("--sentences", bounds=COUNT, default=SENTENCES)


class ReportRequest(GuardOption, ChecksOption, CommandRequest):
    """Systems, metrics, the comparison, and the page."""

    data: CorpusOptions = CorpusOptions()
    metric: MetricOptions = MetricOptions()
    statistics: StatisticsOptions = StatisticsOptions()
    page: PageOptions = PageOptions()


def run(request: ReportRequest) -> None:
    """Write the page."""
    gc.disable()  # a collection would visit millions of objects that live until the page is written
    try:
        write_report(request)
    finally:
        gc.enable()


def write_report(request: ReportRequest) -> None:
    """Write the page of a run."""
    from geceval.counting.run import Run
    from geceval.counting.stream import shows_source
    from geceval.reporting.overview import overview
    from geceval.reporting.report_page import About, page_environment, render

    page_environment()  # before anything is counted, because Jinja2 may be missing
    statistics, page = request.statistics, request.page
    inputs = CorpusInputs(request.data, quiet=page.quiet, threads=page.threads)
    metrics, corpus = inputs.metrics(request.metric), inputs.corpus(page.group)
    guard = request.guard and (shows_source(metrics) or not any(metric.pooled for metric in metrics))
    counting = Run(corpus, metrics, guard=guard)
    shown = counting.source
    if page.changes:
        check_changes(page, corpus.system_names)
    alone = len(corpus.system_names) == 1
    options = statistics.comparison_options(shown, metrics, page.threads, "none" if alone else "all")
    source, passes = request.data.files.source, 1 + (page.sentences > 0)
    with watching(counting, source, passes, quiet=page.quiet) as (advance, found):
        seen = overview(
            shown,
            metrics,
            options,
            blocks=inputs.labels(statistics.blocks),
            groups=inputs.labels(page.group),
            sentences=page.sentences,
            annotator=inputs.language.annotator_or_default,
            progress=advance,
            checks=request.checks,
        )
        warn(*seen.comparison.warnings)
        files = inputs.to_document([], blocks=statistics.blocks, group=page.group)
        about = About(page.title or About.title, [str(one) for one in found], files, page.changes)
        text = render(seen, about, page.digits)
    target = page.target or "report.html"
    write_text(target, text)
    if target != "-" and not page.quiet:
        say(f"{target}: {Path(target).stat().st_size / 1e6:.1f} MB; open it in a browser")


def check_changes(page: PageOptions, systems: Sequence[str]) -> None:
    """Raise UsageError if the changes of the two systems cannot be shown."""
    from geceval.inspection.sentence_selection import Wanted

    before, after = page.changes
    Wanted(system=after, against=before).systems(systems)
    if not page.sentences:
        raise UsageError("--changes needs sentences: not with --sentences 0")


COMMAND = Command(ReportRequest, run)
