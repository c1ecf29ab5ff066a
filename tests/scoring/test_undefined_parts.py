"""Precision where nothing is proposed and recall where there is nothing to find: – in tables, null in JSON."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import geceval
from support.commands import Run

TEXTS = ("-s", "in.txt", "-r", "ref.txt", "-c", "idle=in.txt", "busy=ref.txt")
METRICS = ("-m", "errant", "cleme", "goto", "-q")


@pytest.fixture
def run_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Run:
    """Two sentences: the first one has an error, and the system idle changes nothing."""
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text("They was late .\nIt rains .\n", encoding="utf-8")
    Path("ref.txt").write_text("They were late .\nIt rains .\n", encoding="utf-8")
    return run


def row_of(table: str, system: str, separator: str | None = None) -> list[str]:
    return next(line.split(separator) for line in table.splitlines() if line.startswith((system, f"| {system}")))


def test_precision_of_nothing_proposed_is_a_dash_in_tables_and_null_in_json(run_here: Run) -> None:
    line = ("score", *TEXTS, *METRICS, "--parts")
    assert row_of(run_here(*line).out, "idle")[1:4] == ["–", "0.00", "0.00"]
    assert row_of(run_here(*line).out, "busy")[1:4] == ["100.00", "100.00", "100.00"]
    assert "| idle | – | 0.00 | 0.00 | – |" in run_here(*line, "-f", "markdown").out
    assert row_of(run_here(*line, "-f", "csv").out, "idle", ",")[1:4] == ["nan", "0.00", "0.00"]
    results = json.loads(run_here(*line, "-f", "json").out)["results"]
    found = {(row["system"], row["metric"]): row["parts"]["precision"] for row in results}
    assert [found["idle", name] for name in ("errant", "cleme", "goto")] == [None] * 3
    assert [found["busy", name] for name in ("errant", "cleme", "goto")] == [1.0] * 3


def test_repr_of_a_score_shows_a_precision_of_nothing_as_a_dash() -> None:
    score = geceval.Scorer(["errant"], ["He go ."], [["He goes ."]]).score(["He go ."])["errant"]
    assert repr(score) == "<errant 0.0000, precision –, recall 0.0000>"


def test_parts_of_sentences_without_edits_have_no_value(run_here: Run) -> None:
    line = ("score", *TEXTS, "-m", "errant", "-q", "--level", "sentence", "--parts")
    rows = [json.loads(row)["parts"] for row in run_here(*line, "-f", "jsonl").out.splitlines()]
    assert [row["idle"]["errant"]["precision"] for row in rows] == [None, None]
    assert [row["busy"]["errant"]["recall"] for row in rows] == [1.0, None]
    assert row_of(run_here(*line).out, "   2")[1:] == ["–", "–", "100.00", "–", "–", "100.00"]


def test_means_of_parts_count_sentences_without_edits_as_the_public_tools_do(run_here: Run) -> None:
    line = ("score", *TEXTS, "-m", "errant", "-q", "--level", "mean", "--parts")
    table = run_here(*line).out
    assert row_of(table, "idle")[1:] == ["–", "50.00", "50.00"]
    assert row_of(table, "busy")[1:] == ["100.00", "100.00", "100.00"]


def test_groups_comparison_and_gate_have_no_precision_of_nothing(run_here: Run) -> None:
    by_type = run_here("score", *TEXTS, "-m", "errant", "-q", "--by", "type").out
    assert row_of(by_type, "idle")[-3:] == ["–", "0.00", "0.00"]
    Path("levels.txt").write_text("a\nb\n", encoding="utf-8")
    grouped = run_here("score", *TEXTS, "-m", "errant", "-q", "--group", "levels.txt", "--parts", "-f", "json").out
    assert json.loads(grouped)["results"][0]["groups"]["b"]["parts"] == {"precision": None, "recall": None}
    suite = '[sets.two]\nsource = "in.txt"\nreferences = ["ref.txt"]\nmetrics = ["errant"]\n'
    Path("two.toml").write_text(suite + '[sets.two.systems]\nidle = "in.txt"\nbusy = "ref.txt"\n', encoding="utf-8")
    assert row_of(run_here("suite", "two.toml", "--parts", "-q").out, "idle")[1:3] == ["–", "0.00"]
    gate = run_here("gate", *TEXTS, "--fail-under", "errant.precision=50", "-q")
    assert gate.status == 1
    assert "idle: ERRANT precision has no value, ≥ 50 is required" in gate.err
    assert run_here("gate", *TEXTS, "--fail-under", "errant=0", "-q").status == 0
    explained = run_here("explain", *TEXTS, "-m", "errant", "--sentence", "1", "-q").out
    assert "(precision –, recall 0.00)" in explained


def test_detection_of_nothing_has_no_precision(run_here: Run) -> None:
    Path("gold.tsv").write_text("They\tc\nwas\ti\n\n", encoding="utf-8")
    Path("mine.tsv").write_text("They\tc\nwas\tc\n\n", encoding="utf-8")
    line = ("detect", "--gold", "gold.tsv", "-c", "mine.tsv")
    assert row_of(run_here(*line).out, "mine")[1:4] == ["–", "0.00", "0.00"]
    [row] = json.loads(run_here(*line, "-f", "json").out)["results"]
    assert (row["precision"], row["recall"], row["f"]) == (None, 0.0, 0.0)


def test_drop_in_of_nothing_proposed_keeps_the_precision_of_the_public_tool(run_here: Run) -> None:
    Path("gold.m2").write_text("S They was\nA 1 2|||R:VERB|||were|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    Path("hyp.m2").write_text("S They was\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    assert "0\t0\t1\t1.0\t0.0\t0.0" in run_here("errant_compare", "-hyp", "hyp.m2", "-ref", "gold.m2").out


def test_precision_of_nothing_is_nan_in_python_and_equal_results_stay_equal() -> None:
    text = (["It rains ."], ["It rains ."], [["It rains ."]])
    score: Any = geceval.Errant().corpus_score(*text)
    assert (math.isnan(score.precision), math.isnan(score.recall), score.value) == (True, True, 1.0)
    assert score.parts == {"precision": None, "recall": None}
    assert score == geceval.Errant().corpus_score(*text)
    assert f"{score.precision:.2f}" == "nan"
