"""References that are drawn as by Python's generator."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from geceval.base.errors import UsageError
from geceval.statistics.resampling import ReferenceDraws


def drawn(
    mask: NDArray[np.bool_], iterations: int, seed: int | None = None, *, randint: bool = False
) -> list[list[int]]:
    return ReferenceDraws(iterations, seed, randint=randint).next(mask).tolist()  # type: ignore[no-any-return]


@given(st.lists(st.integers(1, 5), min_size=1, max_size=30))
def test_draws_are_those_of_the_original_scorer(numbers: list[int]) -> None:
    mask = np.arange(5) < np.array(numbers)[:, np.newaxis]
    for iteration, (fractions, integers) in enumerate(zip(drawn(mask, 3), drawn(mask, 3, randint=True), strict=True)):
        random.seed(iteration * 101)
        assert fractions == [int(random.random() * number) for number in numbers]
        random.seed(iteration * 101)
        assert integers == [random.randint(0, number - 1) for number in numbers]


def test_seed_is_the_key_of_its_words_and_of_the_iteration() -> None:
    mask = np.ones((9, 2), bool)
    for seed in (0, 7, 2**32, 2**64 - 1):
        for iteration, references in list(enumerate(drawn(mask, 3, seed)))[1:]:
            random.seed(seed | iteration << 64)  # Python splits an integer into its 32-bit words, the lowest first
            assert references == [int(random.random() * 2) for _ in range(9)]


def test_while_every_sentence_has_one_reference_one_row_is_drawn() -> None:
    draws = ReferenceDraws(3, None, randint=False)
    assert draws.next(np.array([[False, True], [True, False]])).tolist() == [[1, 0]]
    later = draws.next(np.ones((7, 2), bool))
    numbers = np.arange(2) < np.array([1, 1, *[2] * 7])[:, np.newaxis]
    assert later.tolist() == [row[2:] for row in drawn(numbers, 3)]


def test_sentence_without_reference_is_refused() -> None:
    with pytest.raises(UsageError, match="every sentence needs a reference"):
        drawn(np.zeros((1, 2), bool), 2)
