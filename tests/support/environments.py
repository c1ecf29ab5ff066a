"""Environments in which a wheel is tried."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Environment:
    """A fresh one, whose PATH has its own programs and no compiler."""

    folder: Path
    #: What came with the installation.
    packages: frozenset[str] = frozenset()

    @property
    def bin(self) -> Path:
        return self.folder / ("Scripts" if os.name == "nt" else "bin")

    @property
    def python(self) -> str:
        return str(self.bin / "python")

    def run(self, *command: str, cwd: Path = ROOT / "examples", rust: bool = False) -> subprocess.CompletedProcess[str]:
        path = os.environ["PATH"] if rust else str(self.bin)
        assert rust or shutil.which("cargo", path=path) is None
        variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "GITHUB_"))}
        env = variables | {"PATH": path, "PYTHONWARNINGS": "error::UserWarning", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=1200, check=False)

    def pip(self, *arguments: str, rust: bool = False) -> None:
        completed = self.run(self.python, "-m", "pip", *arguments, rust=rust)
        assert completed.returncode == 0, completed.stdout + completed.stderr
