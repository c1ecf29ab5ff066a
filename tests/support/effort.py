"""The number of examples of property tests."""

from __future__ import annotations

import os

#: CI tries all examples, a desk a third of them; GECEVAL_EXAMPLES=all tries all of them here, too.
_SHARE = 1 if os.environ.get("CI") or os.environ.get("GECEVAL_EXAMPLES") == "all" else 3


def examples(number: int) -> int:
    """Return how many of so many examples are tried here."""
    return -(-number // _SHARE)
