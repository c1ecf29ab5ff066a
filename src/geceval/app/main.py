"""``geceval``: the command line.

The modules of commands are imported when they run.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

from geceval._kernel import __version__
from geceval.dropins import DROPINS, dropin
from geceval.terminal.exit_status import guarded


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status.

    The status is 0 on success, 1 if a bar is not kept or a check finds a difference, 2 for wrong usage
    or input, 3 with a traceback for a fault of geceval or of a plug-in, 130 after SIGINT, 143 after SIGTERM.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    words = [*arguments[1:], "--help"] if arguments[:1] in ([], ["help"]) else arguments
    if words == ["--version"]:
        return guarded(partial(print, f"geceval {__version__}"))
    if words and words[0] in DROPINS:
        return dropin(words[0], words[1:], f"geceval {words[0]}")
    return guarded(partial(_run, words))


def _run(words: Sequence[str]) -> None:
    from geceval.commands.command_list import run_command  # with cyclopts, which the public tools' commands do not need

    run_command(words)
