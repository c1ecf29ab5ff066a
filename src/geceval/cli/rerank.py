"""``geceval rerank``: of each sentence's candidates the one with the highest score."""

from __future__ import annotations

import argparse

from geceval.base.errors import UsageError
from geceval.cli.choosing import add_choosing_arguments, asked_metric, given_candidates, given_source, write_ranked

EXAMPLES = """\
examples:
  geceval rerank -s source.txt -n nbest.tsv -m impara -o chosen.txt
  geceval rerank -n nbest.tsv --scores -o chosen.txt
  geceval rerank -s source.txt -n nbest.tsv -m errant -r ref0.txt ref1.txt -o oracle.txt

By a metric without references, by the scores in the file, or (an oracle, the best of
each sentence) by a metric with references. With no metric of these at hand: geceval mbr. docs/mbr.md has the formats.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add_choosing_arguments(parser)
    group = parser.add_argument_group("choice").add_mutually_exclusive_group(required=True)
    group.add_argument(
        *("-m", "--metric"), dest="metrics", nargs=1, metavar="METRIC", help="one without references, or with -r any"
    )
    group.add_argument("--scores", action="store_true", help="by the scores in the file of candidates")
    parser.add_argument(
        *("-r", "--references"),
        nargs="+",
        default=[],
        metavar="FILE",
        help="corrected sentences: the best there is among the candidates is taken",
    )


def run(args: argparse.Namespace) -> None:
    from geceval.counting.scoring.candidate_choice import by_scores, rerank
    from geceval.text.corpus import check_lengths
    from geceval.text.reading import read_lines_together

    metric = None if args.scores else asked_metric(args)
    candidates = given_candidates(args)
    if metric is None:
        if candidates.scores is None:
            raise UsageError("--scores: the candidates have no scores")
        if args.references:
            raise UsageError("--scores looks at no references")
        write_ranked(args, by_scores(candidates.texts, candidates.scores))
        return
    source = given_source(args, candidates)
    per_sentence = None
    if args.references:
        rows = read_lines_together(args.references, args.references)
        named = [(f"source      {args.source}", len(source)), (f"references  {args.references[0]}", len(rows[0]))]
        check_lengths(named, noun="sentences")
        per_sentence = [list(map(str, row)) for row in zip(*rows, strict=True)]
    write_ranked(args, rerank(candidates.texts, metric, source, per_sentence=per_sentence, threads=args.threads))
