"""Calibration of confidences: verdicts, expected calibration error, Brier score, reliability."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import Corpus, Errant, MaxMatch
from geceval.counting.system_results import system_results
from geceval.m2 import Block, Edit, noop
from geceval.reporting.confident_systems import ConfidentSystem
from geceval.reporting.threshold_curves import ERRORS, Calibration, calibrations
from support.strategies import records

WORDS = "a b c d e f"


def calibration_of(confidences: list[float], right: list[bool], bins: int = 10) -> Calibration:
    """Return the calibration of one edit per sentence."""
    sentence = np.arange(len(right))
    return Calibration("A", Errant(), np.array(confidences), np.array(right), sentence, len(right), bins)


def test_errors_are_those_computed_by_hand() -> None:
    calibration = calibration_of([0.2, 0.25, 0.5, 1.0, 0.0], [False, True, True, True, False], 4)
    figures = calibration.figures
    assert figures["edits"] == [3, 1, 0, 1], "a bin contains its upper end, the first one also 0"
    assert figures["confidence"] == pytest.approx([0.15, 0.5, math.nan, 1], nan_ok=True)
    assert figures["right"] == pytest.approx([1 / 3, 1, math.nan, 1], nan_ok=True)
    assert figures["expected_calibration_error"] == pytest.approx((3 * abs(1 / 3 - 0.15) + 0.5) / 5)
    assert figures["brier_score"] == pytest.approx((0.04 + 0.75**2 + 0.25) / 5)
    assert math.isnan(calibration.figures_of(np.zeros(5))["brier_score"]), "no sentence with an edit is drawn"


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40), st.integers(1, 12))
def test_calibration_is_that_of_scikit_learn(pairs: list[tuple[float, bool]], bins: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    calibration = pytest.importorskip("sklearn.calibration", reason="scikit-learn is not installed")
    confidences, right = [confidence for confidence, _ in pairs], [is_right for _, is_right in pairs]
    figures = calibration_of(confidences, right, bins).figures
    expected = metrics.brier_score_loss(right, confidences, pos_label=True)
    assert figures["brier_score"] == pytest.approx(expected, abs=1e-12)
    shares, means = calibration.calibration_curve(right, confidences, n_bins=bins)
    for name, expected in (("right", shares), ("confidence", means)):
        filled = [value for value, edits in zip(figures[name], figures["edits"], strict=True) if edits]
        assert filled == pytest.approx(list(expected), abs=1e-12)


def test_weights_are_repeated_sentences() -> None:
    draw = np.random.RandomState(2)
    confidences, right = draw.rand(30), draw.rand(30) < 0.5
    weighted, weights = calibration_of(confidences.tolist(), right.tolist()), draw.randint(4, size=30)
    repeated = calibration_of(np.repeat(confidences, weights).tolist(), np.repeat(right, weights).tolist())
    for name, value in weighted.figures_of(weights).items():
        assert value == pytest.approx(repeated.figures[name], nan_ok=True)
    intervals = weighted.intervals(replicates=300)
    assert (list(intervals), len(intervals["right"])) == ([*ERRORS, "right"], weighted.bins)
    assert intervals == weighted.intervals(replicates=300) != weighted.intervals(replicates=300, seed=4)
    for name in ERRORS:
        assert intervals[name].low < weighted.figures[name] < intervals[name].high


def edit_of(start: int, length: int, text: str, confidence: float) -> Edit:
    return Edit(start, min(start + length, 6), "R", (text,), comment=str(confidence))


def without_overlaps(edits: list[Edit]) -> tuple[Edit, ...]:
    """Return the edits that do not touch an earlier one."""
    separate: list[Edit] = []
    for edit in edits:
        if all(other.end < edit.start or edit.end < other.start for other in separate):
            separate.append(edit)
    return tuple(separate) or (noop(0),)


EDITS = records(edit_of, range(6), (0, 1, 2), ("x", "y"), (0.0, 0.3, 0.7, 1.0), max_size=5).map(without_overlaps)


@given(st.lists(st.tuples(EDITS, EDITS, EDITS), min_size=1, max_size=4))
def test_right_edits_are_the_true_positives_of_errant(rows: list[tuple[tuple[Edit, ...], ...]]) -> None:
    rows.append(((edit_of(1, 1, "x", 1.0),),) * 3)
    gold, system = [], []
    for first, second, proposed in rows:
        others = [Edit(e.start, e.end, e.type, e.corrections, annotator=1) for e in second if not e.is_noop]
        gold.append(Block(WORDS, (*first, *(others or [noop(1)]))))
        system.append(Block(WORDS, proposed))
    corpus = Corpus([WORDS] * len(rows), gold=gold, systems={"A": system})
    for metric in (Errant(), Errant(selection="optimum"), Errant(mode="ds")):
        [calibration] = calibrations(ConfidentSystem(corpus, "A", [metric]))
        totals = system_results(corpus, [metric], checks=False)["A"][0].score().totals
        assert (calibration.right.sum(), (~calibration.right).sum()) == (totals["tp"], totals["fp"])


def test_edits_that_do_not_count_have_no_verdict() -> None:
    system = [Block(WORDS, (edit_of(0, 1, "x", 0.9), Edit(2, 3, "UNK", ("",), comment="0.4")))]
    gold = [Block(WORDS, (edit_of(0, 1, "x", 1),))]
    corpus = Corpus([WORDS], gold=gold, systems={"A": system})
    errant, maxmatch = calibrations(ConfidentSystem(corpus, "A", [Errant(), MaxMatch()]))
    assert errant.confidences.tolist() == [0.9]
    assert errant.right.tolist() == maxmatch.right[:1].tolist() == [True]
