"""``geceval sweep``: thresholds of confidence from the command line."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from geceval import m2
from support.commands import Result, run_main
from support.examples import EXAMPLES

GOLD, SYSTEM = str(EXAMPLES / "gold.m2"), f"checker={EXAMPLES / 'confident.m2'}"
TUNED = "warning: the best thresholds were chosen on the sentences that they are scored on"


def sweep(*words: str, system: str = SYSTEM) -> Result:
    return run_main(["sweep", "--gold", GOLD, "-c", system, *words])


def document_of(*words: str, **options: Any) -> dict[str, Any]:
    result = sweep(*words, "-f", "json", **options)
    assert result.status == 0, result.err
    return dict(json.loads(result.out))


def test_a_threshold_has_the_score_of_a_filtered_file(tmp_path: Path) -> None:
    result = document_of("-t", "0.6", "-m", "errant:mode=ds", "maxmatch")["results"]
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
    scores = json.loads(run_main(words).out)["results"]
    assert [own["given"]["score"] for own in result] == [score["value"] for score in scores]
    assert [own["given"]["recall"] for own in result] == [score["parts"]["recall"] for score in scores]
    assert [own["signature"] for own in result] == [score["signature"] for score in scores]


def test_the_best_threshold_of_a_development_set_is_scored_on_a_test_set(tmp_path: Path) -> None:
    half = [tmp_path / "gold.m2", tmp_path / "checker.m2"]
    for path, full in zip(half, (GOLD, EXAMPLES / "confident.m2"), strict=True):
        with path.open("w", encoding="utf-8") as out:
            m2.write(list(m2.read(full))[:20], out)
    dev = tmp_path / "dev.json"
    words = ["sweep", "--gold", str(half[0]), "-c", str(half[1])]
    tuned = run_main([*words, "--intervals", "--resamples", "50", "-o", str(dev)])
    assert (tuned.status, tuned.err.startswith(TUNED)) == (0, True)
    best = json.loads(dev.read_text())["results"][0]
    bounds = best["intervals"]["best_threshold"]
    assert bounds["low"] <= best["best"]["threshold"] <= bounds["high"]

    tested = sweep("--tuned", str(dev), "-f", "json")
    assert (tested.status, tested.err) == (0, ""), "other sentences need no warning"
    [result] = json.loads(tested.out)["results"]
    assert result["given"]["threshold"] == best["best"]["threshold"] != result["best"]["threshold"]
    assert result["given"]["score"] < result["best"]["score"]
    assert TUNED in run_main([*words, "--tuned", str(dev)]).err, "the same sentences do"
    message = f"error: {dev}: no thresholds of checker under these metrics\n  hint: it has the systems checker;"
    assert sweep("--tuned", str(dev), "-m", "errant:mode=ds").err.startswith(message)


def test_csv_has_all_thresholds_and_the_table_some() -> None:
    rows = list(csv.DictReader(sweep("-f", "csv", "-q").out.splitlines()))
    assert [len(rows), rows[0]["threshold"], rows[0]["suggestions"], rows[-1]["score"]] == [44, "0.1", "75", "15.38"]
    shown = sweep("--steps", "3", "-q").out
    assert "checker ERRANT: 3 thresholds of 44 confidences" in shown
    assert "checker ERRANT: 44 thresholds of 44 confidences" in sweep("-q").out


def test_metrics_on_texts_have_no_average_precision() -> None:
    errant, green = document_of("-m", "errant", "green", "-q")["results"]
    assert errant["average_precision"] == pytest.approx(0.8822, abs=1e-4)
    assert green["average_precision"] is None


def test_calibration_has_tables_and_json() -> None:
    [result] = document_of("--calibration", "4", "--intervals", "--resamples", "100", "-q")["results"]
    found = result["calibration"]
    assert [len(found["right"]), len(result["intervals"]["right"]), sum(found["edits"])] == [4, 4, 75]
    right = sum(number * share for number, share in zip(found["edits"], found["right"], strict=True))
    assert right == pytest.approx(75 * 0.8), "the precision of all edits"
    for name in ("expected_calibration_error", "brier_score"):
        assert result["intervals"][name]["low"] < found[name] < result["intervals"][name]["high"]
    out = sweep("--calibration", "4", "-m", "errant", "maxmatch", "-q").out
    assert "checker   MaxMatch   0.5 - 0.75      34         0.65    0.76\n" in out
    assert document_of("-q")["results"][0]["calibration"] is None


def test_a_page_has_charts_and_the_json_report(tmp_path: Path) -> None:
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
    only = sweep("-m", "green", "-q", "-f", "html").out
    assert (only.count("<figure>"), "reliability</figcaption>" in only) == (2, False)


A_LINE = "A 0 1|||R|||x|||REQUIRED|||{}|||0\n"


@pytest.mark.parametrize(
    ("lines", "words", "message"),
    [
        (["0.5", "-NONE-"], [], ":3: the edit has no confidence, which is a number in its comment field, not '-NONE-'"),
        (["nan"], [], ":2: the edit has no confidence"),
        (["inf"], [], ":2: the edit has no confidence"),
        (["high"], [], ":2: the edit has no confidence"),
        ([], [], "system s has no edits"),
        (["0.5"], ["--tuned", "no.json"], "no.json: cannot read"),
        (["0.5"], ["--tuned", GOLD], "gold.m2: is no report of a sweep (geceval/sweep@1)"),
        (["0.5"], ["-t", "nan"], "--threshold is nan; it must be"),
        (["0.5"], ["--steps", "1"], "--steps is 1; it must be"),
        (["0.5"], ["-t", ".5", "--tuned", "x"], "--threshold and --tuned exclude each other"),
        (["1.5"], ["--calibration", "10"], "system s: a confidence of 1.5 is no probability"),
        (["0.5"], ["--calibration", "5", "-m", "green"], "green has no verdict on an edit"),
        (["0.5"], ["--calibration", "0"], "--calibration is 0; it must be at least 1"),
        (["0.5"], ["-m", "cleme"], "cleme counts no sentence alone"),
    ],
)
def test_wrong_input_is_an_error(tmp_path: Path, lines: list[str], words: list[str], message: str) -> None:
    gold, system = tmp_path / "gold.m2", tmp_path / "s.m2"
    gold.write_text("S a b\n" + A_LINE.format("-NONE-") + "\n")
    system.write_text(
        "S a b\n" + "".join(A_LINE.format(own).replace("0 1", f"{k} {k + 1}") for k, own in enumerate(lines))
    )
    result = run_main(["sweep", "--gold", str(gold), "-c", str(system), *words])
    assert (result.status, result.out) == (2, "")
    assert message in result.err


def test_a_system_as_text_is_refused() -> None:
    result = sweep(system=str(EXAMPLES / "systems/eager.txt"))
    assert result.status == 2
    assert "error: system eager is text, which has no confidences\n  hint: FILE.m2 with a number" in result.err
