"""Figures by which references are compared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval.counting.policies import F, RankingFigure

#: Of counts (correct, proposed, gold), as MaxMatch counts.
SUMS = F(0.5, (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1), ties=((1, 0, 0),), of="sums")
#: Of counts (correct, wrong, missed), as ERRANT counts.
CELLS = F(0.5, (1, 0, 0), (1, 1, 0), (1, 0, 1), (0, 1, 0), (0, 0, 1), ties=((1, 0, 0),))


def test_f_of_sums_by_hand() -> None:
    counts = np.array([[0, 0, 0], [0, 0, 1], [0, 2, 0], [2, 3, 4]])
    # 1 without any edit, else 1.25 correct / (proposed + .25 gold); ties are broken by what is correct.
    expected = [[1, 0], [0, 0], [0, 0], [1.25 * 2 / (3 + 0.25 * 4), 2]]
    assert SUMS.ranking(counts).tolist() == expected


@given(st.tuples(*[st.integers(0, 9)] * 3), st.floats(0, 3))
def test_the_score_is_the_ratio_of_weighted_sums(cells: tuple[int, int, int], beta: float) -> None:
    figure = replace(CELLS, beta=beta)
    above, below = (float(np.dot(cells, weights)) for weights in figure.ratio)
    if cells[0]:
        assert above == pytest.approx((1 + beta**2) * cells[0])
        assert float(figure.score(np.array(cells))) == pytest.approx(above / below)


def test_running_takes_the_first_of_the_best_by_the_sums_so_far() -> None:
    figure = RankingFigure(lambda counts: np.stack([-np.abs(counts[..., 0] - 5), counts[..., 1]], axis=-1))
    counts = np.array([[[4, 0], [6, 0], [1, 1]], [[1, 0], [2, 0], [9, 9]], [[0, 0], [0, 3], [0, 4]]])
    present = np.array([[True] * 3, [True] * 3, [True, True, False]])
    totals = np.array([0, 0])
    assert figure.run(counts, present, totals).tolist() == [0, 0, 1]  # 4; 4 + 1; 5 again, with more of the second
    assert totals.tolist() == [5, 3]
    one = np.array([7, 1])
    assert figure.run(counts[:1, 1:2], present[:1, 1:2], one).tolist() == [0]
    assert one.tolist() == [13, 1]
