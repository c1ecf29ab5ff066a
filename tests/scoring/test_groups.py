"""``geceval score --by`` and ``--group``: scores by kinds of edits and groups of sentences."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from support.commands import Run
from support.written_files import write

TEXTS = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt")
SYSTEM = ("-c", "systems/noisy.txt")
GOLD = ("--gold", "gold.m2")
pytestmark = pytest.mark.usefixtures("examples")


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


@pytest.mark.parametrize(
    "options",
    ["-m maxmatch --by operation", "-m errant,maxmatch,errant:mode=ds --by operation", "-m cleme --by full -f csv",
     "-m cleme --by length -f csv"],
)  # fmt: skip
def test_table_has_only_the_figures_of_the_metric(run: Run, options: str, snapshot: SnapshotAssertion) -> None:
    assert run("score", *GOLD, *SYSTEM, *options.split()) == snapshot


def test_type_without_false_positives_has_no_precision(run: Run) -> None:
    [result] = json.loads(run("score", *GOLD, *SYSTEM, "-m", "maxmatch", "--by", "type", "-f", "json").out)["results"]
    preposition = {"correct": 2, "proposed": 2, "gold": 7, "precision": None, "recall": 2 / 7, "f": None}
    assert result["types"]["PREP"] == preposition
    unmatched = {"correct": 0, "proposed": 7, "gold": 0, "precision": None, "recall": None, "f": None}
    assert result["types"]["(unmatched)"] == unmatched


def test_rules_of_a_checker_have_rows(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "s.txt", "He go home .\nShe have a cats .\n")
    write(tmp_path / "r.txt", "He goes home .\nShe has cats .\n")
    suggestions = [
        {"start": 3, "end": 5, "replacement": "goes", "rule": "SVA"},
        {"start": 4, "end": 8, "replacement": "had", "rule": "SVA"},
    ]
    write(tmp_path / "it.jsonl", "".join(json.dumps({"suggestions": [row]}) + "\n" for row in suggestions))
    words = ["score", "-s", tmp_path / "s.txt", "-r", tmp_path / "r.txt", "-c", tmp_path / "it.jsonl", "--by", "rule"]
    result = json.loads(run(*words, "-f", "json").out)["results"][0]
    rule, missed = result["types"]["SVA"], result["types"]["(missed)"]
    assert result["signature"].startswith("SPANS|")
    assert (rule["exact"], rule["precision"], rule["recall"], rule["f"]) == (1, 0.5, None, None)
    assert (missed["missed"], missed["precision"]) == (result["totals"]["missed"], None)
    refused = run(*words, "-m", "errant")
    assert (refused.status, refused.err.splitlines()[-1]) == (2, "  hint: -m spans")
    assert run(*words, "-m", "spans").status == 0


@pytest.mark.parametrize("options", ["-m errant,green --group length", "-m errant --by type", "-m errant --by length"])
def test_groups_have_the_intervals_of_compare(run: Run, options: str) -> None:
    line = [*TEXTS, *SYSTEM, "systems/careful.txt", *options.split(), "-f", "json"]
    results = json.loads(run("score", *line, "--intervals").out)["results"]
    scores = json.loads(run("compare", *line).out)["systems"]
    expected = {
        (row["system"], row["metric"], row["group"]): {name: row[name] for name in ("low", "high", "deviation")}
        for row in scores
    }
    intervals = {}
    for result in results:
        key = result["system"], result["signature"].split("|")[0].lower()
        intervals[*key, None] = result["interval"]
        for label, group in result.get("types", result.get("groups", {})).items():
            if "interval" in group:
                intervals[*key, label] = group["interval"]
    assert intervals == {key: expected[key] for key in intervals}
    assert {group for *_, group in intervals} == {group for *_, group in expected}


@pytest.mark.parametrize("by", ["operation", "type", "full", "length"])
@pytest.mark.parametrize("metric", ["errant", "cleme:weights=none", "cleme2:weights=none", "maxmatch"])
def test_kinds_add_up_to_the_totals(run: Run, metric: str, by: str) -> None:
    document = json.loads(run("score", *GOLD, *SYSTEM, "-m", metric, "--by", by, "-f", "json").out)
    assert (document["schema"], document["by"]) == ("geceval/types@1", by)
    [result] = document["results"]
    for column, total in result["totals"].items():
        assert sum(kind[column] for kind in result["types"].values()) == total


@pytest.mark.parametrize(
    ("by", "names"),
    [("operation", ["(none)", "R"]), ("type", ["ArtOrDet", "VERB"]), ("full", ["ArtOrDet", "R:VERB"])],
)
def test_types_of_another_scheme_have_rows(run: Run, tmp_path: Path, by: str, names: list[str]) -> None:
    gold = tmp_path / "gold.m2"
    edits = "A 0 1|||ArtOrDet|||A|||REQUIRED|||-NONE-|||0\nA 2 3|||R:VERB|||c|||REQUIRED|||-NONE-|||0\n"
    gold.write_text(f"S the b d e\n{edits}\n", encoding="utf-8")
    (tmp_path / "it.txt").write_text("A b d e\n", encoding="utf-8")
    line = ("score", "--gold", gold, "-c", tmp_path / "it.txt", "-m", "maxmatch", "--by", by, "-f", "csv")
    table = rows(run(*line).out)
    assert [row[1:3] for row in table[1:]] == [[names[0], "1"], [names[1], "0"], ["all", "1"]]


def test_groups_are_lengths_of_the_source(run: Run, snapshot: SnapshotAssertion) -> None:
    assert run("score", *TEXTS, *SYSTEM, "-m", "green,gleu,errant", "--group", "length") == snapshot


def test_groups_are_labels_of_a_file_or_standard_input(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    levels = "A\nB\n" * 20
    plain, compressed = tmp_path / "levels.txt", tmp_path / "levels.gz"
    plain.write_text(levels, encoding="utf-8")
    compressed.write_bytes(gzip.compress(levels.encode()))
    line = ("score", *TEXTS, *SYSTEM, "-m", "errant,green", "--group")
    table = rows(run(*line, plain, "-f", "csv", "--parts").out)
    assert table[0][:4] == ["system", "group", "sentences", "ERRANT precision"]
    assert [row[:3] for row in table[1:]] == [["noisy", "A", "20"], ["noisy", "B", "20"], ["noisy", "all", "40"]]
    assert rows(run(*line, compressed, "-f", "csv", "--parts").out) == table
    with plain.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert rows(run(*line, "-", "-f", "csv", "--parts").out) == table
    document = json.loads(run(*line, plain, "-f", "json").out)
    assert (document["schema"], document["group"]) == ("geceval/groups@1", str(plain))
    for result in document["results"]:
        groups = result["groups"]
        assert set(groups) == {"A", "B"}
        assert set(groups["A"]) == {"sentences", "value", "parts", "totals"}
        for column, total in result["totals"].items():
            assert groups["A"]["totals"][column] + groups["B"]["totals"][column] == total


@pytest.mark.parametrize(("number", "difference"), [(39, "1 fewer"), (41, "1 more")])
def test_other_number_of_labels_than_sentences_is_refused(
    run: Run, tmp_path: Path, number: int, difference: str
) -> None:
    levels = tmp_path / "levels.txt"
    levels.write_text("A\n" * number, encoding="utf-8")
    result = run("score", *TEXTS, *SYSTEM, "-m", "green", "--group", levels)
    assert (result.status, result.out) == (2, "")
    assert f"  labels       {levels}  {number}   <- {difference}\n" in result.err
    assert "hint: a file of labels has one for each sentence" in result.err


def test_blanks_around_labels_do_not_count(run: Run, tmp_path: Path) -> None:
    levels = write(tmp_path / "levels.txt", "A\n" * 20 + "A \n B\n" * 10)
    result = run("score", *TEXTS, *SYSTEM, "-m", "green", "--group", levels, "-f", "csv")
    assert [row.split(",")[1:3] for row in result.out.splitlines()[1:3]] == [["A", "30"], ["B", "10"]]


def test_outputs_of_a_folder_are_in_the_order_of_their_numbers(run: Run, tmp_path: Path) -> None:
    text = Path(SYSTEM[1]).read_text(encoding="utf-8")
    (tmp_path / "outputs").mkdir()
    for step in (1000, 200, 100):
        write(tmp_path / "outputs" / f"out.{step}.txt", text)
    table = run("score", *TEXTS, "-c", tmp_path / "outputs", "-m", "green", "-f", "csv").out
    assert [row.split(",")[0] for row in table.splitlines()] == ["system", "out.100", "out.200", "out.1000"]


@pytest.mark.parametrize(
    "options",
    [
        "-m green --by type",
        "-m errant,gleu --by length",
        "-m errant --by type --level mean",
        "-m errant --group length --level sentence",
        "-m errant --group length --by type",
        "-m errant --group nowhere",
        "-m errant --group - -c -",
    ],
)
def test_grouping_that_does_not_apply_is_refused(run: Run, options: str, snapshot: SnapshotAssertion) -> None:
    assert run("score", *TEXTS, *SYSTEM, *options.split()) == snapshot
