"""``geceval annotate``: parallel text to M2."""

from __future__ import annotations

import argparse
import io

from geceval.cli.common import add_checks_argument, natural, warn_of, write_output
from geceval.edits.languages import ANNOTATORS

EXAMPLES = """\
examples:
  geceval annotate -s source.txt -c ref0.txt ref1.txt -o gold.m2
  geceval annotate -s source.txt -c system.txt --annotator spacy:en_core_web_sm -o system.m2
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("-s", "--source", required=True, metavar="FILE", help="the sentences with errors, tokenised, one a line")
    add(
        *("-c", "--corrections"),
        nargs="+",
        required=True,
        metavar="FILE",
        help="corrected sentences; file c becomes annotator c",
    )
    add("-o", "--output", metavar="FILE", help="write there instead of to standard output")
    add("--annotator", default="builtin", metavar="NAME", help=f"{', '.join(ANNOTATORS.shown)} (default: builtin)")
    add(
        "--merging",
        default="rules",
        metavar="NAME",
        help="how neighbouring operations become edits: rules, all-split, all-merge or all-equal (default: rules)",
    )
    add("--lev", action="store_true", help="align by plain Levenshtein distance")
    add(*("-j", "--threads"), type=natural, default=0, metavar="N", help="threads (default: 0, all processors)")
    add_checks_argument(parser)


def run(args: argparse.Namespace) -> None:
    from geceval.edits.extract import Extractor
    from geceval.edits.languages import make_annotator
    from geceval.edits.m2files import annotate
    from geceval.text.m2 import write
    from geceval.text.reading import read_lines_together

    extractor = Extractor(make_annotator(args.annotator), args.merging, args.lev)
    roles = ["source", *(f"correction {c}" for c in range(len(args.corrections)))]
    texts = read_lines_together([args.source, *args.corrections], roles)
    if args.checks:
        from geceval.metrics.errant import Errant
        from geceval.text.corpus import Corpus

        warn_of(Corpus(texts[0], texts[1:], {}), [Errant(annotator=args.annotator)])
    rows = [[line.split() for line in row] for row in zip(*texts, strict=True)]
    out = io.StringIO()
    write(annotate(extractor, rows, args.threads), out)
    write_output(args, out.getvalue())
