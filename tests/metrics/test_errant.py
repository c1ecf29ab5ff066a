"""ERRANT worked by hand, its choice of references, and its side table of types."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval import Corpus, Errant, Goto, NetBenefit, evaluate
from geceval.base.errors import UsageError
from geceval.counting.breakdown import evaluate_groups
from geceval.counting.counts import Counts
from geceval.counting.groupings import ByType
from geceval.counting.system_results import kept_counts
from geceval.m2 import Block, Edit, noop
from geceval.text.m2.edit import Tier
from support.messages import message_of

SOURCE = "The cat sat at mat ."


def edit(start: int, end: int, type_: str, correction: str, annotator: int = 0) -> Edit:
    return Edit(start, end, type_, (correction,), annotator=annotator)


ON, THE, WRONG = edit(3, 4, "R:PREP", "on"), edit(4, 4, "M:DET", "the"), edit(0, 1, "R:DET", "A")


def block(*edits: Edit) -> Block:
    return Block(SOURCE, edits)


def totals(metric: Errant, hypothesis: Block, gold: Block) -> list[int]:
    corpus = Corpus([SOURCE], (), {"it": [hypothesis]}, [gold], overlaps=None)
    [counts] = kept_counts(corpus, metric).values()
    return metric.totals(counts)[0].tolist()


def test_one_right_one_wrong_one_missed() -> None:
    score = Errant().corpus_score([SOURCE], [block(ON, WRONG)], gold=[block(ON, THE)])
    assert score.totals == {"tp": 1, "fp": 1, "fn": 1}
    assert score.value == score.parts["precision"] == score.parts["recall"] == 0.5


@pytest.mark.parametrize(
    ("mode", "hypothesis", "gold", "expected"),
    [
        ("cs", edit(3, 4, "R:NOUN", "on"), ON, [1, 0, 0]),
        ("cse", edit(3, 4, "R:NOUN", "on"), ON, [0, 1, 1]),
        ("cs", edit(3, 4, "R:PREP", "by"), ON, [0, 1, 1]),
        ("ds", edit(3, 4, "R:PREP", "by"), ON, [1, 0, 0]),
        ("ds", edit(3, 5, "R:PREP", "by the"), ON, [0, 1, 1]),
        ("dt", edit(3, 5, "R:PREP", "by the"), ON, [1, 1, 0]),
        ("dt", edit(4, 5, "R:NOUN", "mats"), THE, [1, 0, 0]),
        ("cs", edit(3, 4, "UNK", "at"), edit(3, 4, "UNK", "at"), [0, 0, 0]),
        ("ds", edit(3, 4, "UNK", "at"), edit(3, 4, "UNK", "at"), [1, 0, 0]),
        ("cs", edit(3, 4, "U:PREP", ""), edit(3, 4, "U:PREP", "-NONE-"), [1, 0, 0]),
        ("cs", noop(0), noop(0), [0, 0, 0]),
    ],
)
@pytest.mark.filterwarnings("ignore:.*type UNK")
def test_what_makes_edits_equal(mode: str, hypothesis: Edit, gold: Edit, expected: list[int]) -> None:
    assert totals(Errant(mode=mode), block(hypothesis), block(gold)) == expected  # type: ignore[arg-type]


def test_a_match_counts_for_each_reference_edit_a_miss_for_each_own() -> None:
    assert totals(Errant(), block(ON, ON), block(ON)) == [1, 0, 0]
    assert totals(Errant(), block(ON), block(ON, ON)) == [2, 0, 0]
    assert totals(Errant(), block(WRONG, WRONG), block(ON, ON)) == [0, 2, 2]


def test_gold_without_a_counted_type_is_warned_of() -> None:
    unknown = block(edit(3, 4, "UNK", "on"))
    for mode, gold, warned in (("cs", unknown, True), ("ds", unknown, False), ("cs", block(ON), False)):
        corpus = Corpus([SOURCE], (), {"it": [SOURCE]}, [gold])
        remarks = Errant(mode=mode).remarks(corpus)  # type: ignore[arg-type]
        assert bool(remarks) == warned
        assert not warned or "all have the type UNK" in remarks[0]
        assert bool(Goto().remarks(corpus)) == (gold is unknown)


def test_sizes_and_excluded_types() -> None:
    long = edit(1, 3, "R:OTHER", "dog")
    assert totals(Errant(size="single"), block(ON, long), block(long)) == [0, 1, 0]
    assert totals(Errant(size="multi"), block(ON, long), block(long)) == [1, 0, 0]
    assert totals(Errant(exclude="R:PREP+M:DET"), block(ON, THE, long), block(long)) == [1, 0, 0]


@pytest.mark.parametrize(
    ("exclude", "expected"),
    [
        ("PREP", [1, 0, 0]),
        ("R", [1, 0, 0]),
        ("M", [0, 1, 1]),
        ("DET", [0, 1, 1]),
        ("R:P*", [1, 0, 0]),
        ("R+DET", [0] * 3),
    ],
)
def test_excluded_types_are_whole_types_categories_operations_or_patterns(exclude: str, expected: list[int]) -> None:
    by = edit(3, 4, "R:PREP", "by")
    assert totals(Errant(exclude=exclude), block(by, THE), block(ON, THE)) == expected


@pytest.mark.parametrize("exclude", ["PUNKT", "R:PUNKT", "r:punct", "VERB:X*", "PREP+", ""])
def test_unknown_excluded_type_is_refused(exclude: str) -> None:
    corpus = Corpus([SOURCE], (), {"it": [block(ON)]}, [block(THE)])
    for metric in (Errant(exclude=exclude), NetBenefit(exclude=exclude)):
        with pytest.raises(UsageError, match="is not a type of ERRANT or of any edit here"):
            evaluate(corpus, [metric])


def test_type_of_the_gold_that_is_not_one_of_errant_can_be_excluded() -> None:
    article = edit(4, 4, "ArtOrDet", "the")
    assert totals(Errant(exclude="ArtOrDet"), block(ON), block(article)) == [0, 1, 0]


@pytest.mark.parametrize("exclude", ["PUNCT", "R", "Nn", "noop"])
def test_type_of_errant_that_no_edit_of_another_tag_set_has_is_refused(exclude: str) -> None:
    blocks = [block(edit(4, 4, "ArtOrDet", "the"), edit(0, 1, "SVA", "It"))]
    with pytest.raises(UsageError, match=f"'{exclude}', which is not a type of any edit here") as told:
        evaluate(Corpus([SOURCE], (), {"it": blocks}, blocks), [Errant(exclude=exclude)])
    assert told.value.hint == "choose from ArtOrDet, SVA"
    with_text = Corpus([SOURCE], (), {"it": blocks, "text": [SOURCE]}, blocks)
    evaluate(with_text, [Errant(exclude="PUNCT")], checks=False)


def test_operations_of_cherrant_can_be_excluded_without_an_edit() -> None:
    assert totals(Errant(exclude="W+R"), block(edit(1, 2, "S", "x")), block(edit(1, 2, "S", "x"))) == [1, 0, 0]
    with pytest.raises(UsageError, match="exclude names 'U'"):
        totals(Errant(exclude="U"), block(edit(1, 2, "S", "x")), block(edit(1, 2, "M", "x")))


def test_hint_on_an_excluded_noop_is_no_noop() -> None:
    blocks = [block(noop(0))]
    with pytest.raises(UsageError, match="'NOOP'") as told:
        evaluate(Corpus([SOURCE], (), {"it": blocks}, blocks), [Errant(exclude="NOOP")])
    assert told.value.hint == "choose from ADJ, ADJ:FORM, ADJ:INFL, ADP, ADP:INFL, ADV and 51 more"


def test_text_and_edits_give_the_same() -> None:
    source, hypothesis, reference = (
        ["He go home .", "Good ."],
        ["He goes home .", "Good !"],
        ["He goes home !", "Good ."],
    )
    metric = Errant()
    from_text = metric.counts(source, hypothesis, [reference])
    gold = [
        Block(source[0], (edit(1, 2, "R:VERB:SVA", "goes"), edit(3, 4, "R:PUNCT", "!"))),
        Block(source[1], (noop(0),)),
    ]
    from_edits = metric.counts(source, hypothesis, gold=gold)
    np.testing.assert_array_equal(from_text.array, from_edits.array)
    assert from_text.array[:, 0].tolist() == [[1, 0, 1], [0, 1, 0]]


def test_gold_edits_go_before_texts() -> None:
    score = Errant().corpus_score([SOURCE], [block(ON)], [[SOURCE]], gold=[block(ON)])
    assert score.value == 1.0


def test_every_annotator_of_the_gold_is_compared() -> None:
    gold = block(noop(0), edit(3, 4, "R:PREP", "on", 7), edit(3, 4, "R:PREP", "upon", 2))
    hypotheses = [block(WRONG), block(edit(3, 4, "R:PREP", "on", 1))]
    counts = Errant().counts([SOURCE, SOURCE], hypotheses, gold=[gold, block()])
    assert counts.array[0].tolist() == [[0, 1, 0], [0, 1, 1], [0, 1, 1]]
    assert counts.mask.sum(1).tolist() == [3, 1]


def test_the_choice_depends_on_the_order_and_the_optimum_does_not() -> None:
    chance = np.random.default_rng(0)
    array = chance.integers(0, 4, (6, 2, 3))
    parts = [Counts(rows, ("tp", "fp", "fn")) for rows in (array, array[chance.permutation(6)])]
    for selection, same in (("running", False), ("optimum", True)):
        metric = Errant(selection=selection)  # type: ignore[arg-type]
        values = [metric.score(metric.totals(part))[0] for part in parts]
        assert bool(np.isclose(*values, rtol=0, atol=1e-12)) is same


small = st.integers(0, 3)
rows = st.lists(st.tuples(small, small, small), min_size=2, max_size=2)


@given(st.lists(rows, min_size=1, max_size=6), st.sampled_from([0.0, 0.5, 1.0, 2.0]))
@example([[(0, 0, 1), (0, 0, 0)]], 0.0)
@example([[(0, 0, 1), (1, 1, 0)]], 0.0)
def test_the_optimum_is_the_best_of_all_choices(table: list[list[tuple[int, int, int]]], beta: float) -> None:
    array = np.array(table)
    metric = Errant(beta=beta, selection="optimum")
    counts = Counts(array, metric.columns)
    every = [
        array[np.arange(len(table)), list(choice)].sum(0) for choice in itertools.product((0, 1), repeat=len(table))
    ]
    best = max(float(metric.score(sums)) for sums in every)
    assert float(metric.score(metric.totals(counts))[0]) == pytest.approx(best, abs=1e-12)
    running = Errant(beta=beta)
    assert float(running.score(running.totals(counts))[0]) <= best + 1e-12


def precision_recall_f(tp: int, fp: int, fn: int, beta: float) -> tuple[float, float, float]:
    """Precision is 1 without false positives, recall is 1 without false negatives; F is 0 if both are 0."""
    p = tp / (tp + fp) if fp else 1.0
    r = tp / (tp + fn) if fn else 1.0
    below = beta**2 * p + r
    return p, r, (1 + beta**2) * p * r / below if below else 0.0


@given(small, small, small, st.sampled_from([0.0, 0.5, 1.0, 3.0]))
def test_scores_are_those_of_the_plain_formula(tp: int, fp: int, fn: int, beta: float) -> None:
    metric = Errant(beta=beta)
    precision, recall, f = precision_recall_f(tp, fp, fn, beta)
    parts = metric.parts(np.array([tp, fp, fn]))
    assert metric.scale.with_conventions(parts) == {"precision": precision, "recall": recall}
    assert (math.isnan(parts["precision"]), math.isnan(parts["recall"])) == (tp + fp == 0, tp + fn == 0)
    assert float(metric.score(np.array([tp, fp, fn]))) == pytest.approx(f, abs=1e-15)


def test_types_are_summed_over_the_chosen_references() -> None:
    metric = Errant()
    source = [SOURCE] * 3
    hypothesis = [block(ON, WRONG), block(THE), block()]
    gold = [block(ON, noop(1)), block(THE, edit(3, 4, "R:PREP", "on", 1)), block(edit(3, 4, "UNK", "at"))]
    corpus = Corpus(source, (), {"it": hypothesis}, gold)

    def by(tier: Tier) -> dict[str, tuple[float, ...]]:
        [result] = evaluate_groups(corpus, [metric], ByType(tier), block=2)["it"]
        assert result.score().totals == {"tp": 2, "fp": 1, "fn": 0}
        return {label: tuple(score.totals.values()) for label, score in result.groups().items()}

    assert by("full") == {"M:DET": (1, 0, 0), "R:DET": (0, 1, 0), "R:PREP": (1, 0, 0)}
    assert by("operation") == {"M": (1, 0, 0), "R": (1, 1, 0)}
    assert by("type") == {"DET": (1, 1, 0), "PREP": (1, 0, 0)}


def test_faults_are_told(snapshot: SnapshotAssertion) -> None:
    assert message_of(lambda: Errant().corpus_score(["a"], ["b"])) == snapshot
    assert message_of(lambda: Errant().corpus_score(["Other words"], ["b"], gold=[block(ON)])) == snapshot
    assert message_of(lambda: Errant(annotator="none").corpus_score(["a"], ["b"], [["c"]])) == snapshot
