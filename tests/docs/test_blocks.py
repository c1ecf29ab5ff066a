"""Every block of code of README.md and docs/ runs, in a copy of examples/, and says what the page shows.

Python: the blocks of a page in one namespace, where ``source``, ``hypothesis``, ``references`` and ``gold`` are those
of the examples; comment lines below a ``print`` are what it prints. What is typed: exit status 0, and what is shown.
What a block needs, if anything, is a group of its own and runs where that is.
"""

from __future__ import annotations

import codeop
import contextlib
import dataclasses
import doctest
import importlib.util
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest

from support.commands import run_main
from support.page_files import made_folder, names, networks
from support.pages import PAGES, Block, Command, agrees, blocks, commands, is_command

#: Done before any block runs.
DONE = frozenset(["cd examples", ". .venv/bin/activate"])
#: What "…" stands for in a command: the files of the tour.
FILES = "-s source.txt -r ref0.txt ref1.txt -c systems/*.txt"
#: What is typed and not run, by how it begins, and why.
LEFT_OUT = {
    "pip install": "tests install nothing",
    "git clone": "tests ask no network",
    "make ": "a target with tests of its own",
}
#: What says something by another exit status.
STATUS = {"geceval m2 diff": 1, "geceval gate -s source.txt -r ref0.txt -c checker=systems/noisy.txt": 1}


#: Whether the packages of geceval[neural] are there.
HAS_NEURAL = all(map(importlib.util.find_spec, ("torch", "transformers")))
#: Those that must be there.
WANTED = frozenset(os.environ.get("GECEVAL_FRAMEWORKS", "").split())
#: No framework looks for models on a network.
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}

GROUPS = sorted(
    {
        (page, block.needs)
        for page in PAGES
        for block in blocks(page)
        if block.kind != "text" and block.mark != "not run"
    }
)


def is_there(need: str) -> bool:
    if need == "corpora":
        return True  # the fixture ``shared`` says
    if need == "neural":
        return HAS_NEURAL
    return need in WANTED or importlib.util.find_spec(need) is not None


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_folder(tmp_path_factory.mktemp("pages") / "examples")


@pytest.fixture
def folder(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy for each page, the working directory."""
    copy = shutil.copytree(prepared, tmp_path / "examples")
    monkeypatch.chdir(copy)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    for name, value in {**OFFLINE, "HF_HOME": str(tmp_path / "hf")}.items():
        monkeypatch.setenv(name, value)
    return copy


@pytest.mark.parametrize(
    ("page", "needs"),
    GROUPS,
    ids=[" ".join((page, *(("needs", *needs) if set(needs) - {"corpora"} else needs))) for page, needs in GROUPS],
)
def test_the_code_runs(
    page: str, needs: tuple[str, ...], folder: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if missing := [need for need in needs if not is_there(need)]:
        pytest.skip(f"no {', '.join(missing)} here")
    if "corpora" in needs:
        data = request.getfixturevalue("shared") / "data"
        for name in (*data.iterdir(), *(data / "meta").iterdir()):
            (folder / name.name).symlink_to(name)
        (folder / "corpora").symlink_to(data)
    if "neural" in needs:
        networks(folder)
    module = ModuleType("page")
    vars(module).update(names())
    monkeypatch.setitem(sys.modules, "page", module)  # where dataclasses look up their fields' types
    here = Running(vars(module))
    for block in together([block for block in blocks(page) if block.needs == needs and block.mark != "not run"]):
        RUN[block.kind](block, here)


@dataclass(frozen=True)
class Running:
    """A page at work: its names, and a compiler that remembers what it imported from __future__."""

    space: dict[str, Any]
    compiled: Callable[..., CodeType] = field(default_factory=codeop.Compile)


def is_apart(block: Block) -> bool:
    """Whether Python runs in a process of its own: frameworks warn, keep threads and read the environment when they are
    imported."""
    return block.kind == "python" and bool(set(block.needs) - {"neural"})


def together(own: list[Block]) -> list[Block]:
    """Blocks of Python in a process of their own are one: the later ones use names of the first."""
    apart = [block for block in own if is_apart(block)]
    if not apart:
        return own
    whole = dataclasses.replace(apart[0], lines=tuple(line for block in apart for line in (*block.lines, "", "")))
    return [whole, *(block for block in own if not is_apart(block))]


def run_python(block: Block, here: Running) -> None:
    at = f"{block.page}:{block.line}"
    if is_apart(block):
        done = subprocess.run([sys.executable, "-c", block.code], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{at}\n{done.stderr[-3000:]}"
        said = done.stdout
    else:
        with contextlib.redirect_stdout(io.StringIO()) as heard:
            exec(here.compiled("\n" * block.line + block.code, block.page, "exec"), here.space)
        said = heard.getvalue()
    for shown in re.findall(r"^ *print\(.*\)(?:  #.*)?\n((?: *# .*\n)+)", block.code, re.MULTILINE):
        lines = tuple(re.sub(r"^ *# ", "", line) for line in shown.splitlines())
        assert agrees(("…", *lines, "…"), said), f"{at} shows\n{shown}\nand is\n{said}"


def run_doctest(block: Block, here: Running) -> None:
    test = doctest.DocTestParser().get_doctest(block.code, here.space, block.page, block.page, block.line)
    assert test.examples
    failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, clear_globs=False)
    assert failed == 0, f"{block.page}:{block.line}"


def run_typed(block: Block, here: Running) -> None:
    asked = [one for one in commands(block) if one.line not in DONE and not one.line.startswith(tuple(LEFT_OUT))]
    if any(re.match(r"[A-Z]+=", one.line) for one in asked):  # a script
        asked = [Command("\n".join(one.line for one in asked), ())]
    elif block.language == "sh" and not all(map(is_command, block.code.replace("\\\n", "").splitlines())):
        asked = [Command(block.code, ())]
    for command in asked:
        status, out, err = typed(command)
        at = f"{block.page}:{block.line}: {command.line}"
        expected = next((own for start, own in STATUS.items() if command.line.startswith(start)), 0)
        assert status == expected, f"{at}\n{err[-3000:]}"
        if command.shown:
            shown = "\n".join(command.shown)
            assert agrees(command.shown, err + out) or agrees(command.shown, out), (
                f"{at} shows\n{shown}\nand is\n{err}{out}"
            )


RUN = {"python": run_python, "doctest": run_doctest, "typed": run_typed, "text": lambda block, here: None}


def typed(command: Command) -> tuple[int, str, str]:
    """Exit status and what is said on stdout and stderr, of geceval in this process, of what needs a shell in one."""
    line = command.line.replace(" … ", f" {FILES} ")
    if line.startswith("geceval ") and not re.search(r"[|<>$;&{\n]", re.sub(r"\"[^\"]*\"|'[^']*'", "", line)):
        found = run_main(arguments(line))
        return found.status, found.out, found.err
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", line], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def arguments(line: str) -> list[str]:
    """As a shell splits them."""
    words: list[str] = []
    for word in shlex.split(line)[1:]:
        words += (sorted(map(str, Path().glob(word))) if "*" in word else []) or [word]
    return words
