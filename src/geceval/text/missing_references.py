"""Missing references: the cells of a table that stand for a reference that does not exist."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from geceval._kernel import Text
from geceval.base.caller_warnings import warn
from geceval.base.hints import Hint, Option, Step

#: Texts by which libraries write a missing value.
MISSING = ("", "NA", "N/A", "#N/A", "<NA>", "NaN", "nan", "None", "null", "NULL")


def is_blank(value: Any) -> bool:
    """Return whether a value is an empty text.

    Blanks, tabs and line ends are empty, and so is a list without tokens.
    """
    return not value.strip(" \t\r\n") if isinstance(value, str) else isinstance(value, list) and not value


def given_references(texts: Sequence[Any], source: Iterable[Any]) -> Sequence[Any]:
    """Return a reference of a table, with None where it is missing.

    It is missing where it is blank and the source is not, or NA and the like next to several words: a table omits a
    reference by an empty cell. A text file cannot omit lines; there an empty one is a correction that deletes the
    sentence.
    """
    candidates = [texts[row] for row in texts.lines_like((), MISSING)] if isinstance(texts, Text) else texts
    if not any(is_blank(text) or (isinstance(text, str) and text in MISSING) for text in candidates):
        return texts
    return [None if is_missing(text, line) else text for text, line in zip(texts, source, strict=False)]


def number_of_blank(cells: Sequence[Any], texts: Sequence[Any]) -> int:
    """Return the number of cells whose text given_references takes for a missing reference."""
    return 0 if texts is cells else sum(text is None is not cell for cell, text in zip(cells, texts, strict=False))


def warn_of_blank_references(column: str, number: int, rows: int) -> None:
    """Warn of the blank cells of a table's column, which are missing references."""
    if number:
        file = Step(Hint(Option("references", "FILE")), "a file of references")
        hint = Hint("these sentences lack it; an empty line in ", file, " deletes a whole sentence")
        warn(f"{column} is empty in {number} of {rows} rows", hint)


def is_missing(text: Any, source: Any) -> bool:
    """Return whether a text stands for a missing value next to its source sentence."""
    if is_blank(text):
        return not is_blank(source)
    words = source.split() if isinstance(source, str) else source
    return isinstance(text, str) and text in MISSING and len(words or ()) > 1
