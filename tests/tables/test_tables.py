"""Tables in every format and width."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain, pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rich.cells import cell_len
from syrupy.assertion import SnapshotAssertion

from geceval.base.arguments import in_line
from geceval.counting.metric_names import f_name
from geceval.tables.file_formats import as_csv, as_html, as_latex, as_markdown
from geceval.tables.report import FORMATS, TABLE_WRITERS, written
from geceval.tables.table import ReportTable, TableCell, TableColumn, best_cells, plain_table
from geceval.tables.terminal import END, ISOLATE, as_text, text_width

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


def test_narrow_terminal_drops_spare_columns_then_folds() -> None:
    text = as_text(TABLE, width=34)
    assert "s.d." not in text.splitlines()[2]
    assert "not enough space for: s.d." in text
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
        columns += [TableColumn(metric, "score"), TableColumn(f"{metric} interval", "interval", next_to_previous=True)]
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


HOSTILE = [
    "a\nb", "a\r\nb", "a\rb", "a\tb", "a\x0bb", "a\x85b", "a\u2028b", "a\u2029b", "a|b", "\\", "\\|", "a\\",
    "<img src=x onerror=alert(1)>", "</td><script>x</script>", "<!-- x", "&lt;b&gt;", "&amp;", "R&D", "`code`", "a`",
    "``", "*b*", "__b__", "_i_", "a_b", "~~x~~", "[l](http://x)", "![i](x)", "[l][x]", "<http://x>", "# h", "- x",
    "> q", "=cmd|'/C calc'!A0", "+1", "-x", "@x", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x08\x7f", "\x00",
    "\u202eabc", "abc\u202c", "\u2066a\u2069\u2069", "你好" * 9, "👩\u200d👩", "שלום", "$x$", "---", "[x]", "*",
]  # fmt: skip
NAMES = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=["Cs"]), max_size=12))


def hostile_table(names: Sequence[str]) -> ReportTable:
    """A table with a name in each place of a name."""
    columns = [TableColumn("system"), *(TableColumn(name, rows=(name, name)) for name in names)]
    rows = [[name, *(TableCell(name, "*", best=True) for _ in names)] for name in names]
    return ReportTable(columns, rows, names, names[0], names, above=names)


def markdown_cells(text: str) -> list[list[str]]:
    """The texts of the cells of the only table that a Markdown renderer finds."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    assert sum(token.type == "table_open" for token in tokens) == 1
    assert not [token for token in tokens if token.type == "html_block"]
    rows: list[list[str]] = []
    for before, token in pairwise(tokens):
        if before.type == "tr_open":
            rows.append([])
        if before.type in ("th_open", "td_open"):
            kinds = {child.type for child in token.children or ()}
            assert kinds <= {"text", "text_special"}, (token.content, kinds)
            rows[-1].append("".join(child.content for child in token.children or ()))
    return rows


@given(st.lists(NAMES, min_size=1, max_size=3))
@example(HOSTILE)
@example(["|", "---"])
@example(["|", ":--"])
def test_markdown_of_any_names_is_one_table_with_these_names(names: list[str]) -> None:
    table = hostile_table(names)
    shown = [in_line(name).strip(" ") for name in names]
    head, *rows = markdown_cells(as_markdown(table))
    assert [cell.strip() for cell in head] == ["system", *(name.strip() for name in shown)]
    for name, row in zip(shown, rows, strict=True):
        assert [cell.strip() for cell in row] == [name.strip(), *[f"{name}*".strip()] * len(names)]


@given(st.lists(NAMES, min_size=1, max_size=3))
@example(HOSTILE)
@pytest.mark.parametrize("width", [None, 40])
def test_terminal_table_of_any_names_has_no_control_characters(width: int | None, names: list[str]) -> None:
    rows = [[name, str(number)] for number, name in enumerate(names)]
    text = as_text(plain_table(["system", "n"], rows, names, [1], names[0]), width=width)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066\u2067]", text)
    assert text.count(ISOLATE) == text.count(END)
    if width is None:
        lines = text.split("\n")[4 if names[0] else 2 :][: len(names)]
        assert [line.split()[-1] for line in lines] == [number for _, number in rows]
        assert len({*map(text_width, lines)}) == 1


@given(st.lists(NAMES, min_size=1, max_size=3))
@example(HOSTILE)
def test_comments_of_latex_end_with_their_lines(names: list[str]) -> None:
    lines = as_latex(hostile_table(names)).split("\n")
    assert all("\r" not in line for line in lines)
    start = next(number for number, line in enumerate(lines) if line.startswith((r"\begin", r"\resizebox")))
    settings = re.compile(r"%|\\(small|footnotesize|setlength)\b")
    assert all(settings.match(line) for line in lines[:start])
    assert not any(line.startswith(("[", "*")) for line in lines)


@pytest.mark.parametrize(("width", "expected"), [(None, 30), (100, 30), (30, 20), (20, 10), (15, None)])
@pytest.mark.parametrize("text", ["long words " * 20, "错误" * 50, "x" * 100])
def test_column_with_a_longest_width_is_cut(width: int | None, expected: int | None, text: str) -> None:
    columns = [TableColumn("number", "count"), TableColumn("example", spare=1, longest=30)]
    lines = as_text(ReportTable(columns, [[1234567, text], [1, "short"]]), width=width).splitlines()
    if expected is None:
        assert lines[0] == " number"
        return
    assert lines[2].endswith("…")
    assert expected - 2 <= text_width(lines[2]) - len("1234567   ") <= expected
    assert lines[3].endswith("1   short")


@given(st.lists(NAMES, min_size=1, max_size=3))
@example(HOSTILE)
@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_csv_keeps_any_names(delimiter: str, names: list[str]) -> None:
    table = plain_table(["system", "n"], [[name, "-0.3"] for name in names])
    text = as_csv(table, delimiter=delimiter)
    assert [*csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)][1:] == [[name, "-0.3"] for name in names]


def test_html_of_any_names_has_no_element_of_theirs() -> None:
    cells = re.sub(r"</?(div|table|thead|tbody|tr|th|td|code)( [^<>]*)?>", "", as_html(hostile_table(HOSTILE)))
    assert "<" not in cells
    assert not re.search("[\x00-\x1f\u202a-\u202e\u2066-\u2069]", cells)


@pytest.mark.parametrize("values", [[math.nan, 3.0], [3.0, math.nan]])
@pytest.mark.parametrize("higher_is_better", [True, False])
def test_best_mark_does_not_depend_on_the_place_of_nan(values: list[float], higher_is_better: bool) -> None:
    marked = [cell.value for cell in best_cells(values, higher_is_better=higher_is_better) if cell.best]
    assert marked == [3.0]


@pytest.mark.parametrize(("rows", "is_long"), [(40, False), (41, True)])
def test_latex_of_a_long_table_is_broken_over_pages(rows: int, is_long: bool) -> None:
    lines = as_latex(plain_table(["type", "F"], [[f"R:{row}", str(row)] for row in range(rows)])).splitlines()
    assert (r"\begin{longtable}{ll}" in lines) == (r"\endhead" in lines) == (lines[-1] == r"\endgroup") == is_long
    assert any(line.startswith(r"% preamble: \usepackage{booktabs,longtable}") for line in lines) == is_long
    assert (r"\end{tabular}" in lines) == (not is_long)
    assert lines.count(r"\bottomrule") == 1


@pytest.mark.parametrize(("columns", "size"), [(9, None), (10, "small"), (11, "footnotesize"), (12, "scriptsize")])
def test_latex_of_a_long_wide_table_is_in_smaller_type(columns: int, size: str | None) -> None:
    lines = as_latex(plain_table(["12345678"] * columns, [["12345678"] * columns] * 60)).splitlines()
    assert [line for line in lines if line in (r"\small", r"\footnotesize", r"\scriptsize")] == [rf"\{size}"] * bool(
        size
    )
    assert any(line.startswith(r"\begin{longtable}") for line in lines)


def test_latex_of_a_long_table_that_is_too_wide_is_scaled() -> None:
    heads = [f"a long name of a system {number}" for number in range(20)]
    text = as_latex(plain_table(heads, [["12345678"] * 20] * 60))
    assert "longtable" not in text
    assert r"\resizebox" in text
