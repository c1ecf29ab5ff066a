"""The commands of README.md, with what they show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.pages import blocks, commands

README = Path(__file__).parents[2] / "README.md"
#: What … stands for in the commands of the tour.
DATA = "-s source.txt -r ref0.txt ref1.txt -c systems/*.txt"


def installing(extra: str) -> str:
    """The command of hints."""
    return f"pip install 'geceval[{extra}]'"


def section(title: str) -> str:
    """The text under a head of the second level."""
    match = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", README.read_text(encoding="utf-8"), re.M | re.S)
    assert match is not None, title
    return match[1]


def tour() -> list[object]:
    """(command, the lines that are shown of its output, in order), for parametrize."""
    text = README.read_text(encoding="utf-8")
    first = text[: text.index("\n## A short tour\n")].count("\n")
    end = first + 2 + section("A short tour").count("\n")
    typed = [block for block in blocks("README.md") if first < block.line < end and block.kind == "typed"]
    steps = []
    for command in (command for block in typed for command in commands(block)):
        if command.line.startswith("geceval "):
            data = DATA.split(" -c ")[0] if " -c " in command.line else DATA
            expected = [line.rstrip() for line in command.shown if line.strip() not in ("", "…")]
            steps.append(pytest.param(command.line.replace("…", data), expected, id=command.line[:60]))
    return steps
