"""Excel workbooks as tables; openpyxl (``geceval[office]``) reads them row by row, those with merged cells whole."""

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

#: Sheets in a workbook, what they have if cells are merged or have struck-out text of their own, and numbers of bytes
#: that are searched at a time and may begin such a mark.
_SHEET, _MARKS = re.compile(r"xl/worksheets/.*\.xml"), re.compile(rb"<mergeCell |<strike[ />]")
_PIECE, _OVERLAP = 1 << 20, 16
STRUCK_HINT = "delete the struck-out words, or write source and correction in two columns"
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
        InputError: for a damaged file, if the sheet is missing or ambiguous, if the header seems to be lower, and for
            a cell of a column that is read with struck-out words next to others.
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
                    for column in columns:
                        if column < len(cells) and isinstance(cells[column], StruckText):
                            message = f"the cell in column {names[column]} has struck-out words: its text is ambiguous"
                            raise file.error(message, number, STRUCK_HINT)
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
            reads_rows = not _has_marks(stream)
            stream.seek(0)
            workbook = openpyxl.load_workbook(stream, read_only=reads_rows, data_only=True, rich_text=True)
            stack.callback(workbook.close)
            sheet = _chosen_sheet(file, workbook.worksheets, name, skip_rows)
            if warns and (merged := sorted(_merged_with(sheet))):
                place = sheet.cell(*merged[0]).coordinate
                warn(f"{file.name}: cells that are merged with one above have its text: {len(merged)} (first {place})")
            yield _sheet_rows(file, sheet, skip_rows)
        except GecevalError:
            raise
        except Exception as error:  # the library raises errors of many kinds
            raise file.error(f"cannot be read as an Excel workbook: {error}") from None


def _has_marks(stream: IO[bytes]) -> bool:
    """Return whether sheets have what openpyxl finds only if it reads them as a whole, without reading their cells."""
    with zipfile.ZipFile(stream) as archive:
        for part in filter(_SHEET.fullmatch, archive.namelist()):
            with archive.open(part) as content:
                end = b""
                for piece in iter(partial(content.read, _PIECE), b""):
                    if _MARKS.search(end + piece):
                        return True
                    end = piece[-_OVERLAP:]
    return False


def _merged_with(sheet: Any) -> Mapping[tuple[int, int], Any]:
    """Return the cell above each cell that is merged with it, by row and column."""
    ranges = sheet.merged_cells.ranges if hasattr(sheet, "merged_cells") else ()
    return {
        (row, cells.min_col): sheet.cell(cells.min_row, cells.min_col)
        for cells in ranges
        for row in range(cells.min_row + 1, cells.max_row + 1)
    }


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
    merged = _merged_with(sheet)
    for number, row in enumerate(sheet.iter_rows(min_row=skip_rows + 1), skip_rows + 1):
        for cell in row:
            if cell.data_type == "e":
                hint = "a text that starts with = or - is a formula for Excel: put an apostrophe before it"
                raise file.error(f"the cell {cell.coordinate} is an error of Excel: {cell.value}", number, hint)
        cells = [_text(merged.get((number, column), cell).value) for column, cell in enumerate(row, 1)]
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield number, cells


class StruckText(str):
    """Text of a cell with struck-out words next to others."""

    __slots__ = ()


def _text(value: Any) -> str:
    """Return a value as text; integers have no decimals."""
    if value is None:
        return ""
    if isinstance(value, list):  # the runs of a cell with fonts of its own
        struck = {not isinstance(run, str) and bool(run.font.strike) for run in value if str(run).strip()}
        return StruckText(value) if len(struck) > 1 else str(value)
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
