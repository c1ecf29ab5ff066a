"""The number of examples of property tests."""

from __future__ import annotations

import os

#: A desk tries a tenth of the examples; CI and GECEVAL_EXAMPLES=all try all of them.
_SHARE = 1 if os.environ.get("CI") or os.environ.get("GECEVAL_EXAMPLES") == "all" else 10


def examples(number: int) -> int:
    """Return how many of so many examples are tried here."""
    return -(-number // _SHARE)
