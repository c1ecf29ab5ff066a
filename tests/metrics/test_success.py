"""Success and type detection by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from geceval import Corpus, compare, evaluate
from geceval.counting.signature import signature_of
from geceval.counting.system_results import kept_counts
from geceval.m2 import Block, Edit, noop
from geceval.metrics.success import Success
from geceval.metrics.type_detection import TypeDetection

SOURCE = "a b c d"


def edit(start: int, end: int, type_: str, correction: str, annotator: int = 0) -> Edit:
    return Edit(start, end, type_, (correction,), annotator=annotator)


DET, VERB, OTHER_VERB = edit(0, 1, "R:DET", "x"), edit(2, 3, "R:VERB", "y"), edit(2, 3, "R:VERB", "z", 1)
UNKNOWN = edit(1, 2, "UNK", "b")
#: Annotators' edits, a system's edits, and expected columns of success and of detection of verbs.
CASES = [
    ((DET, VERB, OTHER_VERB), (VERB,), [1, 0], [1, 0, 0]),
    ((DET, VERB, OTHER_VERB), (edit(2, 3, "R:NOUN", "z"),), [1, 0], [0, 0, 1]),
    ((DET, VERB, OTHER_VERB), (edit(2, 3, "R:VERB", "w"),), [0, 1], [1, 0, 0]),
    ((VERB, edit(3, 4, "R:VERB:SVA", "e"), noop(1)), (VERB,), [1, 0], [1, 0, 0]),
    ((VERB, edit(3, 4, "R:VERB", "e"), noop(1)), (VERB,), [0, 1], [1, 0, 0]),
    # An annotator without a verb is not reached by doing nothing.
    ((DET, OTHER_VERB), (), [0, 1], [0, 0, 1]),
    ((DET,), (VERB,), [0, 0], [0, 1, 0]),
    ((noop(0),), (DET,), [0, 0], [0, 0, 0]),
    ((UNKNOWN,), (UNKNOWN,), [0, 0], [0, 0, 0]),
]


def corpus_of(cases: list[tuple[tuple[Edit, ...], tuple[Edit, ...], list[int], list[int]]]) -> Corpus:
    gold = [Block(SOURCE, edits) for edits, *_ in cases]
    return Corpus(
        [SOURCE] * len(cases), (), {"it": [Block(SOURCE, edits or (noop(0),)) for _, edits, *_ in cases]}, gold
    )


@pytest.mark.parametrize("place", range(len(CASES)))
def test_counts_of_verbs(place: int) -> None:
    corpus = corpus_of(CASES)
    for metric, column in ((Success(types="VERB"), 2), (TypeDetection(types="VERB"), 3)):
        counts = kept_counts(corpus, metric, evidence=True)["it"]
        assert counts.array[place, 0].tolist() == CASES[place][column]
        assert counts.evidence is not None
        np.testing.assert_array_equal(counts.evidence.sums(counts.array.shape), counts.array)


def test_scores_are_shares_of_sentences() -> None:
    [success, detection] = evaluate(corpus_of(CASES), ["success:types=VERB", "type-detection:types=VERB"])["it"]
    assert success.score().value == 3 / 6
    assert success.score().parts == {"sentences": 6}
    assert detection.score().totals == {"tp": 4, "fp": 1, "fn": 2}
    assert detection.score().value == 2 * 4 / (2 * 4 + 1 + 2)
    assert detection.score().parts == {"precision": 4 / 5, "recall": 4 / 6}


def test_all_edits_count_without_types() -> None:
    [success, detection] = evaluate(corpus_of(CASES), [Success(), TypeDetection(beta=2)])["it"]
    assert success.score().totals == {"corrected": 1, "missed": 6}
    assert detection.score().totals == {"tp": 7, "fp": 1, "fn": 1}
    assert detection.score().value == 5 * 7 / (5 * 7 + 1 + 4)
    assert "|only:VERB|" in signature_of(Success(types="VERB", annotator="plain"), 1)


def test_rate_without_a_denominator_has_no_value_and_no_p() -> None:
    gold = [Block(SOURCE, (DET,))] * 3
    systems = {"first": [Block(SOURCE, (DET,))] * 3, "second": [Block(SOURCE, (noop(0),))] * 3}
    corpus = Corpus([SOURCE] * 3, (), {**systems, "verbs": [Block(SOURCE, (VERB,))] * 3}, gold)
    comparison = compare(corpus, ["success:types=VERB", "type-detection:types=VERB"], samples=200, checks=False)
    for difference in comparison["success"].pairs:
        assert math.isnan(difference.difference)
        assert math.isnan(difference.p)
    by_pair = {(row.a, row.b): row.p for row in comparison["type-detection"].pairs}
    assert all(map(math.isnan, by_pair.values()))
    assert [math.isnan(row.value) for row in comparison["type-detection"].systems] == [True, True, False]


def test_corrections_are_compared_as_in_errant() -> None:
    for gold, correction, expected in ((("x", "y"), "x", 0), (("x",), "x", 1), (("-NONE-",), "", 1)):
        blocks = [[Block(SOURCE, (Edit(0, 1, "R", texts),))] for texts in (gold, (correction,))]
        corpus = Corpus([SOURCE], (), {"it": blocks[1]}, blocks[0])
        [success, errant] = evaluate(corpus, ["success", "errant"], checks=False)["it"]
        assert success.score().totals["corrected"] == errant.score().totals["tp"] == expected
