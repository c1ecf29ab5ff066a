"""Hugging Face evaluate: the metric, and the folder that ``evaluate.load`` takes without network."""

from __future__ import annotations

from pathlib import Path

import evaluate
import pytest

import geceval
from geceval.integrations import evaluate as adapter
from support.examples import CAREFUL, REFERENCES, ROWS, SOURCE


@pytest.fixture(autouse=True)
def somewhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are cached on disk."""
    monkeypatch.setattr("evaluate.config.HF_METRICS_CACHE", tmp_path)
    monkeypatch.setattr("evaluate.config.HF_MODULES_CACHE", tmp_path / "modules")


@pytest.mark.parametrize("several", [True, False])
def test_the_folder_loads_offline(several: bool) -> None:
    metric = evaluate.load(adapter.MODULE, "errant:beta=1")
    rows = ROWS if several else [row[0] for row in ROWS]
    computed = metric.compute(sources=SOURCE, predictions=CAREFUL, references=rows)
    score = geceval.Errant(beta=1.0).corpus_score(SOURCE, CAREFUL, REFERENCES if several else REFERENCES[:1])
    assert computed == {"score": score.value, **score.parts, "signature": score.signature}
    assert {type(value) for value in computed.values()} == {float, str}


def test_without_a_name_it_is_errant() -> None:
    computed = evaluate.load(adapter.MODULE).compute(sources=SOURCE, predictions=CAREFUL, references=ROWS)
    assert computed["signature"].startswith("ERRANT|")
    assert "signature" in evaluate.load(adapter.MODULE).citation


def test_batch_by_batch() -> None:
    metric = adapter.metric(geceval.Cleme())
    assert isinstance(metric, evaluate.Metric)
    for start in range(0, 40, 16):
        part = slice(start, start + 16)
        metric.add_batch(sources=SOURCE[part], predictions=CAREFUL[part], references=ROWS[part])
    assert metric.compute()["score"] == geceval.Cleme().corpus_score(SOURCE, CAREFUL, REFERENCES).value


@pytest.mark.parametrize("rows", [["a x .", ["b y .", "b z ."]], [["a x .", "a w ."], "b y ."]])
def test_texts_and_lists_of_references_may_be_mixed(rows: list[str | list[str]]) -> None:
    sources, predictions = ["a .", "b ."], ["a x .", "b z ."]
    lists = [[row] if isinstance(row, str) else row for row in rows]
    references = [[row[r] if r < len(row) else None for row in lists] for r in range(2)]
    expected = geceval.Errant().corpus_score(sources, predictions, references).value
    texts = {"sources": sources, "predictions": predictions}
    metric = evaluate.load(adapter.MODULE, "errant")
    assert metric.compute(**texts, references=rows, ragged=True)["score"] == expected
    with pytest.raises(geceval.GecevalError, match="references, but row 0 has"):
        adapter.metric().compute(**texts, references=rows)
    for source, prediction, row in zip(sources, predictions, rows, strict=True):
        metric.add(sources=source, predictions=prediction, references=row)
    assert metric.compute(ragged=True)["score"] == expected


def test_predictions_are_unwrapped() -> None:
    metric = adapter.metric("green", extract=lambda text: text.removeprefix("Corrected: "))
    wrapped = [f"Corrected: {text}" for text in CAREFUL]
    computed = metric.compute(sources=SOURCE, predictions=wrapped, references=ROWS)
    assert computed["score"] == geceval.Green().corpus_score(SOURCE, CAREFUL, REFERENCES).value


def test_ragged_rows_are_refused_unless_they_are_allowed() -> None:
    rows = [*ROWS[:-1], ROWS[-1][:1]]
    with pytest.raises(geceval.GecevalError, match=r"row 39 \(counted from 0\) has 1 references, but row 0 has 2"):
        adapter.metric("green").compute(sources=SOURCE, predictions=CAREFUL, references=rows)
    computed = adapter.metric("green").compute(sources=SOURCE, predictions=CAREFUL, references=rows, ragged=True)
    assert "|refs:1-2|" in computed["signature"]
