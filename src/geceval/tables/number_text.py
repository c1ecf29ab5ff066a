"""Numbers as text: rounded scores, differences, intervals and p-values."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal

import numpy as np
from numpy.typing import NDArray

#: Text for a number that has no value, such as precision where nothing is proposed.
UNDEFINED = "–"
#: Precision that is sufficient for any double with any number of decimals.
_WIDE = Context(prec=400)


def round_half_up(value: float, digits: int) -> str:
    """Return a number with ``digits`` decimals, rounded half up.

    The shortest decimal form of the number is rounded: 2.675 becomes 2.68. The text has no decimal point for 0 digits;
    infinities and NaN are spelled out.
    """
    number = Decimal(repr(float(value)))
    if not number.is_finite():
        return str(float(value))
    return f"{number.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP, context=_WIDE):f}"


#: Maximum number of decimals: 17 digits distinguish all doubles.
MOST_DIGITS = 17


def round_in_order(number: Decimal, digits: int, neighbour: Decimal) -> str:
    """Return a number rounded so that its order relative to a neighbour is kept; UNDEFINED for NaN.

    The text has ``digits`` decimals, and more if rounding would change the order.
    """
    if number.is_nan():
        return UNDEFINED
    for decimals in range(digits, MOST_DIGITS):
        text = round_half_up(float(number), decimals)
        same_side = Decimal(text).compare(neighbour) == number.compare(neighbour)
        if neighbour.is_nan() or number == neighbour or same_side:
            return text
    return plain(number)


def plain(number: Decimal) -> str:
    """Return a number as text without exponent."""
    return f"{number:f}"


def shown(value: float, digits: int, in_percent: bool = True) -> str:
    """Return a score as tables show it: times 100 if ``in_percent``, UNDEFINED for NaN."""
    if value != value:
        return UNDEFINED
    return percent(value, digits) if in_percent else round_half_up(value, digits)


def percent(value: float, digits: int) -> str:
    """Return a score in [0, 1] times 100, rounded half up."""
    return round_half_up(100 * value, digits)


def with_minus(number: str) -> str:
    """Return a printed number with the sign − instead of -; zero has no sign."""
    if number.startswith("-"):
        return number[1:] if not number.strip("-0.") else f"−{number[1:]}"
    return number


def signed(number: str) -> str:
    """Return a printed difference with its sign; zero has no sign."""
    printed = with_minus(number)
    return printed if printed.startswith("−") or printed == UNDEFINED or not printed.strip("0.") else f"+{printed}"


def interval(low: float, high: float, digits: int) -> str:
    """Return an interval as text: [−0.25, 1.50]; UNDEFINED for NaN."""
    if low != low:
        return UNDEFINED
    return f"[{with_minus(round_half_up(low, digits))}, {with_minus(round_half_up(high, digits))}]"


def from_to(low: float, high: float, digits: int) -> str:
    """Return a range as text: 0.25 to 1.50; UNDEFINED for NaN."""
    return UNDEFINED if low != low else f"{round_half_up(low, digits)} to {round_half_up(high, digits)}"


def p_value(p: float) -> str:
    """Return a p-value in the form of papers: .003, <.001; UNDEFINED for NaN."""
    if p != p:
        return UNDEFINED
    if p < 0.001:
        return "<.001"
    return "1" if p >= 0.9995 else f"{p:.3f}".removeprefix("0")


#: Below this number the distance to the next half is sufficiently exact.
_SMALL = 1e8
#: Distance from a half below which ``round_half_up`` rounds.
_NEAR = 1e-6


def all_shown(values: Sequence[float] | NDArray[np.float64], digits: int, in_percent: bool = True) -> list[str]:
    """Return ``shown`` of each value [S], ten times as fast, and ``nan`` for NaN, as programs read it.

    The results of printf are used except near halves, where they differ.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        numbers = np.asarray(values, dtype=np.float64) * (100 if in_percent else 1)
        scaled = np.abs(numbers) * 10.0**digits
        plain = (scaled < _SMALL) & (np.abs(scaled % 1 - 0.5) > _NEAR)  # False for NaN
    texts = (f"%.{digits}f\n" * len(numbers) % tuple(numbers.tolist())).split("\n")[:-1]
    for index in np.flatnonzero(~plain).tolist():
        texts[index] = round_half_up(numbers[index], digits)
    return texts


def confidence(alpha: float) -> str:
    """Return the coverage of an interval as text: 95 %."""
    return f"{100 * (1 - alpha):g} %"
