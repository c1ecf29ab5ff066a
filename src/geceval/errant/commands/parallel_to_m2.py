"""``errant.commands.parallel_to_m2``: ``errant_parallel``."""

from __future__ import annotations

import argparse

from geceval.dropins.errant import parallel_parser
from geceval.errant.commands import run

__all__ = ["main", "noop_edit", "parse_args"]


def main() -> None:
    """Convert parallel text to M2."""
    run("errant_parallel")


def parse_args() -> argparse.Namespace:
    """Return the arguments of the command line."""
    return parallel_parser().parse_args()


def noop_edit(id: int | str = 0) -> str:
    """Return the line of M2 of an annotator who changes nothing."""
    return f"A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{id}"


if __name__ == "__main__":
    main()
