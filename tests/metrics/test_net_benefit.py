"""Net benefit by hand, its choice of references, and its relation to F."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import Corpus, Errant, NetBenefit, evaluate, make_metric
from geceval.base.errors import UsageError
from geceval.counting.counts import Counts

SOURCE = ["He go home .", "I likes cat .", "Fine ."]
REFERENCES = [["He goes home .", "I like cats .", "Fine ."]]
#: One right edit; one right and one wrong; one wrong.
SYSTEM = ["He goes home .", "I like dogs .", "Fine !"]
CORPUS = Corpus(SOURCE, REFERENCES, {"it": SYSTEM})


@pytest.mark.parametrize(("cost", "benefit"), [(0.0, 2), (0.5, 1), (1.0, 0), (4.0, -6)])
def test_net_benefit_by_hand(cost: float, benefit: float) -> None:
    [result] = evaluate(CORPUS, [NetBenefit(cost)])["it"]
    assert result.score().value == 1000 * benefit / 10
    assert result.score().totals == {"tp": 2, "fp": 2, "fn": 1, "tokens": 10}
    assert result.score().parts == {"right": 200.0, "wrong": 200.0}
    assert result.sentence_scores().tolist() == [1, 1 - cost, -cost]
    assert result.score("mean").value == pytest.approx(benefit / 3)


def test_reference_is_chosen_by_net_benefit_of_the_sentence() -> None:
    # TP, FP, FN, tokens of three references of one sentence.
    counts = Counts(np.array([[[3, 4, 0, 9], [2, 1, 5, 9], [0, 0, 2, 9]]]), NetBenefit.columns)
    chosen = {cost: int(NetBenefit(cost).choices(counts)[0, 0]) for cost in (0.0, 0.2, 1.0, 3.0)}
    assert chosen == {0.0: 0, 0.2: 0, 1.0: 1, 3.0: 2}


def test_equal_benefit_takes_the_reference_with_more_right_then_fewer_missed_edits() -> None:
    counts = Counts(np.array([[[1, 0, 3, 9], [2, 1, 3, 9], [2, 1, 0, 9]]]), NetBenefit.columns)
    assert NetBenefit().choices(counts).tolist() == [[2]]


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 40), st.floats(0.1, 3))
def test_implied_cost_of_f_is_the_ratio_of_its_slopes(tp: int, fp: int, fn: int, beta: float) -> None:
    """docs/metrics/edits.md: a wrong edit lowers F as much as F / (1 + β² − F) right ones raise it."""

    def f(right: float, wrong: float) -> float:
        return (1 + beta**2) * right / (right + wrong + beta**2 * (tp + fn))

    step = 1e-4
    by_right, by_wrong = f(tp + step, fp) - f(tp, fp), f(tp, fp) - f(tp, fp + step)
    score = float(Errant(beta=beta).score(np.array([tp, fp, fn])))
    assert score == pytest.approx(f(tp, fp))
    assert by_wrong / by_right == pytest.approx(score / (1 + beta**2 - score), rel=1e-2)


def test_settings_of_errant_are_errant_s() -> None:
    metric = NetBenefit(mode="ds", exclude="R:PREP", annotator="builtin:classic")
    assert metric.errant == Errant("ds", exclude="R:PREP", annotator="builtin:classic")
    assert metric.prepare_key == metric.errant.prepare_key


@pytest.mark.parametrize("cost", ["-1", "inf", "nan", "much"])
def test_cost_is_a_finite_number_from_zero(cost: str) -> None:
    with pytest.raises(UsageError, match="net-benefit: cost"):
        make_metric("net-benefit", cost=cost)
