"""``geceval annotate``: parallel text to M2."""

from __future__ import annotations

import argparse
from typing import cast

from geceval.cli.annotating import add_language_arguments, annotator_or_usual
from geceval.cli.common import add_checks_argument, add_output, add_threads, warn_of, writing
from geceval.cli.preparing import add_preparation_arguments, preparation

EXAMPLES = """\
examples:
  geceval annotate -s source.txt -c ref0.txt ref1.txt -o gold.m2
  geceval annotate -s source.txt -c system.txt --annotator spacy:en_core_web_sm -o system.m2
  geceval annotate -s quelle.txt -c korrigiert.txt --language de -o gold.m2
  geceval annotate -s raw.txt -c corrected.txt --tokenise english -o edits.m2
  geceval annotate -s zh.txt -c zh-ref.txt --annotator zh --tokenise char --dialect cherrant -o zh.m2
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add(
        "-s",
        "--source",
        required=True,
        metavar="FILE",
        help="the sentences with errors, one a line; tokenised, or --tokenise",
    )
    add(
        *("-c", "--corrections"),
        nargs="+",
        required=True,
        metavar="FILE",
        help="corrected sentences; file c becomes annotator c",
    )
    add_output(parser)
    add(
        "--merging",
        default="rules",
        metavar="NAME",
        help="how neighbouring operations become edits: rules, all-split, all-merge or all-equal (default: rules)",
    )
    add("--lev", action="store_true", help="align by plain Levenshtein distance")
    add(
        "--dialect",
        choices=["errant", "cherrant"],
        default="errant",
        help="how M2 is written: cherrant, with T lines and the types M, R, S, W (default: errant)",
    )
    add_threads(parser)
    add_preparation_arguments(parser, ("source", "corrections"))
    add_language_arguments(parser)
    add_checks_argument(parser)


def run(args: argparse.Namespace) -> None:
    from geceval.edits.annotated_m2 import annotate
    from geceval.edits.extraction import Extractor
    from geceval.edits.languages import make_annotator
    from geceval.text.m2 import cherrant_blocks, write
    from geceval.text.preparation import prepared
    from geceval.text.reading import read_lines_together

    annotator = annotator_or_usual(args)
    extractor = Extractor(make_annotator(annotator), args.merging, args.lev)
    roles = ["source", *(f"correction {c}" for c in range(len(args.corrections)))]
    source, *corrections = read_lines_together([args.source, *args.corrections], roles)
    texts = prepared(preparation(args), {"source": [source], "references": corrections})
    if args.checks:
        from geceval.metrics.errant import Errant
        from geceval.text.corpus import Corpus, Lines

        warn_of(Corpus(cast(Lines, texts["source"][0]), texts["references"], {}), [Errant(annotator=annotator)])
    together = zip(*texts["source"], *texts["references"], strict=True)
    rows = [[str(line).split() for line in row] for row in together]
    blocks = annotate(extractor, rows, args.threads)
    with writing(args.output) as out:
        write(cherrant_blocks(blocks) if args.dialect == "cherrant" else blocks, out)
