"""Notes and warnings on stderr."""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
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
    from geceval.counting.checks.corpus_checks import check

    for finding in check(corpus, metrics):
        warnings.warn(finding.warning(), stacklevel=2)


@dataclass
class CollectedWarnings:
    """The warnings of a run; they are printed as well unless ``quiet``."""

    quiet: bool
    found: list[GecevalWarning] = field(default_factory=list)


#: Those that collect at the moment, the innermost last.
_COLLECTING: list[CollectedWarnings] = []


@contextlib.contextmanager
def collected(*, quiet: bool = False) -> Iterator[list[GecevalWarning]]:
    """Yield a list that collects geceval's warnings; each is also printed on stderr unless ``quiet``."""
    own = CollectedWarnings(quiet)
    _COLLECTING.append(own)
    try:
        yield own.found
    finally:
        _COLLECTING.remove(own)


@contextlib.contextmanager
def printed_warnings() -> Iterator[None]:
    """Print and collect every warning of geceval's within; Python shows the others."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", GecevalWarning)
        show = warnings.showwarning

        def show_or_collect(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if not isinstance(message, GecevalWarning):
                show(message, category, *where, **more)
                return
            for own in _COLLECTING:
                own.found.append(message)
            if not any(own.quiet for own in _COLLECTING):
                print(f"warning: {message}", file=sys.stderr)

        warnings.showwarning = show_or_collect
        yield
