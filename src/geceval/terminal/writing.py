"""Writing to standard output and to files, which are replaced when they are complete."""

from __future__ import annotations

import contextlib
import io
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TextIO

from geceval.base.output_files import replacement, write_errors
from geceval.terminal.messages import say
from geceval.text.files import compressed


def write_text(target: str | None, text: str) -> None:
    """Write to a file or standard output."""
    with writing(target) as out:
        out.write(text)


@contextlib.contextmanager
def writing(path: str | None, *, plain: bool = False) -> Iterator[TextIO]:
    """Yield standard output (None or ``-``) or a text file: see writing_bytes.

    ``output_files.standard_output`` reports the errors of standard output.
    """
    if path is None or path == "-":
        yield sys.stdout
        return
    with writing_bytes(path, plain=plain) as raw, text_stream(raw) as out:
        yield out


def text_stream(raw: IO[bytes]) -> TextIO:
    """Return a text stream that writes UTF-8 to ``raw``."""
    return io.TextIOWrapper(raw, encoding="utf-8", errors="surrogateescape", newline="\n")


@contextlib.contextmanager
def writing_bytes(path: str, *, plain: bool = False) -> Iterator[IO[bytes]]:
    """Yield a file that replaces the target when it is complete.

    If the block raises, the incomplete file is kept and named on stderr. Its ending determines the compression unless
    ``plain``. A device or a pipe is written to directly.

    Raises:
        InputError: The file cannot be written.
    """
    with write_errors(path), contextlib.ExitStack() as stack:
        target = Path(path) if is_device(Path(path)) else stack.enter_context(replacement(path, keep=_name_partial))
        raw = stack.enter_context(target.open("wb"))
        yield raw if plain else stack.enter_context(compressed(raw, path))


def _name_partial(partial: Path) -> None:
    say(f"note: {partial} contains the output so far")  # also if quiet, since it belongs to an error


def is_device(target: Path) -> bool:
    """Return whether the path names something other than a file.

    Raises:
        OSError: The path cannot be a file.
    """
    try:
        return not stat.S_ISREG(target.stat().st_mode)
    except FileNotFoundError:
        return False
