"""The rooms of docs/architecture.md: which module may import which."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1] / "src" / "geceval"
KERNEL = ROOT.parents[1] / "kernel" / "core" / "src"

#: Room -> the rooms that it may import, and whatever these may import.
BELOW: dict[str, tuple[str, ...]] = {
    "_kernel": (),
    "base": ("_kernel",),
    "text": ("base",),
    "statistics": ("base",),
    "edits": ("text",),
    "counting": ("edits", "statistics"),
    "metrics": ("counting",),
    "tables": ("counting",),
    "terminal": ("tables",),
    "results": ("terminal", "metrics"),
    "resampling": ("results",),
    # One question each, side by side.
    "scoring": ("resampling",),
    "comparison": ("resampling",),
    "inspection": ("resampling",),
    "agreement": ("resampling",),
    "selection": ("resampling",),
    "suites": ("scoring", "comparison", "agreement"),
    "reporting": ("scoring", "comparison", "inspection"),
    "dropins": ("suites", "reporting", "selection"),
    "errant": ("dropins",),
    "integrations": ("suites", "reporting", "selection"),
    "doors": ("integrations", "errant"),
    "commands": ("doors",),
    "app": ("commands",),
}
#: Modules that `geceval score` imports in a function, although they load no further package: what needs them. Corpus
#: scores of texts need none of them, and start a quarter faster.
LATE = {
    "geceval.commands.shared.row_output": "scores of sentences",
    "geceval.counting.breakdown": "scores of groups",
    "geceval.counting.checks.ceilings": "gold edits",
    "geceval.counting.checks.suggested_texts": "systems as edits",
    "geceval.edits.own_sources": "transcripts",
    "geceval.edits.languages.lexicon": "detection of the language",
    "geceval.resampling.tested_scores": "intervals",
    "geceval.results.sentence_rows": "scores of sentences",
    "geceval.scoring.expenses": "costs of systems",
    "geceval.scoring.group_report": "scores of groups",
    "geceval.scoring.request_report": "judges",
    "geceval.scoring.score_charts": "pictures",
    "geceval.tables.pictures": "pictures",
    "geceval.text.essays": "files of essays",
    "geceval.text.m2.m2_files": "gold edits",
    "geceval.text.m2.suggestion_rows": "tables",
    "geceval.text.reading.edit_files": "gold edits, suggestions",
    "geceval.text.reading.jsonlines": "JSON",
    "geceval.text.reading.strict_toml": "rules in files",
}
#: Public modules at the root, and the room whose rules they follow.
DOORS = {**dict.fromkeys(("detection", "extending", "m2", "testing"), "doors"), "__main__": "app"}
#: The one file that names metric modules, which are imported when a metric is used.
METRIC_TABLE = ROOT / "counting" / "metric_names.tsv"


def module_of(path: Path) -> str:
    parts = ["geceval", *path.relative_to(ROOT).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in [*ROOT.rglob("*.py"), ROOT / "_kernel.pyi"]}


def room(module: str) -> str:
    first = module.split(".")[1] if "." in module else ""
    return DOORS.get(first, first)


@functools.cache
def allowed(name: str) -> frozenset[str]:
    """The room itself and everything below it."""
    return frozenset((name,)).union(*(allowed(lower) for lower in BELOW[name]))


@functools.cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def targets(node: ast.AST) -> Iterator[str]:
    """The full names that an import statement names: modules of geceval, or top-level names of other packages."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name if alias.name in MODULES else alias.name.split(".")[0]
    elif isinstance(node, ast.ImportFrom) and node.module:
        for alias in node.names:
            submodule = f"{node.module}.{alias.name}"
            if submodule in MODULES:
                yield submodule
            else:
                yield node.module if node.module in MODULES else node.module.split(".")[0]


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def statements(module: str) -> Iterator[tuple[ast.AST, str]]:
    """Import statements with where they stand: "top", "types" (TYPE_CHECKING) or "hidden" (in a function)."""

    def visit(node: ast.AST, where: str) -> Iterator[tuple[ast.AST, str]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import | ast.ImportFrom):
                yield child, where
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                yield from visit(child, "hidden")
            else:
                yield from visit(child, "types" if is_for_types(child) else where)

    return visit(tree_of(module), "top")


@functools.cache
def imports(module: str, *places: str) -> frozenset[str]:
    """The names that a module imports in these places (all of them without any)."""
    names = (name for node, where in statements(module) if not places or where in places for name in targets(node))
    return frozenset(names) - {module}


@functools.cache
def graph() -> dict[str, set[str]]:
    """Module -> the modules that it imports; worked out where a test asks, for all tests are collected everywhere."""
    return {module: {name for name in imports(module) if name in MODULES} for module in MODULES}


@functools.cache
def loaded(module: str) -> frozenset[str]:
    """The modules of geceval, and the top-level names of other packages, that importing a module loads."""
    names: set[str] = set()
    queue = [module]
    while queue:
        current = queue.pop()
        if current == "geceval._kernel" or current not in MODULES:  # compiled; its stub names numpy for types
            continue
        parents = [".".join(current.split(".")[:depth]) for depth in range(2, current.count(".") + 1)]
        new = (imports(current, "top") | {parent for parent in parents if parent in MODULES}) - names
        names |= new
        queue += new
    return frozenset(names)


def loads(module: str) -> frozenset[str]:
    """The packages outside the standard library that importing a module loads."""
    return loaded(module) - MODULES.keys() - sys.stdlib_module_names - {"geceval"}


def test_arrows_point_down() -> None:
    up = [
        f"{module} -> {target}"
        for module, imported in graph().items()
        for target in imported
        if room(module) and room(target) not in allowed(room(module))
    ]
    assert not up
    assert {room(module) for module in MODULES} == {*BELOW, ""}


def test_only_commands_import_cyclopts() -> None:
    modules = {module for module in MODULES if "cyclopts" in imports(module)}
    assert {room(module) for module in modules} == {"commands"}


def test_there_is_no_circle() -> None:
    """A type that a module names for checkers alone, such as a run that of its metrics, is not needed to use it."""
    visited: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join([*path[path.index(module) :], module])
        if module not in visited:
            for target in imports(module, "top", "hidden") & MODULES.keys():
                visit(target, (*path, module))
            visited.add(module)

    for module in MODULES:
        if module != "geceval":  # its imports are for type checkers; names are loaded when used
            visit(module, ())


def test_an_import_in_a_function_has_a_slow_or_optional_package_as_reason() -> None:
    hidden = {
        name
        for module in MODULES
        for name in imports(module, "hidden")
        if name in MODULES and room(module) != "" and not loads(name) - loads(module) - {"numpy"}
    }
    assert hidden == LATE.keys()
    assert not loaded("geceval.commands.score") & LATE.keys()


def is_metric(module: str) -> bool:
    """Whether a module holds a metric: it stands in metrics/ itself, not in one of its folders."""
    return module.startswith("geceval.metrics.") and module.count(".") == 2 and MODULES[module].stem != "__init__"


def test_nothing_imports_a_metric_module() -> None:
    direct = [
        f"{module} -> {name}"
        for module, imported in graph().items()
        if module != "geceval"
        for name in imported
        if is_metric(name)
    ]
    assert not direct
    named = {f"{sign}{name}" for name in MODULES if is_metric(name) for sign in '"\t'}
    paths = [*MODULES.values(), *ROOT.rglob("*.tsv")]
    texts = {path: path.read_text(encoding="utf-8") for path in paths if path != MODULES["geceval"]}
    assert {path for path, text in texts.items() if any(name in text for name in named)} == {METRIC_TABLE}


def test_the_kernel_has_no_circle() -> None:
    """A folder's mod.rs may name its files, and only that: no two files of the kernel use each other."""
    root = KERNEL
    files = {path: path.relative_to(root).with_suffix("").parts for path in root.rglob("*.rs")}
    names = {"::".join(parts[:-1] if parts[-1] == "mod" else parts): path for path, parts in files.items()}
    uses: dict[str, set[str]] = {}
    for name, path in names.items():
        text = path.read_text(encoding="utf-8")
        text = text.split("#[cfg(test)]")[0]
        found = {other for other in names if other not in ("", name, "lib") and f"crate::{other}::" in text}
        folder = name.rsplit("::", 1)[0] if "::" in name else ""
        found |= {f"{folder}::{line.split('super::')[1].split('::')[0]}" for line in text.splitlines()
                  if folder and "use super::" in line}  # fmt: skip
        # What a longer name says belongs to that file, not to its folder.
        uses[name] = {o for o in found & set(names) if not any(p != o and p.startswith(f"{o}::") for p in found)}
    circles = [(a, b) for a, others in uses.items() for b in others if a < b and a in uses.get(b, ())]
    assert not circles
