r"""Lines of text files, in portions; standard input and pipes are stored so that they can be reread.

Only ``\n``, ``\r\n`` and ``\r`` end a line, as in Python's text mode; U+2028, U+0085 and form feeds do not. Only
line ends are stripped. Empty lines are kept because a system may delete everything. Text is strict UTF-8; a byte order
mark at the start of a file is skipped.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
import weakref
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from threading import Lock
from typing import IO, Any

from geceval._kernel import LineCutter
from geceval.base.errors import InputError
from geceval.text.columns import CompleteText
from geceval.text.files import PathLike, display_name, open_bytes, open_raw, read_errors, text_errors

#: Number of bytes stored in memory; more go to a temporary file.
IN_MEMORY = 64 << 20


class Pipe:
    """The bytes of a pipe, readable from the start any number of times.

    The first IN_MEMORY bytes are stored in memory, more of them in a file in the temporary folder (TMPDIR).
    """

    def __init__(self, path: str) -> None:
        self._path, self._lock = path, Lock()
        self._files = contextlib.ExitStack()
        self._kept: IO[bytes] = self._files.enter_context(SpooledTemporaryFile(max_size=IN_MEMORY))  # noqa: SIM115
        self._length = 0
        self._ended = False
        self._stream: IO[bytes] | None = None
        weakref.finalize(self, self._files.close)

    def read(self, position: int, most: int) -> bytes:
        """Return at most ``most`` bytes from a position on, empty at the end.

        Reads from the pipe if needed.
        """
        with self._lock:
            if position >= self._length and not self._ended:
                self._read_on(most)
            self._kept.seek(position)
            return self._kept.read(most)

    def _read_on(self, most: int) -> None:
        with read_errors(self._path):
            if self._stream is None:
                self._stream = self._files.enter_context(open_raw(self._path))
            data = self._stream.read(most)
        self._ended = not data
        try:
            self._kept.seek(self._length)
            self._kept.write(data)
        except OSError as error:
            hint = "set TMPDIR to a folder with more space, or give a file"
            message = f"cannot be stored while it is read: {error.strerror or error}"
            raise InputError(message, path=display_name(self._path), hint=hint) from None
        self._length += len(data)

    def open(self) -> io.BufferedReader[Any]:
        """Return a reader of all bytes, from the start."""
        return io.BufferedReader(_FromStart(self), 1 << 18)


class _FromStart(io.RawIOBase):
    """A pipe as a seekable file; its size is known after reading to the end."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe, self._at = pipe, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._pipe.read(self._at, len(buffer))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence == io.SEEK_END:
            while data := self._pipe.read(self._at, IN_MEMORY):
                self._at += len(data)
        self._at = offset + (0 if whence == io.SEEK_SET else self._at)
        return self._at


class WithoutReturns(io.RawIOBase):
    """The bytes of a table without carriage returns at the ends of cells, where a column had Windows line ends.

    A quote after them ends a quoted cell. ``separators`` are the characters that may separate cells.
    """

    def __init__(self, stream: IO[bytes], separators: str) -> None:
        characters = re.escape(separators.encode())
        self._returns = re.compile(rb'\r+(?="?[' + characters + rb']|"\r?\n)')
        self._open_end = re.compile(rb'\r+"?\r?\Z')
        self._stream, self._held, self._ready = stream, b"", b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            data = self._stream.read(len(buffer))
            content = self._held + data
            if content.count(b"\r") > content.count(b"\r\n"):  # much faster than a search
                end = self._open_end.search(content) if data else None
                stop = end.start() if end else len(content)
                self._ready, self._held = self._returns.sub(b"", content[:stop]), content[stop:]
            else:
                self._ready, self._held = content, b""
            if not data:
                break
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size


#: Number of bytes read at a time.
_PORTION = 1 << 18
#: More lines than any file has.
ALL = sys.maxsize


class LineReader:
    """Reads the lines of a file in portions.

    Raises InputError with line and byte offset for bytes that are not UTF-8.
    """

    def __init__(self, path: PathLike, stream: IO[bytes]) -> None:
        self._path, self._stream = path, stream
        self._cutter, self._ended = LineCutter(), False

    def take(self, most: int) -> CompleteText:
        """Return at most ``most`` next lines."""
        while not self._ended and self._cutter.ready < most:
            with read_errors(self._path):
                data = self._stream.read(_PORTION)
            self._ended = not data
            with text_errors(self._path):
                if data:
                    self._cutter.push(data)
                else:
                    self._cutter.finish()
        return self._cutter.take(most)

    def parts(self, size: int) -> Iterator[CompleteText]:
        """Yield the remaining lines, ``size`` at a time."""
        while lines := self.take(size):
            yield lines


def read_lines(path: PathLike, *, tracked: bool = True) -> CompleteText:
    """Return the lines of a text file as the kernel's ``Text``.

    Args:
        path: The file, plain or compressed; ``-`` is standard input.
        tracked: See files.open_bytes.

    Raises:
        InputError: For invalid UTF-8 and for a NUL byte (names line and byte offset), and as files.open_bytes.
    """
    with open_bytes(path, tracked=tracked) as stream:
        return LineReader(path, stream).take(ALL)


def line_parts(path: PathLike, size: int) -> Iterator[CompleteText]:
    """Yield the lines of a text, ``size`` at a time. Errors: see read_lines."""
    with open_bytes(path) as stream:
        yield from LineReader(path, stream).parts(size)
