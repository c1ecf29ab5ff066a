"""Comparison of texts with their source, apart from blanks, case and quotation marks if these do not count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Text, normalised
from geceval.text.columns import Lines

BLANKS = "whether a change of spaces within a line counts"
CASING = "whether a change of case counts"
QUOTES = "whether a change of the style of quotation marks counts"
SPLITS = "whether splitting and joining words counts"


@dataclass(frozen=True)
class ChangedTexts:
    """The changes of a text that count.

    Attributes:
        blanks: Whether spaces within a line count; M2 has none.
        casing: Whether case counts.
        quotes: Whether the style of quotation marks counts: typographic marks and ``'' equal ASCII marks otherwise.
        splits: Whether the places of the spaces between words count.
    """

    blanks: bool
    casing: bool
    quotes: bool
    splits: bool

    def unchanged(self, source: Lines, texts: Sequence[Any], *, has_blanks: bool) -> NDArray[np.bool_]:
        """Return for each sentence whether the text exists and equals the source.

        ``has_blanks``: the texts do not come from M2, which has tokens instead of spaces.
        """
        sources = [self._form(line, has_blanks) for line in self._with_quotes(source)]
        lines = self._with_quotes(["" if text is None else text for text in texts])
        rows = zip(texts, lines, sources, strict=True)
        same = [text is not None and self._form(line, has_blanks) == form for text, line, form in rows]
        return np.array(same, np.bool_)

    def _with_quotes(self, lines: Sequence[Any]) -> Sequence[str]:
        if self.quotes:
            return lines
        texts = normalised(Text(list(map(str, lines))), "quotes", 1)
        return [str(line).replace("``", '"').replace("''", '"') for line in texts]

    def _form(self, line: str, has_blanks: bool) -> str:
        line = line.rstrip() if self.blanks and has_blanks else " ".join(line.split())
        line = line if self.splits else "".join(line.split())
        return line if self.casing else line.casefold()
