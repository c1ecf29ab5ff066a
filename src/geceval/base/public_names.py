"""Load the public names of a package when they are first used.

The stub beside ``__init__.py`` lists the names in the order of ``__all__``, which leaves out modules.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any


@cache
def public_names(package: str) -> dict[str, tuple[str, str, bool]]:
    """Return ``(module, name in that module, is a module)`` for each public name.

    The package must be imported.
    """
    own: Any = sys.modules[package]
    # The loader reads the file because importing pathlib takes milliseconds.
    stub = own.__spec__.loader.get_data(f"{own.__path__[0]}/__init__.pyi").decode()
    names: dict[str, tuple[str, str, bool]] = {}
    for words in map(str.split, stub.splitlines()):
        if words[:1] == ["from"]:  # from MODULE import NAME as PUBLIC
            names[words[5]] = words[1], words[3], False
        elif words[1:2] == ["="]:  # PUBLIC = _NAME, for a module
            names[words[0]] = *names.pop(words[2])[:2], True
    return names


def loaders(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the functions ``__getattr__`` and ``__dir__`` of a package."""

    def load(name: str) -> object:
        names = public_names(package)
        if name == "__all__":
            return [public for public, (_, _, is_module) in names.items() if not is_module]
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, own_name, _ = names[name]
        value = getattr(__import__(module, fromlist=[own_name]), own_name)
        setattr(sys.modules[package], name, value)
        return value

    return load, lambda: sorted(public_names(package))
