"""``zh``: Chinese by characters or words, without data about it; edits are merged and typed as ChERRANT does it."""

from __future__ import annotations

from geceval.edits.annotation import Language, Rules
from geceval.edits.languages.plain import Plain

VERSION = 1
"""Changes with every change of the edits that are found."""


class Chinese(Plain):
    """A token is a character, see the tokeniser ``char``, or a word of another tokeniser. Types are M, U, R and R:WO,
    in ChERRANT's files M, R, S, W.

    The alignment is ours, so that the edits are near to ChERRANT's and not the same: docs/chinese.md says how near.
    """

    language = Language("zh", "char", "operation")

    def __init__(self, rules: Rules = "chinese") -> None:
        super().__init__(rules)

    @property
    def name(self) -> str:
        return f"chinese-{VERSION}" + ("" if self.rules == "chinese" else f"+{self.rules}")


def chinese() -> Chinese:
    """The annotator of Chinese."""
    return Chinese()
