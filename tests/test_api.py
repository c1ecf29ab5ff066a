"""The API reference has an entry for every public name."""

from __future__ import annotations

import inspect
import pkgutil
from pathlib import Path
from types import ModuleType

import pytest

import geceval
from support.loaded import loaded

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def api() -> ModuleType:
    return loaded(ROOT / "tools" / "api.py")


#: Modules among the public names; they have pages of their own.
MODULES = {"detection", "m2"}


def test_every_public_name_has_words(api: ModuleType) -> None:
    page = api.page()
    names = set(geceval.__all__) - MODULES
    for name in names:
        assert page.count(f"### `{name}`\n") == 1
    described = {name: getattr(geceval, name) for name in names}
    described = {name: it for name, it in described.items() if inspect.isclass(it) or inspect.isfunction(it)}
    assert [name for name, thing in described.items() if not api.prose(thing)] == []
    assert len(described) > 50


def test_no_public_name_is_that_of_a_module_beside_it() -> None:
    # Importing the module would replace the name.
    modules = {module.name for module in pkgutil.iter_modules([str(ROOT / "src" / "geceval")])}
    assert modules & set(geceval.__all__) == MODULES


def test_signatures(api: ModuleType) -> None:
    def work(a: list[int], *, b: str = "x", c: object = api.page) -> None: ...

    assert api.signature(work) == "(a: list[int], *, b: str = 'x', c: object = page) -> None"
    assert (
        api.signature(geceval.Green)
        == "(n: int = 4, beta: float = 2.0, unit: Unit = 'word', blanks: Blanks | None = None)"
    )


def test_sections_are_lists(api: ModuleType) -> None:
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

    assert api.prose(work).split("\n\n") == [
        "Return the sum.",
        "*Args*:",
        "- `a`: a number of `int`.\n- `b`: another one.",
        "*Returns*: The sum.",
        "*Raises*:",
        "- `ValueError`: never.",
    ]
