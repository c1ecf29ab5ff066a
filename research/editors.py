"""Simulate people who post-edit the outputs of systems: the table of research/simulations.md.

    python research/editors.py --gold gold.m2 -c system.txt … [--strictness 0.6 0.9] [--draws 20]

An editor of strictness q makes each edit of the gold's first annotator that the system lacks with probability q, and
undoes each edit of the system that the annotator has not with probability q. The table has the mean ERRANT F of each
system against the references of each editor, and its standard deviation over the draws.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from collections.abc import Iterator, Sequence

import geceval
from geceval.base.errors import GecevalError
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator
from geceval.edits.versions import apply_edits
from geceval.m2 import Edit
from geceval.tables.file_formats import as_markdown
from geceval.tables.table import ReportTable, plain_table


def overlap(first: Edit, second: Edit) -> bool:
    """Return whether two edits change the same tokens, or begin at one place."""
    return first.start == second.start or (first.start < second.end and second.start < first.end)


def post_edited(gold: Sequence[Edit], edits: Sequence[Edit], strictness: float, draw: random.Random) -> list[Edit]:
    """Return the edits of an editor's version of an output, in order.

    Args:
        gold: Edits of the annotator.
        edits: Edits of the system.
        strictness: Probability of each change that the annotator requires.
        draw: Generator of random numbers.
    """
    required = {edit.effect for edit in gold}
    present = {edit.effect for edit in edits}
    version = [edit for edit in gold if edit.effect in present or draw.random() < strictness]
    accepted = [edit for edit in edits if edit.effect not in required and draw.random() >= strictness]
    version += [edit for edit in accepted if not any(overlap(edit, other) for other in version)]
    return sorted(version, key=lambda edit: (edit.start, edit.end))


def references(corpus: geceval.Corpus, edits: Sequence[Sequence[Edit]], strictness: float, seed: int) -> Iterator[str]:
    """Yield the reference of each sentence by one editor."""
    draw = random.Random(f"{strictness}/{seed}")
    for block, edits_of_sentence in zip(corpus.gold or (), edits, strict=True):
        gold = [edit for edit in block.edits if edit.annotator == corpus.annotators[0] and edit.type != "noop"]
        version = post_edited(gold, edits_of_sentence, strictness, draw)
        yield apply_edits(block.source.split(), version)


def editors_table(corpus: geceval.Corpus, strictness: Sequence[float], draws: int) -> ReportTable:
    """Return the scores of each system against the references of each editor."""
    extractor = Extractor(make_annotator("en"))
    rows = []
    for name, lines in corpus.text_systems.items():
        edits = list(extractor.extract(list(zip(corpus.source, lines, strict=True))))
        cells = [name]
        for editor in strictness:
            scores = []
            for seed in range(draws):
                own = list(references(corpus, edits, editor, seed))
                alone = geceval.Corpus(corpus.source, [own], {name: lines})
                [result] = geceval.evaluate(alone, [geceval.Errant()], checks=False)[name]
                scores.append(100 * result.score().value)
            cells.append(f"{statistics.mean(scores):.1f} ± {statistics.stdev(scores):.1f}")
        rows.append(cells)
    heads = [f"editor of strictness {editor:g}" for editor in strictness]
    return plain_table(["system", *heads], rows, right=frozenset(range(1, len(heads) + 1)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gold", required=True)
    parser.add_argument("-c", "--systems", nargs="+", required=True)
    parser.add_argument("--strictness", nargs="+", type=float, default=[0.6, 0.9])
    parser.add_argument("--draws", type=int, default=20)
    args = parser.parse_args()
    try:
        corpus = geceval.read_corpus(gold=args.gold, systems=args.systems, overlaps="first")
    except GecevalError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(as_markdown(editors_table(corpus, args.strictness, args.draws)), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
