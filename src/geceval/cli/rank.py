"""``geceval rank``: systems ranked without people, by a metric's verdicts on pairs of outputs."""

from __future__ import annotations

import argparse

from geceval.base.arguments import KERNEL_SEEDS, SAMPLES
from geceval.cli.common import (
    add_blocks_argument,
    add_checks_argument,
    add_data_arguments,
    add_metric_argument,
    add_output_arguments,
    fraction,
    labels_in,
    terminal_width,
    whole_number,
    write_output,
)

EXAMPLES = """\
examples:
  geceval rank -s source.txt -r ref0.txt ref1.txt -c sys1.txt sys2.txt sys3.txt -m green
  geceval rank --gold gold.m2 -c CAMB=sys1.m2 AMU=sys2.m2 -m errant --aggregation trueskill

Each metric scores every sentence of every system; of each pair of systems the one that scores higher on a sentence
wins there. docs/comparison.md explains the numbers. People's judgments are ranked by: geceval meta --level human
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add_data_arguments(parser)
    add_metric_argument(parser)
    group = parser.add_argument_group("ranking")
    group.add_argument(
        "--aggregation",
        choices=["expected-wins", "trueskill"],
        default="expected-wins",
        help="expected-wins (default): the share of sentences won against an opponent drawn at random, ties left out;"
        " trueskill: skills after one pass over the sentences in file order",
    )
    group.add_argument(
        "--samples",
        type=whole_number(SAMPLES),
        default=1000,
        metavar="N",
        help="draws (default: 1000)",
    )
    group.add_argument("--seed", type=whole_number(KERNEL_SEEDS), default=0, metavar="N", help="of them (default: 0)")
    group.add_argument(
        "--alpha", type=fraction, default=0.05, metavar="A", help="0.05 (default): 95 %% intervals and rank ranges"
    )
    add_blocks_argument(group)
    add_output_arguments(parser)
    add_checks_argument(parser)
    parser.set_defaults(digits=3)


def run(args: argparse.Namespace) -> None:
    from geceval.cli.common import asked_metrics, collected, data_files, given_files
    from geceval.cli.progress import progress
    from geceval.counting.stream import work
    from geceval.report.layout import Layout
    from geceval.report.ranking import render_ranking
    from geceval.studies.comparison.ranking_without_people import rank

    metrics, corpus = asked_metrics(args), data_files(args)
    drawn = {name: getattr(args, name) for name in ("samples", "seed", "alpha", "threads")}
    drawn |= {"blocks": labels_in(args, args.blocks), "checks": args.checks}
    with progress(work(corpus, metrics), quiet=args.quiet) as advance, collected(quiet=args.quiet) as told:
        ranking = rank(corpus, metrics, aggregation=args.aggregation, progress=advance, **drawn)
    inputs = given_files(args, told, "blocks")
    layout = Layout(args.format, args.digits, width=terminal_width(args))
    write_output(args, render_ranking(ranking, layout, inputs))
