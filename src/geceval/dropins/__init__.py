"""The public tools' commands, with their flags and output.

docs/compat.md lists the differences.
"""

from __future__ import annotations

_COMMANDS = {
    "ngrams": ("green", "sgreen", "mgreen", "gleu", "sgleu", "mgleu"),
    "m2scorer": ("m2scorer",),
    "errant": ("errant_parallel", "errant_m2", "errant_compare", "cherrant_compare"),
}
#: Command -> (module, function that takes the arguments and the name to print in the usage line).
DROPINS = {name: (f"geceval.dropins.{module}", name) for module, names in _COMMANDS.items() for name in names}
