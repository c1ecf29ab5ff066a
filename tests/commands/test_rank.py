"""``geceval rank``: systems ranked by sentence-level wins."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from geceval import Green, rank, read_corpus
from geceval.statistics.aggregation import by_expected_wins, by_trueskill
from support.commands import Run

DATA = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/careful.txt", "systems/eager.txt",
        "systems/noisy.txt")  # fmt: skip
pytestmark = pytest.mark.usefixtures("examples")


@pytest.mark.parametrize("options", ["", "-f latex", "-m green:beta=0.5 -f csv"])
def test_table_has_the_best_first_and_lines_between_clusters(
    run: Run, options: str, snapshot: SnapshotAssertion
) -> None:
    assert run("rank", *DATA, "-m", "green", *options.split()) == snapshot


@pytest.mark.parametrize(("by", "aggregate"), [("expected-wins", by_expected_wins), ("trueskill", by_trueskill)])
def test_json_has_the_ranking_of_python(run: Run, by: str, aggregate: object) -> None:
    out = run("rank", *DATA, "-m", "green", "errant", "--aggregation", by, "--samples", "50", "-f", "json").out
    document = json.loads(out)
    assert document["schema"] == "geceval/ranking@1"
    corpus = read_corpus("source.txt", ["ref0.txt", "ref1.txt"], DATA[6:])
    ranking = rank(corpus, [Green()], aggregation=by, samples=50, guard=True)
    rows = [row for row in document["systems"] if row["metric"] == "green"]
    assert rows == [vars(place) for place in ranking.systems]
    scores = np.stack([Green().sentence_scores(corpus.source, h, corpus.references) for h in corpus.systems.values()])
    values = dict(zip(corpus.systems, aggregate(tuple(corpus.systems), scores), strict=True))  # type: ignore[operator]
    assert {row["system"]: row["value"] for row in rows[:-1]} == pytest.approx(values)
    for row in rows:
        assert row["low"] <= row["value"] <= row["high"]


def test_expected_wins_do_not_depend_on_the_order_of_systems(run: Run) -> None:
    ranked = json.loads(run("rank", *DATA, "-m", "green", "-f", "json").out)["systems"]
    reversed_order = json.loads(run("rank", *DATA[:6], *reversed(DATA[6:]), "-m", "green", "-f", "json").out)["systems"]
    assert ranked == reversed_order


@pytest.mark.parametrize("metric", ["green", "goto"])
@pytest.mark.parametrize("by", ["expected-wins", "trueskill"])
def test_source_has_a_row_and_no_influence_on_the_systems(run: Run, by: str, metric: str) -> None:
    call = ("rank", *DATA, "-m", metric, "--aggregation", by, "--samples", "50", "-f", "json")
    *systems, source = json.loads(run(*call).out)["systems"]
    assert systems == json.loads(run(*call, "--no-guard").out)["systems"]
    assert (source["system"], source["rank_low"], source["rank_high"], source["cluster"]) == ("(source)", 0, 0, 0)
    assert source["low"] <= source["value"] <= source["high"]


def test_signatures_of_systems_as_m2_do_not_name_the_source(run: Run, tmp_path: Path) -> None:
    systems = [f"{name}={tmp_path / name}.m2" for name in ("careful", "eager")]
    for name in ("careful", "eager"):
        run("annotate", "-s", "source.txt", "-c", f"systems/{name}.txt", "-o", f"{tmp_path / name}.m2")
    document = json.loads(run("rank", "--gold", "gold.m2", "-c", *systems, "-m", "errant", "-f", "json").out)
    assert document["systems"][-1]["system"] == "(source)"
    assert document["signatures"]["errant"].count("ERRANT|") == 1


def test_the_source_wins_as_often_as_a_system_that_copies_it(run: Run) -> None:
    call = ("-m", "green", "-f", "json")
    source = json.loads(run("rank", *DATA, *call).out)["systems"][-1]
    rows = json.loads(run("rank", *DATA, "COPY=source.txt", *call).out)["systems"]
    [copy] = [row for row in rows if row["system"] == "COPY"]
    assert {name: source[name] for name in ("value", "low", "high")} == pytest.approx(
        {name: copy[name] for name in ("value", "low", "high")}
    )


def test_threads_do_not_change_the_ranking_and_the_seed_does(run: Run) -> None:
    call = ("rank", *DATA, "-m", "green", "--aggregation", "trueskill", "--samples", "30")
    assert run(*call, "-j", "1").out == run(*call, "-j", "3").out
    assert run(*call, "--seed", "1").out != run(*call).out


@pytest.mark.parametrize(
    "line",
    [
        "A=systems/careful.txt -m green",
        "A=systems/careful.txt B=systems/careful.txt -m green",
        "A=systems/careful.txt A=systems/eager.txt -m green",
        "A=systems/careful.txt B=systems/eager.txt -m green --samples 1",
        "A=systems/careful.txt B=systems/eager.txt -m green --seed 18446744073709551616",
        "A=systems/careful.txt B=systems/eager.txt -m green --alpha 1.5",
        "A=systems/careful.txt B=systems/eager.txt -m gren",
    ],
)
def test_systems_or_options_that_cannot_be_ranked_are_refused(run: Run, line: str, snapshot: SnapshotAssertion) -> None:
    assert run("rank", *DATA[:6], *line.split()) == snapshot


def test_existing_file_with_an_equals_sign_is_not_a_named_system(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = Path("systems/eager.txt").read_text("utf-8")
    source = [str(Path(name).resolve()) for name in ("source.txt", "ref0.txt", "systems/careful.txt")]
    monkeypatch.chdir(tmp_path)
    for name in ("a=b.txt", "b.txt"):
        Path(name).write_text(text, encoding="utf-8")
    out = run("score", "-s", source[0], "-r", source[1], "-c", "a=b.txt", "X=b.txt", "./a=b.txt", "-m", "green").out
    assert [line.split()[0] for line in out.splitlines()[2:5]] == ["a=b.txt", "X", "./a=b.txt"]
