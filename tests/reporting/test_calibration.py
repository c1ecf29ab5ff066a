"""Calibration of confidences: verdicts, expected calibration error, Brier score, reliability."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import Corpus, Errant, MaxMatch
from geceval.counting.run import evaluate
from geceval.m2 import Block, Edit, noop
from geceval.reporting.explorer import ConfidentSystem
from geceval.reporting.threshold_curves import ERRORS, Calibration, calibrations
from support.strategies import records

WORDS = "a b c d e f"


def made(confidences: list[float], right: list[bool], bins: int = 10) -> Calibration:
    """Verdicts of one edit per sentence."""
    sentence = np.arange(len(right))
    return Calibration("A", Errant(), np.array(confidences), np.array(right), sentence, len(right), bins)


def test_errors_by_hand() -> None:
    own = made([0.2, 0.25, 0.5, 1.0, 0.0], [False, True, True, True, False], 4)
    found = own.figures
    assert found["edits"] == [3, 1, 0, 1], "a bin contains its upper end, the first one also 0"
    assert found["confidence"] == pytest.approx([0.15, 0.5, math.nan, 1], nan_ok=True)
    assert found["right"] == pytest.approx([1 / 3, 1, math.nan, 1], nan_ok=True)
    assert found["expected_calibration_error"] == pytest.approx((3 * abs(1 / 3 - 0.15) + 0.5) / 5)
    assert found["brier_score"] == pytest.approx((0.04 + 0.75**2 + 0.25) / 5)
    assert math.isnan(own.figures_of(np.zeros(5))["brier_score"]), "no sentence with an edit is drawn"


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40), st.integers(1, 12))
def test_calibration_is_scikit_learns(pairs: list[tuple[float, bool]], bins: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    calibration = pytest.importorskip("sklearn.calibration", reason="scikit-learn is not installed")
    confidences, right = [own for own, _ in pairs], [own for _, own in pairs]
    own = made(confidences, right, bins)
    expected = metrics.brier_score_loss(right, confidences, pos_label=True)
    assert own.figures["brier_score"] == pytest.approx(expected, abs=1e-12)
    shares, means = calibration.calibration_curve(right, confidences, n_bins=bins)
    for name, expected in (("right", shares), ("confidence", means)):
        filled = [value for value, edits in zip(own.figures[name], own.figures["edits"], strict=True) if edits]
        assert filled == pytest.approx(list(expected), abs=1e-12)


def test_weights_are_repeated_sentences() -> None:
    draw = np.random.RandomState(2)
    confidences, right = draw.rand(30), draw.rand(30) < 0.5
    own, weights = made(confidences.tolist(), right.tolist()), draw.randint(4, size=30)
    repeated = made(np.repeat(confidences, weights).tolist(), np.repeat(right, weights).tolist())
    for name, value in own.figures_of(weights).items():
        assert value == pytest.approx(repeated.figures[name], nan_ok=True)
    found = own.intervals(replicates=300)
    assert (list(found), len(found["right"])) == ([*ERRORS, "right"], own.bins)
    assert found == own.intervals(replicates=300) != own.intervals(replicates=300, seed=4)
    for name in ERRORS:
        assert found[name].low < own.figures[name] < found[name].high


def edit_of(start: int, length: int, text: str, confidence: float) -> Edit:
    return Edit(start, min(start + length, 6), "R", (text,), comment=str(confidence))


def apart(edits: list[Edit]) -> tuple[Edit, ...]:
    """Edits that do not touch an earlier one."""
    kept: list[Edit] = []
    for edit in edits:
        if all(other.end < edit.start or edit.end < other.start for other in kept):
            kept.append(edit)
    return tuple(kept) or (noop(0),)


some = records(edit_of, range(6), (0, 1, 2), ("x", "y"), (0.0, 0.3, 0.7, 1.0), max_size=5).map(apart)


@given(st.lists(st.tuples(some, some, some), min_size=1, max_size=4))
def test_the_right_edits_are_the_hits_of_errant(rows: list[tuple[tuple[Edit, ...], ...]]) -> None:
    rows.append(((edit_of(1, 1, "x", 1.0),),) * 3)
    gold, system = [], []
    for one, other, own in rows:
        more = [Edit(e.start, e.end, e.type, e.corrections, annotator=1) for e in other if not e.is_noop]
        gold.append(Block(WORDS, (*one, *(more or [noop(1)]))))
        system.append(Block(WORDS, own))
    corpus = Corpus([WORDS] * len(rows), gold=gold, systems={"A": system})
    for metric in (Errant(), Errant(selection="optimum"), Errant(mode="ds")):
        [own] = calibrations(ConfidentSystem(corpus, "A", [metric]))
        totals = evaluate(corpus, [metric], checks=False)["A"][0].score().totals
        assert (own.right.sum(), (~own.right).sum()) == (totals["tp"], totals["fp"])


def test_edits_that_do_not_count_have_no_verdict() -> None:
    system = [Block(WORDS, (edit_of(0, 1, "x", 0.9), Edit(2, 3, "UNK", ("",), comment="0.4")))]
    gold = [Block(WORDS, (edit_of(0, 1, "x", 1),))]
    corpus = Corpus([WORDS], gold=gold, systems={"A": system})
    errant, maxmatch = calibrations(ConfidentSystem(corpus, "A", [Errant(), MaxMatch()]))
    assert errant.confidences.tolist() == [0.9]
    assert errant.right.tolist() == maxmatch.right[:1].tolist() == [True]
