"""``plain``: any language written with blanks, without data about it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from geceval.edits.annotation import UNIVERSAL_RULES, Annotated, Language, Rules

VERSION = 1
"""Changes with every change of what is said of a form."""


class Plain:
    """A form's lemma is its case-folded form; it is punctuation, a number, or anything (X), by its characters."""

    language = Language()

    def __init__(self, rules: Rules = "generic") -> None:
        self.rules = rules

    @property
    def name(self) -> str:
        return f"plain-{VERSION}" + ("" if self.rules == "generic" else f"+{self.rules}")

    def annotate(self, sentences: Sequence[Sequence[str]]) -> Annotated:
        return Annotated.by_form(sentences, lemma_and_pos)


def is_punctuation(form: str) -> bool:
    """Every character is punctuation or a symbol (Unicode categories P and S)."""
    return all(unicodedata.category(character)[0] in "PS" for character in form)


def lemma_and_pos(form: str) -> tuple[str, str]:
    """Of a form by itself."""
    if is_punctuation(form):
        return form.casefold(), "PUNCT"
    return form.casefold(), "NUM" if any(map(str.isdigit, form)) else "X"


def plain(rules: str = "") -> Plain | None:
    """The annotator; ``plain:czech``: with other rules of merging than its own. None for rules that there are not."""
    asked = next((known for known in UNIVERSAL_RULES if known == (rules or "generic")), None)
    return None if asked is None else Plain(asked)
