"""The tables that the public n-gram tools print under ``-v``: cells in the middle of boxes of ASCII."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def boxed(rows: Sequence[Sequence[Any]]) -> str:
    """Rows of ASCII cells, the heads first, as prettytable draws them."""
    table = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    rule = f"+{'+'.join('-' * (width + 2) for width in widths)}+"
    heads, *lines = (
        f"|{'|'.join(f' {_centred(cell, width)} ' for cell, width in zip(row, widths, strict=True))}|" for row in table
    )
    return "\n".join([rule, heads, rule, *lines, rule])


def _centred(cell: str, width: int) -> str:
    """What room is left over goes to the right of a cell of odd length and to the left of an even one."""
    room = width - len(cell)
    left = room // 2 if len(cell) % 2 else (room + 1) // 2
    return " " * left + cell + " " * (room - left)
