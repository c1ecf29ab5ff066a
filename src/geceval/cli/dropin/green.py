"""``green``, ``sgreen`` and ``mgreen`` as of shotakoyama/green 0.1.0."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import DIGITS
from geceval.cli.dropin.boxes import boxed
from geceval.cli.parsing import number_type
from geceval.counting.evaluation import evaluate, kept_counts
from geceval.counting.metric_names import make_metric
from geceval.metrics.shared.ngram_counting import REGIONS
from geceval.report.numbers import percent, round_half_up
from geceval.text.corpus import Corpus
from geceval.text.reading import numbered_files


def _parser(prog: str, description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=prog, description=description)
    add = parser.add_argument
    add("-n", type=int, default=4, help="largest n-gram order (default: 4)")
    add("-s", "--src", "--source", required=True, dest="source", metavar="FILE", help="source, a sentence a line")
    add("-r", "--ref", "--refs", "--references", required=True, nargs="+", dest="references", metavar="FILE")
    add(
        *("-c", "--cor", "--cors", "--corrected", "--corrected-sentences"),
        *("-o", "--out", "--outs", "--outputs", "--hyp", "--hyps", "--hypotheses"),
        required=True,
        nargs="+",
        dest="systems",
        metavar="FILE",
        help="corrections of one or more systems",
    )
    add("-b", "--beta", type=float, nargs="+", default=[1.0], help="weight of recall, several allowed (default: 1)")
    digits = number_type(DIGITS)
    parser.add_argument(
        "-d", "--digit", dest="digits", type=digits, default=2, metavar="N", help="decimals (default: 2)"
    )
    add(
        *("-t", "--token", "--tokenize", "--tokenization"),
        dest="unit",
        choices=["char", "word"],
        default="word",
        help="what a token is (default: word)",
    )
    add("-v", "--verbose", action="store_true", help="print tables of counts")
    add("-l", "--line-verbose", action="store_true", help="with -v of green: one line instead of a table")
    return parser


def _metrics(args: argparse.Namespace) -> list[Any]:
    return [make_metric("green", n=args.n, beta=beta, unit=args.unit) for beta in args.beta]


def _alpha(beta: float) -> float:
    return 1 / (beta**2 + 1)


def _print_header(args: argparse.Namespace) -> None:
    print("\t".join(["alpha", *(round_half_up(_alpha(beta), args.digits) for beta in args.beta)]))
    print("\t".join(["beta", *(round_half_up(beta, args.digits) for beta in args.beta)]))


def green(arguments: Sequence[str], prog: str) -> None:
    """Corpus scores."""
    args = _parser(prog, "GREEN of whole corpora: an n-gram F-score.").parse_args(arguments)
    metrics, corpus = _metrics(args), numbered_files(args.source, args.references, args.systems)
    results = evaluate(corpus, metrics, views=["corpus"], checks=False)
    if not args.verbose:
        _print_header(args)
    for path, row in zip(args.systems, results.values(), strict=True):
        if not args.verbose:
            print("\t".join([path, *(percent(result.score().value, args.digits) for result in row)]))
            continue
        for metric, result in zip(metrics, row, strict=True):
            totals = result.totals()[0]
            alpha, beta = round_half_up(_alpha(metric.beta), args.digits), round_half_up(metric.beta, args.digits)
            if args.line_verbose:
                cells = [percent(values[-1], args.digits) for values in metric.cumulative(totals)]
                print("\t".join([alpha, beta, *cells]))
            else:
                print(f"{path}\talpha={alpha}\tbeta={beta}")
                print(_table(metric, totals, args.digits))


def mgreen(arguments: Sequence[str], prog: str) -> None:
    """Means of sentence scores."""
    args = _parser(prog, "The mean of the sentences' GREEN.").parse_args(arguments)
    metrics, corpus = _metrics(args), numbered_files(args.source, args.references, args.systems)
    _print_header(args)
    for path, row in zip(args.systems, evaluate(corpus, metrics, views=["mean"], checks=False).values(), strict=True):
        print("\t".join([path, *(percent(result.score("mean").value, args.digits) for result in row)]))


def sgreen(arguments: Sequence[str], prog: str) -> None:
    """Sentence scores: a line for each sentence, all systems for the first beta, then for the next."""
    args = _parser(prog, "GREEN of every sentence, with its best reference.").parse_args(arguments)
    metrics, corpus = _metrics(args), numbered_files(args.source, args.references, args.systems)
    if args.verbose:
        _print_sentences(args, metrics, corpus.whole())
        return
    rows = evaluate(corpus, metrics, views=["sentence"], checks=False).values()
    columns = [row[at].sentence_scores().tolist() for at in range(len(metrics)) for row in rows]
    for values in zip(*columns, strict=True):
        print("\t".join(percent(value, args.digits) for value in values))


def _print_sentences(args: argparse.Namespace, metrics: Sequence[Any], corpus: Corpus) -> None:
    counts = list(kept_counts(corpus, metrics[0]).values())
    choices = [[metric.choices(count)[0] for metric in metrics] for count in counts]
    for s, source in enumerate(corpus.source):
        for c, system in enumerate(corpus.systems.values()):
            for metric, choice in zip(metrics, choices[c], strict=True):
                for r, reference in enumerate(corpus.references):
                    mark = "*" if r == choice[s] else " "
                    print(f"S-{s + 1}   \t{source}")
                    print(f"C-{s + 1}-{c + 1} \t{system[s]}")
                    print(f"R-{s + 1}-{r + 1}{mark}\t{reference[s]}")
                    print(_table(metric, counts[c].array[s, r], args.digits))


def _table(metric: Any, totals: NDArray[Any], digits: int) -> str:
    heads = ["", *REGIONS, "TP", "FP", "FN", "P", "R", f"F{float(metric.beta)}", "cumP", "cumR", "cumF"]
    return boxed([heads, *_rows(metric, totals, digits)])


def _rows(metric: Any, totals: NDArray[Any], digits: int) -> Iterator[list[Any]]:
    precision, recall = metric.precision_recall(totals)
    figures = np.stack([precision, recall, metric.f_of(precision, recall), *metric.cumulative(totals)], 1)
    for order, regions in enumerate(totals.reshape(metric.n, len(REGIONS)).tolist(), 1):
        tk, td, ti, od, oi, ud, ui = regions
        cells = [percent(value, digits) for value in figures[order - 1].tolist()]
        yield [order, *regions, tk + td + ti, od + oi, ud + ui, *cells]
