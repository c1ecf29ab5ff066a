"""Checks of scores are exact, in either direction, and fail without a value."""

from __future__ import annotations

import math
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from geceval.scoring.gate import Check, RivalCheck, Scores, check_line, exact, gate_report
from geceval.tables.number_text import round_in_order
from geceval.tables.report import render

hundredths = st.integers(0, 10_000)


@given(hundredths, hundredths, st.booleans())
def test_score_at_the_threshold_passes(value: int, bar: int, higher: bool) -> None:
    """Hundredths of points are distinguished exactly, although binary fractions round them."""
    check = Check("s", "M", exact(value / 10_000, in_percent=True), Decimal(bar) / 100, "", higher)
    assert check.kept == (value >= bar if higher else value <= bar)


@given(hundredths, hundredths, st.floats(0, 1), st.booleans())
def test_rival_wins_only_with_significance(value: int, other: int, p: float, higher: bool) -> None:
    score, rival = (exact(points / 10_000, in_percent=True) for points in (value, other))
    check = RivalCheck("s", "M", score, rival, "", higher, "r", p=p, alpha=0.05)
    is_worse = value < other if higher else value > other
    assert check.kept == (not is_worse or p >= 0.05)


@given(st.floats(allow_infinity=False), st.booleans())
def test_score_without_a_value_fails(bar: float, higher: bool) -> None:
    limit = exact(0.0 if math.isnan(bar) else bar, in_percent=False)
    assert not Check("s", "M", exact(math.nan, in_percent=True), limit, "", higher).kept
    assert not RivalCheck("s", "M", exact(math.nan, in_percent=True), limit, "", higher).kept
    assert not RivalCheck("s", "M", limit, exact(math.nan, in_percent=True), "", higher).kept


@given(st.floats(0, 100), st.floats(0, 100), st.integers(0, 6))
def test_displayed_numbers_compare_as_the_scores(value: float, other: float, digits: int) -> None:
    displayed = round_in_order(exact(value, False), digits, exact(other, False))
    assert value == other or (Decimal(displayed) < exact(other, False)) == (value < other)


def test_annotations_for_github_are_at_most_ten() -> None:
    def annotations(checks: list[Check]) -> list[str]:
        return render(gate_report(checks, Scores([], {}), {}, 2), "github").splitlines()

    failed = [Check(f"s{at}", "M,1", Decimal(1), Decimal(2), "50%\n") for at in range(30)]
    lines = annotations(failed)
    assert len(lines) == 10
    assert lines[0] == "::error title=M%2C1 of s0::s0: M,1 1.00 < 2 (50%25%0A)"
    assert lines[-1].startswith("::error title=21 more::s9: ")
    assert lines[-1].count("%0A") == 20
    assert len(annotations(failed[:10])) == 10
    assert check_line(failed[0], 0) == "s0: M,1 1 < 2"
