"""``geceval install-scripts DIR``: the public tools' commands under their own names."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, option
from geceval.cli.dropin import DROPINS
from geceval.cli.dropin.launchers import install
from geceval.cli.options import QuietOption
from geceval.cli.parsing import Command
from geceval.cli.stderr import warn

EXAMPLES = """\
Write a small program for each of the public tools' commands, so that what calls
them by name runs on. They start the Python that runs this. A file that geceval
did not write is not overwritten.

Example:
  geceval install-scripts ~/.local/bin --only green m2scorer
"""


class InstallScriptsRequest(QuietOption, CommandRequest):
    """The folder, and the commands to install there."""

    folder: str = option(required=True, metavar="DIR", help="the folder, such as ~/.local/bin or .venv/bin")
    only: tuple[str, ...] = option(
        "--only",
        nargs="+",
        choices=DROPINS,
        default=tuple(DROPINS),
        metavar="COMMAND",
        help=f"some of {', '.join(DROPINS)} (default: all)",
    )
    force: bool = option("--force", help="overwrite files that are not launchers of geceval")

    def check(self) -> None:
        if not self.folder:
            raise UsageError("an empty name is no folder; . is this one")


def run(request: InstallScriptsRequest) -> None:
    """Write the launchers. Warn if the shell would not find them."""
    folder = Path(request.folder)
    paths = install(folder, list(dict.fromkeys(request.only)), force=request.force)
    if not request.quiet:
        print(f"{folder}: {', '.join(path.stem for path in paths)}", file=sys.stderr)
        _warn_of_others(paths)


def _warn_of_others(paths: Sequence[Path]) -> None:
    """Warn of a folder that is not on the PATH, or of other programs of these names before it."""
    folder = paths[0].parent.resolve()
    if folder not in (Path(entry).resolve() for entry in os.environ.get("PATH", "").split(os.pathsep) if entry):
        warn(f"{folder}: not on the PATH, so that the shell does not look there")
        return
    for path in paths:
        found = shutil.which(path.stem)
        if found is not None and Path(found).resolve() != path.resolve():
            warn(f"{path.stem}: the shell finds {found} first")


COMMAND = Command(InstallScriptsRequest, run, EXAMPLES)
