"""Tables in every format and width."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import replace
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from syrupy.assertion import SnapshotAssertion

from geceval.counting.metric_names import f_name
from geceval.tables.file_formats import as_latex
from geceval.tables.report import FORMATS, TABLE_WRITERS, written
from geceval.tables.table import ReportTable, TableCell, TableColumn, plain_table
from geceval.tables.terminal import as_text

TABLE = ReportTable(
    [
        TableColumn("system"),
        TableColumn("GREEN F₂", "score", percent=True),
        TableColumn("ERRANT F₀.₅", "score", percent=True),
        TableColumn("s.d.", "score", digits=1, spare=1),
    ],
    [
        ["eager", TableCell(0.9279, best=True), TableCell(0.8429, "*", best=True), 1.1],
        ["50%_x", 0.6228, 0.6977, 2.2],
        ["c", 0.05, TableCell(0.01, "†"), 3.3],
    ],
    ["a note"],
    "A title",
    ["* better than c"],
    [1],
)


COLUMNS_IN_SETS = ReportTable(
    [
        TableColumn("system"),
        TableColumn("a ERRANT P", "figure", rows=("Set A", "ERRANT", "P")),
        TableColumn("a ERRANT F₀.₅", "figure", rows=("Set A", "ERRANT", "F₀.₅")),
        TableColumn("b GLEU", "figure", rows=("Set B", "", "GLEU")),
    ],
    [["x", 40.0, -1.25, 3.0], ["y", None, 10.5, 2.0]],
)
TEXTS = plain_table(["id", "what it is"], [["@a", "sentences of the test set"], ["@b", "x" * 20]], ["note " * 5])


@pytest.mark.parametrize("table", [TABLE, COLUMNS_IN_SETS, TEXTS], ids=["scores", "sets", "texts"])
@pytest.mark.parametrize("name", [name for name in FORMATS if name != "json"])
def test_table_in_every_format(table: ReportTable, name: str, snapshot: SnapshotAssertion) -> None:
    assert TABLE_WRITERS[name](table, 2) == snapshot


def test_texts_are_wrapped_at_words_and_long_words_inside(snapshot: SnapshotAssertion) -> None:
    assert as_text(TEXTS, width=20) == snapshot


def test_latex_of_long_heads_names_the_wide_environment() -> None:
    *columns, last = COLUMNS_IN_SETS.columns
    wider = replace(last, rows=("A test set with a title that takes two columns", "", "GLEU"))
    assert "% in an article of two columns: table*" in as_latex(replace(COLUMNS_IN_SETS, columns=[*columns, wider]))


def test_narrow_terminal_drops_spare_columns_then_folds() -> None:
    text = as_text(TABLE, width=34)
    assert "s.d." not in text.splitlines()[2]
    assert "no room for: s.d." in text
    folded = as_text(TABLE, width=22)
    heads = [line.split("   ") for line in folded.splitlines() if line.startswith("system")]
    assert heads == [["system", "GREEN F₂"], ["system", "ERRANT F₀.₅"]]
    assert max(map(cell_len, folded.splitlines()[2:-5])) <= 22
    assert "84.29*" in as_text(TABLE, width=1)
    assert as_text(TABLE, width=38) == as_text(TABLE)


def test_interval_stays_next_to_its_score() -> None:
    heads = ["system", "A", "A interval", "B", "B interval"]
    columns = [TableColumn("system")]
    for metric in "AB":
        columns += [TableColumn(metric, "score"), TableColumn(f"{metric} interval", "interval", beside=True)]
    table = ReportTable(columns, [["x", 1.0, (0.0, 2.0), 2.0, (1.0, 3.0)]])
    printed_heads = [
        re.split(" {2,}", line) for line in as_text(table, width=30).splitlines() if line.startswith("system")
    ]
    assert printed_heads == [heads[:3], ["system", *heads[3:]]]
    assert as_text(table, width=5) == as_text(table, width=30)


def test_width_applies_to_text_only() -> None:
    for name in FORMATS:
        if name != "json":
            assert (written(TABLE, name, width=10) == TABLE_WRITERS[name](TABLE, 2)) == (name != "table")


CELLS = st.text(st.characters(categories=("L", "N", "P", "S")), max_size=12)


@given(st.data(), st.integers(1, 5), st.integers(0, 4), st.integers(1, 80))
def test_numbers_and_characters_are_complete_in_any_width(
    data: st.DataObject, columns: int, rows: int, width: int
) -> None:
    row = st.lists(CELLS, min_size=columns, max_size=columns)
    heads = data.draw(row)
    cells = data.draw(st.lists(row, min_size=rows, max_size=rows))
    right = frozenset(data.draw(st.sets(st.integers(0, columns - 1))))
    text = as_text(plain_table(heads, cells, right=right), width=width)
    columns_of_cells = list(zip(heads, *cells, strict=True))
    assert all(cell in text for at in right for cell in columns_of_cells[at])
    assert not Counter("".join([*heads, *chain(*cells)])) - Counter(text)
    unfolded = as_text(plain_table(heads, cells, right=right))
    if max(map(cell_len, unfolded.splitlines())) <= width:
        assert text == unfolded


WORDS = st.lists(st.text(st.characters(categories=("L",)), min_size=1, max_size=12), max_size=9).map(" ".join)


@given(st.lists(st.lists(WORDS, min_size=4, max_size=4), min_size=1, max_size=3))
def test_tables_of_texts_fit_eighty_columns(rows: list[list[str]]) -> None:
    heads = ["file", "state", "what it is", "published at"]
    text = as_text(plain_table(heads, rows), width=80)
    assert max(map(cell_len, text.splitlines())) <= 80
    assert not Counter("".join(chain(*rows))) - Counter(text) - Counter(" " * 1000)


def test_csv_has_the_texts_of_the_table() -> None:
    rows = list(csv.reader(io.StringIO(TABLE_WRITERS["csv"](TABLE, 2))))
    assert rows == [TABLE.heads, *TABLE.texts(2)]


@pytest.mark.parametrize(("beta", "name"), [(0.5, "F₀.₅"), (1.0, "F₁"), (2.0, "F₂"), (float("inf"), "F∞")])
def test_name_of_f_has_its_beta(beta: float, name: str) -> None:
    assert f_name(beta) == name
    expected = {"F∞": r"$F_{\infty}$"}.get(name, f"$F_{{{beta:g}}}$")
    assert f" & {expected} " in as_latex(plain_table(["", name, ""], []))
