"""Rows of sentences, in formats that are written row by row."""

from __future__ import annotations

import csv
import io
import json
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from geceval.base.arguments import is_text
from geceval.base.arguments import shown as shown_name
from geceval.base.errors import InputError, UsageError
from geceval.counting.counts import Floats
from geceval.counting.metric_names import labels, names
from geceval.counting.stream import AnyMetric
from geceval.scoring.figure_names import part_names
from geceval.scoring.score_report import settings
from geceval.tables.numbers import all_shown
from geceval.text.files import SOURCE

#: Columns of source and hypothesis.
PAIR = ("source", "hypothesis")
#: Column of a reference.
REFERENCE = "reference{}"

SCHEMA = "geceval/sentences@1"


@dataclass(frozen=True)
class ScoreColumn:
    """A column of the scores of one system and metric.

    Attributes:
        head: Head in tables.
        path: Keys in JSON objects, below ``scores`` or ``parts``.
        system: Name of the system.
        metric: The metric.
        part: Name of a part of the score; empty: the score.
    """

    head: str
    path: tuple[str, ...]
    system: str
    metric: AnyMetric
    part: str = ""

    @property
    def in_percent(self) -> bool:
        """Whether the scores are shown times 100."""
        return self.metric.part_in_percent(self.part) if self.part else self.metric.in_percent


@dataclass(frozen=True)
class RowLayout:
    """The columns of a row: line number, texts and scores.

    ``references`` is the number of references; None for rows without texts.
    """

    columns: Sequence[ScoreColumn]
    references: int | None = None

    @property
    def texts(self) -> list[str]:
        """The heads of the text columns."""
        return [] if self.references is None else [*PAIR, *map(REFERENCE.format, range(self.references))]

    @property
    def heads(self) -> list[str]:
        """The heads of all columns."""
        return ["line", *self.texts, *(column.head for column in self.columns)]


@dataclass(frozen=True)
class SentenceRows:
    """Rows of a layout: line numbers [N] from 1, texts [T][N], scores [C][N]."""

    lines: Sequence[int]
    texts: Sequence[Sequence[str | None]]
    figures: Sequence[Floats]

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def references(self) -> list[list[str | None]]:
        """The references of each row."""
        texts = self.texts[len(PAIR) :]
        return list(map(list, zip(*texts, strict=True))) if texts else [[] for _ in self.lines]


class RowFormat(ABC):
    """Format of rows, written as bytes."""

    def start(self) -> bytes:
        """Return the bytes before the first row."""
        return b""

    @abstractmethod
    def rows(self, rows: SentenceRows) -> bytes:
        """Return the bytes of rows."""

    def end(self) -> bytes:
        """Return the bytes after the last row."""
        return b""


def columns_of(systems: Sequence[str], metrics: Sequence[AnyMetric], *, parts: bool, alone: bool) -> list[ScoreColumn]:
    """Return the columns of all systems and metrics.

    ``parts`` adds the parts of each score before it; ``alone`` omits the name if there is only one system.
    """
    columns = []
    for system in systems:
        for label, name, metric in zip(labels(metrics), names(metrics), metrics, strict=True):
            head = label if alone else f"{system} {label}" if len(metrics) > 1 else system
            path = (name,) if alone else (system, name)
            for part in part_names(metric) if parts else ():
                columns.append(ScoreColumn(f"{head} {part}", (*path, part), system, metric, part))
            columns.append(ScoreColumn(head, path, system, metric))
    return columns


def about(layout: RowLayout, signatures: Mapping[tuple[str, AnyMetric], str]) -> dict[str, Any]:
    """Return the signatures and settings of the columns."""
    columns = [
        {
            "name": column.head,
            "system": column.system,
            **({"guard": True} if column.system == SOURCE else {}),
            "metric": column.metric.name,
            **({"part": column.part} if column.part else {}),
            "settings": settings(column.metric),
            "signature": signatures[column.system, column.metric],
        }
        for column in layout.columns
    ]
    return {"columns": columns}


# --- tables ---


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


#: Characters that end a line, or a cell of a table without quotes.
_ENDS = {"\t": "a tab", "\n": "a line end", "\r": "a carriage return"}


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


# --- JSON Lines ---


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


#: Placeholder of a value; no name contains it.
_HOLE = "\0"


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


# --- parallel texts ---


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


def check_heads(layout: RowLayout) -> None:
    """Raise UsageError for equal names of columns, and for names that are not text."""
    hint = "-c NAME=FILE gives a system another name"
    strange = [head for head in layout.heads if not is_text(head)]
    if strange:
        raise UsageError(f"invalid name of a column: {shown_name(strange[0])}", hint=hint)
    check_double(layout)


def check_double(layout: RowLayout) -> None:
    """Raise UsageError if two different columns have the same name."""
    heads = ["line", *layout.texts, *(column.head for column in dict.fromkeys(layout.columns))]
    double = [head for head, number in Counter(heads).items() if number > 1]
    if double:
        raise UsageError(f"two columns have the name {double[0]}", hint="-c NAME=FILE gives a system another name")
