"""Running commands in the test process: arguments in; status, stdout and stderr out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from geceval.cli.main import main
from geceval.counting.contract import Contract
from support.commands import Result, Run
from support.examples import EXAMPLES


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    def call(*arguments: object) -> Result:
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as stop:
            status = int(stop.code or 0)
        captured = capsysbinary.readouterr()
        return Result(status, captured.out.decode(), captured.err.decode())

    return call


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the example corpus, made the working directory."""
    monkeypatch.chdir(EXAMPLES)
    return EXAMPLES


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of few sentences."""
    for own in _classes(Contract):
        if "block" in vars(own):
            monkeypatch.setattr(own, "block", 7)


def _classes(own: type) -> Iterator[type]:
    yield own
    for below in own.__subclasses__():
        yield from _classes(below)
