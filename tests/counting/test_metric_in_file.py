"""Metrics of a Python file: ``-m ./metric.py:EditRate`` and in Python."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval.base.errors import UsageError
from geceval.counting.metric_names import parse_specs
from support.commands import Run
from support.examples import EXAMPLES
from support.messages import message_of

METRIC = '''
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from geceval.extending import Best, Bounds, Counts, Metric, Policy, setting


@dataclass(frozen=True)
class EditRate(Metric[Any]):
    """Share of sentences that a system changes."""

    name: ClassVar[str] = "edit-rate"
    uses_references: ClassVar[bool] = False
    most: float = setting(1.0, "scoring", Bounds(0, 1))

    @property
    def columns(self) -> tuple[str, ...]:
        return ("changed", "sentences")

    @property
    def policy(self) -> Policy:
        return Best()

    def prepare(self, corpus: Any, threads: int = 0) -> list[str]:
        return list(corpus.source)

    def count(self, prepared: list[str], hypothesis: Any, threads: int = 0, *, evidence: bool = False) -> Counts:
        changed = [[[line != source, 1]] for line, source in zip(hypothesis, prepared)]
        return Counts(np.array(changed, dtype=np.int64), self.columns)

    def score(self, totals: np.ndarray) -> np.ndarray:
        return np.minimum(totals[..., 0] / np.maximum(totals[..., 1], 1), self.most)
'''


@pytest.fixture
def metric_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "metric.py"
    path.write_text(METRIC, encoding="utf-8")
    return path


@pytest.mark.parametrize("spec", ["./metric.py:EditRate", "metric.py:EditRate:most=0.5", "green,metric.py:EditRate"])
def test_command_scores_with_the_metric_of_a_file(metric_file: Path, run: Run, spec: str) -> None:
    texts = ["-s", EXAMPLES / "source.txt", "-r", EXAMPLES / "ref0.txt", "-c", EXAMPLES / "systems/eager.txt"]
    result = run("score", *map(str, texts), "-m", spec, "-f", "json")
    assert result.status == 0, result.err
    rows = [
        row for row in json.loads(result.out)["results"] if (row["system"], row["metric"]) == ("eager", "edit-rate")
    ]
    assert [row["value"] for row in rows] == [0.5 if "most" in spec else 1.0]
    assert rows[0]["signature"].startswith("EDIT-RATE|most:")
    described = run("metrics", "metric.py:EditRate")
    assert described.status == 0
    assert "metric.py:EditRate" in described.out


def test_python_scores_with_the_metric_of_a_file_and_its_instance(metric_file: Path) -> None:
    texts: tuple[Any, ...] = (["a b", "a"], ["a b", "c"], ["a b", "a"])
    by_name = geceval.score(*texts, "./metric.py:EditRate", checks=False)
    metric: Any = geceval.make_metric("metric.py:EditRate", most=1)
    assert by_name.item()["edit-rate"].score().value == 0.0
    assert geceval.make_metric("metric.py:EditRate:most=1") == metric
    changed = geceval.score(["a b", "b"], *texts[1:], [metric], checks=False)
    assert changed.item()[metric].score().value == 0.5
    assert type(metric) is type(geceval.make_metric(f"{metric_file}:EditRate"))  # the file is executed once
    assert parse_specs(["m.py:A:b=1,c=d.py", "green"]) == [("m.py:A", {"b": "1", "c": "d.py"}), ("green", {})]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (METRIC, "metric.py:Editrate"),
        (METRIC, "metric.py:np"),
        (METRIC, "metric.py"),
        (METRIC, "metric.py:EditRate:least=1"),
        ("import nothing_like_this", "metric.py:EditRate"),
        ("1 +", "metric.py:EditRate"),
        ("", "metric.py:EditRate"),
        (METRIC, "other.py:EditRate"),
        (METRIC, "metrik.py:EditRate"),
        (METRIC, "nowhere/metric.py:EditRate"),
        (METRIC, "metric:EditRate"),
        (METRIC.replace("@dataclass(frozen=True)", ""), "metric.py:EditRate"),
        (METRIC.replace("@dataclass(frozen=True)", "@dataclass"), "metric.py:EditRate"),
        (METRIC.replace("def count", "def tally"), "metric.py:EditRate"),
        (METRIC.replace('name: ClassVar[str] = "edit-rate"', ""), "metric.py:EditRate"),
    ],
)
def test_faults_of_the_file_are_named(metric_file: Path, content: str, name: str, snapshot: SnapshotAssertion) -> None:
    metric_file.write_text(content, encoding="utf-8")
    message = message_of(lambda: geceval.score(["a"], ["a"], ["a"], name))
    assert message.replace(str(metric_file.parent), "FOLDER") == snapshot


#: Words of a command line that scores the examples.
SCORE = (
    "score", "-s", str(EXAMPLES / "source.txt"), "-r", str(EXAMPLES / "ref0.txt"),
    "-c", str(EXAMPLES / "systems/eager.txt"), "-m",
)  # fmt: skip


@pytest.mark.parametrize(
    ("content", "name", "hint"),
    [
        (METRIC, "metric:EditRate", "-m metric.py:EditRate is a metric in a file"),
        (METRIC.replace("@dataclass(frozen=True)", ""), "metric.py:EditRate", "write @dataclass(frozen=True) above"),
        (METRIC, "nowhere/exact.py:EditRate", "-m FILE.py:CLASS needs a file"),
    ],
)
def test_hints_on_the_file_work(metric_file: Path, run: Run, content: str, name: str, hint: str) -> None:
    metric_file.write_text(content, encoding="utf-8")
    error = run(*SCORE, name)
    assert (error.status, hint in error.err) == (2, True), error.err
    Path("mended.py").write_text(METRIC, encoding="utf-8")  # a file is executed once
    assert run(*SCORE, "mended.py:EditRate").status == 0


def test_instance_of_a_thawed_class_is_refused(metric_file: Path) -> None:
    @dataclass
    class Thawed(type(geceval.make_metric("metric.py:EditRate")).__base__):  # type: ignore[misc]
        name = "thawed"
        columns = ("sentences",)
        policy = prepare = count = score = None

    with pytest.raises(UsageError, match="Thawed is not a frozen dataclass"):
        geceval.score(["a"], ["a"], ["a"], [Thawed()])


@pytest.mark.parametrize(
    ("old", "method"), [("return list(corpus.source)", "prepare"), ("return np.minimum(", "score")]
)
def test_error_in_a_method_has_a_traceback_that_names_it_and_status_3(
    metric_file: Path, run: Run, old: str, method: str
) -> None:
    metric_file.write_text(METRIC.replace(old, f"1 / 0\n        {old}"), encoding="utf-8")
    result = run(*SCORE, "metric.py:EditRate")
    assert result.status == 3
    assert result.err.startswith("Traceback (most recent call last):\n")
    assert re.findall('File ".*?([^/"]+)", line', result.err) == ["metric.py"]
    assert result.err.endswith(
        f"ZeroDivisionError: division by zero\nerror: metric.py:EditRate.{method} of the metric failed\n"
    )


def test_gate_whose_metric_fails_is_no_missed_threshold(metric_file: Path, run: Run) -> None:
    metric_file.write_text(METRIC.replace("return np.minimum(", "1 / 0\n        return np.minimum("), encoding="utf-8")
    assert run("gate", *SCORE[1:-1], "--fail-under", "metric.py:EditRate=5").status == 3


def test_metric_that_exits_is_no_missed_threshold(metric_file: Path, run: Run) -> None:
    gate = "gate", *SCORE[1:-1], "--fail-under", "metric.py:EditRate=5"
    metric_file.write_text(METRIC.replace("return np.minimum(", "raise SystemExit(1)\n        return 0 * ("), "utf-8")
    result = run(*gate)
    assert (result.status, "SystemExit: 1" in result.err) == (3, True)


def test_file_that_exits_cannot_be_executed(metric_file: Path, run: Run) -> None:
    metric_file.write_text("raise SystemExit(1)", encoding="utf-8")
    result = run(*SCORE, "metric.py:EditRate")
    assert (result.status, "metric.py cannot be executed: SystemExit: 1" in result.err) == (2, True)


def test_suites_and_records_execute_no_file(metric_file: Path, run: Run) -> None:
    gold = "gold.m2"
    shutil.copy(EXAMPLES / gold, metric_file.parent)
    suite = metric_file.with_name("suite.toml")
    suite.write_text(f'[sets.a]\ngold = "{gold}"\nmetrics = ["metric.py:EditRate"]\n', encoding="utf-8")
    result = run("suite", str(suite), "-c", str(EXAMPLES / "systems/eager.txt"))
    assert result.status == 2
    assert "a suite cannot execute a file" in result.err
    suite.write_text(f'[sets.a]\ngold = "{gold}"\nmetrics = ["errant"]\n', encoding="utf-8")
    (metric_file.parent / "outputs/eager").mkdir(parents=True)
    shutil.copy(EXAMPLES / "systems/eager.txt", metric_file.parent / "outputs/eager/a.txt")
    followed = run("suite", str(suite), "-c", "outputs", "-m", "metric.py:EditRate")
    assert followed.status == 0, followed.err
    assert "EDIT-RATE" in followed.out
    eager = EXAMPLES / "systems/eager.txt"
    scored = run("score", "--gold", str(gold), "-c", str(eager), "-m", "metric.py:EditRate", "--record", "run.json")
    assert scored.status == 0, scored.err
    metric_file.write_text("raise SystemExit(3)", encoding="utf-8")
    repeated = run("reproduce", "run.json", "--allow-outside")
    assert repeated.status == 2
    assert "a record cannot execute a file" in repeated.err


REQUIRED = (
    METRIC.replace("    uses_references: ClassVar[bool] = False\n", "")
    .replace(
        """    most: float = setting(1.0, "scoring", Bounds(0, 1))
""",
        "",
    )
    .replace(
        """    @property
    def policy(self) -> Policy:
        return Best()

""",
        "",
    )
    .replace("np.minimum(totals[..., 0] / np.maximum(totals[..., 1], 1), self.most)", "totals[..., 0] / totals[..., 1]")
)


@pytest.mark.parametrize(
    "line",
    [
        "score", "score --level sentence", "score --level mean --parts", "compare --samples 99", "rank",
        "gate --fail-under edit-rate=0", "show", "explain --sentence 2", "report -o page.html",
        "filter --keep edit-rate>=50 -o kept.tsv",
    ],
)  # fmt: skip
def test_a_metric_with_the_required_members_passes_every_command(metric_file: Path, run: Run, line: str) -> None:
    assert "policy" not in REQUIRED
    metric_file.write_text(REQUIRED, encoding="utf-8")
    command, *options = line.split()
    systems = [EXAMPLES / "systems/eager.txt", EXAMPLES / "systems/careful.txt"]
    texts = ["-s", EXAMPLES / "source.txt", "-r", EXAMPLES / "ref0.txt", "-c", *systems[: 1 + (command != "filter")]]
    result = run(command, *map(str, texts), "-m", "metric.py:EditRate", *options)
    assert result.status == 0, result.err
