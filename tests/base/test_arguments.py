"""Ranges and choices: what they hold, and what is said."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import Errant, GecevalError, Gleu, Green, MaxMatch, make_metric
from geceval.base.arguments import THREADS, Bounds, choice, did_you_mean, is_text, shown, whole
from geceval.base.errors import UsageError
from geceval.tables.table import round_half_up


@pytest.mark.parametrize(
    ("bounds", "words", "inside", "outside"),
    [
        (Bounds(0, 4), "at least 0 and at most 4", [0, 4, 1.5], [-1, 5, 10**400, math.inf, math.nan]),
        (Bounds(0, 1e150, infinite=True), "at least 0 and at most 1e+150, or infinite", [math.inf], [1e155, math.nan]),
        (Bounds(0, 1e9, open=True), "more than 0 and at most 1e+09", [1e-300], [0, 1e19]),
        (Bounds(0, 1e9, nan=True), "at least 0 and at most 1e+09", [math.nan, 0], [math.inf]),
        (Bounds(1, (1 << 32) - 1), "at least 1 and at most 4294967295", [1], [0, 1 << 32]),
    ],
)
def test_bounds(bounds: Bounds, words: str, inside: list[float], outside: list[float]) -> None:
    assert str(bounds) == words
    assert all(map(bounds.hold, inside))
    assert not any(map(bounds.hold, outside))


def test_whole_numbers() -> None:
    assert whole("threads", np.int64(3), THREADS) == 3
    for value, message in (
        (True, "threads takes a whole number, not True"),
        ("3", "threads takes a whole number, not '3'"),
        (1.0, "threads takes a whole number, not 1.0"),
        (-1, "threads is -1; it must be at least 0 and at most 1024"),
        (10**5000, "threads is a int; it must be"),
    ):
        with pytest.raises(UsageError, match=message):
            whole("threads", value, THREADS)


def test_choices_and_names() -> None:
    choice("unit", "word", ["word", "char"])
    with pytest.raises(UsageError, match=r"(?s)unit is one of word, char, not Chars.*hint: did you mean char\?"):
        choice("unit", "Chars", ["word", "char"])
    for value in (None, 3, ["word"], np.array(["word"])):
        with pytest.raises(UsageError, match="unit is one of word"):
            choice("unit", value, ["word"])
    assert did_you_mean("GLUE", ["gleu", "green"]) == "did you mean gleu?"
    assert did_you_mean("x", ["gleu"]) is did_you_mean(3, ["gleu"]) is None


def test_long_values_are_cut() -> None:
    assert shown("x" * 100) == "'" + "x" * 56 + "..."


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 20))
def test_any_number_is_printed_with_any_digits(value: float, digits: int) -> None:
    text = round_half_up(value, digits)
    assert abs(Decimal(text) - Decimal(repr(value))) <= Decimal(1).scaleb(-digits) / 2


@pytest.mark.parametrize(
    "make",
    [
        lambda: Green(n=10**9), lambda: Green(n=2**31), lambda: Green(n=2**63 - 1), lambda: Green(n=101),
        lambda: Green(beta=1e155), lambda: Green(beta=10**400), lambda: Green(beta=None),  # type: ignore[arg-type]
        lambda: Gleu(iterations=10**18), lambda: Gleu(iterations=1.5), lambda: Gleu(seed="3"),  # type: ignore[arg-type]
        lambda: MaxMatch(timeout=1e19), lambda: MaxMatch(timeout=1e300), lambda: MaxMatch(timeout="1"),  # type: ignore[arg-type]
        lambda: MaxMatch(max_unchanged_words="2"), lambda: MaxMatch(max_unchanged_words=10**11),  # type: ignore[arg-type]
        lambda: Errant(exclude=["R:X"]), lambda: Errant(lev="maybe"),  # type: ignore[arg-type]
        lambda: Green(unit=np.array(["word", "char"])),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_settings_out_of_range_or_of_another_type(make: Any) -> None:
    with pytest.raises(GecevalError):
        make()


def test_numbers_of_numpy_are_numbers() -> None:
    metric = Green(n=np.int64(3), beta=np.float32(2))  # type: ignore[arg-type]
    assert metric == Green(n=3, beta=2.0)
    assert metric.signature(1) == Green(n=3, beta=2.0).signature(1)
    assert (type(metric.n), type(metric.beta)) == (int, float)


def test_the_largest_settings_work() -> None:
    for metric in (Green(n=100), Green(beta=1e150), Green(beta=math.inf), Gleu(n=100), MaxMatch(timeout=1e9)):
        gold = {"gold": []} if metric.name == "x" else {}
        if not isinstance(metric, MaxMatch):
            assert 0 <= metric.corpus_score(["a b"], ["a c"], [["a c"]], **gold).value <= 1


def test_names_in_any_case() -> None:
    assert make_metric("ERRANT") == Errant()
    assert make_metric("m2") == make_metric("M2") == make_metric("MaxMatch") == MaxMatch()
    assert make_metric("Green", unit="CHAR") == Green(unit="char")
    with pytest.raises(UsageError, match=r"(?s)green has no setting 'bata'.*did you mean beta\?"):
        make_metric("green", bata=1)
    for name in (3, None, []):
        with pytest.raises(UsageError, match="unknown metric"):
            make_metric(name)  # type: ignore[arg-type]


def test_lone_surrogates_are_no_text() -> None:
    assert is_text("é")
    assert not any(map(is_text, ["\ud800", b"a", None]))
    with pytest.raises(UsageError, match="errant: exclude is text, not"):
        Errant(exclude="\ud800")
