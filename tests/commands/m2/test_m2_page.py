"""The commands, outputs, formats and Python of docs/m2.md."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from openpyxl import Workbook

from geceval import m2
from geceval.commands.command_list import ACTIONS
from support.commands import Run

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "m2.md").read_text("utf-8")
EXAMPLES = ROOT / "examples"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The gold of the examples as ``gold.m2``; anna's and ben's are those of its annotators."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.m2").write_bytes((EXAMPLES / "gold.m2").read_bytes())
    for name, annotator in (("anna", 0), ("ben", 1), ("sys", 0)):
        with Path(f"{name}.m2").open("w", encoding="utf-8") as out:
            m2.write(m2.filter(m2.read("gold.m2"), annotators=[annotator]), out)
    book = Workbook()
    book.active.append(["Nr.", "Learner", "Anna", "Ben"])
    texts = [(EXAMPLES / name).read_text("utf-8").splitlines() for name in ("source.txt", "ref0.txt", "ref1.txt")]
    for number, row in enumerate(zip(*texts, strict=True), 1):
        book.active.append([number, *row])
    book.save("sheet.xlsx")
    return tmp_path


def test_the_commands_of_the_page_run(run: Run, files: Path) -> None:
    commands = re.findall(r"^geceval (m2 [^#\n]*)", PAGE.replace("\\\n", ""), re.M)
    assert {command.split()[1] for command in commands} == set(ACTIONS["m2"])
    for command in commands:
        words, _, target = command.partition(">")
        result = run(*shlex.split(words))
        message = "note: agreement.xlsx: 34 of 40 sentences differ\n" * ("agreement.xlsx" in words)
        notes = re.sub("note: --tokenise auto: english .*\n", "", result.err)
        assert (result.status, notes) == (int(" diff " in words), message), command
        if target:
            Path(target.strip()).write_text(result.out, encoding="utf-8")
    assert Path("again.m2").read_bytes() == Path("gold.m2").read_bytes()
    assert Path("both.m2").read_bytes() == Path("gold.m2").read_bytes()
    assert Path("source.txt").read_bytes() == (EXAMPLES / "source.txt").read_bytes()
    assert Path("ref1.txt").read_bytes() == (EXAMPLES / "ref1.txt").read_bytes()


def test_the_formats_of_the_page_are_read(tmp_path: Path) -> None:
    [line] = re.findall(r'^(\{"tokens".*\n.*\n.*)\n```', PAGE, re.M)
    path = tmp_path / "x.jsonl"
    path.write_text(line.replace("\n", ""), encoding="utf-8")
    [block] = m2.read_json_lines(path)
    assert [(edit.start, edit.correction, edit.annotator) for edit in block.edits] == [(1, "goes", 0), (-1, "", 1)]


def test_the_python_of_the_page_runs(files: Path) -> None:
    [code] = re.findall(r"^```python\n(.*?)```", PAGE, re.M | re.S)
    exec(compile(code, "docs/m2.md", "exec"), {})
    assert Path("merged.m2").read_bytes() == Path("gold.m2").read_bytes()
