"""Formats of rows of sentences: CSV, TSV, JSON Lines, parallel texts, Parquet."""

from __future__ import annotations

import csv
import io
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from geceval._kernel import __version__
from geceval.base.errors import InputError
from geceval.counting.counts import Floats
from geceval.scoring.sentence_rows import PAIR, SCHEMA, RowLayout, SentenceRows
from geceval.tables.numbers import all_shown
from geceval.text.reading.parquet_table import require_arrow

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
class DelimitedRows(RowFormat):
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
        shown = zip(self.layout.columns, rows.figures, strict=True)
        numbers = [all_shown(values, self.digits, column.in_percent) for column, values in shown]
        plain = self.delimiter == "\t" or not rows.texts
        texts = [_cells(self.layout, rows, at, plain) for at in range(len(rows.texts))]
        cells = zip(map(str, rows.lines), *texts, *numbers, strict=True)
        if not plain:
            return self._quoted(cells)
        return _bytes("".join([f"{self.delimiter.join(row)}\n" for row in cells]))

    def _quoted(self, rows: Iterable[Sequence[str]]) -> bytes:
        out = io.StringIO()
        plain, quoted = (
            csv.writer(out, delimiter=self.delimiter, lineterminator="\n", quoting=quoting)
            for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL)
        )
        for row in rows:  # some versions of Python do not quote a carriage return
            (quoted if "\r" in "".join(row) else plain).writerow(row)
        return _bytes(out.getvalue())


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")  # file names can contain bytes that are not UTF-8


def _cells(layout: RowLayout, rows: SentenceRows, at: int, plain: bool) -> Sequence[str]:
    """Return a column of text.

    Raises:
        InputError: If the format cannot represent a text.
    """
    texts = rows.texts[at]
    if None in texts:
        raise _refused(
            layout, at, rows.lines[texts.index(None)], "is missing, and TSV and CSV have no missing texts", "-f jsonl"
        )
    if plain:
        _check(layout, rows, at, _ENDS, "which ends a cell of TSV", "-f jsonl, csv or parquet")
    return cast("Sequence[str]", texts)


def _check(layout: RowLayout, rows: SentenceRows, at: int, signs: Iterable[str], why: str, hint: str) -> None:
    """Raise InputError for the first text that contains one of the characters."""
    texts = cast("Sequence[str]", rows.texts[at])
    together = "\0".join(texts)
    for sign in signs:
        if sign in together:
            line = next(line for line, text in zip(rows.lines, texts, strict=True) if sign in text)
            raise _refused(layout, at, line, f"has {_ENDS[sign]}, {why}", hint)


def _refused(layout: RowLayout, at: int, line: int, why: str, hint: str) -> InputError:
    return InputError(f"sentence {line}: its {layout.texts[at]} {why}", hint=f"{hint} can hold it")


@dataclass(frozen=True)
class JsonRows(RowFormat):
    """Rows as JSON objects of the same shape, one per line, with unscaled floats.

    NaN is null, and infinity is the string "inf".
    """

    layout: RowLayout

    def rows(self, rows: SentenceRows) -> bytes:
        """Return a line for each row."""
        layout = self.layout
        skeleton: dict[str, Any] = {"line": _HOLE}
        cells: list[Sequence[str]] = [list(map(str, rows.lines))]
        if layout.references is not None:
            skeleton |= {**dict.fromkeys(PAIR, _HOLE), "references": _HOLE}
            cells += [[_json(text) for text in texts] for texts in rows.texts[: len(PAIR)]]
            cells.append(list(map(_json, rows.references)))
        for key in ("scores", "parts"):
            for column, values in zip(layout.columns, rows.figures, strict=True):
                if (key == "parts") == bool(column.part):
                    _put(skeleton, (key, *column.path))
                    cells.append(_raw(values))
        line = _json(skeleton).replace("%", "%%").replace(_json(_HOLE), "%s") + "\n"
        return _bytes("".join([line % row for row in zip(*cells, strict=True)]))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _put(document: dict[str, Any], path: Sequence[str]) -> None:
    for key in path[:-1]:
        document = document.setdefault(key, {})
    document[path[-1]] = _HOLE


def _raw(values: Floats) -> list[str]:
    if np.isfinite(values).all():
        return list(map(repr, values.tolist()))
    return [
        repr(value) if math.isfinite(value) else "null" if math.isnan(value) else f'"{value}"'
        for value in values.tolist()
    ]


@dataclass(frozen=True)
class TextRows(RowFormat):
    """One of the texts, one per line."""

    layout: RowLayout
    at: int

    def rows(self, rows: SentenceRows) -> bytes:
        """Return one line for each row.

        Raises:
            InputError: If a text has several lines.
        """
        _check(self.layout, rows, self.at, "\n\r", "and has several lines", "-o with -f jsonl")
        return _bytes("".join([f"{text}\n" for text in rows.texts[self.at]]))


class ParquetRows(RowFormat):
    """Rows as Parquet, with at most one row group in memory.

    Scores are unscaled doubles, ``line`` is an integer, texts are strings, and ``references`` is a list of strings.
    The metadata key ``geceval`` contains the description of the columns.

    Raises:
        MissingExtraError: If pyarrow is not installed.
    """

    def __init__(self, layout: RowLayout) -> None:
        arrow = self._arrow = require_arrow()
        paired = layout.references is not None
        texts = [*((head, arrow.string()) for head in PAIR), ("references", arrow.list_(arrow.string()))]
        numbers = [(column.head, arrow.float64()) for column in layout.columns]
        fields = [("line", arrow.int64()), *(texts if paired else ()), *numbers]
        self._schema = arrow.schema(fields)
        self._paired, self._written, self._waiting = paired, io.BytesIO(), list[Any]()
        self._writer = arrow.parquet.ParquetWriter(self._written, self._schema, compression="zstd")

    def start(self) -> bytes:
        """Return the first bytes of the file."""
        return self._taken()

    def rows(self, rows: SentenceRows) -> bytes:
        """Add rows, and return the bytes of complete row groups."""
        columns: list[Any] = [rows.lines]
        if self._paired:
            columns += [*rows.texts[: len(PAIR)], rows.references]
        arrays = [
            self._arrow.array(values, field.type)
            for values, field in zip([*columns, *rows.figures], self._schema, strict=True)
        ]
        self._waiting.append(self._arrow.table(arrays, schema=self._schema))
        if sum(map(len, self._waiting)) >= GROUP:
            self._write()
        return self._taken()

    def _write(self) -> None:
        tables, self._waiting = self._waiting, []
        if tables:
            self._writer.write_table(self._arrow.concat_tables(tables), row_group_size=2 * GROUP)

    def end(self, content: Mapping[str, Any]) -> bytes:
        """Return the remaining rows, and the footer with the description of the columns."""
        self._write()
        document = {"schema": SCHEMA, "version": __version__, **content}
        self._writer.add_key_value_metadata({"geceval": json.dumps(document)})
        self._writer.close()
        return self._taken()

    def _taken(self) -> bytes:
        """Return what was written since the last call; Arrow counts the bytes before it."""
        data = self._written.getvalue()
        self._written.seek(0)
        self._written.truncate()
        return data
