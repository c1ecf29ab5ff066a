"""The public tools' commands with their flags and their output; what differs is listed in docs/compat.md."""

from __future__ import annotations

#: Command -> (module, function that takes the arguments and the name to print in the usage line).
DROPINS: dict[str, tuple[str, str]] = {
    "green": ("geceval.cli.dropin.green", "green"),
    "sgreen": ("geceval.cli.dropin.green", "sgreen"),
    "mgreen": ("geceval.cli.dropin.green", "mgreen"),
    "gleu": ("geceval.cli.dropin.gleu", "gleu"),
    "sgleu": ("geceval.cli.dropin.gleu", "sgleu"),
    "mgleu": ("geceval.cli.dropin.gleu", "mgleu"),
    "m2scorer": ("geceval.cli.dropin.m2scorer", "m2scorer"),
    "errant_parallel": ("geceval.cli.dropin.errant", "errant_parallel"),
    "errant_m2": ("geceval.cli.dropin.errant", "errant_m2"),
    "errant_compare": ("geceval.cli.dropin.errant", "errant_compare"),
    "cherrant_compare": ("geceval.cli.dropin.cherrant", "cherrant_compare"),
}
