"""Tables of groups × systems."""

from __future__ import annotations

from collections.abc import Sequence

from geceval.report.table import Kind, ReportTable, TableColumn, TableRow, best_cells


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
    columns += [TableColumn(system, kind, percent) for system in systems]
    rows: list[TableRow] = []
    for at, (group, values) in enumerate(groups):
        size = [] if sizes is None else [f"{sizes[at]:,}"]
        rows.append([group, *size, *best_cells(values, higher_is_better=higher_is_better)])
    return ReportTable(columns, rows, notes, title)
