"""Tables: what is read, the message for everything that is not, and the law that the source changes no score."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import re
import subprocess
import tracemalloc
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import Corpus, CorpusFiles, Errant, Green, evaluate, read_table
from geceval._kernel import Text
from geceval.base.errors import GecevalError, GecevalWarning, InputError, UsageError
from geceval.extending import FileContent
from geceval.selection.candidate_files import candidate_lines, read_candidates
from geceval.text.blank_texts import Blank
from geceval.text.reading.column_roles import TableColumns
from geceval.text.reading.file_columns import _rechunk
from geceval.text.reading.file_kinds import FORMATS
from geceval.text.reading.input_files import InputFile
from geceval.text.reading.input_tables import open_tables
from geceval.text.reading.lines import WithoutReturns
from geceval.text.reading.parquet import column_values
from geceval.text.written_values import parse_list
from support.effort import examples
from support.messages import message_of
from support.strategies import lists_of, sentences
from support.written_files import write

Columns = Mapping[str, Sequence[Any]]


# --- writing what is read ---


def as_tsv(columns: Columns) -> bytes:
    return "".join("\t".join(row) + "\n" for row in [tuple(columns), *zip(*columns.values(), strict=True)]).encode()


def as_csv(columns: Columns, separator: str = ",") -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows([tuple(columns), *zip(*columns.values(), strict=True)])
    return out.getvalue().encode()


def as_jsonl(columns: Columns) -> bytes:
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    return "".join(json.dumps(row, ensure_ascii=len(row) % 2 == 0) + "\r\n" for row in rows).encode()


def as_parquet(columns: Columns) -> bytes:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(pyarrow.table({name: list(values) for name, values in columns.items()}), out, row_group_size=3)
    return out.getvalue()


WRITERS = {
    "tsv": as_tsv,
    "csv": as_csv,
    "csv:tab": lambda columns: as_csv(columns, "\t"),
    "csv:;": lambda columns: as_csv(columns, ";"),
    "jsonl": as_jsonl,
    "parquet": as_parquet,
}

# --- the law ---

#: What a line of a file can have; what a cell of TSV cannot is left out there.
PIECES = ["a", "cat", " ", '"', '""', ",", ";", "\t", "\u2028", "\x0b", "\x85", "é", "👨", "\ufeff", "'", "\\", "null"]
LINE = lists_of(PIECES, max_size=8).map("".join)
NAMES = ("source", "hypothesis", "reference 1", "reference 2")


@given(
    st.lists(st.tuples(LINE, LINE, LINE, LINE), min_size=1, max_size=7), st.sampled_from([*WRITERS]), st.integers(1, 4)
)
def test_the_same_sentences_score_the_same_by_any_source(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, ...]], kind: str, size: int
) -> None:
    folder = tmp_path_factory.mktemp("law")
    if kind == "tsv":
        rows = [tuple(cell.replace("\t", " ") for cell in row) for row in rows]
    # A blank reference is missing in a table, and empty in a file: see the test below. So is "null".
    rows = [tuple(cell if cell.strip(" \t") and cell != "null" else row[0] for cell in row) for row in rows]
    if rows[0][0].startswith("\ufeff"):
        rows[0] = (rows[0][0].lstrip("\ufeff"), *rows[0][1:])
    if not any(rows[-1]):  # a blank row at the end of a table is no sentence
        rows[-1] = ("the end",) * len(NAMES)
    # The same sentence and output with other references are rows of one sentence in a table.
    first: dict[tuple[str, ...], tuple[str, ...]] = {}
    rows = [first.setdefault(row[:2], row) for row in rows]
    columns = dict(zip(NAMES, ([*column] for column in zip(*rows, strict=True)), strict=True))
    paths = {}
    for name, column in columns.items():
        # A byte order mark at the start of a file is not part of it, and one more is.
        paths[name] = write(folder / name, "\ufeff" + "".join(f"{line}\n" for line in column))
    plain = CorpusFiles(
        paths["source"], [paths["reference 1"], paths["reference 2"]], {"hypothesis": paths["hypothesis"]}
    ).open()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GecevalWarning)  # of quotes in TSV
        table = CorpusFiles.of_table(write(folder / f"table.{kind[:3]}", WRITERS[kind](columns)), format=kind).open()
    assert table.whole() == plain.whole()
    assert [*table.parts(size)] == [*plain.parts(size)]
    metrics = [Green(n=2), Errant()]
    for result, expected in zip(
        evaluate(table, metrics, checks=False)["hypothesis"],
        evaluate(plain, metrics, checks=False)["hypothesis"],
        strict=True,
    ):
        assert result.signature() == expected.signature()
        assert result.score() == expected.score()
        assert result.sentence_scores().tobytes() == expected.sentence_scores().tobytes()


# --- what is read ---


BLANKS = ["", " ", "\t "]


@given(
    st.lists(st.tuples(st.sampled_from(["a b", *BLANKS]), st.sampled_from(["c", *BLANKS])), min_size=1, max_size=8),
    st.sampled_from([*WRITERS, "frame"]),
)
def test_a_blank_reference_beside_a_source_is_missing_in_every_table(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]], kind: str
) -> None:
    if kind == "tsv":
        rows = [(source.replace("\t", ""), reference.replace("\t", "")) for source, reference in rows]
    sources, references = ([*column] for column in zip(*rows, strict=True))
    columns = dict(zip(NAMES, (sources, sources, ["x"] * len(rows), references), strict=True))
    path = write(tmp_path_factory.mktemp("blank") / f"t.{kind[:3]}", WRITERS.get(kind, as_tsv)(columns))

    def read(blank: Blank | None) -> Corpus:
        if kind == "frame":
            return Corpus.of(columns, NAMES[2:], source="source", hypothesis="hypothesis", blank=blank)
        return CorpusFiles.of_table(path, format=kind, blank=blank).open().whole()

    missing = sum(line.strip() != "" and not text.strip() for line, text in rows)
    if missing > 1:
        with pytest.raises(InputError, match=f"reference 2: {missing} of {len(rows)} rows are empty"):
            read(None)
    elif missing:
        with pytest.warns(GecevalWarning, match=f"reference 2: 1 of {len(rows)} rows is empty"):
            read(None)
    corpus = read("missing" if missing else None)
    numbers = [2 - (line.strip() != "" and not text.strip()) for line, text in rows]
    assert corpus.reference_numbers() == (min(numbers), max(numbers))
    expected = [None if line.strip() and not text.strip() else text for line, text in rows]
    assert corpus.references == (["x"] * len(rows), expected)


@pytest.mark.parametrize("kind", WRITERS)
def test_a_row_whose_only_reference_is_empty_is_named(tmp_path: Path, kind: str, snapshot: SnapshotAssertion) -> None:
    columns = {"source": ["He go", "Go"], "hypothesis": ["He goes", "Go"], "reference": ["He goes", ""]}
    path = write(tmp_path / f"t.{kind[:3]}", WRITERS[kind](columns))
    assert message_of(read_table, path, format=kind) == snapshot
    # The hint works.
    reference = write(tmp_path / "ref.txt", "He goes\n\n")
    table = TableColumns.of(open_tables([path], format=kind), find=["source", "systems"])
    corpus = CorpusFiles(None, [reference], {}, table=table, blank="unchanged").read()
    assert corpus.references == (["He goes", "Go"],)


SMALL = {
    "id": ["1", "2", "3"],
    "source": ["a b", "", 'say "no"'],
    "hypothesis": ["a", "", "no"],
    "reference": ["b", "", "d"],
}


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("packed", [False, True])
def test_columns_are_found_by_their_usual_names(tmp_path: Path, kind: str, packed: bool) -> None:
    data = WRITERS[kind](SMALL)
    ending = kind.partition(":")[0]
    if packed and kind != "parquet":
        data, ending = gzip.compress(data), f"{ending}.gz"
    corpus = read_table(write(tmp_path / f"t.{ending}", data), format=kind if ":" in kind else None)
    assert corpus == Corpus(SMALL["source"], [SMALL["reference"]], {"hypothesis": SMALL["hypothesis"]})


def test_columns_by_name_number_and_without_a_header(tmp_path: Path) -> None:
    path = write(tmp_path / "t.tsv", as_tsv({"orig": ["a"], "fix": ["b"], "2": ["c"], "gold": ["d"]}))
    corpus = read_table(path, source="orig", hypothesis={"mine": "fix", "other": "2"}, references="4")
    assert corpus == Corpus(["a"], [["d"]], {"mine": ["b"], "other": ["c"]})  # a name goes before a number
    bare = write(tmp_path / "t.csv", 'a,b,"c\n"\nd,e,f\n')
    corpus = read_table(bare, source="1", hypothesis=["2"], header=False)
    assert corpus == Corpus(["a", "d"], (), {"2": ["b", "e"]})
    numbered = write(
        tmp_path / "n.csv",
        "Source,Hypothesis 2,hypothesis,references,reference_10,hypothesis_score\n" + "a,b,c,d,e,0\n",
    )
    found = read_table(numbered)
    assert (list(found.systems), found.references) == (["Hypothesis 2", "hypothesis"], (["d"], ["e"]))


def test_sentences_in_place_of_a_header_are_warned_of(tmp_path: Path) -> None:
    rows = [["He go home .", "He goes home .", "He went home ."], ["I has it .", "I have it .", "I had it ."]]
    path = write(tmp_path / "t.tsv", "".join("\t".join(row) + "\n" for row in rows))
    with pytest.warns(GecevalWarning, match="has sentences: they are not scored .hint: header=False reads it as a row"):
        corpus = read_table(path, source="1", references="2", hypothesis="3")
    assert corpus.source == ["I has it ."]
    assert read_table(path, source="1", references="2", hypothesis="3", header=False).source == [
        "He go home .",
        "I has it .",
    ]
    headers = ["Correct the text.", "The text corrected by A", "The text corrected by B"]
    path = write(tmp_path / "h.tsv", "".join("\t".join(row) + "\n" for row in [headers, *rows]))
    assert len(read_table(path, source="1", references="2", hypothesis="3")) == 2


def test_several_tables_have_a_system_each(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    first = write(tmp_path / "first.jsonl", as_jsonl(SMALL))
    outputs = {"id": SMALL["id"], "hypothesis": ["b", "", "d"], "score": ["9", "8", "7"]}
    second = write(tmp_path / "second.csv", as_csv(outputs))
    texts = {"first": SMALL["hypothesis"], "second": outputs["hypothesis"]}
    assert read_table([first, second]) == Corpus(SMALL["source"], [SMALL["reference"]], texts)
    assert [*read_table({"one": first, "two": second}, hypothesis="hypothesis").systems] == ["one", "two"]
    assert [*read_table([first, second], hypothesis=["score", "hypothesis"]).systems] == [
        "score", "first", "second hypothesis",
    ]  # fmt: skip
    assert [*read_table([first, second], hypothesis={"A": "score"}).systems] == ["A"]
    assert message_of(read_table, [first, second], hypothesis={"A": "hypothesis"}) == snapshot
    assert message_of(read_table, [first, second], hypothesis="hypothesi") == snapshot
    assert message_of(read_table, [first, first]) == snapshot
    assert message_of(read_table, []) == snapshot


def test_sources_of_several_tables_must_be_the_same(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    columns = {name: values for name, values in SMALL.items() if name != "id"}
    first = write(tmp_path / "first.jsonl", as_jsonl(columns))
    blanks = write(tmp_path / "blanks.jsonl", as_jsonl(columns | {"source": ["a  b", "", ' say"no"']}))
    assert read_table([first, blanks]).source == SMALL["source"]
    turned = write(tmp_path / "turned.jsonl", as_jsonl({name: values[::-1] for name, values in columns.items()}))
    assert message_of(read_table, [first, turned]) == snapshot


@given(st.lists(st.lists(st.text("a' \"\\,[]ü", min_size=1), max_size=3), min_size=1, max_size=5), st.booleans())
def test_lists_written_as_text_are_lists_of_references(rows: list[list[str]], is_json: bool) -> None:
    assert [parse_list(json.dumps(row) if is_json else repr(row)) for row in rows] == rows
    assert [parse_list(repr(tuple(row))) for row in rows] == rows


def test_lists_written_as_text_are_read_or_refused_with_a_hint_that_works(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    rows = [{"source": "a b", "references": ["a c", "it's"], "hypothesis": "a c"}] * 2
    path = tmp_path / "lists.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, ["source", "references", "hypothesis"])
        writer.writeheader()
        writer.writerows(rows)
    assert read_table(str(path)).references == (["a c"] * 2, ["it's"] * 2)
    assert read_table(write(tmp_path / "some.csv", "source,references\na,['b']\nc,d\n")).references == (["b", "d"],)
    for cell in ("['a' 'b']", "['a', nan, 'b']", "{'a', 'b'}"):
        numpy = write(tmp_path / "numpy.csv", f'source,references,hypothesis\na,"{cell}",a\n')
        assert message_of(read_table, numpy) == snapshot
    assert message_of(read_table, str(path), hypothesis="references") == snapshot
    lines = write(tmp_path / "lists.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert read_table(lines).references == (["a c"] * 2, ["it's"] * 2)
    quoted = 'source,references\na,"[""b"",""c""]"\nd,"""say \\""e\\"""""\n'
    path = write(tmp_path / "quoted.csv", quoted)
    assert read_table(path).references == (["b", 'say "e"'], ["c", None])
    for size in (1, 2):
        parts = CorpusFiles.of_table(str(path)).open().parts(size)
        assert [[*texts] for part in parts for texts in zip(*part.references, strict=True)][-1][0] == 'say "e"'
    path = write(tmp_path / "speech.csv", quoted + "f,g\n")
    assert read_table(path).references == (["b", '"say \\"e\\""', "g"], ["c", None, None]), "not only JSON"
    path = write(tmp_path / "speech.csv", quoted.replace('"[""b"",""c""]"', "b"))
    assert read_table(path).references == (["b", '"say \\"e\\""'],)
    mixed = write(tmp_path / "mixed.csv", "source,hypothesis\na,['b']\nb,c\n")
    assert read_table(mixed).systems["hypothesis"] == ["['b']", "c"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("t.csv", "source;hypothesis\na, b;c\n"),
        ("t.csv", 'sep=;\r\nsource;hypothesis\r\n"a, b";c\r\n'),
        ("t.csv", '"sep=|"\nsource|hypothesis\na, b|c\n'),
        ("t.csv", "source\thypothesis\na, b\tc\n"),
        ("t.csv", '\ufeff"source";"hypothesis"\n"a, b";"c"\n'),
        ("t.csv", 'note,source,hypothesis\n;;,"a, b",c\n'),
        ("t.csv", "source\r;hypothesis\r\na, b\r;c\r\n"),
        ("t.csv", '"source\r";"hypothesis\r"\r\n"a, b\r";"c\r"\r\n'),
        ("t.tsv", '"source"\t"hypothesis"\n"a, b"\tc\n'),
        ("t.tsv", "source\r\thypothesis\na, b\r\tc\n"),
        ("t.jsonl", '{"source": "a, b\\r", "hypothesis": "c\\r"}\n'),
        ("t.para", "1\ta, b\r\tc\r\n"),
    ],
)
def test_separators_are_detected_and_carriage_returns_left_out(tmp_path: Path, name: str, data: str) -> None:
    path = write(tmp_path / name, data)
    corpus = read_table(path, hypothesis="correction" if name == "t.para" else "hypothesis", references=[])
    assert list(corpus.source) == ["a, b"]
    assert next(iter(corpus.systems.values())) == ["c"]


@given(st.lists(st.text('ab\r\t"', max_size=9), min_size=1), st.integers(1, 5))
def test_returns_are_left_out_at_any_border_of_portions(cells: list[str], size: int) -> None:
    content = "\t".join(cells).encode()
    stream = WithoutReturns(io.BytesIO(content), "\t")
    result = b"".join(iter(lambda: stream.read(size), b""))
    assert result == re.sub(rb'\r+(?="?\t|"\r?\n)', b"", content)


def test_cells_of_csv_may_have_line_breaks_where_they_are_no_sentences(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    path = write(tmp_path / "t.csv", 'note,source,hypothesis\r\n"two\r\nlines, ""quoted""",a,b\r\n\u2028,"c,d",e\r\n')
    assert read_table(path) == Corpus(["a", "c,d"], (), {"hypothesis": ["b", "e"]})
    path = write(tmp_path / "u.csv", 'source,hypothesis\n"a\n b\n",c\n')
    assert message_of(read_table, path) == snapshot
    assert read_table(path, prepare=geceval.Preparation(whitespace=True)).source == ["a b"]


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_lists_of_references(tmp_path: Path, kind: str) -> None:
    columns = {
        "source": ["a", "b", "c"],
        "hypothesis": ["a", "b", "c"],
        "references": [["x"], ["y", None, "z"], ["u", "v"]],
        "reference 2": ["p", None, "q"],
    }
    files = CorpusFiles.of_table(write(tmp_path / f"t.{kind}", WRITERS[kind](columns))).open()
    assert files.most_references == 4
    expected = [["p", None, "q"], ["x", "y", "u"], [None, None, "v"], [None, "z", None]]
    for size in (1, 2, 9):
        rows = [row for part in files.parts(size) for row in zip(*part.references, strict=True)]
        assert list(zip(*(row + (None,) * (4 - len(row)) for row in rows), strict=True)) == [*map(tuple, expected)]
    [result] = evaluate(files, [Green()], checks=False)["hypothesis"]
    corpus = Corpus(columns["source"], expected, {"hypothesis": columns["hypothesis"]})
    assert "|refs:2-3|" in result.signature()
    assert result.score() == evaluate(corpus, [Green()], checks=False)["hypothesis"][0].score()


@pytest.mark.parametrize("is_known", [True, False])
def test_columns_of_json_are_decoded(tmp_path: Path, is_known: bool) -> None:
    """``is_known``: pyarrow has the type, and not only its name as metadata of a field of text."""
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    if is_known and not hasattr(pyarrow, "json_"):
        pytest.skip("pyarrow without JSON")
    texts = pyarrow.array([json.dumps(cell) for cell in (["x", "y"], 'say "z"', ["u", None])])
    columns = {"source": list("abc"), "reference": list("wxy"), "hypothesis": list("abc")}
    field = pyarrow.field("references", pyarrow.string(), metadata={"ARROW:extension:name": "arrow.json"})
    if is_known:
        field, texts = "references", pyarrow.ExtensionArray.from_storage(pyarrow.json_(), texts)
    table = pyarrow.table(columns).append_column(field, texts)
    parquet.write_table(table, tmp_path / "t.parquet", store_schema=is_known)
    expected = ["x", 'say "z"', "u"], ["y", None, None]
    assert read_table(str(tmp_path / "t.parquet")).references == (columns["reference"], *expected)
    if is_known:
        corpus = Corpus.of(table, source="source", hypothesis="hypothesis", per_sentence="references")
        assert tuple(map(list, corpus.references)) == expected
        damaged = pyarrow.array(["x", *['"y"'] * 2])
        table = table.set_column(3, field, pyarrow.ExtensionArray.from_storage(pyarrow.json_(), damaged))
        parquet.write_table(table, tmp_path / "t.parquet")
        with pytest.raises(geceval.GecevalError, match=r"t\.parquet: a column of JSON has a value that is not JSON"):
            read_table(str(tmp_path / "t.parquet"))


@settings(max_examples=examples(20))
@given(st.lists(st.integers(1, 3), min_size=1, max_size=9), st.integers(1, 9))
def test_lists_of_any_length_score_as_in_memory(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[int], block: int
) -> None:
    """Parts have as many references as their longest list."""
    texts = [[f"he goes {s}", f"he went {s}", f"he walks {s}"][:number] for s, number in enumerate(numbers)]
    rows = [{"source": f"he go {s}", "hypothesis": row[-1], "references": row} for s, row in enumerate(texts)]
    path = write(tmp_path_factory.mktemp("lists") / "t.jsonl", "\n".join(map(json.dumps, rows)))
    references = [[row[r] if r < len(row) else None for row in texts] for r in range(max(numbers))]
    corpus = Corpus([row["source"] for row in rows], references, {"hypothesis": [row[-1] for row in texts]})
    for metric in (Green(), Errant(), geceval.Gleu(selection="mean"), geceval.Gleu(iterations=5), geceval.Cleme()):
        files = CorpusFiles.of_table(path).open()
        [result] = evaluate(files, [metric], block=block, checks=False)["hypothesis"]
        [expected] = evaluate(corpus, [metric], checks=False)["hypothesis"]
        assert result.score() == expected.score()
        assert result.sentence_scores().tolist() == expected.sentence_scores().tolist()


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_numbers_of_references_are_observed(tmp_path: Path, kind: str, snapshot: SnapshotAssertion) -> None:
    base = {"source": ["a"] * 5, "hypothesis": ["a"] * 5}
    full = {**base, "reference": ["b"] * 5}
    gaps = {**base, "reference": ["b", None, "b", "b", "b"], "reference 2": ["c"] * 5}
    word = {**base, "reference": ["the word null"] * 5}
    for columns, numbers in ((full, "1"), (gaps, "1-2"), (word, "1")):
        files = CorpusFiles.of_table(write(tmp_path / f"a.{kind}", WRITERS[kind](columns))).open()
        [result] = evaluate(files, [Green()], block=2, checks=False)["hypothesis"]
        assert f"|refs:{numbers}|" in result.signature()
    none = {**base, "reference": ["b", "b", "b", None, "b"]}
    files = CorpusFiles.of_table(write(tmp_path / f"d.{kind}", WRITERS[kind](none))).open()
    assert message_of(files.parts, 2) == snapshot


def test_empty_lines_at_the_end_of_csv(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setattr("geceval.text.reading.delimited.MOST", 2)
    for end in ("", "\n", "\r\n\n\n\n\n"):
        corpus = read_table(write(tmp_path / "a.csv", f"source,hypothesis,reference\na,b,c\nd,e,f\n{end}"))
        assert list(corpus.source) == ["a", "d"]
    for text in ("source,hypothesis\na,b\n\nc,d\n", 'source\n"a\nb"\n\n\n\n""\n', "\nsource\na\n"):
        assert message_of(read_table, write(tmp_path / "a.csv", text)) == snapshot


def test_long_cells_of_csv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion) -> None:
    path = write(tmp_path / "a.csv", f"source,hypothesis,reference\n{'a' * 200_000},b,c\n")
    assert len(read_table(path).source[0]) == 200_000
    before = csv.field_size_limit(1000)
    monkeypatch.setattr("geceval.text.reading.delimited._LONGEST", 1000)
    try:
        assert message_of(read_table, path) == snapshot
    finally:
        csv.field_size_limit(before)


def test_fields_within_fields(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    rows = [
        {"text": {"raw": "a", "fixed": {"by": "b"}}, "level": 3},
        {"level": "B1", "text": {"fixed": {"by": "d"}, "raw": "c"}},
    ]
    path = write(tmp_path / "t.jsonl", "\n".join(map(json.dumps, rows)))
    corpus = read_table(path, source="text.raw", hypothesis={"it": "text.fixed.by"}, labels="level")
    assert corpus == Corpus(["a", "c"], (), {"it": ["b", "d"]}, labels=["3", "B1"])
    assert message_of(lambda: CorpusFiles.of_table(path, source="text").open()) == snapshot
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(
        pyarrow.Table.from_pylist([{"t": {"raw": "a"}, "h": "b"}, {"t": {"raw": "c"}, "h": "d"}]),
        tmp_path / "t.parquet",
    )
    assert read_table(str(tmp_path / "t.parquet"), source="t.raw", hypothesis="h") == Corpus(
        ["a", "c"], (), {"h": ["b", "d"]}
    )


def test_a_table_beside_files(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    table = TableColumns.of(open_tables([write(tmp_path / "t.csv", as_csv(SMALL))]))
    more = write(tmp_path / "more.txt", "x\ny\nz\n")
    corpus = CorpusFiles(None, [more], [more], table=table).read()
    assert corpus.references == (["b", "", "d"], ["x", "y", "z"])
    assert list(corpus.systems) == ["hypothesis", "more"]
    short = write(tmp_path / "short.txt", "x\n")
    assert message_of(lambda: CorpusFiles(None, [], [short], table=table).read()) == snapshot
    assert message_of(lambda: CorpusFiles(more, [], [], table=table).open()) == snapshot
    assert message_of(lambda: CorpusFiles(None, [], {"hypothesis": more}, table=table).open()) == snapshot


# --- what is not ---

HEAD = "source,hypothesis\n"
GOOD = '{"source": "a", "hypothesis": "b"}\n'


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("t.csv", ""),
        ("t.csv", HEAD),
        ("t.csv", HEAD + 'a,"b\nc",\n'),
        ("t.csv", HEAD + '"a\nb",c\nd\n'),
        ("t.csv", HEAD + "a,b\n\nc,d\n"),
        ("t.csv", HEAD + 'a,"b" c\n'),
        ("t.csv", HEAD + 'a,b\nc,"d\ne,f\n'),
        ("t.jsonl", "{}\n" + GOOD),
        ("t.csv", HEAD.encode() + b"a,b\nb\xe4d,c\n"),
        ("t.csv", HEAD + "a,b\0\n"),
        ("t.csv", HEAD + 'x,y\na,"b\rc"\n'),
        ("t.tsv", "source\thypothesis\na\tb\nc\td\te\n"),
        ("t.tsv", b"source\thypothesis\na\tb\xff\n"),
        ("t.jsonl", ""),
        ("t.jsonl", GOOD + '{"source": "a"}\n'),
        ("t.jsonl", '{"source": "a", "hypothesis": "b"} {}\n'),
        ("t.jsonl", GOOD + "\n" + GOOD),
        ("t.jsonl", GOOD + "[1]\n"),
        ("t.jsonl", GOOD + '{"source": "a", "hypothesis": 3}\n'),
        ("t.jsonl", '{"source": null, "hypothesis": "b"}\n'),
        ("t.jsonl", '{"source": "a\\u0000", "hypothesis": "b"}\n'),
        ("t.jsonl", '{"source": "a\\ud800", "hypothesis": "b"}\n'),
        ("t.jsonl", '{"source": "a", "hypothesis": "b\\n"}\n'),
        pytest.param("t.csv.gz", gzip.compress((HEAD + "a,b\n" * 99).encode())[:-9], id="truncated gzip"),
    ],
)  # fmt: skip
def test_bad_tables_are_located(tmp_path: Path, name: str, data: bytes | str, snapshot: SnapshotAssertion) -> None:
    assert message_of(read_table, write(tmp_path / name, data), source="source", hypothesis="hypothesis") == snapshot


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("t.jsonl", GOOD + '{"source": "a", \n', r"t\.jsonl:2: not JSON: .* at character 1[57]"),
        ("t.jsonl", "[" * 100_000, r"t\.jsonl:1: not JSON"),
        ("t.jsonl", '{"source": ' + "9" * 5000 + "}", r"t\.jsonl:1: not JSON|has no column"),
        ("t.parquet", "nonsense of some length", r"t\.parquet: cannot be read as Parquet"),
    ],
)
def test_messages_of_libraries_are_located(tmp_path: Path, name: str, data: str, message: str) -> None:
    """Their words depend on the version of the library."""
    if "parquet" in name:
        pytest.importorskip("pyarrow")
    with pytest.raises(GecevalError, match=message):
        read_table(write(tmp_path / name, data), source="source", hypothesis="hypothesis")


def test_faults_are_numbered_in_any_part(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    rows = [{"source": "a", "hypothesis": "b"}] * 9
    rows[7] = {"source": "a", "hypothesis": "b\n"}
    files = CorpusFiles.of_table(write(tmp_path / "t.jsonl", "\n".join(map(json.dumps, rows)))).open()
    for size in (1, 3, 20):
        assert message_of(files.parts, size) == snapshot
    lists = [{"source": "a", "hypothesis": "b", "references": ["c"]}] * 4
    lists[2] = {"source": "a", "hypothesis": "b", "references": "c"}  # type: ignore[dict-item]
    files = CorpusFiles.of_table(write(tmp_path / "l.jsonl", "\n".join(map(json.dumps, lists)))).open()
    assert [list(part.references[0]) for part in files.parts(1)] == [["c"]] * 4  # a text is a list of one
    lists[2] = {"source": "a", "hypothesis": "b", "references": [7]}  # type: ignore[dict-item]
    files = CorpusFiles.of_table(write(tmp_path / "l.jsonl", "\n".join(map(json.dumps, lists)))).open()
    assert message_of(files.parts, 1) == snapshot


def test_wrong_names(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = write(tmp_path / "t.csv", as_csv({"source": ["a"], "hypothesis": ["b"], "twice": ["c"]}))
    assert message_of(lambda: CorpusFiles.of_table(path, hypothesis="hypotheses").open()) == snapshot
    assert message_of(lambda: CorpusFiles.of_table(path, hypothesis="4").open()) == snapshot
    assert message_of(lambda: CorpusFiles.of_table(write(tmp_path / "n.csv", "a,b\nc,d\n")).open()) == snapshot
    double = write(tmp_path / "d.csv", "source,a,a\nx,y,z\n")
    assert message_of(lambda: CorpusFiles.of_table(double, hypothesis="a").open()) == snapshot
    assert read_table(double, hypothesis="3").systems == {"a": ["z"]}
    assert message_of(lambda: CorpusFiles.of_table(write(tmp_path / "table", "source\n")).open()) == snapshot
    assert message_of(lambda: CorpusFiles.of_table(path, format="tvs").open()) == snapshot
    assert message_of(lambda: CorpusFiles.of_table(path, format="csv:ab").open()) == snapshot
    assert message_of(lambda: CorpusFiles.of_table(path, format="tsv:x").open()) == snapshot
    assert message_of(lambda: CorpusFiles.of_table(path, format="m2").open()) == snapshot
    assert message_of(lambda: CorpusFiles.of_table(write(tmp_path / "t.jsonl", "{}"), header=False).open()) == snapshot
    assert message_of(lambda: CorpusFiles.of_table(path, format=3).open()) == snapshot
    with pytest.raises(UsageError, match=r"a format must return a geceval\.extending\.FileContent, not 'a'"):
        CorpusFiles.of_table(path, format=lambda file: "a")  # type: ignore[arg-type, return-value]


def test_quotes_in_tsv_are_told(tmp_path: Path) -> None:
    columns = {"source": ['say "no" .'], "hypothesis": ['" no "']}
    path = write(tmp_path / "t.tsv", as_csv(columns, "\t"))
    with pytest.warns(GecevalWarning, match=r"t\.tsv:2: a quoted cell .*csv:tab"):
        CorpusFiles.of_table(path).open()
    assert read_table(path, format="csv:tab").source == columns["source"]
    assert read_table(write(tmp_path / "u.tsv", as_tsv(columns))).systems == {"hypothesis": ['" no "']}


def test_parquet_is_read_or_the_package_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    assert message_of(lambda: CorpusFiles.of_table(write(tmp_path / "t.parquet", "x")).open()) == snapshot


# --- memory and portions ---


@given(st.lists(st.integers(1, 7), max_size=9), st.integers(1, 5))
def test_portions_are_rechunk(lengths: list[int], size: int) -> None:
    rows = [*range(sum(lengths))]
    portions, at = [], 0
    for length in lengths:
        portions.append([rows[at : at + length], rows[at : at + length]])
        at += length
    cut = list(_rechunk(iter(portions), size))
    assert [len(first) for first, _ in cut[:-1]] == [size] * (len(cut) - 1)
    assert [row for first, second in cut for row in first if first == second] == rows


@pytest.mark.parametrize("kind", ["tsv", "csv", "jsonl"])
def test_tables_are_read_in_the_memory_of_parts(tmp_path: Path, kind: str) -> None:
    line = "a few words of a sentence"
    path = write(tmp_path / f"t.{kind}", WRITERS[kind](dict.fromkeys(NAMES, [line] * 30_000)))
    tracemalloc.start()
    try:
        files = CorpusFiles.of_table(path).open()
        assert files.most_references == 2
        assert sum(len(part) for part in files.parts(1000)) == 30_000
        assert tracemalloc.get_traced_memory()[1] < 4 << 20  # all of it is at least three times as much
    finally:
        tracemalloc.stop()


# --- ChERRANT's parallel text ---

#: Answers in the Chinese of its dialect of M2.
NOTHING_WRONG, NOT_TO_BE_CORRECTED = "没有错误", "无法标注"


def as_para(sources: Sequence[str], answers: Sequence[Sequence[str]]) -> bytes:
    rows = zip(sources, answers, strict=True)
    return "".join(
        "\t".join((str(at), source, *corrections)) + "\n" for at, (source, corrections) in enumerate(rows, 1)
    ).encode()


CELL = st.text("他来了 a", min_size=1, max_size=5).filter(lambda cell: cell.strip() == cell)


@given(st.lists(st.tuples(CELL, st.lists(CELL, min_size=1, max_size=3), CELL), min_size=1, max_size=6))
def test_parallel_text_is_read_as_the_lists_of_json(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, list[str], str]]
) -> None:
    folder = tmp_path_factory.mktemp("para")
    sources, answers, fixed = ([*column] for column in zip(*rows, strict=True))
    para = write(folder / "ref.para", as_para(sources, answers))
    system = write(folder / "mine.para", as_para(sources, [[line] for line in fixed]))
    data = as_jsonl({"source": sources, "references": answers, "mine": fixed})
    columns = {"hypothesis": "mine", "source": "source", "references": "references"}
    expected = read_table(write(folder / "t.jsonl", data), **columns)
    assert geceval.read_corpus(para, [para], [system]) == expected
    assert read_table(write(folder / "dev.txt", as_para(sources, answers)), format="para").references == (
        expected.references
    )


def test_answers_without_a_correction_are_as_in_m2(tmp_path: Path) -> None:
    answers = [[NOTHING_WRONG, "b"], ["c", NOT_TO_BE_CORRECTED], [NOT_TO_BE_CORRECTED]]
    path = write(tmp_path / "r.para", as_para(["A", "B", "C"], answers))
    corpus = read_table(path)
    assert (corpus.source, corpus.references) == (["A", "B", "C"], (["A", "c", "C"], ["b", None, None]))


@pytest.mark.parametrize(
    "data",
    [
        "1\ta\tb\n2\ta\n",
        "1\ta\tb\tc\n",
        "1\ta\tb\n\n",
    ],
)
def test_lines_of_parallel_text_that_are_refused(tmp_path: Path, data: str, snapshot: SnapshotAssertion) -> None:
    path = write(tmp_path / "h.para", data)
    assert message_of(geceval.read_corpus, path, (), [path]) == snapshot


# --- lists of tokens ---


def test_lists_of_tokens_are_sentences(tmp_path: Path) -> None:
    tokens = {
        "source": [["a", "b"], []],
        "hypothesis": [["a"], ["c", "!"]],
        "references": [[["x", "y"], ["z"]], [[]]],
    }
    corpus = read_table(write(tmp_path / "t.jsonl", as_jsonl(tokens)))
    assert corpus == Corpus(["a b", ""], [["x y", ""], ["z", None]], {"hypothesis": ["a", "c !"]})


def test_a_token_with_white_space_is_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = write(tmp_path / "t.jsonl", as_jsonl({"source": [["a", "b"], ["c d"]], "hypothesis": ["a", "b"]}))
    assert message_of(read_table, path) == snapshot


# --- the registry ---


def open_fixed(file: InputFile) -> FileContent:
    """Return two columns, eight characters wide."""

    def read(columns: Sequence[int], size: int) -> Any:
        for lines in file.lines(2):
            cells = [(line[:8].strip(), line[8:].strip()) for line in lines]
            yield [[row[column] for row in cells] for column in columns]

    return FileContent(file, ["source", "hypothesis"], read)


def test_a_format_of_another_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name = "fixed"

        def load(self) -> Any:
            return open_fixed

    def plugins(group: str) -> list[Point]:
        return [Point()] if group == "geceval.formats" else []

    monkeypatch.setattr("importlib.metadata.entry_points", plugins)
    path = write(tmp_path / "t.fixed", "a b     a c\nd       e\nf       g\n")
    corpus = read_table(path)
    assert corpus == Corpus(["a b", "d", "f"], (), {"hypothesis": ["a c", "e", "g"]})
    assert read_table(path, format=open_fixed) == corpus
    assert "fixed" in FORMATS.names()


# --- text from Arrow ---


@given(st.lists(st.none() | st.text(max_size=3), max_size=7), st.integers(0, 7), st.booleans())
def test_strings_are_read_from_arrow_arrays(values: list[str | None], start: int, wide: bool) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    kind = pyarrow.large_string() if wide else pyarrow.string()
    array = pyarrow.array(values, kind)[start:]
    text = column_values(array)
    assert isinstance(text, Text)
    assert list(text) == values[start:]
    chunks = pyarrow.chunked_array([array, pyarrow.array(["é"], kind), array])
    assert list(column_values(chunks)) == [*values[start:], "é", *values[start:]]


@pytest.mark.parametrize("offsets", [[], [0, 9], [-1, 2], [0, 2, 1], [2, 1], [0, 1, 3], [3, 5]])
def test_offsets_that_do_not_divide_text_are_refused(offsets: list[int]) -> None:
    data = np.frombuffer("éa".encode() + b"\xff\xff", np.uint8)
    with pytest.raises(ValueError, match="divide"):
        Text.from_arrow(data, np.array(offsets, np.int64), None)


def test_missing_values_of_arrow_may_have_bytes() -> None:
    text = Text.from_arrow(np.frombuffer(b"abc", np.uint8), np.array([1, 2, 3]), np.array([False, True]))
    assert list(text) == [None, "c"]
    assert text == Text([None, "c"])


# --- files of candidates ---


def test_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "samples.txt", "a\nb\n\nd\te\n")
    candidates = read_candidates(path, 2)
    assert (candidates.texts, candidates.scores, len(candidates)) == ([["a", "b"], ["", "d\te"]], None, 2)


def test_a_table(tmp_path: Path) -> None:
    path = write(tmp_path / "nbest.tsv", "1\ta b\t-0.5\n1\t\t-inf\n2\tc\t1e3\n")
    candidates = read_candidates(path)
    assert candidates.texts == [["a b", ""], ["c"]]
    assert candidates.scores == [[-0.5, -math.inf], [1000.0]]
    path.write_text("1\ta b\n2\tc\n", encoding="utf-8")
    assert read_candidates(path).scores is None


rows = st.lists(st.lists(st.tuples(sentences, st.floats(allow_nan=False)), min_size=1, max_size=4), max_size=5)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows)
def test_what_is_written_is_read(tmp_path: Path, rows: list[list[tuple[str, float]]]) -> None:
    texts, scores = (
        [[text for text, _ in sentence] for sentence in rows],
        [[score for _, score in sentence] for sentence in rows],
    )
    path = write(tmp_path / "nbest.tsv", "".join(f"{line}\n" for line in candidate_lines(texts, scores)))
    candidates = read_candidates(path)
    assert candidates.texts == texts
    assert candidates.scores == (scores if rows else None)


@pytest.mark.parametrize(
    "text",
    [
        "a\n",
        "1\ta\tb\tc\n",
        "1\ta\n1\tb\t3\n",
        "2\ta\n",
        "0\ta\n",
        "1\ta\n3\tb\n",
        "1\ta\n2\tb\n1\tc\n",
        "one\ta\n",
        "²\ta\n",
        "1\ta\tgood\n",
        "1\ta\tnan\n",
    ],
)
def test_tables_that_are_none(tmp_path: Path, text: str, snapshot: SnapshotAssertion) -> None:
    assert message_of(read_candidates, write(tmp_path / "nbest.tsv", text)) == snapshot


def test_numbers_of_any_length_and_tabs_are_told(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = write(tmp_path / "odd.tsv", f"{'1' * 5000}\ta\n")
    assert message_of(read_candidates, path) == snapshot
    assert message_of(candidate_lines, [["a\tb"]], [[1.0]]) == snapshot


# --- conversations ---


def test_last_answer_of_a_conversation_is_the_system(tmp_path: Path) -> None:
    def turns(*texts: Any) -> list[dict[str, Any]]:
        return [{"role": role, "content": text} for role, text in zip(["user", "assistant"] * 2, texts, strict=False)]

    rows = [
        {"source": "He go .", "reference": "He goes .", "messages": turns("He go .", "He goes .")},
        {
            "source": "I has it .",
            "reference": "I have it .",
            "messages": turns("hi", "Hello", "I has it .", "I have ."),
        },
        {
            "source": "It is .",
            "reference": "It is .",
            "messages": turns("It is .", [{"type": "text", "text": "It is ."}]),
        },
    ]
    path = tmp_path / "chat.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    corpus = read_table(str(path))
    assert dict(corpus.systems) == {"chat": ["He goes .", "I have .", "It is ."]}
    assert dict(read_table(str(path), hypothesis="messages.assistant").systems) == {
        "messages.assistant": ["He goes .", "I have .", "It is ."]
    }
    rows[1]["messages"] = turns("hi")
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    with pytest.raises(GecevalError, match=r"chat\.jsonl:2: the row has no field messages\.assistant"):
        read_table(str(path))


def test_a_field_called_assistant_is_a_field(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"source": "a b", "reference": "a b", "messages": {"assistant": "a c"}}\n' * 2, encoding="utf-8")
    assert list(read_table(str(path)).systems.values()) == [["a c", "a c"]]


def test_errors_of_a_spreadsheet_are_bad_rows(tmp_path: Path) -> None:
    rows = [["He go .", "He goes .", text] for text in ("He goes .", "#NAME?", "Loading...", "#1 : Loading...")]
    path = write(tmp_path / "t.csv", "\n".join(map(",".join, [["source", "reference", "hypothesis"], *rows])))
    with pytest.raises(InputError, match=r"hypothesis: an error of a spreadsheet: #NAME\?") as caught:
        read_table(path)
    assert (caught.value.line, "bad rows: 2" in caught.value.message) == (3, True)
    with pytest.warns(match="left out: 2 of 4 rows"):
        assert list(read_table(path, skip_bad_rows=True).systems["hypothesis"]) == ["He goes .", "#1 : Loading..."]


@pytest.mark.parametrize("role", ["source", "reference"])
def test_objects_in_json_are_no_sentences(tmp_path: Path, role: str) -> None:
    row = {"source": "He go .", "reference": "He goes .", "hypothesis": "He goes ."}
    rows = [row | {role: json.dumps({"text": row[role]})}] * 2
    path = write(tmp_path / "t.csv", WRITERS["csv"]({name: [row[name] for row in rows] for name in row}))
    with pytest.raises(InputError, match=f"{role}: an object in JSON, not a sentence"):
        read_table(path)


@pytest.mark.parametrize("kind", ["csv", "tsv"])
@pytest.mark.parametrize("number", [1, 3, 20_000])
def test_blank_rows_at_the_end_are_no_sentences(tmp_path: Path, kind: str, number: int) -> None:
    columns = {name: ["a b", "", "c d", *[""] * number] for name in ("source", "reference", "hypothesis")}
    path = write(tmp_path / f"t.{kind}", WRITERS[kind](columns))
    assert list(read_table(path).source) == ["a b", "", "c d"]
    one = write(tmp_path / f"one.{kind}", WRITERS[kind]({"hypothesis": ["a b", "c d", ""]}))
    texts = {"source": write(tmp_path / "s.txt", "a b\nc d\n\n"), "references": [str(tmp_path / "s.txt")]}
    table = TableColumns.of(open_tables([one]))
    assert len(CorpusFiles(**texts, table=table).read().systems["hypothesis"]) == 3


@pytest.mark.parametrize("kind", ["csv", "tsv"])
@pytest.mark.parametrize("place", [2, 20_000])
def test_tables_that_were_joined_with_their_headers_are_refused(tmp_path: Path, kind: str, place: int) -> None:
    columns = {name: [*["a b"] * place, name, "c d"] for name in ("source", "reference", "hypothesis")}
    with pytest.raises(InputError, match="the header again: tables were joined") as caught:
        read_table(write(tmp_path / f"t.{kind}", WRITERS[kind](columns)))
    assert caught.value.line == place + 2


@pytest.mark.parametrize("kind", ["csv", "tsv"])
def test_names_below_the_header_are_refused(tmp_path: Path, kind: str) -> None:
    rows = [["", "text", "text", "system"], ["", "source", "reference", "hypothesis"], ["0", "a b", "a c", "a d"]]
    text = "".join("{}\n".format(("," if kind == "csv" else "\t").join(row)) for row in rows)
    path = write(tmp_path / f"levels.{kind}", text)
    with pytest.raises(InputError, match="names of columns below the header: source, reference, hyp") as caught:
        read_table(path)
    assert (caught.value.line, str(caught.value.hint)) == (2, "skip_rows=1 reads them as the header")
    assert list(read_table(path, skip_rows=1).systems["hypothesis"]) == ["a d"]


@pytest.mark.parametrize("row", ["| {} | {} |", "{} | {}"])
def test_markdown_tables_are_named_with_a_step(row: str, tmp_path: Path) -> None:
    rows = [row.format(*cells) for cells in (("source", "reference"), ("---", ":--"), ("a b", "a c"))]
    path = write(tmp_path / "t.csv", "\n".join(rows) + "\n")
    with pytest.raises(InputError, match="this is a table in Markdown, not a table of cells") as caught:
        read_table(path)
    command = str(caught.value.hint).split(" > ")[0]
    written = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout
    assert list(read_table(write(tmp_path / "u.tsv", written)).source) == ["a b"]


def test_blanks_around_names_of_columns_do_not_count(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "source , reference,hypothesis\na b,a c,a c\n")
    assert list(read_table(path).source) == list(read_table(path, source="source ").source) == ["a b"]


def test_parquet_with_two_columns_of_one_name_is_refused(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    path = tmp_path / "t.parquet"
    table = arrow.table([["a"], ["b"], ["c"]], names=["source", "source", "hypothesis"])
    pytest.importorskip("pyarrow.parquet").write_table(table, path)
    with pytest.raises(InputError, match=r"t\.parquet: two columns called source"):
        read_table(path)


@pytest.mark.parametrize("message", ["5", "[]", '"x"'])
def test_choice_whose_message_is_no_object_is_refused(message: str, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(f'{{"samples": [{{"message": {message}}}]}}\n', encoding="utf-8")
    with pytest.raises(GecevalError, match="columns of lists of candidates"):
        read_candidates(path)
