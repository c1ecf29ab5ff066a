"""What ``geceval mbr`` and ``geceval rerank`` share: files of candidates, and what is written of the best."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from geceval.base.arguments import Bounds
from geceval.base.errors import InputError, UsageError
from geceval.cli.annotating import add_language_arguments
from geceval.cli.common import add_output, add_threads, asked_metrics, whole_number, write_output

if TYPE_CHECKING:
    from geceval.counting.metric import Metric
    from geceval.counting.scoring.candidate_choice import Ranked
    from geceval.text.candidate_files import Candidates

#: Candidates of a sentence, or lines: what memory holds.
EACH = Bounds(1, 1 << 20)


def add_choosing_arguments(parser: argparse.ArgumentParser) -> None:
    """Source and candidates, and how the best are written."""
    group = parser.add_argument_group("data", "tokenised text, UTF-8; .gz, .xz, .bz2 and .zst are read; - is stdin")
    group.add_argument("-s", "--source", metavar="FILE", help="the sentences with errors, one a line")
    group.add_argument(
        *("-n", "--candidates"),
        required=True,
        metavar="FILE",
        help="number of the sentence (from 1 on), tab, candidate, and if there is one tab, score; or lines, with -k",
    )
    group.add_argument(
        "-k", type=whole_number(EACH), metavar="N", help="the candidates are plain lines, N for each sentence"
    )
    add_language_arguments(parser)
    output = parser.add_argument_group("output")
    output.add_argument(
        *("-f", "--format"),
        choices=("text", "tsv", "json"),
        default="text",
        help="the best of each sentence, a line each (text, the default), or all candidates, the best first, with "
        "their scores: a file of candidates again (tsv), or all there is to know (json)",
    )
    add_output(output)
    output.add_argument("-q", "--quiet", action="store_true", help="do not say on stderr what the scores are")
    add_threads(output)


def asked_metric(args: argparse.Namespace) -> Metric[Any]:
    """The one metric of ``-m``, in the language of the texts."""
    from geceval.counting.scoring.scorer import only

    return only(asked_metrics(args))


def given_candidates(args: argparse.Namespace) -> Candidates:
    """The candidates of ``-n``. Raises InputError where there are none."""
    from geceval.text.candidate_files import read_candidates
    from geceval.text.files import check_standard_input

    check_standard_input([args.source or "", args.candidates, *getattr(args, "references", [])])
    found = read_candidates(args.candidates, args.k)
    if not len(found):
        raise InputError("there are no candidates", path=args.candidates)
    return found


def given_source(args: argparse.Namespace, candidates: Candidates) -> Sequence[str]:
    """The lines of ``-s``. Raises UsageError without it, InputError where the candidates are of another number of
    sentences."""
    from geceval.text.corpus import check_lengths
    from geceval.text.reading import read_lines

    if args.source is None:
        raise UsageError("the metric needs the source: -s FILE")
    source = read_lines(args.source)
    named = [(f"source      {args.source}", len(source)), (f"candidates  {args.candidates}", len(candidates))]
    check_lengths(named, noun="sentences")
    return source


def write_ranked(args: argparse.Namespace, ranked: Ranked) -> None:
    """The best, or all."""
    from geceval.report.documents import as_json
    from geceval.text.candidate_files import candidate_lines

    if not args.quiet and args.format != "json":
        print(ranked.signature, file=sys.stderr)
    orders = [ranked.order(s) for s in range(len(ranked))]
    if args.format == "json":
        rows = [
            {"choice": order[0], "candidates": texts, "scores": scores.tolist()}
            for order, texts, scores in zip(orders, ranked.candidates, ranked.scores, strict=True)
        ]
        for row, table in zip(rows, ranked.utilities, strict=False):  # none but of minimum Bayes risk
            row["utilities"] = table.tolist()
        files = {name: getattr(args, name) for name in ("source", "candidates")}
        text = as_json("geceval/candidates@1", {**files, "signature": ranked.signature, "sentences": rows})
    else:
        texts = [[own[c] for c in order] for own, order in zip(ranked.candidates, orders, strict=True)]
        scores = [own[order].tolist() for own, order in zip(ranked.scores, orders, strict=True)]
        lines = candidate_lines(texts, scores) if args.format == "tsv" else (own[0] for own in texts)
        text = "".join(f"{line}\n" for line in lines)
    write_output(args, text)
