"""Child processes that tests send signals to, and many that are started at the cost of one."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

#: A process that has imported what every command needs; a child of it becomes ``python -m geceval`` with the words, the
#: folder and the files of stdout and stderr that a line of its input says, and the exit status is a line of its output.
FORKING = """
import json, os, runpy, signal, sys
import numpy
import geceval.app.main
for line in sys.stdin:
    words, folder, *files = json.loads(line)
    child = os.fork()
    if not child:
        os.chdir(folder)
        signal.alarm(60)
        for number, file in enumerate([os.devnull, *files]):
            if file == "closed":
                os.close(number)
                sys.stdout = None
            elif file == "pipe":
                end, begin = os.pipe()
                os.close(end)
                os.dup2(begin, number)
            else:
                os.dup2(os.open(file, os.O_RDWR), number)
        sys.stderr = open(2, "w", 1, closefd=False)  # knows whether this file can be sought in
        sys.argv[1:] = words
        runpy.run_module("geceval", run_name="__main__", alter_sys=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Forks:
    """Runs geceval in processes of their own that need not import it."""

    def __init__(self, *options: str) -> None:
        """``options``: those of Python."""
        command = [sys.executable, *options, "-c", FORKING]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, line: str | Sequence[str], folder: Path, out: Path | str, err: Path) -> int:
        """Return the exit status of a command whose output goes to files, which exist.

        ``out`` may also be "closed" or "pipe", a pipe whose reader is gone.
        """
        words = line.split() if isinstance(line, str) else list(line)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps([words, *map(str, (folder, out, err))]), file=self.process.stdin, flush=True)
        return int(self.process.stdout.readline())

    def close(self) -> None:
        self.process.communicate()


def reset_signals() -> None:
    """Restore the default signal handlers; children of nohup and of background shells inherit ignored ones."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


def start_python(*arguments: object, cwd: Path) -> subprocess.Popen[bytes]:
    """Start Python in a folder; its stderr is a pipe and its stdout is discarded."""
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        cwd=cwd,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=reset_signals,
    )
