"""Notes and warnings on stderr."""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from geceval.base.errors import GecevalWarning

if TYPE_CHECKING:
    from geceval.counting.stream import AnyMetric
    from geceval.text.corpus import TextSource


def note(text: str, *, quiet: bool = False) -> None:
    """Print a note on stderr unless ``quiet``."""
    if not quiet:
        print(f"note: {text}", file=sys.stderr)


def quantity(number: int, noun: str) -> str:
    """Return a number and its noun: 1 edit, 2 edits."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def warn_of(corpus: TextSource, metrics: Sequence[AnyMetric] = ()) -> None:
    """Warn of what the checks of a corpus find."""
    from geceval.counting.checks.corpus_check import check

    for finding in check(corpus, metrics):
        warnings.warn(finding.warning(), stacklevel=2)


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
