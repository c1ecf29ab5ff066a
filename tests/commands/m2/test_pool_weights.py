"""``geceval m2 weights`` and the pool of ``goto``."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from support.commands import Run

pytestmark = pytest.mark.usefixtures("examples")
DATA = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c")
SYSTEMS = ("systems/careful.txt", "systems/eager.txt", "systems/noisy.txt")


def test_later_system_is_scored_by_the_same_pool(run: Run, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    pool = tmp_path / "pool.txt"
    assert run("m2", "weights", *DATA, *SYSTEMS, "--ref-id", "1", "-o", pool).status == 0
    options = ("-f", "csv", "-d", "6")
    pooled = run("score", *DATA, *SYSTEMS, "-m", "goto:ref_id=1", *options).out.splitlines()
    later = run("score", *DATA, SYSTEMS[0], "-m", f"goto:ref_id=1,weights={pool}", *options).out.splitlines()
    assert later == pooled[:2]
    assert run("score", *DATA, SYSTEMS[0], "-m", f"goto:weights={pool}") == snapshot


def test_single_system_is_a_warning_unless_weights_are_off(run: Run, snapshot: SnapshotAssertion) -> None:
    result = run("score", *DATA, SYSTEMS[0], "-m", "goto")
    assert (result.status, result.err) == (0, snapshot)
    assert run("score", *DATA, SYSTEMS[0], "-m", "goto:weights=none").err == ""


def test_missing_reference_is_refused(run: Run, snapshot: SnapshotAssertion) -> None:
    assert run("m2", "weights", *DATA, *SYSTEMS, "--ref-id", "2") == snapshot
