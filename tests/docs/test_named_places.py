"""Files and modules that pages, docstrings and comments name exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import geceval
from support.pages import ROOT

#: Folders and files that are read. CHANGELOG.md is not: it names modules of past versions.
FOLDERS = ("src", "tests", "docs", "benchmarks", "tools", "research", "kernel", "examples", ".github")
FILES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile", "mkdocs.yml", "pyproject.toml")
SUFFIXES = {".py", ".pyi", ".rs", ".md", ".toml", ".yml", ".yaml", ".sh"}
#: A file is named from one of these, or from the folder of the file that names it.
STARTS = ("", "src/", "src/geceval/", "tests/", "kernel/", "kernel/core/src/")
#: Files of the examples in docs/new-metric.md, docs/extending.md and docs/metrics/sentences.md, and files that a test
#: names because they are missing.
OF_EXAMPLES = {
    "src/geceval/metrics/exact.py",
    "tests/metrics/test_exact.py",
    "src/geceval/text/reading/pairs.py",
    "src/main.py",
    "nowhere/metric.py",
    "nowhere/exact.py",
}
#: Groups of entry points that are no modules, and those examples.
NO_MODULES = {
    "geceval.metrics.exact",
    "geceval.text.reading.pairs",
    "geceval.formats",
    "geceval.languages",
    "geceval.tokenisers",
}

NAMED_FILE = re.compile(r"(?<![\w/.-])(?:[\w-]+/)+[\w-]+\.(?:py|pyi|rs)\b")
DOTTED = re.compile(r"(?<![\w/.-])geceval(?:\.[A-Za-z_]\w*)+")


@cache
def texts() -> dict[Path, str]:
    paths = [ROOT / name for name in FILES]
    for folder in FOLDERS:
        paths += [path for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES and path.is_file()]
    return {path: path.read_text(encoding="utf-8") for path in paths}


def named(pattern: re.Pattern[str]) -> Iterator[tuple[Path, str]]:
    for path, text in texts().items():
        for name in sorted(set(pattern.findall(text))):
            yield path, name


def test_named_files_exist() -> None:
    missing = [
        f"{path.relative_to(ROOT)}: {file}"
        for path, file in named(NAMED_FILE)
        if file not in OF_EXAMPLES
        and not (path.parent / file).exists()
        and not any((ROOT / start / file).exists() for start in STARTS)
    ]
    assert missing == []


def is_there(dotted: str) -> bool:
    """Return whether a dotted name is a module, a public name, or a word in a module. Imports no module."""
    first, *rest = dotted.split(".")[1:]
    if first in (*dir(geceval), "__all__"):
        return True
    path = ROOT / "src" / "geceval"
    for name in (first, *rest):
        candidates = [path / name, path / f"{name}.py", path / f"{name}.pyi"]
        existing = [candidate for candidate in candidates if candidate.exists()]
        if not existing:
            # The stub of a package names what the package loads.
            files = path.glob("__init__.py*") if path.is_dir() else [path]
            return any(re.search(rf"\b{name}\b", file.read_text(encoding="utf-8")) for file in files)
        path = existing[0]
    return True


def test_named_modules_exist() -> None:
    missing = [
        f"{path.relative_to(ROOT)}: {dotted}"
        for path, dotted in named(DOTTED)
        if dotted not in NO_MODULES and not is_there(dotted)
    ]
    assert missing == []
