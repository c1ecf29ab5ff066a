"""Options that the actions of ``geceval m2`` share."""

from __future__ import annotations

from typing import Any

from geceval.base.arguments import PLACES, Bounds
from geceval.base.requests import OptionGroup, option
from geceval.cli.options import TargetOption
from geceval.text.files import check_standard_input


def files_argument(help: str) -> Any:
    """Return the argument that names the files to read."""
    return option(required=True, help=help, reads_file=True)


def list_option(*flags: str, metavar: str, help: str, bounds: Bounds | None = None) -> Any:
    """Return an option that takes several values with commas between them."""
    return option(*flags, separator=",", repeatable=True, metavar=metavar, help=help, bounds=bounds)


def annotators_option(help: str) -> Any:
    """Return the option that names several annotators by their ids."""
    return list_option("-a", "--annotators", metavar="ID,…", help=help, bounds=PLACES)


class FileArgument(OptionGroup):
    """One M2 file."""

    file: str = option(required=True, help="an M2 file, plain or compressed; - is standard input", reads_file=True)


class FilesArgument(OptionGroup):
    """M2 files."""

    files: tuple[str, ...] = files_argument("M2 files, plain or compressed; - is standard input")

    def check(self) -> None:
        super().check()
        check_standard_input(self.files)


class M2TargetOption(TargetOption):
    """The output of M2."""

    formats = ("m2",)


class ForceOption(OptionGroup):
    """Overwriting of existing files."""

    force: bool = option("--force", help="overwrite existing files, if several are written", effect="files")
