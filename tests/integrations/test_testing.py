"""``geceval.testing``: what a failing test of somebody's checker says."""

from __future__ import annotations

import doctest
import math
from dataclasses import replace

import pytest

import geceval
import geceval.testing
from geceval.testing import assert_at_least, assert_at_most

SCORE = geceval.Errant().corpus_score(
    ["He go .", "I like it"], ["He goes .", "I liked it"], [["He goes .", "I like it"]]
)


def test_what_is_good_enough_is_silent() -> None:
    assert_at_least(SCORE, SCORE.value)
    assert_at_most(SCORE, SCORE.value)
    assert_at_least(SCORE, 0)


def test_what_is_not_says_all_there_is_to_know() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_at_least(SCORE, 0.5556)
    assert str(caught.value).splitlines() == [
        "errant 0.55556 < 0.5556",
        "  precision  0.5000",
        "  recall     1",
        "  tp         1",
        "  fp         1",
        "  fn         0",
        f"  {SCORE.signature}",
    ]
    with pytest.raises(AssertionError, match=r"^errant 0.5556 > 0.5\n"):
        assert_at_most(SCORE, 0.5)


def test_no_value_is_not_good_enough() -> None:
    for check in (assert_at_least, assert_at_most):
        with pytest.raises(AssertionError, match=r"errant – [<>] 0"):
            check(replace(SCORE, value=math.nan), 0)


def test_score_of_unchanged_text_has_an_undefined_precision() -> None:
    with pytest.raises(AssertionError, match=r"errant 0.0000 < 0.4\n  precision  –\n"):
        assert_at_least(geceval.Errant().corpus_score(["He go ."], ["He go ."], [["He goes ."]]), 0.4)


def test_a_bar_is_a_number() -> None:
    with pytest.raises(geceval.GecevalError, match="bar must be a number"):
        assert_at_least(SCORE, "0.4")  # type: ignore[arg-type]
    with pytest.raises(geceval.GecevalError, match="bar is nan"):
        assert_at_least(SCORE, math.nan)


def test_the_docstring_is_true() -> None:
    assert doctest.testmod(geceval.testing).failed == 0
