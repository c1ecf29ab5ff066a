"""``geceval gate``: tables, exit status, the summary, annotations, and what is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from support.commands import Result, Run

pytestmark = pytest.mark.usefixtures("examples")
DATA = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/careful.txt", "systems/noisy.txt")
GREEN = "GREEN|n:4|beta:2|unit:word|policy:best|refs:2|level:corpus|v:0.3.0.dev0"


@pytest.fixture(autouse=True)
def no_step_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests may run in a step of GitHub's."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


def test_kept_bars_are_a_table_and_status_0(run: Run) -> None:
    result = run("gate", *DATA, "--fail-under", "green=52.5", "--fail-under", "green.precision=50")
    assert result == Result(
        0,
        "geceval gate: 4 checks passed\n\n"
        "system    metric            score      bar   kept\n"
        "─────────────────────────────────────────────────\n"
        "careful   GREEN             62.28   ≥ 52.5   yes\n"
        "careful   GREEN precision   99.28     ≥ 50   yes\n"
        "noisy     GREEN             52.53   ≥ 52.5   yes\n"
        "noisy     GREEN precision   85.04     ≥ 50   yes\n\n"
        f"{GREEN}\n",
        "",
    )


def test_a_bar_that_is_not_kept_is_status_1_and_one_message(run: Run) -> None:
    result = run("gate", *DATA, "--fail-under", "green=60", "errant=41")
    assert result.status == 1
    assert result.out.startswith("geceval gate: 1 of 4 checks failed\n\nsystem    metric   score    bar   kept\n")
    assert result.out.splitlines()[4] == "noisy     GREEN    52.53   ≥ 60   no"
    assert result.err == "error: 1 of 4 checks failed\n  noisy: GREEN 52.53 < 60\n"


def test_scores_are_compared_unrounded(run: Run) -> None:
    [_, noisy] = json.loads(run("score", *DATA, "-m", "green", "-f", "json").out)["results"]
    bar = f"{100 * noisy['value'] + 1e-8:.10f}"
    result = run("gate", *DATA, "--fail-under", f"green={bar}")
    assert result.status == 1
    shown = result.err.splitlines()[1].split()[2]
    assert float(shown) < float(bar)
    assert run("gate", *DATA, "--fail-under", f"green={100 * noisy['value'] - 1e-8:.10f}").status == 0


def test_settings_tell_metrics_apart(run: Run) -> None:
    result = run("gate", *DATA, "--fail-under", "green:beta=0.5=90", "green=50")
    assert result.status == 1
    assert "noisy: GREEN beta=0.5 " in result.err
    assert "GREEN beta=2" in result.out
    result = run("gate", *DATA, "-m", "green:beta=0.5", "green:beta=2", "--fail-under", "green=70")
    assert (result.status, result.out) == (2, "")
    assert "--fail-under green=70: 'green' may be several metrics of this run" in result.err


def test_part_may_be_bounded_on_both_sides(run: Run) -> None:
    result = run("gate", *DATA, "--fail-under", "ERRANT.Recall=1", "--fail-over", "errant.recall=99", "cleme2.wrong=1")
    assert result.status == 1
    assert result.err == "error: 1 of 6 checks failed\n  noisy: CLEME2.0 wrong 11.80 > 1\n"


# --- another system ---


def test_significantly_worse_system_fails(run: Run) -> None:
    result = run("gate", *DATA, "-m", "green", "errant", "--not-worse-than", "systems/eager.txt")
    assert result.status == 1
    assert result.out.splitlines()[2].split() == "system metric score eager difference 95 % interval p kept".split()
    compared = run("compare", *DATA, "systems/eager.txt", "-m", "green", "errant", "--baseline", "eager", "-f", "json")
    pairs = {(pair["a"], pair["metric"]): pair for pair in json.loads(compared.out)["pairs"]}
    found = json.loads(run("gate", *DATA, "-m", "green", "errant", "--not-worse-than", "systems/eager.txt",
                           "-f", "json").out)  # fmt: skip
    for check in found["checks"]:
        pair = pairs[check["system"], check["metric"].lower()]
        assert check["p"] == pair["p_adjusted"]
        assert [check[key] for key in ("difference", "low", "high")] == pytest.approx(
            [100 * pair[key] for key in ("difference", "low", "high")]
        )
        assert check["kept"] == (not (pair["difference"] < 0 and pair["p_adjusted"] < 0.05))
    kept = [check["kept"] for check in found["checks"]]
    assert any(kept)
    assert not all(kept)


def test_every_level_passes_the_same_output(run: Run) -> None:
    same = ("--not-worse-than", "systems/noisy.txt", "--alpha", "0.5")
    result = run("gate", *DATA, "-m", "green", *same)
    assert result.status == 0
    assert "noisy     GREEN    52.53               52.53         0.00    [0.00, 0.00]      1   yes" in result.out


def test_metrics_of_bars_alone_are_not_tested(run: Run) -> None:
    other = ("--not-worse-than", "old=systems/noisy.txt")
    result = run("gate", *DATA, "-m", "green", "--fail-under", "errant=1", *other, "-f", "json")
    checks = json.loads(result.out)["checks"]
    assert [(check["check"], check["metric"]) for check in checks] == [("bar", "ERRANT")] * 2 + [
        ("not-worse-than", "GREEN")
    ] * 2
    assert {check.get("rival") for check in checks} == {None, "old"}
    assert {row["system"] for row in json.loads(result.out)["results"]} == {"careful", "noisy"}


def test_other_system_in_m2_and_system_in_a_table(run: Run, tmp_path: Path) -> None:
    m2 = tmp_path / "old.m2"
    assert run("annotate", "-s", "source.txt", "-c", "systems/noisy.txt", "-o", m2).status == 0
    assert run("gate", *DATA, "-m", "errant", "--not-worse-than", m2).status == 0
    table = tmp_path / "pairs.jsonl"
    texts = [Path(name).read_text(encoding="utf-8").splitlines() for name in ("source.txt", "systems/careful.txt")]
    rows = [json.dumps({"source": source, "hypothesis": text}) for source, text in zip(*texts, strict=True)]
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    data = ("-i", table, "-r", "ref0.txt")
    assert run("gate", *data, "-m", "errant", "--not-worse-than", m2, "-q").status == 0
    assert (
        "the corrections of a system are required" in run("gate", *DATA[:5], "-m", "errant", "--not-worse-than", m2).err
    )


# --- without a value, false alarms ---


def test_score_without_a_value_fails(run: Run, tmp_path: Path) -> None:
    for name, text in (("source", "a b\n"), ("reference", "b c\n"), ("system", "b c\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    data = ("-s", tmp_path / "source", "-r", tmp_path / "reference", "-c", tmp_path / "system", "--no-checks")
    result = run("gate", *data, "--fail-over", "false-alarms=100")
    assert result.status == 1
    assert "system: FALSE-ALARMS has no value, ≤ 100 is required\n" in result.err
    result = run("gate", *data, "-m", "false-alarms", "--not-worse-than", tmp_path / "source", "-q")
    assert result.status == 1
    assert "system: FALSE-ALARMS nan, source nan: difference nan, 95 % interval [nan, nan], p = nan\n" in result.err


def test_false_alarms(run: Run) -> None:
    assert run("gate", *DATA, "--fail-over", "false-alarms=0").status == 0
    data = ("-s", "source.txt", "-r", "source.txt", "-c", "systems/noisy.txt", "--no-checks")
    result = run("gate", *data, "--fail-over", "false-alarms=0.5", "false-alarms.edits_per_sentence=0.01")
    assert result.status == 1
    [row] = list(csv.DictReader(run("score", *data, "-m", "false-alarms", "--parts", "-f", "csv").out.splitlines()))
    edits = row["FALSE-ALARMS edits_per_sentence"]
    assert f"noisy: FALSE-ALARMS edits_per_sentence {edits} > 0.01" in result.err
    assert " > 0.5\n" in result.err


# --- summary and annotations ---


def test_the_summary(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("gate", *DATA, "--fail-under", "green=60")
    assert run(*asked, "--summary", tmp_path / "summary.md").status == 1
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert summary == (
        "geceval gate: 1 of 2 checks failed\n\n"
        "| system | metric | score | bar | kept |\n"
        "| --- | --- | ---: | ---: | --- |\n"
        "| noisy | GREEN | 52.53 | ≥ 60 | no |\n"
        "| careful | GREEN | 62.28 | ≥ 60 | yes |\n"
        f"\n`{GREEN}`  \n"
    )
    assert run(*asked, "-f", "markdown").out == summary
    step = tmp_path / "step.md"
    step.write_text("# before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(step))
    run(*asked)
    assert step.read_text(encoding="utf-8") == f"# before\n{summary}\n"


def test_annotations(run: Run) -> None:
    result = run("gate", *DATA, "-f", "github", "--fail-under", "green=60")
    assert result.status == 1
    assert result.out == f"::error title=GREEN of noisy::noisy: GREEN 52.53 < 60 ({GREEN})\n"
    result = run("gate", *DATA, "-f", "github", "--fail-under", "green=50")
    assert result == Result(0, "::notice title=geceval gate::2 checks passed\n", "")
    result = run("gate", *DATA, "-f", "github", "-m", "errant", "--not-worse-than", "systems/eager.txt")
    assert "::error title=ERRANT of noisy::noisy: ERRANT " in result.out
    assert "95 %25 interval [−" in result.out


# --- what is refused ---


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "a bar is needed\n  hint: --fail-under errant=40 or --not-worse-than FILE"),
        (["--fail-under", "erant=40"], "--fail-under erant=40: unknown metric 'erant'"),
        (["--fail-under", "green"], "'green' is not a metric with a bar, such as errant=40"),
        (["--fail-under", "=40"], "'=40' is not a metric with a bar, such as errant=40"),
        (["--fail-under", "green:beta=0.5"], "hint: points follow the settings: green:beta=0.5=40"),
        (["--fail-under", "errant=40,green=50"], "separate bars by spaces: errant=40 green=50"),
        (["--fail-under", "green=nan"], "'nan' is not a number of points"),
        (["--fail-under", "green=forty"], "'forty' is not a number of points"),
        (["--fail-under", "green=1e999999999"], "'1e999999999' is not a number of points"),
        (["--fail-over", "green=40"], "higher GREEN scores are better\n  hint: --fail-under green=40"),
        (["--fail-under", "false-alarms=5"], "lower FALSE-ALARMS scores are better\n  hint: --fail-over"),
        (["--fail-under", "green=0.4"], "bars are points of 100, as in tables\n  hint: green=40"),
        (["--fail-under", "errant.recall=0.455"], "bars are points of 100, as in tables\n  hint: errant.recall=45.5"),
        (["--fail-under", "green=101"], "GREEN scores are between 0 and 100\n  hint: bars are points of 100"),
        (["--fail-under", "green=-1"], "GREEN scores are between 0 and 100"),
        (["--fail-under", "green.recall=4000"], "GREEN scores are between 0 and 100"),
        (["--fail-over", "false-alarms=101"], "FALSE-ALARMS scores are between 0 and 100"),
        (["--fail-under", "green.f=50"], "--fail-under green.f=50: GREEN has no f; its parts: precision, recall"),
        (["--alpha", "0.1", "--fail-under", "green=1"], "--alpha requires --not-worse-than"),
        (["-m", "green", "--not-worse-than", "no-such-file"], "no-such-file: cannot read"),
        (["-m", "goto", "--not-worse-than", "ref0.txt"], "a GoTo score depends on the other systems of the run"),
        (["--fail-under", "green=1", "-f", "csv"], "csv"),
    ],
)
def test_what_is_refused(run: Run, arguments: list[str], message: str) -> None:
    result = run("gate", *DATA, *arguments)
    assert (result.status, result.out) == (2, "")
    assert message in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize("bar", ["scribendi=0.25", "some=0.5"])
def test_small_bars_are_for_metrics_that_are_not_in_points(run: Run, bar: str) -> None:
    """The metrics need networks, which are missing here: the bar is checked before."""
    refused = "bars are points of 100" in run("gate", *DATA, "--fail-under", bar).err
    assert refused == bar.startswith("some")


def test_false_alarms_have_an_upper_bar_in_percent_and_one_on_edits(run: Run, tmp_path: Path) -> None:
    data = ("-s", "source.txt", "-r", "source.txt", "-c", "systems/noisy.txt", "--no-checks")
    result = run("gate", *data, "--fail-over", "false-alarms=5.5", "false-alarms.edits_per_sentence=0.5")
    assert result.status == 1
    assert result.err == "error: 1 of 2 checks failed\n  noisy: FALSE-ALARMS 40.00 > 5.5\n"
    assert run("gate", *DATA, "--fail-over", "false-alarms=0.5").status == 0
    assert "hint: --fail-over false-alarms=5" in run("gate", *DATA, "--fail-under", "false-alarms=5").err
    for name, text in (("source", "a b\n"), ("reference", "b c\n"), ("system", "b c\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    without = ("-s", tmp_path / "source", "-r", tmp_path / "reference", "-c", tmp_path / "system", "--no-checks")
    assert (
        "system: FALSE-ALARMS has no value, ≤ 100 is required"
        in run("gate", *without, "--fail-over", "false-alarms=100").err
    )


def test_metric_that_depends_on_all_systems_warns_of_a_single_one(run: Run) -> None:
    result = run("gate", *DATA[:7], "--gold", "gold.m2", "--fail-under", "goto=0")
    assert result.status == 0
    assert "goto scores depend on all systems of a run, and this run has one" in result.err


def test_systems_are_needed(run: Run) -> None:
    result = run("gate", *DATA[:5], "--fail-under", "green=1")
    assert result.status == 2
    assert "the corrections of a system are required" in result.err


def test_the_name_of_the_unchanged_source_is_no_way_past_a_bar(run: Run) -> None:
    result = run("gate", "-s", "source.txt", "-r", "ref0.txt", "-c", "(source)=source.txt", "--fail-under", "green=99")
    assert result.status == 2
    assert "(source) is the name of the unchanged source" in result.err
