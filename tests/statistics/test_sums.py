"""Sums without rounding."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval.base.errors import UsageError
from geceval.statistics.sums import ExactSum, RowSum, row_sum

numbers = st.lists(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300), max_size=40)


@given(numbers)
def test_the_sum_is_rounded_once(values: list[float]) -> None:
    total = ExactSum()
    total.add(values)
    assert total.value() == math.fsum(values)
    assert total.value(7) == float(sum(map(Fraction, values), Fraction()) / 7)


def test_what_is_no_number_makes_the_sum_none() -> None:
    total, undefined = ExactSum(), ExactSum()
    total.add([1.0, 2.0])
    undefined.add([1.0, math.nan])
    assert math.isnan(undefined.value(2))
    total.merge(undefined)
    assert math.isnan(total.value(4))


@given(numbers, st.data())
def test_no_split_and_no_order_changes_a_bit(values: list[float], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(values)))
    merged, first, expected = ExactSum(), ExactSum(), ExactSum()
    expected.add(np.array(values))
    first.add(values[:cut])
    merged.add(values[cut:][::-1])
    merged.merge(pickle.loads(pickle.dumps(first)))
    assert merged.value() == expected.value()


def test_numbers_of_all_sizes() -> None:
    total = ExactSum()
    total.add([1e300, 5e-324, -1e300])
    assert total.value() == 5e-324
    total.add(np.full(100_000, 0.1))
    assert total.value() == pytest.approx(10_000)


def test_an_infinite_number_makes_the_sum_infinite() -> None:
    total, negative = ExactSum(), ExactSum()
    total.add([1.0, math.inf])
    assert total.value(3) == math.inf
    negative.add([-math.inf])
    total.merge(negative)
    assert math.isnan(total.value())


@pytest.mark.parametrize("sign", [1, -1])
def test_what_is_beyond_doubles_is_infinite(sign: int) -> None:
    total = ExactSum()
    total.add([sign * 1.7e308] * 3)
    assert total.value() == sign * math.inf
    assert total.value(3) == sign * 1.7e308  # and nothing is lost


whole_rows = st.lists(st.tuples(*[st.integers(-(2**31), 2**31 - 1)] * 2), max_size=8)
real_rows = st.lists(st.tuples(*[st.floats(-1e9, 1e9)] * 2), max_size=8)


@given(whole_rows | real_rows, st.data())
def test_rows_in_any_order_and_split(rows: list[tuple[float, float]], data: st.DataObject) -> None:
    kind = np.float64 if any(isinstance(value, float) for row in rows for value in row) else np.int32
    table = np.array(rows, kind).reshape(-1, 2)
    shuffled = table[data.draw(st.permutations(range(len(rows))))]
    cut = data.draw(st.integers(0, len(rows)))
    merged, first = RowSum(), RowSum()
    with pytest.raises(UsageError, match="no sentences were counted"):
        merged.value()
    merged.add(shuffled[cut:])
    first.add(shuffled[:cut])
    merged.merge(pickle.loads(pickle.dumps(first)))
    total, expected = merged.value(), row_sum(table)
    assert total.tobytes() == expected.tobytes()
    assert total.tolist() == [math.fsum(column) for column in table.T]


def test_whole_and_real_rows_together() -> None:
    total = RowSum()
    total.add(np.array([[1, 2]]))
    total.add(np.array([[0.5, 0.25]]))
    whole_numbers = RowSum()
    whole_numbers.add(np.array([[1, 1]], np.int32))
    total.merge(whole_numbers)
    value = total.value()
    assert value.tolist() == [2.5, 3.25]
