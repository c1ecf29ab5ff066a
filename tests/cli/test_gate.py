"""``geceval score`` with bars: exit status, what is said, the summary, annotations, and what cannot be asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.commands import Result, Run

pytestmark = pytest.mark.usefixtures("examples")
DATA = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/careful.txt", "systems/noisy.txt")
GREEN = "GREEN|n:4|beta:2|unit:word|policy:best|refs:2|level:corpus|v:0.2.0"


@pytest.fixture(autouse=True)
def no_step_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests may run within a step of GitHub's."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


@pytest.fixture
def baseline(run: Run, tmp_path: Path) -> Path:
    """The scores of a run before, two points better than now for one of the systems."""
    path = tmp_path / "last.json"
    assert run("score", *DATA, "-m", "green", "-f", "json", "-o", path).status == 0
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["results"][1]["system"] == "noisy"
    document["results"][1]["value"] += 0.02
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_bars_that_are_kept_change_nothing(run: Run) -> None:
    plain = run("score", *DATA, "-m", "green")
    assert run("score", *DATA, "-m", "green", "--fail-under", "green=52.5", "--fail-under", "green=52") == plain
    assert run("score", *DATA, "-m", "green", "--fail-under", "green=60", "--fail-under", "green=52").status == 1


def test_a_bar_that_is_not_kept(run: Run) -> None:
    result = run("score", *DATA, "-m", "green,errant", "--fail-under", "green=60", "errant=41")
    assert result.status == 1
    assert result.out.startswith("system    GREEN   ERRANT\n")
    assert result.err == f"error: 1 of 4 checks failed\n  noisy: GREEN 52.53 < 60 ({GREEN})\n"


def test_scores_are_compared_unrounded(run: Run) -> None:
    [_, noisy] = json.loads(run("score", *DATA, "-m", "green", "-f", "json").out)["results"]
    bar = f"{100 * noisy['value'] + 1e-9:.10f}"
    result = run("score", *DATA, "-m", "green", "--fail-under", f"green={bar}")
    assert result.status == 1
    shown = result.err.splitlines()[1].split()[2]
    assert float(shown) < float(bar)
    assert run("score", *DATA, "-m", "green", "--fail-under", f"green={100 * noisy['value'] - 1e-9:.10f}").status == 0


def test_settings_tell_metrics_apart(run: Run) -> None:
    result = run("score", *DATA, "-m", "green", "--beta", "0.5", "2", "--fail-under", "green:beta=0.5=90")
    assert result.status == 1
    assert "noisy: GREEN beta=0.5 " in result.err
    assert "|beta:0.5|" in result.err
    assert "|beta:2|" not in result.err
    result = run("score", *DATA, "-m", "green", "--beta", "0.5", "2", "--fail-under", "green=70")
    assert (result.status, result.out) == (2, "")
    assert "'green' is not one of GREEN beta=0.5, GREEN beta=2" in result.err


def test_a_drop(run: Run, baseline: Path) -> None:
    kept = run("score", *DATA, "-m", "green", "--baseline", baseline, "--max-drop", "2.01")
    assert (kept.status, kept.err) == (0, "")
    result = run("score", *DATA, "-m", "green", "--baseline", baseline, "--max-drop", "1.5")
    assert result.status == 1
    assert result.err == (
        "error: 1 of 2 checks failed\n"
        f"  noisy: GREEN 52.53, before 54.53: 2.00 worse, allowed 1.5 ({GREEN})\n"
    )  # fmt: skip
    assert run("score", *DATA, "-m", "green", "--baseline", baseline).status == 1


def test_another_baseline_is_no_pass(run: Run, baseline: Path, tmp_path: Path) -> None:
    def against(*arguments: object) -> str:
        result = run("score", *arguments, "--baseline", baseline, "--max-drop", "100")
        assert (result.status, result.out) == (2, "")
        return result.err

    assert "that are not alike:\n  now GREEN|n:4|beta:1|" in against(*DATA, "-m", "green:beta=1")
    assert "no score of careful under gleu" in against(*DATA, "-m", "gleu")
    assert "no scores of the system eager" in against(*DATA, "systems/eager.txt", "-m", "green")
    for name in ("source.txt", "ref0.txt", "ref1.txt", "systems/careful.txt"):
        lines = Path(name).read_text(encoding="utf-8").splitlines(keepends=True)
        (tmp_path / Path(name).name).write_text("".join(lines[:-1]), encoding="utf-8")
    fewer = [tmp_path / name for name in ("source.txt", "ref0.txt", "ref1.txt", "careful.txt")]
    err = against("-s", fewer[0], "-r", *fewer[1:3], "-c", fewer[3], "-m", "green")
    assert "scores of careful over 40 sentences, and now they are 39" in err
    document = json.loads(baseline.read_text(encoding="utf-8"))

    def values(value: object) -> str:
        return json.dumps(document | {"results": [one | {"value": value} for one in document["results"]]})

    for wrong in ("[]", "[" * 100_000, json.dumps(document | {"schema": "x@1"}), values(10**400), values("much")):
        baseline.write_text(wrong, encoding="utf-8")
        assert "no scores of an earlier run" in against(*DATA, "-m", "green")
    baseline.write_text(values(None), encoding="utf-8")
    assert "no value of careful under green" in against(*DATA, "-m", "green")


def test_what_has_no_value_fails(run: Run, tmp_path: Path) -> None:
    for name, text in (("source", "a b\n"), ("reference", "b c\n"), ("system", "b c\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    data = ("-s", tmp_path / "source", "-r", tmp_path / "reference", "-c", tmp_path / "system", "--no-checks")
    result = run("score", *data, "-m", "green", "--fail-over", "false-alarms=100")
    assert result.status == 1
    assert "system: FALSE-ALARMS nan > 100 (" in result.err


def test_false_alarms(run: Run, tmp_path: Path) -> None:
    kept = run("score", *DATA, "-m", "green", "--fail-over", "false-alarms=0")
    assert kept.status == 0
    assert kept.out.splitlines()[0].split() == ["system", "GREEN", "FALSE-ALARMS"]
    data = ("-s", "source.txt", "-r", "source.txt", "-c", "systems/noisy.txt", "--no-checks")
    result = run("score", *data, "-m", "green", "--fail-over", "false-alarms=5.5")
    assert result.status == 1
    earlier = run("score", *data, "-m", "green", "-f", "json", "-o", tmp_path / "last.json")
    assert earlier.status == 0
    both = run("score", *data, "-m", "green", "--baseline", tmp_path / "last.json", "--fail-over", "false-alarms=100")
    assert both.status == 0
    rate = run("false-alarms", *data, "-f", "csv").out.splitlines()[1].split(",")[4]
    assert f"noisy: FALSE-ALARMS {rate} > 5.5 (FALSE-ALARMS|rule:all|" in result.err


def test_the_summary(run: Run, baseline: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("score", *DATA, "-m", "green", "--fail-under", "green=60", "--baseline", baseline, "--max-drop", "0.5")
    assert run(*asked, "--summary", tmp_path / "summary.md").status == 1
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert summary == (
        "**geceval: 2 of 4 checks failed**\n\n"
        "| system | metric | score | asked |  |\n"
        "| --- | --- | ---: | --- | --- |\n"
        "| noisy | GREEN | 52.53 | ≥ 60 | **failed** |\n"
        "| noisy | GREEN | 52.53 | at most 0.5 worse than 54.53 (2.00 worse) | **failed** |\n"
        "| careful | GREEN | 62.28 | ≥ 60 | passed |\n"
        "| careful | GREEN | 62.28 | at most 0.5 worse than 62.28 (0.00 better) | passed |\n"
        f"\n`{GREEN}`  \n"
    )
    step = tmp_path / "step.md"
    step.write_text("# before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(step))
    run(*asked)
    assert step.read_text(encoding="utf-8") == f"# before\n{summary}\n"
    run("score", *DATA, "-m", "green")
    assert step.read_text(encoding="utf-8") == f"# before\n{summary}\n"


def test_annotations(run: Run) -> None:
    result = run("score", *DATA, "-m", "green", "-f", "github", "--fail-under", "green=60")
    assert result.status == 1
    assert result.out == f"::error title=GREEN is not kept::noisy: GREEN 52.53 < 60 ({GREEN})\n"
    result = run("score", *DATA, "-m", "green", "-f", "github", "--fail-under", "green=50")
    assert result == Result(0, "::notice title=geceval::2 checks passed\n", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fail-under", "errant=40"], "'errant' is not one of GREEN"),
        (["--fail-under", "green"], "'green' is not a metric with a bar, such as errant=40"),
        (["--fail-under", "green=nan"], "'nan' is not a number of points"),
        (["--fail-under", "green=forty"], "'forty' is not a number of points"),
        (["--fail-under", "green=1e999999999"], "'1e999999999' is not a number of points"),
        (["--fail-over", "green=40"], "--fail-over green=40: higher is better\n  hint: --fail-under green=40"),
        (["--max-drop", "1"], "--max-drop is for what --fail-under"),
        (["--fail-under", "green=1", "--max-drop", "1"], "and there is none"),
        (["--baseline", "x", "--max-drop", "-1"], "it must be at least 0"),
        (["--baseline", "no-such-file"], "no-such-file: "),
        (["--summary", "x"], "--summary is for what --fail-under"),
        (["-f", "github"], "--format github tells what --fail-under"),
        (["--fail-under", "green=1", "--level", "sentence"], "bars are for scores of whole corpora"),
        (["--fail-under", "green=1", "--group", "length"], "bars are for scores of whole corpora"),
        (["--fail-over", "false-alarms=1", "--level", "mean"], "false-alarms is a score of corpora"),
    ],
)
def test_what_cannot_be_asked(run: Run, arguments: list[str], message: str) -> None:
    result = run("score", *DATA, "-m", "green", *arguments)
    assert (result.status, result.out) == (2, "")
    assert message in result.err
    assert "Traceback" not in result.err


def test_the_name_of_the_unchanged_source_is_no_way_past_a_bar(run: Run) -> None:
    result = run("score", "-s", "source.txt", "-r", "ref0.txt", "-c", "(source)=source.txt", "-m", "green",
                 "--fail-under", "green=99")  # fmt: skip
    assert result.status == 2
    assert "(source) is the name of the unchanged source" in result.err


@pytest.mark.parametrize("value", [True, "0.5"])
def test_a_baseline_has_numbers(run: Run, tmp_path: Path, value: object) -> None:
    path = tmp_path / "base.json"
    run("score", *DATA, "-m", "green", "-f", "json", "-o", str(path))
    document = json.loads(path.read_text(encoding="utf-8"))
    document["results"][0]["value"] = value
    path.write_text(json.dumps(document), encoding="utf-8")
    result = run("score", *DATA, "-m", "green", "--baseline", str(path))
    assert result.status == 2
    assert "no scores of an earlier run" in result.err
