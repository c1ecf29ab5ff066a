"""``geceval sweep``: thresholds of confidence from the command line."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval import m2
from support.commands import Result, Run, run_main
from support.examples import EXAMPLES

GOLD, SYSTEM = str(EXAMPLES / "gold.m2"), f"checker={EXAMPLES / 'confident.m2'}"
TUNED = "warning: the best thresholds were chosen on the sentences that they are scored on"


def sweep(*words: str, system: str = SYSTEM) -> Result:
    return run_main("sweep", "--gold", GOLD, "-c", system, *words)


def document_of(*words: str, **options: Any) -> dict[str, Any]:
    result = sweep(*words, "-f", "json", **options)
    assert result.status == 0, result.err
    return dict(json.loads(result.out))


def test_threshold_has_the_score_of_a_filtered_file(tmp_path: Path) -> None:
    results = document_of("-t", "0.6", "-m", "errant:mode=ds", "maxmatch")["results"]
    blocks = [
        m2.Block(
            block.source,
            tuple(e for e in block.edits if e.is_noop or float(e.comment) >= 0.6) or (m2.noop(0),),
        )
        for block in m2.read(EXAMPLES / "confident.m2")
    ]
    with (tmp_path / "some.m2").open("w", encoding="utf-8") as out:
        m2.write(blocks, out)
    words = ["score", "--gold", GOLD, "-c", str(tmp_path / "some.m2"), "-m", "errant:mode=ds", "maxmatch", "-f", "json"]
    scores = json.loads(run_main(*words).out)["results"]
    assert [row["given"]["score"] for row in results] == [score["value"] for score in scores]
    assert [row["given"]["recall"] for row in results] == [score["parts"]["recall"] for score in scores]
    assert [row["signature"] for row in results] == [score["signature"] for score in scores]


def test_best_threshold_of_a_development_set_is_scored_on_a_test_set(tmp_path: Path) -> None:
    half = [tmp_path / "gold.m2", tmp_path / "checker.m2"]
    for path, full in zip(half, (GOLD, EXAMPLES / "confident.m2"), strict=True):
        with path.open("w", encoding="utf-8") as out:
            m2.write(list(m2.read(full))[:20], out)
    dev = tmp_path / "dev.json"
    words = ["sweep", "--gold", str(half[0]), "-c", str(half[1])]
    tuned = run_main(*words, "--intervals", "--samples", "50", "-o", str(dev))
    assert (tuned.status, tuned.err.startswith(TUNED)) == (0, True)
    best = json.loads(dev.read_text())["results"][0]
    bounds = best["intervals"]["best_threshold"]
    assert bounds["low"] <= best["best"]["threshold"] <= bounds["high"]

    tested = sweep("--tuned", str(dev), "-f", "json")
    assert (tested.status, tested.err) == (0, ""), "other sentences need no warning"
    [result] = json.loads(tested.out)["results"]
    assert result["given"]["threshold"] == best["best"]["threshold"] != result["best"]["threshold"]
    assert result["given"]["score"] < result["best"]["score"]
    assert TUNED in run_main(*words, "--tuned", str(dev)).err, "the same sentences do"
    message = f"error: {dev}: no thresholds of checker under these metrics\n  hint: it has the systems checker;"
    assert sweep("--tuned", str(dev), "-m", "errant:mode=ds").err.startswith(message)


def test_csv_has_all_thresholds_and_the_table_some() -> None:
    rows = list(csv.DictReader(sweep("-f", "csv", "-q").out.splitlines()))
    assert [len(rows), rows[0]["threshold"], rows[0]["suggestions"], rows[-1]["score"]] == [44, "0.1", "75", "15.38"]
    table = sweep("--steps", "3", "-q").out
    assert "checker ERRANT: 3 thresholds of 44 confidences" in table
    assert "checker ERRANT: 44 thresholds of 44 confidences" in sweep("-q").out


def test_metrics_on_texts_have_no_average_precision() -> None:
    errant, green = document_of("-m", "errant", "green", "-q")["results"]
    assert errant["average_precision"] == pytest.approx(0.8822, abs=1e-4)
    assert green["average_precision"] is None


def test_calibration_has_tables_and_json() -> None:
    [result] = document_of("--calibration", "4", "--intervals", "--samples", "100", "-q")["results"]
    calibration = result["calibration"]
    assert [len(calibration["right"]), len(result["intervals"]["right"]), sum(calibration["edits"])] == [4, 4, 75]
    right = sum(number * share for number, share in zip(calibration["edits"], calibration["right"], strict=True))
    assert right == pytest.approx(75 * 0.8), "the precision of all edits"
    for name in ("expected_calibration_error", "brier_score"):
        assert result["intervals"][name]["low"] < calibration[name] < result["intervals"][name]["high"]
    out = sweep("--calibration", "4", "-m", "errant", "maxmatch", "-q").out
    assert "checker   MaxMatch   0.5 - 0.75      34         0.65    0.76\n" in out
    assert document_of("-q")["results"][0]["calibration"] is None


def test_page_has_charts_and_the_json_report(tmp_path: Path) -> None:
    pages = [tmp_path / "one.html", tmp_path / "other.html"]
    for page in pages:
        assert sweep("-m", "errant", "maxmatch", "--calibration", "8", "-q", "-o", str(page)).status == 0
    text = pages[0].read_text(encoding="utf-8")
    assert text == pages[1].read_text(encoding="utf-8")
    for label in ("ERRANT", "MaxMatch"):
        for chart in ("precision against recall", "score against threshold", "reliability"):
            assert f"<figcaption>{label}: {chart}</figcaption><svg" in text
    assert text.count('class="contour"') == 2, "a diagonal in each reliability diagram"
    document = json.loads(re.search(r'id="sweep">(.*?)</script>', text, re.DOTALL)[1])
    assert document["results"] == document_of("-m", "errant", "maxmatch", "--calibration", "8", "-q")["results"]
    without_verdicts = sweep("-m", "green", "-q", "-f", "html").out
    assert (without_verdicts.count("<figure>"), "reliability</figcaption>" in without_verdicts) == (2, False)


A_LINE = "A 0 1|||R|||x|||REQUIRED|||{}|||0\n"


@pytest.mark.parametrize(
    ("confidences", "options"),
    [
        ("0.5 -NONE-", ""),
        ("nan", ""),
        ("inf", ""),
        ("high", ""),
        ("", ""),
        ("0.5", "--tuned no.json"),
        ("0.5", "--tuned gold.m2"),
        ("0.5", "-t nan"),
        ("0.5", "--steps 1"),
        ("0.5", "-t .5 --tuned x"),
        ("1.5", "--calibration 10"),
        ("0.5", "--calibration 5 -m green"),
        ("0.5", "--calibration 0"),
        ("0.5", "-m cleme"),
    ],
)
def test_invalid_confidence_or_option_is_refused(
    tmp_path: Path, confidences: str, options: str, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.m2").write_text("S a b\n" + A_LINE.format("-NONE-") + "\n")
    lines = [A_LINE.format(confidence) for confidence in confidences.split()]
    edits = [line.replace("0 1", f"{at} {at + 1}") for at, line in enumerate(lines)]
    Path("s.m2").write_text("S a b\n" + "".join(edits))
    assert run_main("sweep", "--gold", "gold.m2", "-c", "s.m2", *options.split()) == snapshot


def test_system_as_text_is_refused() -> None:
    result = sweep(system=str(EXAMPLES / "systems/eager.txt"))
    assert result.status == 2
    assert "error: system eager is text, which has no confidences\n  hint: FILE.m2 with a number" in result.err


@pytest.mark.parametrize("options", [[], ["--intervals", "--samples", "20"]], ids=["scores", "intervals"])
def test_false_alarms_have_no_best_threshold(tmp_path: Path, options: list[str]) -> None:
    dev = tmp_path / "dev.json"
    words = ["-m", "errant", "false-alarms", *options]
    assert sweep(*words, "-o", str(dev)).status == 0
    errant, alarms = json.loads(dev.read_text())["results"]
    assert alarms["best"] is None
    assert "best_threshold" not in alarms["intervals"]
    assert errant["best"]["threshold"] == document_of()["results"][0]["best"]["threshold"]
    text = sweep(*words, "-t", "0.6").out
    assert [line for line in text.splitlines() if "FALSE-ALARMS" in line and re.search(r"\bbest\b", line)] == [
        "checker FALSE-ALARMS: no best threshold, since none has a better score than the output without edits"
    ]
    assert sweep("-m", "false-alarms").err == ""
    assert sweep(*words, "-o", str(tmp_path / "curves.html")).status == 0
    errant, alarms = document_of("-m", "errant", "false-alarms", "--tuned", str(dev))["results"]
    assert errant["given"]["threshold"] == errant["best"]["threshold"]
    assert "given" not in alarms


def test_change_rate_has_no_best_threshold() -> None:
    completed = sweep("-m", "change-rate")
    assert "checker CHANGE-RATE: no best threshold, since change-rate is no quality" in completed.out
    assert document_of("-m", "change-rate")["results"][0]["best"] is None


@pytest.mark.usefixtures("examples")
def test_texts_are_prepared_as_for_score(run: Run) -> None:
    """Of M2 its edits refer to tokens: other texts are prepared where the request names them."""
    line = ["-s", EXAMPLES / "source.txt", "-r", EXAMPLES / "ref0.txt", "-c", SYSTEM, "--tokenise", "char"]
    assert "--tokenise-only references" in run("sweep", *line).err
    prepared = run("sweep", *line, "--tokenise-only", "references", "-f", "json")
    [result] = json.loads(prepared.out)["results"]
    assert "tok:char-1(references)" in result["signature"]
    folder = EXAMPLES / "checker"
    checker = ["-s", folder / "source.txt", "-r", folder / "reference.txt", "-c", folder / "checker.jsonl"]
    checker += ["--offsets", "utf-16", "--tokenise", "english", "-m", "errant", "spans", "-f", "json"]
    swept = {result["metric"]: result["all"]["score"] for result in json.loads(run("sweep", *checker).out)["results"]}
    scored = json.loads(run("score", *checker).out)["results"]
    assert swept == {result["metric"]: pytest.approx(result["value"]) for result in scored}


def test_allowed_threshold_has_the_highest_recall_under_the_conditions() -> None:
    [result] = document_of("--at-most", "false-alarms=50", "--at-least", "errant.precision=82")["results"]
    curve = result["curve"]
    meets = [
        index
        for index, (alarms, precision) in enumerate(zip(curve["FALSE-ALARMS"], curve["ERRANT precision"], strict=True))
        if alarms <= 0.5 and precision >= 0.82
    ]
    allowed = max(meets, key=lambda index: (curve["recall"][index], index))
    assert result["allowed"] == {name: values[allowed] for name, values in curve.items()}
    assert result["allowed"]["threshold"] < result["best"]["threshold"]


def test_conditions_that_no_threshold_meets_leave_none(tmp_path: Path) -> None:
    result = sweep("--at-least", "errant.recall=99")
    assert "checker ERRANT: no allowed threshold, since none meets the conditions" in result.out
    dev = tmp_path / "dev.json"
    assert sweep("--at-least", "errant.recall=99", "-o", str(dev)).status == 0
    assert json.loads(sweep("--tuned", str(dev), "-f", "json").out)["results"][0].get("given") is None


def test_tuned_takes_the_allowed_threshold(tmp_path: Path) -> None:
    dev = tmp_path / "dev.json"
    assert sweep("--at-most", "false-alarms=0", "--at-least", "errant.precision=85", "-o", str(dev)).status == 0
    [tuned] = json.loads(dev.read_text())["results"]
    [result] = json.loads(sweep("--tuned", str(dev), "-f", "json").out)["results"]
    assert result["given"]["threshold"] == tuned["allowed"]["threshold"]


def test_a_rule_has_the_scores_of_a_file_with_its_edits(tmp_path: Path) -> None:
    results = document_of("--by", "rule")["results"]
    assert len(results) > 3
    for result in results[:3]:
        path = tmp_path / "rule.m2"
        blocks = m2.filter(m2.read(EXAMPLES / "confident.m2"), types=[result["rule"]])
        with path.open("w", encoding="utf-8") as out:
            m2.write(blocks, out)
        [scored] = json.loads(run_main("score", "--gold", GOLD, "-c", str(path), "-m", "errant", "-f", "json").out)[
            "results"
        ]
        assert result["all"]["score"] == scored["value"]


@pytest.mark.parametrize("bar", ["green=2", "false-alarms", "errant.precison=3"])
def test_a_condition_that_is_no_bar_is_refused(bar: str, snapshot: SnapshotAssertion) -> None:
    result = sweep("--at-most", bar)
    assert (result.status, result.err) == (2, snapshot)
