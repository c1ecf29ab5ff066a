"""The kernel's stub as values: its classes and functions, and what can be called or read."""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from geceval import _kernel

STUB = Path(_kernel.__file__).with_name("_kernel.pyi")


@cache
def stub() -> dict[str, Any]:
    """What the stub declares; it is valid Python, and its annotations are strings until they are asked for."""
    namespace: dict[str, Any] = {"__name__": "stub"}
    source = "from __future__ import annotations\n" + STUB.read_text(encoding="utf-8")
    with mock.patch.object(typing, "overload", overload):
        exec(compile(source, str(STUB), "exec"), namespace)
    return namespace


def overload(function: Any) -> Any:
    """As typing's, but the declarations can be had of the last one, as ``before``."""
    namespace = sys._getframe(1).f_locals
    function.before = [*getattr(namespace.get(function.__name__), "before", []), function]
    return function


def public(name: str) -> bool:
    return not name.startswith("_") or name in ("__new__", "__len__", "__getitem__")


def members() -> Iterator[tuple[str, Any]]:
    """Everything that can be called or read, ``Text.complete``: its function or property, or the type of a constant."""
    names = {name: value for name, value in stub().items() if getattr(value, "__module__", "") == "stub"}
    for name, value in names.items():
        if isinstance(value, types.FunctionType) and public(name):
            yield name, value
        elif isinstance(value, type) and public(name):
            for own, member in vars(value).items():
                if public(own) and isinstance(member, (types.FunctionType, property, staticmethod)):
                    yield f"{name}.{own}", member
            attributes = typing.get_type_hints(value, stub()) if "__annotations__" in vars(value) else {}
            for own, kind in attributes.items():
                yield f"{name}.{own}", kind  # Final[kind]


def function_of(member: Any) -> Any:
    """The function of a method, a static method or a property."""
    return member.fget if isinstance(member, property) else getattr(member, "__func__", member)


@cache
def hints(function: Any) -> dict[str, Any]:
    """The types of the arguments and of the result."""
    return typing.get_type_hints(function, stub())
