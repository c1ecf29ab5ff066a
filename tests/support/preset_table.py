"""What presets cost: official texts made raw and tokenised by a preset, beside the official texts.

    PYTHONPATH=tests python -m support.preset_table [--data ../shared/data] [--combinations]

For each test set: the share of the source's lines whose tokens come back, and the change of the systems' scores under
ERRANT, GLEU and GREEN, with source and references as they are, mean and largest. --combinations (with spaCy and NLTK
installed): the same for other tokenisations that public scripts of evaluation use. The table of docs/tokenisation.md is
this one's output, with the detokeniser of support/detokenise.py.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from geceval import Corpus, Preparation, tokenise
from geceval.tables.file_formats import as_markdown
from geceval.tables.table import plain_table
from geceval.text.reading.lines import read_lines
from geceval.text.tokenisers import Tokeniser
from support.detokenise import detokenise
from support.raw_text_table import evaluated, shown

Lines = Sequence[str]
METRICS = ("errant", "gleu", "green")


@dataclass(frozen=True)
class TestSet:
    """Official texts: source, references, systems."""

    __test__ = False

    source: Lines
    references: Mapping[str, Lines]
    systems: Mapping[str, Lines]

    @staticmethod
    def of(folder: Path) -> TestSet:
        references = {path.stem: list(read_lines(path)) for path in sorted(folder.glob("ref?.txt"))}
        systems = {path.stem: list(read_lines(path)) for path in sorted(folder.glob("systems/*.txt"))}
        return TestSet(list(read_lines(folder / "source.txt")), references, systems)

    def share(self, lines: Lines, tokeniser: str | Tokeniser) -> float:
        """The share of lines whose tokens come back, in percent."""
        back = tokenise([detokenise(line) for line in lines], tokeniser)
        return 100 * sum(ours.split() == line.split() for ours, line in zip(back, lines, strict=True)) / len(lines)

    def lost(self, tokeniser: str | Tokeniser, write: Callable[[str], str] = detokenise) -> dict[str, list[float]]:
        """The points of each system from raw text less those of its official tokens."""
        official = Corpus(self.source, [*self.references.values()], self.systems)
        raw = {name: [write(line) for line in lines] for name, lines in self.systems.items()}
        steps = Preparation(tokeniser, only=["systems"])
        again = Corpus(self.source, [*self.references.values()], raw).prepared(steps)
        before, after = (evaluated(corpus, METRICS) for corpus in (official, again))
        return {name: [after[name, metric] - before[name, metric] for metric in METRICS] for name in self.systems}


#: Folder -> its preset.
PRESETS = {"conll14": "conll14", "bea19-dev": "bea19", "jfleg-dev": "jfleg"}
HEADS = ["test set", "tokens", "equal lines", *METRICS]


def row(folder: str, texts: TestSet, tokeniser: str | Tokeniser) -> list[str]:
    """The share of the source's lines, the mean and the largest change of the systems' scores."""
    lost = [points for name, points in texts.lost(tokeniser).items() if name not in ("NULL", "INPUT")]
    name = tokeniser if isinstance(tokeniser, str) else tokeniser.name
    return [folder, name, f"{texts.share(texts.source, tokeniser):.2f}", *shown(lost)]


# --- combinations of public scripts ---

#: Regular expressions for CoNLL-2014: blanks within single quotes, around hyphens and slashes go, and come around
#: brackets. As cLang-8's retokenize.py does, and with all hyphens joined, as others do.
CLANG8 = [(r"(?<= )' (.*?) '(?= )", r"'\1'"), (" - ", "-"), (" / ", "/"), (r"([][(){}<>])", r" \1 ")]
ALL_HYPHENS = [(" ?- ?", "-") if pattern == " - " else (pattern, own) for pattern, own in CLANG8]
#: Regular expressions for BEA-2019, after a later spaCy than 1.9.
AS_1_9 = [(r"(?<=\d) +%", "%"), (r"\b(ha(?:ve|s)) n't", r"\1n't"), ("^-", "- ")]


@dataclass(frozen=True)
class Combination:
    """A tokeniser, and regular expressions that are applied to its tokens."""

    name: str
    split: Callable[[str], Iterable[str]]
    rules: Sequence[tuple[str, str]] = ()

    def tokenise(self, text: str) -> Sequence[str]:
        text = " ".join(self.split(text))
        for pattern, replacement in self.rules:
            text = re.sub(pattern, replacement, text)
        return text.split()


def combinations() -> dict[str, list[Combination]]:
    """Those of each test set; raises ImportError without spaCy and NLTK."""
    from nltk.tokenize import NLTKWordTokenizer
    from spacy.lang.en import English

    nlp, nltk = English(), NLTKWordTokenizer().tokenize

    def spacy(text: str) -> list[str]:
        return [token.text for token in nlp(text) if not token.is_space]

    plain = [Combination("spaCy 3", spacy), Combination("NLTK 3", nltk)]
    return {
        "conll14": [
            *plain,
            Combination("spaCy 3, cLang-8's rules", spacy, CLANG8),
            Combination("spaCy 3, all hyphens joined", spacy, ALL_HYPHENS),
            Combination("NLTK 3, cLang-8's rules", nltk, CLANG8),
        ],
        "bea19-dev": [*plain, Combination("spaCy 3, rules of spaCy 1.9", spacy, AS_1_9)],
        "jfleg-dev": plain,
    }


def rows(data: Path, tokenisers: Mapping[str, Sequence[str | Tokeniser]]) -> Iterator[list[str]]:
    """A row for each test set and tokeniser."""
    for folder, of_folder in tokenisers.items():
        texts = TestSet.of(data / folder)
        yield from (row(folder, texts, tokeniser) for tokeniser in of_folder)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[3] / "shared" / "data")
    parser.add_argument("--combinations", action="store_true")
    args = parser.parse_args(arguments)
    tokenisers = combinations() if args.combinations else {folder: [preset] for folder, preset in PRESETS.items()}
    sys.stdout.write(as_markdown(plain_table(HEADS, list(rows(args.data, tokenisers)), right=frozenset(range(2, 6)))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
