"""``geceval data``: identify published corpora and check their content."""

from __future__ import annotations

from geceval.base.errors import BelowTheBarError, InputError
from geceval.base.requests import CommandRequest, option
from geceval.cli.options import FormatOption, QuietOption
from geceval.cli.output import write_report
from geceval.cli.parsing import Command
from geceval.cli.stderr import quantity
from geceval.report.comparisons.known_files_report import found_files_report, known_files_report
from geceval.studies.suites.known_files import check_folder, known_files


class DataListRequest(QuietOption, FormatOption, CommandRequest):
    """The output of the list."""


class DataCheckRequest(DataListRequest):
    """The folder to check."""

    folder: str = option(required=True, metavar="FOLDER")


def check_data(request: DataCheckRequest) -> None:
    """Write the name and the state of each known file.

    Raises:
        InputError: A file cannot be read.
        BelowTheBarError: A file differs from the published one.
    """
    found = check_folder(request.folder)
    write_report(request.target, found_files_report(found, request.folder), request.written_format)
    unreadable = sum(one.state == "unreadable" for one in found)
    if unreadable:
        raise InputError(f"{quantity(unreadable, 'file')} cannot be read", path=request.folder)
    off = sum(one.state in ("same", "off") for one in found)
    if off:
        raise BelowTheBarError(f"{off} known file{'s are' if off > 1 else ' is'} not as published")


def list_data(request: DataListRequest) -> None:
    """Write the known files."""
    write_report(request.target, known_files_report(list(known_files().values())), request.written_format)


COMMAND = {"check": Command(DataCheckRequest, check_data), "list": Command(DataListRequest, list_data)}
