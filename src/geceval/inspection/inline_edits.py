"""Edits inline in their sentence, marked with signs and colours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from geceval.counting.metric import Outcome
from geceval.inspection.sentence_segments import Segment
from geceval.tables.formats.terminal import isolated
from geceval.tables.views import StyledLine

#: Sign and colour of each outcome of an edit; None: the edit does not count.
Marks: TypeAlias = Mapping[Outcome | None, tuple[str, str]]
MARKS: Marks = {"correct": ("✓", "green"), "wrong": ("✗", "red"), "missed": ("○", "yellow"), None: ("·", "cyan")}
SIGNS = {outcome: sign for outcome, (sign, _) in MARKS.items()}

#: Control characters, which a terminal would interpret, with visible replacements.
_VISIBLE = {code: 0x2400 + code for code in range(0x20)} | {0x7F: 0x2421} | dict.fromkeys(range(0x80, 0xA0), 0xFFFD)


def visible(text: str) -> str:
    """Return text with control characters replaced by visible ones."""
    return text if text.isprintable() else text.translate(_VISIBLE)


def marked(
    segments: Iterable[Segment], *, types: bool = False, terminal: bool = False, marks: Marks = MARKS
) -> StyledLine:
    """Return a sentence with edits in braces: {are→is ✓}, {+the ✗}, {-of ○}.

    Args:
        segments: Segments of the version.
        types: Add the types of edits.
        terminal: Isolate right-to-left text.
        marks: Sign and colour of each outcome.
    """
    line: list[tuple[str, str]] = []
    for segment in segments:
        if line:
            line.append((" ", ""))
        if segment.kind == "kept":
            line.append((visible(segment.source), ""))
            continue
        sign, colour = marks[segment.outcome]
        source, text = visible(segment.source), visible(segment.text)
        if terminal:
            source, text = isolated(source), isolated(text)
        line.append(("{", colour))
        if source:
            line.append((f"-{source}" if not text else source, f"strike {colour}"))
        if text:
            line += [("→" if source else "+", colour), (text, f"bold {colour}")]
        line.append((f" {sign}", colour))
        if types and segment.type:
            line.append((f" {visible(segment.type)}", f"dim {colour}"))
        line.append(("}", colour))
    return line
