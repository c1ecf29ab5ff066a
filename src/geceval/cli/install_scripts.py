"""``geceval install-scripts DIR``: the public tools' commands under their own names."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

from geceval.base.errors import GecevalWarning
from geceval.cli.common import add_quiet
from geceval.cli.dropin import DROPINS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", type=_folder, help="where to, such as ~/.local/bin or .venv/bin")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=[*DROPINS],
        default=[*DROPINS],
        metavar="COMMAND",
        help=f"some of {', '.join(DROPINS)} (default: all)",
    )
    parser.add_argument("--force", action="store_true", help="overwrite files that are not launchers of geceval")
    add_quiet(parser)
    parser.description = (
        "Write a small program for each of the public tools' commands, so that what calls\nthem by name runs on. They "
        "start the Python that runs this. A file that geceval\ndid not write is not overwritten."
    )
    parser.epilog = "Example:\n  geceval install-scripts ~/.local/bin --only green m2scorer"


def _folder(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("an empty name is no folder; . is this one")
    return Path(text)


def run(args: argparse.Namespace) -> None:
    from geceval.cli.dropin.launchers import install

    paths = install(args.folder, list(dict.fromkeys(args.only)), force=args.force)
    if not args.quiet:
        print(f"{args.folder}: {', '.join(path.stem for path in paths)}", file=sys.stderr)
        _warn_of_others(paths)


def _warn_of_others(paths: Sequence[Path]) -> None:
    """Where a shell would not find what was written."""
    folder = paths[0].parent.resolve()
    if folder not in (Path(entry).resolve() for entry in os.environ.get("PATH", "").split(os.pathsep) if entry):
        warnings.warn(GecevalWarning(f"{folder}: not on the PATH, so that the shell does not look there"), stacklevel=2)
        return
    for path in paths:
        found = shutil.which(path.stem)
        if found is not None and Path(found).resolve() != path.resolve():
            warnings.warn(GecevalWarning(f"{path.stem}: the shell finds {found} first"), stacklevel=2)
