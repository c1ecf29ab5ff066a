"""The commands of README.md, with what they show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
#: What … stands for in the commands of the tour.
DATA = "-s source.txt -r ref0.txt ref1.txt -c systems/*.txt"


def installing(extra: str) -> str:
    """The command of hints."""
    return f"pip install 'geceval[{extra}]'"


def section(title: str) -> str:
    """The text under a head of the second level."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", README.read_text(encoding="utf-8"), re.M | re.S)
    assert found is not None, title
    return found[1]


def tour() -> list[object]:
    """(command, the lines that are shown of its output, in order), for parametrize."""
    blocks: list[list[str]] = [[]]
    for line in re.sub(r"^```.*?^```$", "", section("A short tour"), flags=re.M | re.S).splitlines():
        if line.startswith("    "):
            blocks[-1].append(line[4:].rstrip())
        elif line.strip():
            blocks.append([])
    commands: list[tuple[str, list[str]]] = []
    for line in (line for block in blocks for line in block):
        if line.startswith("geceval "):
            data = DATA.split(" -c ")[0] if " -c " in line else DATA
            commands.append((line.replace("…", data), []))
        elif line and line != "…" and commands and not line.startswith(("cd ", ". ")):
            commands[-1][1].append(line)
    return [pytest.param(command, shown, id=command[:60]) for command, shown in commands]
