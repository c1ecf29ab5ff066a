"""Tables in text: TSV without quotes, CSV as in RFC 4180, and ChERRANT's parallel text.

The standard library's csv reads CSV; its limit of 131,072 characters per cell is raised, and its errors get file, line
and hint.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar, TextIO

from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option
from geceval.text.files import PathLike, display_name, kind_of
from geceval.text.m2.edit import NO_ANSWER, NO_ERROR
from geceval.text.reading.file_kinds import TABLES
from geceval.text.reading.formats import Format, InputFile
from geceval.text.reading.lines import WithoutReturns

#: Minimum limit for characters per cell: with an unclosed quote, the rest of the file is one cell.
_LONGEST = 1 << 24


def csv_reader(text: TextIO, separator: str = ",") -> Any:
    """Return a reader of rows; ``csv_error`` converts its errors."""
    # The limit is global and never lowered because other threads may be reading.
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST))
    return csv.reader(text, delimiter=separator, strict=True)


def csv_error(error: csv.Error, path: PathLike, line: int) -> InputError:
    """Return an error of a reader with file and line."""
    if "field limit" in str(error):
        message, hint = f"a cell of more than {csv.field_size_limit():,} characters", "is a quote left open before?"
    else:
        message = f"not CSV as in RFC 4180: {error}"
        hint = "a cell with quotes must be quoted, and its quotes doubled; is one left open before?"
    return InputError(message, path=display_name(path), line=line, hint=hint)


def read_rows(text: str, path: PathLike) -> Iterator[tuple[int, list[str]]]:
    """Yield the last line and the cells of each row; raises InputError."""
    reader = csv_reader(io.StringIO(text, newline=""))
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise csv_error(error, path, reader.line_num) from None


#: Maximum number of rows per portion.
MOST = 1 << 14
#: Number of lines that are checked for quotes and separators.
_HEAD = 1000
#: Separators that are detected, and Excel's first line, which states one.
SEPARATORS = (",", ";", "\t", "|")
_STATED = re.compile(r'"?sep=([^"\r\n])"?(?:\n|\Z)', re.IGNORECASE)


@dataclass(frozen=True)
class DelimitedText(Format):
    """Rows of cells.

    Attributes:
        header: whether the first row contains the names of the columns; else they are "1", "2", …
    """

    #: The hint for rows with different numbers of cells.
    ragged: ClassVar[str]
    header: bool = field(default=True, kw_only=True)

    def columns(self, file: InputFile) -> Sequence[str]:
        kind = kind_of(file.path, TABLES)
        if kind is not None:
            raise kind.error(file.name, "a table of cells")
        first = next(self._portions(file, 1), None)
        if first is None:
            raise file.error("the table is empty")
        cells = [cell for [cell] in first]
        return cells if self.header else [str(number) for number in range(1, len(cells) + 1)]

    def portions(self, file: InputFile, columns: Sequence[int], size: int) -> Iterator[Sequence[Sequence[Any]]]:
        first = self.header
        for cells in self._portions(file, min(size, MOST)):
            rows = [cells[column][first:] for column in columns]
            first = False
            if rows[0]:
                yield rows

    def _portions(self, file: InputFile, size: int) -> Iterator[Sequence[Sequence[str]]]:
        """Yield all cells by column, with the header.

        Raises InputError for rows of different length.
        """
        width, rows_before = 0, 0
        for rows in self._rows(file, size):
            width = width or len(rows[0])
            if set(map(len, rows)) != {width}:
                index = next(index for index, row in enumerate(rows) if len(row) != width)
                cells = "1 cell" if len(rows[index]) == 1 else f"{len(rows[index])} cells"
                message = f"{cells}, but the {'header' if self.header else 'first row'} has {width}"
                raise file.error(message, self.line(file, rows_before + index - self.header), self.ragged)
            yield list(zip(*rows, strict=True))
            rows_before += len(rows)

    @abstractmethod
    def _rows(self, file: InputFile, size: int) -> Iterator[Sequence[Sequence[str]]]:
        """Yield the rows, with the header, about ``size`` at a time."""


@dataclass(frozen=True)
class Csv(DelimitedText):
    """CSV as in RFC 4180.

    Quoted cells may contain separators, line breaks and doubled quotes. A first line ``sep=;``, which Excel writes, is
    no row.

    Attributes:
        separator: one character, or ``tab``; empty: the one that separates the first rows.

    Raises:
        UsageError: for another separator.
    """

    ragged: ClassVar[str] = "a cell with a separator or a line break must be quoted"

    separator: str = ""

    def __post_init__(self) -> None:
        if self.separator == "tab":
            object.__setattr__(self, "separator", "\t")
        if len(self.separator) > 1 or self.separator in ('"', "\r", "\n"):
            raise UsageError(f"the separator of cells must be one character or tab, not {self.separator!r}")

    def _rows(self, file: InputFile, size: int) -> Iterator[Sequence[Sequence[str]]]:
        rows_before = 0
        with self._reader(file) as reader:
            while rows := self._next(file, reader, size):
                if not all(rows):
                    rows = self._without_end(file, reader, rows, rows_before)
                yield from [rows] if rows else []
                rows_before += len(rows)

    def _without_end(self, file: InputFile, reader: Any, rows: list[list[str]], rows_before: int) -> list[list[str]]:
        """Return rows without empty lines at the end of the table.

        Raises InputError for others.
        """
        index = rows.index([])
        rest = rows[index:]
        while rest:
            if any(rest):
                hint = 'an empty cell in a row with one cell is written ""'
                raise file.error("an empty line is not a row", self.line(file, rows_before + index - self.header), hint)
            rest = self._next(file, reader, MOST)
        return rows[:index]

    def line(self, file: InputFile, row: int) -> int:
        with self._reader(file) as reader:
            for _ in islice(reader, row + self.header):
                pass
            return int(reader.line_num) + 1

    @contextlib.contextmanager
    def _reader(self, file: InputFile) -> Iterator[Any]:
        head = "\n".join(next(file.lines(_HEAD, "".join(SEPARATORS)), ()))
        stated = _STATED.match(head)
        separator = self.separator or (stated[1] if stated else detect_separator(head))
        with file.open() as stream:
            content = io.BufferedReader(WithoutReturns(stream, separator), 1 << 18)
            reader = csv_reader(io.TextIOWrapper(content, encoding="utf-8-sig", newline=""), separator)
            if stated:
                next(reader)
            yield reader

    def _next(self, file: InputFile, reader: Any, size: int) -> list[list[str]]:
        try:
            return list(islice(reader, size))
        except UnicodeDecodeError as error:
            for _ in file.lines(MOST):
                pass  # raises the error again, with line and byte
            raise file.error(f"not UTF-8: {error.reason}") from None
        except csv.Error as error:
            raise csv_error(error, file.path, reader.line_num) from None


def detect_separator(head: str) -> str:
    """Return the separator of the first rows of a table: the first that gives rows of equal length, of several cells.

    Without one it is the first that gives a header of several cells, or the comma.
    """
    candidates = {}
    for separator in SEPARATORS:
        rows: list[list[str]] = []
        with contextlib.suppress(csv.Error):  # also for a cell that the end of the head cuts
            rows.extend(filter(None, csv_reader(io.StringIO(head, newline=""), separator)))
        if len(rows) > 0 and len(rows[0]) > 1:
            candidates[separator] = len(set(map(len, rows))) == 1
    regular = [separator for separator, is_regular in candidates.items() if is_regular]
    return next(iter([*regular, *candidates]), ",")


@dataclass(frozen=True)
class Tsv(DelimitedText):
    """A row per line with tabs between cells, as for ``paste`` and ``cut``.

    Quotes have no meaning, and a cell contains neither tabs nor line breaks. A table whose header is quoted comes from
    a spreadsheet and is CSV with tabs.
    """

    ragged: ClassVar[str] = "a cell of TSV must not contain a tab or a line break"

    def columns(self, file: InputFile) -> Sequence[str]:
        for number, line in enumerate([] if self._is_quoted(file) else next(file.lines(_HEAD), ()), 1):
            if '""' in line and any(len(cell) > 3 and cell[0] == cell[-1] == '"' for cell in line.split("\t")):
                message = f"{file.name}:{number}: a quoted cell with doubled quotes"
                hint = Hint(Option("input_format", "csv:tab"), " reads the quoted cells of spreadsheets and pandas")
                warn(f"{message}: in TSV all quotes are part of the sentence", hint)
                break
        return super().columns(file)

    def _is_quoted(self, file: InputFile) -> bool:
        """Return whether all cells of the header are quoted."""
        [header] = next(file.lines(1), [""])
        return self.header and all(len(cell) > 2 and cell[0] == cell[-1] == '"' for cell in str(header).split("\t"))

    def _rows(self, file: InputFile, size: int) -> Iterator[Sequence[Sequence[str]]]:
        if self._is_quoted(file):
            return Csv("\t")._rows(file, size)
        return ([line.split("\t") for line in lines] for lines in file.lines(size, "\t"))

    def line(self, file: InputFile, row: int) -> int:
        return Csv("\t").line(file, row) if self._is_quoted(file) else row + self.header + 1


class Para(Format):
    """ChERRANT's parallel text: lines of an id, the source and corrections.

    Tabs separate them. A correction ``没有错误`` is the source. ``无法标注`` is left out or, if it is the only one, the
    source, as in M2. The column ``correction`` is the only correction of each line, ``reference`` the list of them.
    """

    def columns(self, file: InputFile) -> Sequence[str]:
        return ["id", "source", "correction", "reference"]

    def portions(self, file: InputFile, columns: Sequence[int], size: int) -> Iterator[Sequence[Sequence[Any]]]:
        rows_before = 0
        for lines in file.lines(min(size, MOST), "\t"):
            numbered = enumerate(lines, rows_before + 1)
            rows = [self._row(file, line, number, 2 in columns) for number, line in numbered]
            yield [[row[column] for row in rows] for column in columns]
            rows_before += len(rows)

    def line(self, file: InputFile, row: int) -> int:
        return row + 1

    def _row(self, file: InputFile, line: str, number: int, only: bool) -> tuple[Any, ...]:
        cells = line.strip().split("\t")
        if len(cells) < 3 or (only and len(cells) > 3):
            expected = "an id, the source and one correction" if only else "an id, the source and corrections"
            raise file.error(f"{len(cells)} cells: a line has {expected}, with tabs between", number)
        name, source, *answers = cells
        references = [source if answer == NO_ERROR else answer for answer in answers if answer != NO_ANSWER] or [source]
        return name, source, references[0], references
