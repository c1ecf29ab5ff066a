"""Write files atomically, and report errors of files and standard output."""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TextIO, cast

from geceval.base.errors import InputError

_numbers = itertools.count()


@contextlib.contextmanager
def write_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    """Raise InputError with the path for errors in the block.

    BrokenPipeError passes through.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror or error}", path=path) from None
    except UnicodeEncodeError as error:
        message = f"cannot write: U+{ord(error.object[error.start]):04X} is not text"
        raise InputError(message, path=path) from None


@contextlib.contextmanager
def replacement(path: str | os.PathLike[str], *, follow_link: bool = True) -> Iterator[Path]:
    """Yield the path of a temporary file that replaces the file on success.

    The temporary file is removed if the block raises.

    Args:
        path: the file.
        follow_link: whether to replace the target of a symbolic link and not the link.
    """
    target = Path(os.path.realpath(path) if follow_link else path)
    part = target.with_name(f"{target.name[:40]}.{os.getpid()}.{next(_numbers)}.part")
    try:
        yield part
        part.replace(target)
    finally:
        with contextlib.suppress(OSError):
            part.unlink()


@dataclass(frozen=True)
class _StandardOutput:
    """Standard output whose write errors are InputErrors."""

    NAME: ClassVar[str] = "standard output"

    stream: TextIO

    def write(self, text: str) -> int:
        with write_errors(self.NAME):
            return self.stream.write(text)

    def flush(self) -> None:
        with write_errors(self.NAME):
            self.stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextlib.contextmanager
def standard_output() -> Iterator[None]:
    """Flush the output of the block at its end.

    Standard output is closed after an error, so that Python does not report the same error again at exit.

    Raises:
        InputError: if the output cannot be written.
        BrokenPipeError: if the reader closed the pipe.
    """
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
                with contextlib.suppress(OSError, ValueError):
                    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            raise
