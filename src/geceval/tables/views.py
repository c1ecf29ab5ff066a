"""Lines with styles and hanging indents, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO, TypeAlias

from geceval.base.arguments import in_line, printable
from geceval.tables.table import ReportTable
from geceval.tables.terminal import as_text, text_width

if TYPE_CHECKING:
    from rich.console import Console


#: A line in parts, each with its style.
StyledLine: TypeAlias = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class HangingLines:
    """Texts, each after its name, with names in a column.

    ``style`` is the style of the names.
    """

    lines: Sequence[tuple[str, StyledLine]]
    indent: int = 4
    style: str = "dim"


#: Part of a view of sentences; an empty text is an empty line.
ViewPart: TypeAlias = "StyledLine | HangingLines | ReportTable | str"


def print_view(parts: Iterable[ViewPart], out: TextIO, digits: int = 2, width: int | None = None) -> None:
    """Print a view, with colours if ``out`` is a terminal.

    Args:
        parts: Parts of the view.
        out: The output.
        digits: Number of decimals of scores.
        width: Width of the terminal in columns; None for lines that are not wrapped.
    """
    from geceval.tables.console import Console

    console = Console(file=out, width=width, highlight=False, emoji=False, soft_wrap=True)
    is_plain = width is None and not console.is_terminal
    for part in parts:
        if isinstance(part, ReportTable):
            console.print(as_text(part, digits, width), markup=False, end="")
            continue
        for head, text in _lines(part):
            if is_plain:  # rich takes 100 us per line
                line = plain(head) + printable(plain(text)).rstrip()
                out.write(line.expandtabs() + "\n")
            else:
                _print_line(console, head, [(printable(words), style) for words, style in text], width)


def plain(line: StyledLine) -> str:
    """Return a line without styles."""
    return "".join([text for text, _ in line])


def _lines(part: StyledLine | HangingLines | str) -> Iterator[tuple[StyledLine, StyledLine]]:
    """Yield the head, with escapes for control characters, and the text of each line."""
    if not isinstance(part, HangingLines):
        yield (), [(part, "")] if isinstance(part, str) else part
        return
    names = [in_line(name) for name, _ in part.lines]
    column = max(map(text_width, names), default=0) + 2
    for name, (_, text) in zip(names, part.lines, strict=True):
        yield [(" " * part.indent, ""), (name + " " * (column - text_width(name)), part.style)], text


def _print_line(console: Console, head: StyledLine, text: StyledLine, width: int | None) -> None:
    """Print a text after its head, wrapped to ``width`` columns if given."""
    from rich.text import Text

    line = Text.assemble(*text)
    rows = [line] if width is None else line.wrap(console, max(width - text_width(plain(head)), 20)) or [line]
    for row in rows:
        row.rstrip()
        console.print(Text.assemble(*head).append_text(row), markup=False)
        head = [(" " * text_width(part), style) for part, style in head]
