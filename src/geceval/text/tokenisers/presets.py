"""Tokenisations of test sets by name; presets.toml is the table of their steps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from importlib import resources
from typing import Any

from geceval._kernel import Text
from geceval.text.line_rules import LineRules, Rule
from geceval.text.preparation import Preparation
from geceval.text.reading.strict_toml import Fields, parse_toml


@dataclass(frozen=True)
class Preset:
    """The steps from raw text to the official tokens of a test set.

    Cost: O(characters) per rule.

    Attributes:
        name: the name with the version and, if there is one, the name of the tokeniser: ``bea19-1+english-1``.
        form: the normalisation, before all rules.
        before: rules before the tokeniser.
        split: the tokeniser, which also repairs white space.
        after: rules after the tokeniser.
    """

    name: str
    form: Preparation
    before: LineRules
    split: Preparation
    after: LineRules

    def tokenise(self, text: str) -> list[str]:
        """Return the tokens of a line, in order."""
        return str(self.tokenise_lines(Text([text]), 1)[0]).split()

    def tokenise_lines(self, lines: Text, threads: int) -> Text:
        """Return the same number of lines with blanks between tokens; None stays None."""
        lines = self.before.apply(self.form.apply("systems", lines))
        return self.after.apply(self.split.apply("systems", lines))


def __getattr__(name: str) -> Any:
    """Return the function that makes a preset; its docstring says what the preset is."""
    file = resources.files("geceval.text.tokenisers") / "presets.toml"
    table = parse_toml(file.read_text(encoding="utf-8"), file.name)
    if name not in table.table("presets"):
        raise AttributeError(name)
    own, rules = table.table("presets").table(name), table.table("rules")
    make = partial(_make, name, own, rules)
    make.__doc__ = own.text("about")
    return make


def _rule(name: str, pattern: str, replacement: str, signs: str = "") -> Rule:
    return Rule(name, pattern, replacement, False, signs)


def _make(name: str, own: Fields, rules: Fields) -> Preset:
    before, after = (
        LineRules("", tuple(_rule(one, *rules.texts(one)) for one in own.texts(key, ()))) for key in ("before", "after")
    )
    split = Preparation(own.text("tokenise", None), whitespace=True)
    signed = "+".join(filter(None, (f"{name}-{own.text('version')}", split.signed.get("tok"))))
    return Preset(signed, Preparation(normalise=own.texts("normalise", ())), before, split, after)
