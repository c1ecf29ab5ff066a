"""Precision without proposed edits and recall without errors: – in tables, null in JSON."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import geceval
from support.commands import Run

TEXTS = ("-s", "in.txt", "-r", "ref.txt", "-c", "idle=in.txt", "busy=ref.txt")


@pytest.fixture
def run_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Run:
    """Two sentences: the first one has an error, and the system idle changes nothing."""
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text("They was late .\nIt rains .\n", encoding="utf-8")
    Path("ref.txt").write_text("They were late .\nIt rains .\n", encoding="utf-8")
    return run


@pytest.mark.parametrize(
    "line",
    [
        "score -m errant cleme goto --parts",
        "score -m errant cleme goto --parts -f markdown",
        "score -m errant cleme goto --parts -f csv",
        "score -m errant --level sentence --parts",
        "score -m errant --level sentence --parts -f jsonl",
        "score -m errant --level mean --parts",
        "score -m errant --by type",
        "score -m errant --group levels.txt --parts",
        "gate --fail-under errant.precision=50",
        "gate --fail-under errant=0",
        "explain -m errant --sentence 1",
    ],
)
def test_figure_without_a_value_is_a_dash_or_null(run_here: Run, line: str, snapshot: SnapshotAssertion) -> None:
    Path("levels.txt").write_text("a\nb\n", encoding="utf-8")
    name, *options = line.split()
    assert run_here(name, *TEXTS, *options, "-q") == snapshot


def test_suite_and_detection_have_a_dash_for_precision_without_a_value(
    run_here: Run, snapshot: SnapshotAssertion
) -> None:
    suite = '[sets.two]\nsource = "in.txt"\nreferences = ["ref.txt"]\nmetrics = ["errant"]\n'
    Path("two.toml").write_text(suite + '[sets.two.systems]\nidle = "in.txt"\nbusy = "ref.txt"\n', encoding="utf-8")
    assert run_here("suite", "two.toml", "--parts", "-q").out == snapshot
    Path("gold.tsv").write_text("They\tc\nwas\ti\n\n", encoding="utf-8")
    Path("mine.tsv").write_text("They\tc\nwas\tc\n\n", encoding="utf-8")
    assert run_here("detect", "--gold", "gold.tsv", "-c", "mine.tsv").out == snapshot


def test_json_has_null_for_precision_without_a_value(run_here: Run) -> None:
    results = json.loads(run_here("score", *TEXTS, "-m", "errant", "cleme", "goto", "-q", "-f", "json").out)["results"]
    precision = {(row["system"], row["metric"]): row["parts"]["precision"] for row in results}
    assert [precision["idle", name] for name in ("errant", "cleme", "goto")] == [None] * 3
    assert [precision["busy", name] for name in ("errant", "cleme", "goto")] == [1.0] * 3


def test_drop_in_without_proposed_edits_has_the_precision_of_the_public_tool(run_here: Run) -> None:
    Path("gold.m2").write_text("S They was\nA 1 2|||R:VERB|||were|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    Path("hyp.m2").write_text("S They was\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    assert "0\t0\t1\t1.0\t0.0\t0.0" in run_here("errant_compare", "-hyp", "hyp.m2", "-ref", "gold.m2").out


def test_repr_of_a_score_has_a_dash_for_precision_without_a_value() -> None:
    score = geceval.Scorer(["errant"], ["He go ."], [["He goes ."]]).score(["He go ."])["errant"]
    assert repr(score) == "<errant 0.0000, precision –, recall 0.0000>"


def test_precision_without_a_value_is_nan_and_equal_scores_stay_equal() -> None:
    text = (["It rains ."], ["It rains ."], [["It rains ."]])
    score: Any = geceval.Errant().corpus_score(*text)
    assert (math.isnan(score.precision), math.isnan(score.recall), score.value) == (True, True, 1.0)
    assert score.parts == {"precision": None, "recall": None}
    assert score == geceval.Errant().corpus_score(*text)
    assert f"{score.precision:.2f}" == "nan"
