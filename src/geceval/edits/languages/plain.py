"""Annotators without linguistic data: ``plain`` and ``zh``.

``plain`` is for any language written with spaces. ``zh`` is Chinese by characters or words; its edits are merged and
typed like ChERRANT's.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from geceval.edits.annotation import UNIVERSAL_RULES, Annotated, Language, Rules

PLAIN_VERSION = 1
"""Changes whenever the annotation of a form changes."""


class Plain:
    """An annotator that knows only the characters of forms.

    Lemmas are case-folded forms; the POS is PUNCT, NUM or X.
    """

    def __init__(self, rules: Rules = "generic", language: Language | None = None) -> None:
        self.rules, self.language = rules, language or Language(tokeniser="plain")

    @property
    def name(self) -> str:
        return f"plain-{PLAIN_VERSION}" + ("" if self.rules == "generic" else f"+{self.rules}")

    def annotate(self, sentences: Sequence[Sequence[str]]) -> Annotated:
        return Annotated.by_form(sentences, lemma_and_pos)


def is_punctuation(form: str) -> bool:
    """Return whether all characters are punctuation or symbols (categories P, S)."""
    return all(unicodedata.category(character)[0] in "PS" for character in form)


def lemma_and_pos(form: str) -> tuple[str, str]:
    """Return lemma and POS of a form without context."""
    if is_punctuation(form):
        return form.casefold(), "PUNCT"
    return form.casefold(), "NUM" if any(map(str.isdigit, form)) else "X"


def plain(rules: str = "") -> Plain | None:
    """Return the annotator, or None for unknown rules.

    ``plain:czech`` has other rules of merging.
    """
    merging_rules = next((known for known in UNIVERSAL_RULES if known == (rules or "generic")), None)
    return None if merging_rules is None else Plain(merging_rules)


CHINESE_VERSION = 1
"""Changes whenever the extracted edits change."""


class Chinese:
    """An annotator of Chinese whose tokens are characters or words.

    The tokeniser ``char`` splits text into characters.

    Types are M, U, R and R:WO, which are M, R, S, W in ChERRANT's files. The alignment differs from ChERRANT's, so the
    edits are similar but not equal; docs/chinese.md measures the difference.
    """

    name = f"chinese-{CHINESE_VERSION}"
    rules: Rules = "chinese"
    language = Language("zh", "char", "operation")

    def annotate(self, sentences: Sequence[Sequence[str]]) -> Annotated:
        return Annotated.by_form(sentences, lemma_and_pos)
