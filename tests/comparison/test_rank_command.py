"""``geceval rank``: places by a metric's verdicts."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

from geceval import Green, rank, read_corpus
from geceval.statistics.rankings import by_expected_wins, by_trueskill
from support.commands import Run

DATA = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/careful.txt", "systems/eager.txt",
        "systems/noisy.txt")  # fmt: skip
pytestmark = pytest.mark.usefixtures("examples")


def test_the_best_first_with_lines_between_clusters(run: Run) -> None:
    result = run("rank", *DATA, "-m", "green")
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "GREEN, 40 sentences"
    assert re.split(" {2,}", lines[2]) == ["system", "Expected Wins", "95 % interval", "s.d.", "ranks", "cluster"]
    rows = [line.split() for line in lines[3:10] if not line.startswith("─")]
    assert [(row[0], row[-2], row[-1]) for row in rows] == [
        ("eager", "1-1", "1"), ("careful", "2-2", "2"), ("noisy", "3-3", "3"), ("(source)", "–", "–")
    ]  # fmt: skip
    assert sum(line.startswith("─") for line in lines) == 3
    assert any(
        line.startswith("aggregation:expected-wins|boot:1000|seed:0|weights:poisson|unit:sentence") for line in lines
    )


@pytest.mark.parametrize(("by", "aggregate"), [("expected-wins", by_expected_wins), ("trueskill", by_trueskill)])
def test_json_holds_the_same_as_python(run: Run, by: str, aggregate: object) -> None:
    out = run("rank", *DATA, "-m", "green", "errant", "--aggregation", by, "--samples", "50", "-f", "json").out
    document = json.loads(out)
    assert document["schema"] == "geceval/ranking@1"
    corpus = read_corpus("source.txt", ["ref0.txt", "ref1.txt"], DATA[6:])
    ranking = rank(corpus, [Green()], aggregation=by, samples=50, guard=True)
    own = [row for row in document["systems"] if row["metric"] == "GREEN"]
    assert own == [vars(place) for place in ranking.systems]
    scores = np.stack([Green().sentence_scores(corpus.source, h, corpus.references) for h in corpus.systems.values()])
    values = dict(zip(corpus.systems, aggregate(tuple(corpus.systems), scores), strict=True))  # type: ignore[operator]
    assert {row["system"]: row["value"] for row in own[:-1]} == pytest.approx(values)
    for row in own:
        assert row["low"] <= row["value"] <= row["high"]


def test_expected_wins_do_not_depend_on_the_order_of_systems(run: Run) -> None:
    one = json.loads(run("rank", *DATA, "-m", "green", "-f", "json").out)["systems"]
    other = json.loads(run("rank", *DATA[:6], *reversed(DATA[6:]), "-m", "green", "-f", "json").out)["systems"]
    assert one == other


@pytest.mark.parametrize("metric", ["green", "goto"])
@pytest.mark.parametrize("by", ["expected-wins", "trueskill"])
def test_the_source_is_a_row_and_no_opponent_of_others(run: Run, by: str, metric: str) -> None:
    call = ("rank", *DATA, "-m", metric, "--aggregation", by, "--samples", "50", "-f", "json")
    *systems, source = json.loads(run(*call).out)["systems"]
    assert systems == json.loads(run(*call, "--no-guard").out)["systems"]
    assert (source["system"], source["rank_low"], source["rank_high"], source["cluster"]) == ("(source)", 0, 0, 0)
    assert source["low"] <= source["value"] <= source["high"]


def test_the_source_is_not_in_the_signatures_of_systems_given_as_m2(run: Run, tmp_path: Path) -> None:
    made = [f"{name}={tmp_path / name}.m2" for name in ("careful", "eager")]
    for name in ("careful", "eager"):
        run("annotate", "-s", "source.txt", "-c", f"systems/{name}.txt", "-o", f"{tmp_path / name}.m2")
    document = json.loads(run("rank", "--gold", "gold.m2", "-c", *made, "-m", "errant", "-f", "json").out)
    assert document["systems"][-1]["system"] == "(source)"
    assert document["signatures"]["ERRANT"].count("ERRANT|") == 1


def test_the_source_wins_as_often_as_a_system_that_copies_it(run: Run) -> None:
    call = ("-m", "green", "-f", "json")
    source = json.loads(run("rank", *DATA, *call).out)["systems"][-1]
    rows = json.loads(run("rank", *DATA, "COPY=source.txt", *call).out)["systems"]
    [copy] = [row for row in rows if row["system"] == "COPY"]
    assert {name: source[name] for name in ("value", "low", "high")} == pytest.approx(
        {name: copy[name] for name in ("value", "low", "high")}
    )


def test_same_bytes_with_any_threads(run: Run) -> None:
    call = ("rank", *DATA, "-m", "green", "--aggregation", "trueskill", "--samples", "30")
    assert run(*call, "-j", "1").out == run(*call, "-j", "3").out
    assert run(*call, "--seed", "1").out != run(*call).out


def test_formats_and_names(run: Run) -> None:
    names = ("A=systems/careful.txt", "B=systems/eager.txt")
    out = run("rank", *DATA[:6], *names, "-m", "green,green:beta=0.5", "-f", "csv").out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["metric"], row["system"], row["cluster"]) for row in rows] == [
        ("GREEN beta=2", "B", "1"), ("GREEN beta=2", "A", "2"), ("GREEN beta=2", "(source)", "0"),
        ("GREEN beta=0.5", "B", "1"), ("GREEN beta=0.5", "A", "2"), ("GREEN beta=0.5", "(source)", "0"),
    ]  # fmt: skip
    latex = run("rank", *DATA, "-m", "green", "-f", "latex").out
    assert r"eager & \textbf{0.8" in latex
    assert latex.count(r"\midrule") == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*DATA[:7], "-m", "green"), "a ranking requires at least two systems"),
        ((*DATA, "-m", "green", "--samples", "1"), "samples is 1; it must be at least 2"),
        ((*DATA, "-m", "green", "--seed", str(1 << 64)), "it must be at least 0 and at most 18446744073709551615"),
        ((*DATA, "-m", "green", "--alpha", "1.5"), "1.5; it must be more than 0 and at most 0.999"),
        ((*DATA[:7], "A=systems/careful.txt", "-m", "green"), "GREEN gives all systems equal scores on every sentence"),
        ((*DATA, "careful=systems/eager.txt", "-m", "green"), "the system careful is given twice"),
        ((*DATA, "-m", "gren"), "unknown metric 'gren'"),
    ],
)
def test_faults_are_told(run: Run, arguments: tuple[str, ...], message: str) -> None:
    result = run("rank", *arguments)
    assert (result.status, result.out) == (2, "")
    assert message in result.err
    assert "Traceback" not in result.err


def test_a_file_with_an_equals_sign_is_a_file(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path("systems/eager.txt").read_text("utf-8")
    source = [str(Path(name).resolve()) for name in ("source.txt", "ref0.txt", "systems/careful.txt")]
    monkeypatch.chdir(tmp_path)
    for name in ("a=b.txt", "b.txt"):
        Path(name).write_text(text, encoding="utf-8")
    out = run("score", "-s", source[0], "-r", source[1], "-c", "a=b.txt", "X=b.txt", "./a=b.txt", "-m", "green").out
    assert [line.split()[0] for line in out.splitlines()[2:5]] == ["a=b.txt", "X", "./a=b.txt"]
