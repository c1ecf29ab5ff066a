"""Formats of rows that are written sentence by sentence: delimited, JSON Lines, parallel text, Parquet."""

from __future__ import annotations

import csv
import importlib.util
import io
import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from geceval import Errant, Gleu, Green
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import command_words
from geceval.commands.shared.row_formats import DelimitedFormat, JsonLinesFormat, TextFormat
from geceval.results.sentence_rows import RowLayout, ScoreColumn, SentenceRows, check_heads, columns_of
from geceval.tables.number_text import all_shown, shown

HAS_ARROW = importlib.util.find_spec("pyarrow") is not None
VALUES = st.one_of(
    st.floats(),
    st.floats(-1, 1),
    st.fractions(0, 1, max_denominator=400).map(float),
    st.integers(-2000, 2000).map(lambda n: n / 20000),
    st.sampled_from([0.0, -0.0, 0.5, 0.02675, 0.005, 1e-9, -1e-9, 1e22]),
)
#: Lines of a file.
TEXTS = st.text(st.characters(exclude_characters="\n\r\0", exclude_categories=["Cs"]), max_size=12)


@given(st.lists(VALUES, max_size=30), st.integers(0, 20), st.booleans())
@example([1.797693134862316e306], 0, True)
@example([], 2, True)
@example([float("nan"), 0.5], 2, True)
def test_numbers_of_a_column_are_written_like_single_ones(values: list[float], digits: int, in_percent: bool) -> None:
    expected = ["nan" if value != value else shown(value, digits, in_percent) for value in values]
    assert all_shown(values, digits, in_percent) == expected


def test_small_numbers_have_no_exponent() -> None:
    assert shown(0.0, 8) == "0.00000000"
    assert shown(1e-9, 8, in_percent=False) == "0.00000000"


METRIC = Green()
NAMES = ['a "quoted", name', "100 % {sure} %s", "tab\tin it", "sys"]


def layout(references: int | None = None) -> RowLayout:
    columns = [ScoreColumn(name, (name, "green"), name, METRIC) for name in NAMES]
    part = ScoreColumn("sys precision", ("sys", "green", "precision"), "sys", METRIC, "precision")
    return RowLayout([*columns, part], references)


def rows(values: list[list[float]], texts: list[list[str | None]] | None = None) -> SentenceRows:
    figures = [np.array(column, dtype=float) for column in values]
    return SentenceRows(range(5, 5 + len(values[0])), texts or [], figures)


def test_json_lines_are_objects_of_one_shape() -> None:
    writer = JsonLinesFormat(layout())
    values = [[0.1, 1 / 3], [np.nan, 1.0], [np.inf, -np.inf], [0.0, 1e-300], [1, 0]]
    text = (writer.start() + writer.rows(rows(values))).decode()
    first, second = (json.loads(line) for line in text.splitlines())
    names = dict(zip(NAMES, [0.1, None, "inf", 0.0], strict=True))
    assert first == {
        "line": 5,
        "scores": {name: {"green": value} for name, value in names.items()},
        "parts": {"sys": {"green": {"precision": 1.0}}},
    }
    assert second["scores"]["sys"]["green"] == 1e-300
    assert second["scores"][NAMES[0]]["green"] == 1 / 3


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS, VALUES), min_size=1, max_size=8), st.sampled_from([",", "\t"]))
def test_written_pairs_are_read_back(pairs: list[tuple[str, str, str, float]], delimiter: str) -> None:
    """Texts with a tab cannot be cells of TSV and are refused."""
    row_layout = RowLayout([ScoreColumn("GREEN", ("green",), "sys", METRIC)], 1)
    texts = [[pair[at] for pair in pairs] for at in range(3)]
    batch = rows([[pair[3] for pair in pairs]], texts)  # type: ignore[arg-type]
    json_rows = [json.loads(line) for line in JsonLinesFormat(row_layout).rows(batch).decode().split("\n")[:-1]]
    assert [(row["source"], row["hypothesis"], row["references"]) for row in json_rows] == [
        (source, hypothesis, [reference]) for source, hypothesis, reference, _ in pairs
    ]
    table = DelimitedFormat(row_layout, 2, delimiter)
    if delimiter == "\t" and any("\t" in text for column in texts for text in column):
        with pytest.raises(InputError, match=r"sentence \d+: its (source|hypothesis|reference0) has a tab"):
            table.rows(batch)
        return
    document = (table.start() + table.rows(batch)).decode()
    if delimiter == ",":
        cells = list(csv.reader(io.StringIO(document, newline="")))
    else:
        cells = [line.split("\t") for line in document.split("\n")[:-1]]
    assert cells[0] == ["line", "source", "hypothesis", "reference0", "GREEN"]
    assert [row[1:4] for row in cells[1:]] == [list(pair[:3]) for pair in pairs]
    for at in range(2):
        assert TextFormat(row_layout, at).rows(batch).decode().split("\n")[:-1] == texts[at]


def test_carriage_returns_are_quoted() -> None:
    row_layout = RowLayout([ScoreColumn("GREEN", ("green",), "sys", METRIC)], 0)
    texts: list[list[str | None]] = [["a", "b"], ["b\rc", "d"]]
    document = DelimitedFormat(row_layout, 2, ",").rows(rows([[0.5, 0.5]], texts))
    assert document == b'"5","a","b\rc","50.00"\n6,b,d,50.00\n'
    assert [row[1:3] for row in csv.reader(io.StringIO(document.decode(), newline=""))] == [["a", "b\rc"], ["b", "d"]]


def test_missing_reference_is_null_in_json_and_refused_in_csv() -> None:
    row_layout = RowLayout([], 1)
    batch = SentenceRows([3], [["a"], ["b"], [None]], [])
    assert json.loads(JsonLinesFormat(row_layout).rows(batch)) == {
        "line": 3,
        "source": "a",
        "hypothesis": "b",
        "references": [None],
    }
    with pytest.raises(InputError, match="sentence 3: its reference0 is missing") as error:
        DelimitedFormat(row_layout, 2, ",").rows(batch)
    assert command_words(error.value.hint or "") == "-f jsonl can hold it"


def test_columns_have_the_names_of_tables() -> None:
    metrics = [Green(beta=0.5), Green(), Errant()]
    columns = columns_of(["one", "two"], metrics, parts=True, alone=False)
    assert [column.head for column in columns[2:9:3]] == ["one GREEN beta=0.5", "one GREEN beta=2", "one ERRANT"]
    assert (columns[6].head, columns[6].path) == ("one ERRANT precision", ("one", "errant", "precision"))
    assert [column.head for column in columns_of(["one"], [Gleu()], parts=False, alone=False)] == ["one"]
    [alone] = columns_of(["one"], [Gleu()], parts=False, alone=True)
    assert (alone.head, alone.path) == ("GLEU", ("gleu",))


def test_columns_with_one_name_are_refused() -> None:
    check_heads(layout())
    with pytest.raises(UsageError, match="two columns have the name line"):
        check_heads(RowLayout(columns_of(["line"], [METRIC], parts=False, alone=False)))
    with pytest.raises(UsageError, match="invalid name of a column"):
        check_heads(RowLayout(columns_of(["a\udcff"], [METRIC], parts=False, alone=False)))


@pytest.mark.parametrize("sign", ["\n", "\r"])
def test_parallel_texts_have_a_line_for_a_sentence(sign: str) -> None:
    batch = SentenceRows([3, 4], [["a", f"b{sign}c"], ["d", "e"]], [])
    with pytest.raises(InputError, match=r"sentence 4: its source has a .* and has several lines"):
        TextFormat(RowLayout([], 0), 0).rows(batch)
    assert TextFormat(RowLayout([], 0), 1).rows(batch) == b"d\ne\n"


@pytest.mark.skipif(not HAS_ARROW, reason="no pyarrow here")
@pytest.mark.parametrize("references", [None, 0, 2])
def test_parquet_has_unrounded_scores_and_metadata(references: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow.parquet as parquet

    from geceval.commands.shared.row_formats import ParquetFormat

    monkeypatch.setattr("geceval.commands.shared.row_formats.GROUP", 8)
    row_layout = RowLayout([ScoreColumn("sys", ("sys", "green"), "sys", METRIC)], references)
    writer = ParquetFormat(row_layout)
    values, data = np.random.default_rng(0).random(25), writer.start()
    values[3] = np.nan
    texts: list[list[str | None]] = []
    for start in range(0, 25, 5):
        if references is not None:
            texts = [[f"{start}-{at}-{text}" for at in range(5)] for text in range(2 + references)]
        data += writer.rows(SentenceRows(range(start + 1, start + 6), texts, [values[start : start + 5]]))
    data += writer.end({"columns": ["what"]})
    file = parquet.ParquetFile(io.BytesIO(data))
    assert file.num_row_groups == 3
    table = file.read()
    assert table["line"].to_pylist() == list(range(1, 26))
    np.testing.assert_array_equal(table["sys"].to_numpy(), values)
    assert json.loads(file.metadata.metadata[b"geceval"])["columns"] == ["what"]
    if references is not None:
        assert table["hypothesis"][7].as_py() == "5-2-1"
        assert table["references"][7].as_py() == [f"5-2-{2 + r}" for r in range(references)]
