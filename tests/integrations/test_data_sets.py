"""Data sets of Hugging Face in files and frames."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import geceval
from geceval import Corpus
from geceval.text.reading.corpus_files import CorpusFiles

datasets = pytest.importorskip("datasets")

ROWS = [
    {"source": "He go .", "hypothesis": "He goes .", "references": ["He goes .", "He went ."]},
    {"source": "She have it .", "hypothesis": "She has it .", "references": "She has it ."},
    {"source": 'I is "ok" .', "hypothesis": 'I am "ok" .', "references": 'I am "ok" .'},
]
REFERENCES = ["He goes .", "She has it .", 'I am "ok" .'], ["He went .", None, None]


@pytest.fixture
def mixed(tmp_path: Path) -> Any:
    """Return a data set whose references are texts and lists."""
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return datasets.load_dataset("json", data_files=str(path), split="train", cache_dir=str(tmp_path / "cache"))


@pytest.mark.parametrize("kind", ["parquet", "csv", "json"])
def test_texts_among_lists_of_references_are_read_of_files(tmp_path: Path, mixed: Any, kind: str) -> None:
    path = tmp_path / f"t.{kind.replace('json', 'jsonl')}"
    getattr(mixed, f"to_{kind}")(str(path))
    [corpus] = CorpusFiles.of_table(str(path)).open().parts(9)
    assert [[*texts] for texts in corpus.references] == [*REFERENCES]


@pytest.mark.parametrize("form", ["hf", "arrow", "pandas", "polars"])
def test_texts_among_lists_of_references_are_read_of_frames(mixed: Any, form: str) -> None:
    frame = {
        "hf": lambda: mixed,
        "arrow": lambda: mixed.with_format("arrow")[:],
        "pandas": mixed.to_pandas,
        "polars": mixed.to_polars,
    }[form]()
    corpus = Corpus.of(frame, source="source", hypothesis="hypothesis", per_sentence="references")
    assert [[*texts] for texts in corpus.references] == [*REFERENCES]


def test_columns_of_arrow_are_arguments() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    source, hypothesis, reference = ([row[name] for row in ROWS[1:]] for name in ("source", "hypothesis", "references"))
    lists = [[text, text] for text in reference]
    table = pyarrow.table({"s": source, "h": hypothesis, "r": reference, "l": lists})
    expected = geceval.score(hypothesis, reference, source, "errant")["hypothesis"]["errant"].score()
    assert geceval.score(table["h"], table["r"], table["s"], "errant").item()["errant"].score() == expected
    results = geceval.score(table["h"], sources=table["s"], per_sentence=table["l"], metrics="errant")
    assert results.item()["errant"].score().value == expected.value
    scorer = geceval.Scorer(["errant"], table["s"], [table["r"]])
    assert scorer.score(table["h"])["errant"] == expected
    rewarded = geceval.rewards("errant")(completions=table["h"], source=table["s"], references=table["l"])
    assert rewarded == geceval.rewards("errant")(completions=hypothesis, source=source, references=reference)
    assert None not in rewarded


def test_tables_of_duckdb_are_read() -> None:
    duckdb, pyarrow = pytest.importorskip("duckdb"), pytest.importorskip("pyarrow")
    connection = duckdb.connect()
    connection.register("rows", pyarrow.Table.from_pylist(ROWS[1:]))
    relation = connection.sql("select * from rows")
    corpus = Corpus.of(relation, source="source", hypothesis="hypothesis", references="references")
    assert [*corpus.source] == [row["source"] for row in ROWS[1:]]


@pytest.mark.parametrize("form", ["dict", "arrow", "pandas", "polars", "hf"])
def test_fields_and_systems_of_tables_have_names(form: str) -> None:
    rows = [{"text": {"raw": row["source"], "n": 1}, "h": row["hypothesis"]} for row in ROWS]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    frame = {
        "dict": lambda: columns,
        "arrow": lambda: pytest.importorskip("pyarrow").table(columns),
        "pandas": lambda: pytest.importorskip("pandas").DataFrame(columns),
        "polars": lambda: pytest.importorskip("polars").DataFrame(columns),
        "hf": lambda: datasets.Dataset.from_dict(columns),
    }[form]()
    corpus = Corpus.of(frame, source="text.raw", hypothesis={"EAGER": "h"})
    assert ([*corpus.source], [*corpus.systems]) == ([row["source"] for row in ROWS], ["EAGER"])
    with pytest.raises(geceval.GecevalError, match=r"no column 'text.row': .*\n.*did you mean text.raw"):
        Corpus.of(frame, source="text.row", hypothesis="h")


def test_names_that_are_numbers_or_repeated(recwarn: pytest.WarningsRecorder) -> None:
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    frame = pandas.DataFrame([list(row.values()) for row in ROWS[1:]])
    corpus = Corpus.of(frame, source=0, hypothesis=[1], references=[2])
    assert [*corpus.systems] == ["1"]
    frame.columns = ["s", "h", "h"]
    table = pyarrow.Table.from_arrays([["a"], ["b"], ["c"]], names=["s", "h", "h"])
    for repeated in (frame, table):
        with pytest.raises(geceval.GecevalError, match="2 columns have the name 'h'"):
            Corpus.of(repeated, source="s", hypothesis="h")


def test_a_reader_without_rows_has_no_sentences() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.Table.from_pylist([row | {"references": [row["source"]]} for row in ROWS])
    reader = pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches())
    reader.read_all()
    with pytest.raises(geceval.GecevalError, match="there are no sentences"):
        Corpus.of(reader, source="source", hypothesis="hypothesis", per_sentence="references")
