"""How numbers are printed."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Digits enough for any double with any number of decimals.
_WIDE = Context(prec=400)


def round_half_up(value: float, digits: int) -> str:
    """A number with so many decimals, halves rounded up on its shortest decimal form: 2.675 -> 2.68, not 2.67.

    No decimal point for 0 digits; infinities and NaN are spelled out.
    """
    number = Decimal(repr(float(value)))
    if not number.is_finite():
        return str(float(value))
    return f"{number.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP, context=_WIDE):f}"


def shown(value: float, digits: int, in_percent: bool = True) -> str:
    """A score as tables have it: as ``percent``, or where the metric says so as it is."""
    return percent(value, digits) if in_percent else round_half_up(value, digits)


def percent(value: float, digits: int) -> str:
    """A score in [0, 1] as the field prints it: times 100, rounded half up."""
    return round_half_up(100 * value, digits)


#: Up to here the distance to the next half is known to far more digits than are looked at.
_SMALL = 1e8
#: What is nearer to a half than this is rounded by ``round_half_up``.
_NEAR = 1e-6


def all_shown(values: Sequence[float] | NDArray[np.float64], digits: int, in_percent: bool = True) -> list[str]:
    """``shown`` of each of the values [S], in a tenth of the time: printf rounds as we do but for halves."""
    import numpy as np

    with np.errstate(over="ignore", invalid="ignore"):
        numbers = np.asarray(values, dtype=np.float64) * (100 if in_percent else 1)
        scaled = np.abs(numbers) * 10.0**digits
        plain = (scaled < _SMALL) & (np.abs(scaled % 1 - 0.5) > _NEAR)  # False where it is no number
    texts = (f"%.{digits}f\n" * len(numbers) % tuple(numbers.tolist())).split("\n")[:-1]
    for at in np.flatnonzero(~plain).tolist():
        texts[at] = round_half_up(numbers[at], digits)
    return texts
