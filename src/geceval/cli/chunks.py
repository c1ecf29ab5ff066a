"""``geceval chunks``: the chunks of CLEME, sentence by sentence."""

from __future__ import annotations

import argparse
import json

from geceval.base.arguments import PLACES
from geceval.base.errors import UsageError
from geceval.cli.annotating import annotator_or_usual
from geceval.cli.common import (
    add_checks_argument,
    add_data_arguments,
    add_output,
    natural,
    terminal_width,
    warn_of,
    whole_number,
    write_output,
)
from geceval.report.report import written

EXAMPLES = """\
examples:
  geceval chunks --gold gold.m2 -c system.m2 -n 1 7
  geceval chunks -s source.txt -r ref0.txt ref1.txt -c system.txt --changed --format json

A cell that its version changes ends in *, and ∅ is no text.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add_data_arguments(parser)
    parser.add_argument(
        *("-n", "--sentences"), nargs="+", type=natural, metavar="N", help="these sentences, from 1 (default: all)"
    )
    parser.add_argument("--changed", action="store_true", help="only chunks that some version changes")
    parser.add_argument(
        "--assumption", choices=["dependent", "independent"], default="dependent", help="default: dependent"
    )
    parser.add_argument(
        "--merge-distance",
        type=whole_number(PLACES),
        default=0,
        metavar="N",
        help="unchanged tokens inside a chunk (default: 0)",
    )
    parser.add_argument("-f", "--format", choices=["table", "json", "markdown"], default="table", help="default: table")
    add_output(parser)
    add_checks_argument(parser)


def run(args: argparse.Namespace) -> None:
    from geceval.cli.common import data_files
    from geceval.counting.evaluation import kept_counts
    from geceval.counting.groups.groupings import evidence_of
    from geceval.metrics.cleme import Cleme
    from geceval.report.sentences.chunk_table import chunk_rows, chunk_table

    corpus = data_files(args).whole()
    wanted = args.sentences or range(1, len(corpus) + 1)
    for number in wanted:
        if not 1 <= number <= len(corpus):
            raise UsageError(f"there is no sentence {number}: choose from 1 to {len(corpus)}")
    settings = {"merge_distance": args.merge_distance, "annotator": annotator_or_usual(args)}
    metric = Cleme(assumption=args.assumption, weights="none", **settings)
    if args.checks:
        warn_of(corpus, [metric])
    prepared = metric.prepare(corpus)
    tables, documents = [], []
    for name, counts in kept_counts(corpus, metric, evidence=True).items():
        hypothesis = corpus.systems[name]
        sentences = list(chunk_rows(prepared.chunks(hypothesis), prepared.texts(hypothesis), evidence_of(counts)))
        for number in wanted:
            rows = sentences[number - 1]
            if args.changed:
                rows = [row for row in rows if any(cell.changed for cell in (row.hypothesis, *row.references))]
            documents.append({"system": name, "sentence": number, "chunks": [row.to_dict() for row in rows]})
            if rows and args.format != "json":
                tables.append(chunk_table(rows, name, args.assumption == "independent", f"sentence {number}"))
    if args.format == "json":
        document = {"schema": "geceval/chunks@1", "sentences": documents}
        write_output(args, json.dumps(document, ensure_ascii=False, indent=2) + "\n")
    else:
        write_output(args, "\n".join(written(table, args.format, width=terminal_width(args)) for table in tables))
