"""How bars are written: ``errant=40``, in points."""

from __future__ import annotations

import re
from decimal import Decimal

from geceval.base.arguments import shown
from geceval.base.errors import UsageError

#: What points look like: no exponents, and no more digits than a double tells apart.
_POINTS = re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]{1,17})?")


def bar(text: str) -> tuple[str, Decimal]:
    """Split ``errant=40`` or ``green:beta=0.5=40`` into metric and points. Raises UsageError for anything else."""
    name, equals, number = text.rpartition("=")
    if not (name and equals):
        raise UsageError(f"{text!r} is not a metric with a bar, such as errant=40")
    return name, points(number)


def points(text: str) -> Decimal:
    """Return a number on the scale that tables have. Raises UsageError unless it is written as one."""
    if not _POINTS.fullmatch(text):
        raise UsageError(f"{shown(text)} is not a number of points, such as 40 or 0.5")
    return Decimal(text)
