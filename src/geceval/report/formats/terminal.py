"""Tables as text with aligned columns, for a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from geceval.report.table import ReportTable, TableCell

#: First strong isolate and pop directional isolate (Unicode Bidirectional Algorithm, 6.3 and later).
ISOLATE, END = "\u2068", "\u2069"
#: Letters of right-to-left scripts, and the numbers of Arabic.
RIGHT_TO_LEFT = frozenset(("R", "AL", "AN", "RLE", "RLO", "RLI"))
#: Space between two columns.
GAP = "   "


def as_text(table: ReportTable, digits: int = 2, width: int | None = None) -> str:
    """Aligned columns. ``width``: of the terminal; None: as wide as the table is.

    A table that is too wide drops its spare columns, then is folded: the columns that do not fit follow below, beside
    the first ones again. No cell is ever cut.
    """
    columns = [*_columns(table, digits)]
    widths = [max(map(text_width, cells)) for cells in columns]
    parts: list[Sequence[int]] = [range(len(columns))]
    legend = [*table.legend]
    if width is not None and _total(widths, parts[0]) > width:
        kept, missing = _without_spare(table, widths, width)
        parts = [*_folded(table, widths, kept, width)]
        legend += [f"no room for: {', '.join(missing)}"] if missing else []
    lines = [table.title, ""] if table.title else []
    for part in parts:
        rule = "─" * _total(widths, part)
        rows = zip(*(_aligned(columns[at], widths[at], table.columns[at].right) for at in part), strict=True)
        for at, row in enumerate(rows, -1):  # the head is row -1
            lines += [rule] * ((at == 0) + (at in table.sections))
            lines.append(GAP.join(row).rstrip())
        lines += [rule, ""] if not table.rows else [""]
    for under in (legend, table.notes):
        lines += [*under, ""] if under else []
    return "\n".join(lines)


def _columns(table: ReportTable, digits: int) -> Iterator[list[str]]:
    """The head and the cells of each column. Beside marks, numbers without one keep its place free, so that digits are
    aligned."""
    for (column, *texts), *cells in zip(
        zip(table.columns, *table.texts(digits), strict=True), *table.rows, strict=True
    ):
        marked = [isinstance(cell, TableCell) and cell.mark != "" for cell in cells]
        if column.right and any(marked):
            texts = [text if mark else f"{text} " for text, mark in zip(texts, marked, strict=True)]
        yield [column.head, *texts]


def _without_spare(table: ReportTable, widths: Sequence[int], width: int) -> tuple[list[int], list[str]]:
    """The columns that are left when spare ones are dropped until the others fit, and the heads of those."""
    kept, missing = list(range(len(widths))), []
    for at in sorted((at for at in kept if table.columns[at].spare), key=lambda at: table.columns[at].spare):
        if _total(widths, kept) > width:
            kept.remove(at)
            missing.append(table.columns[at].head)
    return kept, missing


def text_width(text: str) -> int:
    """The columns of a terminal that a text takes."""
    if text.isascii() and text.isprintable():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _total(widths: Sequence[int], columns: Sequence[int]) -> int:
    return sum(widths[at] for at in columns) + len(GAP) * (len(columns) - 1)


def _folded(table: ReportTable, widths: Sequence[int], columns: Sequence[int], width: int) -> Iterator[Sequence[int]]:
    """Columns that stand together, no wider than ``width`` where possible; all parts begin with those before the
    numbers."""
    first = next((place for place, at in enumerate(columns) if table.columns[at].right), 1)
    keys, together = columns[: max(first, 1)], list[list[int]]()
    for at in columns[len(keys) :]:
        if together and table.columns[at].beside:
            together[-1].append(at)
        else:
            together.append([at])
    if _total(widths, columns) <= width or len(together) < 2:
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
        text, taken = cell, len(cell)
        if not (cell.isascii() and cell.isprintable()):
            from rich.control import strip_control_codes

            text, taken = isolated(strip_control_codes(cell)), text_width(strip_control_codes(cell))
        room = " " * (width - taken)
        yield room + text if right else text + room


def isolated(text: str) -> str:
    """The text so that what runs from right to left in it moves nothing around it; other text as it is.

    Both marks take no room on a terminal, and do not decide the direction of their line. In HTML the element bdi does
    the same.
    """
    if text.isascii() or not any(unicodedata.bidirectional(character) in RIGHT_TO_LEFT for character in text):
        return text
    return f"{ISOLATE}{text}{END}"
