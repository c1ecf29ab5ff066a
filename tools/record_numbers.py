"""Record the output of commands, so that a number that moves between two commits fails a test.

    tools/record_numbers.py

tests/recorded_numbers.txt has the folders (``# examples``, or ``# data/…`` for the corpora outside the project), the
commands (``$ geceval …``) and their output; long output is recorded as a checksum. This tool writes the output again.
Say in CHANGELOG.md why a number has moved.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("GECEVAL_SHARED", ROOT.parent / "shared"))
RECORD = ROOT / "tests" / "recorded_numbers.txt"
#: Longer output, in characters, is recorded as a checksum.
LONG = 5000


@dataclass(frozen=True)
class RecordedCommand:
    """A command, the folder it runs in, and its output."""

    folder: str
    command: str
    output: str

    @property
    def path(self) -> Path:
        """The folder's path."""
        return (SHARED if self.folder.startswith("data/") else ROOT) / self.folder

    @property
    def arguments(self) -> list[str]:
        """The arguments after ``geceval``."""
        return shlex.split(self.command)[1:]


def read_record() -> Iterator[RecordedCommand]:
    """Yield the recorded commands."""
    for section in ("\n" + RECORD.read_text(encoding="utf-8")).split("\n# ")[1:]:
        folder, *commands = section.split("\n$ ")
        for text in commands:
            command, _, output = text.partition("\n")
            yield RecordedCommand(folder.strip(), command, output.strip("\n"))


def shortened(output: str) -> str:
    """Return output as it is recorded."""
    checksum = hashlib.sha256(output.encode()).hexdigest()[:16]
    return output.strip("\n") if len(output) <= LONG else f"{output.count(chr(10))} lines, sha256 {checksum}…"


def main() -> None:
    """Run all commands and write the record."""
    lines, folder = [], ""
    for recorded in read_record():
        command = [sys.executable, "-m", "geceval", *recorded.arguments]
        output = subprocess.run(command, cwd=recorded.path, capture_output=True, check=True).stdout.decode()
        lines += [] if recorded.folder == folder else ["", f"# {recorded.folder}"]
        lines += [f"$ {recorded.command}", shortened(output)]
        folder = recorded.folder
    RECORD.write_text("\n".join(lines[1:]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
