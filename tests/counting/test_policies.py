"""Policies along a stream: part by part is the whole, and what can be merged is merged."""

from __future__ import annotations

import functools
import itertools
import math
import pickle
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from syrupy.assertion import SnapshotAssertion

from geceval import Cleme, Cleme2, Errant, Gleu, Green, MaxMatch
from geceval._kernel import Form, ScoreFormula, first_largest, running_choices
from geceval.base.errors import UsageError
from geceval.counting import policies
from geceval.counting.figures import F, Figure
from geceval.counting.policies import Sampled, Totals
from geceval.extending import Counts, Metric
from geceval.statistics import reference_draws
from support.messages import message_of
from support.strategies import bytes_of
from twins import running as twins

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
def places(size: int, number: int) -> st.SearchStrategy[list[int]]:
    """Up to so many places between sentences."""
    return st.lists(st.integers(0, size), max_size=number)


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
    totals = Totals(metric.policy, metric.figure)
    for part in parts_of(counts, data.draw(places(len(counts), 3))):
        totals.add(part)
        totals.value()  # asking early leaves nothing behind
        totals = pickle.loads(pickle.dumps(totals))
    np.testing.assert_allclose(totals.value(), metric.totals(counts), rtol=0, atol=1e-12)


@every_metric
@given(data=st.data())
def test_totals_are_merged_where_order_is_free(metric: Metric[Any], data: st.DataObject) -> None:
    counts = data.draw(counts_of(metric))
    totals: list[Totals] = []
    for part in parts_of(counts, data.draw(places(len(counts), 1))):
        totals.append(Totals(metric.policy, metric.figure))
        totals[-1].add(part)
    if len(totals) == 1:
        return
    if not metric.policy.order_free:
        with pytest.raises(UsageError, match="depends on the order of the sentences"):
            totals[0].merge(totals[1])
        return
    totals[0].merge(totals[1])
    np.testing.assert_allclose(totals[0].value(), metric.totals(counts), rtol=0, atol=1e-12)


def test_totals_of_nothing_are_refused() -> None:
    for metric in METRICS:
        assert message_of(Totals(metric.policy, metric.figure).value) == "UsageError: no sentences were counted"


def test_means_do_not_depend_on_the_order_of_numbers_of_references() -> None:
    """Sums over sentences with one, two and three references are added up in one order, to the last bit."""
    shares = np.array([[0.1], [0.2], [0.3]])
    parts = [Counts(np.full((1, n, 5), shares[n - 1]), Cleme().columns) for n in (1, 2, 3)]
    policy, figure = Gleu(selection="mean").policy, Cleme().figure
    totals = []
    for order in itertools.permutations(parts):
        sums = Totals(policy, figure)
        for part in order:
            sums.add(part)
        totals.append(sums.value().tolist())
    assert all(sums == totals[0] for sums in totals)


def test_mean_uses_the_present_references_in_order() -> None:
    mask = np.arange(40) % 3 > 0
    array = np.arange(40)[:, np.newaxis] * mask[:, np.newaxis]
    choices = Gleu(selection="mean").policy.choices(Cleme().figure, Counts(array[np.newaxis], ("a",), mask[np.newaxis]))
    assert choices[:, 0].tolist() == np.flatnonzero(mask).tolist()


def test_running_keeps_whole_numbers_whole() -> None:
    metric = MaxMatch()
    totals = Totals(metric.policy, metric.figure)
    totals.add(Counts(np.ones((2, 1, 3), np.int64), metric.columns))
    assert totals.value().dtype == np.int64


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
    mask: list[list[bool]], cuts: list[int], dtype: type, sampled: Sampled, draws: int
) -> None:
    present = np.array(mask)
    array = np.random.default_rng(0).integers(0, 9, (*present.shape, 2)).astype(dtype)
    ends = sorted(min(cut, len(mask)) for cut in cuts)
    with pytest.MonkeyPatch.context() as patch:
        for module in (policies, reference_draws):
            patch.setattr(module, "DRAWS", draws)
        totals = Totals(sampled, Cleme().figure)
        for start, end in zip([0, *ends], [*ends, len(mask)], strict=True):
            totals.add(Counts(array[start:end], ("a", "b"), present[start:end]))
            totals = pickle.loads(pickle.dumps(totals))
    choices = sampled.choices(Cleme().figure, Counts(array, ("a", "b"), present))
    assert len(choices) == (1 if bool((present.sum(axis=1) == 1).all()) else sampled.iterations)
    sums = totals.value()
    assert sums.tolist() == [array[np.arange(len(mask)), choice].sum(axis=0).tolist() for choice in choices]
    assert sums.dtype == (np.float64 if dtype is np.float64 else np.int64)


def test_sampled_requires_whole_numbers(snapshot: SnapshotAssertion) -> None:
    totals = Totals(Sampled(), Cleme().figure)
    assert message_of(totals.add, Counts(np.full((1, 2, 3), 0.5), ("a", "b", "c"))) == snapshot


# --- figures by which references are compared ---


#: F of the counts correct, proposed and gold.
MAXMATCH_F = F(0.5, (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1), ties=((1, 0, 0),), of="sums")
#: F of the counts correct, wrong and missed.
ERRANT_F = F(0.5, (1, 0, 0), (1, 1, 0), (1, 0, 1), (0, 1, 0), (0, 0, 1), ties=((1, 0, 0),))


def test_f_of_sums_by_hand() -> None:
    counts = np.array([[0, 0, 0], [0, 0, 1], [0, 2, 0], [2, 3, 4]])
    # 1 without any edit, else 1.25 correct / (proposed + .25 gold); ties are broken by what is correct.
    expected = [[1, 0], [0, 0], [0, 0], [1.25 * 2 / (3 + 0.25 * 4), 2]]
    assert MAXMATCH_F.ranking(counts).tolist() == expected


@given(st.tuples(*[st.integers(0, 9)] * 3), st.floats(0, 3))
def test_the_score_is_the_ratio_of_weighted_sums(cells: tuple[int, int, int], beta: float) -> None:
    figure = replace(ERRANT_F, beta=beta)
    above, below = (float(np.dot(cells, weights)) for weights in figure.ratio)
    if cells[0]:
        assert above == pytest.approx((1 + beta**2) * cells[0])
        assert float(figure.formula.scores(np.array(cells))) == pytest.approx(above / below)


def test_running_takes_the_first_of_the_best_by_the_sums_so_far() -> None:
    figure = Figure(lambda counts: np.stack([-np.abs(counts[..., 0] - 5), counts[..., 1]], axis=-1))
    counts = np.array([[[4, 0], [6, 0], [1, 1]], [[1, 0], [2, 0], [9, 9]], [[0, 0], [0, 3], [0, 4]]])
    present = np.array([[True] * 3, [True] * 3, [True, True, False]])
    choices, totals = figure.run(counts, present, np.array([0, 0]))
    assert choices.tolist() == [0, 0, 1]  # 4; 4 + 1; 5 again, with more of the second
    assert totals.tolist() == [5, 3]
    choices, totals = figure.run(counts[:1, 1:2], present[:1, 1:2], np.array([7, 1]))
    assert (choices.tolist(), totals.tolist()) == ([0], [13, 1])


# --- the policy running in the kernel ---


Row = list[float]


def form(
    sums: tuple[Row, Row, Row, Row, Row],
    square: float,
    of: Literal["sums", "ratios"] = "ratios",
    digits: int | None = None,
    ties: tuple[Row, ...] = (),
    ties_of: Literal["totals", "sentence"] = "totals",
) -> Form:
    """Return a form with the sums hit, proposed, gold, wrong and missed."""
    return Form(sums, square, of, digits, ties, ties_of)


def sums(square: float, of: Literal["sums", "ratios"]) -> Form:
    hit, proposed, gold = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]
    return form((hit, proposed, gold, proposed, gold), square, of, None, (hit, [0.0, -1.0, -square]))


CELLS: tuple[Row, Row, Row, Row, Row] = ([1, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 0], [0, 0, 1])


def cells(square: float, digits: int | None) -> Form:
    ties = ([1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0])
    return form(CELLS, square, "ratios", digits, ties)


def chunks(square: float) -> Form:
    proposed, gold = [1.0, 1, 1, 0, 0], [1.0, 0, 0, 1, 0]
    ties = ([1.0, 0, 0, 0, 0], [0.0, -1, -1, 0, 0], [0.0, 0, 0, -1, 0], [0.0, 0, 0, 0, 1])
    return form(([1, 0, 0, 0, 0], proposed, gold, proposed, gold), square, "ratios", 4, ties, "sentence")


KINDS = {
    "maxmatch": (twins.maxmatch, lambda square: sums(square, "sums"), 3),
    "ptm2": (twins.ptm2, lambda square: sums(square, "ratios"), 3),
    "errant": (twins.errant, lambda square: cells(square, 4), 3),
    "pterrant": (twins.pterrant, lambda square: cells(square, None), 3),
    "cleme": (twins.cleme, chunks, 5),
}

whole = st.integers(0, 3)
weights = st.one_of(whole.map(float), st.integers(0, 40).map(lambda n: n / 10), st.floats(0, 9, allow_subnormal=False))


def drawn_bytes(data: st.DataObject, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """They choose among drawn values, many times as fast as value by value, and more values are equal."""
    return np.frombuffer(data.draw(bytes_of(math.prod(shape))), np.uint8).reshape(shape)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number", [whole, weights], ids=["whole", "double"])
@given(st.data(), st.sampled_from([0.0, 0.3, 0.5, 1.0, 2.0]))
def test_kernel_equals_twin(kind: str, number: st.SearchStrategy[float], data: st.DataObject, beta: float) -> None:
    key, make, columns = KINDS[kind]
    width = data.draw(st.integers(1, 4))
    size = data.draw(st.integers(0, 12))
    dtype = np.int64 if number is whole else np.float64
    values = np.array(data.draw(st.lists(number, min_size=1, max_size=8)), dtype)
    array = values[drawn_bytes(data, (size, width, columns)) % len(values)]
    present = drawn_bytes(data, (size, width)) % 2 == 1
    present[~present.any(axis=1)] = True
    table, mask = array.tolist(), present.tolist()
    zero = np.zeros(columns, dtype=dtype)
    chosen, totals = running_choices(array, present, zero, make(beta**2))
    expected = twins.choices(table, mask, zero.tolist(), lambda totals, row: key(totals, row, beta))
    assert (chosen.tolist(), totals.tolist()) == expected
    assert not zero.any()
    cut = data.draw(st.integers(0, len(table)))
    first, between = running_choices(array[:cut], present[:cut], zero, make(beta**2))
    second, end = running_choices(array[cut:], present[cut:], between, make(beta**2))
    assert ([*first, *second], end.tolist()) == expected


@given(st.one_of(st.floats(0, 1), st.integers(0, 20_000).map(lambda n: n / 20_000), st.floats()), st.integers(0, 8))
def test_rounding_is_pythons(value: float, digits: int) -> None:
    """With R = 1 and beta = 0 F is hit / proposed; of two candidates on either side of a rounded value one wins."""
    if not 1e-300 < value < 1e300:
        return
    of_two = form(([1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0]), 0.0, "ratios", digits)
    here = round(value, digits)
    for neighbour in (here, np.nextafter(here, 0), np.nextafter(here, np.inf)):
        rows = np.array([[[neighbour, 1.0, 0.0], [value, 1.0, 0.0]]])
        [choice], _ = running_choices(rows, None, np.zeros(3), of_two)
        assert choice == int(round(value, digits) > round(float(neighbour), digits))


def test_arrays_that_do_not_fit_are_refused(snapshot: SnapshotAssertion) -> None:
    counts, totals, errant = np.ones((1, 2, 3)), np.zeros(3), cells(0.25, 4)
    for arguments in (
        (counts, np.zeros((1, 2), dtype=bool), totals, errant),
        (counts[:, :0], None, totals, errant),
        (counts, np.ones((1, 3), dtype=bool), totals, errant),
        (counts, None, np.zeros(2), errant),
        (counts, None, totals, chunks(0.25)),
    ):
        assert message_of(running_choices, *arguments) == snapshot
    assert message_of(cells, 0.25, 23) == snapshot
    assert message_of(form, CELLS, 1.0, "x") == snapshot
    assert message_of(form, (*CELLS[:4], [0.0]), 1.0) == snapshot
    assert message_of(ScoreFormula.f(errant).scores, np.zeros((2, 4))) == snapshot
    assert message_of(first_largest, np.zeros((2, 3)), None) == snapshot
    assert message_of(first_largest, np.zeros((2, 3, 1)), np.ones((2, 2), bool)) == snapshot


@pytest.mark.parametrize("kind", KINDS)
@given(st.data(), st.sampled_from([0.0, 0.5, 1.0, 2.0]), st.sampled_from([np.int32, np.int64, np.float64, np.uint8]))
def test_arrays_of_any_shape_equal_the_twin(kind: str, data: st.DataObject, beta: float, dtype: Any) -> None:
    key, make, columns = KINDS[kind]
    shape = data.draw(st.sampled_from([(), (3,), (0,), (2, 3), (2, 0, 1)]))
    counts = (drawn_bytes(data, (*shape, columns)) % 4).astype(dtype)
    column_major = np.asfortranarray(counts)
    ranks = make(beta**2).ranks(counts)
    assert ranks.shape[:-1] == shape
    for row, rank in zip(
        counts.reshape(-1, columns).tolist(), ranks.reshape(-1, ranks.shape[-1]).tolist(), strict=True
    ):
        assert tuple(rank) == key(row, row, beta)
    formula = ScoreFormula.f(make(beta**2))
    for function in (formula.scores, formula.parts):
        assert function(column_major).tobytes() == function(counts).tobytes()


@given(st.data(), st.integers(1, 4), st.integers(1, 3))
def test_the_first_largest_is_that_of_python(data: st.DataObject, references: int, ranks: int) -> None:
    size = data.draw(st.integers(0, 6))
    table = (drawn_bytes(data, (size, references, ranks)) % 3).astype(np.float64)
    present = drawn_bytes(data, (size, references)) % 2 == 1
    present[~present.any(axis=1)] = True
    expected = [
        max((r for r in range(references) if mask[r]), key=lambda r: rows[r])
        for rows, mask in zip(table.tolist(), present.tolist(), strict=True)
    ]
    assert first_largest(table, present).tolist() == expected
    assert first_largest(table, np.ones_like(present)).tolist() == first_largest(table, None).tolist()
