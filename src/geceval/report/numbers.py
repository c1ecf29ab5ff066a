"""How numbers are printed."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal

#: Digits enough for any double with any number of decimals.
_WIDE = Context(prec=400)


def round_half_up(value: float, digits: int) -> str:
    """A number with so many decimals, halves rounded up on its shortest decimal form: 2.675 -> 2.68, not 2.67.

    No decimal point for 0 digits; infinities and NaN are spelled out.
    """
    number = Decimal(repr(float(value)))
    if not number.is_finite():
        return str(float(value))
    return str(number.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP, context=_WIDE))


def shown(value: float, digits: int, in_percent: bool = True) -> str:
    """A score as tables have it: as ``percent``, or where the metric says so as it is."""
    return percent(value, digits) if in_percent else round_half_up(value, digits)


def percent(value: float, digits: int) -> str:
    """A score in [0, 1] as the field prints it: times 100, rounded half up."""
    return round_half_up(100 * value, digits)
