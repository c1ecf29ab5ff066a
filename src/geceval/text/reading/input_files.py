"""Files as their bytes or lines, from the start any number of times."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import IO

from geceval.base.errors import InputError
from geceval.base.hints import AnyHint
from geceval.text.columns import CompleteText
from geceval.text.files import (
    as_utf8,
    current_encoding,
    display_name,
    is_read_once,
    open_raw,
    path_text,
    read_errors,
    unpacked,
)
from geceval.text.reading.lines import LineReader, Pipe, WithoutReturns


@dataclass(frozen=True, eq=False)
class InputFile:
    """A file that formats read any number of times, and its name in messages.

    ``-`` is standard input. Standard input and pipes are stored while they are read.
    """

    path: str
    #: The encoding of a file that is not UTF-8.
    encoding: str | None = field(default_factory=current_encoding)

    @property
    def name(self) -> str:
        """The name in messages."""
        return display_name(self.path)

    @cached_property
    def _pipe(self) -> Pipe | None:
        return Pipe(self.path) if is_read_once(path_text(self.path)) else None

    @contextlib.contextmanager
    def open(self, *, packed: bool = False) -> Iterator[IO[bytes]]:
        """Yield the bytes from the start, decompressed unless ``packed``.

        Raises InputError, also while reading.
        """
        with read_errors(self.path), contextlib.ExitStack() as stack:
            raw = stack.enter_context(open_raw(self.path) if self._pipe is None else self._pipe.open())
            yield raw if packed else as_utf8(stack.enter_context(unpacked(raw)), self.path, self.encoding)

    def lines(self, size: int, separators: str = "") -> Iterator[CompleteText]:
        """Yield the lines of text from the start, ``size`` at a time.

        Carriage returns before these separators are left out. Raises the errors of lines.read_lines.
        """
        with self.open() as stream:
            content = io.BufferedReader(WithoutReturns(stream, separators), 1 << 18) if separators else stream
            yield from LineReader(self.path, content).parts(size)

    def error(self, message: str, line: int | None = None, hint: AnyHint | None = None) -> InputError:
        """Return an error about the file, or about a line of it, counted from 1."""
        return InputError(message, path=self.name, line=line, hint=hint)
