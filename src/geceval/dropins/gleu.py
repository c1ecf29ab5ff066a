"""``gleu``, ``sgleu`` and ``mgleu`` as of shotakoyama/gleu 1.1.0."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.counting.metric_names import make_metric
from geceval.counting.policies import best
from geceval.counting.system_results import kept_counts, system_results
from geceval.dropins.ngrams import (
    add_digits,
    boxed,
    ngram_parser,
    numbered_corpus,
    print_scores,
    print_sentence_scores,
    print_sentence_tables,
)
from geceval.metrics.shared.ngram_counting import orders_of
from geceval.tables.number_text import percent


def _parse(arguments: Sequence[str], prog: str, description: str) -> argparse.Namespace:
    parser = ngram_parser(prog, description)
    parser.add_argument(
        "-r", "--ref", "--references", nargs="+", required=True, metavar="FILE", help="references, one per line"
    )
    parser.add_argument("-o", "--out", "--outputs", nargs="+", required=True, metavar="FILE", help="systems' outputs")
    parser.add_argument(
        "-i", "--iter", type=int, default=500, metavar="N", help="number of draws of references (default: %(default)s)"
    )
    add_digits(parser)
    parser.add_argument(
        "-p",
        "--proc",
        type=int,
        default=1,
        metavar="N",
        help="number of threads, which does not change the result (default: %(default)s)",
    )
    parser.add_argument(
        "-t", "--token", choices=["char", "word"], default="word", help="unit of n-grams (default: %(default)s)"
    )
    parser.add_argument("-m", "--max", action="store_true", help="best reference for each sentence instead of draws")
    parser.add_argument(
        "-f", "--fix", "--fix-seed", action="store_true", help="no effect: the original's fixed draws are always used"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="print tables of counts")
    return parser.parse_args(arguments)


def _metric(options: argparse.Namespace) -> Any:
    selection = "best" if options.max else "sampled"
    settings = {"n": options.n, "unit": options.token, "iterations": options.iter}
    return make_metric("gleu", selection=selection, blanks="all", **settings)


def gleu(arguments: Sequence[str], prog: str) -> None:
    """Print corpus scores."""
    options = _parse(arguments, prog, "GLEU of whole corpora: an n-gram precision with a penalty.")
    metric, corpus = _metric(options), numbered_corpus(options)
    if not (options.verbose and options.max):
        print_scores(options.out, corpus, [metric], "corpus", options.digit, options.proc)
        return
    results = system_results(corpus, [metric], views=["corpus"], threads=options.proc, checks=False)
    for path, [result] in zip(options.out, results.values(), strict=True):
        print(path)
        print(_table(metric, options.digit, result.totals()[0]))


def mgleu(arguments: Sequence[str], prog: str) -> None:
    """Print means of sentence scores."""
    options = _parse(arguments, prog, "The mean of the sentences' GLEU.")
    print_scores(options.out, numbered_corpus(options), [_metric(options)], "mean", options.digit, options.proc)


def sgleu(arguments: Sequence[str], prog: str) -> None:
    """Print sentence scores: one line per sentence, one column per system."""
    description = "GLEU of every sentence, the mean over its references or with -m its best one."
    options = _parse(arguments, prog, description)
    metric, files = _metric(options), numbered_corpus(options)
    if not options.verbose:
        print_sentence_scores(files, [metric], options.digit, options.proc)
        return
    corpus, uncut = files.whole(), metric.uncut()
    counts = list(kept_counts(corpus, uncut, threads=options.proc).values())
    choices = [[best(uncut.figure, count)] for count in counts]
    print_sentence_tables(corpus, "H", counts, choices, [partial(_table, metric, options.digit)])


def _table(metric: Any, digits: int, totals: NDArray[Any]) -> str:
    match, penalty, total, lengths = orders_of(totals, metric.n)
    cut = np.concatenate([np.stack([match, np.minimum(match, penalty), total], axis=-1).ravel(), lengths])
    logs, log_brevity_penalty = metric.log_precisions(cut), metric.log_brevity_penalty(cut)
    counts = np.stack([match, penalty, match - np.minimum(match, penalty), total], axis=-1)
    figures = [*zip(logs, log_brevity_penalty + logs, strict=True), (logs.mean(), log_brevity_penalty + logs.mean())]
    rows: list[list[Any]] = [["", "match", "penal", "numer", "denom", "p", "bp", "gleu"]]
    heads = [*map(str, range(1, metric.n + 1)), "total"]
    for head, row, (p, score) in zip(heads, [*counts.tolist(), counts.sum(axis=0).tolist()], figures, strict=True):
        rows.append([head, *row, *(percent(float(np.exp(log)), digits) for log in (p, log_brevity_penalty, score))])
    return boxed(rows)
