"""Notes on stderr."""

from __future__ import annotations

import argparse
import sys


def tell(args: argparse.Namespace, text: str) -> None:
    """A note on stderr, unless it is to be quiet."""
    if not getattr(args, "quiet", False):
        print(f"note: {text}", file=sys.stderr)
