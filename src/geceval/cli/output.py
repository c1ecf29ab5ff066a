"""Writing files and standard output; what fails is an error that names the file."""

from __future__ import annotations

import contextlib
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from geceval.base.output_files import replacement, write_errors
from geceval.report.report import render, writer

if TYPE_CHECKING:
    from geceval.report.report import Report


def terminal_width(target: str | None) -> int | None:
    """Return the number of columns of the terminal that output goes to; None if it goes to a file or a pipe."""
    if target not in (None, "-") or not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns


def write_text(target: str | None, text: str) -> None:
    """Write to a file or standard output. Errors: see writing."""
    with writing(target) as out:
        out.write(text)


def text_of(report: Report, format: str, target: str | None, digits: int = 2) -> str:
    """Return a report in a format, as wide as the terminal that it goes to."""
    return render(report, format, digits, terminal_width(target))


def write_report(target: str | None, report: Report, output: str, digits: int = 2) -> None:
    """Write a report in one of FORMATS, or its view ("text"), to a file or standard output. Errors: see writing."""
    if output != "text" or report.view is None:
        write_text(target, text_of(report, output, target, digits))
        return

    width = terminal_width(target)
    with writing(target) as out:
        writer("text")(report.view(digits, width is not None), out, digits, width)


@contextlib.contextmanager
def writing(path: str | None) -> Iterator[TextIO]:
    """Standard output (None or ``-``), or a file that takes its place only when all is written.

    A device or a pipe is written to as it is. Raises InputError if the file cannot be written; standard output says so
    itself, see standard_output.
    """
    if path is None or path == "-":
        yield sys.stdout
        return
    with write_errors(path), contextlib.ExitStack() as stack:
        target = Path(path) if _is_device(Path(path)) else stack.enter_context(replacement(path))
        with target.open("w", encoding="utf-8", errors="surrogateescape", newline="\n") as out:
            yield out


def _is_device(target: Path) -> bool:
    """Return whether the path names something other than a file. Raises OSError where no file can be."""
    try:
        return not stat.S_ISREG(target.stat().st_mode)
    except FileNotFoundError:
        return False
