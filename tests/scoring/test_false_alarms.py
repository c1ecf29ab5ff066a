"""``geceval score -m false-alarms`` and ``--macro``, and the sentences that they count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from support.commands import Run

pytestmark = pytest.mark.usefixtures("examples")
DATA = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt")
EAGER = ("-c", "systems/eager.txt")


@pytest.mark.parametrize(
    "line",
    [
        "score -m false-alarms:rule=all false-alarms:rule=any false-alarms:rule=each -f csv --parts",
        "explain -m false-alarms --sentence 40",
        "show --outcome false-alarm --type ADV",
        "score -m errant --by type --macro any",
        "score -m errant --macro any",
        "score -m cleme2 --by type --macro any",
        "gate --fail-over false-alarms:per=words=249.5",
        "gate --fail-over false-alarms:per=words=250",
    ],
)
def test_tables_and_messages(run: Run, line: str, snapshot: SnapshotAssertion) -> None:
    name, *options = line.split()
    assert run(name, *DATA, *EAGER, *options) == snapshot


def test_value_is_the_share_of_changed_correct_sentences(run: Run) -> None:
    [result] = json.loads(run("score", *DATA, *EAGER, "-m", "false-alarms", "-f", "json").out)["results"]
    assert result["value"] == result["totals"]["changed"] / result["totals"]["correct"]
    assert result["parts"]["sentences"] == result["totals"]["correct"]


def test_corpus_without_correct_sentences_has_no_share(run: Run, tmp_path: Path) -> None:
    for name, text in (("source", "a\n"), ("reference", "b\n")):
        (tmp_path / name).write_text(text)
    line = ("score", "-s", tmp_path / "source", "-r", tmp_path / "reference", "-c", tmp_path / "source",
            "-m", "false-alarms")  # fmt: skip
    assert run(*line, "-f", "csv").out.splitlines()[1] == "source,nan"
    assert json.loads(run(*line, "-f", "json").out)["results"][0]["value"] is None
    assert run(*line, "--level", "mean", "-f", "csv").out.splitlines()[1] == "source,0.00"


def test_numbers_of_sentences_and_edits_are_not_in_percent(run: Run) -> None:
    line = ("score", *DATA, *EAGER, "-m", "false-alarms", "--parts", "-f", "csv")
    assert run(*line).out.splitlines()[1] == "eager,2,1.50,100.00"
    assert run(*line, "--level", "sentence").out.splitlines()[16] == "16,1.00,1.00,100.00"


@pytest.mark.parametrize("evidence", [DATA, ("--gold", "gold.m2")], ids=["references", "gold"])
def test_show_lists_the_sentences_that_the_metric_counts(run: Run, evidence: tuple[str, ...]) -> None:
    line = (*evidence, *EAGER, "systems/noisy.txt")
    results = json.loads(run("score", *line, "-m", "false-alarms", "-f", "json").out)["results"]
    changed = {result["system"]: result["totals"]["changed"] for result in results}
    assert changed == {"eager": 2, "noisy": 0}
    for name, number in changed.items():
        out = run("show", *line, "--system", name, "--outcome", "false-alarm", "--all", "-f", "tsv").out
        head, *rows = [row.split("\t") for row in out.splitlines()]
        assert [row[head.index("false_alarm")] for row in rows] == ["1"] * number
    sentences = json.loads(run("show", *line, "--all", "-f", "json").out)["sentences"]
    marked = {name: sum(sentence["systems"][name]["false_alarm"] for sentence in sentences) for name in changed}
    assert marked == changed


def test_macro_average_is_the_mean_over_the_types(run: Run) -> None:
    line = ("score", *DATA, *EAGER, "-m", "errant", "--by", "type", "--macro", "any", "-f", "json")
    [result] = json.loads(run(*line).out)["results"]
    assert result["macro"]["over"] == "any"
    values = [figures["f"] for figures in result["types"].values()]
    assert result["macro"]["value"] == pytest.approx(sum(values) / len(values))
