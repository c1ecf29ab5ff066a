"""Edits inside their sentence, for a terminal: told apart by sign, and by colour where there is some."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO, TypeAlias

from geceval.counting.contract import Outcome
from geceval.report.direction import isolated
from geceval.report.formats.terminal import as_text
from geceval.report.table import ReportTable
from geceval.studies.explaining.sentence_segments import Segment

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

#: Sign and colour of what became of an edit; None: it does not count.
SIGNS: dict[Outcome | None, str] = {"correct": "✓", "wrong": "✗", "missed": "○", None: "·"}
COLOURS: dict[Outcome | None, str] = {"correct": "green", "wrong": "red", "missed": "yellow", None: "cyan"}

#: Control characters, which a terminal would obey, as pictures of them.
_VISIBLE = {code: 0x2400 + code for code in range(0x20)} | {0x7F: 0x2421} | dict.fromkeys(range(0x80, 0xA0), 0xFFFD)


def visible(text: str) -> str:
    """Text that a terminal only shows."""
    return text.translate(_VISIBLE)


def marked(
    segments: Iterable[Segment],
    *,
    types: bool = False,
    terminal: bool = False,
    signs: Mapping[Outcome | None, str] = SIGNS,
    colours: Mapping[Outcome | None, str] = COLOURS,
) -> Text:
    """A version of a sentence, each edit in braces with its sign: {are→is ✓}, {+the ✗}, {-of ○}; ``types``: with
    their types."""
    from rich.text import Text

    line = Text()
    for segment in segments:
        if line:
            line.append(" ")
        if segment.kind == "kept":
            line.append(visible(segment.source))
            continue
        colour = colours[segment.outcome]
        source, text = (visible(part) for part in (segment.source, segment.text))
        if terminal:
            source, text = isolated(source), isolated(text)
        line.append("{", colour)
        if source:
            line.append(f"-{source}" if not text else source, f"strike {colour}")
        if text:
            line.append("→" if source else "+", colour)
            line.append(text, f"bold {colour}")
        line.append(f" {signs[segment.outcome]}", colour)
        if types and segment.type:
            line.append(f" {visible(segment.type)}", f"dim {colour}")
        line.append("}", colour)
    return line


def plainly(segments: Iterable[Segment], *, types: bool = False) -> str:
    """The same without colours."""
    return marked(segments, types=types).plain


@dataclass(frozen=True)
class StyledLine:
    """A line in a style of rich."""

    text: str
    style: str


@dataclass(frozen=True)
class HangingLines:
    """Texts, each behind its name, the names in a column. ``style``: of the names."""

    lines: Sequence[tuple[str, Text]]
    indent: int = 4
    style: str = "dim"


#: A part of a view of sentences; an empty text is an empty line.
ViewPart: TypeAlias = StyledLine | HangingLines | ReportTable | str


def print_view(parts: Iterable[ViewPart], out: TextIO, digits: int = 2, width: int | None = None) -> None:
    """Print a view, coloured where ``out`` is a terminal. ``width``: of the terminal, None where there is none: lines
    are not folded then."""
    from rich.console import Console

    console = Console(file=out, width=width, highlight=False, emoji=False, soft_wrap=True)
    for part in parts:
        if isinstance(part, HangingLines):
            hanging(console, part.lines, width, indent=part.indent, style=part.style)
        elif isinstance(part, ReportTable):
            console.print(as_text(part, digits, width), markup=False, end="")
        elif isinstance(part, StyledLine):
            console.print(part.text, style=part.style, markup=False)
        else:
            console.print(part, markup=False)


def hanging(
    console: Console, lines: Sequence[tuple[str, Text]], width: int | None, *, indent: int = 4, style: str = "dim"
) -> None:
    """Print texts, each behind its name, the names in a column; folded within ``width`` columns, if it is given.
    ``style``: of the names."""
    from rich.cells import cell_len
    from rich.text import Text

    column = max((cell_len(name) for name, _ in lines), default=0) + 2
    room = None if width is None else max(width - indent - column, 20)
    for name, text in lines:
        rows = [text] if room is None else list(text.wrap(console, room)) or [text]
        for at, row in enumerate(rows):
            head = name if at == 0 else ""
            line = Text(" " * indent).append(head + " " * (column - cell_len(head)), style)
            row.rstrip()
            console.print(line.append_text(row), soft_wrap=True, highlight=False)
