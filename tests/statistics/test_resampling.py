"""Resampling: the weights and sums of plain Python."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from syrupy.assertion import SnapshotAssertion

from geceval._kernel import resampling_weights
from geceval.statistics.reference_draws import ReferenceDraws
from geceval.statistics.resampling import QUANTUM, as_integers, block_keys, exact_floats, sentence_keys, weighted_sums
from geceval.statistics.threads import run_in_threads
from support.messages import message_of
from twins import resampling as twins

KINDS = ["poisson", "swap", "labelling"]
seeds = st.integers(0, 2**64 - 1)
keys_of = st.lists(st.one_of(st.integers(0, 200), st.integers(0, 2**64 - 1)), min_size=1, max_size=12)


@pytest.mark.parametrize("kind", KINDS)
@given(seeds, keys_of)
def test_weights_equal_the_twin_s(kind: Any, seed: int, keys: list[int]) -> None:
    keys = [key % 64 for key in keys] if kind == "labelling" else keys
    weights = resampling_weights(np.array(keys, np.uint64), kind, seed, 5)
    assert weights.tolist() == [[twins.weight(kind, seed, r, key) for key in keys] for r in range(5)]


@pytest.mark.parametrize("kind", KINDS)
def test_weights_from_a_number_on_are_a_part_of_all_weights(kind: Any) -> None:
    keys = sentence_keys(0, 50)
    assert (resampling_weights(keys, kind, 3, 7, 5) == resampling_weights(keys, kind, 3, 12)[5:]).all()


@given(st.data(), st.integers(1, 3), st.integers(1, 20), st.sampled_from([10, 2**21, 2**30, 2**49, 2**55]))
def test_weighted_sums_equal_sums_of_integers(data: st.DataObject, columns: int, sentences: int, limit: int) -> None:
    """Whole numbers are summed as floats of 24 or 53 bits, or as integers, without rounding."""
    number = st.one_of(st.integers(-limit, limit), st.sampled_from([-limit, 1 - limit, limit - 1, limit]))
    row = st.lists(number, min_size=columns, max_size=columns)
    rows = data.draw(st.lists(row, min_size=sentences, max_size=sentences))
    weight = st.lists(st.integers(0, 12), min_size=sentences, max_size=sentences)
    weights = data.draw(st.lists(weight, min_size=1, max_size=3))
    sums = weighted_sums(np.array(weights, np.uint8), exact_floats(np.array(rows, np.int64)))
    expected = [[sum(w * row[k] for w, row in zip(ws, rows, strict=True)) for k in range(columns)] for ws in weights]
    assert sums.tolist() == expected


@pytest.mark.parametrize("largest", [9, 2**20, 2**38, 2**44])
def test_weighted_sums_of_many_sentences_equal_sums_of_integers(largest: int) -> None:
    """Of 5,000 sentences, so that blocks of a matrix product are added up in another order."""
    rng = np.random.default_rng(0)
    rows = rng.integers(-largest, largest, (5000, 3), endpoint=True)
    rows[:, 0] = largest  # the largest sum
    weights = rng.integers(0, 12, (20, 5000), np.uint8, endpoint=True)
    assert (weighted_sums(weights, exact_floats(rows)) == weights.astype(np.int64) @ rows).all()


def test_poisson_weights_are_poisson_and_swaps_are_even() -> None:
    weights = resampling_weights(sentence_keys(0, 2000), "poisson", 0, 500).astype(np.int64)
    share = np.bincount(weights.ravel(), minlength=5)[:5] / weights.size
    expected = np.exp(-1) / np.array([1, 1, 2, 6, 24])
    assert share == pytest.approx(expected, abs=2e-3)
    # Neither neighbours nor replicates go together.
    centred = weights - 1
    assert abs((centred[:, 1:] * centred[:, :-1]).mean()) < 5e-3
    assert abs((centred[1:] * centred[:-1]).mean()) < 5e-3
    swaps = resampling_weights(sentence_keys(0, 2000), "swap", 0, 500)
    assert swaps.mean() == pytest.approx(0.5, abs=2.5e-3)
    assert abs((swaps[:, :1000].astype(float) - 0.5).ravel() @ (weights[:, :1000] - 1.0).ravel()) / 5e5 < 5e-3


def test_labellings_are_all_of_them() -> None:
    weights = resampling_weights(np.arange(3, dtype=np.uint64), "labelling", 0, 8)
    assert len({tuple(row) for row in weights.tolist()}) == 8


def test_faults_are_refused(snapshot: SnapshotAssertion) -> None:
    assert message_of(resampling_weights, np.zeros(3, np.uint64), "bits", 0, 2) == snapshot


def test_keys_of_blocks_are_equal_for_equal_labels_in_every_process() -> None:
    keys = block_keys(["a", "b", "a", 1, "1", ("a", 2)])
    assert keys[0] == keys[2]
    assert len(set(keys.tolist())) == 5
    code = "from geceval.statistics.resampling import block_keys; print(block_keys(['a', ('a', 2)]).tolist())"
    completed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert completed.stdout.strip() == str([keys[0].item(), keys[5].item()])


@given(st.lists(st.floats(-1e4, 1e4), max_size=20))
def test_real_counts_are_rounded_once(values: list[float]) -> None:
    array = np.array(values)
    assert np.abs(as_integers(array) * QUANTUM - array).max(initial=0) <= QUANTUM / 2
    assert as_integers(np.arange(3, dtype=np.int32)).tolist() == [0, 1, 2]


# --- references are drawn as by Python's generator ---


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


def test_sentence_without_reference_is_refused(snapshot: SnapshotAssertion) -> None:
    assert message_of(drawn, np.zeros((1, 2), bool), 2) == snapshot


# --- one function for many numbers by several threads ---


@pytest.mark.parametrize("threads", [0, 1, 2, 7])
@pytest.mark.parametrize("count", [0, 1, 5, 1000])
def test_every_number_once_and_in_order(count: int, threads: int) -> None:
    seen: list[int] = []

    def square(number: int) -> int:
        seen.append(number)
        return number**2

    assert run_in_threads(square, count, threads) == [number**2 for number in range(count)]
    assert sorted(seen) == list(range(count))


@pytest.mark.parametrize("threads", [1, 2])
def test_after_an_error_nothing_more_is_begun(threads: int) -> None:
    seen: list[int] = []

    def failing(number: int) -> int:
        seen.append(number)
        raise ValueError(number)

    with pytest.raises(ValueError, match=r"^\d+$"):
        run_in_threads(failing, 1000, threads)
    assert sorted(seen) == list(range(len(seen)))
    assert len(seen) <= threads


def test_an_error_in_any_thread_ends_the_others() -> None:
    seen: list[int] = []

    def failing(number: int) -> None:
        seen.append(number)
        time.sleep(0.01)
        if number == 1:
            raise ValueError(number)

    assert message_of(run_in_threads, failing, 1000, 3) == "ValueError: 1"
    assert len(seen) < 100


def test_several_work_at_once() -> None:
    all_of_them = threading.Barrier(5, timeout=30)
    assert run_in_threads(lambda number: all_of_them.wait() >= 0 and number >= 0, 5, 5) == [True] * 5
