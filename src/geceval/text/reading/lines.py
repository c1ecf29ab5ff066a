r"""Lines of text files, in portions.

Only ``\n``, ``\r\n`` and ``\r`` end a line, as in Python's text mode; U+2028, U+0085 and form feeds do not. Only
line ends are stripped. Empty lines are kept because a system may delete everything. Text is strict UTF-8; a byte order
mark at the start of a file is skipped.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import IO, cast

from geceval._kernel import LineCutter, Text
from geceval.text.corpus import Lines
from geceval.text.files import PathLike, open_bytes, read_errors, text_errors

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

    def take(self, most: int) -> Text:
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

    def parts(self, size: int) -> Iterator[Text]:
        """Yield the remaining lines, ``size`` at a time."""
        while lines := self.take(size):
            yield lines


def read_lines(path: PathLike, *, tracked: bool = True) -> Lines:
    """Return the lines of a text file as the kernel's ``Text``.

    Args:
        path: the file, plain or compressed; ``-`` is standard input.
        tracked: see files.open_bytes.

    Raises:
        InputError: for invalid UTF-8 and for a NUL byte (names line and byte offset), and as files.open_bytes.
    """
    with open_bytes(path, tracked=tracked) as stream:
        return cast(Lines, LineReader(path, stream).take(ALL))


def line_parts(path: PathLike, size: int) -> Iterator[Text]:
    """Yield the lines of a text, ``size`` at a time. Errors: see read_lines."""
    with open_bytes(path) as stream:
        yield from LineReader(path, stream).parts(size)
