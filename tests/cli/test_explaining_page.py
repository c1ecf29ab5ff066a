"""docs/explaining.md and the README's tour are true."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from commands import Run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "explaining.md").read_text("utf-8")


@pytest.mark.usefixtures("examples")
def test_the_page_shows_what_the_commands_print(run: Run) -> None:
    blocks = re.findall(r"^```\n\$ geceval (.*)\n((?:.*\n)+?)```", PAGE, re.M)
    assert len(blocks) == 6
    for command, shown in blocks:
        result = run(*shlex.split(command))
        assert (result.out, result.err) == (shown, ""), command


def test_the_python_of_the_page_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    [code] = re.findall(r"^```python\n(.*?)```", PAGE, re.M | re.S)
    exec(compile(code, "docs/explaining.md", "exec"), {})
    fit, edits, _, parts, worth, against = capsys.readouterr().out.splitlines()
    assert fit == "8 of 40"
    assert edits == "6 [('much', 'wrong')]"
    assert parts == "['My brother is', 'much', 'taller than me .']"
    assert worth == "[('goes', 0.778), ('!', -0.222)]"
    assert against.startswith("[('0', 0.555")


@pytest.mark.usefixtures("examples")
def test_the_tour_of_the_readme_is_true(run: Run) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    tours = re.findall(r"^    geceval ((?:show|explain) .*)\n\n((?:    .*\n)+)", readme, re.M)
    assert [command.split()[0] for command, _ in tours] == ["show", "explain"]
    for command, shown in tours:
        printed = run(*shlex.split(command)).out.splitlines()
        lines = [line[4:] for line in shown.splitlines() if line.strip() != "…"]
        assert len(lines) > 3
        assert set(lines) <= set(printed), command
