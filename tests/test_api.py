"""Public names are few, documented, and have entries in the API reference."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import detection, extending, integrations, m2, testing
from geceval.base.errors import MissingExtraError
from support.pages import blocks
from support.scripts import import_script

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def api() -> ModuleType:
    return import_script("tools/api.py")


#: Modules among the public names; they have pages of their own.
MODULES = {"detection", "m2"}


@pytest.mark.parametrize(("module", "name"), [(geceval, "api.md"), (extending, "api-extending.md")])
def test_every_public_name_is_described_on_its_page(api: ModuleType, module: Any, name: str) -> None:
    page = api.pages()[name]
    values = {public: getattr(module, public) for public in module.__all__ if public not in MODULES}
    assert [public for public in values if page.count(f"### `{public}`\n") != 1] == []
    described = [value for value in values.values() if inspect.isclass(value) or inspect.isfunction(value)]
    assert [value for value in described if not api.prose(value)] == []
    assert len(described) > 40


def test_public_names_are_few_and_stand_in_one_module() -> None:
    assert len(geceval.__all__) <= 50
    assert sorted(set(geceval.__all__) & set(extending.__all__)) == []


def test_no_public_name_is_the_name_of_another_module() -> None:
    # Importing the module would replace the name.
    modules = {module.name for module in pkgutil.iter_modules([str(ROOT / "src" / "geceval")])}
    assert modules & set(geceval.__all__) == MODULES


def public_functions() -> Iterator[Any]:
    """Yield the functions of the public modules, and of the integrations whose frameworks are installed."""
    modules = [geceval, extending, m2, detection, testing]
    for info in pkgutil.iter_modules(integrations.__path__):
        with suppress(MissingExtraError):
            modules.append(importlib.import_module(f"{integrations.__name__}.{info.name}"))
    for module in modules:
        names = getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")])
        for value in (getattr(module, name) for name in names):
            if inspect.isfunction(value) and (hasattr(module, "__all__") or value.__module__ == module.__name__):
                yield value


def test_public_functions_document_arguments_and_results() -> None:
    undocumented = []
    for function in public_functions():
        docstring, signature = inspect.getdoc(function) or "", inspect.signature(function)
        if signature.parameters and "\nArgs:\n" not in docstring:
            undocumented.append(f"Args of {function.__qualname__}")
        has_result = signature.return_annotation not in ("None", "NoReturn")
        if has_result and not re.search(r"\n(Returns|Yields):\n", docstring):
            undocumented.append(f"Returns of {function.__qualname__}")
    assert undocumented == []


def test_public_methods_have_docstrings() -> None:
    classes = [getattr(module, name) for module in (geceval, extending) for name in module.__all__]
    undocumented = {
        f"{cls.__qualname__}.{name}"
        for cls in filter(inspect.isclass, classes)
        for name, value in vars(cls).items()
        if not name.startswith("_") and isinstance(value, FunctionType | property | classmethod)
        if not any(inspect.getdoc(vars(base).get(name)) for base in cls.__mro__ if name in vars(base))
    }
    assert undocumented == set()


def test_signatures(api: ModuleType, snapshot: SnapshotAssertion) -> None:
    def work(a: list[int], *, b: str = "x", c: object = api.page) -> None: ...

    assert api.signature(work) == "(a: list[int], *, b: str = 'x', c: object = page) -> None"
    assert api.signature(geceval.Green) == snapshot


def test_sections_are_lists(api: ModuleType, snapshot: SnapshotAssertion) -> None:
    def work(a: int, b: int) -> int:
        """Return the sum.

        Args:
            a: a number
                of ``int``.
            b: another one.

        Returns:
            The sum.

        Raises:
            ValueError: never.
        """
        return a + b

    assert api.prose(work) == snapshot


# --- the code of pages for extensions uses public names only ---


PAGES = ("docs/extending.md", "docs/new-metric.md")
CODE = "\n\n".join(block.code for page in PAGES for block in blocks(page) if block.kind == "python")


def test_the_code_of_the_page_uses_public_names_only() -> None:
    tree = ast.parse(CODE)
    attributes = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "geceval"
    }
    assert attributes <= set(geceval.__all__)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imports = [node for node in imports if (node.module or "").startswith("geceval")]
    assert {node.module for node in imports} == {"geceval.extending"}
    names = {alias.name for node in imports for alias in node.names}
    assert {"Metric", "FMetric", "OnEdits", "Annotated"} <= names <= set(extending.__all__)
