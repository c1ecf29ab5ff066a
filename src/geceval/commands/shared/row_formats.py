"""Formats of rows of sentences: CSV, TSV, JSON Lines, one text per line, Parquet."""

from __future__ import annotations

import io
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from geceval._kernel import __version__
from geceval.base.errors import InputError
from geceval.base.hints import Hint, Option
from geceval.base.output_files import write_cells
from geceval.counting.counts import Floats
from geceval.results.sentence_rows import PAIR, SCHEMA, RowLayout, SentenceRows, short_json, text_of_cell
from geceval.tables.number_text import all_shown
from geceval.text.frames import plain_values
from geceval.text.reading.parquet import require_arrow

#: Minimum number of rows of a row group: files with small groups are slow to read.
GROUP = 1 << 16
#: Characters that end a line, or a cell of a table without quotes.
_ENDS = {"\t": "a tab", "\n": "a line end", "\r": "a carriage return"}
#: Placeholder of a value; no name contains it.
_HOLE = "\0"


class RowFormat(ABC):
    """Format of rows, written as bytes."""

    def start(self) -> bytes:
        """Return the bytes before the first row."""
        return b""

    @abstractmethod
    def rows(self, rows: SentenceRows) -> bytes:
        """Return the bytes of rows."""

    def end(self, content: Mapping[str, Any]) -> bytes:
        """Return the bytes after the last row; ``content`` describes the columns."""
        return b""


@dataclass(frozen=True)
class DelimitedFormat(RowFormat):
    """Rows as CSV or TSV; TSV has no quotes."""

    layout: RowLayout
    digits: int
    delimiter: str

    def start(self) -> bytes:
        """Return the line of names."""
        return self._quoted([self.layout.heads])

    def rows(self, rows: SentenceRows) -> bytes:
        """Return one line for each row.

        Raises:
            InputError: If the format cannot represent a text.
        """
        column_values = zip(self.layout.columns, rows.figures, strict=True)
        numbers = [all_shown(values, self.digits, column.in_percent) for column, values in column_values]
        columns = rows.texts
        if self.layout.table is not None:
            columns = [list(map(text_of_cell, plain_values(values))) for values in rows.cells]
        plain = self.delimiter == "\t" or not columns
        rows = replace(rows, texts=columns)
        texts = [_cells(self.layout, rows, index, plain) for index in range(len(columns))]
        lines = [list(map(str, rows.lines))] if self.layout.line else []
        cells = zip(*lines, *texts, *numbers, strict=True)
        if not plain:
            return self._quoted(cells)
        return _bytes("".join([f"{self.delimiter.join(row)}\n" for row in cells]))

    def _quoted(self, rows: Iterable[Sequence[str]]) -> bytes:
        out = io.StringIO()
        write_cells(out, rows, self.delimiter)
        return _bytes(out.getvalue())


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")  # file names can contain bytes that are not UTF-8


def _cells(layout: RowLayout, rows: SentenceRows, index: int, plain: bool) -> Sequence[str]:
    """Return a column of text.

    Raises:
        InputError: If the format cannot represent a text.
    """
    texts = rows.texts[index]
    if None in texts:
        line = rows.lines[texts.index(None)]
        writer = Hint(Option("format", "jsonl"))
        raise _text_error(layout, index, line, "is missing, and TSV and CSV have no missing texts", writer)
    if plain:
        writer = Hint(Option("format", "jsonl"), ", csv or parquet")
        _check_characters(layout, rows, index, _ENDS, "which ends a cell of TSV", writer)
    return cast("Sequence[str]", texts)


def _check_characters(
    layout: RowLayout, rows: SentenceRows, index: int, characters: Iterable[str], why: str, writer: Hint
) -> None:
    """Raise InputError for the first text that contains one of the characters."""
    texts = cast("Sequence[str]", rows.texts[index])
    together = "\0".join(texts)
    for character in characters:
        if character in together:
            line = next(line for line, text in zip(rows.lines, texts, strict=True) if character in text)
            raise _text_error(layout, index, line, f"has {_ENDS[character]}, {why}", writer)


def _text_error(layout: RowLayout, index: int, line: int, problem: str, writer: Hint) -> InputError:
    hint = Hint(writer, " can hold it")
    return InputError(f"sentence {line}: its {layout.texts[index]} {problem}", hint=hint)


@dataclass(frozen=True)
class JsonLinesFormat(RowFormat):
    """Rows as JSON objects of the same shape, one per line, with unscaled floats.

    NaN is null, and infinity is the string "inf".
    """

    layout: RowLayout

    def rows(self, rows: SentenceRows) -> bytes:
        """Return a line for each row."""
        layout = self.layout
        skeleton: dict[str, Any] = dict.fromkeys(layout.line, _HOLE)
        cells: list[Sequence[str]] = [list(map(str, rows.lines))] * len(layout.line)
        if layout.table is not None:
            skeleton |= dict.fromkeys(layout.table, _HOLE)
            cells += [list(map(short_json, plain_values(cells))) for cells in rows.cells]
        elif layout.references is not None:
            skeleton |= {**dict.fromkeys(PAIR, _HOLE), "references": _HOLE}
            cells += [[short_json(text) for text in texts] for texts in rows.texts[: len(PAIR)]]
            cells.append(list(map(short_json, rows.references)))
        for key in ("scores", "parts"):
            for column, values in zip(layout.columns, rows.figures, strict=True):
                if (key == "parts") == bool(column.part):
                    _put(skeleton, (key, *column.path))
                    cells.append(_json_numbers(values))
        line = short_json(skeleton).replace("%", "%%").replace(short_json(_HOLE), "%s") + "\n"
        return _bytes("".join([line % row for row in zip(*cells, strict=True)]))


def _put(document: dict[str, Any], path: Sequence[str]) -> None:
    for key in path[:-1]:
        document = document.setdefault(key, {})
    document[path[-1]] = _HOLE


def _json_numbers(values: Floats) -> list[str]:
    if np.isfinite(values).all():
        return list(map(repr, values.tolist()))
    return [
        repr(value) if math.isfinite(value) else "null" if math.isnan(value) else f'"{value}"'
        for value in values.tolist()
    ]


@dataclass(frozen=True)
class TextFormat(RowFormat):
    """One of the texts, one per line."""

    layout: RowLayout
    index: int

    def rows(self, rows: SentenceRows) -> bytes:
        """Return one line for each row.

        Raises:
            InputError: If a text has several lines.
        """
        writer = Hint(Option("output"), " with ", Option("format", "jsonl"))
        _check_characters(self.layout, rows, self.index, "\n\r", "and has several lines", writer)
        return _bytes("".join([f"{text}\n" for text in rows.texts[self.index]]))


class ParquetFormat(RowFormat):
    """Rows as Parquet, with at most one row group in memory.

    Scores are unscaled doubles, ``line`` is an integer, texts are strings, and ``references`` is a list of strings.
    The metadata key ``geceval`` contains the description of the columns.

    Raises:
        MissingExtraError: If pyarrow is not installed.
    """

    def __init__(self, layout: RowLayout) -> None:
        arrow = self._arrow = require_arrow()
        self._layout, self._buffer, self._tables = layout, io.BytesIO(), list[Any]()
        texts = [*((head, arrow.string()) for head in PAIR), ("references", arrow.list_(arrow.string()))]
        self._writer: Any = None
        if layout.table is None:
            self._open(texts if layout.references is not None else [])

    def _open(self, fields: Sequence[tuple[str, Any]]) -> None:
        """Start the file; ``fields`` are the columns between the line and the scores."""
        arrow, layout = self._arrow, self._layout
        lines = [(head, arrow.int64()) for head in layout.line]
        numbers = [(column.head, arrow.float64()) for column in layout.columns]
        self._schema = arrow.schema([*lines, *fields, *numbers])
        self._writer = arrow.parquet.ParquetWriter(self._buffer, self._schema, compression="zstd")

    def _open_table(self, cells: Sequence[Sequence[Any]]) -> None:
        """Start the file with the types of the first cells of a user's table."""
        string = self._arrow.string()
        types = [self._array(values).type for values in cells] if cells else [string] * len(self._layout.texts)
        kinds = [string if type_ == self._arrow.null() else type_ for type_ in types]
        self._open(list(zip(self._layout.texts, kinds, strict=True)))

    def _array(self, values: Sequence[Any], type_: Any = None) -> Any:
        try:
            return self._arrow.array(values, type_)
        except (self._arrow.ArrowException, TypeError) as error:
            reason = str(error).splitlines()[0]
            hint = Hint(Option("format", "jsonl"), " can hold it")
            raise InputError(f"a column has values of several types: {reason}", hint=hint) from None

    def start(self) -> bytes:
        """Return the first bytes of the file."""
        return self._drain()

    def rows(self, rows: SentenceRows) -> bytes:
        """Add rows, and return the bytes of complete row groups."""
        layout = self._layout
        if self._writer is None:
            if not len(rows):
                return b""
            self._open_table(rows.cells)
        columns: list[Any] = [rows.lines] * len(layout.line)
        if layout.table is not None:
            columns += rows.cells
        elif layout.references is not None:
            columns += [*rows.texts[: len(PAIR)], rows.references]
        arrays = [
            self._array(values, field.type)
            for values, field in zip([*columns, *rows.figures], self._schema, strict=True)
        ]
        self._tables.append(self._arrow.table(arrays, schema=self._schema))
        if sum(map(len, self._tables)) >= GROUP:
            self._write()
        return self._drain()

    def _write(self) -> None:
        tables, self._tables = self._tables, []
        if tables:
            self._writer.write_table(self._arrow.concat_tables(tables), row_group_size=2 * GROUP)

    def end(self, content: Mapping[str, Any]) -> bytes:
        """Return the remaining rows, and the footer with the description of the columns."""
        if self._writer is None:
            self._open_table(())
        self._write()
        document = {"schema": SCHEMA, "version": __version__, **content}
        self._writer.add_key_value_metadata({"geceval": json.dumps(document)})
        self._writer.close()
        return self._drain()

    def _drain(self) -> bytes:
        """Return and clear the buffer; Arrow keeps the position in the file."""
        data = self._buffer.getvalue()
        self._buffer.seek(0)
        self._buffer.truncate()
        return data
