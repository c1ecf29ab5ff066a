"""Formats of ``--output`` by its option or its ending."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from geceval.base.errors import UsageError
from geceval.base.package_tables import table_rows
from geceval.tables.report import DEFAULT_PICTURE, Picture, Report, render, rendered_blocks
from geceval.tables.views import print_view
from geceval.terminal.messages import terminal_width
from geceval.terminal.writing import write_text, writing
from geceval.text.files import is_compressed, unpacked_name
from geceval.text.office import SHEET

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
        target: ReportTarget file; None or ``-`` is standard output.
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
    formats_of_ending = [format for format in formats if format in ENDINGS.get(ending, ())]
    if not formats_of_ending:
        plain = [f".txt ({formats[0]})"] if formats[0] and not _endings(formats[:1]) else []
        hint = f"endings of this command: {', '.join([*_endings(formats), *plain])}"
        hint += "" if ending in ENDINGS else f"; any other with {option}"
        raise UsageError(f"--output {target}: this command does not write {ending} files", hint=hint)
    if given is not None and given not in formats_of_ending:
        better = ", ".join(_endings([given])) or "another ending"
        message = f"--output {target} and {option} {given} contradict each other"
        raise UsageError(message, hint=f"{better} for {given}, or no {option}")
    return given or formats_of_ending[0]


def _endings(formats: Sequence[str]) -> list[str]:
    """Return the endings of files in these formats."""
    return [ending for ending, written in ENDINGS.items() if set(written) & set(formats)]


def text_of(report: Report, format: str, target: str | None, digits: int = 2, drawn: Picture = DEFAULT_PICTURE) -> str:
    """Return a report in a format, for the width of the terminal that receives it; ``drawn`` is for pictures."""
    return render(report, format, digits, terminal_width(target), drawn)


class ReportTarget(Protocol):
    """Where a report is written, and in which format."""

    @property
    def target(self) -> str | None:
        """The file; None or ``-`` is standard output."""

    @property
    def written_format(self) -> str:
        """The format."""

    @property
    def drawn(self) -> Picture:
        """The picture in the formats of pictures."""


def write_report(report: Report, output: ReportTarget, digits: int = 2) -> None:
    """Write a report, or its view if the format is "text"."""
    if report.sheets is not None and Path(output.target or "").suffix.lower() == ".xlsx":
        sheets = report.sheets().items()
        texts = (f"{SHEET}{name}\n{rendered_blocks(blocks, 'csv', digits)}" for name, blocks in sheets)
        write_text(output.target, "".join(texts))
        return
    if output.written_format != "text" or report.view is None:
        write_text(output.target, text_of(report, output.written_format, output.target, digits, output.drawn))
        return

    width = terminal_width(output.target)
    with writing(output.target) as out:
        print_view(report.view(digits, width is not None), out, digits, width)
