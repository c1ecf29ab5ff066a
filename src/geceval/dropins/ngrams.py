"""Commands of the public n-gram tools.

``green``, ``sgreen`` and ``mgreen`` as of shotakoyama/green 0.1.0; ``gleu``, ``sgleu`` and ``mgleu`` as of
shotakoyama/gleu 1.1.0.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.counting.counts import Counts, Level
from geceval.counting.evaluate import evaluate, kept_counts
from geceval.counting.metric_names import make_metric
from geceval.counting.policies import best
from geceval.metrics.shared.ngram_counting import REGIONS, orders_of
from geceval.tables.table import percent, round_half_up
from geceval.text.corpus import Corpus, TextSource
from geceval.text.reading.corpus_files import CorpusFiles, CorpusReader


def ngram_parser(prog: str, description: str) -> argparse.ArgumentParser:
    """Return a parser with the options of both tools that come first: orders and source."""
    parser = argparse.ArgumentParser(prog=prog, description=description)
    parser.add_argument("-n", type=int, default=4, metavar="N", help="largest n-gram order (default: %(default)s)")
    parser.add_argument("-s", "--src", "--source", required=True, metavar="FILE", help="source sentences, one per line")
    return parser


def numbered_corpus(source: str, references: Sequence[str], systems: Sequence[str]) -> CorpusReader:
    """Return the corpus of files whose systems are named "0", "1" and so on.

    A file may occur more than once.
    """
    outputs = {str(index): path for index, path in enumerate(systems)}
    return CorpusFiles(source, references, outputs, blank="empty").open()


def add_digits(parser: argparse.ArgumentParser) -> None:
    """Add the option of decimals, whose position in the help differs between the tools."""
    parser.add_argument(
        "-d",
        "--digit",
        type=int,
        choices=range(21),
        default=2,
        metavar="N",
        help="number of decimals, 0 to 20 (default: %(default)s)",
    )


def print_scores(
    paths: Sequence[str],
    corpus: TextSource,
    metrics: Sequence[Any],
    level: Level,
    digits: int,
    threads: int = 0,
    heads: Sequence[str] = (),
) -> None:
    """Print the ``heads``, then one line per system: its path and its scores."""
    results = evaluate(corpus, metrics, views=[level], threads=threads, checks=False)
    for head in heads:
        print(head)
    for path, row in zip(paths, results.values(), strict=True):
        print("\t".join([path, *(percent(result.score(level).value, digits) for result in row)]))


def print_sentence_scores(corpus: TextSource, metrics: Sequence[Any], digits: int, threads: int = 0) -> None:
    """Print one line per sentence: all systems under each metric in turn."""
    rows = evaluate(corpus, metrics, views=["sentence"], threads=threads, checks=False).values()
    columns = [row[index].sentence_scores().tolist() for index in range(len(metrics)) for row in rows]
    for values in zip(*columns, strict=True):
        print("\t".join(percent(value, digits) for value in values))


def print_sentence_tables(
    corpus: Corpus, letter: str, counts: Sequence[Counts], choices: Any, tables: Sequence[Callable[[NDArray[Any]], str]]
) -> None:
    """Print the tables of every sentence, system, metric and reference.

    A star marks the chosen reference.

    Args:
        corpus: The corpus.
        letter: First letter of the systems' lines.
        counts: Counts of each system.
        choices: Chosen reference ``choices[c][m][s]`` by system, metric and sentence.
        tables: Functions that format counts, one per metric.
    """
    for s, source in enumerate(corpus.source):
        for c, system in enumerate(corpus.systems.values()):
            for table, choice in zip(tables, choices[c], strict=True):
                for r, reference in enumerate(corpus.references):
                    mark = "*" if r == choice[s] else " "
                    print(f"S-{s + 1}   \t{source}")
                    print(f"{letter}-{s + 1}-{c + 1} \t{system[s]}")
                    print(f"R-{s + 1}-{r + 1}{mark}\t{reference[s]}")
                    print(table(counts[c].array[s, r]))


def boxed(rows: Sequence[Sequence[Any]]) -> str:
    """Return rows of ASCII cells like prettytable, headings first."""
    table = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    rule = f"+{'+'.join('-' * (width + 2) for width in widths)}+"
    heads, *lines = (
        f"|{'|'.join(f' {_centred(cell, width)} ' for cell, width in zip(row, widths, strict=True))}|" for row in table
    )
    return "\n".join([rule, heads, rule, *lines, rule])


def _centred(cell: str, width: int) -> str:
    """Center a cell like prettytable.

    An odd space goes to the right of a cell of odd length, else to the left.
    """
    room = width - len(cell)
    left = room // 2 if len(cell) % 2 else (room + 1) // 2
    return " " * left + cell + " " * (room - left)


# --- green, sgreen and mgreen ---


def _parse_green(arguments: Sequence[str], prog: str, description: str) -> argparse.Namespace:
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


def _green_metrics(options: argparse.Namespace) -> list[Any]:
    return [make_metric("green", n=options.n, beta=beta, unit=options.token, blanks="all") for beta in options.beta]


def _read_green_files(options: argparse.Namespace) -> CorpusReader:
    return numbered_corpus(options.src, options.ref, options.cor)


def _alpha(beta: float) -> float:
    return 1 / (beta**2 + 1)


def _green_heads(options: argparse.Namespace) -> list[str]:
    rows = {"alpha": map(_alpha, options.beta), "beta": options.beta}
    return [
        "\t".join([name, *(round_half_up(value, options.digit) for value in values)]) for name, values in rows.items()
    ]


def green(arguments: Sequence[str], prog: str) -> None:
    """Print corpus scores."""
    options = _parse_green(arguments, prog, "GREEN of whole corpora: an n-gram F-score.")
    metrics, corpus = _green_metrics(options), _read_green_files(options)
    if not options.verbose:
        print_scores(options.cor, corpus, metrics, "corpus", options.digit, heads=_green_heads(options))
        return
    results = evaluate(corpus, metrics, views=["corpus"], checks=False)
    for path, row in zip(options.cor, results.values(), strict=True):
        for metric, result in zip(metrics, row, strict=True):
            totals = result.totals()[0]
            alpha, beta = round_half_up(_alpha(metric.beta), options.digit), round_half_up(metric.beta, options.digit)
            if options.line_verbose:
                cells = [percent(value, options.digit) for value in metric.figures(totals)[-1, 3:].tolist()]
                print("\t".join([alpha, beta, *cells]))
            else:
                print(f"{path}\talpha={alpha}\tbeta={beta}")
                print(_green_table(metric, options.digit, totals))


def mgreen(arguments: Sequence[str], prog: str) -> None:
    """Print means of sentence scores."""
    options = _parse_green(arguments, prog, "The mean of the sentences' GREEN.")
    metrics, corpus = _green_metrics(options), _read_green_files(options)
    print_scores(options.cor, corpus, metrics, "mean", options.digit, heads=_green_heads(options))


def sgreen(arguments: Sequence[str], prog: str) -> None:
    """Print sentence scores: one line per sentence, all systems for each beta."""
    options = _parse_green(arguments, prog, "GREEN of every sentence, with its best reference.")
    metrics, files = _green_metrics(options), _read_green_files(options)
    if not options.verbose:
        print_sentence_scores(files, metrics, options.digit)
        return
    corpus = files.whole()
    counts = list(kept_counts(corpus, metrics[0]).values())
    choices = [[metric.choices(count)[0] for metric in metrics] for count in counts]
    tables = [partial(_green_table, metric, options.digit) for metric in metrics]
    print_sentence_tables(corpus, "C", counts, choices, tables)


def _green_table(metric: Any, digits: int, totals: NDArray[Any]) -> str:
    figures = metric.figures(totals).tolist()
    heads = ["", *REGIONS, "TP", "FP", "FN", "P", "R", f"F{float(metric.beta)}", "cumP", "cumR", "cumF"]
    rows: list[list[Any]] = [heads]
    for order, regions in enumerate(totals.reshape(metric.n, len(REGIONS)).tolist(), 1):
        tk, td, ti, od, oi, ud, ui = regions
        cells = [percent(value, digits) for value in figures[order - 1]]
        rows.append([order, *regions, tk + td + ti, od + oi, ud + ui, *cells])
    return boxed(rows)


# --- gleu, sgleu and mgleu ---


def _parse_gleu(arguments: Sequence[str], prog: str, description: str) -> argparse.Namespace:
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


def _gleu_metric(options: argparse.Namespace) -> Any:
    selection = "best" if options.max else "sampled"
    settings = {"n": options.n, "unit": options.token, "iterations": options.iter}
    return make_metric("gleu", selection=selection, blanks="all", **settings)


def _read_gleu_files(options: argparse.Namespace) -> CorpusReader:
    return numbered_corpus(options.src, options.ref, options.out)


def gleu(arguments: Sequence[str], prog: str) -> None:
    """Print corpus scores."""
    options = _parse_gleu(arguments, prog, "GLEU of whole corpora: an n-gram precision with a penalty.")
    metric, corpus = _gleu_metric(options), _read_gleu_files(options)
    if not (options.verbose and options.max):
        print_scores(options.out, corpus, [metric], "corpus", options.digit, options.proc)
        return
    results = evaluate(corpus, [metric], views=["corpus"], threads=options.proc, checks=False)
    for path, [result] in zip(options.out, results.values(), strict=True):
        print(path)
        print(_gleu_table(metric, options.digit, result.totals()[0]))


def mgleu(arguments: Sequence[str], prog: str) -> None:
    """Print means of sentence scores."""
    options = _parse_gleu(arguments, prog, "The mean of the sentences' GLEU.")
    print_scores(options.out, _read_gleu_files(options), [_gleu_metric(options)], "mean", options.digit, options.proc)


def sgleu(arguments: Sequence[str], prog: str) -> None:
    """Print sentence scores: one line per sentence, one column per system."""
    description = "GLEU of every sentence, the mean over its references or with -m its best one."
    options = _parse_gleu(arguments, prog, description)
    metric, files = _gleu_metric(options), _read_gleu_files(options)
    if not options.verbose:
        print_sentence_scores(files, [metric], options.digit, options.proc)
        return
    corpus, uncut = files.whole(), metric.uncut()
    counts = list(kept_counts(corpus, uncut, threads=options.proc).values())
    choices = [[best(uncut.figure, count)] for count in counts]
    print_sentence_tables(corpus, "H", counts, choices, [partial(_gleu_table, metric, options.digit)])


def _gleu_table(metric: Any, digits: int, totals: NDArray[Any]) -> str:
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
