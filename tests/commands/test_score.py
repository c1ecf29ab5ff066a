"""``geceval score``: formats, levels, repeated runs and messages."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval import Green
from geceval.extending import Score
from geceval.text.reading.lines import read_lines
from support.commands import Result, Run

DATA = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/careful.txt", "systems/noisy.txt")
pytestmark = pytest.mark.usefixtures("examples")


@pytest.mark.parametrize(
    "options",
    [
        "-m green",
        "-m green --parts",
        "-m green,green:unit=char -f csv -d 4",
        "-m green,green:unit=char -f tsv -d 4",
        "-m green -f markdown",
        "-m green -f latex",
        "-m errant green --parts -f latex",
    ],
)
def test_table_in_every_format(run: Run, options: str, snapshot: SnapshotAssertion) -> None:
    assert run("score", *DATA, *options.split()) == snapshot


def test_maxmatch_of_gold_edits_is_that_of_m2scorer(run: Run) -> None:
    line = ("score", "--gold", "gold.m2", *DATA[5:], "-m", "maxmatch")
    rows = run(*line, "--parts").out.splitlines()[2:4]
    for system, row in zip(("careful", "noisy"), rows, strict=True):
        printed = run("m2scorer", f"systems/{system}.txt", "gold.m2").out.splitlines()
        figures = [float(figure.split(": ")[1]) for figure in printed]
        assert row.split()[0] == system
        assert [float(cell) / 100 for cell in row.split()[1:]] == pytest.approx(figures, abs=1e-4)
    assert json.loads(run(*line, "-f", "json").out)["gold"] == "gold.m2"
    mixed = run("score", *DATA, "--gold", "gold.m2", "-m", "green,maxmatch:selection=optimum")
    assert (mixed.status, "|policy:optimum|" in mixed.out) == (0, True)


@pytest.mark.parametrize("metric", ["scribendi:model=FOLDER", "impara", "impara-ged", "some:model=FOLDER"])
def test_metric_of_a_network_without_its_packages_is_refused(
    run: Run, monkeypatch: pytest.MonkeyPatch, metric: str
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr("pathlib.Path.is_dir", lambda self: True)
    result = run("score", "-s", "source.txt", "-c", "systems/careful.txt", "-m", metric)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("error: a pretrained model needs torch and transformers (")
    assert result.err.endswith("hint: pip install 'geceval[neural]'\n")


def test_some_without_its_folders_is_refused(run: Run, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    line = ("score", "-s", "source.txt", "-c", "systems/careful.txt", "-m")
    assert run(*line, "some") == snapshot
    assert run(*line, f"some:model={tmp_path}") == snapshot


def test_json_has_the_scores_with_their_settings(run: Run) -> None:
    document = json.loads(run("score", *DATA, "-m", "green:beta=0.5", "green", "-f", "json").out)
    assert document["schema"] == "geceval/score@1"
    assert [(row["system"], row["settings"]["beta"]) for row in document["results"]] == [
        ("careful", 0.5), ("careful", 2.0), ("noisy", 0.5), ("noisy", 2.0)
    ]  # fmt: skip
    source, *references = (read_lines(name) for name in ("source.txt", "ref0.txt", "ref1.txt"))
    score = Green(beta=2.0).corpus_score(source, read_lines("systems/noisy.txt"), references)
    fields = {key: value for key, value in document["results"][3].items() if key not in ("system", "settings")}
    assert Score(**fields) == score


def test_mean_is_that_of_the_sentence_scores(run: Run) -> None:
    out = run("score", *DATA, "-m", "green", "--level", "sentence", "-f", "tsv").out
    rows = [line.split("\t") for line in out.splitlines()]
    assert rows[0] == ["line", "careful", "noisy"]
    assert len(rows) == 1 + 40
    assert rows[2] == ["2", "100.00", "61.35"]
    mean = json.loads(run("score", *DATA, "-m", "green", "--level", "mean", "-f", "json").out)["results"][0]
    sentences = json.loads(run("score", *DATA, "-m", "green", "--level", "sentence", "-f", "json").out)["results"][0]
    assert sum(sentences["sentence_scores"]) / 40 == pytest.approx(mean["value"])


def test_output_replaces_files_but_not_devices_links_or_folders(run: Run, tmp_path: Path) -> None:
    line = ("score", *DATA, "-m", "green")
    printed = run(*line).out
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)
    assert run(*line, "-o", link, "-j", "2", "--quiet") == Result(0, "", "")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == printed
    assert run(*line, "-o", "/dev/null") == Result(0, "", "")
    assert Path("/dev/null").is_char_device()
    assert run(*line, "-o", tmp_path).status == 2
    assert run(*line, "-o", tmp_path / "no" / "where").status == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.txt", "target.txt"]


def test_infinite_beta_is_text_in_json(run: Run) -> None:
    result = run("score", *DATA, "-m", "green:beta=inf", "-f", "json")
    assert (result.status, result.err) == (0, "")
    assert [entry["settings"]["beta"] for entry in json.loads(result.out)["results"]] == ["inf", "inf"]


def test_output_does_not_depend_on_the_locale(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    printed = run("score", *DATA, "-m", "green").out
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("NO_COLOR", "1")
    assert run("score", *DATA, "-m", "green").out == printed


@pytest.mark.parametrize(
    "options",
    [
        "-m green:q=1",
        "-m green:n=x",
        "-m green:n=0",
        "-m glue",
        "-m maxmatch",
        "-m green -c nowhere",
        "-m green -c gold.m2",
        "-m green -c bench.toml",
        "-m green -r",
    ],
)
def test_invalid_metric_or_file_is_refused(run: Run, options: str, snapshot: SnapshotAssertion) -> None:
    assert run("score", *DATA, *options.split()) == snapshot


def test_metric_without_its_references_is_refused(run: Run, snapshot: SnapshotAssertion) -> None:
    assert run("score", "-s", "source.txt", "-c", "source.txt", "-m", "green") == snapshot


RUNS = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "A=systems/careful.txt,systems/eager.txt")


def test_runs_of_a_system_are_one_row_with_their_deviation(run: Run, snapshot: SnapshotAssertion) -> None:
    line = ("score", *RUNS, "systems/noisy.txt", "-m", "green")
    assert run(*line, "--sort", "green") == snapshot
    document = json.loads(run(*line, "--intervals", "-f", "json").out)
    repeated, single = document["results"]
    assert [row["system"] for row in repeated["runs"]] == ["A run 1", "A run 2"]
    values = [row["value"] for row in repeated["runs"]]
    assert repeated["value"] == pytest.approx(sum(values) / 2)
    assert repeated["deviation"] == pytest.approx(abs(values[0] - values[1]) / 2**0.5)
    assert repeated["interval"]["low"] < min(values) < max(values) < repeated["interval"]["high"]
    assert "runs" not in single
    assert list(document["outputs"]) == ["A run 1", "A run 2", "noisy"]


def test_file_of_a_run_with_a_comma_is_quoted(run: Run, tmp_path: Path) -> None:
    path = shutil.copy("systems/eager.txt", tmp_path / "x,1.txt")
    line = ("score", *RUNS[:-1])
    quoted = run(*line, f'A=systems/careful.txt,"{path}"', "-m", "green", "-q")
    assert quoted.out == run("score", *RUNS, "-m", "green", "-q").out
    assert "(2 runs)" not in run(*line, f"A={path}", "-m", "green", "-q").out


@pytest.mark.parametrize(
    "line",
    [
        "show RUNS",
        "explain RUNS --sentence 1",
        "gate RUNS --fail-under green=1",
        "report RUNS -o x.html",
        "score RUNS --level sentence",
        "score RUNS --group length",
        "compare RUNS systems/noisy.txt --power",
        "score RUNS A=systems/noisy.txt",
        "score RUNS B=systems/careful.txt,no.txt",
        "score RUNS (source)=systems/careful.txt,ref0.txt",
    ],
)
def test_repeated_runs_are_refused_where_one_is_required(run: Run, line: str, snapshot: SnapshotAssertion) -> None:
    assert run(*line.replace("RUNS", " ".join(RUNS)).split()) == snapshot
