"""Read columns of a data frame as a corpus.

Batches of rows are Arrow record batches; only the required columns are read, and text from its Arrow buffers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Text
from geceval.base.arguments import as_sequence, shown, transpose_references
from geceval.base.errors import InputError, UsageError
from geceval.counting.stream import ALONE
from geceval.integrations.framework_rows import check_column
from geceval.statistics.resampling import Keys
from geceval.text.corpus import Corpus, given_references
from geceval.text.m2.blocks import Blocks
from geceval.text.reading.parquet_table import column_values

#: Key of a group of rows: values of some columns.
Key: TypeAlias = tuple[Any, ...]
Places: TypeAlias = NDArray[np.intp]

#: Names of types in Spark.
TEXTS = ("string", "varchar", "char")
WHOLE = ("byte", "short", "integer", "long")
KEYS = (*TEXTS, *WHOLE, "boolean", "date", "timestamp", "timestamp_ntz", "decimal")


@dataclass(frozen=True)
class Columns:
    """Names of the columns of a data frame that are read.

    Attributes:
        source: Source sentences.
        hypothesis: Corrected sentences.
        references: A column for each reference, or one column of lists.
        in_lists: Whether references are lists.
        gold: M2 blocks.
        order: Numbers of the sentences.
        by: Columns whose values define groups.
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
        """Distinct names of all columns."""
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
    """Return the columns of a data frame with these names.

    Args:
        frame: Data frame of Spark.
        source: Name of the column with source sentences.
        hypothesis: Name of the column with corrected sentences.
        references: Names of columns with references, or of one column with lists.
        gold: Name of the column with M2 blocks.
        order: Name of the column with numbers of sentences.
        by: Names of columns whose values define groups.

    Returns:
        The columns.

    Raises:
        UsageError: If a column does not exist.
        InputError: If a column has another type, or a name is not unique.
    """
    if not all(hasattr(frame, name) for name in ("mapInArrow", "schema")):
        raise InputError(f"df must be a Spark DataFrame, not {shown(frame)}", hint="use geceval.score_table")
    fields = [field.name for field in frame.schema.fields]
    for name in fields:
        if fields.count(name) > 1:
            raise InputError(f"the data frame has {fields.count(name)} columns named {name!r}")

    def kind(name: str) -> Any:
        check_column(name, fields, "the data frame")
        return frame.schema[name].dataType

    def check(name: str, kinds: Sequence[str], what: str) -> str:
        if kind(name).typeName() not in kinds:
            raise InputError(f"column {name!r} must be {what}, not {kind(name).simpleString()}")
        return name

    rows = [references] if isinstance(references, str) else as_sequence("references", references, "column")
    kinds = [kind(name) for name in rows]
    in_lists = len(rows) == 1 and kinds[0].typeName() == "array"
    if in_lists and kinds[0].elementType.typeName() not in TEXTS:
        raise InputError(f"column {rows[0]!r} must be lists of text, not {kinds[0].simpleString()}")
    what = "text (or one column with lists of text)"
    return Columns(
        check(source, TEXTS, "text"),
        check(hypothesis, TEXTS, "text"),
        tuple(check(name, ("array",) if in_lists else TEXTS, what) for name in rows),
        in_lists,
        None if gold is None else check(gold, TEXTS, "text with an M2 block in each cell"),
        None if order is None else check(order, WHOLE, "a whole number, the number of the sentence"),
        tuple(check(name, KEYS, "text, a date or a whole number") for name in by_names(by)),
    )


def by_names(by: str | Sequence[str]) -> list[str]:
    """Return the names of the columns that define groups.

    Args:
        by: Name of a column, or a list of names.

    Returns:
        The names.

    Raises:
        UsageError: If a column is named twice.
    """
    names = [by] if isinstance(by, str) else list(as_sequence("by", by, "column"))
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"by names the column {name!r} twice")
    return names


@dataclass(frozen=True)
class Batch:
    """A record batch of a partition, after ``first`` rows of the partition."""

    columns: Columns
    rows: Any
    partition: int
    first: int

    def where(self, row: int) -> str:
        """Return the position of a row for messages."""
        facts = [f"row {self.first + row} of partition {self.partition} (counted from 0)"]
        for name in (*self.columns.by, *([] if self.columns.order is None else [self.columns.order])):
            facts.append(f"{name} {shown(self.rows.column(name)[row].as_py())}")
        return ", ".join(facts)

    def error(self, name: str, row: int, message: str, hint: str | None = None) -> InputError:
        """Return an error in a cell."""
        return InputError(f"column {name!r}, {self.where(row)}: {message}", hint=hint)

    def read(self) -> Corpus:
        """Return the corpus of one system.

        Raises InputError, with column and row, if a cell is not text, or a row lacks references.
        """
        columns = self.columns
        gold = None if columns.gold is None else self._blocks(columns.gold)
        systems = {ALONE: self._texts(columns.hypothesis)}
        return Corpus(self._texts(columns.source), self._references(), systems, gold)

    def groups(self) -> dict[Key, Places]:
        """Return the indices of the rows of each group."""
        if not self.columns.by:
            return {(): np.arange(self.rows.num_rows)}
        places: dict[Key, list[int]] = {}
        keys = zip(*(self.rows.column(name).to_pylist() for name in self.columns.by), strict=True)
        for row, key in enumerate(keys):
            places.setdefault(key, []).append(row)
        return {key: np.array(rows, np.intp) for key, rows in places.items()}

    def numbers(self) -> Keys | None:
        """Return the numbers of the sentences, if a column contains them."""
        name = self.columns.order
        if name is None:
            return None
        values = self.rows.column(name).to_pylist()
        for row, value in enumerate(values):
            if value is None or value < 0:
                found = "null" if value is None else value
                raise self.error(name, row, f"the number of a sentence must be 0 or more, not {found}")
        return np.array(values, np.uint64)

    def _texts(self, name: str) -> Sequence[Any]:
        values = self._values(name)
        if self.rows.column(name).null_count:
            hint = f"remove these rows: df.dropna(subset=[{name!r}])"
            raise self.error(name, list(values).index(None), "text is required, not null", hint)
        return values

    def _values(self, name: str) -> Sequence[Any]:
        column = self.rows.column(name)
        try:
            return column_values(column)
        except UnicodeDecodeError:
            row = next(row for row in range(len(column)) if not _decodes(column[row]))
            raise self.error(name, row, "the bytes are not UTF-8") from None

    def _references(self) -> list[Text]:
        """Return the references [R][S]."""
        names = self.columns.references
        values = [self._values(name) for name in names]
        if self.columns.in_lists:
            values = [*transpose_references([cell or [] for cell in values[0]])]
        lines = self._values(self.columns.source)
        texts = [Text(given_references(reference, lines)) for reference in values]
        for row in range(self.rows.num_rows if names and not any(text.complete for text in texts) else 0):
            if all(text[row] is None for text in texts):
                raise self.error(names[0], row, "the row has no reference")
        return texts

    def _blocks(self, name: str) -> Blocks:
        """Return the M2 blocks, one per cell."""
        cells = [str(cell).rstrip() for cell in self._texts(name)]
        try:
            blocks = Blocks.parse("\n\n".join(cells).encode())
            if len(blocks) == len(cells):
                return blocks
        except InputError:
            pass
        for row, cell in enumerate(cells):  # find the invalid cell
            try:
                found = len(Blocks.parse(cell.encode()))
            except InputError as error:
                message = f"line {error.line} of the block: {error.message}"
                raise self.error(name, row, message, error.hint) from None
            if found != 1:
                raise self.error(name, row, f"one M2 block is required, not {found}")
        raise AssertionError("each block is valid, but not all together")


def _decodes(value: Any) -> bool:
    try:
        value.as_py()
    except UnicodeDecodeError:
        return False
    return True


def batches(columns: Columns, partition: int, rows: Iterator[Any]) -> Iterator[Batch]:
    """Yield the record batches of a partition, except empty ones.

    Args:
        columns: Columns to read.
        partition: Number of the partition.
        rows: Record batches.

    Yields:
        Batches with the number of preceding rows.
    """
    first = 0
    for own in rows:
        if own.num_rows:
            yield Batch(columns, own, partition, first)
        first += own.num_rows
