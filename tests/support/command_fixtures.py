"""Fixtures of all tests: commands that run in the test process, and snapshots without paths."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval.counting import stream
from geceval.counting.metric import Metric
from support.commands import Run, run_main
from support.examples import EXAMPLES
from support.judges import KEY, Loopback, loopback
from support.parsed_options import adapt_parser
from support.processes import Forks

adapt_parser()


@pytest.fixture
def run() -> Run:
    """The function that runs a command in the test process."""
    return run_main


@pytest.fixture
def snapshot(snapshot: SnapshotAssertion, tmp_path: Path) -> SnapshotAssertion:
    """The recorded messages of the test, with FOLDER for its temporary folder and VERSION for that of geceval."""

    def without_folder(data: object, path: object) -> object:
        if isinstance(data, str):
            data = data.replace(str(tmp_path), "FOLDER").replace(geceval.__version__, "VERSION")
        return data

    return snapshot.with_defaults(matcher=without_folder)


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the example corpus, made the working directory."""
    monkeypatch.chdir(EXAMPLES)
    return EXAMPLES


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    server = Forks("-W", "error::ResourceWarning")
    yield server
    server.close()


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, examples: Path) -> Iterator[Loopback]:
    """A judge on this machine, whose answers are cached in a folder of the test."""
    monkeypatch.setattr("geceval.metrics.judging.judge_client.FIRST_WAIT", 0.01)
    monkeypatch.setenv("GECEVAL_CACHE", str(tmp_path))
    monkeypatch.setenv("GECEVAL_API_KEY", KEY)
    monkeypatch.delenv("GECEVAL_BASE_URL", raising=False)
    with loopback() as state:
        yield state


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of few sentences."""
    monkeypatch.setattr(stream, "USUAL_BLOCK", 7)
    for metric_class in _classes(Metric):
        if "block" in vars(metric_class):
            monkeypatch.setattr(metric_class, "block", 7)


def _classes(base: type) -> Iterator[type]:
    yield base
    for below in base.__subclasses__():
        yield from _classes(below)
