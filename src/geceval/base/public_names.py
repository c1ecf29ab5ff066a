"""Load the public names of ``geceval`` when they are first used.

The stub beside ``geceval/__init__.py`` lists the names in the order of ``__all__``, which leaves out modules.
"""

from __future__ import annotations

import importlib
import sys
from functools import cache
from typing import Any

PACKAGE = "geceval"


@cache
def public_names() -> dict[str, tuple[str, str]]:
    """Return ``(module, name in that module)`` for each public name.

    The module of a module of the package is ".". The package must be imported.
    """
    package: Any = sys.modules[PACKAGE]
    # The loader reads the file because importing pathlib takes milliseconds.
    stub = package.__spec__.loader.get_data(f"{package.__path__[0]}/__init__.pyi").decode()
    lines = (line.split() for line in stub.splitlines() if line.startswith("from "))
    return {words[5]: (words[1], words[3]) for words in lines}  # from MODULE import NAME as PUBLIC


def load(name: str) -> object:
    """Return a public name or ``__all__``, as ``__getattr__`` of the package."""
    names = public_names()
    if name == "__all__":
        return [public for public, (module, _) in names.items() if module != "."]
    if name not in names:
        raise AttributeError(f"module {PACKAGE!r} has no attribute {name!r}")
    module, inner = names[name]
    if module == ".":
        return importlib.import_module(f"{PACKAGE}.{inner}")
    value = getattr(importlib.import_module(module), inner)
    setattr(sys.modules[PACKAGE], name, value)
    return value


def listed() -> list[str]:
    """Return the public names in alphabetical order, as ``__dir__``."""
    return sorted(public_names())
