"""``gleu``, ``sgleu`` and ``mgleu`` as of shotakoyama/gleu 1.1.0."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import DIGITS, THREADS
from geceval.cli.dropin.boxes import boxed
from geceval.cli.parsing import number_type
from geceval.counting.evaluation import evaluate, kept_counts
from geceval.counting.metric_names import make_metric
from geceval.counting.policies import best
from geceval.metrics.shared.ngram_counting import orders_of
from geceval.report.numbers import percent
from geceval.text.corpus import Corpus
from geceval.text.reading import CorpusFiles, numbered_files


def _arguments(prog: str, description: str, arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=prog, description=description)
    add = parser.add_argument
    add("-n", type=int, default=4, help="largest n-gram order (default: 4)")
    add("-s", "--src", "--source", required=True, dest="source", metavar="FILE", help="source, a sentence a line")
    add("-r", "--ref", "--references", required=True, nargs="+", dest="references", metavar="FILE")
    add("-o", "--out", "--outputs", required=True, nargs="+", dest="systems", metavar="FILE", help="systems' outputs")
    add("-i", "--iter", type=int, default=500, dest="iterations", help="draws of references (default: 500)")
    digits = number_type(DIGITS)
    parser.add_argument(
        "-d", "--digit", dest="digits", type=digits, default=2, metavar="N", help="decimals (default: 2)"
    )
    add(
        *("-p", "--proc"),
        type=number_type(THREADS),
        default=1,
        dest="threads",
        metavar="N",
        help="threads; the result does not depend on it",
    )
    add("-t", "--token", choices=["char", "word"], default="word", dest="unit", help="what a token is (default: word)")
    add("-m", "--max", action="store_true", dest="best", help="best reference for each sentence instead of draws")
    add("-f", "--fix", "--fix-seed", action="store_true", help="accepted: the original's fixed draws are always used")
    add("-v", "--verbose", action="store_true", help="print tables of counts")
    return parser.parse_args(arguments)


def _metric(args: argparse.Namespace) -> Any:
    selection = "best" if args.best else "sampled"
    return make_metric("gleu", n=args.n, unit=args.unit, selection=selection, iterations=args.iterations)


def _read(args: argparse.Namespace) -> CorpusFiles:
    return numbered_files(args.source, args.references, args.systems)


def gleu(arguments: Sequence[str], prog: str) -> None:
    """Corpus scores."""
    args = _arguments(prog, "GLEU of whole corpora: an n-gram precision with a penalty.", arguments)
    metric, corpus = _metric(args), _read(args)
    results = evaluate(corpus, [metric], views=["corpus"], threads=args.threads, checks=False)
    for path, [result] in zip(args.systems, results.values(), strict=True):
        if args.verbose and args.best:
            [totals] = result.totals()
            print(path)
            print(_table(metric, *orders_of(totals, metric.n), args.digits))
        else:
            print(f"{path}\t{percent(result.score().value, args.digits)}")


def mgleu(arguments: Sequence[str], prog: str) -> None:
    """Means of sentence scores."""
    args = _arguments(prog, "The mean of the sentences' GLEU.", arguments)
    metric, corpus = _metric(args), _read(args)
    rows = evaluate(corpus, [metric], views=["mean"], threads=args.threads, checks=False).values()
    for path, [result] in zip(args.systems, rows, strict=True):
        print(f"{path}\t{percent(result.score('mean').value, args.digits)}")


def sgleu(arguments: Sequence[str], prog: str) -> None:
    """Sentence scores: a line for each sentence, a column for each system."""
    args = _arguments(prog, "GLEU of every sentence, the mean over its references or with -m its best one.", arguments)
    metric, corpus = _metric(args), _read(args)
    if args.verbose:
        _print_sentences(args, metric, corpus.whole())
        return
    rows = evaluate(corpus, [metric], views=["sentence"], threads=args.threads, checks=False).values()
    for values in zip(*(result.sentence_scores().tolist() for [result] in rows), strict=True):
        print("\t".join(percent(value, args.digits) for value in values))


def _print_sentences(args: argparse.Namespace, metric: Any, corpus: Corpus) -> None:
    uncut = metric.uncut()
    counts = list(kept_counts(corpus, uncut, threads=args.threads).values())
    choices = [best(uncut.figure, count) for count in counts]
    for s, source in enumerate(corpus.source):
        for h, system in enumerate(corpus.systems.values()):
            for r, reference in enumerate(corpus.references):
                mark = "*" if r == choices[h][s] else " "
                print(f"S-{s + 1}   \t{source}")
                print(f"H-{s + 1}-{h + 1} \t{system[s]}")
                print(f"R-{s + 1}-{r + 1}{mark}\t{reference[s]}")
                print(_table(metric, *orders_of(counts[h].array[s, r], metric.n), args.digits))


def _table(
    metric: Any,
    match: NDArray[Any],
    penalty: NDArray[Any],
    total: NDArray[Any],
    lengths: NDArray[Any],
    digits: int,
) -> str:
    heads = ["", "match", "penal", "numer", "denom", "p", "bp", "gleu"]
    return boxed([heads, *_rows(metric, match, penalty, total, lengths, digits)])


def _rows(
    metric: Any,
    match: NDArray[Any],
    penalty: NDArray[Any],
    total: NDArray[Any],
    lengths: NDArray[Any],
    digits: int,
) -> Iterator[list[Any]]:
    totals = np.concatenate([np.stack([match, np.minimum(match, penalty), total], axis=-1).ravel(), lengths])
    logs, log_brevity_penalty = metric.log_precisions(totals), metric.log_brevity_penalty(totals)
    counts = np.stack([match, penalty, match - np.minimum(match, penalty), total], axis=-1)
    figures = [*zip(logs, log_brevity_penalty + logs, strict=True), (logs.mean(), log_brevity_penalty + logs.mean())]
    heads: list[Any] = [*range(1, metric.n + 1), "total"]
    for head, row, (p, score) in zip(heads, [*counts.tolist(), counts.sum(axis=0).tolist()], figures, strict=True):
        yield [head, *row, *(percent(float(np.exp(log)), digits) for log in (p, log_brevity_penalty, score))]
