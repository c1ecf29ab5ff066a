"""``gleu``, ``sgleu`` and ``mgleu`` as of shotakoyama/gleu 1.1.0."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import DIGITS, THREADS
from geceval.base.requests import CommandRequest, option
from geceval.cli.parsing import parse
from geceval.counting.metric_names import make_metric
from geceval.counting.policies import best
from geceval.counting.run import evaluate, kept_counts
from geceval.dropins.ngram_output import boxed, print_scores, print_sentence_scores, print_sentence_tables
from geceval.metrics.shared.ngram_counting import orders_of
from geceval.tables.numbers import percent
from geceval.text.reading.corpus_files import CorpusFiles, numbered_files


class GleuRequest(CommandRequest):
    """The options of the public tool."""

    n: int = option("-n", default=4)
    source: str = option("-s", "--src", "--source", required=True, metavar="FILE")
    references: tuple[str, ...] = option("-r", "--ref", "--references", required=True, metavar="FILE")
    systems: tuple[str, ...] = option("-o", "--out", "--outputs", required=True, metavar="FILE")
    iterations: int = option("-i", "--iter", default=500)
    digits: int = option("-d", "--digit", bounds=DIGITS, default=2)
    threads: int = option("-p", "--proc", bounds=THREADS, default=1)
    unit: Literal["char", "word"] = option("-t", "--token", default="word")
    best: bool = option("-m", "--max")
    fix: bool = option("-f", "--fix", "--fix-seed")
    verbose: bool = option("-v", "--verbose")


def _metric(request: GleuRequest) -> Any:
    selection = "best" if request.best else "sampled"
    settings = {"n": request.n, "unit": request.unit, "iterations": request.iterations}
    return make_metric("gleu", selection=selection, blanks="all", **settings)


def _read(request: GleuRequest) -> CorpusFiles:
    return numbered_files(request.source, request.references, request.systems)


def gleu(arguments: Sequence[str], prog: str) -> None:
    """Print corpus scores."""
    request = parse(GleuRequest, arguments, prog, "GLEU of whole corpora: an n-gram precision with a penalty.")
    metric, corpus = _metric(request), _read(request)
    if not (request.verbose and request.best):
        print_scores(request.systems, corpus, [metric], "corpus", request.digits, request.threads)
        return
    results = evaluate(corpus, [metric], views=["corpus"], threads=request.threads, checks=False)
    for path, [result] in zip(request.systems, results.values(), strict=True):
        print(path)
        print(_table(metric, request.digits, result.totals()[0]))


def mgleu(arguments: Sequence[str], prog: str) -> None:
    """Print means of sentence scores."""
    request = parse(GleuRequest, arguments, prog, "The mean of the sentences' GLEU.")
    print_scores(request.systems, _read(request), [_metric(request)], "mean", request.digits, request.threads)


def sgleu(arguments: Sequence[str], prog: str) -> None:
    """Print sentence scores: one line per sentence, one column per system."""
    request = parse(
        GleuRequest, arguments, prog, "GLEU of every sentence, the mean over its references or with -m its best one."
    )
    metric, files = _metric(request), _read(request)
    if not request.verbose:
        print_sentence_scores(files, [metric], request.digits, request.threads)
        return
    corpus, uncut = files.whole(), metric.uncut()
    counts = list(kept_counts(corpus, uncut, threads=request.threads).values())
    choices = [[best(uncut.figure, count)] for count in counts]
    print_sentence_tables(corpus, "H", counts, choices, [partial(_table, metric, request.digits)])


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
