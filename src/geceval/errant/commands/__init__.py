"""``errant.commands``: the commands as modules, with the functions that scripts use."""

from __future__ import annotations

import sys
from pathlib import Path

from geceval.dropins import dropin


def run(name: str) -> None:
    """Run a command with the arguments of the command line; exit if it fails."""
    if status := dropin(name, prog=Path(sys.argv[0]).name):
        sys.exit(status)
