"""References drawn part by part: the sums of the rows that Python's generator draws, whatever the split."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from geceval.base.errors import UsageError
from geceval.statistics import reference_sampling
from geceval.statistics.reference_sampling import ReferenceDraws, SampledSums

masks = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.lists(st.booleans(), min_size=width, max_size=width).filter(any), min_size=1)
)


def drawn(
    mask: NDArray[np.bool_], iterations: int, seed: int | None = None, *, randint: bool = False
) -> list[list[int]]:
    return ReferenceDraws(iterations, seed, randint=randint).next(mask).tolist()  # type: ignore[no-any-return]


@given(
    masks,
    st.lists(st.integers(0, 12), max_size=4),
    st.sampled_from([np.int64, np.int32, np.float64]),
    st.integers(1, 4),
    st.sampled_from([None, 0, 7, 2**64 - 1]),
    st.booleans(),
    st.sampled_from([1, 8, 1 << 22]),
)
def test_sums_do_not_depend_on_the_split(
    mask: list[list[bool]], cuts: list[int], dtype: type, iterations: int, seed: int | None, randint: bool, most: int
) -> None:
    present = np.array(mask)
    counts = np.random.default_rng(0).integers(0, 9, (*present.shape, 2)).astype(dtype)
    sampled = SampledSums(iterations, seed, randint=randint)
    ends = sorted(min(cut, len(mask)) for cut in cuts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference_sampling, "DRAWS", most)
        for start, end in zip([0, *ends], [*ends, len(mask)], strict=True):
            sampled.add(counts[start:end], present[start:end])
            sampled = pickle.loads(pickle.dumps(sampled))
    single = bool((present.sum(axis=1) == 1).all())
    assert sampled.sums is not None
    assert len(sampled.sums) == (1 if single else iterations)
    choices = drawn(present, 1 if single else iterations, seed, randint=randint)
    assert sampled.sums.tolist() == [counts[np.arange(len(mask)), choice].sum(axis=0).tolist() for choice in choices]
    assert sampled.sums.dtype == (np.float64 if dtype is np.float64 else np.int64)


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


def test_unusable_counts_are_refused() -> None:
    sampled = SampledSums(2, None, randint=False)
    with pytest.raises(UsageError, match="whole numbers"):
        sampled.add(np.full((1, 2, 3), 0.5), np.ones((1, 2), bool))
    with pytest.raises(UsageError, match="every sentence needs a reference"):
        sampled.add(np.ones((1, 2, 3)), np.zeros((1, 2), bool))
