"""Office files, read and written with the packages of ``geceval[office]``.

A Word document is text whose lines are its paragraphs; a workbook that is written has the rows of CSV.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import IO, Any

from geceval.base.errors import InputError, require_extra
from geceval.base.hints import Hint, Option

#: Text of the parts of a paragraph.
_SIGNS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_CHANGES = ("ins", "del", "moveFrom", "moveTo")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.(\d{1,12}))?")
#: Limits of Excel: characters of a cell, and rows.
_LONGEST, _MOST = 32_767, 1 << 20


def open_archive(raw: IO[bytes]) -> IO[bytes]:
    """Return the paragraphs of a Word document as lines, or the bytes of another archive.

    Blank paragraphs are left out.

    Raises:
        MissingExtraError: If a package is missing.
        InputError: For a document with tracked changes or struck-out words.
        OSError: For a damaged document.
    """
    import zipfile  # most files are no archives

    content = io.BytesIO(raw.read())
    try:
        with zipfile.ZipFile(content) as archive:
            is_document = "word/document.xml" in archive.namelist()
    except zipfile.BadZipFile:
        is_document = False
    content.seek(0)
    if not is_document:
        return content
    with require_extra("office", "Word documents need a package"):
        import docx
    try:
        body = docx.Document(content).element.body
        paragraphs = list(_paragraphs(body))
    except Exception as error:  # the library raises errors of many kinds
        raise OSError(f"the Word document is damaged ({type(error).__name__})") from None
    if any(next(body.iter(_name(body, change)), None) is not None for change in _CHANGES):
        hint = "in Word: Review, Accept (or Reject) All Changes, and save it under another name"
        message = "the Word document has tracked changes: its text is ambiguous"
        raise InputError(message, path=getattr(raw, "name", None), hint=hint)
    if any(_is_struck(run) for run in body.iter(_name(body, "r"))):
        hint = "in Word: delete the struck-out words, and save source and correction in two documents"
        message = "the Word document has struck-out words: its text is ambiguous"
        raise InputError(message, path=getattr(raw, "name", None), hint=hint)
    lines = [line.strip() for paragraph in paragraphs for line in paragraph.split("\n")]
    return io.BytesIO("".join(f"{line}\n" for line in lines if line).encode())


def _name(element: Any, name: str) -> str:
    """Return a name in the namespace of a document."""
    return f"{{{element.nsmap['w']}}}{name}"


def _is_struck(run: Any) -> bool:
    """Return whether a run has struck-out letters by its own font."""
    marks = (run.find(f"{_name(run, 'rPr')}/{_name(run, mark)}") for mark in ("strike", "dstrike"))
    is_on = any(mark is not None and mark.get(_name(run, "val"), "1") not in ("0", "false", "off") for mark in marks)
    return is_on and any((text.text or "").strip() for text in run.iter(_name(run, "t")))


def _paragraphs(body: Any) -> Iterator[str]:
    """Yield the texts of all paragraphs, also in tables and text boxes."""
    tags = {_name(body, "t"): None} | {_name(body, name): sign for name, sign in _SIGNS.items()}
    for paragraph in body.iter(_name(body, "p")):
        if any(ancestor.tag.endswith("}Fallback") for ancestor in paragraph.iterancestors()):
            continue  # the same text for old programs
        nodes = (node for node in paragraph.iter(*tags) if next(node.iterancestors(paragraph.tag)) is paragraph)
        yield "".join(tags[node.tag] or node.text or "" for node in nodes)


def require_openpyxl() -> Any:
    """Import and return openpyxl; raises MissingExtraError without it."""
    with require_extra("office", "Excel workbooks need openpyxl"):
        import openpyxl
    return openpyxl


#: Precedes the name of a sheet, in a line above its rows; no cell of a workbook contains it.
SHEET = "\f"


class WorkbookWriter(io.BytesIO):
    """A stream of CSV that becomes a workbook when it is closed; SHEET separates sheets.

    Numbers are numbers there; all other cells are text, also those that look like formulas.

    Raises:
        MissingExtraError: If openpyxl is missing.
        InputError: When it is closed, for cells and tables that no workbook holds.
    """

    def __init__(self, raw: IO[bytes]) -> None:
        super().__init__()
        self._openpyxl, self._raw = require_openpyxl(), raw

    def close(self) -> None:
        """Write the workbook."""
        if self.closed:
            return
        workbook = self._openpyxl.Workbook(write_only=True)
        content = self.getvalue().decode("utf-8", "replace")
        named = [part.partition("\n") for part in content.split(SHEET)[1:]] if content.startswith(SHEET) else []
        sheets = [(name, text) for name, _, text in named] or [("geceval", content)]
        # A sheet with some of its rows cannot be left without noise on stderr.
        rows = [(workbook.create_sheet(name), text) for name, text in sheets]
        for sheet, cells in [(sheet, self._rows(sheet, text)) for sheet, text in rows]:
            for row in cells:
                sheet.append(row)
        written = io.BytesIO()  # an archive that cannot be written to its end causes noise on stderr
        workbook.save(written)
        super().close()
        self._raw.write(written.getbuffer())

    def _rows(self, sheet: Any, text: str) -> list[list[Any]]:
        """Return the rows of CSV as cells of a sheet."""
        csv.field_size_limit(max(csv.field_size_limit(), 1 << 24))
        rows = []
        for number, row in enumerate(csv.reader(io.StringIO(text, newline="")), 1):
            if number > _MOST or any(len(cell) > _LONGEST for cell in row):
                message = f"row {number}: a workbook has at most {_MOST:,} rows, and {_LONGEST:,} characters in a cell"
                raise InputError(message, hint=Hint(Option("output", "FILE.csv")))
            rows.append([self._cell(sheet, cell) for cell in row])
        return rows

    def _cell(self, sheet: Any, text: str) -> Any:
        match = _NUMBER.fullmatch(text)
        value = text if match is None else float(text) if match[1] else int(text)
        try:
            cell = self._openpyxl.cell.WriteOnlyCell(sheet, value)
        except self._openpyxl.utils.exceptions.IllegalCharacterError:
            raise InputError(
                f"a workbook cannot hold control characters: {text!r}", hint=Hint(Option("output", "FILE.csv"))
            ) from None
        if match is None:
            cell.data_type = "s"
        elif match[1]:
            cell.number_format = f"0.{'0' * len(match[1])}"
        return cell
