"""tools/validity_agreement.py on pairs of our own: PEVData is not part of the project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.loaded import loaded
from support.written_files import write

PAIRS = [
    ("He go home .", "[1, 2]: go -> [1, 2]: goes", "He goes home .", 1),
    ("He go home .", "[3, 3]:  -> [3, 4]: now", "He go home now .", 0),
    ("I has cats .", "[1, 2]: has -> [1, 2]: have", "I have cats .", 1),
    ("I has cats .", "[2, 3]: cats -> [2, 2]: ", "I has .", 0),
]


@pytest.fixture(scope="module")
def tool() -> Any:
    return loaded(Path(__file__).parents[1] / "tools" / "validity_agreement.py")


def test_agreement_of_stand_ins_is_printed(tool: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(
        tmp_path / "pairs.json",
        json.dumps([dict(zip(("S1-src", "Edit", "S2-hyp", "Human Judgment"), p, strict=True)) for p in PAIRS]),
    )
    assert tool.main([str(path)]) == 0
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()[4:6]]
    assert rows == [
        ["always valid", "50.0", "50.0", "100.0", "66.7", "0.0", "50.0", "0"],
        ["alike characters", "100.0", "100.0", "100.0", "100.0", "100.0", "100.0", "0"],
    ]
    path.write_text('[{"S1-src": "a"}]')
    assert tool.main([str(path)]) == 2
    assert "not PEVData" in capsys.readouterr().err


def test_figures_of_confidences(tool: Any) -> None:
    accuracy, precision, recall, f1, kappa, area = tool.figures([90, 40, None, 60], [True, True, False, False], 50)
    assert (accuracy, precision, recall, f1, kappa) == (0.5, 0.5, 0.5, 0.5, 0)
    assert area == 3 / 4
