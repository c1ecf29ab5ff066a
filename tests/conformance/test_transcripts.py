"""The simulated recognition errors of research/simulations.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.scripts import import_script, run_main

PAGE = Path(__file__).parents[2] / "research" / "simulations.md"
transcripts = import_script("research/transcripts.py")


def test_the_page_has_the_simulated_scores(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shared / "data" / "conll14"
    assert run_main(transcripts, "-s", folder / "source.txt", "-r", folder / "ref0.txt") == 0
    assert capsys.readouterr().out in PAGE.read_text(encoding="utf-8")
