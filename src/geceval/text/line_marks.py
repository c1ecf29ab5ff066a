"""Marks of suspicious lines: names and bits, in the order of the kernel."""

from __future__ import annotations

from geceval._kernel import LINE_MARKS

_BITS = {name: 1 << bit for bit, name in enumerate(LINE_MARKS)}


def mark_bits(*names: str) -> int:
    """Return the bits of distinct marks.

    Raises:
        KeyError: If the kernel has no mark of a name.
    """
    return sum(_BITS[name] for name in names)


def mark_names(bits: int) -> list[str]:
    """Return the names of marks by their bits."""
    return [name for name, bit in _BITS.items() if bits & bit]
