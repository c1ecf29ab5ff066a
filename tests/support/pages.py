"""What stands in README.md and docs/: pages, their blocks of code, and the marks that say why a block is not run.

A block is a fence or, as in README.md, lines indented by four. A comment before it is its mark:

    <!-- not run: WHY -->        nothing can run it here
    <!-- needs: NAME, … -->      it is run where NAME is: a package, or ``corpora``, the public test sets
    <!-- as text -->             it looks like a command and is none
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: By name: "README.md", "docs/m2.md".
PAGES = {str(path.relative_to(ROOT)): path for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))}

#: First words of what is typed.
PROGRAMS = frozenset(
    "geceval python pip make git cd . { export eval printf paste head cat lm_eval sacrebleu apt-get D=".split()
)
#: Fences of these are typed, where they have a prompt or begin with a program.
TYPED = frozenset(("", "sh", "bash", "console"))

MARK = re.compile(r"^<!-- (not run|needs|as text)(?:: *(.*?))? *-->$")


@dataclass(frozen=True)
class Block:
    """Code of a page: its language ("" where a fence names none, or for indented lines), its line, and its mark."""

    page: str
    line: int
    language: str
    lines: tuple[str, ...]
    mark: str = ""
    said: str = ""

    @property
    def code(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    @property
    def needs(self) -> tuple[str, ...]:
        """What must be there to run it."""
        return tuple(name.strip() for name in self.said.split(",")) if self.mark == "needs" else ()

    @property
    def kind(self) -> str:
        """python, doctest, typed or text."""
        if self.mark == "as text":
            return "text"
        if self.language == "python":
            return "doctest" if any(line.startswith(">>> ") for line in self.lines) else "python"
        return "typed" if self.language in TYPED and any(map(is_command, self.lines[:1])) else "text"


@dataclass(frozen=True)
class Command:
    """What is typed, and the lines that the page shows of what is said to it (none: the page shows nothing)."""

    line: str
    shown: tuple[str, ...]


def is_command(line: str) -> bool:
    """Whether a line is typed: it has a prompt, or begins with a program."""
    first = line.split(" ", 1)[0]
    return first == "$" or first in PROGRAMS or re.match(r"[A-Z]+=", first) is not None


def blocks(page: str) -> list[Block]:
    """All blocks of a page, in order."""
    return list(parse_blocks(page, PAGES[page].read_text(encoding="utf-8").splitlines()))


def parse_blocks(page: str, lines: list[str]) -> Iterator[Block]:
    """Yield the blocks of a page from its lines."""
    at, mark, in_list = 0, ("", ""), False
    while at < len(lines):
        line = lines[at]
        if match := MARK.match(line):
            mark, at = (match[1], match[2] or ""), at + 1
        elif fence := re.match(r"^( *)(`{3,})(\S*).*$", line):
            end = next(k for k in range(at + 1, len(lines)) if lines[k].strip() == fence[2])
            content = tuple(text.removeprefix(fence[1]) for text in lines[at + 1 : end])
            yield Block(page, at + 1, fence[3], content, *mark)
            at, mark = end + 1, ("", "")
        elif line.startswith("    ") and not in_list and (at == 0 or not lines[at - 1].strip()):
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            content = tuple(text[4:] for text in lines[at:end])
            while not content[-1].strip():
                content = content[:-1]
            yield Block(page, at + 1, "", content, *mark)
            at, mark = end, ("", "")
        else:
            if line.strip():
                mark = ("", "")
                if not line.startswith(" "):
                    in_list = re.match(r"([-*]|\d+\.) ", line) is not None
            at += 1


def commands(block: Block) -> list[Command]:
    """What is typed in a block: lines with a prompt where there are any, else those that begin with a program."""
    prompted = any(line.startswith("$ ") for line in block.lines)
    entered: list[tuple[str, list[str]]] = []
    rest = iter(block.lines)
    for line in rest:
        if line.startswith("$ ") if prompted else is_command(line):
            typed = line.removeprefix("$ ")
            while typed.endswith("\\"):
                typed = f"{typed[:-1].rstrip()} {next(rest).strip()}"
            entered.append((re.sub(r"\s+# .*$", "", typed), []))
        elif entered and (line.strip() or entered[-1][1]):
            entered[-1][1].append(line)
    return [Command(line, tuple(_stripped(printed))) for line, printed in entered]


def _stripped(lines: list[str]) -> list[str]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def agrees(lines: tuple[str, ...], output: str) -> bool:
    """Whether a text is what is shown of it: "…" in a line stands for anything there, a line of it for any lines."""
    pattern = ""
    for line in lines:
        if line.strip() == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += r".*?".join(re.escape(part.rstrip()) for part in line.split("…")) + r" *\n"
    return re.fullmatch(pattern, output.strip("\n").rstrip() + "\n") is not None
