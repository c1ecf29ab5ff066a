"""Opening of files: standard input, compression, encodings, errors.

``-`` is standard input, and compression is detected from content.
"""

from __future__ import annotations

import bz2
import contextlib
import encodings.aliases
import gzip
import io
import lzma
import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import IO, Any, TypeAlias, cast

from geceval._kernel import KernelError, LineCutter
from geceval.base.arguments import as_sequence, did_you_mean, shown
from geceval.base.errors import GecevalError, InputError, UsageError, require_extra
from geceval.base.hints import Hint, Option
from geceval.base.kernel_errors import is_not_utf_8, kernel_message
from geceval.text.office import WorkbookWriter, open_archive, require_openpyxl
from geceval.text.reading.file_kinds import (
    CHECKER_KINDS,
    SUGGESTIONS,
    FileKind,
    encoding_hint,
    endings_of,
    kind_of_content,
)

PathLike: TypeAlias = "str | os.PathLike[str]"

#: Endings of compressed files; the content decides how a file is read.
COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
#: Number of bytes from which the kind of a file is detected.
_SAMPLE = 1 << 14
#: The encoding of files that are not UTF-8, see decoding.
_ENCODING: ContextVar[str | None] = ContextVar("encoding", default=None)
#: The name of the unchanged source among systems; no file may have it.
SOURCE = "(source)"


# --- paths and names ---


def path_text(path: Any) -> str:
    """Return a path as a string.

    Raises:
        UsageError: If the value is not a path.
        InputError: If no file can have this path.
    """
    text = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(text, str):
        raise UsageError(f"a path must be text or a pathlib.Path, not {shown(path)}")
    if "\0" in text:
        raise InputError(f"no file is called {shown(text)}: a path has no NUL")
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        raise InputError(f"no file is called {shown(text)}: a path is text") from None
    return text


def path_texts(name: str, paths: Any) -> list[str]:
    """Return several paths as strings. Raises the errors of path_text."""
    return [path_text(path) for path in as_sequence(name, paths, "path")]


def display_name(path: PathLike) -> str:
    """Return the name of a file for messages; other bytes than UTF-8 are escaped."""
    return "<stdin>" if os.fspath(path) == "-" else os.fsencode(path).decode("utf-8", "backslashreplace")


def unpacked_name(name: str) -> str:
    """Return a file name without the endings of compressed files."""
    for ending in COMPRESSED:
        name = name.removesuffix(ending)
    return name


def by_numbers(path: str) -> tuple[str | int, ...]:
    """Return the key of an order in which ``part.10`` follows ``part.9``, as Dask and DuckDB number their parts."""
    return tuple(int(piece) if piece.isdecimal() else piece for piece in re.split(r"(\d+)", path))


def is_m2(path: str) -> bool:
    """Return whether a file is M2, by its ending or its content."""
    return has_ending(path, *endings_of("m2")) or has_kind(path, "m2")


def may_be_suggestions(path: str) -> bool:
    """Return whether a file may have suggestions of a checker, by its ending or its content."""
    return has_ending(path, *SUGGESTIONS) or has_kind(path, *CHECKER_KINDS)


def has_kind(path: str, *keys: str) -> bool:
    """Return whether the content of a file is of one of these kinds."""
    kind = kind_of(path)
    return kind is not None and kind.key in keys


def kind_of(path: str, ignored: Collection[str] = ()) -> FileKind | None:
    """Return the kind of a file by its content; None for plain text, pipes and files that cannot be read.

    ``ignored`` are keys of kinds that are not meant.
    """
    return kind_of_content(_sample(path), ignored)


def _sample(path: str) -> bytes:
    """Return the beginning of a file, decompressed, and its end where archives have their table of contents.

    It is empty for pipes and files that cannot be read.
    """
    if path == "-" or not is_file(path):
        return b""
    with contextlib.suppress(GecevalError), open_bytes(path, tracked=False) as stream:
        beginning = stream.read(_SAMPLE)
        if beginning.startswith(b"PK"):
            with Path(path).open("rb") as file:
                file.seek(-min(_SAMPLE, file.seek(0, io.SEEK_END)), io.SEEK_END)
                beginning += file.read()
        return beginning
    return b""


def has_ending(path: str, *endings: str) -> bool:
    """Return whether the name of a file, plain or compressed, has one of the endings."""
    return Path(path).name.endswith(tuple(f"{ending}{packed}" for ending in endings for packed in ("", *COMPRESSED)))


def ending_of(path: str) -> str:
    """Return the ending of a file name without its dot.

    The ending of a compressed file is the one before ``.gz`` and the like.
    """
    return Path(unpacked_name(Path(path).name)).suffix[1:]


def is_outside(path: PathLike, folder: PathLike) -> bool:
    """Return whether a path, with its symbolic links resolved, is not below a folder."""
    return not Path(os.path.realpath(path_text(path))).is_relative_to(os.path.realpath(folder))


#: Folders to which confined limits reading, each with the name of its record. Threads that geceval starts to read files
#: have a copy of their caller's context; other threads are not confined.
_CONFINED: ContextVar[tuple[tuple[str, str], ...]] = ContextVar("confined", default=())
_PACKAGE = Path(__file__).parents[1]


@contextlib.contextmanager
def confined(folder: str, named_by: str) -> Iterator[None]:
    """Refuse files and folders outside a folder, other than those of the package, in the block."""
    token = _CONFINED.set((*_CONFINED.get(), (os.path.realpath(folder), named_by)))
    try:
        yield
    finally:
        _CONFINED.reset(token)


def _check_confined(path: PathLike) -> None:
    for folder, named_by in _CONFINED.get():
        if is_outside(path, folder) and is_outside(path, _PACKAGE):
            message = f"is outside the folder of {named_by}, which names it"
            hint = Hint(Option("allow_outside"), f", if you trust {named_by}")
            raise InputError(message, path=display_name(path), hint=hint)


# --- opening ---


def check_standard_input(paths: Sequence[str]) -> None:
    """Raise UsageError if standard input (``-``) is given more than once."""
    if paths.count("-") > 1:
        raise UsageError("standard input (-) can be given only once")


def is_folder(path: PathLike) -> bool:
    """Return whether a folder of that name exists.

    A name that no file can have gives False. Raises InputError in confined for a folder outside.
    """
    if not os.path.isdir(path):  # noqa: PTH112, Path.is_dir raises OSError for names that are too long
        return False
    _check_confined(path)
    return True


def is_file(path: PathLike) -> bool:
    """Return whether a file of that name exists.

    A name that no file can have gives False.
    """
    return os.path.isfile(path)  # noqa: PTH113, see is_folder


def is_read_once(path: str) -> bool:
    """Return whether a path is standard input (``-``), a pipe or a device, which can be read only once."""
    if path == "-":
        return True
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return False  # reading it raises the error
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _zstd() -> Any:
    with require_extra("zst", "zstd files need backports.zstd"):
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    return zstd


class _Decompressed(io.RawIOBase):
    """Decompressed streams of bzip2 or xz.

    Other bytes after them are an error, unlike in Python's modules.
    """

    def __init__(self, raw: IO[bytes], make: Callable[[], Any]) -> None:
        self._raw, self._make, self._decompressor = raw, make, make()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while True:
            data = b""
            if self._decompressor.eof:  # zero bytes after a stream are padding
                data = (self._decompressor.unused_data + self._raw.read(io.DEFAULT_BUFFER_SIZE)).lstrip(b"\0")
                if not data:
                    return 0
                self._decompressor = self._make()
            elif self._decompressor.needs_input:
                data = self._raw.read(io.DEFAULT_BUFFER_SIZE)
                if not data:
                    raise EOFError("Compressed file ended before the end-of-stream marker was reached")
            output = self._decompressor.decompress(data, len(buffer))
            if output:
                buffer[: len(output)] = output
                return len(output)


_COMPRESSED: dict[bytes, Callable[..., Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": lambda raw: io.BufferedReader(_Decompressed(raw, bz2.BZ2Decompressor)),
    b"\xfd7zXZ\x00": lambda raw: io.BufferedReader(_Decompressed(raw, lzma.LZMADecompressor)),
    b"\x28\xb5\x2f\xfd": lambda raw: _zstd().open(raw),
    b"PK\x03\x04": open_archive,
}
#: How files are compressed: the same text gives the same bytes, whatever the file is called and when it is written.
_COMPRESSORS: dict[str, Callable[[IO[bytes]], Any]] = {
    ".gz": lambda raw: gzip.GzipFile("", "wb", 6, raw, mtime=0),
    ".bz2": partial(bz2.BZ2File, mode="wb"),
    ".xz": partial(lzma.LZMAFile, mode="wb"),
    ".zst": lambda raw: _zstd().ZstdFile(raw, "wb"),
    ".xlsx": WorkbookWriter,
}


@contextlib.contextmanager
def read_errors(path: PathLike) -> Iterator[None]:
    """Raise InputError with the path for errors in the block that reads a file.

    The file may be missing, a folder, unreadable or damaged.
    """
    try:
        yield
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        hint = f"give the files in it: {display_name(path)}/*" if isinstance(error, IsADirectoryError) else None
        paths = display_name(path).split(",")
        hint = f"separate files by spaces: {' '.join(paths)}" if paths[1:] and all(map(is_file, paths)) else hint
        raise InputError(f"cannot read: {reason}", path=display_name(path), hint=hint) from None


def file_state(path: str, hint: str) -> tuple[int, int]:
    """Return the modification time (ns) and the size (bytes) of a file.

    They serve to detect changes.

    Raises InputError if the file does not exist.
    """
    try:
        state = Path(path_text(path)).stat()
    except OSError as error:
        raise InputError(f"cannot read: {error.strerror}", path=path, hint=hint) from None
    return state.st_mtime_ns, state.st_size


#: Dicts that record_opened_files fills. It is not a context variable because other threads open files, too.
_LISTENERS: list[dict[str, IO[bytes]]] = []


@contextlib.contextmanager
def record_opened_files() -> Iterator[dict[str, IO[bytes]]]:
    """Yield a dict of the files opened in the block: their paths and streams.

    It contains the files opened by open_bytes and open_raw, in their order.
    """
    paths: dict[str, IO[bytes]] = {}
    _LISTENERS.append(paths)
    try:
        yield paths
    finally:
        _LISTENERS[:] = [listener for listener in _LISTENERS if listener is not paths]


@contextlib.contextmanager
def open_bytes(path: PathLike, *, tracked: bool = True) -> Iterator[IO[bytes]]:
    """Yield the bytes of a file, decompressed if it is gzip, bzip2, xz or zstd.

    Args:
        path: The file; ``-`` is standard input.
        tracked: Whether ``record_opened_files`` records it.

    Raises:
        InputError: If the file is missing, a folder, unreadable or damaged; also while it is read.
    """
    path = path_text(path)
    with read_errors(path), open_raw(path, tracked=tracked) as raw, unpacked(raw) as stream:
        yield as_utf8(stream, path, current_encoding())


def open_raw(path: str, *, tracked: bool = True) -> contextlib.AbstractContextManager[io.BufferedReader]:
    """Return the raw bytes of a file; ``-`` is standard input, which stays open.

    Raises OSError, and InputError in confined for a file outside. ``tracked``: see open_bytes.
    """
    standard = path == "-"
    if not standard:
        _check_confined(path)
    stream = cast(io.BufferedReader, sys.stdin.buffer) if standard else Path(path).open("rb")  # noqa: SIM115
    if tracked:
        for listener in _LISTENERS:
            listener[path] = stream
    return contextlib.nullcontext(stream) if standard else stream


def unpacked(raw: io.BufferedReader) -> contextlib.AbstractContextManager[IO[bytes]]:
    """Return the decompressed content of a file, or the file if it is not compressed."""
    magic = raw.peek(6)[:6]
    for prefix, opener in _COMPRESSED.items():
        if magic.startswith(prefix):
            stream: contextlib.AbstractContextManager[IO[bytes]] = opener(raw)
            return stream
    return contextlib.nullcontext(raw)


# --- encodings ---


@contextlib.contextmanager
def decoding(encoding: str | None) -> Iterator[None]:
    """Read files that are opened in the block in another encoding, unless they are UTF-8.

    None keeps the encoding of an outer block. Raises UsageError for an unknown encoding.
    """
    token = _ENCODING.set(_ENCODING.get() if encoding is None else _checked_encoding(encoding))
    try:
        yield
    finally:
        _ENCODING.reset(token)


def current_encoding() -> str | None:
    """Return the encoding of files that are not UTF-8; None without one."""
    return _ENCODING.get()


def _checked_encoding(name: str) -> str:
    if not _is_encoding(name):
        known = filter(_is_encoding, sorted({*encodings.aliases.aliases, *encodings.aliases.aliases.values()}))
        hint = did_you_mean(name, known) or "such as cp1252, gb18030, shift_jis, utf-16"
        raise UsageError(f"unknown encoding {shown(name)}", hint=hint)
    return name


def _is_encoding(name: str) -> bool:
    try:
        "".encode(name)
    except (LookupError, ValueError, TypeError):
        return False
    return True


def as_utf8(stream: IO[bytes], path: str, encoding: str | None) -> IO[bytes]:
    """Return the content of a file as UTF-8.

    With an encoding, a file that is not UTF-8 is read as a whole and decoded. NUL shows that it is UTF-16, an escape
    that it has the shift sequences of ISO 2022.

    Raises InputError if the content does not have the encoding either.
    """
    if encoding is None:
        return stream
    content = stream.read()
    with contextlib.suppress(UnicodeDecodeError):
        content.decode()
        if not (0 in content or (0x1B in content and "2022" in encoding)):
            return io.BytesIO(content)
    try:
        return io.BytesIO(content.decode(encoding).encode())
    except UnicodeError as error:
        message = f"neither UTF-8 nor {encoding}: {error}"
        raise InputError(message, path=display_name(path), hint=encoding_hint(content, display_name(path))) from None


# --- compressing ---


def is_compressed(path: str) -> bool:
    """Return whether a file of this name is written compressed.

    Raises MissingExtraError if a package is missing.
    """
    if path.endswith(".zst"):
        _zstd()
    if path.endswith(".xlsx"):
        require_openpyxl()
    return path.endswith(COMPRESSED)


def compressed(raw: IO[bytes], path: str) -> contextlib.AbstractContextManager[IO[bytes]]:
    """Return a stream that compresses into ``raw`` as the ending of the name says.

    Any other name gives ``raw``.
    """
    make = next((make for ending, make in _COMPRESSORS.items() if path.endswith(ending)), contextlib.nullcontext)
    stream: contextlib.AbstractContextManager[IO[bytes]] = make(raw)
    return stream


# --- text ---


def read_text(path: PathLike) -> str:
    """Return the text of a file with its line ends, without a byte order mark.

    Raises the errors of text_errors and open_bytes.
    """
    with open_bytes(path) as stream:
        data = stream.read()
    cutter = LineCutter()
    with text_errors(path):
        cutter.push(data)
        cutter.finish()
    return data.decode("utf-8-sig")


@contextlib.contextmanager
def text_errors(path: PathLike) -> Iterator[None]:
    """Raise InputError, with the kind of the file or else the line, for bytes of a file that are not text."""
    try:
        yield
    except KernelError as error:
        kind = kind_of_content(_sample(os.fspath(path)), text=False)
        if kind is not None:
            raise kind.error(display_name(path), "text in UTF-8") from None
        raise not_text_error(path, kernel_message(error), error.line, is_encoded=is_not_utf_8(error)) from None


def not_text_error(path: PathLike, message: str, line: int | None, *, is_encoded: bool = True) -> InputError:
    """Return the error for a line that is not text in UTF-8.

    ``is_encoded``: whether it may be text in another encoding, which the hint names.
    """
    name = display_name(path)
    hint = encoding_hint(_sample(os.fspath(path)), name) if is_encoded else None
    return InputError(message, path=name, line=line, hint=hint)
