"""``geceval gate``: tables, exit status, summaries, annotations and refusals."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from support.commands import Run
from support.examples import EXAMPLES
from support.provider_answers import Answer, write_answers

pytestmark = pytest.mark.usefixtures("examples")
DATA = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/careful.txt", "systems/noisy.txt")


@pytest.fixture(autouse=True)
def no_step_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that run in a step of a GitHub workflow do not write to its summary."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


@pytest.mark.parametrize(
    "options",
    [
        "--fail-under green=52.5 --fail-under green.precision=50",
        "--fail-under green=60 errant=41",
        "--fail-under green:beta=0.5=90 green=50",
        "-m green:beta=0.5 green:beta=2 --fail-under green=70",
        "--fail-under ERRANT.Recall=1 --fail-over errant.recall=99 cleme2.wrong=1",
        "-m green errant --not-worse-than systems/eager.txt",
        "-m green --not-worse-than systems/noisy.txt --alpha 0.5",
        "--fail-over false-alarms=0",
        "--fail-over false-alarms=0.5",
        "-f github --fail-under green=60",
        "-f github --fail-under green=50",
        "-f github -m errant --not-worse-than systems/eager.txt",
    ],
)
def test_table_status_and_message(run: Run, options: str, snapshot: SnapshotAssertion) -> None:
    assert run("gate", *DATA, *options.split()) == snapshot


def test_scores_are_compared_unrounded(run: Run) -> None:
    [_, noisy] = json.loads(run("score", *DATA, "-m", "green", "-f", "json").out)["results"]
    threshold = f"{100 * noisy['value'] + 1e-8:.10f}"
    result = run("gate", *DATA, "--fail-under", f"green={threshold}")
    assert result.status == 1
    assert float(result.err.splitlines()[1].split()[2]) < float(threshold)
    assert run("gate", *DATA, "--fail-under", f"green={100 * noisy['value'] - 1e-8:.10f}").status == 0


def test_system_fails_if_it_is_significantly_worse_than_another(run: Run) -> None:
    compared = run("compare", *DATA, "systems/eager.txt", "-m", "green", "errant", "--baseline", "eager", "-f", "json")
    pairs = {(pair["a"], pair["metric"]): pair for pair in json.loads(compared.out)["pairs"]}
    line = ("gate", *DATA, "-m", "green", "errant", "--not-worse-than", "systems/eager.txt", "-f", "json")
    checks = json.loads(run(*line).out)["checks"]
    for check in checks:
        pair = pairs[check["system"], check["metric"].lower()]
        assert check["p"] == pair["p_adjusted"]
        assert [check[key] for key in ("difference", "low", "high")] == pytest.approx(
            [100 * pair[key] for key in ("difference", "low", "high")]
        )
        assert check["kept"] == (not (pair["difference"] < 0 and pair["p_adjusted"] < 0.05))
    assert {check["kept"] for check in checks} == {True, False}


def test_metrics_of_thresholds_are_not_compared_with_the_other_system(run: Run) -> None:
    rival = ("--not-worse-than", "old=systems/noisy.txt")
    document = json.loads(run("gate", *DATA, "-m", "green", "--fail-under", "errant=1", *rival, "-f", "json").out)
    assert [(check["check"], check["metric"], check.get("rival")) for check in document["checks"]] == [
        *[("bar", "ERRANT", None)] * 2,
        *[("not-worse-than", "GREEN", "old")] * 2,
    ]
    assert {row["system"] for row in document["results"]} == {"careful", "noisy"}


def test_other_system_may_be_m2_and_the_system_a_table(run: Run, tmp_path: Path) -> None:
    m2 = tmp_path / "old.m2"
    assert run("annotate", "-s", "source.txt", "-c", "systems/noisy.txt", "-o", m2).status == 0
    assert run("gate", *DATA, "-m", "errant", "--not-worse-than", m2).status == 0
    table = tmp_path / "pairs.jsonl"
    texts = [Path(name).read_text(encoding="utf-8").splitlines() for name in ("source.txt", "systems/careful.txt")]
    rows = [json.dumps({"source": source, "hypothesis": text}) for source, text in zip(*texts, strict=True)]
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert run("gate", "-i", table, "-r", "ref0.txt", "-m", "errant", "--not-worse-than", m2, "-q").status == 0


@pytest.mark.parametrize("options", ["--fail-over false-alarms=100", "-m false-alarms --not-worse-than source -q"])
def test_score_without_a_value_fails(
    run: Run, tmp_path: Path, options: str, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("source", "a b\n"), ("reference", "b c\n"), ("system", "b c\n")):
        Path(name).write_text(text, encoding="utf-8")
    line = f"gate -s source -r reference -c system --no-checks {options}"
    assert run(*line.split()) == snapshot


def test_false_alarms_have_a_threshold_in_percent_and_one_on_edits(run: Run) -> None:
    line = ("-s", "source.txt", "-r", "source.txt", "-c", "systems/noisy.txt", "--no-checks")
    result = run("gate", *line, "--fail-over", "false-alarms=0.5", "false-alarms.edits_per_sentence=0.01")
    assert result.status == 1
    [row] = list(csv.DictReader(run("score", *line, "-m", "false-alarms", "--parts", "-f", "csv").out.splitlines()))
    edits = row["FALSE-ALARMS edits_per_sentence"]
    assert f"noisy: FALSE-ALARMS edits_per_sentence {edits} > 0.01" in result.err
    assert " > 0.5\n" in result.err
    assert run("gate", *line, "--fail-over", "false-alarms=5.5", "false-alarms.edits_per_sentence=0.5").err == (
        "error: 1 of 2 checks failed\n  noisy: FALSE-ALARMS 40.00 > 5.5\n"
    )


def test_summary_is_the_markdown_table_and_is_appended_to_that_of_a_step(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    line = ("gate", *DATA, "--fail-under", "green=60")
    assert run(*line, "--summary", tmp_path / "summary.md").status == 1
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert summary == snapshot
    assert run(*line, "-f", "markdown").out == summary
    step = tmp_path / "step.md"
    step.write_text("# before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(step))
    run(*line)
    assert step.read_text(encoding="utf-8") == f"# before\n{summary}\n"


@pytest.mark.parametrize(
    "options",
    [
        "",
        "--fail-under erant=40",
        "--fail-under green",
        "--fail-under =40",
        "--fail-under green:beta=0.5",
        "--fail-under errant=40,green=50",
        "--fail-under green=nan",
        "--fail-under green=forty",
        "--fail-under green=1e999999999",
        "--fail-over green=40",
        "--fail-under false-alarms=5",
        "--fail-under green=0.4",
        "--fail-under errant.recall=0.455",
        "--fail-under green=101",
        "--fail-under green=-1",
        "--fail-under green.recall=4000",
        "--fail-over false-alarms=101",
        "--fail-under green.f=50",
        "--alpha 0.1 --fail-under green=1",
        "-m green --not-worse-than no-such-file",
        "-m goto --not-worse-than ref0.txt",
        "--fail-under green=1 -f csv",
        "-c (source)=source.txt --fail-under green=99",
    ],
)
def test_invalid_threshold_or_option_is_refused(run: Run, options: str, snapshot: SnapshotAssertion) -> None:
    assert run("gate", *DATA, *options.split()) == snapshot


def test_gate_without_a_system_is_refused(run: Run, snapshot: SnapshotAssertion) -> None:
    assert run("gate", *DATA[:5], "--fail-under", "green=1") == snapshot


@pytest.mark.parametrize("threshold", ["scribendi=0.25", "some=0.5"])
def test_small_threshold_is_accepted_for_metrics_that_are_not_in_percent(run: Run, threshold: str) -> None:
    """The networks of the metrics are missing here, but thresholds are checked first."""
    is_refused = "thresholds use the 0-100 scale" in run("gate", *DATA, "--fail-under", threshold).err
    assert is_refused == threshold.startswith("some")


def test_metric_that_depends_on_all_systems_warns_of_a_single_one(run: Run) -> None:
    result = run("gate", *DATA[:7], "--gold", "gold.m2", "--fail-under", "goto=0")
    assert result.status == 0
    assert "goto scores depend on all systems of a run, and this run has one" in result.err


# --- shares of answers ---

TEXTS = (EXAMPLES / "systems" / "careful.txt").read_text("utf-8").splitlines()
#: Of 40 answers one is empty, two were refused, of which one is empty, and three were cut.
FAILED = {
    2: Answer(""),
    5: Answer("I'm sorry, but I can't help with that.", "refusals"),
    9: Answer("", "refusals"),
    **{number: Answer(TEXTS[number], "cut") for number in (12, 20, 31)},
}
SHARES = "--fail-over empty=4 refusals=5 cut=7.5"


@pytest.fixture
def batch(tmp_path: Path) -> str:
    answers = [FAILED.get(number, Answer(text)) for number, text in enumerate(TEXTS)]
    return str(write_answers(tmp_path / "new.jsonl", answers))


def of_answers(batch: str, options: str, *more: str) -> tuple[str, ...]:
    return ("gate", *DATA[:4], "-i", batch, "--id", "custom_id", "-q", *options.split(), *more)


@pytest.mark.parametrize("options", [SHARES, f"{SHARES} -f github", "--fail-over cut=8 --fail-under green=10"])
def test_shares_of_answers(run: Run, batch: str, options: str, snapshot: SnapshotAssertion) -> None:
    assert run(*of_answers(batch, options)) == snapshot


def test_shares_of_answers_are_checks_in_json(run: Run, batch: str) -> None:
    checks = json.loads(run(*of_answers(batch, SHARES, "-f", "json")).out)["checks"]
    shares = {check["metric"]: (check["check"], check["value"], check["fail_over"], check["kept"]) for check in checks}
    assert shares == {
        "empty": ("answers", 5.0, 4.0, False),
        "refusals": ("answers", 5.0, 5.0, True),
        "cut": ("answers", 7.5, 7.5, True),
    }


def test_shares_of_answers_need_no_references(run: Run, batch: str) -> None:
    line = ("gate", "-s", "source.txt", "-i", batch, "--id", "custom_id", "-q", "--fail-over", "empty=5")
    assert run(*line).status == 0


def test_other_system_has_no_bar_on_its_answers(run: Run, batch: str) -> None:
    options = ("--not-worse-than", "systems/noisy.txt", "-m", "green")
    assert run(*of_answers(batch, "--fail-over cut=8", *options)).status == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("-i BATCH --id custom_id --fail-over cut=101", "shares of answers are between 0 and 100 per cent"),
        ("-i BATCH --id custom_id --fail-under cut=1", "fewer cut answers are better"),
        ("-i BATCH --id custom_id --fail-over cut=1 --no-checks", "--no-checks does not apply to --fail-over cut"),
        ("-c systems/noisy.txt --fail-over cut=1", "the file of noisy does not contain how answers ended"),
        ("-c confident.m2 --fail-over empty=1", "the lines of confident are edits, or were not checked"),
    ],
)
def test_shares_that_cannot_be_checked_are_refused(run: Run, batch: str, options: str, message: str) -> None:
    result = run("gate", "-s", "source.txt", *options.replace("BATCH", batch).split())
    assert (result.status, message in result.err) == (2, True), result.err


def test_other_system_is_one_file(run: Run, examples: Path) -> None:
    line = ("gate", "-s", "source.txt", "-r", "ref0.txt", "-c", "systems/eager.txt", "-m", "green")
    result = run(*line, "--not-worse-than", "systems")
    assert (result.status, "systems has 3 systems, not 1" in result.err) == (2, True), result.err
