"""Warnings at the caller's line, with hints for Python or for commands."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from geceval.base.errors import GecevalWarning
from geceval.base.package_tables import table_rows

#: Files whose lines a warning does not name: the package, and context managers between its functions.
_INTERNAL = (f"{Path(__file__).parents[1]}{os.sep}", contextlib.__file__)
#: A command within a hint, whose options stay as they are.
_COMMAND = re.compile(r"(geceval [a-z0-9]+ [^;,)]*)")
#: The warnings that are collected in a thread, as ``waiting``.
_THREAD = threading.local()


def warn(
    message: str | GecevalWarning, hint: str = "", *, check: str = "", file: str = "", minor: bool = False
) -> None:
    """Warn (GecevalWarning) at the line of the user's program that called geceval.

    The hint names arguments of Python in place of options; ``GecevalWarning.of_command`` has the options.

    Args:
        message: The warning without file and hint, or a warning.
        hint: How to fix it.
        check: Name of the check.
        file: File that the warning is about.
        minor: Whether numbers mean what they say all the same.
    """
    if isinstance(message, str):
        of_command = _make_warning(message, hint, check, file, minor)
        message = _make_warning(message, in_python(hint), check, file, minor)
        message.of_command = of_command
    if (waiting := getattr(_THREAD, "waiting", None)) is not None:
        waiting.append(message)
        return
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_INTERNAL):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)


def _make_warning(message: str, hint: str, check: str, file: str, minor: bool) -> GecevalWarning:
    text = f"{f'{file}: ' if file else ''}{message}{f' (hint: {hint})' if hint else ''}"
    return GecevalWarning(text, check=check, file=file, message=message, hint=hint, minor=minor)


@contextlib.contextmanager
def deferred_warnings() -> Iterator[list[GecevalWarning]]:
    """Collect the warnings of this thread, to be issued later, or by the thread that has the user's program."""
    outer = getattr(_THREAD, "waiting", None)
    _THREAD.waiting = []
    try:
        yield _THREAD.waiting
    finally:
        _THREAD.waiting = outer


def in_python(hint: str) -> str:
    """Return a hint that names arguments of Python in place of options."""
    pieces = _COMMAND.split(hint)
    for option, argument in _python_terms():
        pieces[::2] = [option.sub(argument, piece) for piece in pieces[::2]]
    return "".join(pieces)


@cache
def _python_terms() -> list[tuple[re.Pattern[str], str]]:
    rows = table_rows(Path(__file__).with_suffix(".tsv"))
    return [(re.compile(option), argument) for option, argument in rows]
