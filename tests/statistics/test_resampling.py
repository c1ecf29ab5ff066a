"""Resampling in the kernel: the weights and sums of plain Python."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval._kernel import resampled_sums, resampling_weights
from geceval.statistics.resampling import QUANTUM, block_keys, sentence_keys, whole
from twins import resampling as twins

KINDS = ["poisson", "swap", "labelling"]
seeds = st.integers(0, 2**64 - 1)
keys_of = st.lists(st.one_of(st.integers(0, 200), st.integers(0, 2**64 - 1)), min_size=1, max_size=12)


@pytest.mark.parametrize("kind", KINDS)
@given(seeds, keys_of)
def test_weights_equal_the_twin_s(kind: Any, seed: int, keys: list[int]) -> None:
    keys = [key % 64 for key in keys] if kind == "labelling" else keys
    found = resampling_weights(np.array(keys, np.uint64), kind, seed, 5)
    assert found.tolist() == [[twins.weight(kind, seed, r, key) for key in keys] for r in range(5)]


@pytest.mark.parametrize("kind", KINDS)
@given(st.data(), seeds, st.integers(1, 20), st.sampled_from([10, 10**6, 10**12]))
def test_sums_equal_the_twin_s(kind: Any, data: st.DataObject, seed: int, columns: int, most: int) -> None:
    keys = data.draw(st.lists(st.integers(0, 63), min_size=1, max_size=20))
    number = st.integers(-most, most)
    rows = data.draw(
        st.lists(st.lists(number, min_size=columns, max_size=columns), min_size=len(keys), max_size=len(keys))
    )
    found = resampled_sums(np.array(rows, np.int64), np.array(keys, np.uint64), kind, seed, 7, 2, 0)
    assert found.tolist() == twins.sums(rows, keys, kind, seed, 7)


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
    found = resampling_weights(np.arange(3, dtype=np.uint64), "labelling", 0, 8)
    assert len({tuple(row) for row in found.tolist()}) == 8


def test_faults_are_refused() -> None:
    rows, keys = np.ones((2, 1), np.int64), np.zeros(3, np.uint64)
    with pytest.raises(ValueError, match="2 sentences and 3 keys"):
        resampled_sums(rows, keys, "swap", 0, 2, 1, 0)
    with pytest.raises(ValueError, match="poisson, swap, labelling, not bits"):
        resampling_weights(keys, "bits", 0, 2)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="too large to be added up"):
        resampled_sums(np.full((2, 1), 2**61), keys[:2], "swap", 0, 2, 1, 0)


def test_keys_of_blocks_are_equal_for_equal_labels_in_every_process() -> None:
    keys = block_keys(["a", "b", "a", 1, "1", ("a", 2)])
    assert keys[0] == keys[2]
    assert len(set(keys.tolist())) == 5
    code = "from geceval.statistics.resampling import block_keys; print(block_keys(['a', ('a', 2)]).tolist())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str([keys[0].item(), keys[5].item()])


@given(st.lists(st.floats(-1e4, 1e4), max_size=20))
def test_real_counts_are_rounded_once(values: list[float]) -> None:
    array = np.array(values)
    assert np.abs(whole(array) * QUANTUM - array).max(initial=0) <= QUANTUM / 2
    assert whole(np.arange(3, dtype=np.int32)).tolist() == [0, 1, 2]
