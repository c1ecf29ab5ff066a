"""Policies as folds: part by part is the whole, and what can be merged is merged."""

from __future__ import annotations

import functools
import itertools
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from geceval import Cleme, Cleme2, Errant, Gleu, Green, MaxMatch
from geceval.base.errors import UsageError
from geceval.counting import policies
from geceval.counting.policies import Sampled
from geceval.extending import Counts, Metric
from geceval.statistics import resampling
from support.strategies import bytes_of

METRICS: list[Metric[Any]] = [
    Green(n=1),
    Gleu(n=1, selection="mean"),
    Gleu(n=1, iterations=7),
    Gleu(n=1, iterations=7, seed=3),
    Errant(),
    Errant(selection="optimum"),
    MaxMatch(),
    Cleme(),
    Cleme2(),
]
every_metric = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: f"{metric.name}-{metric.policy.name}")


# To make a strategy takes longer than to draw from it, so that each is made once.
SIZES = st.tuples(st.integers(1, 8), st.integers(1, 3))


@functools.cache
def places(size: int, most: int) -> st.SearchStrategy[list[int]]:
    """Up to so many places between sentences."""
    return st.lists(st.integers(0, size), max_size=most)


@functools.cache
def whole_numbers(below: int, shape: tuple[int, ...]) -> st.SearchStrategy[NDArray[np.int64]]:
    """Arrays of them, made of bytes drawn at once, many times as fast as one by one."""
    return bytes_of(math.prod(shape)).map(
        lambda data: np.frombuffer(data, np.uint8).reshape(shape).astype(np.int64) % below
    )


@functools.cache
@st.composite
def counts_of(draw: st.DrawFn, metric: Metric[Any]) -> Counts:
    """Counts of up to 8 sentences with up to 3 references, some of them missing."""
    shape = (*draw(SIZES), len(metric.columns))
    array = draw(whole_numbers(6, shape))
    numbers = 1 + draw(whole_numbers(shape[1], shape[:1]))
    present = np.arange(shape[1]) < numbers[:, np.newaxis]
    array = array * present[..., np.newaxis]
    if isinstance(metric, (Cleme, Cleme2)):
        array = array * 0.7
    return Counts(array, metric.columns, present)


def parts_of(counts: Counts, cuts: list[int]) -> list[Counts]:
    ends = [0, *sorted(cuts), len(counts)]
    rows = [slice(a, b) for a, b in itertools.pairwise(ends) if a < b]
    return [Counts(counts.array[row], counts.columns, counts.mask[row]) for row in rows]


@every_metric
@given(data=st.data())
def test_the_totals_are_those_of_the_choices(metric: Metric[Any], data: st.DataObject) -> None:
    counts = data.draw(counts_of(metric))
    expected = np.stack([counts.chosen(choice).sum(axis=0) for choice in metric.choices(counts)])
    np.testing.assert_allclose(metric.totals(counts), expected, rtol=0, atol=1e-12)


@every_metric
@given(data=st.data())
def test_part_by_part_is_the_whole(metric: Metric[Any], data: st.DataObject) -> None:
    counts = data.draw(counts_of(metric))
    fold = metric.policy.start(metric.figure)
    for part in parts_of(counts, data.draw(places(len(counts), 3))):
        fold.add(part)
        fold.totals()  # asking early leaves nothing behind
        fold = pickle.loads(pickle.dumps(fold))
    np.testing.assert_allclose(fold.totals(), metric.totals(counts), rtol=0, atol=1e-12)


@every_metric
@given(data=st.data())
def test_folds_are_merged_where_order_is_free(metric: Metric[Any], data: st.DataObject) -> None:
    counts = data.draw(counts_of(metric))
    folds = []
    for part in parts_of(counts, data.draw(places(len(counts), 1))):
        folds.append(metric.policy.start(metric.figure))
        folds[-1].add(part)
    if len(folds) == 1:
        return
    if not metric.policy.order_free:
        with pytest.raises(UsageError, match="depends on the order of the sentences"):
            folds[0].merge(folds[1])
        return
    folds[0].merge(folds[1])
    np.testing.assert_allclose(folds[0].totals(), metric.totals(counts), rtol=0, atol=1e-12)


def test_an_empty_fold_has_no_totals() -> None:
    for metric in METRICS:
        with pytest.raises(UsageError, match="nothing was counted"):
            metric.policy.start(metric.figure).totals()


def test_means_do_not_depend_on_the_order_of_numbers_of_references() -> None:
    """Sums over sentences with one, two and three references are added up in one order, to the last bit."""
    shares = np.array([[0.1], [0.2], [0.3]])
    parts = [Counts(np.full((1, n, 5), shares[n - 1]), Cleme().columns) for n in (1, 2, 3)]
    policy, figure = Gleu(selection="mean").policy, Cleme().figure
    totals = []
    for order in itertools.permutations(parts):
        fold = policy.start(figure)
        for part in order:
            fold.add(part)
        totals.append(fold.totals().tolist())
    assert all(found == totals[0] for found in totals)


def test_mean_uses_the_present_references_in_order() -> None:
    mask = np.arange(40) % 3 > 0
    array = np.arange(40)[:, np.newaxis] * mask[:, np.newaxis]
    choices = Gleu(selection="mean").policy.choices(Cleme().figure, Counts(array[np.newaxis], ("a",), mask[np.newaxis]))
    assert choices[:, 0].tolist() == np.flatnonzero(mask).tolist()


def test_running_keeps_whole_numbers_whole() -> None:
    metric = MaxMatch()
    fold = metric.policy.start(metric.figure)
    fold.add(Counts(np.ones((2, 1, 3), np.int64), metric.columns))
    assert fold.totals().dtype == np.int64


masks = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.lists(st.booleans(), min_size=width, max_size=width).filter(any), min_size=1)
)


@given(
    masks,
    st.lists(st.integers(0, 12), max_size=4),
    st.sampled_from([np.int64, np.int32, np.float64]),
    st.builds(Sampled, st.integers(1, 4), st.sampled_from([None, 0, 7, 2**64 - 1]), st.booleans()),
    st.sampled_from([1, 8, 1 << 22]),
)
def test_sampled_sums_do_not_depend_on_the_split(
    mask: list[list[bool]], cuts: list[int], dtype: type, sampled: Sampled, most: int
) -> None:
    present = np.array(mask)
    array = np.random.default_rng(0).integers(0, 9, (*present.shape, 2)).astype(dtype)
    ends = sorted(min(cut, len(mask)) for cut in cuts)
    with pytest.MonkeyPatch.context() as patch:
        for module in (policies, resampling):
            patch.setattr(module, "DRAWS", most)
        fold = sampled.start(Cleme().figure)
        for start, end in zip([0, *ends], [*ends, len(mask)], strict=True):
            fold.add(Counts(array[start:end], ("a", "b"), present[start:end]))
            fold = pickle.loads(pickle.dumps(fold))
    choices = sampled.choices(Cleme().figure, Counts(array, ("a", "b"), present))
    assert len(choices) == (1 if bool((present.sum(axis=1) == 1).all()) else sampled.iterations)
    sums = fold.totals()
    assert sums.tolist() == [array[np.arange(len(mask)), choice].sum(axis=0).tolist() for choice in choices]
    assert sums.dtype == (np.float64 if dtype is np.float64 else np.int64)


def test_sampled_requires_whole_numbers() -> None:
    fold = Sampled().start(Cleme().figure)
    with pytest.raises(UsageError, match="whole numbers"):
        fold.add(Counts(np.full((1, 2, 3), 0.5), ("a", "b", "c")))
