"""Blank texts next to a sentence: the rule by which files, tables and frames are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from geceval._kernel import Text
from geceval.base.arguments import choice
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError
from geceval.base.hints import Hint, Option

#: Reading of a blank text next to a sentence: the sentence is correct, nobody corrected it, or all of it is deleted.
Blank: TypeAlias = Literal["unchanged", "missing", "empty"]
#: Share of blank texts of a file or column above which the reading must be given; a single one is never an error.
LIMIT = 0.01
#: Texts by which libraries write a missing value.
MISSING = ("", "NA", "N/A", "#N/A", "<NA>", "NaN", "nan", "None", "null", "NULL")
#: Number of blank texts that a message names.
_LISTED = 3
#: Hint to read blank texts as their sentences.
UNCHANGED = Hint(Option("blank", "unchanged"), " reads empty texts as correct sentences")
_EMPTY = Hint(Option("blank", "empty"), " as deleted ones")


def check_reading(blank: Blank | None) -> None:
    """Raise UsageError unless a reading of blank texts is supported."""
    if blank is not None:
        choice("blank", blank, get_args(Blank))


def no_line(row: int) -> int | None:
    """Return the line of a text in no file, or in a file without lines: None."""
    return None


def is_blank(value: Any) -> bool:
    """Return whether a value is an empty text.

    Blanks, tabs and line ends are empty, and so are a list without tokens and the NaN of a frame's empty cell.
    """
    if isinstance(value, str):
        return not value.strip(" \t\r\n")
    return (isinstance(value, list) and not value) or (isinstance(value, float) and value != value)


def blank_rows(texts: Sequence[Any], source: Sequence[Any], *, nulls: bool = False) -> list[int]:
    """Return the rows whose text is blank next to a sentence; ``nulls``: whether None is blank."""
    rows = texts.lines_like((), ("",)) if isinstance(texts, Text) and texts.complete else range(len(texts))
    blank = (row for row in rows if is_blank(texts[row]) or (nulls and texts[row] is None))
    return [row for row in blank if not is_blank(source[row])]


def is_missing(text: Any, source: Any) -> bool:
    """Return whether a text stands for a missing value next to its source sentence."""
    if is_blank(text):
        return not is_blank(source)
    words = source.split() if isinstance(source, str) else source
    return isinstance(text, str) and text in MISSING and len(words or ()) > 1


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


@dataclass
class _BlankColumn:
    """Blank texts of a file or a column.

    Attributes:
        is_cell: Whether the texts are cells of a table.
        is_system: Whether the texts are a system's.
        rows: Number of texts.
        number: Number of blank ones.
        first: Places of the first of them, as messages name them.
    """

    is_cell: bool
    is_system: bool
    rows: int = 0
    number: int = 0
    first: list[int] = field(default_factory=list)

    @property
    def message(self) -> str:
        """The number of blank texts and their first places."""
        noun, more = "row" if self.is_cell else "line", ", …" * (self.number > len(self.first))
        plural = "s" * (self.number > 1)
        where = f" ({noun}{plural} {', '.join(map(str, self.first))}{more})" if self.first else ""
        verb = "are" if self.number > 1 else "is"
        return f"{self.number} of {self.rows} {noun}s {verb} empty next to a sentence{where}"

    @property
    def hint(self) -> Hint:
        """The readings that the texts may have."""
        if self.is_system:
            return Hint(UNCHANGED, ", ", _EMPTY)
        return Hint(UNCHANGED, ", ", Option("blank", "missing"), " as ones that nobody corrected, ", _EMPTY)


class BlankTexts:
    """Reads blank texts next to a sentence, and counts them by file and column.

    Args:
        reading: Their reading; None: a blank cell is a missing reference, any other blank text is empty, and ``check``
            raises an error where there are more than a few.
    """

    def __init__(self, reading: Blank | None) -> None:
        self.reading = reading
        self._columns: dict[tuple[str, str], _BlankColumn] = {}

    def read(
        self,
        name: str,
        texts: Sequence[Any],
        source: Sequence[Any],
        *,
        is_cell: bool,
        is_system: bool = False,
        has_nulls: bool = True,
        run: str = "",
        place: Callable[[int], int | None],
    ) -> Sequence[Any]:
        """Return corrections in which blank ones next to a sentence have their reading.

        Args:
            name: Name of the file or column in messages.
            texts: The corrections of some rows.
            source: Their sentences.
            is_cell: Whether they are cells of a table.
            is_system: Whether a system made them.
            run: Name of a run of a system, since two runs may be one file.
            has_nulls: Whether None is a cell of the table, which is blank if a reading is given.
            place: Returns the line of a text in its file, from 1, or None if unknown.

        Raises:
            InputError: For a blank text of a system that is read as a missing one.
        """
        if len(texts) != len(source):
            return texts  # the caller reports the lengths
        column = self._columns.setdefault((name, run), _BlankColumn(is_cell, is_system))
        column.rows += len(texts)
        rows = blank_rows(texts, source, nulls=has_nulls and self.reading is not None)
        column.number += len(rows)
        numbers = (place(row) for row in rows[: _LISTED - len(column.first)])
        column.first += [number for number in numbers if number is not None]
        if rows and is_system and self.reading == "missing":
            raise InputError(f"{name}: {column.message}: a system has no missing texts", hint=column.hint)
        if rows and self.reading is not None:
            read = {"unchanged": source.__getitem__, "missing": lambda _: None, "empty": lambda _: ""}[self.reading]
            replaced = {row: read(row) for row in rows}
            texts = [replaced.get(row, text) for row, text in enumerate(texts)]
        return texts if is_system or not is_cell else self._references(texts, source)

    def _references(self, texts: Sequence[Any], source: Sequence[Any]) -> Sequence[Any]:
        """Return references of a table, with None where they are missing."""
        if self.reading != "empty":
            return given_references(texts, source)
        return [None if not is_blank(text) and is_missing(text, line) else text
                for text, line in zip(texts, source, strict=True)]  # fmt: skip

    def check(self) -> None:
        """Raise InputError for a column with too many blank texts without a reading."""
        for (name, _), column in self._columns.items():
            if self.reading is None and column.number > max(1, LIMIT * column.rows):
                raise InputError(f"{name}: {column.message}", hint=column.hint)

    def warn(self) -> None:
        """Warn of blank texts without a reading, of a system if there are several."""
        for (name, _), column in self._columns.items():
            if self.reading is None and column.number > column.is_system:
                is_missing_reference = column.is_cell and not column.is_system
                meaning = "these sentences lack it" if is_missing_reference else "an empty text deletes its sentence"
                warn(f"{name}: {column.message}", Hint(f"{meaning}; ", UNCHANGED))
