"""JSON Lines: one object per line, whose fields are the columns.

``a.b`` is a nested field.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any, cast

from geceval._kernel import Text
from geceval.base.arguments import shown
from geceval.text.corpus import Lines
from geceval.text.reading.delimited import MOST
from geceval.text.reading.formats import Format, InputFile

_DECODER = json.JSONDecoder()
#: Decodes the value at the start of a string and returns its end; much faster than ``loads`` for short lines.
_scan = json.scanner.make_scanner(_DECODER)  # type: ignore[attr-defined]

Path = tuple[str, ...]


class JsonLinesFormat(Format):
    """JSON objects whose columns are the fields of the first row.

    Other rows must have the used ones.
    """

    def columns(self, file: InputFile) -> Sequence[str]:
        return [".".join(path) for path in _paths(self._first(file))]

    def portions(self, file: InputFile, columns: Sequence[int], size: int) -> Iterator[Sequence[Sequence[Any]]]:
        paths = _paths(self._first(file))
        rows_before = 0
        for lines in file.lines(min(size, MOST)):
            rows = _rows(file, lines, rows_before)
            yield [_values(file, rows, paths[column], rows_before) for column in columns]
            rows_before += len(rows)

    def cells(self, file: InputFile, size: int) -> Iterator[Sequence[Sequence[Any]]]:
        paths = _paths(self._first(file))
        rows_before = 0
        for lines in file.lines(min(size, MOST)):
            rows = _rows(file, lines, rows_before)
            yield [[_value(row, path) for row in rows] for path in paths]
            rows_before += len(rows)

    def line(self, file: InputFile, row: int) -> int:
        return row + 1

    def _first(self, file: InputFile) -> dict[str, Any]:
        lines = next(file.lines(1), None)
        if lines is None:
            raise file.error("the table is empty")
        [row] = _rows(file, lines, 0)
        if not row:
            raise file.error("the first object has no fields, which name the columns", 1)
        return row


def _rows(file: InputFile, lines: Text, before: int) -> list[dict[str, Any]]:
    """Return the objects; ``before`` is the number of lines before them."""
    rows: list[Any] = []
    for line in cast(Lines, lines):
        try:
            row, end = _scan(line, 0)
        except (StopIteration, ValueError, RecursionError):
            end = -1
        if end != len(line):
            row = _decoded(file, line, before + len(rows) + 1)
        rows.append(row)
    if set(map(type, rows)) != {dict}:
        index = next(index for index, row in enumerate(rows) if type(row) is not dict)
        raise file.error(f"a row is a JSON object {{…}}, not {shown(rows[index])}", before + index + 1)
    return rows


def _decoded(file: InputFile, line: str, number: int) -> Any:
    """Return the value of a line that may have white space around it.

    Raises InputError.
    """
    if not line.strip():
        raise file.error("an empty line instead of a JSON object", number)
    try:
        return _DECODER.decode(line)
    except json.JSONDecodeError as error:
        raise file.error(f"not JSON: {error.msg} at character {error.colno}", number) from None
    except (ValueError, RecursionError) as error:
        raise file.error(f"not JSON that can be read: {error}", number) from None


def _paths(row: dict[str, Any], above: Path = ()) -> list[Path]:
    """Return the paths of all values that are not objects, or are empty ones."""
    paths: list[Path] = []
    for name, value in row.items():
        path = (*above, name)
        paths += _paths(value, path) if isinstance(value, dict) and value else [path]
    return paths


def _value(row: Any, path: Path) -> Any:
    """Return the value of a row at a path; None without one."""
    for name in path:
        row = row.get(name) if isinstance(row, dict) else None
    return row


def _values(file: InputFile, rows: Sequence[dict[str, Any]], path: Path, before: int) -> list[Any]:
    values: list[Any] = list(rows)
    for name in path:
        try:
            values = list(map(itemgetter(name), values))
        except (KeyError, TypeError, IndexError):
            row = next(row for row, value in enumerate(values) if not isinstance(value, dict) or name not in value)
            fields = ", ".join(map(str, values[row])) if isinstance(values[row], dict) else "nothing"
            message = f"the row has no field {'.'.join(path)}, but {fields}"
            raise file.error(message, before + row + 1) from None
    return values
