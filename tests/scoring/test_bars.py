"""Checks of scores: exact, in either direction, and failed without a value."""

from __future__ import annotations

import math
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from geceval.scoring.gate import Check, RivalCheck, Scores, exact, gate_report, line
from geceval.tables.report import render
from geceval.tables.table import rounded_beside

hundredths = st.integers(0, 10_000)


@given(hundredths, hundredths, st.booleans())
def test_what_stands_at_the_bar_passes_it(value: int, bar: int, higher: bool) -> None:
    """Hundredths of points are told apart exactly, whatever binary fractions make of them."""
    check = Check("s", "M", exact(value / 10_000, in_percent=True), Decimal(bar) / 100, "", higher)
    assert check.kept == (value >= bar if higher else value <= bar)


@given(hundredths, hundredths, st.floats(0, 1), st.booleans())
def test_rival_wins_only_with_significance(value: int, other: int, p: float, higher: bool) -> None:
    own, against = (exact(score / 10_000, in_percent=True) for score in (value, other))
    check = RivalCheck("s", "M", own, against, "", higher, "r", p=p, alpha=0.05)
    is_worse = value < other if higher else value > other
    assert check.kept == (not is_worse or p >= 0.05)


@given(st.floats(allow_infinity=False), st.booleans())
def test_no_value_is_no_pass(bar: float, higher: bool) -> None:
    against = exact(0.0 if math.isnan(bar) else bar, in_percent=False)
    assert not Check("s", "M", exact(math.nan, in_percent=True), against, "", higher).kept
    assert not RivalCheck("s", "M", exact(math.nan, in_percent=True), against, "", higher).kept
    assert not RivalCheck("s", "M", against, exact(math.nan, in_percent=True), "", higher).kept


@given(st.floats(0, 100), st.floats(0, 100), st.integers(0, 6))
def test_numbers_look_as_they_compare(value: float, other: float, digits: int) -> None:
    shown = rounded_beside(exact(value, False), digits, exact(other, False))
    assert value == other or (Decimal(shown) < exact(other, False)) == (value < other)


def test_github_shows_ten_annotations() -> None:
    def annotations(checks: list[Check]) -> list[str]:
        return render(gate_report(checks, Scores([], {}), {}, 2), "github").splitlines()

    failed = [Check(f"s{at}", "M,1", Decimal(1), Decimal(2), "50%\n") for at in range(30)]
    found = annotations(failed)
    assert len(found) == 10
    assert found[0] == "::error title=M%2C1 of s0::s0: M,1 1.00 < 2 (50%25%0A)"
    assert found[-1].startswith("::error title=21 more::s9: ")
    assert found[-1].count("%0A") == 20
    assert len(annotations(failed[:10])) == 10
    assert line(failed[0], 0) == "s0: M,1 1 < 2"
