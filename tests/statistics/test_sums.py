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
    one, other = ExactSum(), ExactSum()
    one.add([1.0, 2.0])
    other.add([1.0, math.nan])
    assert math.isnan(other.value(2))
    one.merge(other)
    assert math.isnan(one.value(4))


@given(numbers, st.data())
def test_no_split_and_no_order_changes_a_bit(values: list[float], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(values)))
    one, other, whole = ExactSum(), ExactSum(), ExactSum()
    whole.add(np.array(values))
    other.add(values[:cut])
    one.add(values[cut:][::-1])
    one.merge(pickle.loads(pickle.dumps(other)))
    assert one.value() == whole.value()


def test_numbers_of_all_sizes() -> None:
    total = ExactSum()
    total.add([1e300, 5e-324, -1e300])
    assert total.value() == 5e-324
    total.add(np.full(100_000, 0.1))
    assert total.value() == pytest.approx(10_000)


def test_an_infinite_number_makes_the_sum_infinite() -> None:
    one, other = ExactSum(), ExactSum()
    one.add([1.0, math.inf])
    assert one.value(3) == math.inf
    other.add([-math.inf])
    one.merge(other)
    assert math.isnan(one.value())


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
    one, other = RowSum(), RowSum()
    with pytest.raises(UsageError, match="nothing was counted"):
        one.value()
    one.add(shuffled[cut:])
    other.add(shuffled[:cut])
    one.merge(pickle.loads(pickle.dumps(other)))
    found, expected = one.value(), row_sum(table)
    assert found.tobytes() == expected.tobytes()
    assert found.tolist() == [math.fsum(column) for column in table.T]


def test_whole_and_real_rows_together() -> None:
    total = RowSum()
    total.add(np.array([[1, 2]]))
    total.add(np.array([[0.5, 0.25]]))
    other = RowSum()
    other.add(np.array([[1, 1]], np.int32))
    total.merge(other)
    value = total.value()
    assert value.tolist() == [2.5, 3.25]
