"""Tables of values with typed columns, and the notes that several tables have."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, TypeGuard

from geceval.base.arguments import in_line
from geceval.base.ties import TOLERANCE
from geceval.tables.number_text import UNDEFINED, from_to, interval, p_value, round_half_up, shown, signed, with_minus
from geceval.text.files import SOURCE

#: Value of a table. Text and integers are printed unchanged. The column determines the format of other numbers and of
#: intervals, and the text for None.
Value: TypeAlias = str | int | float | tuple[float, float] | None
ColumnKind: TypeAlias = Literal[
    "text", "count", "score", "figure", "difference", "interval", "range", "p", "exact", "share"
]

#: Function that prints a number with a number of digits, for each kind of column. Only text is aligned to the left.
PRINTED: dict[ColumnKind, Callable[[float, int], str]] = {
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
    """A column of a table.

    Attributes:
        head: Head of the column.
        kind: Kind of the values, a key of PRINTED; "interval" and "range" for pairs of numbers.
        percent: Print values times 100.
        digits: Number of decimals; None: the number of the report plus ``finer``.
        finer: Number of decimals in addition to the number of the report.
        missing: Text for None.
        undefined: Explain UNDEFINED below the table: the column contains parts of scores, which may have no value.
        next_to_previous: Keep the column next to the previous one.
        spare: Order in which narrow terminals drop the column, 1 first; 0: never.
        longest: Width at which text output cuts the texts of the column, or where a terminal ends; 0: never.
        rows: Rows of the head in LaTeX, from the top, where adjacent columns share equal rows; empty: one row.
    """

    head: str
    kind: ColumnKind = "text"
    percent: bool = False
    digits: int | None = None
    finer: int = 0
    missing: str = ""
    undefined: bool = False
    next_to_previous: bool = False
    spare: int = 0
    longest: int = 0
    rows: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        """Whether the column is aligned to the right, as numbers are."""
        return self.kind != "text"


UNDEFINED_LEGEND = f"{UNDEFINED}: undefined, such as precision without proposed edits and recall without gold edits"


def table_columns(kind: ColumnKind, *heads: str, percent: bool = False, undefined: bool = False) -> list[TableColumn]:
    """Return columns of the same kind."""
    return [TableColumn(head, kind, percent, undefined=undefined) for head in heads]


@dataclass(frozen=True)
class TableCell:
    """A value with formatting.

    Attributes:
        value: The value.
        mark: Text after the value, such as ``†``.
        best: Whether the value is the best of several values.
        percent: Print the value times 100; None: as the column. Used in tables with rows of several metrics.
    """

    value: Value
    mark: str = ""
    best: bool = False
    percent: bool | None = None


def value_of(cell: Value | TableCell) -> Value:
    """Return the value of a cell with or without formatting."""
    return cell.value if isinstance(cell, TableCell) else cell


TableRow: TypeAlias = Sequence[Value | TableCell]
#: Columns with their values.
FilledColumns: TypeAlias = list[tuple[TableColumn, Sequence[Value | TableCell]]]


@dataclass(frozen=True)
class ReportTable:
    """A table with title, legend and notes.

    Attributes:
        columns: The columns.
        rows: Values of each row.
        notes: Lines below the table, mostly signatures.
        title: Line above the table.
        legend: Lines below the table that explain it.
        sections: Indices of rows with a rule above.
        above: Lines between the title and the table.
    """

    columns: Sequence[TableColumn]
    rows: Sequence[TableRow]
    notes: Sequence[str] = ()
    title: str = ""
    legend: Sequence[str] = ()
    sections: Collection[int] = ()
    above: Sequence[str] = ()

    def __post_init__(self) -> None:
        columns = [index for index, column in enumerate(self.columns) if column.undefined]
        values = (row[index] for row in self.rows for index in columns)
        # NaN is the only value that differs from itself.
        if UNDEFINED_LEGEND not in self.legend and any(value != value for value in map(value_of, values)):
            object.__setattr__(self, "legend", (*self.legend, UNDEFINED_LEGEND))

    @property
    def heads(self) -> list[str]:
        """The heads of the columns."""
        return [column.head for column in self.columns]

    def mapped(self, change: Callable[[str], str] = in_line) -> ReportTable:
        """Return the table with all texts changed, by default without control characters and line ends."""

        def changed(cell: Value | TableCell) -> Value | TableCell:
            if isinstance(cell, TableCell):
                return replace(cell, value=change(cell.value)) if isinstance(cell.value, str) else cell
            return change(cell) if isinstance(cell, str) else cell

        def all_changed(texts: Sequence[str]) -> tuple[str, ...]:
            return tuple(map(change, texts))

        columns = [replace(column, head=change(column.head), rows=all_changed(column.rows)) for column in self.columns]
        return replace(
            self,
            columns=columns,
            rows=[[*map(changed, row)] for row in self.rows],
            notes=all_changed(self.notes),
            title=change(self.title),
            legend=all_changed(self.legend),
            above=all_changed(self.above),
        )

    def texts(self, digits: int, undefined: str = UNDEFINED) -> list[list[str]]:
        """Return the rows as text, with marks; see ``cell_text``."""
        return [
            [
                str(cell)
                if type(cell) in (str, int)
                else cell_text(column, cell, digits, undefined) + (cell.mark if isinstance(cell, TableCell) else "")
                for column, cell in zip(self.columns, row, strict=True)
            ]
            for row in self.rows
        ]


def sections_of(rows: Sequence[TableRow]) -> list[int]:
    """Return the rows whose first cell differs from that of the row before; see ReportTable.sections."""
    return [index for index in range(1, len(rows)) if rows[index][0] != rows[index - 1][0]]


def has_marks(cells: Iterable[Value | TableCell]) -> bool:
    """Return whether a cell has a mark, which a legend explains."""
    return any(isinstance(cell, TableCell) and cell.mark for cell in cells)


def cell_text(column: TableColumn, cell: Value | TableCell, digits: int, undefined: str = UNDEFINED) -> str:
    """Return a cell as text, without its mark.

    ``undefined`` is the text of numbers and intervals without a value.
    """
    value, percent = cell, column.percent
    if isinstance(cell, TableCell):
        value, percent = cell.value, column.percent if cell.percent is None else cell.percent
    if isinstance(value, str):
        return value
    decimals = digits + column.finer if column.digits is None else column.digits
    scale = 100 if percent else 1
    if isinstance(value, float):
        return undefined if value != value else PRINTED[column.kind](value * scale, decimals)
    if isinstance(value, tuple):
        if value[0] != value[0]:
            return undefined
        return (from_to if column.kind == "range" else interval)(value[0] * scale, value[1] * scale, decimals)
    return column.missing if value is None else str(value)


def best_cells(
    values: Sequence[float | None],
    *,
    higher_is_better: bool = True,
    groups: Sequence[object] | None = None,
    unmarked: Sequence[bool] | None = None,
) -> list[TableCell]:
    """Return scores as cells, with the best score marked if there are several.

    ``groups`` contains the group of each score, and the best of each group is marked. The unchanged source is a group,
    and so are the systems given in one form. ``unmarked`` scores, of systems that equal the source, are not candidates
    for the mark.
    """
    groups = [""] * len(values) if groups is None else groups
    unmarked = [False] * len(values) if unmarked is None else unmarked
    best = {}
    rows = list(zip(values, groups, unmarked, strict=True))
    for group, size in Counter(groups).items():
        scores = [value for value, name, is_source in rows if name == group and not is_source and _has_value(value)]
        best[group] = (max if higher_is_better else min)(scores) if scores and size > 1 else None
    return [TableCell(value, best=not is_source and _is_top(value, best[group])) for value, group, is_source in rows]


def _has_value(value: float | None) -> TypeGuard[float]:
    return value is not None and not math.isnan(value)


def _is_top(value: float | None, best: float | None) -> bool:
    return value is not None and best is not None and abs(value - best) <= TOLERANCE


def column_table(
    columns: Sequence[tuple[TableColumn, Sequence[Value | TableCell]]],
    notes: Sequence[str] = (),
    title: str = "",
    legend: Sequence[str] = (),
    sections: Collection[int] = (),
    above: Sequence[str] = (),
) -> ReportTable:
    """Return a table from columns and their values."""
    rows = list(zip(*(cells for _, cells in columns), strict=True))
    return ReportTable([column for column, _ in columns], rows, notes, title, legend, sections, above)


def plain_table(
    heads: Sequence[str],
    rows: Sequence[TableRow],
    notes: Sequence[str] = (),
    right: Collection[int] = (),
    title: str = "",
) -> ReportTable:
    """Return a table of texts, with the columns ``right`` aligned to the right."""
    columns = [TableColumn(head, "count" if index in right else "text") for index, head in enumerate(heads)]
    return ReportTable(columns, rows, notes, title)


#: Note on the row of the unchanged source.
SOURCE_NOTE = f"{SOURCE}: score of the uncorrected text; not a system"


def ceiling_legend(ceilings: Mapping[str, tuple[float | None, bool]]) -> list[str]:
    """Return the line of ceilings.

    ``ceilings`` contains the value and whether it is in per cent, by label of the metric.
    """
    listed = [
        f"{label} {shown(value, 2, percent)}" for label, (value, percent) in ceilings.items() if value is not None
    ]
    return [f"ceiling (corrected text of the gold, of the best annotator): {', '.join(listed)}"] if listed else []


#: Forms of systems in a sentence.
_FORM_TITLES = {"M2": "given as M2", "text": "as text"}


def forms_note(forms: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return the lines above a table of systems in different forms, such as M2 and text.

    ``forms``: the form of each system, by the label of the metric to which this matters.
    """
    labels: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for label, forms_of_systems in forms.items():
        labels.setdefault(tuple(forms_of_systems.items()), []).append(label)
    lines = []
    for pairs, metrics in labels.items():
        names: dict[str, list[str]] = {}
        for name, form in sorted(pairs, key=lambda pair: pair[1]):
            names.setdefault(form, []).append(name)
        listed = "; ".join(f"{_FORM_TITLES.get(form, form)}: {', '.join(systems)}" for form, systems in names.items())
        lines.append(f"{listed}; ranked separately for {', '.join(metrics)}")
    return lines


def stacked(head: str, tables: Mapping[str, ReportTable]) -> ReportTable:
    """Return the rows of several tables as one table, with the columns of all.

    Args:
        head: Head of the first column, which names the table of a row.
        tables: The tables by name; columns with the same head are one.
    """
    columns = {column.head: column for table in tables.values() for column in reversed(table.columns)}
    heads = list(dict.fromkeys(head for table in tables.values() for head in table.heads))
    rows: list[TableRow] = []
    for name, table in tables.items():
        for row in table.rows:
            cells = {
                column.head: cell if isinstance(cell, TableCell) else TableCell(cell, percent=column.percent)
                for column, cell in zip(table.columns, row, strict=True)
            }
            rows.append([name, *(cells.get(column) for column in heads)])
    return ReportTable([TableColumn(head), *(columns[name] for name in heads)], rows)
