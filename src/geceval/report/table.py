"""Tables with typed columns: cells hold values, and a format prints them with the digits that are asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from geceval.report.numbers import from_to, interval, p_value, round_half_up, signed, with_minus

#: A value of a table: text and whole numbers are printed as they are, other numbers and intervals as their column says,
#: None as its text for missing values.
Value: TypeAlias = str | int | float | tuple[float, float] | None
Kind: TypeAlias = Literal["text", "count", "score", "figure", "difference", "interval", "range", "p", "exact", "share"]

#: Kind of a column -> how it prints a number, given the digits. Texts stand on the left, all else on the right.
PRINTED: dict[Kind, Callable[[float, int], str]] = {
    "text": lambda value, digits: str(value),
    "count": lambda value, digits: f"{value:.{digits}f}",
    "score": round_half_up,
    "figure": lambda value, digits: with_minus(round_half_up(value, digits)),
    "difference": lambda value, digits: signed(round_half_up(value, digits)),
    "p": lambda value, digits: p_value(value),
    "exact": lambda value, digits: f"{value:.6g}",
    "share": lambda value, digits: f"{round_half_up(value, digits)} %",
}


@dataclass(frozen=True)
class TableColumn:
    """A column: its head, and how its values are printed.

    ``kind``: see PRINTED; "interval" and "range" are for pairs of numbers. ``percent``: times 100. ``digits``:
    decimals, None for those that are asked for and ``finer`` more. ``missing``: the text for None. ``beside``: the
    column stays with the one before it; ``spare``: a narrow terminal drops the column, that with the lowest number
    first (0: never).
    """

    head: str
    kind: Kind = "text"
    percent: bool = False
    digits: int | None = None
    finer: int = 0
    missing: str = ""
    beside: bool = False
    spare: int = 0

    @property
    def right(self) -> bool:
        """Whether the column is aligned to the right, as numbers are."""
        return self.kind != "text"


def table_columns(kind: Kind, *heads: str, percent: bool = False) -> list[TableColumn]:
    """Columns of one kind."""
    return [TableColumn(head, kind, percent) for head in heads]


@dataclass(frozen=True)
class TableCell:
    """A value with a ``mark`` behind it, such as ``†``, or the ``best`` of several values; ``percent`` overrides that
    of the column, in tables whose rows hold several metrics."""

    value: Value
    mark: str = ""
    best: bool = False
    percent: bool | None = None


TableRow: TypeAlias = Sequence[Value | TableCell]
#: Columns with their cells.
FilledColumns: TypeAlias = list[tuple[TableColumn, Sequence[Value | TableCell]]]


@dataclass(frozen=True)
class ReportTable:
    """Columns and rows, a ``title`` above, and below a ``legend`` that explains the table and ``notes``, mostly
    signatures. ``sections``: rows with a line above them."""

    columns: Sequence[TableColumn]
    rows: Sequence[TableRow]
    notes: Sequence[str] = ()
    title: str = ""
    legend: Sequence[str] = ()
    sections: Collection[int] = ()

    @property
    def heads(self) -> list[str]:
        """The heads of the columns."""
        return [column.head for column in self.columns]

    def texts(self, digits: int) -> list[list[str]]:
        """The rows as they are printed, with their marks."""
        return [
            [
                cell_text(column, cell, digits) + (cell.mark if isinstance(cell, TableCell) else "")
                for column, cell in zip(self.columns, row, strict=True)
            ]
            for row in self.rows
        ]


def cell_text(column: TableColumn, cell: Value | TableCell, digits: int) -> str:
    """A cell as it is printed, without its mark."""
    value, percent = cell, column.percent
    if isinstance(cell, TableCell):
        value, percent = cell.value, column.percent if cell.percent is None else cell.percent
    if isinstance(value, str):
        return value
    decimals = digits + column.finer if column.digits is None else column.digits
    scale = 100 if percent else 1
    if isinstance(value, float):
        return PRINTED[column.kind](value * scale, decimals)
    if isinstance(value, tuple):
        return (from_to if column.kind == "range" else interval)(value[0] * scale, value[1] * scale, decimals)
    return column.missing if value is None else str(value)


def best_cells(
    values: Sequence[float | None], *, higher_is_better: bool = True, apart: bool = False
) -> list[TableCell]:
    """Scores as cells, the best of them marked as such; none where there is but one. ``apart``: the last one is that of
    the unchanged source, which is no system."""
    systems = values[: len(values) - apart]
    known = [value for value in systems if value is not None]
    top = (max if higher_is_better else min)(known) if known and len(systems) > 1 else None
    found = [TableCell(value, best=value is not None and value == top) for value in systems]
    return [*found, *map(TableCell, values[len(systems) :])]


def group_table(
    head: str,
    systems: Sequence[str],
    groups: Sequence[tuple[str, Sequence[float | None]]],
    *,
    kind: Kind = "figure",
    percent: bool = True,
    higher_is_better: bool = True,
    sizes: Sequence[int] | None = None,
    title: str = "",
    notes: Sequence[str] = (),
) -> ReportTable:
    """A row for each group with the scores of the systems, the best of them marked; ``sizes``: sentences of a group."""
    columns = [TableColumn(head), *([] if sizes is None else [TableColumn("sentences", "count")])]
    columns += table_columns(kind, *systems, percent=percent)
    rows: list[TableRow] = []
    for at, (group, values) in enumerate(groups):
        size = [] if sizes is None else [f"{sizes[at]:,}"]
        rows.append([group, *size, *best_cells(values, higher_is_better=higher_is_better)])
    return ReportTable(columns, rows, notes, title)


def column_table(
    columns: Sequence[tuple[TableColumn, Sequence[Value | TableCell]]],
    notes: Sequence[str] = (),
    title: str = "",
    legend: Sequence[str] = (),
    sections: Collection[int] = (),
) -> ReportTable:
    """A table given column by column."""
    rows = list(zip(*(cells for _, cells in columns), strict=True))
    return ReportTable([column for column, _ in columns], rows, notes, title, legend, sections)


def plain_table(
    heads: Sequence[str],
    rows: Sequence[TableRow],
    notes: Sequence[str] = (),
    right: Collection[int] = (),
    title: str = "",
) -> ReportTable:
    """A table of texts; the columns ``right`` are aligned to the right."""
    columns = [TableColumn(head, "count" if at in right else "text") for at, head in enumerate(heads)]
    return ReportTable(columns, rows, notes, title)
