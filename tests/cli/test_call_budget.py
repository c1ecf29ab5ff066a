"""A simple ``geceval score`` goes through few functions in few files: what a newcomer has to read to follow it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

import pytest

from geceval.cli.main import main

SOURCE = str(Path(main.__code__.co_filename).parents[1])
#: What Python makes functions of that are none in the source (comprehensions no longer, from 3.12 on).
INLINE = ("<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>")
MOST_FUNCTIONS, MOST_FILES = 265, 39


@contextmanager
def called() -> Iterator[set[CodeType]]:
    """Yield the functions of geceval that are called within."""
    seen: set[CodeType] = set()

    def see(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(SOURCE) and code.co_name not in INLINE:
            seen.add(code)

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        yield seen
    finally:
        sys.setprofile(before)


@pytest.mark.usefixtures("examples")
def test_a_simple_score_calls_few_functions_in_few_files(capsys: pytest.CaptureFixture[str]) -> None:
    line = "score -s source.txt -r ref0.txt ref1.txt -c systems/careful.txt -m green".split()
    assert main(line) == 0  # everything is imported
    with called() as functions:
        assert main(line) == 0
    assert capsys.readouterr().out.count("careful") == 2
    files = {code.co_filename for code in functions}
    names = sorted(f"{Path(code.co_filename).stem}.{code.co_name}" for code in functions)
    assert len(functions) <= MOST_FUNCTIONS, names
    assert len(files) <= MOST_FILES, sorted(files)
    assert len(functions) > 100  # the profile has seen them
