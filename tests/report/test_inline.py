"""Edits inside their sentence: signs, folding, colours, and text that a terminal would obey."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from geceval.report.formats.terminal import isolated
from geceval.report.sentences.inline_edits import marked, plainly, visible
from geceval.report.views import HangingLines, hanging
from geceval.studies.explaining.sentence_segments import Judged, segments

EDITS = [
    Judged(1, 2, "goes", "R:VERB:SVA", "correct"),
    Judged(2, 2, "to", "M:PREP", "wrong"),
    Judged(3, 4, "", "U:DET", "missed"),
    Judged(4, 5, "!", "R:PUNCT"),
]
PARTS = segments("He go home the .".split(), EDITS)


def test_signs_tell_without_colours() -> None:
    assert plainly(PARTS) == "He {go→goes ✓} {+to ✗} home {-the ○} {.→! ·}"
    assert plainly(PARTS, types=True).startswith("He {go→goes ✓ R:VERB:SVA} {+to ✗ M:PREP}")


def test_no_text_commands_the_terminal() -> None:
    assert visible("a\x1b[31m\x07\x7f\x9b") == "a␛[31m␇␡\ufffd"
    parts = segments(["\x1b[2J"], [Judged(0, 1, "\x1b]0;x\x07", "\x1b", "wrong")])
    assert "\x1b" not in plainly(parts, types=True)


def test_text_from_right_to_left_is_kept_apart_on_a_terminal_only() -> None:
    parts = segments(["كتب", "a"], [Judged(0, 1, "كتاب", "", "correct")])
    assert plainly(parts) == "{كتب→كتاب ✓} a"
    assert marked(parts, terminal=True).plain == "{\u2068كتب\u2069→\u2068كتاب\u2069 ✓} a"
    assert isolated("abc 12 é") == "abc 12 é"


def printed(lines: list[tuple[str, Text]], width: int | None, *, colours: bool = False) -> str:
    out = io.StringIO()
    console = Console(file=out, force_terminal=colours, color_system="standard" if colours else None, width=width)
    hanging(console, HangingLines(lines), width)
    return out.getvalue()


@given(words=st.lists(st.text("abß漢ö", min_size=1, max_size=9), max_size=40), width=st.integers(40, 90))
def test_lines_fit_the_terminal_and_lose_no_word(words: list[str], width: int) -> None:
    shown = printed([("AMU", Text(" ".join(words)))], width).splitlines()
    assert all(cell_len(line) <= width for line in shown)
    assert " ".join(line[9:] for line in shown).split() == words
    assert shown[0].startswith("    AMU")
    assert all(line.startswith(" " * 9) or not line.strip() for line in shown[1:])


def test_lines_are_not_folded_without_a_terminal() -> None:
    assert printed([("a", Text("word " * 99))], None).count("\n") == 1


@pytest.mark.parametrize("colours", [True, False])
def test_colours_where_there_are_some(colours: bool) -> None:
    assert ("\x1b[" in printed([("a", marked(PARTS))], 80, colours=colours)) is colours
