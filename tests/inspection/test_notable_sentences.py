"""The notable sentences of a large corpus."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from geceval.inspection.sentence_selection import OrientedScores, select_notable


def scores_of(scores: list[list[float]]) -> OrientedScores:
    rows = np.array(scores)
    nothing = np.zeros_like(rows)
    return OrientedScores(rows, nothing, nothing)


def test_notable_sentences_are_shares_of_each_kind() -> None:
    scores = np.linspace(0, 1, 100)
    second = scores.copy()
    second[[40, 60]] = [1.0, 0.0]  # here the systems differ most
    numbers, taken = select_notable(scores_of([scores.tolist(), second.tolist()]), 8)
    assert taken == {"worst": 2, "best": 2, "difference": 2, "random": 2}
    assert {1, 2, 99, 100, 41, 61} < set(numbers)


def test_all_of_few_sentences_are_notable() -> None:
    numbers, taken = select_notable(scores_of([[0.1, 0.2]]), 2)
    assert list(numbers) == [1, 2]
    assert not taken


@given(
    scores=st.integers(1, 3).flatmap(
        lambda n: st.integers(1, 30).flatmap(
            lambda s: st.lists(st.lists(st.floats(0, 1), min_size=s, max_size=s), min_size=n, max_size=n)
        )
    ),
    number=st.integers(1, 40),
    seed=st.integers(0, 3),
)
def test_notable_sentences_are_the_requested_number(scores: list[list[float]], number: int, seed: int) -> None:
    numbers, taken = select_notable(scores_of(scores), number, seed)
    total = len(scores[0])
    assert len(numbers) == len(set(numbers)) == min(number, total)
    assert list(numbers) == sorted(numbers)
    assert not taken or sum(taken.values()) == number
    assert select_notable(scores_of(scores), number, seed) == (numbers, taken)
