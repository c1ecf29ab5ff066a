"""``geceval install-scripts DIR``: install the public tools' commands as scripts."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, UsageError
from geceval.base.output_files import replacement, write_errors
from geceval.commands.shared.options import Quiet
from geceval.dropins import DROPINS
from geceval.terminal.messages import say
from geceval.text.files import is_folder

#: A line that marks a script of geceval, which may be overwritten.
MARK = "# written by geceval install-scripts"
_PROGRAM = f"""{MARK}
import sys

from geceval.__main__ import dropin

sys.exit(dropin("{{name}}"))
"""


def install_scripts(
    folder: Annotated[str, Parameter(name="DIR", help="target folder, such as ~/.local/bin or .venv/bin")],
    /,
    *,
    only: Annotated[
        tuple[str, ...],
        Parameter(metavar="COMMAND", choices=DROPINS, help=f"install only {', '.join(DROPINS)} (default: all)"),
    ] = (),
    force: Annotated[bool, Parameter(help="overwrite files of other programs")] = False,
    quiet: Quiet = False,
) -> None:
    """Write the scripts, and warn if the shell does not find them.

    Examples:
      geceval install-scripts ~/.local/bin
      geceval install-scripts ~/.local/bin --only green m2scorer

    The scripts run the Python that runs this command. Files of other programs are
    not overwritten.

    documentation: docs/other-tools.md
    """
    if not folder:
        raise UsageError("the name of the folder is empty", hint=". is the current folder")
    paths = install(Path(folder), list(dict.fromkeys(only or DROPINS)), force=force)
    if not quiet:
        say(f"{folder}: {', '.join(path.stem for path in paths)}")
        _warn_of_others(paths)


def _warn_of_others(paths: Sequence[Path]) -> None:
    """Warn of a folder outside the PATH, and of other programs with these names."""
    folder = paths[0].parent.resolve()
    if folder not in (Path(entry).resolve() for entry in os.environ.get("PATH", "").split(os.pathsep) if entry):
        warn(f"{folder} is not on the PATH")
        return
    for path in paths:
        first_on_path = shutil.which(path.stem)
        if first_on_path is not None and Path(first_on_path).resolve() != path.resolve():
            warn(f"{path.stem}: {first_on_path} precedes it on the PATH")


def install(folder: Path, names: Sequence[str], *, force: bool = False) -> list[Path]:
    """Write the scripts of these commands, all or none, and return their paths.

    The folder is made if need be; on Windows the scripts are .cmd files. InputError if a file of that name is not a
    launcher of ours, unless ``force``, or cannot be written.
    """
    windows = os.name == "nt"
    with write_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    texts = {folder / (f"{name}.cmd" if windows else name): launcher(name, sys.executable, windows) for name in names}
    for path in texts:
        if is_folder(path) and not path.is_symlink():
            raise InputError("is a folder", path=path, hint="another folder, or --only for some of the commands")
        if not force and os.path.lexists(path) and not _ours(path):
            hint = "another folder, --only for some of the commands, or --force to overwrite it"
            raise InputError("exists already and is not a script of geceval", path=path, hint=hint)
    for path, text in texts.items():  # under its name only when it is whole and may be run
        with write_errors(path), replacement(path, follow_link=False) as part:
            part.write_text(text, encoding="utf-8")
            part.chmod(stat.S_IRWXU | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH)
    return list(texts)


def launcher(name: str, python: str, windows: bool) -> str:
    """Return the text of a script.

    Raises:
        UsageError: The path of the interpreter is not valid in a script.
    """
    if not python or set(python) & set('\n"%' if windows else "\n\\"):
        raise UsageError(f"the path of the Python interpreter is not valid in a script: {python!r}")
    # Both are a script of the shell that starts Python on the same file, which reads on below: a line beginning with
    # #! allows neither spaces nor long paths.
    if windows:
        head = f'@"{python}" -x "%~f0" %* & exit /b\n'
    else:
        head = f"#!/bin/sh\n'''exec' {shlex.quote(python)} \"$0\" \"$@\"\n'''\n"
    return head + _PROGRAM.format(name=name)


def _ours(path: Path) -> bool:
    with suppress(OSError), path.open("rb") as file:
        return f"\n{MARK}\n".encode() in file.read(4096).replace(b"\r\n", b"\n")
    return False
