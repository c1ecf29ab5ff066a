"""MaxMatch as users call it: settings, errors, warnings, choices."""

from __future__ import annotations

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from geceval import Corpus, MaxMatch
from geceval.base.errors import GecevalWarning
from geceval.counting.counts import Counts
from geceval.counting.system_results import system_results
from geceval.m2 import Block, Edit, fitting, noop
from geceval.metrics.shared.edit_matching import CORRECT, PROPOSED, edits_by_cell
from geceval.metrics.shared.edit_matching import GOLD as GOLD_EDITS
from support.messages import message_of

SOURCE = ["The cat sat at mat .", "The dog .", "Giant otters is an apex predator ."]
HYPOTHESIS = ["A cat sat on the mat .", "The dog .", "Giant otters are apex predator ."]


def edit(start: int, end: int, text: str, annotator: int = 0, type: str = "X") -> Edit:
    return Edit(start, end, type, tuple(text.split("||")), annotator=annotator)


GOLD = [
    Block(SOURCE[0], (edit(3, 4, "on"), edit(4, 4, "the||a"))),
    Block(SOURCE[1], (edit(1, 2, "dogs"), noop(1))),
    Block(SOURCE[2], (edit(2, 3, "are"), edit(3, 4, "-NONE-"), edit(5, 6, "predators"), edit(1, 2, "otter", 1))),
]


def test_the_worked_example() -> None:
    score = MaxMatch().corpus_score(SOURCE, HYPOTHESIS, gold=GOLD)
    assert score.totals == {"correct": 4, "proposed": 5, "gold": 5}
    assert (score.value, score.parts["precision"], score.parts["recall"]) == pytest.approx((0.8, 0.8, 0.8))
    assert score.signature.startswith("MaxMatch|beta:0.5|max_unchanged_words:2|ignore_whitespace_casing:False|")
    assert "|policy:running|refs:1-2(gold)|level:corpus|" in score.signature


def test_counts_are_ragged_and_shared() -> None:
    counts = MaxMatch().counts(SOURCE, HYPOTHESIS, gold=GOLD)
    assert counts.array.tolist() == [[[2, 3, 2], [0, 0, 0]], [[0, 0, 1], [0, 0, 0]], [[2, 2, 3], [0, 1, 1]]]
    assert counts.mask.tolist() == [[True, False], [True, True], [True, True]]
    assert MaxMatch(beta=1, selection="optimum").count_key == MaxMatch().count_key
    assert MaxMatch(max_unchanged_words=3).count_key != MaxMatch().count_key


def test_sentence_scores_take_the_best_annotator() -> None:
    scores = MaxMatch().sentence_scores(SOURCE, HYPOTHESIS, gold=GOLD)
    np.testing.assert_allclose(scores, [2 * 1.25 / 3.5, 1.0, 2 * 1.25 / 2.75])


def test_a_system_may_be_edits() -> None:
    system = [Block(SOURCE[0], (edit(0, 1, "A"), edit(3, 4, "on the"))), Block(SOURCE[1]), Block(SOURCE[2])]
    assert MaxMatch().corpus_score(SOURCE, system, gold=GOLD).totals["correct"] == 2


def test_evidence_sums_to_the_counts_and_has_the_types_of_the_gold() -> None:
    metric = MaxMatch()
    gold = [Block(SOURCE[0], (Edit(3, 4, "Prep", ("on",)), Edit(4, 4, "Det", ("the", "a")))), *GOLD[1:]]
    prepared = metric.prepare(Corpus(SOURCE, gold=gold))
    counts = metric.count(prepared, HYPOTHESIS, evidence=True)
    assert metric.count(prepared, HYPOTHESIS).evidence is None
    evidence = counts.evidence
    assert evidence is not None
    assert evidence.type is not None
    np.testing.assert_array_equal(evidence.sums(counts.array.shape), counts.array)
    np.testing.assert_array_equal(counts.array, metric.count(prepared, HYPOTHESIS).array)
    types = [evidence.strings[place] for place in evidence.type[evidence.sentence == 0]]
    edits = edits_by_cell(evidence)
    unmatched, on, the = edit(0, 3, "A cat sat", type=""), edit(3, 4, "on", type="Prep"), edit(4, 4, "the", type="Det")
    assert edits[0, 0, CORRECT] == [on, the]
    assert edits[0, 0, PROPOSED] == [unmatched, on, the]
    assert edits[0, 0, GOLD_EDITS] == [on, edit(4, 4, "the||a", type="Det")]
    assert types == ["Prep", "Det", "", "Prep", "Det", "Prep", "Det"]
    threads = metric.count(prepared, HYPOTHESIS, 4, evidence=True).evidence
    assert threads is not None
    assert edits_by_cell(threads) == edits


def test_a_sentence_too_long_is_refused_with_its_beginning(snapshot: SnapshotAssertion) -> None:
    gold = [Block("a b"), Block("the end " * 4_000, path="gold.m2", line=3)]
    corpus = Corpus([block.source for block in gold], (), {"it": ["a", "x " * 8_000]}, gold)
    metric = MaxMatch()
    prepared = metric.prepare(corpus)
    assert message_of(metric.count, prepared, corpus.systems["it"]) == snapshot


def test_gold_is_needed(snapshot: SnapshotAssertion) -> None:
    assert message_of(lambda: MaxMatch().corpus_score(SOURCE, HYPOTHESIS, [SOURCE])) == snapshot


def test_misfits(snapshot: SnapshotAssertion) -> None:
    gold = [Block("a b", (edit(0, 1, "x"), edit(2, 4, "y")), path="gold.m2", line=1)]
    assert message_of(lambda: MaxMatch().corpus_score(["a b"], ["x b"], gold=gold)) == snapshot
    with pytest.warns(GecevalWarning, match="1 edit that does not fit"):
        gold = list(fitting(gold, "drop"))
    assert MaxMatch().corpus_score(["a b"], ["x b"], gold=gold).totals["gold"] == 1


def test_a_late_sentence_counts_as_unmatched_with_a_warning() -> None:
    phrase = " ".join(f"w{k}" for k in range(15))
    gold = [Block("a b", (edit(0, 1, "x"),)), Block(" ".join([phrase] * 80), (edit(0, 1, "x"),), path="g.m2", line=4)]
    corpus = Corpus([block.source for block in gold], (), {"it": ["x b", " ".join([phrase] * 240)]}, gold)
    with pytest.warns(GecevalWarning, match=r"^g\.m2:4: sentence 2 is unmatched: it took more than 0\.05 s$"):
        [tally] = system_results(corpus, [MaxMatch(timeout=0.05)])["it"]
    assert tally.score().totals == {"correct": 1, "proposed": 1, "gold": 2}


def chosen(rows: list[list[list[int]]], metric: MaxMatch) -> list[int]:
    counts = Counts(np.array(rows), metric.columns)
    return metric.choices(counts)[0].tolist()


def test_running_depends_on_the_order_and_optimum_does_not() -> None:
    # Alone, the sentence is better off with the annotator who found nothing to correct; after a good one it is not.
    hard, good = [[1, 2, 9], [0, 2, 0]], [[10, 10, 10], [10, 10, 10]]
    assert chosen([hard, good], MaxMatch()) == [0, 0]
    assert chosen([good, hard], MaxMatch()) == [0, 1]
    for rows in ([hard, good], [good, hard]):
        assert chosen(rows, MaxMatch(selection="optimum"))[rows.index(hard)] == 1


def test_ties_between_references_are_broken_as_by_m2scorer() -> None:
    for selection in ("running", "optimum"):
        metric = MaxMatch(selection=selection)  # type: ignore[arg-type]
        assert chosen([[[0, 1, 4], [0, 1, 2], [0, 1, 2]]], metric) == [1], "the smaller proposed + beta² gold"
        assert chosen([[[0, 2, 1], [0, 1, 8]]], metric) == [0], "2 + 1 / 4 is less than 1 + 8 / 4"
        assert chosen([[[0, 0, 2], [0, 0, 0]]], metric) == [1], "nothing to find, nothing proposed: 1"
        assert chosen([[[1, 1, 1], [2, 2, 2]]], metric) == [1], "more correct"


def test_a_gold_edit_written_twice_is_matched_twice() -> None:
    twice = Edit(1, 1, "M:OTHER", ("x",))
    score = MaxMatch().corpus_score(["a b"], ["a x b"], gold=[Block("a b", (twice, twice))])
    assert list(score.totals.values()) == [2, 1, 2]
    assert score.value == pytest.approx(5 / 3)  # as the official scorer
    assert score.value <= MaxMatch.scale.high
