"""Tokenisers of the kernel, and tokenisations of test sets by name.

The kernel has English, Penn Treebank, characters and graphemes; docs/tokenisation.md describes their rules.
presets.toml is the table of the steps of each test set.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

from geceval._kernel import Text, tokenised
from geceval.text.line_rules import LineRule, LineRules
from geceval.text.preparation import Preparation
from geceval.text.reading.strict_toml import read_toml

TokeniserRules: TypeAlias = Literal["english", "treebank", "char", "grapheme"]

#: Versions of the rules for signatures; a version changes whenever the output changes.
VERSIONS: dict[TokeniserRules, int] = {"english": 1, "treebank": 1, "char": 1, "grapheme": 1}


@dataclass(frozen=True)
class ByRules:
    """A tokeniser of the kernel. Cost: O(characters), divided among threads."""

    rules: TokeniserRules

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


_TABLE = read_toml(Path(__file__).with_name("presets.toml"))


@dataclass(frozen=True)
class Preset:
    """The steps from raw text to the official tokens of a test set.

    Cost: O(characters) per rule.

    Attributes:
        name: The name with the version and, if there is one, the name of the tokeniser: ``bea19-1+english-1``.
        form: The normalisation, before all rules.
        before: Rules before the tokeniser.
        split: The tokeniser, which also repairs white space.
        after: Rules after the tokeniser.
        drops_headings: Whether a corpus of these texts is scored without headings of documents.
    """

    name: str
    form: Preparation
    before: LineRules
    split: Preparation
    after: LineRules
    drops_headings: bool = False

    def tokenise(self, text: str) -> list[str]:
        """Return the tokens of a line, in order."""
        return str(self.tokenise_lines(Text([text]), 1)[0]).split()

    def tokenise_lines(self, lines: Text, threads: int) -> Text:
        """Return the same number of lines with spaces between tokens; None stays None."""
        lines = self.before.apply(self.form.apply("systems", lines))
        return self.after.apply(self.split.apply("systems", lines))


def _rule(name: str, pattern: str, replacement: str, signs: str = "") -> LineRule:
    return LineRule(name, pattern, replacement, False, signs)


def _make(name: str) -> Preset:
    steps, rules = _TABLE.table("presets").table(name), _TABLE.table("rules")
    before, after = (
        LineRules("", tuple(_rule(rule, *rules.texts(rule)) for rule in steps.texts(key, ())))
        for key in ("before", "after")
    )
    split = Preparation(steps.text("tokenise", None), whitespace=True)
    signed = "+".join(filter(None, (f"{name}-{steps.text('version')}", split.signed.get("tok"))))
    form = Preparation(normalise=steps.texts("normalise", ()))
    return Preset(signed, form, before, split, after, steps.flag("drops-headings"))


def _maker(name: str) -> partial[Preset]:
    """Return the function that makes a preset, described as in the table."""
    make = partial(_make, name)
    make.__doc__ = _TABLE.table("presets").table(name).text("about")
    return make


conll14 = _maker("conll14")
jfleg = _maker("jfleg")
bea19 = _maker("bea19")
mucgec = _maker("mucgec")
ua_gec = _maker("ua-gec")
multigec = _maker("multigec")
plain = _maker("plain")
elisions = _maker("elisions")
