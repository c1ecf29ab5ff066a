"""Owners of the references in further tables: all systems, if they are copies, or the systems in their table."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from geceval._kernel import Text
from geceval.base.errors import InputError
from geceval.base.hints import Hint, Option
from geceval.text.blank_texts import is_blank
from geceval.text.reading.aligned_files import PART, Rows, align_columns, as_list, narrow_rows
from geceval.text.reading.column_roles import TableColumns
from geceval.text.reading.file_columns import FileColumn

#: Share of rows up to which references that differ between tables are damaged copies.
DAMAGED = 0.05
#: Number of rows that a message lists.
LISTED = 5


@dataclass
class _Differences:
    """Rows in which a column of references has a text that is not one of the first table's.

    ``examples`` has the first of them: row, references of the first table, other reference.
    """

    rows: int = 0
    examples: list[tuple[int, str, str]] = field(default_factory=list)

    def add(self, row: int, expected: Sequence[str], text: str) -> None:
        """Add a row."""
        self.rows += 1
        if len(self.examples) < LISTED:
            self.examples.append((row, " / ".join(expected), text))


#: A warning and its hint.
Remark: TypeAlias = tuple[str, Hint]


def with_owners(columns: TableColumns) -> tuple[TableColumns, Remark | None]:
    """Return columns without further references: they are copies, or belong to the systems in their table.

    The references of all tables are read.

    Returns:
        The columns, and a warning if references belong to systems.

    Raises:
        InputError: For references that differ in few rows, and for others in a table without a system.
    """
    if not columns.further_references:
        return columns, None
    try:
        differences, number = _compare(columns)
    except InputError:
        return columns, None  # all columns are read later, and the message about them lists all files
    column, differing = max(differences.items(), key=lambda item: item[1].rows)
    if not differing.rows:
        return replace(columns, further_references=()), None
    by_content = [(name, system.content) for name, system in columns.systems.items()]
    references = [*columns.references, *columns.further_references]
    has_systems = {reference.content for reference in references} <= {content for _, content in by_content}
    first = columns.references[0].content.name
    if not has_systems or differing.rows < DAMAGED * number:
        raise _copy_error(column, differing, number, first)
    owned = {
        name: [reference for reference in references if reference.content is content] for name, content in by_content
    }
    message = (
        f"the references of {column.content.name} differ from those of {first} in {differing.rows} of {number} rows"
    )
    files = Hint(Option("references", "FILE"), " gives all systems the same references")
    columns = replace(
        columns, references=(), further_references=(), own_references=owned | dict(columns.own_references)
    )
    return columns, (f"{message}: each system is scored against the references of its own table", files)


def _compare(columns: TableColumns) -> tuple[dict[FileColumn, _Differences], int]:
    """Return the rows in which each further column differs, and the number of rows."""
    references = [*columns.references, *columns.further_references]
    differences = {column: _Differences() for column in columns.further_references}
    number = 0
    for portion in narrow_rows(align_columns(references, PART), references, PART):
        for column, differing in differences.items():
            for row, expected, text in _differing_rows(column, columns.references, portion):
                differing.add(row, expected, text)
        number += len(portion.values[references[0]])
    return differences, number


def _differing_rows(
    column: FileColumn, references: Sequence[FileColumn], portion: Rows
) -> Iterator[tuple[int, list[str], str]]:
    """Yield the rows in which a text of a column is not one of the references, spaces aside."""
    values = portion.values[column]
    candidates: Collection[int] = range(len(values))
    for reference in references:
        cells = portion.values[reference]
        if isinstance(values, Text) and isinstance(cells, Text):
            candidates = set(candidates).intersection(values.differing(cells))
    for row in sorted(candidates):
        expected = [text for reference in references for text in _texts_of_cell(portion.values[reference][row])]
        words = {"".join(text.split()) for text in expected}
        text = next((text for text in _texts_of_cell(values[row]) if "".join(text.split()) not in words), None)
        if text is not None:
            yield portion.start + row, expected, text


def _texts_of_cell(cell: Any) -> list[str]:
    """Return the references in a cell that are not missing; a list of tokens is not a reference."""
    return [str(text) for text in as_list(cell) if text is not None and not is_blank(text)]


def _copy_error(column: FileColumn, differing: _Differences, number: int, first: str) -> InputError:
    """Return the error for a column that is not a copy of the references."""
    (row, expected, text), *more_examples = differing.examples
    lines = [(listed_row, column.content.line_of(listed_row)) for listed_row, _, _ in more_examples]
    more = ", ".join(f"row {listed_row + 1}" if line is None else f"line {line}" for listed_row, line in lines)
    more = f"; also {more}{', …' * (differing.rows > LISTED)}" if more else ""
    message = f"the reference differs from the one of {first} ({differing.rows} of {number} rows differ{more})"
    step = f"score {column.content.name} alone, all systems against the same references: "
    named = Option("references", "NAME=FILE")
    hint = Hint(step, Option("references", "FILE"), ", or each against its own: ", named, f"\n  {expected}\n  {text}")
    return column.error(row, message, hint)
