"""docs/sources.md is true: its commands and its code run, and say what it says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from geceval.text.reading import FORMATS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
RUN = {"sh": ["bash", "-euo", "pipefail", "-c"], "python": [sys.executable, "-W", "error", "-c"]}


def test_the_page_runs(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    printed = []
    for language, code in re.findall(r"^```(sh|python)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        done = subprocess.run(
            [*RUN[language], code],
            capture_output=True,
            text=True,
            cwd=tmp_path / "examples",
            env=environment,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        printed.append(done.stdout)
    plain, named, piped, python = printed
    assert "|refs:2|" in plain
    assert "EAGER" in named
    assert "careful" in named
    assert re.search(r"^fixed +B ", piped, re.MULTILINE)
    assert python.startswith("GREEN|")
    assert "|refs:1-2|" in python


def test_every_format_is_listed() -> None:
    assert [name for name in FORMATS.builtin if name not in ("text", "m2") and f"`-i pairs.{name}`" not in PAGE] == []
