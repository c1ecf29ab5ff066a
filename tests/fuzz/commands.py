"""All commands with one damaged file among their inputs."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

from fuzz.damage import damaged
from support.command_lines import RUNS
from support.commands import run_main
from support.examples import EXAMPLES

#: Exit status 1: a bar that is not kept, files that differ, faults in a file.
FOUND = ("gate", "m2 diff", "m2 check")


def attempt(line: list[str], folder: Path, r: Random) -> str:
    """Run a command with one file of examples/ damaged; returns its exit status."""
    files = [at for at, word in enumerate(line) if (EXAMPLES / word).is_file() and line[at - 1] != "-o"]
    copied = folder / "examples"
    if not copied.exists():
        shutil.copytree(EXAMPLES, copied)
    if files:
        at = r.choice(files)
        path = folder / f"input{Path(line[at]).suffix}"
        path.write_bytes(damaged(r, [(EXAMPLES / line[at]).read_bytes()]))
        line = [*line[:at], str(path), *line[at + 1 :]]
    with contextlib.chdir(copied):
        result = run_main(*line)
    allowed = (0, 1, 2) if " ".join(line).startswith(FOUND) else (0, 2)
    assert result.status in allowed, (line, result.status, result.err[-500:])
    assert "Traceback" not in result.err, result.err[-2000:]
    assert result.status != 2 or "error: " in result.err, (line, result.err)
    assert "\x1b[2J" not in result.err
    return f"status {result.status}"


def targets(folder: Path) -> dict[str, Callable[[Random], str]]:
    """All lines of commands that read a file of examples/, by the words of the command."""
    attempts: dict[str, Callable[[Random], str]] = {}
    for name, runs in RUNS.items():
        for run in runs:
            line = [name, *run]
            if any((EXAMPLES / word).is_file() for word in run) and name != "install-scripts":
                attempts[f"command:{' '.join(line)}"] = lambda r, line=line: attempt(line, folder, r)  # type: ignore[misc]
    return attempts
