"""Simulate recognition errors: the table of research/simulations.md.

    python research/transcripts.py -s source.txt -r ref0.txt [--rates 5 10 20] [--draws 10]

A recogniser replaces, loses or adds each word of the source with equal probability, so that its word error rate is the
one given. A perfect corrector makes all corrections of the reference in what it reads. The table has its ERRANT F with
its own source, the share of the reference's edits that count, and its F against the common source alone.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import warnings
from collections.abc import Sequence

import geceval
from geceval.base.errors import GecevalError
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator
from geceval.tables.file_formats import as_markdown
from geceval.tables.table import ReportTable, plain_table


def misheard(line: str, rate: float, words: Sequence[str], draw: random.Random) -> tuple[str, list[list[str]]]:
    """Return what a recogniser hears, also by word of the line."""
    heard = []
    for word in line.split():
        error = draw.choice(("replace", "lose", "add")) if draw.random() < rate else ""
        heard.append(
            {"replace": [draw.choice(words)], "lose": [], "add": [word, draw.choice(words)]}.get(error, [word])
        )
    return " ".join(word for tokens in heard for word in tokens), heard


def corrected(heard: Sequence[Sequence[str]], edits: Sequence[geceval.m2.Edit]) -> str:
    """Return what a perfect corrector writes: each correction replaces what was heard in its place."""
    words: list[str] = []
    position = 0
    for edit in edits:
        words += [word for tokens in heard[position : edit.start] for word in tokens]
        words += edit.correction.split()
        position = edit.end
    return " ".join([*words, *(word for tokens in heard[position:] for word in tokens)])


def transcripts_table(
    source: Sequence[str], reference: Sequence[str], rates: Sequence[float], draws: int
) -> ReportTable:
    """Return the scores of a perfect corrector of transcripts with these word error rates, in per cent."""
    words = [word for line in source for word in line.split()]
    edits = list(Extractor(make_annotator("en")).extract(list(zip(source, reference, strict=True))))
    rows = []
    for rate in rates:
        cells: dict[str, list[float]] = {"own": [], "counted": [], "common": []}
        for seed in range(draws):
            draw = random.Random(f"{rate}/{seed}")
            heard = [misheard(line, rate / 100, words, draw) for line in source]
            output = [corrected(tokens, edits_of_line) for (_, tokens), edits_of_line in zip(heard, edits, strict=True)]
            own = [line for line, _ in heard]
            for name, sources in (("own", {None: source, "A": own}), ("common", source)):
                corpus = geceval.Corpus(sources, [reference], {"A": output})
                score = geceval.evaluate(corpus, [geceval.Errant()], checks=False)["A"][0].score()
                cells[name].append(100 * score.value)
                if name == "own":
                    gold = sum(map(len, edits))
                    cells["counted"].append(100 * (score.totals["tp"] + score.totals["fn"]) / gold)
        rows.append([f"{rate:g} %", *(f"{statistics.mean(values):.1f}" for values in cells.values())])
    heads = ["word error rate", "F₀.₅, own source", "gold edits that count (%)", "F₀.₅, common source"]
    return plain_table(heads, rows, right=frozenset(range(len(heads))))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-s", "--source", required=True)
    parser.add_argument("-r", "--reference", required=True)
    parser.add_argument("--rates", nargs="+", type=float, default=[0, 5, 10, 20])
    parser.add_argument("--draws", type=int, default=10)
    args = parser.parse_args()
    try:
        corpus = geceval.read_corpus(args.source, [args.reference])
    except GecevalError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    reference = [line or "" for line in corpus.references[0]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", geceval.GecevalWarning)
        print(as_markdown(transcripts_table(list(corpus.source), reference, args.rates, args.draws)), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
