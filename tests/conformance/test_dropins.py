"""The drop-in commands print, byte for byte, what the public tools print."""

from __future__ import annotations

from pathlib import Path

import pytest

from geceval.app.main import main
from geceval.dropins import DROPINS
from support.golden import capture, load


def test_captures(shared: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """``golden/cli``: commands on the corpora, of which the first 30 lines or all were recorded."""
    seen = 0
    for path in sorted((shared / "golden" / "cli").glob("*.txt")):
        recorded = capture(shared, path)
        if recorded.command[0] not in DROPINS or path.name in REWORDED:
            continue
        monkeypatch.chdir(recorded.folder)
        assert main(recorded.command) == 0
        printed = capsysbinary.readouterr().out.decode()
        if not recorded.whole:
            printed = "".join(printed.splitlines(keepends=True)[: len(recorded.output.splitlines())])
        assert printed == recorded.output, path.name
        seen += 1
    assert seen > 0


#: Captures whose form is deliberately not the original's; each has tests of its own.
REWORDED = {"m2scorer_example_v.txt"}

#: Commands of ``command_line`` that the public tool crashes on, with our exit status (docs/other-tools.md).
CRASHES = {"-b inf": 0, "-n 0": 2, "-t grapheme": 2, "-i 0": 2}


def test_command_line(
    shared: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """``edge_cases.json``: options on a corpus of two lines."""
    cases = load(shared / "golden" / "edge_cases.json")["command_line"]
    for name, text in cases["files"].items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for run in cases["runs"]:
        words = run["command"].split()
        if words[0] not in DROPINS:
            continue
        crash = next((status for option, status in CRASHES.items() if run["command"].endswith(option)), None)
        try:
            status = main(words)
        except SystemExit as stop:
            status = stop.code
        printed = capsysbinary.readouterr().out.decode()
        if crash is None:
            assert "exception" not in run, run["command"]
            assert (status, printed) == (0, run["stdout"]), run["command"]
        else:
            assert status == crash, run["command"]


def test_rounding(shared: Path) -> None:
    from geceval.tables.number_text import round_half_up

    for case in load(shared / "golden" / "edge_cases.json")["rounding"]:
        expected = case["gleu"]
        if isinstance(expected, str):
            assert round_half_up(float(case["value"]), case["digits"]) == expected, case
