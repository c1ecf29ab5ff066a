"""docs/suites.md: its commands print what it says, its Python runs."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from geceval.cli.main import main

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "suites.md").read_text(encoding="utf-8")
SHARED = Path(os.environ.get("GECEVAL_SHARED", ROOT.parent / "shared"))


def blocks() -> Iterator[str]:
    """The fenced blocks with commands."""
    yield from re.findall(r"^```\n(\$ .*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def printed(line: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a command of the page prints."""
    words = shlex.split(line)
    if words[0] == "cat":
        return Path(words[1]).read_text(encoding="utf-8")
    assert words[0] == "geceval"
    assert main(words[1:]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("block", list(blocks()))
def test_commands_print_what_the_page_says(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path / "examples")
    if "corpora" in block:
        if not (SHARED / "data").is_dir():
            pytest.skip("no corpora here; GECEVAL_SHARED names their folder")
        Path("corpora").symlink_to(SHARED / "data")
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        found = printed(line, capsys).strip("\n")
        beginning, dots, end = shown.strip("\n").partition("…\n")
        if dots:
            assert found.startswith(beginning.strip())
            assert found.endswith(end)
        else:
            assert found == beginning


def test_the_python_of_the_page_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT / "examples")
    [code] = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    exec(compile(code, "docs/suites.md", "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "learners eager 0.8429 [0.7450, 0.9280]"
    assert lines[-1] == "edits noisy —"
