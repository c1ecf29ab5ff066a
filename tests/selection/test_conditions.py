"""Conditions as text: parsing, and errors that point at the mistake."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval.base.errors import UsageError
from geceval.selection.conditions import (
    MAX_DEPTH,
    ORDERS,
    ComparisonNode,
    Condition,
    Flag,
    Junction,
    Not,
    condition_error,
    parse_condition,
)
from support.messages import message_of

NAMES = ["green", "errant.precision", "errant:beta=0.5", "GREEN beta=0.5", "errant:annotator=spacy:en.recall", "land"]
NAMES += ["edits.R:VERB:*", "edits.[MU]:DET", "order", "nothing"]
BLANKS = st.sampled_from(["", " ", "  ", "\t"])
JOINTS = {"and": [" and ", "  AND\t", " And "], "or": [" or ", "\nOR "]}
#: How tightly conditions bind, as in Python.
STRENGTH = {"or": 0, "and": 1, "not": 2, "": 3}

Written = tuple[Any, str, str]  # the condition without positions, its text, its outermost word


@st.composite
def comparisons(draw: st.DrawFn) -> Written:
    name, order = draw(st.sampled_from(NAMES)), draw(st.sampled_from(ORDERS))
    number = draw(st.one_of(st.integers(-100, 100).map(str), st.floats(-1e6, 1e6).map(repr)))
    return (name, order, Decimal(number)), f"{name}{draw(BLANKS)}{order}{draw(BLANKS)}{number}", ""


FLAGS = st.sampled_from(NAMES).map(lambda name: (name, name, ""))


def combined(inner: st.SearchStrategy[Written]) -> st.SearchStrategy[Written]:
    """Return combinations of conditions, in parentheses where Python needs them and sometimes elsewhere."""

    @st.composite
    def junctions(draw: st.DrawFn) -> Written:
        word = draw(st.sampled_from(["and", "or", "not"]))
        texts, trees = [], []
        for tree, text, outermost in draw(st.lists(inner, min_size=1 if word == "not" else 2, max_size=3)):
            same = outermost == word != "not"
            needed = same or STRENGTH[outermost] < STRENGTH[word]
            texts.append(f"({draw(BLANKS)}{text}{draw(BLANKS)})" if needed or draw(st.booleans()) else text)
            trees.append(tree)
        if word == "not":
            return ("not", trees[0]), f"not {texts[0]}", "not"
        text = texts[0]
        for operand in texts[1:]:
            text += draw(st.sampled_from(JOINTS[word])) + operand
        return (word, *trees), text, word

    return junctions()


CONDITIONS = st.recursive(st.one_of(comparisons(), FLAGS), combined, max_leaves=8)


def plain(condition: Condition) -> Any:
    """Return a condition without its positions."""
    if isinstance(condition, Flag):
        return condition.name
    if isinstance(condition, Not):
        return "not", plain(condition.condition)
    if isinstance(condition, Junction):
        return condition.joint, *map(plain, condition.conditions)
    return condition.name, condition.order, condition.bound


@given(CONDITIONS)
def test_written_condition_is_read_back(written: Written) -> None:
    tree, text, _ = written
    assert plain(parse_condition(text)) == tree


@given(st.text(alphabet="agren.:=<>!0159% andortn&|()\n\t", max_size=40))
def test_malformed_condition_is_reported_with_its_place(text: str) -> None:
    try:
        parse_condition(text)
    except UsageError as error:
        message, shown, carets = error.message.split("\n")
        assert message
        assert len(shown) == len(text) + 2
        assert carets.strip(" ^") == ""
        assert "^" in carets


@pytest.mark.parametrize(
    "text",
    [
        "",
        "green >= 90 and",
        "and green >= 90",
        "green >= 90 or or identical",
        "()",
        "green = 90",
        "green=90",
        "green >= 90 && gleu > 1",
        "identical | duplicate",
        "!identical",
        "green => 90",
        "green ≥ 90",
        "green > 90, edits < 3",
        "5 < green < 9",
        "green > 5 < 9",
        "green > 5 gleu < 9",
        "green >=",
        "green >= and",
        "green >= 0,9",
        "green >= 90%",
        "green >= nan",
        "green >= \u0660.\u0669",
        "green >= -1e400",
        ">= 90",
        "(identical",
        "identical)",
        "(green > 5 gleu > 6)",
        f"{'(' * (MAX_DEPTH + 1)}identical",
    ],
)
def test_mistake_is_pointed_at(text: str, snapshot: SnapshotAssertion) -> None:
    assert message_of(parse_condition, text) == snapshot


def test_mistake_in_a_long_condition_is_shown_with_the_text_around_it() -> None:
    text = " and ".join(["green > 50"] * 40 + ["green >> 50"] + ["green > 50"] * 40)
    with pytest.raises(UsageError) as error:
        parse_condition(text)
    _, shown, carets = error.value.message.split("\n")
    assert len(shown) < 80
    at = carets.index("^")
    assert shown[at - 6 : at + 2] == "green >>"


def test_mistake_longer_than_a_line_is_cut() -> None:
    text = "x" * 500
    assert max(map(len, condition_error(text, (0, 500), "too long").message.split("\n"))) < 80


def test_precedence_is_that_of_python() -> None:
    condition = parse_condition("not a and b or c and not (d or e)")
    assert plain(condition) == ("or", ("and", ("not", "a"), "b"), ("and", "c", ("not", ("or", "d", "e"))))


def test_comparison_has_the_positions_of_name_and_number() -> None:
    condition = parse_condition(" green beta=2  >=  90 ")
    assert condition == ComparisonNode("green beta=2", ">=", Decimal(90), (1, 13), (19, 21))
