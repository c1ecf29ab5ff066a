"""``geceval report``: write scores, differences and sentences to one HTML file."""

from __future__ import annotations

from pathlib import Path

from geceval.base.arguments import COUNT
from geceval.base.requests import CommandRequest, option
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import (
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
    target: str = option(
        *("-o", "--output"),
        default="report.html",
        help="output file, - for standard output (default: report.html)",
        effect="files",
    )
    title: str | None = option("--title", metavar="TEXT", help="title of the page")
    group: str | None = option(
        "--group",
        help="also scores by groups of sentences: a file of labels, one per line, or a column of -i",
        reads_file=True,
    )
    sentences: int = option(
        "--sentences",
        bounds=COUNT,
        default=SENTENCES,
        help="number of sentences on the page, 0 for none; in equal parts the worst, the best, those on which systems "
        f"differ, and random ones (default: {SENTENCES})",
    )


class ReportRequest(GuardOption, ChecksOption, CommandRequest):
    """Systems, metrics, the comparison, and the page."""

    data: CorpusOptions = CorpusOptions()
    metric: MetricOptions = MetricOptions()
    statistics: StatisticsOptions = StatisticsOptions()
    page: PageOptions = PageOptions()


def run(request: ReportRequest) -> None:
    """Write the page."""
    from geceval.counting.run import Run
    from geceval.counting.stream import shows_source
    from geceval.report.page.report_page import About, render, required
    from geceval.studies.explaining.overview import overview

    required()  # before anything is counted
    statistics, page = request.statistics, request.page
    inputs = CorpusInputs(request.data, quiet=page.quiet, threads=page.threads)
    metrics, corpus = inputs.metrics(request.metric), inputs.corpus(page.group)
    counting = Run(corpus, metrics, guard=shows_source(metrics) and request.guard)
    shown = counting.source
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
    about = About(page.title or About.title, [str(one) for one in found], files)
    write_text(page.target, render(seen, about, page.digits))
    if page.target != "-" and not page.quiet:
        size = Path(page.target).stat().st_size / 1e6
        say(f"{page.target}: {size:.1f} MB; open it in a browser")


COMMAND = Command(ReportRequest, run)
