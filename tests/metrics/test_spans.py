"""Verdicts by hand, F as ERRANT's, and ranks."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geceval import Errant
from geceval.m2 import Block, Edit, noop
from geceval.metrics.spans import COLUMNS, Spans
from support.strategies_edits import edited_corpora

SOURCE = "a b c d e f"
GOLD = (Edit(1, 3, "X", ("x y", "z")), Edit(5, 5, "M", ("the",)))


def suggestion(start: int, end: int, *replacements: str) -> Edit:
    return Edit(start, end, "RULE", replacements)


def totals(edit: Edit, **settings: Any) -> dict[str, float]:
    sums = Spans(**settings).corpus_score([SOURCE], [Block(SOURCE, (edit,))], gold=[Block(SOURCE, GOLD)]).totals
    return {name: number for name, number in sums.items() if number}


@pytest.mark.parametrize(
    ("edit", "verdict", "missed"),
    [
        (suggestion(1, 3, "x  y"), "exact", 1),
        (suggestion(1, 3, "z", "no"), "exact", 1),
        (suggestion(1, 3, "no", "no", "z"), "later", 2),
        (suggestion(1, 3, "no"), "place", 2),
        (suggestion(1, 2, "x"), "under", 2),
        (suggestion(2, 2, "x"), "under", 2),
        (suggestion(1, 4, "x y d"), "over", 2),
        (suggestion(0, 2, "z"), "over", 2),
        (suggestion(4, 6, "e the f"), "over", 2),
        (suggestion(3, 3, "z"), "elsewhere", 2),
        (suggestion(0, 1, "z"), "elsewhere", 2),
        (suggestion(5, 5, "the"), "exact", 1),
        (suggestion(5, 5, "-NONE-"), "place", 2),
        (Edit(1, 3, "UNK", ("b c",)), "place", 2),
    ],
    ids=lambda edit: str(edit).replace("|||", " ") if isinstance(edit, Edit) else str(edit),
)
def test_each_verdict_is_given(edit: Edit, verdict: str, missed: int) -> None:
    assert totals(edit) == {verdict: 1, "missed": missed}


def test_ranks_are_replacements_of_which_one_is_right() -> None:
    edit = suggestion(1, 3, "no", "never", "z")
    assert totals(edit, ranks=2) == {"later": 1, "missed": 2}
    assert totals(edit, ranks=3) == {"exact": 1, "missed": 1}


def test_a_gold_edit_is_matched_once() -> None:
    block = Block(SOURCE, (suggestion(5, 5, "the"), suggestion(5, 5, "the")))
    score = Spans().corpus_score([SOURCE], [block], gold=[Block(SOURCE, GOLD)])
    assert {name: count for name, count in score.totals.items() if count} == {"exact": 1, "later": 1, "missed": 1}


def plain_verdicts(suggestions: list[Edit], gold: list[Edit], ranks: int) -> dict[str, int]:
    """The numbers of verdicts, by their definitions."""
    verdicts, missed = Counter[str](), list(range(len(gold)))
    for edit in suggestions:
        same = [n for n, other in enumerate(gold) if (other.start, other.end) == (edit.start, edit.end)]
        right = [n for n in same if {*gold[n].corrections} & {*edit.corrections}]
        hits = [n for n in right if n in missed and {*gold[n].corrections} & {*edit.corrections[:ranks]}]
        touched = [other for other in gold if edit.start < other.end and other.start < edit.end]
        inside = [other for other in touched if other.start <= edit.start and edit.end <= other.end]
        cases = [(hits, "exact"), (right, "later"), (same, "place"), (inside, "under"), (touched, "over")]
        verdict = next((name for case, name in cases if case), "elsewhere")
        verdicts[verdict] += 1
        if verdict == "exact":
            missed.remove(hits[0])
    verdicts["missed"] = len(missed)
    return {name: verdicts[name] for name in COLUMNS}


spans = st.integers(0, 6).flatmap(lambda start: st.tuples(st.just(start), st.integers(start, 6)))
edits = st.builds(
    lambda span, texts: Edit(*span, "X", tuple(texts)), spans, st.lists(st.sampled_from("xyz"), min_size=1, max_size=3)
)


edit_lists = st.lists(edits, max_size=6)


@given(edit_lists, edit_lists, st.integers(1, 3))
def test_verdicts_follow_their_definitions(suggestions: list[Edit], gold: list[Edit], ranks: int) -> None:
    columns, missed = Spans(ranks=ranks).verdicts(suggestions, gold)
    counts = Counter([*(COLUMNS[column] for column in columns), *["missed"] * len(missed)])
    assert {name: counts[name] for name in COLUMNS} == plain_verdicts(suggestions, gold, ranks)


@pytest.mark.timeout(10)
def test_many_insertions_at_one_place_take_little_time() -> None:
    gold, wrong = (Block("a", tuple(suggestion(0, 0, f"{text}{n}") for n in range(10_000))) for text in ("yes", "no"))
    for system, verdicts in ((gold, {"exact": 10_000}), (wrong, {"place": 10_000, "missed": 10_000})):
        score = Spans().corpus_score(["a"], [system], gold=[gold])
        assert {name: count for name, count in score.totals.items() if count} == verdicts


def test_parts_are_shares_of_the_suggestions() -> None:
    block = Block(SOURCE, (suggestion(1, 2, "x"), suggestion(3, 3, "z"), suggestion(5, 5, "the")))
    score = Spans().corpus_score([SOURCE], [block], gold=[Block(SOURCE, GOLD)])
    expected = dict.fromkeys(score.parts, 0.0) | dict.fromkeys(("precision", "under", "elsewhere"), 1 / 3)
    assert score.parts == pytest.approx(expected | {"recall": 0.5})


def test_marked_gold_errors_do_not_count() -> None:
    gold = [Block(SOURCE, (Edit(0, 1, "UNK", ("a",)),))]
    with pytest.warns(match="all have the type UNK"):
        assert Spans().corpus_score([SOURCE], [Block(SOURCE, (noop(0),))], gold=gold).value == 1


@settings(deadline=None)
@given(edited_corpora, st.sampled_from(["running", "optimum"]))
def test_precision_recall_and_f_are_those_of_errant(rows: list[tuple[Block, Block]], selection: Any) -> None:
    gold, system = map(list, zip(*rows, strict=True))
    source = [block.source for block in gold]
    counts, expected = (metric(selection=selection).counts(source, system, gold=gold) for metric in (Spans, Errant))
    unlike = [len({*block.edits}) < len(block.edits) for pair in rows for block in pair]
    if any(unlike):  # errant counts an edit that is written twice by another rule
        return
    proposed = counts.array[..., 1 : COLUMNS.index("missed")].sum(-1)
    cells = np.stack([counts.array[..., 0], proposed, counts.array[..., -1]], -1)
    np.testing.assert_array_equal(cells, expected.array)
    scores = [metric(selection=selection).corpus_score(source, system, gold=gold) for metric in (Spans, Errant)]
    assert len({(score.value, score.parts["precision"], score.parts["recall"]) for score in scores}) == 1
