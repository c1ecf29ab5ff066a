"""The first change of CONTRIBUTING.md, in a copy of the tree.

Its diffs apply, and its commands print what the page shows.
"""

from __future__ import annotations

import re
from pathlib import Path

from support.pages import ROOT, Block, Command, agrees, commands, parse_blocks
from support.tree_copy import TreeCopy, hunks

PAGE = "CONTRIBUTING.md"
TITLE = "## A first change in an hour\n"


def section() -> list[Block]:
    """Return the blocks of the section, in order."""
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    match = re.search(rf"^{TITLE}.*?(?=^## )", text, re.MULTILINE | re.DOTALL)
    assert match is not None, f"{PAGE} has no section {TITLE.strip()!r}"
    return list(parse_blocks(PAGE, match[0].splitlines()))


def check(command: Command, tree: TreeCopy) -> None:
    completed = tree.run("bash", "-c", command.line)
    printed = completed.stdout + completed.stderr
    fails = bool(command.shown) and command.shown[0].startswith("error: ")
    assert completed.returncode == (2 if fails else 0), f"{PAGE}: {command.line}\n{printed}"
    shown = "\n".join(command.shown)
    assert agrees(command.shown, printed), f"{PAGE}: {command.line} shows\n{shown}\nand prints\n{printed}"


def test_first_change_applies_and_prints_what_the_page_shows(tmp_path: Path) -> None:
    tree = TreeCopy.make(tmp_path)
    for block in section():
        if block.language == "diff":
            tree.apply(block)
        elif block.language == "console":
            for command in commands(block):
                check(command, tree)


def test_first_change_touches_source_test_and_page() -> None:
    changed = [hunk.file for block in section() if block.language == "diff" for hunk in hunks(block)]
    assert {file.split("/")[0] for file in changed} == {"src", "tests", "docs"}
    assert [block.language for block in section()].count("markdown") == 1, "the line of CHANGELOG.md"
