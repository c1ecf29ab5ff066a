"""Child processes that tests send signals to."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path


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
