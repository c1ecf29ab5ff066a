"""Hints of errors in Python: they name arguments, and what they say works as it is written."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import geceval
from geceval import GecevalError

PACKAGE = Path(geceval.__file__).parent
FILES = {
    "source.txt": "He go .\nI is .\n",
    "ref.txt": "He goes .\nI am .\n",
    "output.txt": "He goes .\nI is .\n",
    "gold.m2": "S He go .\nA 1 2|||V|||goes|||REQUIRED|||-NONE-|||0\n\n"
    "S I is .\nA 1 2|||V|||am|||REQUIRED|||-NONE-|||0\n\n",
    "misfit.m2": "S He go .\nA 1 9|||V|||goes|||REQUIRED|||-NONE-|||0\n\nS I is .\n\n",
    "overlap.m2": "S He go .\nA 1 2|||V|||goes|||REQUIRED|||-NONE-|||0\nA 1 3|||V|||went .|||REQUIRED|||-NONE-|||0\n\n"
    "S I is .\n\n",
    "table.xyz": "source,reference,hypothesis\nHe go .,He goes .,He goes .\n",
    "break.jsonl": '{"source":"He go .","reference":"He goes .","hypothesis":"He goes .\\n"}\n',
    "first.csv": "id,source,reference,hyp\n1,He go .,He goes .,He goes .\n2,I is .,I am .,I am .\n",
    "second.csv": "id,source,reference,hyp\n2,I is .,I am .,I am .\n1,He go .,He goes .,He goes .\n",
    "systems.csv": "id,source,reference,hypothesis,model\n1,He go .,He goes .,He goes .,a\n"
    "1,He go .,He goes .,He go .,b\n",
    "json.txt": '[\n  {"source":"He go .","reference":"He goes .","hypothesis":"He goes ."}\n]\n',
    "answer.jsonl": '{"source":"He go .","reference":"He goes .","hypothesis":"Corrected: He goes .\\n\\nI did."}\n',
}
CORPUS = 'geceval.read_corpus("source.txt", ["ref.txt"], ["output.txt"])'
SYSTEMS = 'geceval.Corpus(["He go ."] * 60, [["He goes ."] * 60], {"a": ["He goes ."] * 60, "b": ["He go ."] * 60})'


class Row(NamedTuple):
    """A call that raises an error, a part of its hint, and the call that has this part for STEP."""

    call: str
    step: str
    followed: str


ROWS = [
    Row(
        'geceval.read_corpus("source.txt", ["cp1252.txt"], ["output.txt"])',
        'encoding="cp1252"',
        'geceval.read_corpus("source.txt", ["cp1252.txt"], ["output.txt"], STEP)',
    ),
    Row(
        'geceval.read_corpus("source.txt", ["gold.m2"], ["output.txt"])',
        'gold="gold.m2"',
        'geceval.read_corpus("source.txt", systems=["output.txt"], STEP)',
    ),
    Row(
        'geceval.read_corpus("source.txt", ["ref.txt"], gold="misfit.m2")',
        'misfits="drop"',
        'geceval.read_corpus("source.txt", ["ref.txt"], gold="misfit.m2", STEP)',
    ),
    Row(
        'geceval.Corpus(["He go .", "I is ."], gold=list(geceval.m2.read("misfit.m2")))',
        'misfits="drop"',
        'geceval.Corpus(["He go .", "I is ."], gold=list(geceval.m2.read("misfit.m2")), STEP)',
    ),
    Row(
        'geceval.read_corpus("source.txt", gold="overlap.m2")',
        'overlaps="first"',
        'geceval.read_corpus("source.txt", gold="overlap.m2", STEP)',
    ),
    Row('geceval.read_table("table.xyz")', "format: tsv, csv", 'geceval.read_table("table.xyz", format="csv")'),
    Row(
        'geceval.read_table("break.jsonl")',
        "prepare=geceval.Preparation(whitespace=True)",
        'geceval.read_table("break.jsonl", STEP)',
    ),
    Row(
        'geceval.read_table("answer.jsonl")',
        'prepare=geceval.Preparation(clean="llm")',
        'geceval.read_table("answer.jsonl", STEP)',
    ),
    Row(
        'geceval.read_table(["first.csv", "second.csv"])',
        'id="id"',
        'geceval.read_table(["first.csv", "second.csv"], STEP)',
    ),
    Row('geceval.read_table("systems.csv")', 'system="model"', 'geceval.read_table("systems.csv", STEP)'),
    Row(
        'geceval.read_corpus("source.txt", ["ref.txt"], ["json.txt"])',
        'geceval.read_table("json.txt", format="jsonl")',
        "STEP",
    ),
    Row(f'geceval.evaluate({CORPUS}, "f1")', '"errant:beta=1"', f"geceval.evaluate({CORPUS}, STEP)"),
    Row(f'geceval.evaluate({CORPUS}, "m2scorer")', '"maxmatch"', "geceval.make_metric(STEP)"),
    Row(
        'geceval.make_metric("llm").corpus_score(["a"], ["a"])',
        '"llm:model=NAME,server=URL"',
        "geceval.make_metric(STEP)",
    ),
    Row(f'geceval.evaluate({CORPUS}, "llm:model=x")', 'server="http://localhost:8000/v1"', 'geceval.Llm("x", STEP)'),
    Row(
        f'geceval.compare({SYSTEMS}, "green", samples=20, alpha=0.001)',
        "samples=1000",
        f'geceval.compare({SYSTEMS}, "green", alpha=0.001, STEP)',
    ),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with the files."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "cp1252.txt").write_text("He goes é .\nI am .\n", encoding="cp1252")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(call: str) -> Any:
    return eval(call, {"geceval": geceval})


@pytest.mark.filterwarnings("ignore::geceval.GecevalWarning")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.call)
def test_hint_of_an_error_works_as_it_is_written(row: Row, folder: Path) -> None:
    with pytest.raises(GecevalError) as error:
        run(row.call)
    assert row.step in str(error.value.hint)
    assert f"hint: {error.value.hint}" in str(error.value)
    run(row.followed.replace("STEP", row.step))


#: A command of a shell, whose options stay as they are.
SHELL = re.compile(r"\b(?:geceval|iconv|python|head|m2 filter|m2 convert|pip|awk|sed|lm_eval|use --metadata)\b[^;,)]*")
OPTION = re.compile(r"(?<![\w-])--?[a-z]")


def python_texts(node: ast.AST) -> Iterator[str]:
    """Yield the texts of a hint in Python: not those of the command line in a step."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "Step":
        yield from python_texts(node.args[1])
    else:
        for child in ast.iter_child_nodes(node):
            yield from python_texts(child)


def hints_of(path: Path) -> Iterator[ast.AST]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.keyword(arg="hint", value=value):
                yield value
            case ast.Assign(targets=[ast.Name(id="hint")], value=value):
                yield value
            case ast.Call(func=ast.Name(id="Hint")):
                yield node
            case ast.Call(func=ast.Name(id="warn"), args=[_, hint, *_]):
                yield hint


def test_library_names_no_option_in_a_hint() -> None:
    rooms = [path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] not in ("commands", "app")]
    texts = {text for path in rooms for hint in hints_of(path) for text in python_texts(hint)}
    assert [text for text in sorted(texts) if OPTION.search(SHELL.sub("", text))] == []
