"""The kernel's tokenisers: English, Penn Treebank, characters, grapheme clusters. docs/tokenisation.md says how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from geceval._kernel import Text, tokenised

Rules: TypeAlias = Literal["english", "treebank", "char", "grapheme"]

#: Changes with every change of what the rules yield, so that signatures tell.
VERSIONS: dict[Rules, int] = {"english": 1, "treebank": 1, "char": 1, "grapheme": 1}


@dataclass(frozen=True)
class ByRules:
    """A tokeniser of the kernel. Cost: O(characters), on any number of threads."""

    rules: Rules

    @property
    def name(self) -> str:
        return f"{self.rules}-{VERSIONS[self.rules]}"

    def tokenise(self, text: str) -> list[str]:
        [line] = self.tokenise_lines(Text([text]), 1)
        return (line or "").split()

    def tokenise_lines(self, lines: Text, threads: int) -> Text:
        return tokenised(lines, self.rules, threads)


def english() -> ByRules:
    """English as spaCy cuts it: the convention of BEA-2019 and ERRANT."""
    return ByRules("english")


def treebank() -> ByRules:
    """English as in the Penn Treebank, quotes as written: the convention of CoNLL-2014 and JFLEG."""
    return ByRules("treebank")


def char() -> ByRules:
    """Every character (code point) but white space."""
    return ByRules("char")


def grapheme() -> ByRules:
    """Every grapheme cluster (UAX #29): letters with their marks and vowel signs."""
    return ByRules("grapheme")
