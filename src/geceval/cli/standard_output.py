"""Standard output for a whole command: failures are errors for people, and everything is written at the end."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Any, TextIO, cast

from geceval.base.errors import InputError
from geceval.base.output_files import write_errors


class _StandardOutput:
    """Standard output, whose failures are errors for people."""

    NAME = "standard output"

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with write_errors(self.NAME):
            return self._stream.write(text)

    def flush(self) -> None:
        with write_errors(self.NAME):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def standard_output() -> Iterator[None]:
    """All that is printed within is written at the end. Raises InputError if it cannot be, and BrokenPipeError if
    nobody reads it; it is then given up, so that Python does not complain once more at exit."""
    stream = sys.stdout
    guarded = _StandardOutput(stream)
    with contextlib.redirect_stdout(cast(TextIO, guarded)):
        try:
            try:
                yield
            finally:
                guarded.flush()
        except (BrokenPipeError, InputError) as error:
            if isinstance(error, BrokenPipeError) or error.path == guarded.NAME:
                _given_up(stream)
            raise


def _given_up(stream: TextIO) -> None:
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
