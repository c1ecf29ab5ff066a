"""Filters of pairs: names in conditions, and the pairs that pass."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import make_metric, metrics_of_specs
from geceval.counting.run import Run
from geceval.results.named_figures import NamedFigure
from geceval.results.sentence_rows import score_parts
from geceval.selection.conditions import ORDERS, ComparisonNode, Condition, Flag, Junction, Not, parse_condition
from geceval.selection.pair_features import Feature, FeatureReader
from geceval.selection.pair_filter import PairFigure, PairFilter, evaluate_condition
from support.effort import examples
from support.examples import example_corpus
from support.messages import message_of


def metrics_of(specs: Sequence[str]) -> list[AnyMetric]:
    return list(metrics_of_specs(specs, {}))


def filter_of(text: str, *metrics: str) -> PairFilter:
    return PairFilter.of(text, metrics_of(metrics), metrics_of)


def test_metrics_of_the_condition_follow_those_of_the_run() -> None:
    pair_filter = filter_of(
        "errant.precision > 50 or green:beta=0.5 > 50 or edits > 3 or errant > 20 or edits > 9", "gleu"
    )
    assert pair_filter.metrics == metrics_of(["gleu", "errant", "green:beta=0.5"])
    assert pair_filter.features == [Feature("edits")]
    assert pair_filter.has_parts
    assert filter_of("green > 50", "green:beta=1").metrics == metrics_of(["green:beta=1"])
    assert not filter_of("green > 50 and identical").has_parts


def test_pairs_that_pass_are_those_of_the_scores() -> None:
    corpus = example_corpus()
    pair_filter = filter_of("green >= 60 and (errant.precision > 30 or not edits <= 1) and length_ratio < 1.1")
    [part] = score_parts(Run(corpus, pair_filter.metrics), parts=True)
    green, errant = pair_filter.metrics
    rows = zip(
        part.figures["noisy", green][""],
        part.figures["noisy", errant]["precision"],
        FeatureReader("builtin:3").values(Feature("edits"), corpus, "noisy"),
        FeatureReader("builtin:3").values(Feature("length_ratio"), corpus, "noisy"),
        strict=True,
    )
    expected = [
        position
        for position, (score, precision, edits, ratio) in enumerate(rows)
        if score >= 0.6 and (not precision <= 0.3 or edits > 1) and ratio < 1.1
    ]
    assert 0 < len(expected) < 40
    assert pair_filter.passing(part, "noisy", FeatureReader("builtin:3")).tolist() == expected


@pytest.mark.parametrize(
    "text",
    [
        "green >= 0.9",
        "green.recall > .5",
        "green",
        "edits.R",
        "identical >= 1",
        "gren > 1",
        "edit > 1",
        "xyz > 1",
        "edits > 1 and errant.precison > 5",
        "green:betta=2 > 5",
        "edits. > 1",
    ],
)
def test_mistake_is_pointed_at_with_a_hint(text: str, snapshot: SnapshotAssertion) -> None:
    assert message_of(filter_of, text) == snapshot


FIGURES: dict[str, PairFigure] = {
    "green": NamedFigure(make_metric("green")),
    "scribendi": NamedFigure(make_metric("scribendi")),
    "edits": Feature("edits"),
    "identical": Feature("identical"),
}
BOUNDS = [Decimal(text) for text in ("-1", "0", "0.5", "2", "100", "101")]
#: Values as in tables.
VALUES = {
    "green": [0, 0.2, 0.5, 1, 2, 50, 100],
    "scribendi": [-5, -1, 0, 0.2, 0.5, 2, 100, 101, 200],
    "edits": [0, 1, 2, 50, 100, 101, 102],
    "identical": [0, 1],
}
POSITION = 0, 0
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
LEAVES = st.one_of(
    st.builds(
        ComparisonNode,
        st.sampled_from(["green", "scribendi", "edits"]),
        st.sampled_from(ORDERS),
        st.sampled_from(BOUNDS),
        *[st.just(POSITION)] * 2,
    ),
    st.builds(Flag, st.just("identical"), st.just(POSITION)),
)
CONDITIONS: st.SearchStrategy[Condition] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(Junction, st.sampled_from(["and", "or"]), st.lists(inner, min_size=2, max_size=3).map(tuple)),
    ),
    max_leaves=7,
)
ROWS = [dict(zip(VALUES, row, strict=True)) for row in itertools.product(*VALUES.values())]
COLUMNS = {figure: np.array([row[name] for row in ROWS]) / figure.scale for name, figure in FIGURES.items()}


def passes(condition: Condition, row: dict[str, float]) -> bool:
    """Return the value of a condition as Python evaluates it."""
    if isinstance(condition, Not):
        return not passes(condition.condition, row)
    if isinstance(condition, Junction):
        return (all if condition.joint == "and" else any)(passes(inner, row) for inner in condition.conditions)
    if isinstance(condition, Flag):
        return bool(row[condition.name])
    return COMPARE[condition.order](row[condition.name], condition.bound)


@given(CONDITIONS)
@settings(max_examples=examples(80))
def test_condition_holds_where_python_says_so(condition: Condition) -> None:
    expected = [passes(condition, row) for row in ROWS]
    assert evaluate_condition(condition, FIGURES, COLUMNS.__getitem__).tolist() == expected
    assert (~evaluate_condition(Not(condition), FIGURES, COLUMNS.__getitem__)).tolist() == expected


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
    assert evaluate_condition(parse_condition(text), FIGURES, lambda figure: values).tolist() == expected


def test_points_are_compared_with_the_nearest_raw_value() -> None:
    values = np.array([0.5799, np.nextafter(0.5799, 0)])  # 57.99 / 100 in floats is neither
    assert evaluate_condition(parse_condition("green >= 57.99"), FIGURES, lambda figure: values).tolist() == [
        True,
        False,
    ]


@pytest.mark.parametrize(
    "text", ["green > 90 and green < 50", "green > 100", "edits == 2.5", "identical and edits > 0"]
)
def test_condition_that_no_pair_meets_keeps_none(text: str) -> None:
    corpus = example_corpus()
    condition = filter_of(text)
    [part] = score_parts(Run(corpus, condition.metrics))
    assert condition.passing(part, "noisy", FeatureReader("builtin:3")).tolist() == []
