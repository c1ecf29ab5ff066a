"""SEEDA's published table and the agreement of aggregated metrics: each number the published one, or with a reason."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from types import ModuleType

import pytest

from support.scripts import import_script


@pytest.fixture(scope="module")
def seeda() -> ModuleType:
    return import_script("research/seeda_table.py")


def test_the_tables_are_the_published_ones(
    seeda: ModuleType, shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = seeda.main(["--data", str(shared / "data"), "--output", str(tmp_path)])
    assert (status, capsys.readouterr().err) == (0, "")
    document = json.loads((tmp_path / "seeda.json").read_text(encoding="utf-8"))
    scores = {row["name"]: row for row in document["scores"]}
    assert not scores["M²"]["why"]
    assert scores["SentM²"]["why"].keys() == {"REF-F"}
    for name, tolerance in (("GLEU", 0.0151), ("ERRANT", 0.4), ("SentERRANT", 0.25), ("GoToScorer", 0.6)):
        row = scores[name]
        assert max(abs(row["ours"][key] - value) for key, value in row["published"].items()) < tolerance
    agreement = {row["name"]: row for row in document["agreement"]}
    assert {name: list(row["why"]) for name, row in agreement.items()} == {"ERRANT": [], "GLEU+": [], "GREEN": []}


def test_a_difference_without_a_reason_is_status_1(
    seeda: ModuleType,
    shared: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    [row] = [row for row in seeda.SCORES if row.name == "SentM²"]
    monkeypatch.setattr(seeda, "SCORES", (dataclasses.replace(row, why={}),))
    monkeypatch.setattr(seeda, "AGREEMENT", ())
    monkeypatch.setattr(seeda, "JUDGMENTS", {})
    assert seeda.main(["--data", str(shared / "data"), "--output", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "differs from the published number without a reason: SentM²: REF-F\n"


def test_missing_data_is_an_error(seeda: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert seeda.main(["--data", str(tmp_path), "--output", str(tmp_path / "out")]) == 2
    assert "cannot read" in capsys.readouterr().err
