"""The kernel's stub as values: its classes and functions, and what can be called or read."""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal
from unittest import mock

import numpy as np

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
        elif isinstance(value, type) and public(name) and not issubclass(value, BaseException):
            for attribute, member in vars(value).items():
                if public(attribute) and isinstance(member, (types.FunctionType, property, staticmethod)):
                    yield f"{name}.{attribute}", member
            attributes = typing.get_type_hints(value, stub()) if "__annotations__" in vars(value) else {}
            for attribute, kind in attributes.items():
                yield f"{name}.{attribute}", kind  # Final[kind]


def function_of(member: Any) -> Any:
    """The function of a method, a static method or a property."""
    return member.fget if isinstance(member, property) else getattr(member, "__func__", member)


@cache
def hints(function: Any) -> dict[str, Any]:
    """The types of the arguments and of the result."""
    return typing.get_type_hints(function, stub())


def results(member: Any) -> list[Any]:
    """The types that a call of a member, or reading it, may yield."""
    if isinstance(member, (types.FunctionType, property, staticmethod)):
        function = function_of(member)
        return [hints(declared)["return"] for declared in getattr(function, "before", [function])]
    return list(typing.get_args(member))


def fits(value: Any, kind: Any) -> bool:
    """Whether a value is of a type as the stub writes it."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return True
    if kind is None or kind is type(None):
        return value is None
    if isinstance(kind, typing.TypeVar):
        return any(fits(value, possible) for possible in kind.__constraints__ or [kind.__bound__])
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, argument) for argument in arguments)
    if origin is Literal:
        return value in arguments
    if origin is np.ndarray:
        [element] = typing.get_args(arguments[1])
        elements = element.__constraints__ if isinstance(element, typing.TypeVar) else (element,)
        return isinstance(value, np.ndarray) and (Any in elements or value.dtype in map(np.dtype, elements))
    if origin is tuple:
        return type(value) is tuple and len(value) == len(arguments) and all(map(fits, value, arguments))
    if origin is list:
        return type(value) is list and all(fits(item, arguments[0]) for item in value)
    if origin is dict:
        return type(value) is dict and all(fits(item, arguments[1]) for item in value.values())
    if origin is stub()["Text"]:  # Text[str] has no missing lines; without an argument, or with a variable, it may
        return type(value) is _kernel.Text and (arguments != (str,) or value.complete)
    if typing.is_typeddict(kind):
        kinds = typing.get_type_hints(kind, stub())
        return type(value) is dict and list(value) == list(kinds) and all(map(fits, value.values(), kinds.values()))
    assert origin is None, f"{kind} is a type that this test does not know"
    return type(value) is (getattr(_kernel, kind.__name__) if kind.__module__ == "stub" else kind)
