"""Views of sentences in a terminal: lines, hanging lines and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO, TypeAlias

from geceval.report.formats.terminal import as_text
from geceval.report.table import ReportTable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


@dataclass(frozen=True)
class HangingLines:
    """Texts, each after its name, with names in a column.

    ``style`` is the style of the names.
    """

    lines: Sequence[tuple[str, Text]]
    indent: int = 4
    style: str = "dim"


#: Part of a view of sentences; an empty text is an empty line.
ViewPart: TypeAlias = "Text | HangingLines | ReportTable | str"


def print_view(parts: Iterable[ViewPart], out: TextIO, digits: int = 2, width: int | None = None) -> None:
    """Print a view, with colours if ``out`` is a terminal.

    Args:
        parts: Parts of the view.
        out: The output.
        digits: Number of decimals of scores.
        width: Width of the terminal in columns; None for lines that are not wrapped.
    """
    from rich.console import Console
    from rich.text import Text

    console = Console(file=out, width=width, highlight=False, emoji=False, soft_wrap=True)
    for part in parts:
        if isinstance(part, HangingLines):
            hanging(console, part, width)
        elif isinstance(part, ReportTable):
            console.print(as_text(part, digits, width), markup=False, end="")
        else:
            text = Text(part) if isinstance(part, str) else part
            for line in [text] if width is None else text.wrap(console, width) or [text]:
                line.rstrip()
                console.print(line, markup=False)


def hanging(console: Console, part: HangingLines, width: int | None) -> None:
    """Print texts after their names, wrapped to ``width`` columns if given."""
    from rich.cells import cell_len
    from rich.text import Text

    column = max((cell_len(name) for name, _ in part.lines), default=0) + 2
    room = None if width is None else max(width - part.indent - column, 20)
    for name, text in part.lines:
        rows = [text] if room is None else list(text.wrap(console, room)) or [text]
        for at, row in enumerate(rows):
            head = name if at == 0 else ""
            line = Text(" " * part.indent).append(head + " " * (column - cell_len(head)), part.style)
            row.rstrip()
            console.print(line.append_text(row), soft_wrap=True, highlight=False)
