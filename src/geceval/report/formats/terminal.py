"""Tables as text with aligned columns, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from geceval.report.direction import isolated
from geceval.report.table import ReportTable, mark_of

#: What stands between two columns.
GAP = "   "


def as_text(table: ReportTable, digits: int = 2, width: int | None = None) -> str:
    """Aligned columns. ``width``: of the terminal; None: as wide as the table is.

    A table that is too wide drops its spare columns, then is folded: the columns that do not fit follow below, beside
    the first ones again. No cell is ever cut.
    """
    columns = [[head, *cells] for head, cells in zip(table.heads, _columns(table, digits), strict=True)]
    widths = [max(map(text_width, cells)) for cells in columns]
    kept = list(range(len(columns)))
    spare = sorted((at for at in kept if table.columns[at].spare), key=lambda at: table.columns[at].spare)
    missing = []
    while width is not None and spare and _total(widths, kept) > width:
        missing.append(spare.pop(0))
        kept.remove(missing[-1])
    lines = [table.title, ""] if table.title else []
    for part in _folded(table, widths, kept, width):
        rule = "─" * _total(widths, part)
        rows = zip(*(_aligned(columns[at], widths[at], table.columns[at].right) for at in part), strict=True)
        head, *body = [GAP.join(row).rstrip() for row in rows]
        lines += [head, rule]
        for at, line in enumerate(body):
            lines += [rule, line] if at in table.sections else [line]
        lines.append("")
    left_out = [f"no room for: {', '.join(table.columns[at].head for at in missing)}"] if missing else []
    for under in ([*table.legend, *left_out], table.notes):
        lines += [*under, ""] if under else []
    return "\n".join(lines)


def _columns(table: ReportTable, digits: int) -> Iterator[list[str]]:
    """The cells of each column. Beside marks, numbers without one keep its place free, so that digits are aligned."""
    rows = table.texts(digits)
    for at, column in enumerate(table.columns):
        marks = [mark_of(row[at]) for row in table.rows]
        marked = column.right and any(marks)
        yield [f"{row[at]} " if marked and not mark else row[at] for row, mark in zip(rows, marks, strict=True)]


def text_width(text: str) -> int:
    """The columns of a terminal that a text takes."""
    if text.isascii() and text.isprintable():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _total(widths: Sequence[int], columns: Sequence[int]) -> int:
    return sum(widths[at] for at in columns) + len(GAP) * (len(columns) - 1)


def _folded(
    table: ReportTable, widths: Sequence[int], columns: Sequence[int], width: int | None
) -> Iterator[Sequence[int]]:
    """Columns that stand together, no wider than ``width`` where possible; all parts begin with those before the
    numbers."""
    first = next((place for place, at in enumerate(columns) if table.columns[at].right), 1)
    keys, together = columns[: max(first, 1)], list[list[int]]()
    for at in columns[len(keys) :]:
        if together and table.columns[at].beside:
            together[-1].append(at)
        else:
            together.append([at])
    if width is None or _total(widths, columns) <= width or len(together) < 2:
        yield columns
        return
    part = keys
    for own in together:
        if len(part) > len(keys) and _total(widths, [*part, *own]) > width:
            yield part
            part = keys
        part = [*part, *own]
    yield part


def _aligned(cells: Sequence[str], width: int, right: bool) -> Iterator[str]:
    for cell in cells:
        text = cell if cell.isascii() and cell.isprintable() else _harmless(cell)
        room = " " * (width - text_width(text))
        yield room + isolated(text) if right else isolated(text) + room


def _harmless(text: str) -> str:
    from rich.control import strip_control_codes

    return strip_control_codes(text)
