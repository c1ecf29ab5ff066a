"""The English of pages, docstrings, comments and messages follows the style rules of CONTRIBUTING.md.

``ruff`` checks the form of docstrings (rules D). This module checks what it cannot: phrases, the length of first lines,
the sections of public functions, and the width of Markdown.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import geceval
from geceval import extending
from support.pages import PAGES, ROOT

SOURCE = ROOT / "src" / "geceval"
#: Words that read like a translation, wherever they stand.
PHRASES = (
    "what is had", "is had", "is said", "are said", "is told", "are told", "to be told", "is meant", "are meant",
    "there is some", "there is none", "there are some", "there are none", "so many", "so often", "by itself",
    "of its own", "of their own", "at hand", "gone on with", "nobody", "somebody", "stands in", "stand in",
    "stands there", "stand there", "that of", "those of", "those that", "those who", "those which", "does not mind",
    "do not mind", "such(?! as)",
)  # fmt: skip
#: Words that no sentence, comment or docstring opens with.
OPENINGS = r"(?:What|Those|The ones?(?= (?:of|that|who|which|whose|with|in)\b)|That which|Of (?:a|an|the)|As those?)"
#: Between two words: blanks, and the beginning of a comment's next line.
GAP = r"(?:\s|#:?|//[/!]?)+"
BANNED = re.compile(
    r"\b(?:" + "|".join(phrase.replace(" (?!", "(?!" + GAP).replace(" ", GAP) for phrase in PHRASES) + r")\b",
    re.IGNORECASE,
)
OPENED = re.compile(rf'(?:(?<=# )|(?<=#: )|(?<=// )|(?<=//[/!] )|(?<=""")|(?<=[.;:] )){OPENINGS}\b(?![^.?!]*\?)')
OPENED_PROSE = re.compile(rf"(?:^(?:[-*] |\d+\. )?|(?<=[.;:] ))\(?{OPENINGS}\b(?![^.?!]*\?)", re.MULTILINE)
PROSE = {name: ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")} | PAGES
WIDEST = 100
FIRST_LINE = 80


@cache
def sources() -> dict[str, str]:
    """Return the text of every file of the package and the kernel, by path."""
    paths = [*SOURCE.rglob("*.py"), *SOURCE.rglob("*.pyi"), *(ROOT / "kernel").rglob("*.rs")]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in sorted(paths)}


@cache
def prose() -> dict[str, str]:
    """Return the pages with empty lines for code, tables, headings, HTML and lines of links only."""
    pages = {}
    for name, path in PROSE.items():
        text = path.read_text(encoding="utf-8")
        if name == "CHANGELOG.md":
            text = text.partition("\n## 0.2.0")[0]  # older releases keep their words
        text = re.sub(r"^( *)(```+).*?^ *\2$|<!--.*?-->", blank, text, flags=re.MULTILINE | re.DOTALL)
        pages[name] = re.sub(r"^(?: *\||    |#|<| *(?:[-*] )?(?:\[[^]\n]*\]\(\S*\)\W*)+$).*", "", text, flags=re.M)
    return pages


def blank(found: re.Match[str]) -> str:
    """Return as many line breaks as a match has."""
    return "\n" * found[0].count("\n")


def places(pattern: re.Pattern[str], texts: dict[str, str]) -> list[str]:
    """Return ``file:line: text`` for every match."""
    return [
        f"{name}:{text.count(chr(10), 0, found.start()) + 1}: {' '.join(found[0].split())}"
        for name, text in texts.items()
        for found in pattern.finditer(text)
    ]


def described(node: ast.AST) -> Iterator[tuple[ast.AST, int, str]]:
    """Yield each node with a docstring, the line number of its first line, and that line."""
    body: list[ast.stmt] = getattr(node, "body", [])
    if body and isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        first = body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            yield node, first.lineno, first.value.value.strip().split("\n")[0]
    for child in body:
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.If):
            yield from described(child)


def is_true_or_false(node: ast.AST) -> bool:
    """Return whether a node is a property of type bool."""
    return (
        isinstance(node, ast.FunctionDef)
        and bool(node.decorator_list)
        and isinstance(node.returns, ast.Name)
        and node.returns.id == "bool"
    )


@cache
def trees() -> dict[str, ast.Module]:
    return {name: ast.parse(text) for name, text in sources().items() if not name.endswith(".rs")}


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (BANNED, "# The file is read by\n    # itself.\n"),
        (BANNED, "So  many lines"),
        (BANNED, "such lines"),
        (OPENED, "x = 1  # What is read."),
        (OPENED, "/// Those of a line."),
        (OPENED_PROSE, "- What is read stands here."),
    ],
)
def test_banned_phrase_is_found_with_file_and_line(pattern: re.Pattern[str], text: str) -> None:
    assert [place.split(": ")[0] for place in places(pattern, {"a.py": "\n" + text})] == ["a.py:2"]


@pytest.mark.parametrize(
    ("pattern", "text"), [(BANNED, "such as lines"), (OPENED_PROSE, "What is read?"), (OPENED, "# Whatever is read")]
)
def test_other_words_are_allowed(pattern: re.Pattern[str], text: str) -> None:
    assert places(pattern, {"a.py": text}) == []


def test_source_has_no_banned_phrase() -> None:
    assert places(BANNED, sources()) + places(OPENED, sources()) == []


def test_pages_have_no_banned_phrase() -> None:
    assert places(BANNED, prose()) + places(OPENED_PROSE, prose()) == []


def test_first_line_of_docstring_is_short_and_opens_with_verb_or_noun() -> None:
    wrong = []
    for name, tree in trees().items():
        for node, line, first in described(tree):
            if len(first) >= FIRST_LINE:
                wrong.append(f"{name}:{line}: {len(first)} characters: {first}")
            if re.match(OPENINGS + r"\b", first) or (first.startswith("Whether") and not is_true_or_false(node)):
                wrong.append(f"{name}:{line}: {first}")
    assert wrong == []


def test_lines_of_pages_are_at_most_100_characters() -> None:
    wide = [
        f"{name}:{number}: {len(line)} characters"
        for name, text in prose().items()
        for number, line in enumerate(text.split("\n"), 1)
        if len(line) > WIDEST
    ]
    assert wide == []


def public_functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the public functions of geceval, its modules and the integrations."""
    modules: list[Any] = [geceval, geceval.m2, geceval.detection, extending]
    values = [getattr(module, name) for module in modules for name in module.__all__]
    public = {(value.__module__, value.__name__) for value in values if inspect.isfunction(value)}
    for path, tree in trees().items():
        module = path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        whole = module.startswith(("geceval.testing", "geceval.integrations"))
        for node in tree.body:
            if (
                isinstance(node, ast.FunctionDef)
                and not node.name.startswith("_")
                and "overload" not in map(ast.unparse, node.decorator_list)
                and (whole or (module, node.name) in public)
            ):
                yield path, node


def test_public_functions_name_arguments_and_results() -> None:
    wrong = []
    for path, node in public_functions():
        text = ast.get_docstring(node) or ""
        arguments = node.args
        has_arguments = bool(arguments.args or arguments.posonlyargs or arguments.kwonlyargs)
        returns = "None" if node.returns is None else ast.unparse(node.returns)
        if has_arguments and "\nArgs:\n" not in text:
            wrong.append(f"{path}:{node.lineno}: {node.name} has no Args")
        if returns not in ("None", "NoReturn") and not re.search(r"\n(Returns|Yields):\n", text):
            wrong.append(f"{path}:{node.lineno}: {node.name} has no Returns")
    assert wrong == []


def test_public_methods_have_a_docstring() -> None:
    values = [getattr(module, name) for module in (geceval, extending) for name in module.__all__]
    classes = [value for value in values if inspect.isclass(value)]
    wrong = {
        f"{cls.__module__}.{cls.__qualname__}.{name}"
        for cls in classes
        for name, value in vars(cls).items()
        if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, property | classmethod))
        if not inspect.getdoc(getattr(cls, name) if isinstance(value, classmethod) else value)
        and not any(inspect.getdoc(vars(base).get(name)) for base in cls.__mro__ if name in vars(base))
    }
    assert wrong == set()
