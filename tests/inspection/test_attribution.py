"""What edits are worth: the axioms of Shapley, the sums, and what is drawn against what is exact."""

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

import geceval
from geceval import Errant, Gleu, Green, m2
from geceval.base.errors import InputError, UsageError
from geceval.extending import Metric, attribute
from geceval.inspection.attribution import _scaled
from geceval.m2 import Block, Edit, apply, noop
from support.effort import examples
from support.instances import instances
from support.strategies_edits import sentences

METRICS = [
    metric
    for metric in instances().values()
    if metric.evidence_of != "nothing" and not metric.pooled and not metric.about.extra
]
each = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
light = settings(max_examples=examples(25))


def score_of(metric: Metric, gold: Block, edits: tuple[Edit, ...]) -> float:
    """The sentence score of a system that makes these edits."""
    system = Block(gold.source, edits or (noop(0),))
    corpus = geceval.Corpus([gold.source], (), {"it": [system]}, [gold])
    [[result]] = geceval.evaluate(corpus, [metric], views=["sentence"], checks=False).values()
    return float(result.sentence_scores()[0])


def by_orders(metric: Metric, gold: Block, edits: tuple[Edit, ...]) -> list[float]:
    """Slow and obvious: the mean gain of each edit over all orders of making them."""
    gains: list[list[float]] = [[] for _ in edits]
    for order in permutations(range(len(edits))):
        for k, e in enumerate(order):
            before, after = (tuple(edits[i] for i in sorted(order[:n])) for n in (k, k + 1))
            gains[e].append(score_of(metric, gold, after) - score_of(metric, gold, before))
    return [float(np.mean(own)) for own in gains]


def edits_of(block: Block) -> tuple[Edit, ...]:
    return tuple(edit for edit in block.edits if not edit.is_noop)


small = sentences(max_references=2).filter(lambda pair: 1 <= len(edits_of(pair[1])) <= 3)


@light
@given(pair=small, metric=st.sampled_from([Errant(), Green(n=2), Gleu(n=2, selection="best")]))
def test_shapley_is_the_mean_over_all_orders(pair: tuple[Block, Block], metric: Metric) -> None:
    gold, system = pair
    found = attribute(metric, gold.source, system, gold=gold)
    assert found.values == pytest.approx(by_orders(metric, gold, edits_of(system)), abs=1e-12)


@each
@light
@given(pair=sentences(max_references=2))
def test_values_sum_to_what_all_edits_gain(metric: Metric, pair: tuple[Block, Block]) -> None:
    gold, system = pair
    for exact in (12, 0):
        found = attribute(metric, gold.source, system, gold=gold, exact=exact, orders=5)
        assert sum(found.values) == pytest.approx(found.delta, abs=1e-9)
        assert len(found.values) == len(edits_of(system))
    for method in ("add", "sub"):
        found = attribute(metric, gold.source, system, gold=gold, method=method)  # type: ignore[arg-type]
        if any(found.values):
            assert sum(found.values) == pytest.approx(found.delta, abs=1e-6)


@each
def test_the_scores_are_those_of_the_sentence(metric: Metric) -> None:
    source, system = "He go to home yesterday .", "He went home yesterday ."
    gold = Block(source, (Edit(1, 3, "R:VERB", ("went",)), Edit(3, 4, "X", ("house",), annotator=1)))
    found = attribute(metric, source, system, gold=gold)
    corpus = geceval.Corpus([source], (), {"it": [system], "source": [source]}, [gold])
    results = geceval.evaluate(corpus, [metric], checks=False)
    assert found.score == pytest.approx(results["it"][0].sentence_scores()[0], abs=1e-12)
    assert found.source_score == pytest.approx(results["source"][0].sentence_scores()[0], abs=1e-12)


def test_edits_that_do_the_same_are_worth_the_same() -> None:
    """Two of the reference's edits, or two wrong ones, of equal length: no metric on edits can tell them apart."""
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
def test_an_edit_that_changes_nothing_is_worth_nothing(pair: tuple[Block, Block], metric: Metric) -> None:
    gold, system = pair
    first, *_ = gold.source.split()
    taken = min(edit.start for edit in edits_of(system))
    if taken == 0:
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
def test_what_is_drawn_is_near_what_is_exact(metric: Metric) -> None:
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
    how: dict[str, Any] = {"gold": gold, "method": method, "exact": 2, "orders": 3}
    added, scored = (attribute(make(mode=mode), gold.source, system, **how) for make in (Errant, Rescored))
    assert added == scored


def test_the_seed_decides() -> None:
    how: dict[str, Any] = {"gold": GOLD, "exact": 0, "orders": 20}
    one, again, other = (attribute(Green(), SOURCE, SYSTEM, **how, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one.values != other.values


def test_many_edits_are_drawn_soon() -> None:
    """Forty edits have 2^40 subsets; a few thousand are scored."""
    source = " ".join(f"w{i}" for i in range(40))
    edits = tuple(Edit(i, i + 1, "X", (f"v{i}",)) for i in range(40))
    gold = Block(source, edits[:20])
    found = attribute(Errant(), source, Block(source, edits), gold=gold, orders=50)
    assert sum(found.values) == pytest.approx(found.delta)
    assert min(found.values[:20]) > max(found.values[20:])


def test_too_many_texts_are_refused_at_once() -> None:
    source = " ".join(f"w{i}" for i in range(700))
    edits = tuple(Edit(i, i + 1, "X", (f"v{i}",)) for i in range(700))
    system, gold = Block(source, edits), Block(source, edits[:5])
    with pytest.raises(UsageError, match="700 edits in 200 orders"):
        attribute(Errant(), source, system, gold=gold)
    found = attribute(Errant(), source, system, gold=gold, method="sub")
    assert sum(found.values) == pytest.approx(found.delta)


def test_text_and_references() -> None:
    found = attribute(Errant(), "He go home .", "He goes home !", ["He goes home ."])
    assert [(edit.start, edit.correction, edit.type) for edit in found.edits] == [
        (1, "goes", "R:VERB:SVA"),
        (3, "!", "R:PUNCT"),
    ]
    assert found.source_score == 0
    assert found.values[0] > 0 > found.values[1]
    assert found.metric == "ERRANT"
    nothing = attribute(Green(), "a b", "a b", ["a c"])
    assert (nothing.values, nothing.delta) == ((), 0)


def test_a_corpus_constant_is_that_of_the_sentence() -> None:
    """The same curve weighs every subset: the reference's chunks beside the whole system are 1, 1 and 2 tokens long."""
    found = attribute(geceval.Cleme(), SOURCE, SYSTEM, gold=GOLD)
    assert found.values == attribute(geceval.Cleme(x0=4 / 3), SOURCE, SYSTEM, gold=GOLD).values
    assert found.values != attribute(geceval.Cleme(x0=1.0), SOURCE, SYSTEM, gold=GOLD).values


@pytest.mark.parametrize(
    ("call", "error", "why"),
    [
        (lambda: attribute(geceval.Goto(), SOURCE, SYSTEM, gold=GOLD), UsageError, "all systems"),
        (lambda: attribute(Green(), SOURCE, 3, ["a"]), UsageError, "hypothesis"),  # type: ignore[arg-type]
        (lambda: attribute(Green(), 3, "a", ["a"]), UsageError, "source"),  # type: ignore[arg-type]
        (lambda: attribute(Green(), "a", "b", [3]), UsageError, "reference"),  # type: ignore[list-item]
        (lambda: attribute("green", "a", "b", ["a"]), UsageError, "metric"),  # type: ignore[arg-type]
        (lambda: attribute(Green(), "a", "b", ["a"], method="best"), UsageError, "method"),  # type: ignore[arg-type]
        (lambda: attribute(Green(), "a", "b", ["a"], exact=30), UsageError, "exact"),
        (lambda: attribute(Green(), "a", "b", ["a"], orders=1), UsageError, "orders"),
        (lambda: attribute(Green(), "a", "b"), InputError, "references"),
        (lambda: attribute(Green(), "a b", "a ||", ["a c"]), InputError, "has a meaning in M2"),
    ],
)
def test_what_cannot_be_valued(call: Any, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        call()


def test_the_texts_of_subsets_are_those_that_the_edits_make() -> None:
    """With one edit its value is the whole difference: of the text that M2 makes of it."""
    for edit in SYSTEM.edits:
        block = m2.Block(SOURCE, (edit,))
        found = attribute(Green(), SOURCE, block, [apply(GOLD, 0)])
        [score] = Green().sentence_scores([SOURCE], [apply(block, 0)], [[apply(GOLD, 0)]])
        assert math.isclose(found.score, score)
        assert found.values == pytest.approx((found.delta,))


@dataclass
class Cancelling:
    """Three edits whose gains cancel but for rounding, though together they gain."""

    all = 7
    known = MappingProxyType({0: 0.0, 7: 0.5})

    def scores(self, subsets: Iterable[int]) -> np.ndarray[Any, Any]:
        said = {0: 0.0, 1: 0.1, 2: 0.2, 4: -0.1 - 0.2, 7: 0.5, 6: 0.4, 5: 0.3, 3: 0.5 + 0.1 + 0.2}
        return np.array([said[subset] for subset in subsets])


@pytest.mark.parametrize("method", ["add", "sub"])
def test_gains_that_cancel_are_worth_nothing(method: Any) -> None:
    """Their sum is 0 but for rounding, and no scale."""
    assert _scaled(Cancelling(), 3, method).tolist() == [0, 0, 0]  # type: ignore[arg-type]
