"""Options that the actions of ``geceval m2`` share."""

from __future__ import annotations

from typing import Any

from geceval.base.arguments import PLACES
from geceval.base.requests import OptionGroup, option
from geceval.cli.options import TargetOption
from geceval.text.files import check_standard_input

#: Options that several actions have.
FILES: Any = option(required=True, reads_file=True)
ANNOTATORS: Any = option("-a", "--annotators", separator=",", repeatable=True, metavar="ID,…", bounds=PLACES)


class FileArgument(OptionGroup):
    """One M2 file."""

    file: str = option(required=True, reads_file=True)


class FilesArgument(OptionGroup):
    """M2 files."""

    files: tuple[str, ...] = FILES

    def check(self) -> None:
        super().check()
        check_standard_input(self.files)


class M2TargetOption(TargetOption):
    """The output of M2."""

    formats = ("m2",)
