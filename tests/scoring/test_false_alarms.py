"""The metric false-alarms and ``geceval score --macro`` as their users type them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from geceval.app.main import main
from support.examples import EXAMPLES

DATA = ["-s", str(EXAMPLES / "source.txt"), "-r", *(str(EXAMPLES / f"ref{r}.txt") for r in (0, 1))]
SYSTEM = ["-c", str(next((EXAMPLES / "systems").glob("*.txt")))]


def test_every_rule_is_a_column_with_its_parts(capsys: pytest.CaptureFixture[str]) -> None:
    metrics = ["-m", *(f"false-alarms:rule={rule}" for rule in ("all", "any", "each"))]
    assert main(["score", *DATA, *SYSTEM, *metrics, "-f", "csv", "--parts"]) == 0
    heads = capsys.readouterr().out.splitlines()[0].split(",")
    assert heads[1:4] == [f"FALSE-ALARMS rule=all{part}" for part in (" sentences", " edits_per_sentence", "")]
    assert main(["score", *DATA, *SYSTEM, "-m", "false-alarms", "-f", "json"]) == 0
    [found] = json.loads(capsys.readouterr().out)["results"]
    assert found["value"] == found["totals"]["changed"] / found["totals"]["correct"]
    assert found["parts"]["sentences"] == found["totals"]["correct"]


def test_corpus_without_correct_sentences_has_no_share(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, text in (("source", "a\n"), ("reference", "b\n")):
        (tmp_path / name).write_text(text)
    files = ["-s", str(tmp_path / "source"), "-r", str(tmp_path / "reference"), "-c", str(tmp_path / "source")]
    assert main(["score", *files, "-m", "false-alarms", "-f", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "source,nan"
    assert main(["score", *files, "-m", "false-alarms", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["value"] is None
    assert main(["score", *files, "-m", "false-alarms", "--level", "mean", "-f", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "source,0.00"


def test_numbers_of_sentences_and_edits_are_not_in_percent(capsys: pytest.CaptureFixture[str]) -> None:
    eager = ["-c", str(EXAMPLES / "systems" / "eager.txt"), "-m", "false-alarms"]
    assert main(["score", *DATA, *eager, "--parts", "-f", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "eager,2,1.50,100.00"
    assert main(["score", *DATA, *eager, "--parts", "--level", "sentence", "-f", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[16].split(",") == ["16", "1.00", "1.00", "100.00"]
    assert main(["explain", *DATA, *eager, "--sentence", "40"]) == 0
    out = capsys.readouterr().out
    assert "FALSE-ALARMS 100.00  (sentences 1.00, edits_per_sentence 2.00)  against ref all\n" in out
    assert "eager: false alarm, no reference changes this sentence\n" in out


@pytest.mark.parametrize("given", [DATA, ["--gold", str(EXAMPLES / "gold.m2")]], ids=["references", "gold"])
def test_show_lists_the_sentences_that_the_metric_counts(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    systems = ["-c", *(str(EXAMPLES / "systems" / f"{name}.txt") for name in ("eager", "noisy"))]
    assert main(["score", *given, *systems, "-m", "false-alarms", "-f", "json"]) == 0
    changed = {one["system"]: one["totals"]["changed"] for one in json.loads(capsys.readouterr().out)["results"]}
    assert changed == {"eager": 2, "noisy": 0}
    for name, number in changed.items():
        command = ["show", *given, *systems, "--system", name, "--outcome", "false-alarm", "--all", "-f", "tsv"]
        assert main(command) == 0
        head, *rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
        assert len(rows) == number
        assert all(row[head.index("false_alarm")] == "1" for row in rows)
    assert main(["show", *given, *systems, "--all", "-f", "json"]) == 0
    sentences = json.loads(capsys.readouterr().out)["sentences"]
    marked = {name: sum(one["systems"][name]["false_alarm"] for one in sentences) for name in changed}
    assert marked == changed
    assert main(["show", *given, *systems, "--outcome", "false-alarm", "--type", "ADV"]) == 0
    assert capsys.readouterr().out.startswith("1 of 1 matching sentences, of 40\n\n16  eager: ")


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


def test_bar_per_thousand_words_is_not_in_percent(capsys: pytest.CaptureFixture[str]) -> None:
    systems = ["-c", *(str(EXAMPLES / "systems" / f"{name}.txt") for name in ("eager", "noisy"))]
    assert main(["gate", *DATA, *systems, "--fail-over", "false-alarms:per=words=249.5"]) == 1
    assert "eager: FALSE-ALARMS 250.00 > 249.5" in capsys.readouterr().err
    assert main(["gate", *DATA, *systems, "--fail-over", "false-alarms:per=words=250"]) == 0
