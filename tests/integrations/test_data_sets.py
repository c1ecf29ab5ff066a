"""Data sets of Hugging Face in files and frames."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

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
