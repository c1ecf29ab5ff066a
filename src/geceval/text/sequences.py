"""The one place where an argument becomes a sequence: of lines, of M2 blocks, of references, of paths."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence, Set
from io import IOBase
from typing import Any, Protocol, cast, runtime_checkable

from geceval._kernel import Text
from geceval.base.arguments import shown
from geceval.base.errors import InputError, UsageError


@runtime_checkable
class _Readable(Protocol):
    """What is read line by line, such as the files of tempfile."""

    def readline(self) -> Any: ...


#: What can be gone through, but is not what was meant: (types, what it is, what to do).
_REFUSED: tuple[tuple[tuple[type, ...], str, str], ...] = (
    ((str, bytes, bytearray, memoryview), "one string", "for one {item} write [{item}]"),
    ((Set,), "a set, which has no order", "give a list"),
    ((Mapping,), "a mapping", "give a list, such as list(mapping.values())"),
    ((IOBase, _Readable), "an open file", "geceval.read_corpus and geceval.m2.read take paths"),
)


def as_sequence(name: str, values: Any, item: str = "sentence", *, dimensions: int = 1) -> Sequence[Any]:
    """The values of an argument in order: a list, tuple, array or Series of so many ``dimensions`` at the most, a
    generator.

    Sequences are returned as they are. Raises InputError that names the argument for anything else, and for one string.
    """
    if isinstance(values, (list, tuple, Text)):
        return cast("Sequence[Any]", values)
    for types, what, hint in _REFUSED:
        if isinstance(values, types):
            raise _refused(name, what, item, hint.format(item=item))
    if isinstance(values, Sequence):
        return values
    found = getattr(values, "ndim", 1)
    if not 1 <= found <= dimensions:
        raise _refused(name, f"an array of {found} dimensions", item, "give a list")
    if not isinstance(values, Iterable):
        raise _refused(name, shown(values), item)
    return list(values)


def by_reference(per_sentence: Any) -> list[list[Any]]:
    """References ``[r][s]`` out of ``per_sentence[s]``, the list of those of each sentence; None where it has fewer
    than others.

    Raises InputError that names the sentence for one string, and for what is no list.
    """
    rows = as_sequence("per_sentence", per_sentence, "list", dimensions=2)
    rows = [as_sequence(f"per_sentence, sentence {s} (counted from 0)", row, "reference") for s, row in enumerate(rows)]
    most = max(map(len, rows), default=0)
    return [[row[r] if r < len(row) else None for row in rows] for r in range(most)]


def _refused(name: str, what: str, item: str, hint: str | None = None) -> InputError:
    return InputError(f"{name}: a list of {item}s is needed, not {what}", hint=hint)


def path_text(path: Any) -> str:
    """A path as text. Raises UsageError for what is no path, and InputError for one that no file can have."""
    text = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(text, str):
        raise UsageError(f"a path is text or a pathlib.Path, not {shown(path)}")
    if "\0" in text:
        raise InputError(f"no file is called {shown(text)}: a path has no NUL")
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        raise InputError(f"no file is called {shown(text)}: a path is text") from None
    return text


def path_texts(name: str, paths: Any) -> list[str]:
    """Several paths as text."""
    return [path_text(path) for path in as_sequence(name, paths, "path")]
