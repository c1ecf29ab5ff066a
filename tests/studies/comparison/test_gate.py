"""Scores against bars: exactly, in either direction, and never a pass without a value."""

from __future__ import annotations

import math
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from geceval.report.scores.bar_checks import figure, line, workflow_commands
from geceval.studies.comparison.bars import Check, exact

hundredths = st.integers(0, 10_000)


@given(hundredths, hundredths, st.booleans())
def test_what_stands_at_the_bar_passes_it(value: int, bar: int, higher: bool) -> None:
    """Hundredths of points are told apart exactly, whatever binary fractions make of them."""
    check = Check("s", "M", exact(value / 10_000, in_percent=True), Decimal(bar) / 100, "", higher)
    assert check.kept == (value >= bar if higher else value <= bar)


@given(hundredths, hundredths, hundredths, st.booleans())
def test_a_drop_is_allowed_up_to_its_limit(value: int, before: int, allowed: int, higher: bool) -> None:
    old, new = (exact(score / 10_000, in_percent=True) for score in (before, value))
    check = Check("s", "M", new, old, "", higher, Decimal(allowed) / 100)
    assert check.kept == ((before - value if higher else value - before) <= allowed)


@given(st.floats(allow_infinity=False), st.booleans())
def test_no_value_is_no_pass(bar: float, higher: bool) -> None:
    against = exact(0.0 if math.isnan(bar) else bar, in_percent=False)
    assert not Check("s", "M", exact(math.nan, in_percent=True), against, "", higher).kept
    assert not Check("s", "M", exact(math.nan, in_percent=True), against, "", higher, Decimal(1)).kept


@given(st.floats(0, 100), st.floats(0, 100), st.integers(0, 6))
def test_numbers_look_as_they_compare(value: float, other: float, digits: int) -> None:
    shown = figure(exact(value, False), digits, exact(other, False))
    assert value == other or (Decimal(shown) < exact(other, False)) == (value < other)


def test_many_failures_are_as_many_annotations_as_are_shown() -> None:
    failed = [Check(f"s{at}", "M,1", Decimal(1), Decimal(2), "50%\n") for at in range(30)]
    told = workflow_commands(failed, 2).splitlines()
    assert len(told) == 10
    assert told[0] == "::error title=M%2C1 is not kept::s0: M,1 1.00 < 2 (50%25%0A)"
    assert told[-1].startswith("::error title=21 more::s9: ")
    assert told[-1].count("%0A") == 21 + 20
    assert len(workflow_commands(failed[:10], 2).splitlines()) == 10
    assert line(failed[0], 0) == "s0: M,1 1 < 2 (50%\n)"
