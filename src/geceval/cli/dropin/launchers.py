"""Small programs named as the public tools' commands; each starts one of ours with the Python that wrote it."""

from __future__ import annotations

import os
import shlex
import stat
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from geceval.base.errors import InputError, UsageError
from geceval.base.output_files import replacement, write_errors

#: A line that only launchers of ours have: they may be overwritten.
MARK = "# written by geceval install-scripts"
_PROGRAM = f"""{MARK}
import sys

from geceval.cli.main import dropin

sys.exit(dropin("{{name}}"))
"""


def install(folder: Path, names: Sequence[str], *, force: bool = False, windows: bool | None = None) -> list[Path]:
    """Writes the launchers of these commands, all or, where one cannot be, none; returns their paths.

    The folder is made if need be. ``windows``: .cmd files (default: as this system has it). InputError if a file of
    that name is not a launcher of ours, unless ``force``, or cannot be written.
    """
    windows = os.name == "nt" if windows is None else windows
    texts = {folder / (f"{name}.cmd" if windows else name): launcher(name, sys.executable, windows) for name in names}
    for path in texts:
        if path.is_dir() and not path.is_symlink():
            raise InputError("it is a folder", path=path, hint="another folder, or --only for some of the commands")
        if not force and os.path.lexists(path) and not _ours(path):
            hint = "another folder, --only for some of the commands, or --force to overwrite it"
            raise InputError("it is there already and not a launcher of geceval", path=path, hint=hint)
    with write_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():  # under its name only when it is whole and may be run
        with write_errors(path), replacement(path, follow_link=False) as part:
            part.write_text(text, encoding="utf-8")
            part.chmod(stat.S_IRWXU | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH)
    return list(texts)


def launcher(name: str, python: str, windows: bool) -> str:
    """The text of a launcher. UsageError where the path of the interpreter cannot stand in it."""
    if not python or set(python) & set('\n"%' if windows else "\n\\"):
        raise UsageError(f"the path of this Python cannot stand in a script: {python!r}")
    # Both are a script of the shell that starts Python on the same file, which reads on below: a line beginning with
    # #! allows neither blanks nor long paths.
    if windows:
        head = f'@"{python}" -x "%~f0" %* & exit /b\n'
    else:
        head = f"#!/bin/sh\n'''exec' {shlex.quote(python)} \"$0\" \"$@\"\n'''\n"
    return head + _PROGRAM.format(name=name)


def _ours(path: Path) -> bool:
    with suppress(OSError), path.open("rb") as file:
        return f"\n{MARK}\n".encode() in file.read(4096).replace(b"\r\n", b"\n")
    return False
