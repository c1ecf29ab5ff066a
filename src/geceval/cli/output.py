"""Formats of ``--output``, and writing of reports and records."""

from __future__ import annotations

import contextlib
import io
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TextIO

from geceval.base.errors import UsageError
from geceval.base.output_files import replacement, write_errors
from geceval.base.registry import table_rows
from geceval.cli.stderr import note
from geceval.tables.report import Report, render, writer
from geceval.text.files import compressed, is_compressed, unpacked_name

#: Endings of files, and their formats.
ENDINGS: Mapping[str, Sequence[str]] = {
    ending: formats.split() for ending, formats in table_rows(Path(__file__).with_name("endings.tsv"))
}


#: Endings of files in the default format, or in the one that is given.
UNSPECIFIC = frozenset({"", ".txt", ".out", ".log"})


def format_of(target: str | None, given: str | None, formats: Sequence[str], option: str = "--format") -> str:
    """Return the format of the output of a command.

    The ending of the file determines the format. A file without an ending, or with one of UNSPECIFIC, has the format
    ``given``, or the default. Another ending requires ``given`` if the command writes several formats.

    Args:
        target: Output file; None or ``-`` is standard output.
        given: Value of the option for the format, if any.
        formats: Formats that the command writes, the default first.
        option: Name of the option for the format.

    Raises:
        UsageError: If the ending contradicts ``given``, belongs to another format, or is unknown.
        MissingExtraError: If the compression requires a package that is not installed.
    """
    if target is None:
        return given or formats[0]
    is_compressed(target)
    ending = Path(unpacked_name(target)).suffix.lower()
    if ending in UNSPECIFIC or (ending not in ENDINGS and (given is not None or len(formats) == 1)):
        return given or formats[0]
    own = [format for format in formats if format in ENDINGS.get(ending, ())]
    if not own:
        plain = [f".txt ({formats[0]})"] if formats[0] and not _endings(formats[:1]) else []
        hint = f"endings of this command: {', '.join([*_endings(formats), *plain])}"
        hint += "" if ending in ENDINGS else f"; any other with {option}"
        raise UsageError(f"--output {target}: this command does not write {ending} files", hint=hint)
    if given is not None and given not in own:
        better = ", ".join(_endings([given])) or "another ending"
        message = f"--output {target} and {option} {given} contradict each other"
        raise UsageError(message, hint=f"{better} for {given}, or no {option}")
    return given or own[0]


def _endings(formats: Sequence[str]) -> list[str]:
    """Return the endings of files in these formats."""
    return [ending for ending, held in ENDINGS.items() if set(held) & set(formats)]


def terminal_width(target: str | None) -> int | None:
    """Return the width of the terminal in columns; None for a file or a pipe."""
    if target not in (None, "-") or not sys.stdout.isatty():
        return None
    import shutil  # as in stderr.py

    return shutil.get_terminal_size().columns


def write_text(target: str | None, text: str) -> None:
    """Write to a file or standard output."""
    with writing(target) as out:
        out.write(text)


def text_of(report: Report, format: str, target: str | None, digits: int = 2) -> str:
    """Return a report in a format, for the width of the terminal that receives it."""
    return render(report, format, digits, terminal_width(target))


def write_report(target: str | None, report: Report, output: str, digits: int = 2) -> None:
    """Write a report in one of FORMATS, or its view ("text")."""
    if output != "text" or report.view is None:
        write_text(target, text_of(report, output, target, digits))
        return

    width = terminal_width(target)
    with writing(target) as out:
        writer("text")(report.view(digits, width is not None), out, digits, width)


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
        target = Path(path) if _is_device(Path(path)) else stack.enter_context(replacement(path, keep=_name_partial))
        raw = stack.enter_context(target.open("wb"))
        yield raw if plain else stack.enter_context(compressed(raw, path))


def _name_partial(partial: Path) -> None:
    note(f"{partial} contains the output so far")


def _is_device(target: Path) -> bool:
    """Return whether the path names something other than a file.

    Raises:
        OSError: The path cannot be a file.
    """
    try:
        return not stat.S_ISREG(target.stat().st_mode)
    except FileNotFoundError:
        return False
