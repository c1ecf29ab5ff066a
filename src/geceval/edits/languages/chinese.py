"""``zh``: Chinese by characters or words, without data about it; edits are merged and typed as ChERRANT does it."""

from __future__ import annotations

from collections.abc import Sequence

from geceval.edits.annotation import Annotated, Language, Rules
from geceval.edits.languages.plain import lemma_and_pos

VERSION = 1
"""Changes with every change of the edits that are found."""


class Chinese:
    """A token is a character, see the tokeniser ``char``, or a word of another tokeniser. Types are M, U, R and R:WO,
    in ChERRANT's files M, R, S, W.

    The alignment is ours, so that the edits are near to ChERRANT's and not the same: docs/chinese.md says how near.
    """

    name = f"chinese-{VERSION}"
    rules: Rules = "chinese"
    language = Language("zh", "char", "operation")

    def annotate(self, sentences: Sequence[Sequence[str]]) -> Annotated:
        return Annotated.by_form(sentences, lemma_and_pos)
