"""Every block of code of README.md and docs/ runs in a copy of examples/ and prints the output shown on the page.

The Python blocks of a page share a namespace, in which ``source``, ``hypothesis``, ``references`` and ``gold`` are
those of the examples; comment lines below a ``print`` are its output. Commands exit with status 0. Blocks that need a
package are a separate test, which runs where the package is installed.
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

#: Commands of the pages that are not run: the tests do the same before any block.
SETUP = frozenset(["cd examples", ". .venv/bin/activate"])
#: The files of the tour, written "…" in commands.
FILES = "-s source.txt -r ref0.txt ref1.txt -c systems/*.txt"
#: First words of commands that are not run: tests use no network, and the targets of make have tests.
LEFT_OUT = ("pip install", "git clone", "make ")
#: Exit statuses other than 0, by the beginnings of commands.
STATUS = {
    "geceval m2 diff": 1,
    "geceval gate -s source.txt -r ref0.txt ref1.txt -i prompts/detailed.jsonl": 1,
}


HAS_NEURAL = all(map(importlib.util.find_spec, ("torch", "transformers")))
#: Frameworks without which the tests fail.
REQUIRED = frozenset(os.environ.get("GECEVAL_FRAMEWORKS", "").split())
#: Frameworks do not look for models on a network.
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}

GROUPS = sorted(
    {
        (page, block.needs)
        for page in PAGES
        for block in blocks(page)
        if block.kind != "text" and block.mark != "not run"
    }
)


def is_available(need: str) -> bool:
    if need == "corpora":
        return True  # the fixture ``shared`` skips the test
    if need == "neural":
        return HAS_NEURAL
    if need == "pyspark" and not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        return False
    return need in REQUIRED or importlib.util.find_spec(need) is not None


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_folder(tmp_path_factory.mktemp("pages") / "examples")


@pytest.fixture
def folder(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy for each page, made the working directory."""
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
def test_the_code_runs_and_prints_what_the_page_shows(
    page: str, needs: tuple[str, ...], folder: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if missing := [need for need in needs if not is_available(need)]:
        pytest.skip(f"no {', '.join(missing)} here")
    if "corpora" in needs:
        data = request.getfixturevalue("shared") / "data"
        for path in (*data.iterdir(), *(data / "meta").iterdir()):
            (folder / path.name).symlink_to(path)
        (folder / "corpora").symlink_to(data)
    if "neural" in needs:
        networks(folder)
    module = ModuleType("page")
    vars(module).update(names())
    monkeypatch.setitem(sys.modules, "page", module)  # where dataclasses look up their fields' types
    session = Session(vars(module))
    group = [block for block in blocks(page) if block.needs == needs and block.mark not in ("not run", "as text")]
    for block in joined(group):
        assert RUN.get(block.kind, lambda *_: [])(block, session) == [], f"{block.page}:{block.line}"


@dataclass(frozen=True)
class Session:
    """The names that the blocks of a page share, and a compiler that remembers imports from __future__."""

    namespace: dict[str, Any]
    compiled: Callable[..., CodeType] = field(default_factory=codeop.Compile)


def needs_process(block: Block) -> bool:
    """Return whether a block runs in a new process: frameworks warn and start threads when they are imported."""
    return block.kind == "python" and bool(set(block.needs) - {"neural"})


def joined(group: list[Block]) -> list[Block]:
    """Join the blocks that run in a new process, since later ones use names of the first."""
    separate = [block for block in group if needs_process(block)]
    if not separate:
        return group
    lines = tuple(line for block in separate for line in (*block.lines, "", ""))
    return [dataclasses.replace(separate[0], lines=lines), *(block for block in group if not needs_process(block))]


def run_python(block: Block, session: Session) -> list[str]:
    """Run a block; return the outputs on the page that differ from what it printed."""
    if needs_process(block):
        completed = subprocess.run([sys.executable, "-c", block.code], capture_output=True, text=True, check=False)
        if completed.returncode != 0:
            return [completed.stderr[-3000:]]
        printed = completed.stdout
    else:
        with contextlib.redirect_stdout(io.StringIO()) as stdout:
            exec(session.compiled("\n" * block.line + block.code, block.page, "exec"), session.namespace)
        printed = stdout.getvalue()
    outputs = re.findall(r"^ *print\(.*\)(?:  #.*)?\n((?: *# .*\n)+)", block.code, re.MULTILINE)
    return [
        f"shows\n{output}\nand prints\n{printed}"
        for output in outputs
        if not agrees(("…", *(re.sub(r"^ *# ", "", line) for line in output.splitlines()), "…"), printed)
    ]


def run_doctest(block: Block, session: Session) -> list[str]:
    """Run the examples of a block; return the reports of those that fail."""
    test = doctest.DocTestParser().get_doctest(block.code, session.namespace, block.page, block.page, block.line)
    assert test.examples
    reports: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=reports.append, clear_globs=False)
    return reports


def run_typed(block: Block, session: Session) -> list[str]:
    """Run the commands of a block; return those with another exit status or output than the page shows."""
    typed = [
        command for command in commands(block) if command.line not in SETUP and not command.line.startswith(LEFT_OUT)
    ]
    if any(re.match(r"[A-Z]+=", command.line) for command in typed):  # a script
        typed = [Command("\n".join(command.line for command in typed), ())]
    elif block.language == "sh" and not all(map(is_command, block.code.replace("\\\n", "").splitlines())):
        typed = [Command(block.code, ())]
    failures = []
    for command in typed:
        status, out, err = run_command(command)
        if status != next((other for start, other in STATUS.items() if command.line.startswith(start)), 0):
            failures.append(f"{command.line} exits with status {status}\n{err[-3000:]}")
        elif command.shown and not (agrees(command.shown, err + out) or agrees(command.shown, out)):
            failures.append(f"{command.line} shows\n{chr(10).join(command.shown)}\nand prints\n{err}{out}")
    return failures


RUN = {"python": run_python, "doctest": run_doctest, "typed": run_typed}


def run_command(command: Command) -> tuple[int, str, str]:
    """Return exit status, stdout and stderr of a command; geceval without shell syntax runs in this process."""
    line = command.line.replace(" … ", f" {FILES} ")
    if line.startswith("geceval ") and not re.search(r"[|<>$;&{\n]", re.sub(r"\"[^\"]*\"|'[^']*'", "", line)):
        result = run_main(*arguments(line))
        return result.status, result.out, result.err
    completed = subprocess.run(["bash", "-euo", "pipefail", "-c", line], capture_output=True, text=True, check=False)
    return completed.returncode, completed.stdout, completed.stderr


def arguments(line: str) -> list[str]:
    """Return the arguments of a command as a shell splits them."""
    words: list[str] = []
    for word in shlex.split(line)[1:]:
        words += (sorted(map(str, Path().glob(word))) if "*" in word else []) or [word]
    return words
