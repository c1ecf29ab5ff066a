"""Names and texts from right to left stay in their cells."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from geceval.tables.table import plain_table
from geceval.tables.terminal import END, ISOLATE, as_text, isolated


def test_text_from_right_to_left_is_isolated() -> None:
    assert isolated("نظام 1") == f"{ISOLATE}نظام 1{END}"
    assert isolated("מערכת") == f"{ISOLATE}מערכת{END}"
    for text in ("system", "Größe", "систем", "系统", "12", "", "é"):
        assert isolated(text) == text


@given(st.text())
def test_isolation_adds_only_its_marks(text: str) -> None:
    text_on_terminal = isolated(text)
    assert text_on_terminal in (text, f"{ISOLATE}{text}{END}")
    assert (text_on_terminal == text) == (
        {unicodedata.bidirectional(c) for c in text}.isdisjoint({"R", "AL", "AN", "RLE", "RLO", "RLI"})
    )


def test_columns_of_a_table_stay_aligned() -> None:
    rows = [["نظام", "10.00"], ["system", "9.00"], ["מערכת", "100.00"]]
    lines = as_text(plain_table(["system", "score"], rows, right=frozenset([1]))).splitlines()
    seen = [line.replace(ISOLATE, "").replace(END, "") for line in lines]
    assert {cell_len(line) for line in seen[:5]} == {cell_len(lines[1])}
    # What comes first in a line decides its direction, isolates left out: then the rest of the line is Latin or digits.
    assert [line.startswith(ISOLATE) for line in lines[2:5]] == [True, False, True]
    assert all(line.endswith(row[1]) for line, row in zip(lines[2:5], rows, strict=True))
