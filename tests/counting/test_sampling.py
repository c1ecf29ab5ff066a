"""References drawn part by part: the sums of the rows that Python's generator draws, whatever the split."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval._kernel import Sampler, sampled_references


@given(
    st.integers(1, 3).flatmap(
        lambda width: st.lists(st.lists(st.booleans(), min_size=width, max_size=width).filter(any), min_size=1)
    ),
    st.lists(st.integers(0, 12), max_size=4),
    st.sampled_from([np.int64, np.float64]),
    st.integers(1, 4),
    st.sampled_from([None, 0, 7, 2**64 - 1]),
    st.integers(0, 3),
    st.booleans(),
)
def test_any_split_draws_alike(
    mask: list[list[bool]], cuts: list[int], dtype: type, iterations: int, seed: int | None, threads: int, randint: bool
) -> None:
    present = np.array(mask)
    array = np.random.default_rng(0).integers(0, 9, (*present.shape, 2)).astype(dtype)
    if dtype is np.float64:
        array /= 3
    sampler = Sampler(iterations, seed, randint=randint)
    ends = sorted(min(cut, len(mask)) for cut in cuts)
    for start, end in zip([0, *ends], [*ends, len(mask)], strict=True):
        sampler.add(array[start:end], present[start:end], threads)
        sampler = pickle.loads(pickle.dumps(sampler))
    single = bool((present.sum(axis=1) == 1).all())
    assert len(sampler.sums) == (1 if single else iterations)
    choices = sampled_references(present, 1 if single else iterations, seed, randint=randint)
    expected = [[sum(rows) for rows in zip(*array[np.arange(len(mask)), own].tolist(), strict=True)] for own in choices]
    assert sampler.sums.tolist() == expected
    assert sampler.sums.dtype == (np.float64 if dtype is np.float64 else np.int64)


def test_draws_are_those_of_the_original_scorer() -> None:
    array = np.arange(40).reshape(20, 2, 1)
    sampler = Sampler(3)
    sampler.add(array)
    for iteration, [total] in enumerate(sampler.sums.tolist()):
        random.seed(iteration * 101)
        assert total == sum(2 * s + int(random.random() * 2) for s in range(20))


@given(st.lists(st.integers(1, 5), min_size=1, max_size=30))
def test_or_those_of_its_code_under_python_3(numbers: list[int]) -> None:
    present = np.arange(5) < np.array(numbers)[:, np.newaxis]
    for iteration, row in enumerate(sampled_references(present, 3, randint=True).tolist()):
        random.seed(iteration * 101)
        assert row == [random.randint(0, number - 1) for number in numbers]


def test_faults_are_told() -> None:
    with pytest.raises(ValueError, match="at least one iteration"):
        Sampler(0)
    with pytest.raises(ValueError, match="not the state of a sampler"):
        Sampler(2, None, (True, b"12345678"))
    sampler = Sampler(2)
    with pytest.raises(ValueError, match="nothing was counted"):
        _ = sampler.sums
    sampler.add(np.ones((1, 2, 3), dtype=np.int64))
    for array, present, message in (
        (np.ones((1, 2, 3)), None, "whole numbers and of doubles"),
        (np.ones((1, 2, 4), dtype=np.int64), None, "differ in columns"),
        (np.ones((1, 2, 3), dtype=np.int64), np.ones((1, 1), dtype=bool), "differ in sentences or references"),
        (np.ones((1, 2, 3), dtype=np.int64), np.zeros((1, 2), dtype=bool), "every sentence needs a reference"),
    ):
        with pytest.raises(ValueError, match=message):
            sampler.add(array, present)
