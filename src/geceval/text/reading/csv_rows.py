"""Rows of CSV as in RFC 4180, read by the standard library's csv.

This module raises csv's limit of 131,072 characters per cell and adds file, line and hint to its errors.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any, TextIO

from geceval.base.errors import InputError
from geceval.text.files import PathLike, display_name

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
