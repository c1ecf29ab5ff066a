"""Rules: which values pass, and whether any or all can."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geceval.counting.figure_names import NamedFigure
from geceval.counting.filtering import rules
from geceval.counting.filtering.conditions import Comparison, Condition, Flag, Junction, Not, parse_condition
from geceval.counting.filtering.features import Feature
from geceval.counting.filtering.rules import Figure, can_hold, holding, rule_of
from geceval.counting.metric_names import make_metric
from support.effort import examples

GREEN = NamedFigure(make_metric("green"))
FIGURES: dict[str, Figure] = {
    "green": GREEN,
    "scribendi": NamedFigure(make_metric("scribendi")),
    "edits": Feature("edits"),
    "identical": Feature("identical"),
}
BOUNDS = [Decimal(text) for text in ("-1", "0", "0.5", "2", "100", "101")]
#: In tables: all bounds within the limits, the limits, and values between and beyond them.
VALUES = {
    "green": [0, 0.2, 0.5, 1, 2, 50, 100],
    "scribendi": [-5, -1, -0.5, 0, 0.2, 0.5, 1, 2, 50, 100, 100.5, 101, 200],
    "edits": [0, 1, 2, 50, 100, 101, 102],
    "identical": [0, 1],
}
PLACE = 0, 0
ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
LEAVES = st.one_of(
    st.builds(
        Comparison,
        st.sampled_from(["green", "scribendi", "edits"]),
        st.sampled_from(list(ORDERS)),
        st.sampled_from(BOUNDS),
        *[st.just(PLACE)] * 3,
    ),
    st.builds(Flag, st.just("identical"), st.just(PLACE)),
)
CONDITIONS: st.SearchStrategy[Condition] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(Not, inner, st.just(PLACE)),
        st.builds(
            Junction, st.sampled_from(["and", "or"]), st.lists(inner, min_size=2, max_size=3).map(tuple), st.just(PLACE)
        ),
    ),
    max_leaves=7,
)


def passes(condition: Condition, row: dict[str, float]) -> bool:
    """The condition as Python evaluates it."""
    if isinstance(condition, Not):
        return not passes(condition.condition, row)
    if isinstance(condition, Junction):
        return (all if condition.joint == "and" else any)(passes(one, row) for one in condition.conditions)
    if isinstance(condition, Flag):
        return bool(row[condition.name])
    return ORDERS[condition.order](row[condition.name], condition.bound)


ROWS = [dict(zip(VALUES, row, strict=True)) for row in itertools.product(*VALUES.values())]
COLUMNS = {name: np.array([row[name] for row in ROWS]) / FIGURES[name].scale for name in FIGURES}


@given(CONDITIONS)
@settings(max_examples=examples(80))
def test_rule_holds_where_python_says_so(condition: Condition) -> None:
    by_figure = {figure: COLUMNS[name] for name, figure in FIGURES.items()}
    expected = [passes(condition, row) for row in ROWS]
    assert holding(rule_of(condition, FIGURES), by_figure.__getitem__).tolist() == expected
    opposite = rule_of(condition, FIGURES, negated=True)
    assert (~holding(opposite, by_figure.__getitem__)).tolist() == expected


@given(CONDITIONS)
@settings(max_examples=examples(80))
def test_condition_can_hold_if_some_values_pass(condition: Condition) -> None:
    found = [passes(condition, row) for row in ROWS]
    assert can_hold(rule_of(condition, FIGURES)) == any(found)
    assert can_hold(rule_of(condition, FIGURES, negated=True)) == (not all(found))


@given(CONDITIONS, CONDITIONS)
@settings(max_examples=examples(40))
def test_rules_can_hold_together_if_some_values_pass_both(first: Condition, second: Condition) -> None:
    both = any(passes(first, row) and passes(second, row) for row in ROWS)
    assert can_hold(rule_of(first, FIGURES), rule_of(second, FIGURES)) == both


def test_search_that_takes_too_long_excludes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = rule_of(parse_condition("(edits < 1 or edits > 2) and (edits == 1 or edits == 2)"), FIGURES)
    assert not can_hold(rule)
    monkeypatch.setattr(rules, "MOST_STEPS", 3)
    assert can_hold(rule)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("green >= 90", [False, False, True, True]),
        ("green > 90", [False, False, False, True]),
        ("green <= 100", [False, True, True, True]),
        ("green < 90", [False, True, False, False]),
        ("green != 90", [False, True, False, True]),
        ("not green >= 90", [False, True, False, False]),
        ("not green == 90", [False, True, False, True]),
        ("not (green < 90 or green > 95)", [False, False, True, False]),
    ],
)
def test_value_that_is_not_a_number_never_passes(text: str, expected: list[bool]) -> None:
    values = np.array([np.nan, 0.0, 0.9, 1.0])
    assert holding(rule_of(parse_condition(text), FIGURES), lambda figure: values).tolist() == expected


def test_points_are_compared_with_the_nearest_raw_value() -> None:
    rule = rule_of(parse_condition("green >= 57.99"), FIGURES)
    values = np.array([0.5799, np.nextafter(0.5799, 0)])  # 57.99 / 100 in floats is neither
    assert holding(rule, lambda figure: values).tolist() == [True, False]
