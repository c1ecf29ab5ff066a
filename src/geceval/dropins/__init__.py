"""The public tools' commands, with their flags and output.

docs/other-tools.md lists the differences.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

from geceval.terminal.exit_status import guarded, hints_of_command

_COMMANDS = {
    "green": ("green", "sgreen", "mgreen"),
    "gleu": ("gleu", "sgleu", "mgleu"),
    "m2scorer": ("m2scorer",),
    "errant": ("errant_parallel", "errant_m2", "errant_compare", "cherrant_compare"),
}
#: Command -> (module, function that takes the arguments and the name to print in the usage line).
DROPINS = {name: (f"geceval.dropins.{module}", name) for module, names in _COMMANDS.items() for name in names}


def dropin(name: str, arguments: Sequence[str] | None = None, prog: str | None = None) -> int:
    """Run a public tool's command by its name, and return the exit status.

    Args:
        name: A name of :data:`DROPINS`.
        arguments: The arguments (default: the command line's).
        prog: Name of the program in the usage line (default: ``name``).
    """
    module, function = DROPINS[name]
    words = list(sys.argv[1:] if arguments is None else arguments)

    def run() -> None:
        with hints_of_command(tuple):
            getattr(importlib.import_module(module), function)(words, prog or name)

    return guarded(run)
