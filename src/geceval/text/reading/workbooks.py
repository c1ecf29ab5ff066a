"""Excel workbooks as tables; openpyxl (``geceval[office]``) reads them row by row.

Workbooks with merged cells or struck-out text are read as a whole: each row has the text of a cell that is merged over
rows, and a text lacks what is struck out, as a correction by hand does.
"""

from __future__ import annotations

import contextlib
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import IO, Any

from geceval.base.arguments import did_you_mean
from geceval.base.caller_warnings import warn
from geceval.base.errors import GecevalError
from geceval.base.hints import Hint, Option
from geceval.text.office import require_openpyxl
from geceval.text.reading.column_roles import has_source
from geceval.text.reading.delimited import MOST
from geceval.text.reading.file_columns import FileContent, Portion
from geceval.text.reading.headers import HEAD, check_header
from geceval.text.reading.input_files import InputFile

#: Parts of a workbook with the text of cells, and what they have if a cell is merged or text is struck out.
_PARTS = re.compile(r"xl/(?:worksheets/.*|sharedStrings|styles)\.xml")
_MARKS = re.compile(rb"<mergeCell[ />]|<strike[ />]")
#: Number of bytes that are searched at a time, and of those before them that may begin a mark.
_PIECE, _OVERLAP = 1 << 20, 16

#: The number of a row in its sheet, and the texts of its cells.
Row = tuple[int, list[str]]


def open_xlsx(file: InputFile, sheet: str = "", *, header: bool = True, skip_rows: int = 0) -> FileContent:
    """Return the columns of a sheet; blank rows are left out, and an empty cell is an empty text.

    Args:
        file: the workbook.
        sheet: the name of the sheet; by default the only one with content, the only one with a column of sources, or
            the only one with several columns.
        header: whether the first row contains the names of the columns; else they are "1", "2", …
        skip_rows: number of rows of the sheet above this row.

    Raises:
        MissingExtraError: without openpyxl.
        InputError: for a damaged file, if the sheet is missing or ambiguous, and if the header seems to be lower.
    """
    with _sheet(file, sheet, skip_rows, warns=True) as rows:
        head = list(islice(rows, HEAD))
    if header:
        check_header(file, head)
    _, first = head[0] if head else (0, [])
    names = first if header else [str(number) for number in range(1, len(first) + 1)]

    def read(columns: Sequence[int], size: int) -> Iterator[Portion]:
        with _sheet(file, sheet, skip_rows) as rows:
            portions = islice(rows, header, None)
            while portion := list(islice(portions, min(size, MOST))):
                for number, cells in portion:
                    if len(cells) > len(names):
                        raise file.error(f"{len(cells)} cells, but the first row has {len(names)}", number)
                yield [[cells[column] if column < len(cells) else "" for _, cells in portion] for column in columns]

    def line(row: int) -> int | None:
        with _sheet(file, sheet, skip_rows) as rows:
            return next((number for number, _ in islice(rows, row + header, None)), None)

    return FileContent(file, names, read, line, has_letters=True)


@contextlib.contextmanager
def _sheet(file: InputFile, name: str, skip_rows: int, *, warns: bool = False) -> Iterator[Iterator[Row]]:
    """Yield the rows of a sheet that are not blank, without the first ``skip_rows``; errors: see open_xlsx."""
    openpyxl = require_openpyxl()
    with file.open(packed=True) as stream, contextlib.ExitStack() as stack:
        try:
            is_marked = _has_marks(stream)
            stream.seek(0)
            options = {"read_only": not is_marked, "rich_text": is_marked, "data_only": True}
            workbook = openpyxl.load_workbook(stream, **options)
            stack.callback(workbook.close)
            sheet = _chosen_sheet(file, workbook.worksheets, name, skip_rows)
            if is_marked and warns:
                _warn_of_marks(file, sheet)
            yield _sheet_rows(file, sheet, skip_rows)
        except GecevalError:
            raise
        except Exception as error:  # the library raises errors of many kinds
            raise file.error(f"cannot be read as an Excel workbook: {error}") from None


def _has_marks(stream: IO[bytes]) -> bool:
    """Return whether a workbook has merged cells or struck-out text, without reading its cells."""
    with zipfile.ZipFile(stream) as archive:
        for part in filter(_PARTS.fullmatch, archive.namelist()):
            with archive.open(part) as content:
                end = b""
                for piece in iter(partial(content.read, _PIECE), b""):
                    if _MARKS.search(end + piece):
                        return True
                    end = piece[-_OVERLAP:]
    return False


def _warn_of_marks(file: InputFile, sheet: Any) -> None:
    """Warn of cells of which a part is not read, and of those that several rows share."""
    struck = [cell.coordinate for row in sheet.iter_rows() for cell in row if _is_struck(cell)]
    if struck:
        message = f"{file.name}: cells with struck-out text, which is left out: {len(struck)} (first {struck[0]})"
        warn(message, "remove the formatting of text that is not deleted")
    merged = sorted(_cells_above(sheet))
    if merged:
        row, column = merged[0]
        place = sheet.cell(row, column).coordinate
        warn(f"{file.name}: cells that are merged with one above have its text: {len(merged)} (first {place})")


def _chosen_sheet(file: InputFile, sheets: Sequence[Any], chosen: str, skip_rows: int) -> Any:
    """Return the sheet; raises InputError for an ambiguous one."""
    names = [sheet.title for sheet in sheets]
    if chosen:
        if chosen not in names:
            message = f"no sheet is called {chosen}: choose from {', '.join(names)}"
            raise file.error(message, hint=did_you_mean(chosen, names))
        return sheets[names.index(chosen)]
    heads = {
        name: [cells for _, cells in islice(_sheet_rows(file, sheet, skip_rows), HEAD)]
        for name, sheet in zip(names, sheets, strict=True)
    }
    widths = {name: max(map(len, rows)) for name, rows in heads.items() if rows}
    with_source = [name for name in widths if has_source(heads[name][0])]
    wide = [name for name, width in widths.items() if width > 1]
    candidates = with_source or wide or list(widths)
    if not candidates:
        raise file.error("the workbook is empty")
    if len(candidates) > 1:
        hint = Hint(Option("input_format", f"'xlsx:{max(candidates, key=widths.__getitem__)}'"))
        raise file.error(f"several sheets may be the table: {', '.join(candidates)}", hint=hint)
    return sheets[names.index(candidates[0])]


def _sheet_rows(file: InputFile, sheet: Any, skip_rows: int) -> Iterator[Row]:
    is_marked, merged = hasattr(sheet, "merged_cells"), _cells_above(sheet)
    for number, row in enumerate(sheet.iter_rows(min_row=skip_rows + 1), skip_rows + 1):
        for cell in row:
            if cell.data_type == "e":
                hint = "a text that starts with = or - is a formula for Excel: put an apostrophe before it"
                raise file.error(f"the cell {cell.coordinate} is an error of Excel: {cell.value}", number, hint)
        cells = [_text(merged.get((number, column), cell), is_marked) for column, cell in enumerate(row, 1)]
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield number, cells


def _cells_above(sheet: Any) -> Mapping[tuple[int, int], Any]:
    """Return the first cell of those that are merged over rows, by the row and column of the others below it."""
    ranges = sheet.merged_cells.ranges if hasattr(sheet, "merged_cells") else ()
    return {
        (row, cells.min_col): sheet.cell(cells.min_row, cells.min_col)
        for cells in ranges
        for row in range(cells.min_row + 1, cells.max_row + 1)
    }


def _is_struck(cell: Any) -> bool:
    """Return whether the text of a cell, or a part of it, is struck out."""
    parts = cell.value if isinstance(cell.value, list) else ()
    return isinstance(cell.value, str | list) and (bool(cell.font.strike) or any(map(_is_struck_part, parts)))


def _is_struck_part(part: Any) -> bool:
    """Return whether a part of a text with several formats is struck out; a part without a format is a string."""
    return not isinstance(part, str) and bool(part.font.strike)


def _text(cell: Any, is_marked: bool) -> str:
    """Return the value of a cell as text, without what is struck out; integers have no decimals."""
    value = cell.value
    if value is None:
        return ""
    if is_marked and _is_struck(cell):
        parts = value if isinstance(value, list) and not cell.font.strike else ()
        return " ".join("".join(str(part) for part in parts if not _is_struck_part(part)).split())
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
