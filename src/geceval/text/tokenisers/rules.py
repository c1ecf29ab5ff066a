"""Tokenisers of the kernel: English, Penn Treebank, characters, graphemes.

docs/tokenisation.md describes their rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from geceval._kernel import Text, tokenised

Rules: TypeAlias = Literal["english", "treebank", "char", "grapheme"]

#: Versions of the rules for signatures; a version changes whenever the output changes.
VERSIONS: dict[Rules, int] = {"english": 1, "treebank": 1, "char": 1, "grapheme": 1}


@dataclass(frozen=True)
class ByRules:
    """A tokeniser of the kernel. Cost: O(characters), divided among threads."""

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
    """Split English like spaCy, the convention of BEA-2019 and ERRANT."""
    return ByRules("english")


def treebank() -> ByRules:
    """Split English like the Penn Treebank, as in CoNLL-2014 and JFLEG.

    Quotes are kept as written.
    """
    return ByRules("treebank")


def char() -> ByRules:
    """Split into characters (code points) without white space."""
    return ByRules("char")


def grapheme() -> ByRules:
    """Split into grapheme clusters (UAX #29): letters with their marks."""
    return ByRules("grapheme")
