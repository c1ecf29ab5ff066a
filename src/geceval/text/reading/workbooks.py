"""Excel workbooks as tables; openpyxl (``geceval[office]``) reads them row by row, those with merged cells whole."""

from __future__ import annotations

import contextlib
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, repeat
from typing import IO, Any, Self

from geceval.base.arguments import choices, did_you_mean
from geceval.base.caller_warnings import warn
from geceval.base.errors import GecevalError
from geceval.base.hints import Hint, Option
from geceval.text.office import require_openpyxl
from geceval.text.reading.delimited import MOST
from geceval.text.reading.file_columns import SHEET_HINT, FileContent, Portion
from geceval.text.reading.headers import HEAD, check_header
from geceval.text.reading.input_files import InputFile
from geceval.text.reading.role_names import has_source

#: Parts of a workbook with notes of cells.
_NOTES = re.compile(r"xl/(?:comments|threadedComments)")
#: Sheets in a workbook, what they have if cells are merged, struck out, formulas or in hidden rows, and numbers of
#: bytes that are searched at a time and may begin such a mark.
_SHEET = re.compile(r"xl/worksheets/.*\.xml")
_MARKS = re.compile(rb'<(?P<whole>mergeCell |strike[ />])|(?P<hidden> hidden="(?:1|true)")|<(?P<formula>f[ />])')
_PIECE, _OVERLAP = 1 << 20, 16
#: Hints for cells whose text is not known.
STRUCK_HINT = "delete the struck-out words, or write source and correction in two columns"
FORMULA_HINT = "open the workbook in Excel or LibreOffice and save it, which stores the values of formulas"
#: The number of a row in its sheet, and the texts of its cells.
Row = tuple[int, list[str]]


def open_xlsx(file: InputFile, sheet: str = "", *, header: bool = True, skip_rows: int = 0) -> FileContent:
    """Return the columns of a sheet; blank rows are left out, and an empty cell is an empty text.

    Args:
        file: The workbook.
        sheet: The name of the sheet; by default the only one with content, the only one with a column of sources, or
            the only one with several columns.
        header: Whether the first row contains the names of the columns; else they are "1", "2", …
        skip_rows: Number of rows of the sheet above this row.

    Raises:
        MissingExtraError: Without openpyxl.
        InputError: For a damaged file, if the sheet is missing or ambiguous, if the header seems to be lower, and for
            a cell of a column that is read with struck-out words next to others, or with a formula without a value.
    """
    with _sheet(file, sheet, skip_rows, warns=True) as rows:
        head = list(islice(rows, HEAD))
    if header:
        check_header(file, head)
    _, first = head[0] if head else (0, [])
    names = [name.strip() for name in first] if header else [str(number) for number in range(1, len(first) + 1)]

    def read(columns: Sequence[int], size: int) -> Iterator[Portion]:
        with _sheet(file, sheet, skip_rows) as rows:
            portions = islice(rows, header, None)
            while portion := list(islice(portions, min(size, MOST))):
                for number, cells in portion:
                    if len(cells) > len(names):
                        raise file.error(f"{len(cells)} cells, but the first row has {len(names)}", number)
                    if header and cells == first and len(names) > 1:
                        raise file.error("the header again: tables were joined", number, "remove this row")
                    for column in columns:
                        if column < len(cells) and isinstance(cell := cells[column], UnknownText):
                            raise file.error(f"the cell in column {names[column]} has {cell.fault}", number, cell.hint)
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
            marks = _marks_in(stream)

            def load(**options: Any) -> Any:
                stream.seek(0)
                workbook = openpyxl.load_workbook(stream, rich_text=True, **options)
                stack.callback(workbook.close)
                return workbook

            workbook = load(read_only=not marks & {"whole", "hidden"}, data_only=True)
            sheet = _chosen_sheet(file, workbook.worksheets, name, skip_rows)
            formulas = load(read_only=True)[sheet.title] if "formula" in marks else None
            if warns:
                _warn_of_rows(file, sheet, skip_rows)
                if "notes" in marks:
                    warn(f"{file.name}: notes of cells are not read", "write corrections in a column of their own")
            yield _sheet_rows(file, sheet, skip_rows, formulas)
        except GecevalError:
            raise
        except Exception as error:  # the library raises errors of many kinds
            raise file.error(f"cannot be read as an Excel workbook: {error}") from None


def _marks_in(stream: IO[bytes]) -> set[str | None]:
    """Return the groups of _MARKS that sheets have, without reading their cells."""
    marks: set[str | None] = set()
    with zipfile.ZipFile(stream) as archive:
        if any(map(_NOTES.match, archive.namelist())):
            marks.add("notes")
        for part in filter(_SHEET.fullmatch, archive.namelist()):
            with archive.open(part) as content:
                end = b""
                for piece in iter(partial(content.read, _PIECE), b""):
                    marks.update(match.lastgroup for match in _MARKS.finditer(end + piece))
                    end = piece[-_OVERLAP:]
    return marks


def _warn_of_rows(file: InputFile, sheet: Any, skip_rows: int) -> None:
    """Warn of cells that have the text of another one, and of rows that Excel hides."""
    if merged := sorted(_merged_with(sheet)):
        place = sheet.cell(*merged[0]).coordinate
        warn(f"{file.name}: cells that are merged with one above have its text: {len(merged)} (first {place})")
    dimensions = getattr(sheet, "row_dimensions", {})
    numbers = sorted(row for row, dimension in dimensions.items() if dimension.hidden and row > skip_rows)
    if hidden := [row for row in numbers if any(cell.value is not None for cell in sheet[row])]:
        message = f"{file.name}: rows that are hidden, as by a filter, are read, too: {len(hidden)} (first {hidden[0]})"
        warn(message, "to leave them out, copy the rows that are shown to another workbook")


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
            message = f"no sheet is called {chosen}: choose from {choices(names)}"
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


def _sheet_rows(file: InputFile, sheet: Any, skip_rows: int, formulas: Any = None) -> Iterator[Row]:
    """Yield the rows of a sheet that are not blank; ``formulas``: the sheet with formulas in place of their values."""
    merged = _merged_with(sheet)
    with_formulas = repeat(()) if formulas is None else formulas.iter_rows(min_row=skip_rows + 1)
    rows = zip(sheet.iter_rows(min_row=skip_rows + 1), with_formulas, strict=False)
    for number, (row, formula_row) in enumerate(rows, skip_rows + 1):
        for cell in row:
            if cell.data_type == "e":
                raise file.error(f"the cell {cell.coordinate} is an error of Excel: {cell.value}", number, SHEET_HINT)
        cells = [_text(merged.get((number, column), cell).value) for column, cell in enumerate(row, 1)]
        for column, (cell, with_formula) in enumerate(zip(row, formula_row, strict=False)):
            # The value of a formula that is an empty text has a type.
            if with_formula.data_type == "f" and cell.value is None and cell.data_type != "str":
                cells[column] = UnknownText("=", "a formula without a value", FORMULA_HINT)
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield number, cells


class UnknownText(str):
    """Text of a cell that is not known, for a reason.

    Attributes:
        fault: What the cell has.
        hint: The remedy.
    """

    def __new__(cls, text: str, fault: str, hint: str) -> Self:
        """Return the text with its fault."""
        cell = super().__new__(cls, text)
        cell.fault, cell.hint = fault, hint
        return cell

    fault: str
    hint: str


def _text(value: Any) -> str:
    """Return a value as text; integers have no decimals."""
    if value is None:
        return ""
    if isinstance(value, list):  # the runs of a cell with fonts of its own
        struck = {not isinstance(run, str) and bool(run.font.strike) for run in value if str(run).strip()}
        fault = "struck-out words: its text is ambiguous"
        return UnknownText(str(value), fault, STRUCK_HINT) if len(struck) > 1 else str(value)
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
