"""A copy of the source tree that a test may change."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from support.pages import ROOT, Block

#: Folders and files that geceval and its tests need.
COPIED = ("src", "tests", "docs", "tools", "examples", "pyproject.toml")
IGNORED = shutil.ignore_patterns("releases", "conformance")


def _copy(source: str, target: str) -> None:
    """Copy what a test reads or changes, with its time; link what is large (the kernel, models, lexica) and what was
    compiled, which is used as long as the time is the same."""
    if source.endswith((".py", ".pyi", ".md", ".toml")):
        shutil.copy2(source, target)
    else:
        Path(target).symlink_to(source)


@dataclass(frozen=True)
class Hunk:
    """Lines of a file before and after a change."""

    file: str
    before: str
    after: str


def hunks(block: Block) -> list[Hunk]:
    """Return the hunks of a diff on a page: its first line names the file, ``@@`` separates them."""
    file = block.lines[0].removeprefix("--- ")
    parts: list[list[str]] = [[]]
    for line in block.lines[1:]:
        if line == "@@":
            parts.append([])
        else:
            parts[-1].append(line)
    return [
        Hunk(
            file,
            "".join(f"{line[1:]}\n" for line in part if not line.startswith("+")),
            "".join(f"{line[1:]}\n" for line in part if not line.startswith("-")),
        )
        for part in parts
    ]


@dataclass(frozen=True)
class TreeCopy:
    """A copy of the tree with its own ``.venv``, which is the environment that runs the tests."""

    root: Path

    @classmethod
    def make(cls, root: Path) -> TreeCopy:
        """Return a new copy in the folder ``root``."""
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, root / name, copy_function=_copy, ignore=IGNORED)
            else:
                _copy(str(source), str(root / name))
        (root / ".venv").symlink_to(sys.prefix)
        return cls(root)

    def read(self, file: str) -> str:
        return (self.root / file).read_text(encoding="utf-8")

    def write(self, file: str, text: str) -> None:
        path = self.root / file
        if path.is_symlink():  # else the text goes to the tree itself
            path.unlink()
        path.write_text(text, encoding="utf-8")

    def apply(self, block: Block) -> None:
        """Apply a diff of a page; the lines before a change must be in the file exactly once."""
        for hunk in hunks(block):
            text = f"\n{self.read(hunk.file)}"
            before, after = f"\n{hunk.before}", f"\n{hunk.after}"
            assert text.count(before) == 1, f"{block.page}: {hunk.file} does not have exactly once\n{hunk.before}"
            self.write(hunk.file, text.replace(before, after)[1:])

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the copy, with the package of the copy."""
        environment = {**os.environ, "PYTHONPATH": str(self.root / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(words, cwd=self.root, env=environment, capture_output=True, text=True, check=False)
