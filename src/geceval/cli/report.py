"""``geceval report``: scores, differences, types and sentences of systems as one HTML file."""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

from geceval.base.arguments import COUNT
from geceval.base.errors import GecevalWarning
from geceval.cli.annotating import annotator_or_usual
from geceval.cli.common import (
    add_checks_argument,
    add_data_arguments,
    add_digits,
    add_guard_argument,
    add_metric_argument,
    add_quiet,
    add_threads,
    labels_in,
    whole_number,
    write_output,
)
from geceval.cli.compare import add_statistics_arguments, statistics_of

EXAMPLES = """\
examples:
  geceval report -s source.txt -r ref0.txt ref1.txt -c careful.txt eager.txt -m green errant -o report.html
  geceval report --gold gold.m2 -c A=sys1.txt B=sys2.m2 -m errant maxmatch --title "Our systems" -o report.html
  geceval report -s source.txt -r ref*.txt -c sys*.txt -m green gleu errant --group levels.txt --sentences 400

The file needs no network and sends nothing anywhere; docs/report.md walks through one.
"""

#: Sentences that the explorer holds unless more are asked for: so many open in a second.
SENTENCES = 1500


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add_data_arguments(parser)
    add_metric_argument(parser)
    add_statistics_arguments(parser)
    group = parser.add_argument_group("report")
    group.add_argument("-o", "--output", metavar="FILE", default="report.html", help="default: report.html; -: stdout")
    group.add_argument("--title", metavar="TEXT", help="what stands on top")
    group.add_argument(
        "--group", metavar="FILE", help="also by groups of sentences: a file with a label a line, or a column of -i"
    )
    group.add_argument(
        "--sentences",
        type=whole_number(COUNT),
        default=SENTENCES,
        metavar="N",
        help="sentences to look at, 0: none; of a larger corpus a quarter each of the worst and the best by the first "
        f"metric, those on which the systems differ most, and random ones by --seed (default: {SENTENCES})",
    )
    add_digits(group)
    add_threads(group)
    add_quiet(group)
    add_checks_argument(parser)
    add_guard_argument(parser)


def run(args: argparse.Namespace) -> None:
    from geceval.cli.common import asked_metrics, collected, data_files, given_files
    from geceval.cli.progress import progress
    from geceval.counting.run import Run
    from geceval.counting.stream import shows_source
    from geceval.report.page.report_page import About, render, required
    from geceval.studies.explaining.overview import overview

    required()  # before anything is counted
    metrics, corpus = asked_metrics(args), data_files(args, labels=args.group)
    counting = Run(corpus, metrics, guard=shows_source(metrics) and not args.no_guard)
    asked = counting.source
    total, alone = counting.work, len(corpus.system_names) == 1
    options = statistics_of(args, asked, metrics, pairs="none" if alone else "all")
    passes = 1 + (args.sentences > 0)
    with (
        progress(None if total is None else passes * total, quiet=args.quiet) as advance,
        collected(quiet=args.quiet) as told,
    ):
        seen = overview(
            asked,
            metrics,
            options,
            blocks=labels_in(args, args.blocks),
            groups=labels_in(args, args.group),
            sentences=args.sentences,
            annotator=annotator_or_usual(args),
            progress=advance,
            checks=args.checks,
        )
        for text in seen.comparison.warnings:
            warnings.warn(text, GecevalWarning, stacklevel=1)
    about = About(args.title or About.title, [str(one) for one in told], given_files(args, [], "blocks", "group"))
    write_output(args, render(seen, about, args.digits))
    if args.output != "-" and not args.quiet:
        size = Path(args.output).stat().st_size / 1e6
        print(f"{args.output}: {size:.1f} MB, to be opened in a browser", file=sys.stderr)
