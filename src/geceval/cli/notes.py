"""Notes and warnings on stderr."""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from geceval.base.errors import GecevalWarning


def note(text: str, *, quiet: bool = False) -> None:
    """Print a note on stderr unless ``quiet``."""
    if not quiet:
        print(f"note: {text}", file=sys.stderr)


def quantity(number: int, noun: str) -> str:
    """Return a number and its noun: 1 edit, 2 edits."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


@contextlib.contextmanager
def collected(*, quiet: bool = False) -> Iterator[list[GecevalWarning]]:
    """Yield a list that collects geceval's warnings; each is also printed on stderr unless ``quiet``."""
    found: list[GecevalWarning] = []
    show = warnings.showwarning

    def collect(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        if isinstance(message, GecevalWarning):
            found.append(message)
        if not (quiet and issubclass(category, GecevalWarning)):
            show(message, category, *where, **more)

    warnings.showwarning = collect
    try:
        yield found
    finally:
        warnings.showwarning = show
