"""Shared parts of the commands of both public n-gram tools: options, tables of counts, printed scores."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import NDArray

from geceval.counting.counts import Counts
from geceval.counting.scores import Level
from geceval.counting.system_results import system_results
from geceval.tables.number_text import percent
from geceval.text.corpus import Corpus, TextSource
from geceval.text.reading.corpus_files import CorpusFiles, CorpusReader


def ngram_parser(prog: str, description: str) -> argparse.ArgumentParser:
    """Return a parser with the options of both tools that come first: orders and source."""
    parser = argparse.ArgumentParser(prog=prog, description=description)
    parser.add_argument("-n", type=int, default=4, metavar="N", help="largest n-gram order (default: %(default)s)")
    parser.add_argument("-s", "--src", "--source", required=True, metavar="FILE", help="source sentences, one per line")
    return parser


def numbered_corpus(options: argparse.Namespace) -> CorpusReader:
    """Return the corpus of the files ``src``, ``ref`` and ``out``, whose systems are named "0", "1" and so on.

    A file may occur more than once.
    """
    outputs = {str(index): path for index, path in enumerate(options.out)}
    return CorpusFiles(options.src, options.ref, outputs, blank="empty").open()


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
    results = system_results(corpus, metrics, views=[level], threads=threads, checks=False)
    for head in heads:
        print(head)
    for path, row in zip(paths, results.values(), strict=True):
        print("\t".join([path, *(percent(result.score(level).value, digits) for result in row)]))


def print_sentence_scores(corpus: TextSource, metrics: Sequence[Any], digits: int, threads: int = 0) -> None:
    """Print one line per sentence: all systems under each metric in turn."""
    rows = system_results(corpus, metrics, views=["sentence"], threads=threads, checks=False).values()
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
