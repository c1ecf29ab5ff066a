"""``geceval m2 weights`` and the pool of ``goto``, as their users type them."""

from __future__ import annotations

from pathlib import Path

import pytest

from geceval.app.main import main
from support.examples import EXAMPLES

DATA = ["-s", str(EXAMPLES / "source.txt"), "-r", *(str(EXAMPLES / f"ref{r}.txt") for r in (0, 1))]
SYSTEMS = sorted(str(path) for path in (EXAMPLES / "systems").glob("*.txt"))


def table(capsys: pytest.CaptureFixture[str], *command: str) -> dict[str, str]:
    assert main(["score", *DATA, *command, "-f", "csv", "-d", "6"]) == 0
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()[1:]]
    return dict(rows)


def test_a_later_system_is_scored_by_the_same_pool(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pool = str(tmp_path / "pool.txt")
    assert main(["m2", "weights", *DATA, "-c", *SYSTEMS, "--ref-id", "1", "-o", pool]) == 0
    together = table(capsys, "-c", *SYSTEMS, "-m", "goto:ref_id=1")
    alone = table(capsys, "-c", SYSTEMS[0], "-m", f"goto:ref_id=1,weights={pool}")
    assert alone == {Path(SYSTEMS[0]).stem: together[Path(SYSTEMS[0]).stem]}
    assert main(["score", *DATA, "-c", SYSTEMS[0], "-m", f"goto:weights={pool}"]) == 2
    assert "these weights belong to another text or other gold edits" in capsys.readouterr().err


def test_one_system_is_no_pool(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *DATA, "-c", SYSTEMS[0], "-m", "goto"]) == 0
    assert "goto scores depend on all systems of a run, and this run has one" in capsys.readouterr().err
    assert main(["score", *DATA, "-c", SYSTEMS[0], "-m", "goto:weights=none"]) == 0
    assert capsys.readouterr().err == ""


def test_a_reference_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["m2", "weights", *DATA, "-c", *SYSTEMS, "--ref-id", "2"]) == 2
    assert "reference 2 does not exist; available: 0, 1" in capsys.readouterr().err
