"""The lines of text files, in portions.

Lines are what Python's text mode calls lines: ``\\n``, ``\\r\\n`` and a lone ``\\r`` end one and nothing else does (not
U+2028, U+0085 or a form feed). Nothing is stripped but the line end; empty lines are kept, since a system may delete
everything. Text is UTF-8, strictly; a byte order mark at the start of a file is not part of its first line.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import IO, cast

from geceval._kernel import LineCutter, Text
from geceval.base.errors import InputError
from geceval.text.corpus import Lines
from geceval.text.files import PathLike, display_name, open_bytes, read_errors

#: Bytes read at a time.
_PORTION = 1 << 18
#: More lines than there can be.
ALL = sys.maxsize


class LineReader:
    """The lines of one file, in portions. Raises InputError with line and byte offset for bytes that are no text."""

    def __init__(self, path: PathLike, stream: IO[bytes]) -> None:
        self._path, self._stream = path, stream
        self._cutter, self._ended = LineCutter(), False

    def take(self, most: int) -> Text:
        """The next lines, at most so many."""
        while not self._ended and self._cutter.ready < most:
            with read_errors(self._path):
                data = self._stream.read(_PORTION)
            self._ended = not data
            fault = self._cutter.push(data) if data else self._cutter.finish()
            if fault is not None:
                raise _not_text(self._path, data, *fault)
        return self._cutter.take(most)

    def parts(self, size: int) -> Iterator[Text]:
        """The lines from here on, so many at a time."""
        while lines := self.take(size):
            yield lines


def _not_text(path: PathLike, data: bytes, line: int, offset: int, byte: int, reason: str) -> InputError:
    if reason in ("long", "memory"):
        message = "the line is longer than 1 GiB" if reason == "long" else "not enough memory for the line"
        return InputError(message, path=display_name(path), line=line)
    if reason == "NUL":
        return InputError(f"NUL byte at byte offset {offset}", path=display_name(path), line=line)
    hint = "convert the file, for example with: iconv -f LATIN1 -t UTF-8"
    if offset == 0 and data.startswith((b"\xff\xfe", b"\xfe\xff")):
        hint = "this looks like UTF-16; convert it with: iconv -f UTF-16 -t UTF-8"
    message = f"not UTF-8: byte 0x{byte:02x} at byte offset {offset} ({reason})"
    return InputError(message, path=display_name(path), line=line, hint=hint)


def read_lines(path: PathLike) -> Lines:
    """The lines of a text file, of a compressed one, or of standard input (``-``), as the kernel's ``Text``.

    Raises InputError with line and byte offset for invalid UTF-8 and for a NUL byte; see also files.open_bytes.
    """
    with open_bytes(path) as stream:
        return cast(Lines, LineReader(path, stream).take(ALL))


def line_parts(path: PathLike, size: int) -> Iterator[Text]:
    """The lines of a text, so many at a time. Errors: see read_lines."""
    with open_bytes(path) as stream:
        yield from LineReader(path, stream).parts(size)


def read_text(path: PathLike) -> str:
    """The text of a file with its line ends, without its byte order mark. Errors: see read_lines."""
    with open_bytes(path) as stream:
        data = stream.read()
    cutter = LineCutter()
    fault = cutter.push(data) or cutter.finish()
    if fault is not None:
        raise _not_text(path, data, *fault)
    return data.decode("utf-8-sig")
