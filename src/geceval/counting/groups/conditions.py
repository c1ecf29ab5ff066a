"""Conditions on scores, as people write them: ``green >= 0.9 and errant.precision > 50%``.

Conditions are joined by ``and``; each is a name, one of ``<``, ``<=``, ``>``, ``>=``, and a number. Numbers are raw, as
in JSON: 0.9, or 90% for the same. What names mean is not known here.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from geceval.base.errors import UsageError

ORDERS: dict[str, Callable[[Any, float], Any]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
_ORDER = re.compile("<=|>=|<|>")
_AND = re.compile(r"(?<!\S)and(?!\S)", re.IGNORECASE)
_NUMBER = re.compile(r"([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]{1,3})?)(%?)", re.IGNORECASE)


@dataclass(frozen=True)
class Condition:
    """``name order bound``, of which the name begins at ``at`` in the text."""

    name: str
    order: str
    bound: float
    percent: bool
    at: int

    def holds(self, values: Any) -> Any:
        """Where it does, [S]; nowhere for what is not a number."""
        return ORDERS[self.order](values, self.bound)


def conditions(text: str) -> list[Condition]:
    """The conditions that a text says, all of which must hold. Raises UsageError that points at what is wrong."""
    return [_condition(text, start, end) for start, end in _pieces(text)]


def fault(text: str, start: int, end: int, message: str, hint: str | None = None) -> UsageError:
    """The error that shows the text with carets under a piece of it."""
    shown = "".join(sign if sign.isprintable() else " " for sign in text)
    return UsageError(f"{message}\n  {shown}\n  {' ' * start}{'^' * max(1, end - start)}", hint=hint)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Where the conditions stand, between ``and``, without the blanks around them."""
    start = 0
    for stop, after in [*(found.span() for found in _AND.finditer(text)), (len(text), len(text))]:
        piece = text[start:stop]
        if not piece.strip():
            raise fault(text, stop, after, "a condition is missing here", "such as green >= 0.9")
        first = start + len(piece) - len(piece.lstrip())
        yield first, first + len(piece.strip())
        start = after


def _condition(text: str, start: int, end: int) -> Condition:
    piece = text[start:end]
    orders = list(_ORDER.finditer(piece))
    if not orders:
        raise fault(text, start, end, f"a condition compares by one of {', '.join(ORDERS)}", "such as green >= 0.9")
    [order, *more] = orders
    other = re.search(r"(?<!\S)(or|not)(?!\S)|&+|\|+", piece, re.IGNORECASE)
    if other is not None:
        raise fault(text, start + other.start(), start + other.end(), "conditions are joined by 'and' alone")
    if more:
        at = start + more[0].start(), start + more[0].end()
        raise fault(text, *at, "one comparison at a time", "such as green > 0.5 and green < 0.9")
    name, number = piece[: order.start()].rstrip(), piece[order.end() :].lstrip()
    if not name:
        raise fault(
            text, start, start + order.end(), "the name of a metric is missing before this", "such as green >= 0.9"
        )
    value = _NUMBER.fullmatch(number)
    if value is None:
        swapped = "the metric comes first: green >= 0.9" if _NUMBER.fullmatch(name) else None
        raise fault(
            text, end - len(number), end, "a number is needed here" if number else "a number is missing here", swapped
        )
    bound = float(Decimal(value[1]) / (100 if value[2] else 1))
    if not math.isfinite(bound):
        raise fault(text, end - len(number), end, "a number is needed here that is not beyond all others")
    return Condition(name, order.group(), bound, bool(value[2]), start)
