"""``geceval weights``: how hard each chunk of the gold is for these systems, for ``goto:weights=FILE``."""

from __future__ import annotations

import argparse

from geceval.cli.annotating import annotator_or_usual
from geceval.cli.common import add_data_arguments, add_output, add_threads, natural, writing

EXAMPLES = """\
examples:
  geceval weights --gold gold.m2 -c sys1.m2 sys2.m2 sys3.txt -o pool.txt
  geceval score --gold gold.m2 -c new.txt -m goto:weights=pool.txt

A line for each sentence: a digest of it and its gold edits, then for each chunk how many of the systems have it right.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add_data_arguments(parser)
    parser.add_argument("--ref-id", type=natural, default=0, metavar="N", help="which reference (default: 0)")
    add_output(parser)
    add_threads(parser)


def run(args: argparse.Namespace) -> None:
    from geceval.cli.common import data_files
    from geceval.metrics.goto import Goto, weight_lines

    metric = Goto(ref_id=args.ref_id, annotator=annotator_or_usual(args))
    corpus = data_files(args)
    with writing(args.output) as out:
        out.writelines(f"{line}\n" for line in weight_lines(corpus, metric, args.threads))
