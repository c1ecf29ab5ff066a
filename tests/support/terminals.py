"""Commands whose stdout and stderr are one terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import termios
from pathlib import Path
from threading import Thread

from support.processes import Forks

#: Colours and other things that a terminal obeys.
CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\r")
#: A line that is erased, or the line above it: states of a bar of progress.
ERASED = re.compile(r"[^\n]*(\n\x1b\[\?25h\r\x1b\[1A|\r)\x1b\[2K")


class Terminal:
    """A terminal of a number of columns."""

    def __init__(self, columns: int = 80) -> None:
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self.device = Path(os.ttyname(self.slave))

    def lines(self, forks: Forks, line: str, folder: Path, err: Path | None = None) -> list[str]:
        """Return what a command leaves there, without colours; ``err``: a file for its stderr."""
        seen: list[bytes] = []
        reader = Thread(target=self._read, args=[seen])
        reader.start()
        forks.run(line, folder, self.device, self.device if err is None else err)
        os.write(self.slave, b"\x04")
        reader.join()
        text = ERASED.sub("", b"".join(seen).decode().removesuffix("\x04"))
        return CONTROL.sub("", text).split("\n")

    def _read(self, seen: list[bytes]) -> None:
        while not seen or not seen[-1].endswith(b"\x04"):
            seen.append(os.read(self.master, 1 << 16))

    def close(self) -> None:
        os.close(self.slave)
        os.close(self.master)
