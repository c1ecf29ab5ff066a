"""``geceval compare``: is one system better than another, and how sure can one be?"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from geceval.base.arguments import KERNEL_SEEDS, SAMPLES
from geceval.base.errors import GecevalWarning
from geceval.cli.common import (
    add_blocks_argument,
    add_checks_argument,
    add_data_arguments,
    add_guard_argument,
    add_metric_argument,
    add_output_arguments,
    add_sort_argument,
    fraction,
    labels_in,
    terminal_width,
    whole_number,
)
from geceval.cli.recording import add_record_argument, write_rendered
from geceval.cli.score import LENGTH, add_grouping_arguments, asked_grouping, group_head

if TYPE_CHECKING:
    from geceval.counting.metric import Metric
    from geceval.studies.comparison.comparison_options import Options, Pairs
    from geceval.text.corpus import TextSource
    from geceval.text.reading import CorpusFiles

EXAMPLES = """\
examples:
  geceval compare -s source.txt -r ref0.txt ref1.txt -c careful.txt eager.txt -m green
  geceval compare -s source.txt -r ref*.txt -c BASE=old.txt NEW=new.txt -m green errant --baseline BASE
  geceval compare --gold gold.m2 -c sys1.m2 sys2.m2 -m errant --by type
  geceval compare -s source.txt -r ref*.txt -c sys*.txt -m green --blocks essays.txt --format latex -o table.tex
  geceval compare -s source.txt -r ref*.txt -c sys1.txt sys2.txt -m green --power

docs/comparison.md explains every number in words. Choose the metric that decides before you look.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add_data_arguments(parser)
    add_metric_argument(parser)
    add_statistics_arguments(parser).add_argument(
        "--power", action="store_true", help="how many sentences it takes to show such differences at 80 %%"
    )
    groups = parser.add_argument_group("parts", "compare within kinds of edits or groups of sentences, too")
    add_grouping_arguments(groups)
    add_output_arguments(parser)
    add_checks_argument(parser)
    add_guard_argument(parser)
    add_record_argument(parser)
    add_sort_argument(parser, "score", "score (in each table by its own metric), ")
    parser.set_defaults(level="corpus")


def add_statistics_arguments(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """How systems are compared."""
    group = parser.add_argument_group("statistics")
    group.add_argument("--baseline", metavar="NAME", help="compare all systems with this one (default: all pairs)")
    group.add_argument(
        "--test",
        choices=["randomisation", "bootstrap"],
        default="randomisation",
        help="where p comes from: outputs of the two systems swapped at random (default), or sentences drawn",
    )
    group.add_argument(
        "--interval",
        choices=["percentile", "bca"],
        default="percentile",
        help="the bootstrap interval; bca: corrected for bias and skew (default: percentile)",
    )
    group.add_argument(
        "--samples",
        type=whole_number(SAMPLES),
        metavar="N",
        help="replicates of each kind (default: 10000, or more where the correction of so many tests needs them)",
    )
    group.add_argument(
        "--seed", type=whole_number(KERNEL_SEEDS), default=0, metavar="N", help="of the replicates (default: 0)"
    )
    group.add_argument(
        "--alpha",
        type=fraction,
        default=0.05,
        metavar="A",
        help="a difference counts as shown where the adjusted p is below this; intervals cover the rest (default:"
        " 0.05: 95 %% intervals)",
    )
    group.add_argument(
        "--adjust",
        choices=["holm", "bh", "by", "none"],
        help="how p pays for many tests: holm, bh (Benjamini and Hochberg), by (Benjamini and Yekutieli), none"
        " (default: holm; bh among the groups of --by and --group)",
    )
    add_blocks_argument(group)
    return group


def run(args: argparse.Namespace) -> None:
    from geceval.cli.common import asked_metrics, collected, data_files, given_files
    from geceval.cli.progress import progress
    from geceval.counting.run import Run
    from geceval.counting.stream import shows_source
    from geceval.report.comparisons.comparison_report import comparison_report
    from geceval.report.report import render
    from geceval.studies.comparison.compare import comparison_of, resampled
    from geceval.studies.comparison.power import power_of

    asked_grouping(args)  # refuses what cannot be asked for together
    metrics, corpus = asked_metrics(args), data_files(args)
    parts: dict[str, Any] = {"blocks": labels_in(args, args.blocks), "by": args.by, "groups": _groups(args, corpus)}
    counting = Run(corpus, metrics, guard=shows_source(metrics) and not args.no_guard)
    asked = counting.source
    options = statistics_of(args, asked, metrics)
    with progress(counting.work, quiet=args.quiet) as advance, collected(quiet=args.quiet) as told:
        found = resampled(asked, metrics, options, progress=advance, checks=args.checks, **parts)
        inputs = given_files(args, told, "blocks", "by", "group")
        comparison = comparison_of(asked, found, options, blocks=args.blocks is not None)
        for text in comparison.warnings:
            warnings.warn(text, GecevalWarning, stacklevel=1)
    power = power_of(found, alpha=args.alpha) if args.power else []
    report = comparison_report(comparison, inputs, power, sort=args.sort, groups=group_head(args))
    write_rendered(args, lambda output: render(report, output, args.digits, terminal_width(args)))


def statistics_of(
    args: argparse.Namespace, corpus: TextSource, metrics: Sequence[Metric[Any]], pairs: Pairs = "all"
) -> Options:
    """What the arguments say of the statistics, and what follows from so many systems and metrics."""
    from geceval.studies.comparison.comparison_options import options_for

    names = ("samples", "baseline", "test", "interval", "seed", "alpha", "adjust", "threads")
    asked = {name: getattr(args, name) for name in names}
    return options_for(corpus.system_names, len(metrics), pairs=pairs, **asked)


def _groups(args: argparse.Namespace, corpus: CorpusFiles) -> Sequence[str] | None:
    """The group of each sentence."""
    from geceval.counting.groups.groupings import length_bands_of

    return length_bands_of(corpus) if args.group == LENGTH else labels_in(args, args.group)
