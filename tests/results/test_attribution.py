"""Values of edits: the axioms of Shapley, sums, and drawn against exact values."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import Errant, Gleu, Green, m2
from geceval.base.errors import UsageError
from geceval.extending import Metric, attribute
from geceval.m2 import Block, Edit, apply, noop
from geceval.results.attribution import _scaled
from support.effort import examples
from support.instances import instances
from support.messages import message_of
from support.strategies_edits import sentences

METRICS = [
    metric
    for metric in instances().values()
    if metric.uses_references and metric.pool is None and not metric.about.extra
]
each = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
light = settings(max_examples=examples(25))


def score_of(metric: Metric, gold: Block, edits: tuple[Edit, ...]) -> float:
    """Return the sentence score of a system with these edits."""
    system = Block(gold.source, edits or (noop(0),))
    corpus = geceval.Corpus([gold.source], (), {"it": [system]}, [gold])
    [[result]] = geceval.evaluate(corpus, [metric], views=["sentence"], checks=False).values()
    return float(result.sentence_scores()[0])


def by_orders(metric: Metric, gold: Block, edits: tuple[Edit, ...]) -> list[float]:
    """Return the mean gain of each edit over all orders: a slow and obvious twin."""
    gains: list[list[float]] = [[] for _ in edits]
    for order in permutations(range(len(edits))):
        for k, e in enumerate(order):
            before, after = (tuple(edits[i] for i in sorted(order[:n])) for n in (k, k + 1))
            gains[e].append(score_of(metric, gold, after) - score_of(metric, gold, before))
    return [float(np.mean(gains_of_edit)) for gains_of_edit in gains]


def edits_of(block: Block) -> tuple[Edit, ...]:
    return tuple(edit for edit in block.edits if not edit.is_noop)


small = sentences(max_references=2).filter(lambda pair: 1 <= len(edits_of(pair[1])) <= 3)


@light
@given(pair=small, metric=st.sampled_from([Errant(), Green(n=2), Gleu(n=2, selection="best")]))
def test_shapley_is_the_mean_over_all_orders(pair: tuple[Block, Block], metric: Metric) -> None:
    gold, system = pair
    attribution = attribute(metric, gold.source, system, gold=gold)
    assert attribution.values == pytest.approx(by_orders(metric, gold, edits_of(system)), abs=1e-12)


@each
@light
@given(pair=sentences(max_references=2))
def test_values_sum_to_what_all_edits_gain(metric: Metric, pair: tuple[Block, Block]) -> None:
    gold, system = pair
    for exact in (12, 0):
        attribution = attribute(metric, gold.source, system, gold=gold, exact=exact, orders=5)
        assert sum(attribution.values) == pytest.approx(attribution.delta, abs=1e-9)
        assert len(attribution.values) == len(edits_of(system))
    for method in ("add", "sub"):
        attribution = attribute(metric, gold.source, system, gold=gold, method=method)  # type: ignore[arg-type]
        if any(attribution.values):
            assert sum(attribution.values) == pytest.approx(attribution.delta, abs=1e-6)


@each
def test_scores_are_those_of_the_sentence(metric: Metric) -> None:
    source, system = "He go to home yesterday .", "He went home yesterday ."
    gold = Block(source, (Edit(1, 3, "R:VERB", ("went",)), Edit(3, 4, "X", ("house",), annotator=1)))
    attribution = attribute(metric, source, system, gold=gold)
    corpus = geceval.Corpus([source], (), {"it": [system], "source": [source]}, [gold])
    results = geceval.evaluate(corpus, [metric], checks=False)
    assert attribution.score == pytest.approx(results["it"][0].sentence_scores()[0], abs=1e-12)
    assert attribution.source_score == pytest.approx(results["source"][0].sentence_scores()[0], abs=1e-12)


def test_equivalent_edits_have_equal_values() -> None:
    """Two edits of the reference, and two wrong ones of equal length, are the same to a metric on edits."""
    source = "a b c d"
    gold = Block(source, (Edit(0, 1, "X", ("A",)), Edit(1, 2, "X", ("B",))))
    system = Block(
        source, (Edit(0, 1, "X", ("A",)), Edit(1, 2, "X", ("B",)), Edit(2, 3, "X", ("x",)), Edit(3, 4, "X", ("y",)))
    )
    one, two, three, four = attribute(Errant(), source, system, gold=gold).values
    assert one == pytest.approx(two, abs=1e-12)
    assert three == pytest.approx(four, abs=1e-12)
    assert one > 0 > three


@light
@given(
    pair=small.filter(lambda pair: pair[0].source != ""), metric=st.sampled_from([Green(n=2), Gleu(selection="best")])
)
def test_edit_that_changes_nothing_has_no_value(pair: tuple[Block, Block], metric: Metric) -> None:
    gold, system = pair
    first, *_ = gold.source.split()
    first_start = min(edit.start for edit in edits_of(system))
    if first_start == 0:
        return
    more = (Edit(0, 1, "R:NULL", (first,)), *edits_of(system))
    null, *others = attribute(metric, gold.source, Block(gold.source, more), gold=gold).values
    assert null == pytest.approx(0, abs=1e-12)
    assert others == pytest.approx(attribute(metric, gold.source, system, gold=gold).values, abs=1e-12)


SOURCE = "a b c d e f g"
GOLD = Block(SOURCE, (Edit(0, 1, "X", ("A",)), Edit(2, 3, "X", ("",)), Edit(5, 5, "X", ("new",))))
SYSTEM = Block(
    SOURCE,
    (Edit(0, 1, "X", ("A",)), Edit(2, 3, "X", ("-NONE-",)), Edit(4, 5, "X", ("wrong words",)), Edit(6, 7, "X", ("G",))),
)


@pytest.mark.parametrize("metric", [Errant(), Green(n=2)], ids=lambda metric: metric.name)
def test_drawn_values_are_within_their_errors_of_exact_ones(metric: Metric) -> None:
    exact = attribute(metric, SOURCE, SYSTEM, gold=GOLD)
    assert exact.errors is None
    drawn = attribute(metric, SOURCE, SYSTEM, gold=GOLD, exact=3, orders=400, seed=5)
    assert drawn.errors is not None
    assert drawn.orders == 400
    for value, truth, error in zip(drawn.values, exact.values, drawn.errors, strict=True):
        assert abs(value - truth) <= 4 * error + 1e-12
    more = attribute(metric, SOURCE, SYSTEM, gold=GOLD, exact=3, orders=1600, seed=5)
    assert more.errors is not None
    assert sum(more.errors) < sum(drawn.errors)


class Rescored(Errant):
    """ERRANT whose subsets of edits are all scored as texts."""

    adds_edits = False


@light
@given(
    pair=sentences(max_references=2), mode=st.sampled_from(["cs", "cse"]), method=st.sampled_from(["shapley", "sub"])
)
def test_counts_of_single_edits_add_up_to_those_of_subsets(pair: tuple[Block, Block], mode: Any, method: Any) -> None:
    gold, system = pair
    options: dict[str, Any] = {"gold": gold, "method": method, "exact": 2, "orders": 3}
    added, scored = (attribute(make(mode=mode), gold.source, system, **options) for make in (Errant, Rescored))
    assert added == scored


def test_drawn_values_depend_on_the_seed() -> None:
    options: dict[str, Any] = {"gold": GOLD, "exact": 0, "orders": 20}
    first, repeated, reseeded = (attribute(Green(), SOURCE, SYSTEM, **options, seed=seed) for seed in (1, 1, 2))
    assert first == repeated
    assert first.values != reseeded.values


def test_many_edits_have_drawn_values() -> None:
    """Forty edits have 2^40 subsets; a few thousand are scored."""
    source = " ".join(f"w{i}" for i in range(40))
    edits = tuple(Edit(i, i + 1, "X", (f"v{i}",)) for i in range(40))
    gold = Block(source, edits[:20])
    attribution = attribute(Errant(), source, Block(source, edits), gold=gold, orders=50)
    assert sum(attribution.values) == pytest.approx(attribution.delta)
    assert min(attribution.values[:20]) > max(attribution.values[20:])


def test_too_many_texts_are_refused_at_once() -> None:
    source = " ".join(f"w{i}" for i in range(700))
    edits = tuple(Edit(i, i + 1, "X", (f"v{i}",)) for i in range(700))
    system, gold = Block(source, edits), Block(source, edits[:5])
    with pytest.raises(UsageError, match="700 edits in 200 orders"):
        attribute(Errant(), source, system, gold=gold)
    attribution = attribute(Errant(), source, system, gold=gold, method="sub")
    assert sum(attribution.values) == pytest.approx(attribution.delta)


def test_values_of_texts_against_references() -> None:
    attribution = attribute(Errant(), "He go home .", "He goes home !", ["He goes home ."])
    assert [(edit.start, edit.correction, edit.type) for edit in attribution.edits] == [
        (1, "goes", "R:VERB:SVA"),
        (3, "!", "R:PUNCT"),
    ]
    assert attribution.source_score == 0
    assert attribution.values[0] > 0 > attribution.values[1]
    assert attribution.metric == "ERRANT"
    nothing = attribute(Green(), "a b", "a b", ["a c"])
    assert (nothing.values, nothing.delta) == ((), 0)


def test_constant_of_a_corpus_is_that_of_the_sentence() -> None:
    """The curve of every subset is that of the chunks of the reference next to all edits: 1, 1 and 2 tokens."""
    attribution = attribute(geceval.Cleme(), SOURCE, SYSTEM, gold=GOLD)
    assert attribution.values == attribute(geceval.Cleme(x0=4 / 3), SOURCE, SYSTEM, gold=GOLD).values
    assert attribution.values != attribute(geceval.Cleme(x0=1.0), SOURCE, SYSTEM, gold=GOLD).values


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((geceval.Goto(), SOURCE, SYSTEM), {"gold": GOLD}),
        ((Green(), SOURCE, 3, ["a"]), {}),
        ((Green(), 3, "a", ["a"]), {}),
        ((Green(), "a", "b", [3]), {}),
        (("gren", "a", "b", ["a"]), {}),
        ((Green(), "a", "b", ["a"]), {"method": "best"}),
        ((Green(), "a", "b", ["a"]), {"exact": 30}),
        ((Green(), "a", "b", ["a"]), {"orders": 1}),
        ((Green(), "a", "b"), {}),
        ((Green(), "a b", "a ||", ["a c"]), {}),
    ],
)
def test_invalid_argument_is_refused(
    arguments: tuple[Any, ...], options: dict[str, Any], snapshot: SnapshotAssertion
) -> None:
    assert message_of(attribute, *arguments, **options) == snapshot


def test_text_of_a_subset_is_that_of_its_edits() -> None:
    """The value of a single edit is the difference to the score of its text."""
    for edit in SYSTEM.edits:
        block = m2.Block(SOURCE, (edit,))
        attribution = attribute(Green(), SOURCE, block, [apply(GOLD, 0)])
        [score] = Green().sentence_scores([SOURCE], [apply(block, 0)], [[apply(GOLD, 0)]])
        assert math.isclose(attribution.score, score)
        assert attribution.values == pytest.approx((attribution.delta,))


@dataclass
class Cancelling:
    """Three edits whose gains cancel except for rounding, although together they gain."""

    all = 7
    known = MappingProxyType({0: 0.0, 7: 0.5})

    def scores(self, subsets: Iterable[int]) -> np.ndarray[Any, Any]:
        known = {0: 0.0, 1: 0.1, 2: 0.2, 4: -0.1 - 0.2, 7: 0.5, 6: 0.4, 5: 0.3, 3: 0.5 + 0.1 + 0.2}
        return np.array([known[subset] for subset in subsets])


@pytest.mark.parametrize("method", ["add", "sub"])
def test_gains_that_cancel_have_no_value(method: Any) -> None:
    assert _scaled(Cancelling(), 3, method).tolist() == [0, 0, 0]  # type: ignore[arg-type]
