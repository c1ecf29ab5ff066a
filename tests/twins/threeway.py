"""Three-way alignment, slow and plain: the cheapest columns, and among equals what the trace back prefers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

#: Of which of source, hypothesis and reference a column has a token, in the order in which columns are preferred.
STEPS = [(1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
#: The same for two.
PAIRS = [(1, 1), (1, 0), (0, 1)]

Column = tuple[str, ...]


def cost(column: Column) -> int:
    """Gaps are empty."""
    return sum(0 if a == b else 3 if a and b else 2 for a, b in combinations(column, 2))


def aligned(sequences: Sequence[Sequence[str]], steps: Sequence[tuple[int, ...]]) -> list[Column]:
    def column(ends: tuple[int, ...], step: tuple[int, ...]) -> Column:
        return tuple(own[end - 1] if one else "" for own, end, one in zip(sequences, ends, step, strict=True))

    @cache
    def best(ends: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        found = (0, ends) if not any(ends) else (10**9, ends)
        for step in steps:
            before = tuple(end - one for end, one in zip(ends, step, strict=True))
            if min(before) >= 0:
                total = best(before)[0] + cost(column(ends, step))
                if total < found[0]:
                    found = total, step
        return found

    ends, columns = tuple(map(len, sequences)), []
    while any(ends):
        step = best(ends)[1]
        columns.append(column(ends, step))
        ends = tuple(end - one for end, one in zip(ends, step, strict=True))
    return columns[::-1]


def three_way(source: Sequence[str], hypothesis: Sequence[str], reference: Sequence[str]) -> list[Column]:
    """The columns (source, hypothesis, reference); of two equal ones that are not hypothesis and reference, as a
    pair."""
    if source == hypothesis:
        return [(a, a, b) for a, b in aligned([source, reference], PAIRS)]
    if source == reference:
        return [(a, b, a) for a, b in aligned([source, hypothesis], PAIRS)]
    return aligned([source, hypothesis, reference], STEPS)


def kind(column: Column) -> int:
    source, hypothesis, reference = column
    if source == hypothesis:
        return 0 if source == reference else 1
    if source == reference:
        return 2
    return 3 if hypothesis == reference else 4


def tally(source: str, hypothesis: str, reference: str) -> list[int]:
    """Kept, missed, wrong, right, changed; and with the source as hypothesis kept and missed."""
    s, h, r = source.split(), hypothesis.split(), reference.split()
    own = [kind(column) for column in three_way(s, h, r)]
    base = [kind(column) for column in three_way(s, s, r)]
    return [*(own.count(k) for k in range(5)), *(base.count(k) for k in range(2))]
