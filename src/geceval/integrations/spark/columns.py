"""Columns of a data frame as a corpus: which they are, and what their cells hold.

Batches of rows come as Arrow's record batches; only what is used of them is turned into Python's values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import as_sequence, by_reference, shown
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
    """The places of the columns of a data frame that are read, ``names`` being those of all of its columns.

    ``references``: a column for each reference, or one of lists (``in_lists``). ``gold``: M2 blocks. ``order``: the
    sentence's number. ``by``: what rows are grouped by.
    """

    names: tuple[str, ...]
    source: int
    hypothesis: int
    references: tuple[int, ...] = ()
    in_lists: bool = False
    gold: int | None = None
    order: int | None = None
    by: tuple[int, ...] = ()

    @property
    def wanted(self) -> list[str]:
        """The names of those that are read, each once."""
        several = [self.source, self.hypothesis, *self.references, self.gold, self.order, *self.by]
        return list(dict.fromkeys(self.names[at] for at in several if at is not None))

    def alone(self) -> Columns:
        """The same of a data frame that has nothing but ``wanted``."""
        names = self.wanted

        def place(at: int) -> int:
            return names.index(self.names[at])

        return Columns(
            tuple(names),
            place(self.source),
            place(self.hypothesis),
            tuple(map(place, self.references)),
            self.in_lists,
            None if self.gold is None else place(self.gold),
            None if self.order is None else place(self.order),
            tuple(map(place, self.by)),
        )


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
    types = [(field.name, field.dataType) for field in frame.schema.fields]
    names = tuple(name for name, _ in types)
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"the data frame has {names.count(name)} columns called {name!r}")

    def place(name: str, kinds: Sequence[str], what: str) -> int:
        check_column(name, names, "the data frame")
        at = names.index(name)
        kind = types[at][1]
        if kind.typeName() not in kinds:
            raise InputError(f"column {name!r}: {what} is needed, not {kind.simpleString()}")
        return at

    rows = [references] if isinstance(references, str) else as_sequence("references", references, "column")
    for name in rows:
        check_column(name, names, "the data frame")
    kinds = [types[names.index(name)][1] for name in rows]
    in_lists = len(rows) == 1 and kinds[0].typeName() == "array"
    if in_lists and kinds[0].elementType.typeName() not in TEXTS:
        raise InputError(f"column {rows[0]!r}: lists of texts are needed, not {kinds[0].simpleString()}")
    what = "text (or one column with lists of texts)"
    return Columns(
        names,
        place(source, TEXTS, "text"),
        place(hypothesis, TEXTS, "text"),
        tuple(place(name, ("array",) if in_lists else TEXTS, what) for name in rows),
        in_lists,
        None if gold is None else place(gold, TEXTS, "text, an M2 block in each cell,"),
        None if order is None else place(order, WHOLE, "a whole number, the sentence's,"),
        tuple(place(name, KEYS, "text, a date or a whole number") for name in by_names(by)),
    )


def by_names(by: str | Sequence[str]) -> list[str]:
    """What rows are grouped by. Raises UsageError for a column named twice."""
    names = [by] if isinstance(by, str) else list(as_sequence("by", by, "column"))
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"by names the column {name!r} twice")
    return names


@dataclass(frozen=True)
class Read:
    """A batch of rows as a corpus. ``texts[s]`` and ``annotators[s]``: how many references a row has, and how many
    annotators its gold edits (None: there are none)."""

    corpus: Corpus
    texts: NDArray[np.intp]
    annotators: NDArray[np.intp] | None


@dataclass(frozen=True)
class Batch:
    """Some rows: a record batch of the partition with this number, in which ``first`` rows stand before it."""

    columns: Columns
    rows: Any
    partition: int
    first: int

    def __len__(self) -> int:
        return int(self.rows.num_rows)

    def where(self, row: int) -> str:
        """How people find a row."""
        told = [f"row {self.first + row} of partition {self.partition} (counted from 0)"]
        for at in (*self.columns.by, *([] if self.columns.order is None else [self.columns.order])):
            told.append(f"{self.columns.names[at]} {shown(self.rows.column(at)[row].as_py())}")
        return ", ".join(told)

    def error(self, at: int, row: int, message: str, hint: str | None = None) -> InputError:
        """An error in a cell."""
        return InputError(f"column {self.columns.names[at]!r}, {self.where(row)}: {message}", hint=hint)

    def read(self) -> Read:
        """The corpus, of one system. Raises InputError that names column and row for a cell without text, and for a
        row without any reference where columns have some."""
        columns = self.columns
        references, numbers = self._references()
        gold = None if columns.gold is None else self._blocks(columns.gold)
        systems = {ALONE: self._texts(columns.hypothesis)}
        corpus = Corpus(self._texts(columns.source), references, systems, gold)
        annotators = None if corpus.gold is None else np.diff(Blocks.of(corpus.gold).edits.versions).astype(np.intp)
        return Read(corpus, numbers, annotators)

    def groups(self) -> dict[Key, Places | None]:
        """The places of the rows of each group; None: all of them."""
        if not self.columns.by:
            return {(): None}
        places: dict[Key, list[int]] = {}
        keys = zip(*(self.rows.column(at).to_pylist() for at in self.columns.by), strict=True)
        for row, key in enumerate(keys):
            places.setdefault(key, []).append(row)
        if len(places) == 1:
            return dict.fromkeys(places)
        return {key: np.array(rows, np.intp) for key, rows in places.items()}

    def numbers(self) -> Keys | None:
        """The sentences' numbers, if a column has them."""
        at = self.columns.order
        if at is None:
            return None
        values = self.rows.column(at).to_pylist()
        for row, value in enumerate(values):
            if value is None or value < 0:
                said = "null" if value is None else value
                raise self.error(at, row, f"the number of a sentence is 0 or more, not {said}")
        return np.array(values, np.uint64)

    def _texts(self, at: int, *, optional: bool = False) -> list[Any]:
        values = self._values(at)
        if not optional and self.rows.column(at).null_count:
            name = self.columns.names[at]
            hint = f"leave such rows out: df.dropna(subset=[{name!r}])"
            raise self.error(at, values.index(None), "a text is needed, not null", hint)
        return values

    def _values(self, at: int) -> list[Any]:
        column = self.rows.column(at)
        try:
            return list(column.to_pylist())
        except UnicodeDecodeError:
            row = next(row for row in range(len(column)) if not _decodes(column[row]))
            raise self.error(at, row, "these bytes are no text in UTF-8") from None

    def _references(self) -> tuple[list[list[Any]], NDArray[np.intp]]:
        """``references[r][s]`` and the number of those that are there, [S]."""
        columns = self.columns
        if columns.in_lists:
            texts = by_reference([cell or [] for cell in self._values(columns.references[0])])
        else:
            texts = [self._texts(at, optional=True) for at in columns.references]
        there = np.zeros(len(self), np.intp)
        for text in texts:
            there += True if None not in text else np.array([line is not None for line in text])
        if columns.references and not there.all():
            row = int(np.argmin(there))
            raise self.error(columns.references[0], row, "there is no reference")
        return texts, there

    def _blocks(self, at: int) -> Blocks:
        """The M2 blocks, one in each cell."""
        cells = [str(cell).rstrip() for cell in self._texts(at)]
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
                raise self.error(at, row, f"line {error.line} of the block: {error.message}", error.hint) from None
            if found != 1:
                raise self.error(at, row, f"an M2 block is needed, not {found}")
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
