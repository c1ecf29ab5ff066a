"""Tables in text, a row a line: TSV, which knows tabulators and nothing else, and CSV as in RFC 4180."""

from __future__ import annotations

import contextlib
import csv
import io
import warnings
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar, cast

from geceval.base.errors import GecevalWarning, UsageError
from geceval.text.corpus import Lines
from geceval.text.reading.formats import Format, InputFile

#: Rows made at a time, at most.
MOST = 1 << 14
#: Lines that are looked at for quotes.
_HEAD = 1000
#: Characters that a cell of CSV may have at least: with a quote that is left open, a cell is all that follows.
_LONGEST = 1 << 24


@dataclass(frozen=True)
class DelimitedText(Format):
    """Rows of cells. ``header``: the first row has the names of the columns; without it they are called "1", "2", …"""

    #: What to try where rows have different numbers of cells.
    ragged: ClassVar[str]

    header: bool = field(default=True, kw_only=True)

    def columns(self, file: InputFile) -> Sequence[str]:
        first = next(self._portions(file, 1), None)
        if first is None:
            raise file.error("the table is empty")
        cells = [cell for [cell] in first]
        return cells if self.header else [str(number) for number in range(1, len(cells) + 1)]

    def portions(self, file: InputFile, columns: Sequence[int], size: int) -> Iterator[Sequence[Sequence[Any]]]:
        first = self.header
        for cells in self._portions(file, min(size, MOST)):
            rows = [cells[place][first:] for place in columns]
            first = False
            if rows[0]:
                yield rows

    def is_complete(self, file: InputFile, columns: Sequence[int]) -> bool:
        return True

    def _portions(self, file: InputFile, size: int) -> Iterator[Sequence[Sequence[str]]]:
        """All the cells, column by column, the header's first. Raises InputError for rows of different lengths."""
        width, done = 0, 0
        for rows in self._rows(file, size):
            width = width or len(rows[0])
            if set(map(len, rows)) != {width}:
                at = next(at for at, row in enumerate(rows) if len(row) != width)
                cells = "1 cell" if len(rows[at]) == 1 else f"{len(rows[at])} cells"
                message = f"{cells}, and the {'header' if self.header else 'first row'} has {width}"
                raise file.error(message, self.line(file, done + at - self.header), self.ragged)
            yield list(zip(*rows, strict=True))
            done += len(rows)

    @abstractmethod
    def _rows(self, file: InputFile, size: int) -> Iterator[Sequence[Sequence[str]]]:
        """The rows, the header's first, about so many at a time."""


@dataclass(frozen=True)
class Tsv(DelimitedText):
    """A row a line, a tabulator between cells, as ``paste`` and ``cut`` have it: quotes mean nothing, and there is no
    tabulator and no line break within a cell."""

    ragged: ClassVar[str] = "in TSV a cell has no tabulator and no line break"

    def columns(self, file: InputFile) -> Sequence[str]:
        for number, line in enumerate(cast(Lines, next(file.lines(_HEAD), ())), 1):
            if '""' in line and any(len(cell) > 3 and cell[0] == cell[-1] == '"' for cell in line.split("\t")):
                text = "a cell in quotes with quotes doubled within: in TSV they are part of the sentence"
                hint = "--input-format csv:tab reads what spreadsheets and pandas write"
                warnings.warn(GecevalWarning(f"{file.name}:{number}: {text} ({hint})"), stacklevel=2)
                break
        return super().columns(file)

    def _rows(self, file: InputFile, size: int) -> Iterator[Sequence[Sequence[str]]]:
        return ([line.split("\t") for line in cast(Lines, lines)] for lines in file.lines(size))

    def line(self, file: InputFile, row: int) -> int:
        return row + self.header + 1


@dataclass(frozen=True)
class Csv(DelimitedText):
    """RFC 4180: cells may stand in quotes, and then have separators, line breaks and doubled quotes. ``separator``: one
    character, or ``tab``. Raises UsageError for another one."""

    ragged: ClassVar[str] = "a cell with a separator or a line break stands in quotes"

    separator: str = ","

    def __post_init__(self) -> None:
        if self.separator == "tab":
            object.__setattr__(self, "separator", "\t")
        if len(self.separator) != 1 or self.separator in '"\r\n':
            raise UsageError(f"what stands between cells is one character or tab, not {self.separator!r}")

    def _rows(self, file: InputFile, size: int) -> Iterator[Sequence[Sequence[str]]]:
        done = 0
        with self._reader(file) as reader:
            while rows := self._next(file, reader, size):
                if not all(rows):
                    rows = self._without_end(file, reader, rows, done)
                yield from [rows] if rows else []
                done += len(rows)

    def _without_end(self, file: InputFile, reader: Any, rows: list[list[str]], done: int) -> list[list[str]]:
        """Rows without the empty lines at the end of the table. Raises InputError for one before other rows."""
        at = rows.index([])
        rest = rows[at:]
        while rest:
            if any(rest):
                hint = 'an empty cell in a row of its own is written ""'
                raise file.error("an empty line, which is no row", self.line(file, done + at - self.header), hint)
            rest = self._next(file, reader, MOST)
        return rows[:at]

    def line(self, file: InputFile, row: int) -> int:
        with self._reader(file) as reader:
            for _ in islice(reader, row + self.header):
                pass
            return int(reader.line_num) + 1

    @contextlib.contextmanager
    def _reader(self, file: InputFile) -> Iterator[Any]:
        with file.open() as stream:
            text = io.TextIOWrapper(cast(io.BufferedReader, stream), encoding="utf-8-sig", newline="")
            # Of the whole process, and never taken back: other threads may be reading.
            csv.field_size_limit(max(csv.field_size_limit(), _LONGEST))
            try:
                yield csv.reader(text, delimiter=self.separator, strict=True)
            finally:
                text.detach()  # standard input stays open

    def _next(self, file: InputFile, reader: Any, size: int) -> list[list[str]]:
        try:
            return list(islice(reader, size))
        except UnicodeDecodeError as error:
            for _ in file.lines(MOST):
                pass  # raises it again, with line and byte
            raise file.error(f"not UTF-8: {error.reason}") from None
        except csv.Error as error:
            if "field limit" in str(error):
                message = f"a cell of more than {csv.field_size_limit():,} characters"
                raise file.error(message, reader.line_num, "is a quote left open before?") from None
            hint = "a cell with quotes stands in quotes itself, and those within are doubled; is one left open before?"
            raise file.error(f"not CSV as in RFC 4180: {error}", reader.line_num, hint) from None
