"""The founding poster's tables: every number is the published one, or has a reason that holds."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from types import ModuleType

import pytest

from geceval import m2
from geceval.counting.metric_names import make_metric
from geceval.counting.system_results import system_results
from geceval.m2 import Block
from geceval.text.corpus import Corpus
from support.scripts import import_script


@pytest.fixture(scope="module")
def poster() -> ModuleType:
    return import_script("research/poster_table.py")


def test_the_tables_are_the_posters(
    poster: ModuleType, shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = poster.main(["--data", str(shared / "data"), "--output", str(tmp_path)])
    printed = capsys.readouterr()
    assert (status, printed.err) == (0, "")
    assert "charGREEN" in (tmp_path / "poster.md").read_text(encoding="utf-8")
    rows = {row["name"]: row for row in json.loads((tmp_path / "poster.json").read_text(encoding="utf-8"))["rows"]}
    assert {name for name, row in rows.items() if row["why"].keys() & {"r", "ρ"}} == {
        "ERRANT, published edits", "ERRANT, own annotator"
    }  # fmt: skip
    for name, row in rows.items():
        for key in row["published"].keys() & row["ours"].keys() - row["why"].keys():
            digits = 3 if key in ("r", "ρ") else 2
            assert row["ours"][key] == pytest.approx(row["published"][key], abs=0.51 * 10**-digits), (name, key)
    published = rows["ERRANT, published edits"]["ours"]
    assert (round(published["r"], 3), round(published["ρ"], 3)) == (0.642, 0.659)
    assert round(published["AMU"], 2) == 32.08


def test_a_difference_without_a_reason_is_status_1(
    poster: ModuleType,
    shared: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    [green] = [row for row in poster.ROWS if row.name == "wordGREEN"]
    monkeypatch.setattr(poster, "ROWS", (dataclasses.replace(green, why={}),))
    assert poster.main(["--data", str(shared / "data"), "--output", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "differs from the poster without a reason: wordGREEN: AMU\n"


def test_ptm2_is_there_with_an_encoder(poster: ModuleType) -> None:
    row = poster.ptm2_row("bert-base-uncased", None)
    assert (row.correlation, row.scores[0], row.why) == ((0.686, 0.786), 35.94, {})
    with_folder = poster.ptm2_row("folder", 6)
    assert with_folder.settings == {"model": "folder", "layer": 6, "beta": 0.5}
    assert set(with_folder.why.values()) == {"the poster's encoder is bert-base-uncased, this one folder"}


def test_missing_data_is_an_error(poster: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert poster.main(["--data", str(tmp_path), "--output", str(tmp_path / "out")]) == 2
    assert "judgments.xml: cannot read" in capsys.readouterr().err


def test_cleme_of_an_empty_output_was_annotator_against_annotator(shared: Path) -> None:
    """The reason given for 33.44: with the empty hypothesis dropped, annotator 0 is scored against annotator 1."""
    gold = list(m2.read(shared / "data/conll14-errant/gold.m2"))

    def alone(block: Block, annotator: int) -> Block:
        edits = tuple(dataclasses.replace(edit, annotator=0) for edit in block.edits_of(annotator))
        return dataclasses.replace(block, edits=edits)

    first, second = ([alone(block, annotator) for block in gold] for annotator in (0, 1))
    corpus = Corpus([block.source for block in gold], [], {"annotator 0": first}, second)
    [(_, [tally])] = system_results(corpus, [make_metric("cleme", weights="length")]).items()
    assert 100 * tally.score().value == pytest.approx(33.46, abs=0.005)
