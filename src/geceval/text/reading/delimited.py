"""Tables in text: TSV without quotes, CSV as in RFC 4180, and ChERRANT's parallel text.

The standard library's csv reads CSV; its limit of 131,072 characters per cell is raised, and its errors get file, line
and hint.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, TextIO, TypeAlias

from geceval.base.arguments import counted
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option
from geceval.text.files import PathLike, display_name, kind_of
from geceval.text.m2.edit import NO_ANSWER, NO_ERROR
from geceval.text.reading.file_columns import FileContent, Portion
from geceval.text.reading.file_kinds import TABLES
from geceval.text.reading.headers import HEAD, check_header
from geceval.text.reading.input_files import InputFile
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


#: Rows of cells.
Rows: TypeAlias = Sequence[Sequence[str]]
#: Maximum number of rows per portion.
MOST = 1 << 14
#: Number of lines that are checked for quotes and separators.
_HEAD = 1000
#: Separators that are detected, and Excel's first line, which states one.
SEPARATORS = (",", ";", "\t", "|")
_STATED = re.compile(r'"?sep=([^"\r\n])"?(?:\n|\Z)', re.IGNORECASE)


def open_csv(file: InputFile, separator: str = "", *, header: bool = True, skip_rows: int = 0) -> FileContent:
    """Return the columns of CSV as in RFC 4180.

    Quoted cells may contain separators, line breaks and doubled quotes. A first line ``sep=;``, which Excel writes, is
    no row.

    Args:
        file: The file.
        separator: One character, or ``tab``; empty: the one that separates the first rows.
        header: Whether the first row contains the names of the columns; else they are "1", "2", …
        skip_rows: Number of lines above this row.

    Raises:
        UsageError: For another separator.
        InputError: For a file without rows or of another kind, and if the header seems to be lower.
    """
    separator = "\t" if separator == "tab" else separator
    if len(separator) > 1 or separator in ('"', "\r", "\n"):
        raise UsageError(f"the separator of cells must be one character or tab, not {separator!r}")
    _check_kind(file)
    table = _Csv(file, separator, skip_rows)
    if header:
        check_header(file, table.head())
    hint = "a cell with a separator or a line break must be quoted"
    return _content(file, table.rows, table.line, header=header, ragged=hint)


def open_tsv(file: InputFile, *, header: bool = True, skip_rows: int = 0) -> FileContent:
    """Return the columns of a row per line with tabs between cells, as for ``paste`` and ``cut``.

    Quotes have no meaning, and a cell contains neither tabs nor line breaks. A table whose header is quoted comes from
    a spreadsheet and is CSV with tabs.

    Args:
        file: The file.
        header: Whether the first row contains the names of the columns; else they are "1", "2", …
        skip_rows: Number of lines above this row.

    Raises:
        InputError: For a file without rows or of another kind, and if the header seems to be lower.
    """
    hint = "a cell of TSV must not contain a tab or a line break"
    head = [str(line) for line in next(file.lines(skip_rows + HEAD), [])][skip_rows:]
    if header and all(map(_is_quoted, (head or [""])[0].split("\t"))):
        _check_kind(file)
        table = _Csv(file, "\t", skip_rows)
        return _content(file, table.rows, table.line, header=header, ragged=hint)
    _warn_of_quotes(file)
    _check_kind(file)
    if header:
        rows_of_head = ((number, line.split("\t")) for number, line in enumerate(head, skip_rows + 1))
        check_header(file, [(number, cells) for number, cells in rows_of_head if any(cells)])

    def rows(size: int) -> Iterator[Rows]:
        skipped = skip_rows
        for lines in file.lines(size, "\t"):
            rows = [line.split("\t") for line in lines[skipped:]]
            skipped -= min(skipped, len(lines))
            yield from [rows] if rows else []

    return _content(file, rows, lambda index: index + 1 + skip_rows, header=header, ragged=hint)


def _check_kind(file: InputFile) -> None:
    """Raise InputError for a file that is no table by its content."""
    kind = kind_of(file.path, TABLES)
    if kind is not None:
        raise kind.error(file.name, "a table of cells")


def _is_quoted(cell: str) -> bool:
    return len(cell) > 2 and cell[0] == cell[-1] == '"'


def _warn_of_quotes(file: InputFile) -> None:
    """Warn of a cell in the first lines that is quoted as in CSV."""
    for number, line in enumerate(next(file.lines(_HEAD), ()), 1):
        if '""' in line and any(len(cell) > 3 and _is_quoted(cell) for cell in line.split("\t")):
            message = f"{file.name}:{number}: a quoted cell with doubled quotes"
            hint = Hint(Option("input_format", "csv:tab"), " reads the quoted cells of spreadsheets and pandas")
            warn(f"{message}: in TSV all quotes are part of the sentence", hint)
            return


def _content(
    file: InputFile, rows: Callable[[int], Iterator[Rows]], line: Callable[[int], int], *, header: bool, ragged: str
) -> FileContent:
    """Return the columns of rows of cells.

    Args:
        file: The file.
        rows: Yields all rows, about as many at a time as its argument says.
        line: Returns the line of a row, counted from 0.
        header: Whether the first row contains the names of the columns.
        ragged: The hint for rows with different numbers of cells.
    """

    def by_column(size: int) -> Iterator[Sequence[Sequence[str]]]:
        width, rows_before = 0, 0
        head: Sequence[str] = ()
        for portion in _without_blank_end(rows(size)):
            width = width or len(portion[0])
            if set(map(len, portion)) != {width}:
                index = next(index for index, row in enumerate(portion) if len(row) != width)
                cells = counted(len(portion[index]), "cell")
                message = f"{cells}, but the {'header' if header else 'first row'} has {width}"
                raise file.error(message, line(rows_before + index), ragged)
            if header and width > 1:
                head = head or portion[0]
                again = [index for index, row in enumerate(portion, rows_before) if index and row == head]
                if again:
                    raise file.error("the header again: tables were joined", line(again[0]), "remove this row")
            yield list(zip(*portion, strict=True))
            rows_before += len(portion)

    def read(columns: Sequence[int], size: int) -> Iterator[Portion]:
        first = int(header)
        for cells in by_column(min(size, MOST)):
            portion = [cells[column][first:] for column in columns]
            first = 0
            if portion[0]:
                yield portion

    first_row = next(by_column(1), None)
    if first_row is None:
        raise file.error("the table is empty")
    names = [cell.strip() for [cell] in first_row] if header else [str(number + 1) for number in range(len(first_row))]
    return FileContent(file, names, read, lambda row: line(row + header))


def _without_blank_end(portions: Iterator[Rows]) -> Iterator[Rows]:
    """Yield portions of rows without those at the end of which all of several cells are empty, as spreadsheets write.

    The first row always stays.
    """
    blank: list[Sequence[str]] = []
    is_first = True
    for rows in portions:
        stop = len(rows)
        while stop > is_first and len(rows[stop - 1]) > 1 and not any(rows[stop - 1]):
            stop -= 1
        if stop:
            yield [*blank, *rows[:stop]]
            blank, is_first = [], False
        blank += rows[stop:]


class _Csv:
    """The rows of CSV, and their lines.

    Args:
        file: The file.
        separator: One character; empty: the one that separates the first rows.
        skip_rows: Number of lines above the first row.
    """

    def __init__(self, file: InputFile, separator: str, skip_rows: int) -> None:
        lines = list(map(str, next(file.lines(_HEAD, "".join(SEPARATORS)), ())))
        stated = _STATED.match("\n".join(lines[:2]))
        self._file, self._skipped = file, max(skip_rows, int(stated is not None))
        self._separator = separator or (stated[1] if stated else detect_separator("\n".join(lines[skip_rows:])))

    def head(self) -> list[tuple[int, list[str]]]:
        """Return lines and cells of the first rows that are not blank; empty if the first lines are no rows."""
        head: list[tuple[int, list[str]]] = []
        with self._reader() as reader, contextlib.suppress(UnicodeDecodeError, csv.Error):
            for row in islice(reader, HEAD):
                head += [(int(reader.line_num), row)] if any(row) else []
        return head

    def rows(self, size: int) -> Iterator[Rows]:
        """Yield the rows, ``size`` at a time, without empty lines at the end of the table."""
        rows_before = 0
        with self._reader() as reader:
            while rows := self._next(reader, size):
                if not all(rows):
                    rows = self._without_end(reader, rows, rows_before)
                yield from [rows] if rows else []
                rows_before += len(rows)

    def line(self, index: int) -> int:
        """Return the line of a row, counted from 0."""
        with self._reader() as reader:
            for _ in islice(reader, index):
                pass
            return int(reader.line_num) + 1

    def _without_end(self, reader: Any, rows: list[list[str]], rows_before: int) -> list[list[str]]:
        """Return rows without empty lines at the end of the table.

        Raises InputError for others.
        """
        index = rows.index([])
        rest = rows[index:]
        while rest:
            if any(rest):
                hint = 'an empty cell in a row with one cell is written ""'
                raise self._file.error("an empty line is not a row", self.line(rows_before + index), hint)
            rest = self._next(reader, MOST)
        return rows[:index]

    @contextlib.contextmanager
    def _reader(self) -> Iterator[Any]:
        with self._file.open() as stream:
            content = io.BufferedReader(WithoutReturns(stream, self._separator), 1 << 18)
            reader = csv_reader(io.TextIOWrapper(content, encoding="utf-8-sig", newline=""), self._separator)
            for _ in range(self._skipped):
                next(reader, None)
            yield reader

    def _next(self, reader: Any, size: int) -> list[list[str]]:
        try:
            return list(islice(reader, size))
        except UnicodeDecodeError as error:
            for _ in self._file.lines(MOST):
                pass  # raises the error again, with line and byte
            raise self._file.error(f"not UTF-8: {error.reason}") from None
        except csv.Error as error:
            raise csv_error(error, self._file.path, reader.line_num) from None


def detect_separator(head: str) -> str:
    """Return the separator of the first rows of a table: the first that gives rows of equal length, of several cells.

    Without one it is the first that gives a header of several cells, or below a title the one that gives most rows of
    as many cells as the widest one, or the comma.
    """
    candidates, wide = {}, {}
    for separator in SEPARATORS:
        rows: list[list[str]] = []
        with contextlib.suppress(csv.Error):  # also for a cell that the end of the head cuts
            rows.extend(filter(None, csv_reader(io.StringIO(head, newline=""), separator)))
        if len(rows) > 0 and len(rows[0]) > 1:
            candidates[separator] = len(set(map(len, rows))) == 1
        lengths = Counter(map(len, rows))
        wide[separator] = lengths[max(lengths, default=0)] if max(lengths, default=0) > 1 else 0
    regular = [separator for separator, is_regular in candidates.items() if is_regular]
    below_title = [separator for separator in wide if wide[separator] == max(wide.values()) > 0]
    return next(iter([*regular, *candidates, *below_title]), ",")


def open_para(file: InputFile) -> FileContent:
    """Return the columns of ChERRANT's parallel text: lines of an id, the source and corrections.

    Tabs separate them. A correction ``没有错误`` is the source. ``无法标注`` is left out or, if it is the only one, the
    source, as in M2. The column ``correction`` is the only correction of each line, ``reference`` the list of them.
    """

    def read(columns: Sequence[int], size: int) -> Iterator[Portion]:
        rows_before = 0
        for lines in file.lines(min(size, MOST), "\t"):
            numbered = enumerate(lines, rows_before + 1)
            rows = [_para_row(file, line, number, 2 in columns) for number, line in numbered]
            yield [[row[column] for row in rows] for column in columns]
            rows_before += len(rows)

    return FileContent(file, ["id", "source", "correction", "reference"], read, lambda row: row + 1, key="id")


def _para_row(file: InputFile, line: str, number: int, only: bool) -> tuple[Any, ...]:
    cells = line.strip().split("\t")
    if len(cells) < 3 or (only and len(cells) > 3):
        expected = "an id, the source and one correction" if only else "an id, the source and corrections"
        raise file.error(f"{len(cells)} cells: a line has {expected}, with tabs between", number)
    name, source, *answers = cells
    references = [source if answer == NO_ERROR else answer for answer in answers if answer != NO_ANSWER] or [source]
    return name, source, references[0], references
