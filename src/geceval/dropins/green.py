"""``green``, ``sgreen`` and ``mgreen`` as of shotakoyama/green 0.1.0."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any

from numpy.typing import NDArray

from geceval.counting.metric_names import make_metric
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
from geceval.metrics.shared.ngram_counting import REGIONS
from geceval.tables.number_text import percent, round_half_up


def _parse(arguments: Sequence[str], prog: str, description: str) -> argparse.Namespace:
    parser = ngram_parser(prog, description)
    parser.add_argument(
        "-r",
        "--ref",
        "--refs",
        "--references",
        nargs="+",
        required=True,
        metavar="FILE",
        help="references, one per line",
    )
    parser.add_argument(
        *("-c", "--cor", "--cors", "--corrected", "--corrected-sentences", "-o", "--out", "--outs", "--outputs"),
        *("--hyp", "--hyps", "--hypotheses"),
        dest="out",
        nargs="+",
        required=True,
        metavar="FILE",
        help="corrections of one or more systems",
    )
    parser.add_argument(
        "-b", "--beta", type=float, nargs="+", default=[1.0], help="weight of recall, several allowed (default: 1)"
    )
    add_digits(parser)
    parser.add_argument(
        "-t",
        "--token",
        "--tokenize",
        "--tokenization",
        choices=["char", "word"],
        default="word",
        help="unit of n-grams (default: %(default)s)",
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="print tables of counts")
    parser.add_argument(
        "-l", "--line-verbose", action="store_true", help="with -v of green: one line instead of a table"
    )
    return parser.parse_args(arguments)


def _metrics(options: argparse.Namespace) -> list[Any]:
    return [make_metric("green", n=options.n, beta=beta, unit=options.token, blanks="all") for beta in options.beta]


def _alpha(beta: float) -> float:
    return 1 / (beta**2 + 1)


def _heads(options: argparse.Namespace) -> list[str]:
    rows = {"alpha": map(_alpha, options.beta), "beta": options.beta}
    return [
        "\t".join([name, *(round_half_up(value, options.digit) for value in values)]) for name, values in rows.items()
    ]


def green(arguments: Sequence[str], prog: str) -> None:
    """Print corpus scores."""
    options = _parse(arguments, prog, "GREEN of whole corpora: an n-gram F-score.")
    metrics, corpus = _metrics(options), numbered_corpus(options)
    if not options.verbose:
        print_scores(options.out, corpus, metrics, "corpus", options.digit, heads=_heads(options))
        return
    results = system_results(corpus, metrics, views=["corpus"], checks=False)
    for path, row in zip(options.out, results.values(), strict=True):
        for metric, result in zip(metrics, row, strict=True):
            totals = result.totals()[0]
            alpha, beta = round_half_up(_alpha(metric.beta), options.digit), round_half_up(metric.beta, options.digit)
            if options.line_verbose:
                cells = [percent(value, options.digit) for value in metric.figures(totals)[-1, 3:].tolist()]
                print("\t".join([alpha, beta, *cells]))
            else:
                print(f"{path}\talpha={alpha}\tbeta={beta}")
                print(_table(metric, options.digit, totals))


def mgreen(arguments: Sequence[str], prog: str) -> None:
    """Print means of sentence scores."""
    options = _parse(arguments, prog, "The mean of the sentences' GREEN.")
    metrics, corpus = _metrics(options), numbered_corpus(options)
    print_scores(options.out, corpus, metrics, "mean", options.digit, heads=_heads(options))


def sgreen(arguments: Sequence[str], prog: str) -> None:
    """Print sentence scores: one line per sentence, all systems for each beta."""
    options = _parse(arguments, prog, "GREEN of every sentence, with its best reference.")
    metrics, files = _metrics(options), numbered_corpus(options)
    if not options.verbose:
        print_sentence_scores(files, metrics, options.digit)
        return
    corpus = files.whole()
    counts = list(kept_counts(corpus, metrics[0]).values())
    choices = [[metric.choices(count)[0] for metric in metrics] for count in counts]
    tables = [partial(_table, metric, options.digit) for metric in metrics]
    print_sentence_tables(corpus, "C", counts, choices, tables)


def _table(metric: Any, digits: int, totals: NDArray[Any]) -> str:
    figures = metric.figures(totals).tolist()
    heads = ["", *REGIONS, "TP", "FP", "FN", "P", "R", f"F{float(metric.beta)}", "cumP", "cumR", "cumF"]
    rows: list[list[Any]] = [heads]
    for order, regions in enumerate(totals.reshape(metric.n, len(REGIONS)).tolist(), 1):
        tk, td, ti, od, oi, ud, ui = regions
        cells = [percent(value, digits) for value in figures[order - 1]]
        rows.append([order, *regions, tk + td + ti, od + oi, ud + ui, *cells])
    return boxed(rows)
