"""``geceval false-alarms`` and ``geceval score --macro`` as their users type them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from geceval.cli.main import main
from support.examples import EXAMPLES

DATA = ["-s", str(EXAMPLES / "source.txt"), "-r", *(str(EXAMPLES / f"ref{r}.txt") for r in (0, 1))]
SYSTEM = ["-c", str(next((EXAMPLES / "systems").glob("*.txt")))]


def test_a_row_for_each_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["false-alarms", *DATA, *SYSTEM, "--rule", "all", "any", "each"]) == 0
    table = capsys.readouterr().out
    assert [line.split()[1] for line in table.splitlines()[2:5]] == ["all", "any", "each"]
    assert main(["false-alarms", *DATA, *SYSTEM, "-f", "json"]) == 0
    [found] = json.loads(capsys.readouterr().out)["results"]
    assert found["rate"] == found["changed"] / found["sentences"]


def test_where_every_sentence_needs_a_change_the_cell_is_empty(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name, text in (("source", "a\n"), ("reference", "b\n")):
        (tmp_path / name).write_text(text)
    files = ["-s", str(tmp_path / "source"), "-r", str(tmp_path / "reference"), "-c", str(tmp_path / "source")]
    assert main(["false-alarms", *files, "-f", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "source,all,0,0,,0,"


def test_macro(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["score", *DATA, *SYSTEM, "-m", "errant", "--by", "type", "--macro", "any"]
    assert main([*command, "-f", "json"]) == 0
    [found] = json.loads(capsys.readouterr().out)["results"]
    assert found["macro"]["over"] == "any"
    values = [own["f"] for own in found["types"].values()]
    assert found["macro"]["value"] == pytest.approx(sum(values) / len(values))
    assert main(command) == 0
    table = capsys.readouterr().out
    assert "  macro  " in table
    assert table.rstrip().endswith("|by:type|macro:any")


def test_macro_is_refused_where_it_means_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *DATA, *SYSTEM, "-m", "errant", "--macro", "any"]) == 2
    assert "which --by names" in capsys.readouterr().err
    assert main(["score", *DATA, *SYSTEM, "-m", "cleme2", "--by", "type", "--macro", "any"]) == 2
    assert "CLEME2.0 has no F of a kind" in capsys.readouterr().err
