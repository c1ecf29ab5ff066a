"""Names of files, and opening them, one way for the whole tool: ``-`` is standard input, compression is told by
content."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
import stat
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, TypeAlias, cast

from geceval.base.arguments import as_sequence, shown
from geceval.base.errors import InputError, UsageError, require_extra

PathLike: TypeAlias = "str | os.PathLike[str]"

#: Endings of the names of compressed files; the content decides how they are read.
COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
#: What the unchanged source is called among systems; no file is named so.
SOURCE = "(source)"


# --- paths and names ---


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


def display_name(path: PathLike) -> str:
    """The name of a file in messages."""
    return "<stdin>" if os.fspath(path) == "-" else os.fspath(path)


def unpacked_name(name: str) -> str:
    """A name without what says that the file is compressed."""
    for ending in COMPRESSED:
        name = name.removesuffix(ending)
    return name


def named_systems(paths: Sequence[str], names: Sequence[str | None] | None = None) -> dict[str, str]:
    """Name -> path. A file without a name is called by its base name without endings, or by its path where two would
    have the same name. UsageError if a name is there twice."""
    named = list(zip(paths, names or [None] * len(paths), strict=True))
    stems = Counter(_stem(path) for path, name in named if name is None)
    systems: dict[str, str] = {}
    for path, name in named:
        system = name
        if system is None:
            system = _stem(path) if stems[_stem(path)] == 1 else path
        if system == SOURCE:
            raise UsageError(f"{SOURCE} is what the unchanged source is called", hint=f"-c NAME={path}")
        if system in systems:
            raise given_twice(system)
        systems[system] = path
    return systems


def given_twice(system: str) -> UsageError:
    """The error for a system whose name another one has."""
    return UsageError(f"the system {system} is given twice")


def _stem(path: str) -> str:
    if path == "-":
        return "stdin"
    name = Path(path).name
    for ending in (*COMPRESSED, ".txt", ".m2", ".tsv", ".md"):
        name = name.removesuffix(ending) or name
    return name


def is_m2(path: str) -> bool:
    """Whether a file is M2, by its name."""
    return has_ending(path, ".m2")


def has_ending(path: str, *endings: str) -> bool:
    """Whether the name of a file, plain or compressed, has one of the endings (``.tsv``)."""
    return Path(path).name.endswith(tuple(f"{ending}{packed}" for ending in endings for packed in ("", *COMPRESSED)))


def ending_of(path: str) -> str:
    """What stands after the last dot of the name of a file, plain or compressed, without the dot; empty without one."""
    return Path(unpacked_name(Path(path).name)).suffix[1:]


# --- opening ---


def check_standard_input(paths: Sequence[str]) -> None:
    """Raise UsageError where standard input (``-``) would be read twice."""
    if paths.count("-") > 1:
        raise UsageError("standard input (-) can be given once only")


def is_folder(path: PathLike) -> bool:
    """Whether there is a folder of that name; a name that no file can have names none."""
    return os.path.isdir(path)  # noqa: PTH112, Path.is_dir raises OSError for names that are too long


def is_file(path: PathLike) -> bool:
    """Whether there is a file of that name; a name that no file can have names none."""
    return os.path.isfile(path)  # noqa: PTH113, see is_folder


def is_read_once(path: str) -> bool:
    """Whether a file is a pipe or a device, which cannot be read again."""
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return False  # that is said when it is read
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _open_zstd(raw: IO[bytes]) -> Any:
    with require_extra("zst", "reading zstd needs a package"):
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    return zstd.open(raw)


_COMPRESSED: dict[bytes, Callable[..., Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
    b"\x28\xb5\x2f\xfd": _open_zstd,
}


@contextlib.contextmanager
def read_errors(path: PathLike) -> Iterator[None]:
    """Raise InputError with the path for what fails within: the file is missing, a directory, unreadable or damaged."""
    try:
        yield
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot read: {reason}", path=display_name(path)) from None


def state_of(path: str, hint: str) -> tuple[int, int]:
    """When a file was written last, and its size, by which it is known again. Raises InputError without such a file."""
    try:
        state = Path(path_text(path)).stat()
    except OSError as error:
        raise InputError(f"cannot read: {error.strerror}", path=path, hint=hint) from None
    return state.st_mtime_ns, state.st_size


#: Who wants to know what is read; see opened. Threads read, too, so it is no variable of a context.
_LISTENERS: list[dict[str, None]] = []


@contextlib.contextmanager
def opened() -> Iterator[dict[str, None]]:
    """The paths of the files that are opened within by open_bytes or open_raw, each once, in their order."""
    paths: dict[str, None] = {}
    _LISTENERS.append(paths)
    try:
        yield paths
    finally:
        _LISTENERS[:] = [one for one in _LISTENERS if one is not paths]


@contextlib.contextmanager
def open_bytes(path: PathLike, *, tracked: bool = True) -> Iterator[IO[bytes]]:
    """The bytes of a file, or of standard input for ``-``; gzip, bzip2, xz and zstd are known by their first bytes.

    ``tracked``: whether ``opened`` lists it. Raises InputError if the file is missing, a directory, unreadable or
    damaged, also while it is being read.
    """
    path = path_text(path)
    with read_errors(path), open_raw(path, tracked=tracked) as raw, unpacked(raw) as stream:
        yield stream


def open_raw(path: str, *, tracked: bool = True) -> contextlib.AbstractContextManager[io.BufferedReader]:
    """The bytes of a file, or of standard input, which stays open, as they are. ``tracked``: see open_bytes.

    Raises OSError.
    """
    for listener in _LISTENERS if tracked else ():
        listener[path] = None
    if path == "-":
        return contextlib.nullcontext(cast(io.BufferedReader, sys.stdin.buffer))
    return Path(path).open("rb")


def unpacked(raw: io.BufferedReader) -> contextlib.AbstractContextManager[IO[bytes]]:
    """What is in a compressed file, known by its first bytes; another one as it is."""
    magic = raw.peek(6)[:6]
    for prefix, opener in _COMPRESSED.items():
        if magic.startswith(prefix):
            stream: contextlib.AbstractContextManager[IO[bytes]] = opener(raw)
            return stream
    return contextlib.nullcontext(raw)
