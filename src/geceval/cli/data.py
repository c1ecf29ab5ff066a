"""``geceval data``: which published files lie in a folder, and are they what they should be?"""

from __future__ import annotations

import argparse

from geceval.base.errors import BelowTheBarError, InputError
from geceval.cli.actions import Action, add_actions
from geceval.cli.common import add_output, add_quiet, terminal_width, write_output
from geceval.report.report import FORMATS, render

EXAMPLES = """\
examples:
  geceval data check ~/corpora
  geceval data check . -f json -o data.json
  geceval data list

Exit status of check: 0 where every known file is as published (unknown ones say nothing), 1 where one is off, 2 where a
file cannot be read. docs/suites.md
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add_actions(parser, ACTIONS)


def run(args: argparse.Namespace) -> None:
    ACTIONS[args.action][2](args)


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-f", "--format", choices=FORMATS, default="table", help="default: table")
    add_output(parser)
    add_quiet(parser)


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="all files in it and below are looked at; none is changed")
    _add_output(parser)


def _check(args: argparse.Namespace) -> None:
    from geceval.report.comparisons.known_files_report import found_files_report
    from geceval.studies.suites.known_files import check_folder

    found = check_folder(args.folder)
    write_output(args, render(found_files_report(found), args.format, width=terminal_width(args)))
    closed = sum(one.state == "unreadable" for one in found)
    if closed:
        raise InputError(f"{closed} file{'s' if closed > 1 else ''} cannot be read", path=args.folder)
    off = sum(one.state in ("same", "off") for one in found)
    if off:
        raise BelowTheBarError(f"{off} known file{'s are' if off > 1 else ' is'} not as published")


def _list(args: argparse.Namespace) -> None:
    from geceval.report.comparisons.known_files_report import known_files_report
    from geceval.studies.suites.known_files import known_files

    report = known_files_report(list(known_files().values()))
    write_output(args, render(report, args.format, width=terminal_width(args)))


ACTIONS: dict[str, Action] = {
    "check": ("recognise known files by checksum, and name what is off with near copies", _add_check, _check),
    "list": ("list the files that are known, and where they are published", _add_output, _list),
}
