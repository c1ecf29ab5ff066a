"""The harness of the benchmarks: what a budget says, and what fails a run. Nothing is measured here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from geceval import m2
from geceval.counting.metric_classes import METRICS
from support.scripts import import_script

ROOT = Path(__file__).resolve().parents[1]
BENCHMARKS = ROOT / "benchmarks"


@pytest.fixture(scope="module")
def harness() -> Any:
    return import_script("benchmarks/harness.py")


@pytest.mark.parametrize(
    ("arguments", "share", "ratio", "budget"),
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
    harness: Any, arguments: dict[str, Any], share: float, ratio: str, budget: str
) -> None:
    benchmark_row = harness.Row("work", 1.0, **arguments)
    assert benchmark_row.share == pytest.approx(share)
    assert (benchmark_row.ratio, benchmark_row.budget) == (ratio, budget)


def test_a_budget_can_be_absolute(harness: Any) -> None:
    speed, memory = harness.Limit(7.0, 8, "us a sentence"), harness.Limit(510.0, 500, "MB")
    row = harness.Row("work", 1.0, limits=(speed, memory))
    assert row.share == pytest.approx(1.02)
    assert row.budget == "at most 8 us a sentence, at most 500 MB: missed"
    assert harness.Row("work", 1.0, limits=(speed,)).budget == "at most 8 us a sentence"


def test_only_what_is_far_off_fails_the_run(harness: Any) -> None:
    rows = [harness.Row(f"{faster}", 1.0, 10.0, faster) for faster in (10, 12, 13)]
    assert harness.clearly_missed(rows) == ["13"]
    assert [cells[4] for cells in harness.table_rows(rows)] == [row.budget for row in rows]


@pytest.mark.parametrize(("arguments", "status"), [(["fake"], 1), (["fake", "--smoke"], 0)])
def test_the_exit_status_says_that_a_budget_is_missed(tmp_path: Path, arguments: list[str], status: int) -> None:
    for name in ("harness.py", "run.py"):
        (tmp_path / name).write_text((BENCHMARKS / name).read_text(encoding="utf-8"), encoding="utf-8")
    fake = 'from harness import Row\n\ndef rows(options):\n    yield Row("slow", 1.0, 1.0, 2.0)\n'
    (tmp_path / "bench_fake.py").write_text(fake, encoding="utf-8")
    run = [sys.executable, str(tmp_path / "run.py"), *arguments]
    completed = subprocess.run(run, capture_output=True, text=True, check=False)
    assert completed.returncode == status
    assert "at least 2.00x: MISSED by more than a quarter" in completed.stdout
    assert completed.stderr == ("missed by more than a quarter:\n  slow\n" if status else "")


@pytest.fixture
def growth() -> Any:
    return import_script("benchmarks/bench_growth.py")


@pytest.mark.parametrize("power", [0.0, 1.0, 1.5, 2.0])
def test_exponent_of_a_power_is_the_power(growth: Any, power: float) -> None:
    assert growth.exponent([0.3 * step**power for step in growth.STEPS]) == pytest.approx(power)


def test_growth_is_measured_of_every_metric_without_download_and_of_the_studies(growth: Any) -> None:
    metrics = {name for name in METRICS.builtin if not METRICS[name].about.extra and METRICS[name].judging is None}
    assert set(growth.WORKS) == metrics | {"compare", "rank", "meta", "report", "suite", "select"}


def test_table_of_growth_has_the_measured_cells_and_no_exponent_above_the_limit(growth: Any) -> None:
    page = growth.PAGE.read_text(encoding="utf-8")
    table = page.split("<!-- begin: growth -->")[1].split("<!-- end: growth -->")[0].strip()
    assert growth.replace_table(page, f"{table}\n") == page
    head, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines())
    assert head == ["work", *growth.DIMENSIONS]
    assert [row[0] for row in rows] == list(growth.WORKS)
    for name, *cells in rows:
        exponents = dict(zip(growth.DIMENSIONS, cells, strict=True))
        work = growth.WORKS[name]
        assert {dimension for dimension, cell in exponents.items() if cell} == set(work.dimensions)
        assert float(exponents["sentences"]) <= growth.LARGEST_EXPONENT


def test_drawn_corpus_has_the_sizes_of_its_shape(growth: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "DRAWN", 2)
    shape = growth.Shape(3, systems=2, references=2, tokens=9, edits=3)
    growth.write_inputs(tmp_path / "drawn", growth.WORKS["maxmatch"], shape)
    texts = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "drawn").iterdir()}
    assert len([name for name in texts if name.startswith("system")]) == 2
    assert [len(line.split()) for line in texts["source.txt"].splitlines()] == [9] * 3
    assert len(set(texts["source.txt"].splitlines())) == 3
    assert [len(block.edits) for block in m2.read(str(tmp_path / "drawn" / "gold.m2"))] == [2 * 3] * 3
