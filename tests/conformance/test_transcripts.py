"""The simulated recognition errors of docs/own-sources.md."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support.scripts import import_script

PAGE = Path(__file__).parents[2] / "docs" / "own-sources.md"
transcripts = import_script("research/transcripts.py")


def test_the_page_has_the_simulated_scores(
    shared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shared / "data" / "conll14"
    words = ["-s", str(folder / "source.txt"), "-r", str(folder / "ref0.txt")]
    monkeypatch.setattr(sys, "argv", ["transcripts.py", *words])
    assert transcripts.main() == 0
    assert capsys.readouterr().out in PAGE.read_text(encoding="utf-8")
