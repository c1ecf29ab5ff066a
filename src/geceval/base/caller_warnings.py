"""Warnings at the line of the user's program that called geceval."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

from geceval.base.errors import GecevalWarning
from geceval.base.hints import AnyHint

#: Files whose lines a warning does not name: the package, and context managers between its functions.
_INTERNAL = (f"{Path(__file__).parents[1]}{os.sep}", contextlib.__file__)
#: The warnings that are collected in a thread, as ``waiting``.
_THREAD = threading.local()


def warn(
    message: str | GecevalWarning, hint: AnyHint = "", *, check: str = "", file: str = "", minor: bool = False
) -> None:
    """Warn (GecevalWarning) at the line of the user's program that called geceval.

    Args:
        message: The warning without file and hint, or a warning.
        hint: How to fix it.
        check: Name of the check.
        file: File that the warning is about.
        minor: Whether numbers mean what they say all the same.
    """
    if isinstance(message, str):
        message = GecevalWarning(message, hint, check=check, file=file, minor=minor)
    if (waiting := getattr(_THREAD, "waiting", None)) is not None:
        waiting.append(message)
        return
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_INTERNAL):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)


@contextlib.contextmanager
def deferred_warnings() -> Iterator[list[GecevalWarning]]:
    """Collect the warnings of this thread, to be issued later, or by the thread that has the user's program."""
    outer = getattr(_THREAD, "waiting", None)
    _THREAD.waiting = []
    try:
        yield _THREAD.waiting
    finally:
        _THREAD.waiting = outer
