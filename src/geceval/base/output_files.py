"""Writing files: errors that name the file, and files that are replaced as a whole."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

from geceval.base.errors import InputError

_numbers = itertools.count()


@contextlib.contextmanager
def write_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    """Raise InputError with the path for what fails within; BrokenPipeError stays, since its reader went away."""
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
    """Yield the path of a temporary file that becomes the file when the block ends, and is removed when it raises.

    ``follow_link``: a link stays, and the file that it points to is replaced.
    """
    target = Path(os.path.realpath(path) if follow_link else path)
    part = target.with_name(f"{target.name[:40]}.{os.getpid()}.{next(_numbers)}.part")
    try:
        yield part
        part.replace(target)
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
