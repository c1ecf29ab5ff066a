"""A table in every format: nothing cut, marks and bold where they belong."""

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

from geceval.counting.metric_names import f_name
from geceval.tables.file_formats import as_latex, as_markdown
from geceval.tables.report import FORMATS, writer, written
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


def test_text() -> None:
    assert as_text(TABLE).splitlines() == [
        "A title",
        "",
        "system   GREEN F₂   ERRANT F₀.₅   s.d.",
        "──────────────────────────────────────",
        "eager       92.79        84.29*    1.1",
        "──────────────────────────────────────",
        "50%_x       62.28        69.77     2.2",
        "c            5.00         1.00†    3.3",
        "",
        "* better than c",
        "",
        "a note",
    ]


def test_a_narrow_terminal_drops_spare_columns_then_folds() -> None:
    text = as_text(TABLE, width=34)
    assert "s.d." not in text.splitlines()[2]
    assert "no room for: s.d." in text
    folded = as_text(TABLE, width=22)
    heads = [line.split("   ") for line in folded.splitlines() if line.startswith("system")]
    assert heads == [["system", "GREEN F₂"], ["system", "ERRANT F₀.₅"]]
    assert max(map(cell_len, folded.splitlines()[2:-5])) <= 22
    assert "84.29*" in as_text(TABLE, width=1)
    assert as_text(TABLE, width=38) == as_text(TABLE)


def test_what_says_something_of_a_column_stays_beside_it() -> None:
    heads = ["system", "A", "A interval", "B", "B interval"]
    columns = [TableColumn("system")]
    for metric in "AB":
        columns += [TableColumn(metric, "score"), TableColumn(f"{metric} interval", "interval", beside=True)]
    table = ReportTable(columns, [["x", 1.0, (0.0, 2.0), 2.0, (1.0, 3.0)]])
    shown = [re.split(" {2,}", line) for line in as_text(table, width=30).splitlines() if line.startswith("system")]
    assert shown == [heads[:3], ["system", *heads[3:]]]
    assert as_text(table, width=5) == as_text(table, width=30)


def test_width_is_for_text_alone() -> None:
    for name in FORMATS:
        if name != "json":
            assert (written(TABLE, name, width=10) == writer(name)(TABLE, 2)) == (name != "table")


CELLS = st.text(st.characters(categories=("L", "N", "P", "S")), max_size=12)


@given(st.data(), st.integers(1, 5), st.integers(0, 4), st.integers(1, 80))
def test_no_terminal_cuts_a_number_or_loses_a_character(
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
    whole = as_text(plain_table(heads, cells, right=right))
    if max(map(cell_len, whole.splitlines())) <= width:
        assert text == whole


WORDS = st.lists(st.text(st.characters(categories=("L",)), min_size=1, max_size=12), max_size=9).map(" ".join)


@given(st.lists(st.lists(WORDS, min_size=4, max_size=4), min_size=1, max_size=3))
def test_tables_of_texts_fit_eighty_columns(rows: list[list[str]]) -> None:
    heads = ["file", "state", "what it is", "published at"]
    text = as_text(plain_table(heads, rows), width=80)
    assert max(map(cell_len, text.splitlines())) <= 80
    assert not Counter("".join(chain(*rows))) - Counter(text) - Counter(" " * 1000)


def test_texts_are_wrapped_at_words_and_long_words_inside() -> None:
    table = plain_table(["id", "what it is"], [["@a", "sentences of the test set"], ["@b", "x" * 20]], ["note " * 5])
    assert as_text(table, width=20).splitlines() == [
        "id   what it is",
        "────────────────────",
        "@a   sentences of",
        "     the test set",
        "@b   " + "x" * 15,
        "     xxxxx",
        "",
        "note note note note",
        "note",
    ]


def test_latex() -> None:
    lines = as_latex(TABLE).splitlines()
    assert lines == [
        "% A title",
        "% a note",
        r"\begin{tabular}{lccc}",
        r"\toprule",
        r"system & GREEN $F_{2}$ & ERRANT $F_{0.5}$ & s.d. \\",
        r"\midrule",
        r"eager & \textbf{92.79} & \textbf{84.29}\rlap{$^{*}$} & 1.1 \\",
        r"\midrule",
        r"50\%\_x & 62.28 & 69.77 & 2.2 \\",
        r"c & \phantom{2}5.00 & \phantom{4}1.00\rlap{$^{\dagger}$} & 3.3 \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\par\smallskip",
        r"{\footnotesize $^{*}$ better than c\par}",
    ]


def test_latex_heads_in_rows_share_cells_where_they_are_equal() -> None:
    columns = [TableColumn("system")]
    columns += [TableColumn(f"a ERRANT {part}", "figure", rows=("Set A", "ERRANT", part)) for part in ("P", "F₀.₅")]
    columns += [TableColumn("b GLEU", "figure", rows=("Set B", "", "GLEU"))]
    table = ReportTable(columns, [["x", 40.0, -1.25, 3.0], ["y", None, 10.5, 2.0]])
    assert as_latex(table).splitlines() == [
        "% in an article of two columns: table",
        r"\begin{tabular}{lccc}",
        r"\toprule",
        r" & \multicolumn{2}{c}{Set A} & Set B \\",
        r"\cmidrule(lr){2-3} \cmidrule(lr){4-4}",
        r" & \multicolumn{2}{c}{ERRANT} &  \\",
        r"\cmidrule(lr){2-3}",
        r"system & P & $F_{0.5}$ & GLEU \\",
        r"\midrule",
        r"x & 40.00 & \phantom{0}$-$1.25 & 3.00 \\",
        r"y &  & \phantom{$-$}10.50 & 2.00 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    wider = replace(columns[3], rows=("A test set with a long title", "", "GLEU"))
    assert "% in an article of two columns: table*" in as_latex(replace(table, columns=[*columns[:3], wider]))
    assert as_text(table).splitlines()[0].split() == ["system", *"a ERRANT P a ERRANT F₀.₅ b GLEU".split()]


def test_markdown_and_csv() -> None:
    markdown = as_markdown(TABLE).splitlines()
    assert markdown[0] == "**A title**"
    assert markdown[4] == "| eager | 92.79 | 84.29* | 1.1 |"
    assert "\\* better than c  " in markdown  # else it would be a list
    rows = list(csv.reader(io.StringIO(writer("csv")(TABLE, 2))))
    assert rows == [TABLE.heads, *TABLE.texts(2)]


@pytest.mark.parametrize(("beta", "name"), [(0.5, "F₀.₅"), (1.0, "F₁"), (2.0, "F₂"), (float("inf"), "F∞")])
def test_names_of_f(beta: float, name: str) -> None:
    assert f_name(beta) == name
    expected = {"F∞": r"$F_{\infty}$"}.get(name, f"$F_{{{beta:g}}}$")
    assert f" & {expected} " in as_latex(plain_table(["", name, ""], []))
