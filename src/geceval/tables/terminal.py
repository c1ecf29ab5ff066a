"""Tables as text with aligned columns, for terminals."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from geceval.tables.table import ReportTable, TableCell

#: First strong isolate and pop directional isolate (Unicode Bidirectional Algorithm, 6.3 and later).
ISOLATE, END = "\u2068", "\u2069"
#: Bidirectional classes of right-to-left letters and Arabic numbers.
RIGHT_TO_LEFT = frozenset(("R", "AL", "AN", "RLE", "RLO", "RLI"))
#: Space between two columns.
GAP = "   "
#: Minimum width of a text column with wrapped cells, in columns of the terminal.
LEAST = 10


def as_text(table: ReportTable, digits: int = 2, width: int | None = None) -> str:
    """Return a table as aligned columns.

    Columns with a longest width are cut. A table that is still too wide omits its spare columns. Texts are then wrapped
    at words, and columns that still do not fit follow below, after the first columns again. Long words in cells are
    broken; numbers are not.

    Args:
        table: The table.
        digits: Number of decimals of scores.
        width: Width of the terminal in columns; None: unlimited.
    """
    table = table.mapped()
    columns = _cut_columns(table, [*_columns(table, digits)], width)
    widths = [max(map(text_width, cells)) for cells in columns]
    parts: list[Mapping[int, int]] = [dict(enumerate(widths))]
    legend = [*table.legend]
    if width is not None and _total(parts[0]) > width:
        remaining, missing = _without_spare(table, widths, width)
        parts = [*_fitted(table, columns, {index: widths[index] for index in remaining}, width)]
        legend += [f"not enough space for: {', '.join(missing)}"] if missing else []
    lines: list[str] = []
    for above in ([table.title] if table.title else [], table.above):
        lines += above if width is None else [part for line in above for part in wrapped(line, width)]
        lines += [""] if above else []
    for part in parts:
        rule = "─" * _total(part)
        for number, cells in enumerate(zip(*columns, strict=True), -1):  # the head is row -1
            lines += [rule] * ((number == 0) + (number in table.sections))
            lines += _row_lines(cells, part, table)
        lines += [rule, ""] if not table.rows else [""]
    for under in (legend, table.notes):
        lines += under if width is None else [part for line in under for part in wrapped(line, width)]
        lines += [""] if under else []
    return "\n".join(lines)


def wrapped(text: str, width: int, *, inside_words: bool = False) -> list[str]:
    """Return the lines of a text, wrapped at words.

    Args:
        text: One line; all lines have its indentation.
        width: Width of the lines in columns of the terminal.
        inside_words: Break words that are longer than a line, after slashes where possible.
    """
    if text_width(text) <= width:
        return [text]
    indent = text[: len(text) - len(text.lstrip())]
    room = max(width - len(indent), LEAST)
    lines: list[str] = []
    for word in text.split():
        gap = " "
        for piece in _pieces(word, room) if inside_words else [word]:
            if lines and text_width(lines[-1] + gap + piece) <= room:
                lines[-1] += gap + piece
            else:
                lines.append(piece)
            gap = ""
    return [indent + line for line in lines]


def _pieces(word: str, width: int) -> list[str]:
    """Return parts of a word that fit into ``width`` columns."""
    from rich.cells import chop_cells

    if text_width(word) <= width:
        return [word]
    return [piece for part in re.findall("[^/]*/|[^/]+", word) for piece in chop_cells(part, width)]


def _columns(table: ReportTable, digits: int) -> Iterator[list[str]]:
    """Yield the head and the cells of each column.

    In a column with marks, numbers without a mark end in a space, which aligns the digits.
    """
    for (column, *texts), *cells in zip(
        zip(table.columns, *table.texts(digits), strict=True), *table.rows, strict=True
    ):
        marked = [isinstance(cell, TableCell) and cell.mark != "" for cell in cells]
        if column.right and any(marked):
            texts = [text if mark else f"{text} " for text, mark in zip(texts, marked, strict=True)]
        yield [column.head, *texts]


def _cut_columns(table: ReportTable, columns: Sequence[list[str]], width: int | None) -> list[list[str]]:
    """Return the columns; those with a longest width are cut to it, or to what the others leave of the terminal."""
    room = math.inf
    if width is not None:
        widths = {
            index: 0 if column.longest else max(map(text_width, cells))
            for index, (column, cells) in enumerate(zip(table.columns, columns, strict=True))
        }
        room = width - _total(widths)
    return [
        [_shortened(text, int(max(min(column.longest, room), LEAST))) for text in cells] if column.longest else cells
        for column, cells in zip(table.columns, columns, strict=True)
    ]


def _shortened(text: str, width: int) -> str:
    """Return a text of at most ``width`` columns of a terminal."""
    if text_width(text) <= width:
        return text
    from rich.cells import set_cell_size

    return f"{set_cell_size(text, width - 1).rstrip()}…"


def _without_spare(table: ReportTable, widths: Sequence[int], width: int) -> tuple[list[int], list[str]]:
    """Omit spare columns until the other columns fit.

    Returns:
        The indices of the remaining columns, and the heads of the omitted columns.
    """
    remaining, missing = list(range(len(widths))), []
    spare = [(column.spare, index) for index, column in enumerate(table.columns) if column.spare]
    for _, index in sorted(spare):
        if _total({index: widths[index] for index in remaining}) > width:
            remaining.remove(index)
            missing.append(table.columns[index].head)
    return remaining, missing


def text_width(text: str) -> int:
    """Return the width of a text in columns of a terminal."""
    if text.isascii() and text.isprintable():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _total(part: Mapping[int, int]) -> int:
    """Return the total width of columns; ``part`` contains the width of each."""
    return sum(part.values()) + len(GAP) * (len(part) - 1)


def _fitted(
    table: ReportTable, columns: Sequence[Sequence[str]], widths: Mapping[int, int], width: int
) -> Iterator[Mapping[int, int]]:
    """Yield the parts of a table, within ``width`` where possible.

    Each part contains the width of each of its columns, by index.
    """
    texts = [index for index in widths if not table.columns[index].right]
    words = {index: max([LEAST, *map(text_width, " ".join(columns[index]).split())]) for index in texts}
    least = dict.fromkeys(texts, LEAST)
    narrow = _narrowed(widths, words, width)
    if len(texts) == len(widths):
        narrow = _narrowed(narrow, least, width)
    if _total(narrow) <= width:
        yield narrow
        return
    for part in _folded(table, widths, width):
        yield _narrowed(_narrowed(part, words, width), least, width)


def _narrowed(widths: Mapping[int, int], least: Mapping[int, int], width: int) -> Mapping[int, int]:
    """Return widths with a total of ``width``.

    The widest column is narrowed first, and no column below its ``least``.
    """
    narrow = dict(widths)
    while _total(narrow) > width:
        index = max(narrow, key=lambda index: narrow[index] if narrow[index] > least.get(index, narrow[index]) else 0)
        if narrow[index] <= least.get(index, narrow[index]):
            break
        narrow[index] -= 1
    return narrow


def _folded(table: ReportTable, widths: Mapping[int, int], width: int) -> Iterator[Mapping[int, int]]:
    """Yield the parts of a table, within ``width`` where possible.

    Each part starts with the columns before the numbers.
    """
    columns = list(widths)
    first = next((position for position, index in enumerate(columns) if table.columns[index].right), 1)
    keys, groups = columns[: max(first, 1)], list[list[int]]()
    for index in columns[len(keys) :]:
        if groups and table.columns[index].next_to_previous:
            groups[-1].append(index)
        else:
            groups.append([index])
    part = keys
    for group in groups:
        if len(part) > len(keys) and _total({index: widths[index] for index in [*part, *group]}) > width:
            yield {index: widths[index] for index in part}
            part = keys
        part = [*part, *group]
    yield {index: widths[index] for index in part}


def _row_lines(cells: Sequence[str], part: Mapping[int, int], table: ReportTable) -> Iterator[str]:
    """Yield the lines of a row with the columns of a part."""
    texts = [
        [cells[index]] if text_width(cells[index]) <= width else wrapped(cells[index], width, inside_words=True)
        for index, width in part.items()
    ]
    for line in zip_longest(*texts, fillvalue=""):
        pairs = zip(part.items(), line, strict=True)
        yield GAP.join(_aligned(text, width, table.columns[index].right) for (index, width), text in pairs).rstrip()


def _aligned(text: str, width: int, right: bool) -> str:
    room = " " * (width - text_width(text))
    text = isolated(text)
    return room + text if right else text + room


def isolated(text: str) -> str:
    """Return a text with isolating marks if it contains right-to-left characters.

    The marks have no width and do not determine the direction of their line. The HTML equivalent is the element bdi.
    """
    if text.isascii() or not any(unicodedata.bidirectional(character) in RIGHT_TO_LEFT for character in text):
        return text
    return f"{ISOLATE}{text}{END}"
