"""The harness of the benchmarks: what a budget says, and what fails a run. Nothing is measured here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.loaded import loaded

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


@pytest.fixture(scope="module")
def harness() -> Any:
    return loaded(BENCHMARKS / "harness.py")


@pytest.mark.parametrize(
    ("row", "share", "ratio", "budget"),
    [
        ({}, 0, "", ""),
        ({"peer": 10.0}, 0, "10x", ""),
        ({"peer": 10.0, "faster": 8}, 0.8, "10x", "at least 8x"),
        ({"peer": 10.0, "faster": 12}, 1.2, "10x", "at least 12x: missed"),
        ({"peer": 10.0, "faster": 13}, 1.3, "10x", "at least 13x: MISSED by more than a quarter"),
        ({"peer": None, "faster": 13}, 0, "", "at least 13x"),
        ({"peer": 0.5, "within": 2.5}, 0.8, "2.00x as long", "at most 2.50x as long"),
        ({"peer": 0.1, "within": 9}, 10 / 9, "10x as long", "at most 9x as long: missed"),
        ({"peer": 0.1, "within": 7}, 10 / 7, "10x as long", "at most 7x as long: MISSED by more than a quarter"),
    ],
)
def test_a_budget_is_a_ratio_to_the_peer(
    harness: Any, row: dict[str, Any], share: float, ratio: str, budget: str
) -> None:
    made = harness.Row("work", 1.0, **row)
    assert made.share == pytest.approx(share)
    assert (made.ratio, made.budget) == (ratio, budget)


def test_a_budget_can_be_absolute(harness: Any) -> None:
    speed, memory = harness.Limit(7.0, 8, "us a sentence"), harness.Limit(510.0, 500, "MB")
    row = harness.Row("work", 1.0, limits=(speed, memory))
    assert row.share == pytest.approx(1.02)
    assert row.budget == "at most 8 us a sentence, at most 500 MB: missed"
    assert harness.Row("work", 1.0, limits=(speed,)).budget == "at most 8 us a sentence"


def test_only_what_is_far_off_fails_the_run(harness: Any) -> None:
    rows = [harness.Row(f"{faster}", 1.0, 10.0, faster) for faster in (10, 12, 13)]
    assert harness.far_missed(rows) == ["13"]
    assert [cells[4] for cells in harness.lines_of(rows)] == [row.budget for row in rows]


@pytest.mark.parametrize(("arguments", "status"), [(["fake"], 1), (["fake", "--smoke"], 0)])
def test_the_exit_status_says_that_a_budget_is_missed(tmp_path: Path, arguments: list[str], status: int) -> None:
    for name in ("harness.py", "run.py"):
        (tmp_path / name).write_text((BENCHMARKS / name).read_text(encoding="utf-8"), encoding="utf-8")
    fake = 'from harness import Row\n\ndef rows(options):\n    yield Row("slow", 1.0, 1.0, 2.0)\n'
    (tmp_path / "bench_fake.py").write_text(fake, encoding="utf-8")
    run = [sys.executable, str(tmp_path / "run.py"), *arguments]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert "at least 2.00x: MISSED by more than a quarter" in done.stdout
    assert done.stderr == ("missed by more than a quarter:\n  slow\n" if status else "")
