"""Ranges and choices: what they hold, and what is said."""

from __future__ import annotations

import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval import Errant, GecevalError, Gleu, Green, MaxMatch, make_metric
from geceval.base.arguments import THREADS, Bounds, choice, did_you_mean, is_text, joined, shown, whole
from geceval.base.errors import InputError
from geceval.base.ties import TOLERANCE, exceeds, order_of_best
from geceval.counting.metric_classes import METRICS
from geceval.counting.metric_names import parse_specs
from geceval.counting.signature import signature_of
from geceval.tables.number_text import round_half_up
from support.installed import install
from support.messages import message_of
from support.toys import Shortening


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
def test_bounds_hold_the_numbers_inside(bounds: Bounds, words: str, inside: list[float], outside: list[float]) -> None:
    assert str(bounds) == words
    assert all(map(bounds.hold, inside))
    assert not any(map(bounds.hold, outside))


def test_whole_numbers(snapshot: SnapshotAssertion) -> None:
    assert whole("threads", np.int64(3), THREADS) == 3
    assert [message_of(whole, "threads", value, THREADS) for value in (True, "3", 1.0, -1, 10**5000)] == snapshot


def test_choices_and_names(snapshot: SnapshotAssertion) -> None:
    choice("unit", "word", ["word", "char"])
    assert message_of(choice, "unit", "Chars", ["word", "char"]) == snapshot
    for value in (None, 3, ["word"], np.array(["word"])):
        assert message_of(choice, "unit", value, ["word"]) == snapshot
    assert did_you_mean("GLUE", ["gleu", "green"]) == "did you mean gleu?"
    assert did_you_mean("x", ["gleu"]) is did_you_mean(3, ["gleu"]) is None


def test_joined_words_are_an_enumeration() -> None:
    assert [joined("abc"[:count]) for count in (1, 2, 3)] == ["a", "a and b", "a, b and c"]


def test_long_values_are_cut() -> None:
    assert shown(np.eye(2)) == "a ndarray"
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
    assert signature_of(metric, 1) == signature_of(Green(n=3, beta=2.0), 1)
    assert (type(metric.n), type(metric.beta)) == (int, float)


def test_the_largest_settings_work() -> None:
    assert MaxMatch(timeout=1e9).timeout == 1e9
    for metric in (Green(n=100), Green(beta=1e150), Green(beta=math.inf), Gleu(n=100)):
        assert 0 <= metric.corpus_score(["a b"], ["a c"], [["a c"]]).value <= 1


def test_names_in_any_case(snapshot: SnapshotAssertion) -> None:
    assert make_metric("ERRANT") == Errant()
    assert make_metric("m2") == make_metric("M2") == make_metric("MaxMatch") == MaxMatch()
    assert make_metric("Green", unit="CHAR") == Green(unit="char")
    assert message_of(make_metric, "green", bata=1) == snapshot
    for name in (3, None, []):
        assert message_of(make_metric, name) == snapshot


def test_lone_surrogates_are_no_text(snapshot: SnapshotAssertion) -> None:
    assert is_text("é")
    assert not any(map(is_text, ["\ud800", b"a", None]))
    assert message_of(Errant, exclude="\ud800") == snapshot
    assert str(InputError("no \ud800", hint="é\udfff")) == "no \\ud800\n  hint: é\\udfff"


# --- metrics of other packages ---


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(tmp_path, monkeypatch, {"geceval.metrics": {"shortening": "support.toys:Shortening"}})


@pytest.mark.usefixtures("installed")
def test_an_installed_metric_is_found_by_name(snapshot: SnapshotAssertion) -> None:
    assert METRICS.names()[-1] == "shortening"
    assert parse_specs(["green,shortening:most=0.5"]) == [("green", {}), ("shortening", {"most": "0.5"})]
    assert make_metric("shortening", most="0.5") == Shortening(most=0.5)
    assert message_of(make_metric, "shortening", least="1") == snapshot


def test_a_metric_that_is_not_installed_has_no_name() -> None:
    assert "shortening" not in METRICS


# --- scores that differ by a rounding error are equal ---


SCORES = st.lists(st.sampled_from([0.0, 0.25, 5 / 9, 1.0]), min_size=1, max_size=8)


@given(SCORES, st.data())
def test_order_of_best_of_rounded_scores_is_the_order_of_exact_ones(scores: list[float], data: st.DataObject) -> None:
    rounded = [score + data.draw(st.floats(-TOLERANCE / 4, TOLERANCE / 4)) for score in scores]
    assert order_of_best(rounded) == sorted(range(len(scores)), key=lambda at: -scores[at])


def test_order_of_best_with_nan_puts_nan_last() -> None:
    assert order_of_best([math.nan, 0.5, math.nan, 0.7]) == [3, 1, 0, 2]


def test_exceeds_with_a_rounding_error_is_false() -> None:
    score = 1.25 * (2 / 3) * (1 / 3) / (0.25 * (2 / 3) + 1 / 3)
    assert score != 5 / 9
    assert not exceeds(score, 5 / 9)
    assert not exceeds(5 / 9, score)
    assert exceeds(5 / 9 + 1e-8, 5 / 9)
