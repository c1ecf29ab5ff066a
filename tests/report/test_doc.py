"""The command and the code of docs/report.md run."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/report.md").read_text(encoding="utf-8")


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    files = folder / "examples"
    shutil.copytree(ROOT / "examples", files)
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False, cwd=files)


def test_the_command(tmp_path: Path) -> None:
    [(command, said)] = re.findall(r"^\$ geceval (.*)\n(.*)\n", PAGE, re.MULTILINE)
    done = run(tmp_path, "-m", "geceval", *shlex.split(command))
    assert (done.returncode, done.stderr) == (0, f"{said}\n")
    assert (tmp_path / "examples" / "report.html").exists()


def test_the_code(tmp_path: Path) -> None:
    [code] = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    done = run(tmp_path, "-W", "error", "-c", code)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "40 ('errant', 'green') <!doctype html>\n"
