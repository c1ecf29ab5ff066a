"""The rooms of docs/architecture.md: every import, wherever it stands, goes down or stays in its room."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1] / "src" / "geceval"

#: From the ground up. A module imports from its own room and from those below.
ROOMS = (
    ("_kernel",),
    ("base",),
    ("text", "statistics"),
    ("edits",),
    ("counting",),
    ("metrics",),
    ("studies",),
    ("report",),
    ("integrations", "testing"),
    ("cli",),
)
FLOOR = {room: floor for floor, rooms in enumerate(ROOMS) for room in rooms}


def module_of(path: Path) -> str:
    parts = ["geceval", *path.relative_to(ROOT).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in [*ROOT.rglob("*.py"), *ROOT.rglob("*.pyi")]}


def imports(module: str) -> Iterator[str]:
    """The modules of ours that a module imports, at its top, for its types or inside a function."""
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            for alias in node.names:
                below = f"{node.module}.{alias.name}"
                yield below if below in MODULES else node.module


GRAPH = {module: sorted(set(imports(module)) - {module}) for module in MODULES}


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def test_arrows_point_down() -> None:
    up = [
        f"{module} -> {other}"
        for module, others in GRAPH.items()
        for other in others
        if room(module) in FLOOR and FLOOR.get(room(other), len(ROOMS)) > FLOOR[room(module)]
    ]
    assert not up
    assert {room(module) for module in MODULES} <= {*FLOOR, "", "__main__"}


def test_there_is_no_circle() -> None:
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join([*path[path.index(module) :], module])
        if module not in done:
            for other in GRAPH[module]:
                visit(other, (*path, module))
            done.add(module)

    for module in MODULES:
        if module != "geceval":  # its imports are for type checkers; names are loaded when used
            visit(module, ())


def is_metric(module: str) -> bool:
    """Whether a module holds a metric: it stands in metrics/ itself, not in one of its folders."""
    return module.startswith("geceval.metrics.") and module.count(".") == 2 and MODULES[module].stem != "__init__"


def test_metrics_do_not_import_each_other() -> None:
    for module, others in GRAPH.items():
        if room(module) == "metrics":
            assert not [other for other in others if is_metric(other)], module


def test_the_kernel_has_no_circle() -> None:
    """A folder's mod.rs may name its files, and only that: no two files of the kernel use each other."""
    root = ROOT.parents[1] / "kernel" / "src"
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
