"""The sdist and the wheel that tools/build_dist.sh made, and environments in which nothing else of ours is."""

from __future__ import annotations

import json
import os
import subprocess
import venv
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from support.environments import ROOT, Environment

DIST = Path(os.environ.get("GECEVAL_DIST", ROOT / "dist"))


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Environment]:
    """Makes one with this interpreter, or another."""

    def make(name: str, python: Sequence[str] = ()) -> Environment:
        folder = tmp_path_factory.mktemp(name)
        if python:
            subprocess.run([*python, "-m", "venv", str(folder)], check=True)
        else:
            venv.create(folder, with_pip=True, symlinks=os.name != "nt")
        return Environment(folder)

    return make


def _only(pattern: str) -> Path:
    found = sorted(DIST.glob(pattern))
    assert len(found) == 1, f"{DIST}: one {pattern} is wanted, not {len(found)}; make test-wheel builds it"
    return found[0]


@pytest.fixture(scope="session")
def wheel() -> Path:
    return _only("geceval-*.whl")


@pytest.fixture(scope="session")
def sdist() -> Path:
    return _only("geceval-*.tar.gz")


@pytest.fixture(scope="session")
def installed(environment: Callable[[str], Environment], wheel: Path) -> Environment:
    """The wheel with what it needs, from an index or the cache of pip, never compiled."""
    made = environment("installed")
    made.pip("install", "--quiet", "--only-binary", ":all:", str(wheel))
    listed = json.loads(made.run(made.python, "-m", "pip", "list", "--format", "json").stdout)
    return replace(made, packages=frozenset(package["name"].lower() for package in listed))
