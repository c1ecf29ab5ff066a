"""Notes on stderr."""

from __future__ import annotations

import sys


def note(text: str, *, quiet: bool = False) -> None:
    """Print a note on stderr unless ``quiet``."""
    if not quiet:
        print(f"note: {text}", file=sys.stderr)
