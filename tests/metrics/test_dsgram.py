"""Three grades of a correction and what they weigh."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import geceval
from geceval import DsGram, GecevalWarning
from geceval.extending import Request
from geceval.metrics.dsgram import EQUAL, PAIRS, is_consistent, weigh_grades
from geceval.metrics.judging.judge import UnreadableError
from support.judges import Scripted, data_of

SOURCE = ["He go home .", "She have cats .", ""]
SYSTEM = ["He goes home .", "She have a cats .", ""]
CORPUS = geceval.Corpus(SOURCE, (), {"it": SYSTEM})
GRADES = {"He goes home .": (10, 9, 8), "She have a cats .": (7, 3, 2)}


def answer(request: Request, comparisons: tuple[int, int, int] = (1, 1, 1), shift: int = 0) -> str:
    if request.keys == PAIRS:
        return json.dumps(dict(zip(PAIRS, comparisons, strict=True)))
    grades = GRADES[data_of(request.user)["target"]]
    return json.dumps({key: grade - shift for key, grade in zip(request.keys, grades, strict=True)})


def result(judge: Scripted, **settings: Any) -> Any:
    [evaluated] = geceval.evaluate(CORPUS, [DsGram(model=judge, **settings)])["it"]
    return evaluated


def test_equal_weights_by_hand() -> None:
    judge = Scripted(answer)
    graded = result(judge, weights="equal")
    assert len(judge.asked) == 2  # two empty texts score 10 without a question
    assert graded.sentence_scores().tolist() == pytest.approx([9, 4, 10])
    score = graded.score()
    assert score.value == pytest.approx(23 / 3)
    assert score.parts == pytest.approx(
        {"meaning": 9, "edits": 22 / 3, "fluency": 20 / 3, "unread": 0, "inconsistent": 0}
    )
    assert score.signature.startswith("DSGRAM|temperature:0|")
    assert "dsgram-weights" not in score.signature
    assert "dsgram-weights-1@" in result(judge).signature()


def test_judged_weights_by_hand() -> None:
    """meaning : edits : fluency = 4 : 2 : 1."""
    judge = Scripted(lambda request: answer(request, (2, 4, 2)))
    graded = result(judge)
    assert len(judge.asked) == 4
    assert graded.sentence_scores().tolist() == pytest.approx([(40 + 18 + 8) / 7, (28 + 6 + 2) / 7, 10])


def test_contradictions_are_asked_anew_then_counted_and_weigh_equally() -> None:
    # 3 · 2 / 2 = 3: the largest eigenvalue is 1 + 3^(1/3) + 3^(-1/3) = 3.136, and its ratio .068 / .58 = .12.
    judge = Scripted(lambda request: answer(request, (3, 2, 2) if "goes" in request.user else (2, 4, 2)))
    with pytest.warns(GecevalWarning, match="1 of 2 questions .* have equal weights.*contradict each other: 3, 2, 2"):
        graded = result(judge, tries=2)
    assert len(judge.asked) == 5
    assert graded.sentence_scores().tolist() == pytest.approx([9, (28 + 6 + 2) / 7, 10])
    assert graded.score().parts["inconsistent"] == pytest.approx(1 / 3)


def test_unread_grades_are_left_out_and_counted() -> None:
    judge = Scripted(lambda request: "{}" if "goes" in request.user else answer(request))
    with pytest.warns(GecevalWarning, match="count as unread.*missing: meaning, edits, fluency"):
        graded = result(judge, weights="equal", tries=1)
    assert graded.score().value == pytest.approx(7.0)
    assert graded.score().parts["unread"] == pytest.approx(1 / 3)
    assert graded.sentence_scores().tolist() == pytest.approx([np.nan, 4, 10], nan_ok=True)
    assert np.isnan(graded.score("mean").value)
    judge = Scripted(lambda request: "")
    corpus = geceval.Corpus(SOURCE[:1], (), {"it": SYSTEM[:1]})
    with pytest.warns(GecevalWarning, match="1 of 1"):
        [nothing] = geceval.evaluate(corpus, [DsGram(model=judge, weights="equal")])["it"]
    assert np.isnan(nothing.score().value)


def test_repetitions_and_their_spread() -> None:
    judge = Scripted(lambda request: answer(request, shift=request.seed % 2))
    score = result(judge, weights="equal", repeats=2, seed=4).score()
    first, second = 23 / 3, 21 / 3
    assert score.value == pytest.approx((first + second) / 2)
    assert score.parts["spread"] == pytest.approx((first - second) / 2)
    assert score.totals["judged#1"] == score.totals["judged#2"] == 3


@given(st.tuples(*[st.integers(-9, 9)] * 3))
def test_weights_are_a_distribution_that_turns_with_the_comparisons(numbers: tuple[int, int, int]) -> None:
    try:
        weights = weigh_grades(dict(zip(PAIRS, numbers, strict=True)))
    except UnreadableError:
        return
    assert not {0, -1} & set(numbers)
    assert weights.sum() == pytest.approx(1)
    assert (weights > 0).all()
    a, b, c = numbers
    swapped = weigh_grades(dict(zip(PAIRS, (minus(a), c, b), strict=True)))  # meaning and edits change places
    np.testing.assert_allclose(swapped, weights[[1, 0, 2]], atol=1e-12)


def minus(comparison: int) -> int:
    return 1 if comparison == 1 else -comparison


def test_largest_accepted_contradiction_is_a_tenth_of_the_random_index_of_three_grades() -> None:
    """Comparisons (a, b, c) with ac / b = x³ have the largest eigenvalue 1 + x + 1/x; x + 1/x < 2 + 2 · .1 · .58 is
    accepted."""
    weights = weigh_grades(dict(zip(PAIRS, (4, 3, 2), strict=True)))  # x³ = 8/3: x + 1/x = 2.108
    roots = np.cbrt([12, 0.5, 1 / 6])  # geometric means of the rows are the eigenvector of a 3 × 3 matrix
    assert weights == pytest.approx(roots / roots.sum())
    with pytest.raises(UnreadableError, match="contradict"):
        weigh_grades(dict(zip(PAIRS, (3, 2, 2), strict=True)))  # x³ = 3: x + 1/x = 2.136


def test_consistent_comparisons_are_reciprocal_and_weigh_grades() -> None:
    assert is_consistent(np.ones((3, 3)))
    assert np.allclose(EQUAL.sum(), 1)
    assert not is_consistent(np.array([[1, 1 / 3, 1 / 2], [1, 1, 1], [1, 0.7, 1]]))  # not reciprocal
    np.testing.assert_allclose(weigh_grades(dict.fromkeys(PAIRS, 1)), EQUAL)


def test_each_repetition_has_columns() -> None:
    metric = DsGram(model=Scripted(answer), weights="equal")
    assert replace(metric, repeats=3).columns[:5] == ("score#1", "meaning#1", "edits#1", "fluency#1", "judged#1")
