"""The sdist and the wheel built by tools/build_dist.sh, and new environments."""

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
    """A function that makes an environment with this or another interpreter."""

    def make(name: str, python: Sequence[str] = ()) -> Environment:
        folder = tmp_path_factory.mktemp(name)
        if python:
            subprocess.run([*python, "-m", "venv", str(folder)], check=True)
        else:
            venv.create(folder, with_pip=True, symlinks=os.name != "nt")
        return Environment(folder)

    return make


def _only(pattern: str) -> Path:
    files = sorted(DIST.glob(pattern))
    assert len(files) == 1, f"{DIST}: one {pattern} is wanted, not {len(files)}; make test-wheel builds it"
    return files[0]


@pytest.fixture(scope="session")
def wheel() -> Path:
    return _only("geceval-*.whl")


@pytest.fixture(scope="session")
def sdist() -> Path:
    return _only("geceval-*.tar.gz")


@pytest.fixture(scope="session")
def installed(environment: Callable[[str], Environment], wheel: Path) -> Environment:
    """An environment with the wheel and its dependencies, none of them compiled."""
    new = environment("installed")
    new.pip("install", "--quiet", "--only-binary", ":all:", str(wheel))
    listed = json.loads(new.run(new.python, "-m", "pip", "list", "--format", "json").stdout)
    return replace(new, packages=frozenset(package["name"].lower() for package in listed))
