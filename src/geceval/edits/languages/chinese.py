"""``zh``: Chinese by characters or words, without linguistic data.

Edits are merged and typed like ChERRANT's.
"""

from __future__ import annotations

from collections.abc import Sequence

from geceval.edits.annotation import Annotated, Language, Rules
from geceval.edits.languages.plain import lemma_and_pos

VERSION = 1
"""Changes whenever the extracted edits change."""


class Chinese:
    """An annotator of Chinese whose tokens are characters or words.

    The tokeniser ``char`` splits text into characters.

    Types are M, U, R and R:WO, which are M, R, S, W in ChERRANT's files. The alignment differs from ChERRANT's, so the
    edits are similar but not equal; docs/chinese.md measures the difference.
    """

    name = f"chinese-{VERSION}"
    rules: Rules = "chinese"
    language = Language("zh", "char", "operation")

    def annotate(self, sentences: Sequence[Sequence[str]]) -> Annotated:
        return Annotated.by_form(sentences, lemma_and_pos)
