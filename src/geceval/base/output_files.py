"""Write files atomically, and report errors of files and standard output."""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, TextIO, cast

from geceval.base.errors import InputError

#: Ending of the incomplete file of a run that failed.
PARTIAL = ".partial"
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
        raise not_encodable(error, path) from None


def not_encodable(error: UnicodeEncodeError, path: str | os.PathLike[str]) -> InputError:
    """Return the error for text that UTF-8 cannot encode: a lone surrogate."""
    return InputError(f"cannot write: U+{ord(error.object[error.start]):04X} is not text", path=path)


@contextlib.contextmanager
def replacement(
    path: str | os.PathLike[str], *, follow_link: bool = True, keep: Callable[[Path], None] | None = None
) -> Iterator[Path]:
    """Yield the path of a temporary file that replaces the file on success.

    Args:
        path: The file.
        follow_link: Whether to replace the target of a symbolic link and not the link.
        keep: Called with the path of the incomplete file, ``FILE.partial``, if the block raises after writing. The next
            run replaces this file or removes it. None: the incomplete file is removed.
    """
    target = Path(path)
    if follow_link and target.is_symlink():
        target = Path(os.path.realpath(target))
    temporary = target.with_name(f"{target.name[:40]}.{os.getpid()}.{next(_numbers)}.tmp")
    partial = target.with_name(f"{target.name}{PARTIAL}")
    try:
        yield temporary
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            if keep is not None and temporary.stat().st_size:
                temporary.replace(partial)
                keep(partial)
        raise
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
    if keep is not None:
        with contextlib.suppress(OSError):
            partial.unlink()


def write_cells(out: TextIO, rows: Iterable[Sequence[object]], delimiter: str = ",") -> None:
    """Write rows as CSV or, with quotes, as TSV."""
    plain, quoted = (
        csv.writer(out, delimiter=delimiter, lineterminator="\n", quoting=quoting)
        for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL)
    )
    for row in rows:  # some versions of Python do not quote a carriage return
        (quoted if "\r" in "".join(map(str, row)) else plain).writerow(row)


class _OutputFile(io.FileIO):
    """The file of standard output, whose errors are InputErrors."""

    NAME: ClassVar[str] = "standard output"

    def write(self, data: Any) -> int:
        with write_errors(self.NAME):
            return cast(int, super().write(data))


def open_standard_streams() -> None:
    """Write UTF-8 in every locale, and replace closed standard streams.

    Using a replaced one is an error as with any file.
    """
    for name, flags, mode in (("stdin", os.O_WRONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode))
    # Names of files may be other bytes, which stdout keeps and stderr escapes.
    for stream, errors in ((sys.stdout, "surrogateescape"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)


@contextlib.contextmanager
def standard_output() -> Iterator[None]:
    """Flush the output of the block at its end.

    Standard output is closed after an error, so that Python does not report the same error again at exit.

    Raises:
        InputError: If the output cannot be written.
        BrokenPipeError: If the reader closed the pipe.
    """
    stream, file = sys.stdout, None
    with contextlib.suppress(OSError):  # a stream in memory
        file = _OutputFile(stream.fileno(), "wb", closefd=False)
        buffer, is_terminal = io.BufferedWriter(file), stream.isatty()
        stream = io.TextIOWrapper(buffer, "utf-8", "surrogateescape", line_buffering=is_terminal)
    with contextlib.redirect_stdout(stream):
        try:
            try:
                yield
            finally:
                stream.flush()
        except UnicodeEncodeError as error:
            raise not_encodable(error, _OutputFile.NAME) from None
        except (BrokenPipeError, InputError) as error:
            if file is not None and (isinstance(error, BrokenPipeError) or error.path == file.NAME):
                os.dup2(os.open(os.devnull, os.O_WRONLY), file.fileno())
            raise
