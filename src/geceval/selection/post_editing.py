"""Sheets in which people correct the outputs of systems, and the references that they contain afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from geceval.base.errors import InputError
from geceval.text.blank_texts import is_blank
from geceval.text.columns import CompleteText, check_lengths
from geceval.text.reading.input_tables import InputTable, open_tables

#: Columns of a sheet. People edit the last one, which contains the output first.
COLUMNS = ("line", "system", "source", "hypothesis", "reference")


def sheet_rows(source: CompleteText, systems: Mapping[str, CompleteText]) -> Iterator[tuple[str, ...]]:
    """Yield the header and a row for each output of each system."""
    yield COLUMNS
    for name, outputs in systems.items():
        for number, (line, output) in enumerate(zip(source, outputs, strict=True), 1):
            yield str(number), name, line, output, output


@dataclass(frozen=True)
class PostEdits:
    """References that people made of the outputs of a system.

    Attributes:
        references: References [S].
        unchanged: Number of outputs that are their own reference.
    """

    references: Sequence[str]
    unchanged: int


def read_post_edits(path: str, source: CompleteText, systems: Mapping[str, CompleteText]) -> dict[str, PostEdits]:
    """Return the references in an edited sheet, by system.

    Args:
        path: The sheet, whose rows may be in another order.
        source: Sentences [S].
        systems: Outputs [S] of each system.

    Raises:
        UsageError: If a column is missing.
        InputError: If rows or systems are missing or repeated, if another column than the reference was edited, or if a
            reference is empty.
    """
    tables = {table.label: table for table in open_tables([path], system="system")}
    for name in systems.keys() ^ tables.keys():
        whose = "is not in the sheet" if name in systems else "is only in the sheet"
        raise InputError(f"system {name} {whose}", path=path, hint=f"the systems of the sheet: {', '.join(tables)}")
    return {name: _post_edits(tables[name], source, outputs) for name, outputs in systems.items()}


def _post_edits(table: InputTable, source: CompleteText, outputs: CompleteText) -> PostEdits:
    columns = {name: table.column(name, name) for name in COLUMNS}
    values = {name: column.all_values() for name, column in columns.items()}
    check_lengths(
        [("source", len(source)), (f"{table.content.file.name}, system {table.label}", len(values["line"]))],
        noun="sentences",
    )
    references: list[str | None] = [None] * len(source)
    unchanged = 0
    for row, cells in enumerate(zip(*values.values(), strict=True)):
        line, _, *texts = cells
        number = str(line).removesuffix(".0")
        index = int(number) - 1 if number.isascii() and number.isdecimal() else -1
        if not 0 <= index < len(source) or references[index] is not None:
            hint = "each line of the source has one row for each system: restore the numbers"
            raise columns["line"].error(row, f"{line} is no line of the source, or is repeated", hint)
        for name, text, expected in zip(COLUMNS[2:4], texts, (source[index], outputs[index]), strict=False):
            if not _is_same(text, expected):
                raise columns[name].error(row, "the cell was edited", f"restore it: {expected}")
        reference = texts[-1]
        if is_blank(reference or "") and not is_blank(source[index]):
            raise columns["reference"].error(row, "the reference is empty", "write the sentence as it should be")
        is_unchanged = _is_same(reference, outputs[index])
        references[index] = outputs[index] if is_unchanged else " ".join(str(reference).split())
        unchanged += is_unchanged
    return PostEdits([text or "" for text in references], unchanged)


def _is_same(cell: Any, text: str) -> bool:
    """Return whether a cell has a text, spaces aside; workbooks store texts of digits as numbers."""
    content = "" if cell is None else str(cell)
    number = _number_of(content)
    return content.split() == text.split() or (number is not None and number == _number_of(text))


def _number_of(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
