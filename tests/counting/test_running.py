"""The policy running in the kernel: the choices and sums of plain Python, bit by bit."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from geceval._kernel import Form, first_largest, running_choices
from support.strategies import bytes_of
from twins import running as twins

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
    expected = twins.choices(table, mask, zero.tolist(), lambda totals, own: key(totals, own, beta))
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
    for other in (here, np.nextafter(here, 0), np.nextafter(here, np.inf)):
        rows = np.array([[[other, 1.0, 0.0], [value, 1.0, 0.0]]])
        [choice], _ = running_choices(rows, None, np.zeros(3), of_two)
        assert choice == int(round(value, digits) > round(float(other), digits))


def test_faults_are_told() -> None:
    counts, totals, given = np.ones((1, 2, 3)), np.zeros(3), cells(0.25, 4)
    for arguments, message in (
        ((counts, np.zeros((1, 2), dtype=bool), totals, given), "sentence 0 has no reference"),
        ((counts[:, :0], None, totals, given), "sentence 0 has no reference"),
        ((counts, np.ones((1, 3), dtype=bool), totals, given), "differ in sentences or references"),
        ((counts, None, np.zeros(2), given), "differ in columns"),
        ((counts, None, totals, chunks(0.25)), "does not fit 3 columns"),
    ):
        with pytest.raises(ValueError, match=message):
            running_choices(*arguments)
    for make, message in (
        (lambda: cells(0.25, 23), "at most 22"),
        (lambda: form(CELLS, 1.0, "x"), "not x"),  # type: ignore[arg-type]
        (lambda: form((*CELLS[:4], [0.0]), 1.0), "weights differ in number"),
        (lambda: given.scores(np.zeros((2, 4))), "for 3 columns"),
        (lambda: first_largest(np.zeros((2, 3)), None), "counts have sentences"),
        (lambda: first_largest(np.zeros((2, 3, 1)), np.ones((2, 2), bool)), "differ"),
    ):
        with pytest.raises(ValueError, match=message):
            make()


@pytest.mark.parametrize("kind", KINDS)
@given(st.data(), st.sampled_from([0.0, 0.5, 1.0, 2.0]), st.sampled_from([np.int32, np.int64, np.float64, np.uint8]))
def test_arrays_of_any_shape_equal_the_twin(kind: str, data: st.DataObject, beta: float, dtype: Any) -> None:
    key, make, columns = KINDS[kind]
    shape = data.draw(st.sampled_from([(), (3,), (0,), (2, 3), (2, 0, 1)]))
    counts = (drawn_bytes(data, (*shape, columns)) % 4).astype(dtype)
    turned = np.asfortranarray(counts)
    ranks = make(beta**2).ranks(counts)
    assert ranks.shape[:-1] == shape
    for row, rank in zip(
        counts.reshape(-1, columns).tolist(), ranks.reshape(-1, ranks.shape[-1]).tolist(), strict=True
    ):
        assert tuple(rank) == key(row, row, beta)
    for own in (make(beta**2).scores, make(beta**2).precision_recall):
        assert own(turned).tobytes() == own(counts).tobytes()


@given(st.data(), st.integers(1, 4), st.integers(1, 3))
def test_the_first_largest_is_that_of_python(data: st.DataObject, references: int, ranks: int) -> None:
    size = data.draw(st.integers(0, 6))
    table = (drawn_bytes(data, (size, references, ranks)) % 3).astype(np.float64)
    present = drawn_bytes(data, (size, references)) % 2 == 1
    present[~present.any(axis=1)] = True
    expected = [
        max((r for r in range(references) if there[r]), key=lambda r: rows[r])
        for rows, there in zip(table.tolist(), present.tolist(), strict=True)
    ]
    assert first_largest(table, present).tolist() == expected
    assert first_largest(table, np.ones_like(present)).tolist() == first_largest(table, None).tolist()
