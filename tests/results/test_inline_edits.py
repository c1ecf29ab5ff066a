"""Edits inside their sentence: signs, folding, colours, and control characters."""

from __future__ import annotations

import io
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from geceval.results.marked_edits import Segment, marked, visible
from geceval.tables.terminal import isolated
from geceval.tables.views import HangingLines, StyledLine, plain, print_view

PARTS = [
    Segment("kept", 0, 1, "He", "He"),
    Segment("replaced", 1, 2, "go", "goes", "R:VERB:SVA", "correct"),
    Segment("inserted", 2, 2, "", "to", "M:PREP", "wrong"),
    Segment("kept", 2, 3, "home", "home"),
    Segment("deleted", 3, 4, "the", "", "U:DET", "missed"),
    Segment("replaced", 4, 5, ".", "!", "R:PUNCT"),
]


def test_signs_mark_outcomes_without_colours() -> None:
    assert plain(marked(PARTS)) == "He {go→goes ✓} {+to ✗} home {-the ○} {.→! ·}"
    assert plain(marked(PARTS, types=True)).startswith("He {go→goes ✓ R:VERB:SVA} {+to ✗ M:PREP}")


def test_control_characters_are_replaced() -> None:
    assert visible("a\x1b[31m\x07\x7f\x9b") == "a␛[31m␇␡\ufffd"
    parts = [Segment("replaced", 0, 1, "\x1b[2J", "\x1b]0;x\x07", "\x1b", "wrong")]
    assert "\x1b" not in plain(marked(parts, types=True))


def test_text_from_right_to_left_is_isolated_on_a_terminal_only() -> None:
    parts = [Segment("replaced", 0, 1, "كتب", "كتاب", "", "correct"), Segment("kept", 1, 2, "a", "a")]
    assert plain(marked(parts)) == "{كتب→كتاب ✓} a"
    assert plain(marked(parts, terminal=True)) == "{\u2068كتب\u2069→\u2068كتاب\u2069 ✓} a"
    assert isolated("abc 12 é") == "abc 12 é"


def printed(lines: list[tuple[str, StyledLine]], width: int | None) -> str:
    out = io.StringIO()
    print_view([HangingLines(lines)], out, width=width)
    return out.getvalue()


@given(words=st.lists(st.text("abß漢ö", min_size=1, max_size=9), max_size=40), width=st.integers(40, 90))
def test_lines_fit_the_terminal_and_have_all_words(words: list[str], width: int) -> None:
    lines = printed([("AMU", [(" ".join(words), "")])], width).splitlines()
    assert all(cell_len(line) <= width for line in lines)
    assert " ".join(line[9:] for line in lines).split() == words
    assert lines[0].startswith("    AMU")
    assert all(line.startswith(" " * 9) or not line.strip() for line in lines[1:])


def test_lines_are_not_folded_without_a_terminal() -> None:
    assert printed([("a", [("word " * 99, "")])], None).count("\n") == 1


@pytest.mark.parametrize("width", [80, None])
@pytest.mark.parametrize("colours", [True, False])
def test_colours_are_printed_if_forced(colours: bool, width: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1" if colours else "")
    assert ("\x1b[" in printed([("a", marked(PARTS))], width)) is colours


@given(st.lists(st.tuples(st.text("ab \t\r\x07é", max_size=9), st.lists(st.text("aé \t\x0b", max_size=9)))))
def test_lines_of_a_file_are_those_of_a_terminal_without_colours(lines: list[tuple[str, list[str]]]) -> None:
    parts = [HangingLines([(name, [(text, "bold") for text in texts]) for name, texts in lines])]
    rich = io.StringIO()
    console = Console(file=rich, width=1000, force_terminal=True, color_system=None)
    with mock.patch("rich.console.Console", return_value=console):
        print_view(parts, rich)
    out = io.StringIO()
    print_view(parts, out)
    assert out.getvalue() == rich.getvalue()
