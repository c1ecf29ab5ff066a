"""Messages on stderr: notes, warnings and errors of a command."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple, TextIO

from geceval.base.arguments import printable
from geceval.base.errors import GecevalWarning
from geceval.tables.terminal import wrapped


def terminal_width(target: str | None) -> int | None:
    """Return the width of the terminal in columns; None for a file or a pipe."""
    return _width_of(sys.stdout) if target in (None, "-") else None


def _width_of(stream: TextIO) -> int | None:
    """Return the width of a stream's terminal in columns; None without one."""
    if not stream.isatty():
        return None
    with contextlib.suppress(OSError, ValueError):
        size = os.get_terminal_size(stream.fileno())
        return shutil.get_terminal_size((size.columns or 80, size.lines)).columns
    return shutil.get_terminal_size().columns


def say(text: str) -> None:
    """Print lines on stderr.

    On a terminal they are wrapped at words and indented from the second line on.
    """
    text, width = printable(text), _width_of(sys.stderr)
    if width is not None and max(map(len, text.split("\n"))) > width:
        text = "\n".join("\n  ".join(wrapped(line, width - 2)) for line in text.split("\n"))
    with contextlib.suppress(OSError):  # stderr is closed or full
        print(text, file=sys.stderr)


def note(*texts: str) -> None:
    """Print notes on stderr unless the command is quiet."""
    for text in () if is_quiet() else texts:
        say(f"note: {text}")


class _Collection(NamedTuple):
    """Warnings of a block, and whether minor ones or all of them are not printed."""

    warnings: list[GecevalWarning]
    quiet: bool
    silent: bool


#: The active collections, the innermost last.
_COLLECTING: list[_Collection] = []


@contextlib.contextmanager
def collected(*, quiet: bool = False, silent: bool = False) -> Iterator[list[GecevalWarning]]:
    """Yield a list that collects geceval's warnings.

    Each is also printed on stderr. ``quiet``: print no minor warnings, notes and progress in the block. ``silent``:
    print no warnings at all.
    """
    collection = _Collection([], quiet, silent)
    _COLLECTING.append(collection)
    try:
        yield collection.warnings
    finally:
        _COLLECTING.pop()


def is_quiet() -> bool:
    """Return whether notes, minor warnings and progress are not printed."""
    return any(collection.quiet for collection in _COLLECTING)


@contextlib.contextmanager
def printed_warnings() -> Iterator[None]:
    """Print and collect the warnings of geceval; Python handles other warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", GecevalWarning)
        show = warnings.showwarning

        def show_or_collect(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if not isinstance(message, GecevalWarning):
                show(message, category, *where, **more)
                return
            command_warning = message.for_command()
            for collection in _COLLECTING:
                collection.warnings.append(command_warning)
            is_hidden = (message.minor and is_quiet()) or any(collection.silent for collection in _COLLECTING)
            if not is_hidden:
                say(f"warning: {command_warning}")

        warnings.showwarning = show_or_collect
        yield
