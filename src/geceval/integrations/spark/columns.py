"""Columns of a data frame as a corpus: which they are, and what their cells hold.

Batches of rows come as Arrow's record batches; only what is used of them is turned into Python's values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import as_sequence, shown, transpose_references
from geceval.base.errors import InputError, UsageError
from geceval.counting.stream import ALONE
from geceval.integrations.framework_rows import check_column
from geceval.statistics.resampling import Keys
from geceval.text.corpus import Corpus
from geceval.text.m2 import Blocks

#: What rows are grouped by: the values of some columns.
Key: TypeAlias = tuple[Any, ...]
Places: TypeAlias = NDArray[np.intp]

#: Spark's names of types.
TEXTS = ("string", "varchar", "char")
WHOLE = ("byte", "short", "integer", "long")
KEYS = (*TEXTS, *WHOLE, "boolean", "date", "timestamp", "timestamp_ntz", "decimal")


@dataclass(frozen=True)
class Columns:
    """The names of the columns of a data frame that are read.

    ``references``: a column for each reference, or one of lists (``in_lists``). ``gold``: M2 blocks. ``order``: the
    sentence's number. ``by``: what rows are grouped by.
    """

    source: str
    hypothesis: str
    references: tuple[str, ...] = ()
    in_lists: bool = False
    gold: str | None = None
    order: str | None = None
    by: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """Each name once."""
        several = [self.source, self.hypothesis, *self.references, self.gold, self.order, *self.by]
        return list(dict.fromkeys(name for name in several if name is not None))


def columns_of(
    frame: Any,
    source: str,
    hypothesis: str,
    references: str | Sequence[str],
    gold: str | None,
    order: str | None,
    by: str | Sequence[str],
) -> Columns:
    """The columns with these names. Raises UsageError for one that is not there, InputError for one of another type."""
    if not all(hasattr(frame, name) for name in ("mapInArrow", "schema")):
        raise InputError(f"df is a Spark DataFrame, not {shown(frame)}", hint="other tables: geceval.score_table")
    fields = [field.name for field in frame.schema.fields]
    for name in fields:
        if fields.count(name) > 1:
            raise InputError(f"the data frame has {fields.count(name)} columns called {name!r}")

    def kind(name: str) -> Any:
        check_column(name, fields, "the data frame")
        return frame.schema[name].dataType

    def checked(name: str, kinds: Sequence[str], what: str) -> str:
        if kind(name).typeName() not in kinds:
            raise InputError(f"column {name!r}: {what} is needed, not {kind(name).simpleString()}")
        return name

    rows = [references] if isinstance(references, str) else as_sequence("references", references, "column")
    kinds = [kind(name) for name in rows]
    in_lists = len(rows) == 1 and kinds[0].typeName() == "array"
    if in_lists and kinds[0].elementType.typeName() not in TEXTS:
        raise InputError(f"column {rows[0]!r}: lists of texts are needed, not {kinds[0].simpleString()}")
    what = "text (or one column with lists of texts)"
    return Columns(
        checked(source, TEXTS, "text"),
        checked(hypothesis, TEXTS, "text"),
        tuple(checked(name, ("array",) if in_lists else TEXTS, what) for name in rows),
        in_lists,
        None if gold is None else checked(gold, TEXTS, "text, an M2 block in each cell,"),
        None if order is None else checked(order, WHOLE, "a whole number, the sentence's,"),
        tuple(checked(name, KEYS, "text, a date or a whole number") for name in by_names(by)),
    )


def by_names(by: str | Sequence[str]) -> list[str]:
    """What rows are grouped by. Raises UsageError for a column named twice."""
    names = [by] if isinstance(by, str) else list(as_sequence("by", by, "column"))
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"by names the column {name!r} twice")
    return names


@dataclass(frozen=True)
class Batch:
    """Some rows: a record batch of the partition with this number, in which ``first`` rows stand before it."""

    columns: Columns
    rows: Any
    partition: int
    first: int

    def where(self, row: int) -> str:
        """How people find a row."""
        told = [f"row {self.first + row} of partition {self.partition} (counted from 0)"]
        for name in (*self.columns.by, *([] if self.columns.order is None else [self.columns.order])):
            told.append(f"{name} {shown(self.rows.column(name)[row].as_py())}")
        return ", ".join(told)

    def error(self, name: str, row: int, message: str, hint: str | None = None) -> InputError:
        """An error in a cell."""
        return InputError(f"column {name!r}, {self.where(row)}: {message}", hint=hint)

    def read(self) -> Corpus:
        """The corpus, of one system. Raises InputError that names column and row for a cell without text, and for a
        row without any reference where columns have some."""
        columns = self.columns
        gold = None if columns.gold is None else self._blocks(columns.gold)
        systems = {ALONE: self._texts(columns.hypothesis)}
        return Corpus(self._texts(columns.source), self._references(), systems, gold)

    def groups(self) -> dict[Key, Places]:
        """The places of the rows of each group."""
        if not self.columns.by:
            return {(): np.arange(self.rows.num_rows)}
        places: dict[Key, list[int]] = {}
        keys = zip(*(self.rows.column(name).to_pylist() for name in self.columns.by), strict=True)
        for row, key in enumerate(keys):
            places.setdefault(key, []).append(row)
        return {key: np.array(rows, np.intp) for key, rows in places.items()}

    def numbers(self) -> Keys | None:
        """The sentences' numbers, if a column has them."""
        name = self.columns.order
        if name is None:
            return None
        values = self.rows.column(name).to_pylist()
        for row, value in enumerate(values):
            if value is None or value < 0:
                said = "null" if value is None else value
                raise self.error(name, row, f"the number of a sentence is 0 or more, not {said}")
        return np.array(values, np.uint64)

    def _texts(self, name: str) -> list[Any]:
        values = self._values(name)
        if None in values:
            hint = f"leave such rows out: df.dropna(subset=[{name!r}])"
            raise self.error(name, values.index(None), "a text is needed, not null", hint)
        return values

    def _values(self, name: str) -> list[Any]:
        column = self.rows.column(name)
        try:
            return list(column.to_pylist())
        except UnicodeDecodeError:
            row = next(row for row in range(len(column)) if not _decodes(column[row]))
            raise self.error(name, row, "these bytes are no text in UTF-8") from None

    def _references(self) -> list[list[Any]]:
        """``references[r][s]``."""
        names = self.columns.references
        texts = [self._values(name) for name in names]
        if self.columns.in_lists:
            texts = transpose_references([cell or [] for cell in texts[0]])
        for row in range(self.rows.num_rows if names and all(None in text for text in texts) else 0):
            if all(text[row] is None for text in texts):
                raise self.error(names[0], row, "there is no reference")
        return texts

    def _blocks(self, name: str) -> Blocks:
        """The M2 blocks, one in each cell."""
        cells = [str(cell).rstrip() for cell in self._texts(name)]
        try:
            blocks = Blocks.parse("\n\n".join(cells).encode())
            if len(blocks) == len(cells):
                return blocks
        except InputError:
            pass
        for row, cell in enumerate(cells):  # which of them is it?
            try:
                found = len(Blocks.parse(cell.encode()))
            except InputError as error:
                message = f"line {error.line} of the block: {error.message}"
                raise self.error(name, row, message, error.hint) from None
            if found != 1:
                raise self.error(name, row, f"an M2 block is needed, not {found}")
        raise AssertionError("blocks that are sound one by one")


def _decodes(value: Any) -> bool:
    try:
        value.as_py()
    except UnicodeDecodeError:
        return False
    return True


def batches(columns: Columns, partition: int, rows: Iterator[Any]) -> Iterator[Batch]:
    """The record batches of a partition, but for empty ones."""
    first = 0
    for own in rows:
        if own.num_rows:
            yield Batch(columns, own, partition, first)
        first += own.num_rows
