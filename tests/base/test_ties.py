"""Scores that differ by a rounding error are equal."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from geceval.base.ties import TOLERANCE, exceeds, order_of_best

SCORES = st.lists(st.sampled_from([0.0, 0.25, 5 / 9, 1.0]), min_size=1, max_size=8)


@given(SCORES, st.data())
def test_order_of_best_of_rounded_scores_is_the_order_of_exact_ones(scores: list[float], data: st.DataObject) -> None:
    rounded = [score + data.draw(st.floats(-TOLERANCE / 4, TOLERANCE / 4)) for score in scores]
    assert order_of_best(rounded) == sorted(range(len(scores)), key=lambda at: -scores[at])


def test_order_of_best_with_nan_puts_nan_last() -> None:
    assert order_of_best([math.nan, 0.5, math.nan, 0.7]) == [3, 1, 0, 2]


def test_exceeds_with_a_rounding_error_is_false() -> None:
    score = 1.25 * (2 / 3) * (1 / 3) / (0.25 * (2 / 3) + 1 / 3)
    assert score != 5 / 9
    assert not exceeds(score, 5 / 9)
    assert not exceeds(5 / 9, score)
    assert exceeds(5 / 9 + 1e-8, 5 / 9)
