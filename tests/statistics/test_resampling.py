"""Resampling in the kernel: the weights and sums of plain Python, and the best references of brute force."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval._kernel import optimal_sums, resampled_sums, resampling_weights, settled_references
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
    found = resampled_sums(np.array(rows, np.int64), np.array(keys, np.uint64), kind, seed, 7, 2)
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
        resampled_sums(rows, keys, "swap", 0, 2)
    with pytest.raises(ValueError, match="poisson, swap, labelling, not bits"):
        resampling_weights(keys, "bits", 0, 2)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="too large to be added up"):
        resampled_sums(np.full((2, 1), 2**61), keys[:2], "swap", 0, 2)
    table = np.ones((2, 1, 1), np.int64), np.zeros((2, 1), bool), keys[:2]
    with pytest.raises(ValueError, match="sentence 0 has no reference"):
        optimal_sums(rows, table, None, [1], [1], "poisson", 0)
    with pytest.raises(ValueError, match="differ in columns"):
        settled_references(table[0], table[1], [1], [1, 2])


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


# --- the best references ---

triple = st.tuples(*[st.integers(0, 3)] * 3).map(list)


@st.composite
def tables(draw: st.DrawFn, sentences: int) -> tuple[Any, Any]:
    rows = draw(st.lists(st.lists(triple, min_size=3, max_size=3), min_size=sentences, max_size=sentences))
    flags = st.lists(st.booleans(), min_size=3, max_size=3).filter(any)
    return np.array(rows, np.int64), np.array([draw(flags) for _ in range(sentences)])


#: F0.5 of TP, FP, FN as a ratio of sums: 1.25 TP over 1.25 TP + FP + 0.25 FN.
ABOVE, BELOW = [1.25, 0.0, 0.0], [1.25, 1.0, 0.25]
NOTHING = np.zeros((16, 3), np.int64)


def ratio(sums: Any) -> float | None:
    below = float(np.dot(sums, BELOW))
    return float(np.dot(sums, ABOVE)) / below if below else None


def options(rows: Any, there: Any, weight: int = 1) -> list[tuple[float, float]]:
    return [(weight * float(np.dot(row, ABOVE)), weight * float(np.dot(row, BELOW))) for row in rows[there]]


def same(found: float | None, expected: float | None) -> bool:
    if found is None or expected is None:
        return found == expected
    return found == pytest.approx(expected, abs=1e-12)


@given(tables(5), seeds)
def test_bootstrap_optima_are_those_of_brute_force(table: tuple[Any, Any], seed: int) -> None:
    keys = sentence_keys(0, 5)
    found = optimal_sums(NOTHING[:3], (*table, keys), None, ABOVE, BELOW, "poisson", seed)
    weights = resampling_weights(keys, "poisson", seed, 3).tolist()
    for sums, row in zip(found, weights, strict=True):
        drawn = [options(table[0][s], table[1][s], w) for s, w in enumerate(row) if w]
        assert same(ratio(sums), twins.best_ratio(drawn) if drawn else None)


@given(tables(4), tables(4), seeds, st.sampled_from(["swap", "labelling"]))
def test_swapped_optima_are_those_of_brute_force(
    own: tuple[Any, Any], other: tuple[Any, Any], seed: int, kind: Any
) -> None:
    keys = sentence_keys(0, 4)
    found = optimal_sums(NOTHING, (*own, keys), (*other, keys), ABOVE, BELOW, kind, seed, 2)
    for sums, row in zip(found, resampling_weights(keys, kind, seed, 16).tolist(), strict=True):
        sides = [other if swapped else own for swapped in row]
        drawn = [options(table[s], there[s]) for s, (table, there) in enumerate(sides)]
        assert same(ratio(sums), twins.best_ratio(drawn))


@given(tables(5), seeds)
def test_what_is_settled_may_be_added_up_beforehand(table: tuple[Any, Any], seed: int) -> None:
    """The references that are best whatever the ratio; what is open is left to the replicate."""
    keys, (counts, present) = sentence_keys(0, 5), table
    choice = settled_references(counts, present, ABOVE, BELOW)
    for ratio_of_all in (0.0, 0.3, 0.9, 5.0):
        for s, r in enumerate(choice.tolist()):
            value = [g - ratio_of_all * c for g, c in options(counts[s], np.ones(3, bool))]
            there = [v for v, has in zip(value, present[s], strict=True) if has]
            assert r < 0 or (present[s][r] and value[r] == max(there))
    done = choice >= 0
    rows = np.where(done[:, np.newaxis], counts[np.arange(5), choice], 0)
    base = resampled_sums(rows, keys, "poisson", seed, 4)
    split = optimal_sums(base, (counts[~done], present[~done], keys[~done]), None, ABOVE, BELOW, "poisson", seed)
    whole_table = optimal_sums(NOTHING[:4], (*table, keys), None, ABOVE, BELOW, "poisson", seed)
    assert [ratio(row) for row in split] == pytest.approx([ratio(row) for row in whole_table])
