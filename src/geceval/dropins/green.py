"""``green``, ``sgreen`` and ``mgreen`` as of shotakoyama/green 0.1.0."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

from numpy.typing import NDArray

from geceval.base.arguments import DIGITS
from geceval.base.requests import CommandRequest, option
from geceval.cli.parsing import parse
from geceval.counting.metric_names import make_metric
from geceval.counting.run import evaluate, kept_counts
from geceval.dropins.ngram_output import boxed, print_scores, print_sentence_scores, print_sentence_tables
from geceval.metrics.shared.ngram_counting import REGIONS
from geceval.tables.numbers import percent, round_half_up
from geceval.text.reading.corpus_files import CorpusFiles, numbered_files


class GreenRequest(CommandRequest):
    """The options of the public tool."""

    n: int = option("-n", default=4)
    source: str = option("-s", "--src", "--source", required=True, metavar="FILE")
    references: tuple[str, ...] = option("-r", "--ref", "--refs", "--references", required=True, metavar="FILE")
    systems: tuple[str, ...] = option(
        *("-c", "--cor", "--cors", "--corrected", "--corrected-sentences", "-o", "--out", "--outs", "--outputs"),
        *("--hyp", "--hyps", "--hypotheses"),
        required=True,
        metavar="FILE",
    )
    beta: tuple[float, ...] = option("-b", "--beta", default=(1.0,))
    digits: int = option("-d", "--digit", bounds=DIGITS, default=2)
    unit: Literal["char", "word"] = option("-t", "--token", "--tokenize", "--tokenization", default="word")
    verbose: bool = option("-v", "--verbose")
    line_verbose: bool = option("-l", "--line-verbose")


def _metrics(request: GreenRequest) -> list[Any]:
    return [make_metric("green", n=request.n, beta=beta, unit=request.unit, blanks="all") for beta in request.beta]


def _read(request: GreenRequest) -> CorpusFiles:
    return numbered_files(request.source, request.references, request.systems)


def _alpha(beta: float) -> float:
    return 1 / (beta**2 + 1)


def _heads(request: GreenRequest) -> list[str]:
    rows = {"alpha": map(_alpha, request.beta), "beta": request.beta}
    return ["\t".join([name, *(round_half_up(value, request.digits) for value in own)]) for name, own in rows.items()]


def green(arguments: Sequence[str], prog: str) -> None:
    """Print corpus scores."""
    request = parse(GreenRequest, arguments, prog, "GREEN of whole corpora: an n-gram F-score.")
    metrics, corpus = _metrics(request), _read(request)
    if not request.verbose:
        print_scores(request.systems, corpus, metrics, "corpus", request.digits, heads=_heads(request))
        return
    results = evaluate(corpus, metrics, views=["corpus"], checks=False)
    for path, row in zip(request.systems, results.values(), strict=True):
        for metric, result in zip(metrics, row, strict=True):
            totals = result.totals()[0]
            alpha, beta = round_half_up(_alpha(metric.beta), request.digits), round_half_up(metric.beta, request.digits)
            if request.line_verbose:
                cells = [percent(value, request.digits) for value in metric.figures(totals)[-1, 3:].tolist()]
                print("\t".join([alpha, beta, *cells]))
            else:
                print(f"{path}\talpha={alpha}\tbeta={beta}")
                print(_table(metric, request.digits, totals))


def mgreen(arguments: Sequence[str], prog: str) -> None:
    """Print means of sentence scores."""
    request = parse(GreenRequest, arguments, prog, "The mean of the sentences' GREEN.")
    metrics, corpus = _metrics(request), _read(request)
    print_scores(request.systems, corpus, metrics, "mean", request.digits, heads=_heads(request))


def sgreen(arguments: Sequence[str], prog: str) -> None:
    """Print sentence scores: one line per sentence, all systems for each beta."""
    request = parse(GreenRequest, arguments, prog, "GREEN of every sentence, with its best reference.")
    metrics, files = _metrics(request), _read(request)
    if not request.verbose:
        print_sentence_scores(files, metrics, request.digits)
        return
    corpus = files.whole()
    counts = list(kept_counts(corpus, metrics[0]).values())
    choices = [[metric.choices(count)[0] for metric in metrics] for count in counts]
    tables = [partial(_table, metric, request.digits) for metric in metrics]
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
