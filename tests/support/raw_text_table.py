"""What scores raw text gets, tokenised by us, beside those of the tokenised text it was made of.

    PYTHONPATH=tests python -m support.raw_text_table [--data ../shared/data] [--corpus conll14] [--systems AMU …]

Made raw by a few rules (detokenise.py) and, where they are installed, by the detokenisers of sacremoses and NLTK; as
language models write (typographic quotes, dashes and ellipses); with several sentences a line. The table of
docs/tokenisation.md is this one's output.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from geceval import Corpus, Preparation, evaluate, make_metric
from geceval.m2 import Block, Edit, read
from geceval.tables.file_formats import as_markdown
from geceval.tables.table import plain_table
from geceval.text.preparation import Role
from geceval.text.reading.lines import read_lines
from support.detokenise import detokenise, typographic

Lines = Sequence[str]

METRICS = ("green", "gleu", "maxmatch", "errant", "cleme", "cleme2")
#: The only metric here that needs gold edits, whose tokens are given: it can have raw systems only.
ON_GOLD = "maxmatch"


@dataclass(frozen=True)
class Data:
    """Tokenised texts, and gold edits of the same sentences."""

    source: Lines
    references: Sequence[Lines]
    systems: Mapping[str, Lines]
    gold: Sequence[Block]

    @staticmethod
    def of(folder: Path, systems: Sequence[str]) -> Data:
        texts = {name: read_lines(folder / "systems" / f"{name}.txt") for name in systems}
        references = [read_lines(path) for path in sorted(folder.glob("ref?.txt"))]
        return Data(read_lines(folder / "source.txt"), references, texts, list(read(folder / "gold.m2")))

    def joined(self, size: int) -> Data:
        """So many sentences a line."""
        systems = {name: _joined(lines, size) for name, lines in self.systems.items()}
        gold = [_one_block(self.gold[at : at + size]) for at in range(0, len(self.gold), size)]
        return Data(_joined(self.source, size), [_joined(lines, size) for lines in self.references], systems, gold)

    def raw(self, write: Callable[[str], str], roles: Sequence[Role]) -> Data:
        """The texts of some roles as they are written."""

        def written(role: Role, lines: Lines) -> Lines:
            return [write(line) for line in lines] if role in roles else lines

        systems = {name: written("systems", lines) for name, lines in self.systems.items()}
        references = [written("references", lines) for lines in self.references]
        return replace(self, source=written("source", self.source), references=references, systems=systems)

    def scores(self, preparation: Preparation) -> dict[str, list[float]]:
        """The scores (times 100) of each system under METRICS; None: those of given tokens."""
        texts = Corpus(self.source, self.references, self.systems)
        gold = Corpus(self.source, (), self.systems, self.gold)
        results = evaluated(texts.prepared(preparation), [name for name in METRICS if name != ON_GOLD])
        systems_only = replace(preparation, only=("systems",))
        results |= evaluated(gold.prepared(systems_only), [ON_GOLD])
        return {name: [results[name, metric] for metric in METRICS] for name in self.systems}


def evaluated(corpus: Corpus, metrics: Sequence[str]) -> dict[tuple[str, str], float]:
    results = evaluate(corpus, [make_metric(name) for name in metrics], views=["corpus"], checks=False)
    return {
        (system, metric): 100 * result.score().value
        for system, row in results.items()
        for metric, result in zip(metrics, row, strict=True)
    }


def _joined(lines: Lines, size: int) -> Lines:
    return [" ".join(filter(None, lines[at : at + size])) for at in range(0, len(lines), size)]


def _one_block(blocks: Sequence[Block]) -> Block:
    """Sentences as one; an annotator who is not there for one of them changes nothing in it."""
    edits: list[Edit] = []
    end = 0
    for block in blocks:
        kept_edits = [edit for edit in block.edits if edit.start >= 0]
        edits += [replace(edit, start=edit.start + end, end=edit.end + end) for edit in kept_edits]
        end += len(block.source.split())
    by_annotator = groupby(sorted(edits, key=lambda edit: edit.annotator), key=lambda edit: edit.annotator)
    return Block(
        " ".join(block.source for block in blocks), tuple(edit for _, kept_edits in by_annotator for edit in kept_edits)
    )


# --- ways to write ---


def writers() -> dict[str, Callable[[str], str]]:
    """Detokenisers by name, as far as they are installed."""
    by_name: dict[str, Callable[[str], str]] = {"rules": detokenise}
    if importlib.util.find_spec("sacremoses"):
        from sacremoses import MosesDetokenizer

        moses = MosesDetokenizer(lang="en")
        by_name["moses"] = lambda line: str(moses.detokenize(line.split()))
    if importlib.util.find_spec("nltk"):
        from nltk.tokenize.treebank import TreebankWordDetokenizer

        nltk = TreebankWordDetokenizer()
        by_name["nltk"] = lambda line: str(nltk.detokenize(line.split()))
    return by_name


ALL: Sequence[Role] = ("source", "references", "systems")
TREEBANK, ENGLISH = Preparation("treebank"), Preparation("english")
PRINTED = Preparation("treebank", ["quotes", "dashes", "ellipses"])


@dataclass(frozen=True)
class Case:
    """A way to have raw text, of some roles, and what is done to it."""

    marks: str
    sentences: int
    roles: Sequence[Role]
    preparation: Preparation

    def differences(self, data: Data, write: Callable[[str], str]) -> list[list[float]]:
        """The scores of raw texts less those of the tokenised ones, a row for each system."""
        data = data.joined(self.sentences)
        written = (lambda line: typographic(write(line))) if self.marks == "printed" else write
        tokenised = data.scores(Preparation())
        raw = data.raw(written, self.roles).scores(replace(self.preparation, only=self.roles))
        return [
            [value - expected for value, expected in zip(raw[name], tokenised[name], strict=True)] for name in tokenised
        ]

    def named(self) -> list[str]:
        """The columns of the table that say so."""
        steps = " ".join(f"{step}:{value}" for step, value in self.preparation.signed.items())
        return [self.marks, str(self.sentences), "all" if self.roles == ALL else " ".join(self.roles), steps]


CASES = [
    Case("typed", 1, ["systems"], Preparation()),
    Case("typed", 1, ["systems"], TREEBANK),
    Case("typed", 1, ALL, TREEBANK),
    Case("typed", 1, ["systems"], ENGLISH),
    Case("typed", 1, ALL, ENGLISH),
    Case("printed", 1, ["systems"], TREEBANK),
    Case("printed", 1, ["systems"], PRINTED),
    Case("printed", 2, ["systems"], PRINTED),
    Case("printed", 3, ALL, PRINTED),
]


def rows(data: Data) -> Iterator[list[str]]:
    """A row for each way to write and to prepare: the mean difference and, in brackets, the largest."""
    for case in CASES:
        for name, write in writers().items():
            yield [name, *case.named(), *shown(case.differences(data, write))]


def shown(table: Sequence[Sequence[float]]) -> Iterable[str]:
    for column in zip(*table, strict=True):
        yield f"{sum(column) / len(column):+.2f} ({max(column, key=abs):+.2f})"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[3] / "shared" / "data")
    parser.add_argument("--corpus", default="conll14", help="a folder there with gold.m2 (default: conll14)")
    parser.add_argument("--systems", nargs="+", help="default: all but NULL (nothing) and INPUT (the source)")
    args = parser.parse_args(arguments)
    folder = args.data / args.corpus
    names = {path.stem for path in (folder / "systems").glob("*.txt")} - {"NULL", "INPUT"}
    systems = args.systems or sorted(names)
    heads = ["made raw by", "marks", "sentences a line", "raw", "prepared", *METRICS]
    sys.stdout.write(
        as_markdown(plain_table(heads, list(rows(Data.of(folder, systems))), right=frozenset(range(5, 11))))
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
