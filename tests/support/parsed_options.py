"""Command lines that are parsed in a test process as in a process of their own, and faster."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from cyclopts import App
from cyclopts.argument import ArgumentCollection, _argument


def adapt_parser() -> None:
    """Let command lines share the options of a command, and keep pydantic out.

    cyclopts derives the options from annotations for each command line, in more time than most commands of the tests
    take; each command line has values of its own. Once any test has imported pydantic, which no command does before it
    is parsed, cyclopts would validate values with it as well.
    """
    App.assemble_argument_collection = _kept(App.assemble_argument_collection)  # type: ignore[method-assign]
    _argument.sys = SimpleNamespace(modules={})


def _kept(assemble: Callable[..., ArgumentCollection]) -> Callable[..., ArgumentCollection]:
    collections: dict[Any, ArgumentCollection] = {}

    @functools.wraps(assemble)
    def assembled(app: App, *, parse_docstring: bool = False) -> ArgumentCollection:
        key = app.default_command, parse_docstring, app.app_stack.default_parameter
        if key not in collections:
            collections[key] = assemble(app, parse_docstring=parse_docstring)
        arguments = collections[key]
        constant = [part for argument in arguments for part in (argument.field_info, argument.parameter, argument.hint)]
        return copy.deepcopy(arguments, {id(part): part for part in constant})

    return assembled
