"""Figures of PT-M², PT-ERRANT and the rated metrics, from sums alone; nothing here needs a network."""

from __future__ import annotations

import numpy as np
import pytest

from geceval.metrics.impara import Impara
from geceval.metrics.ptm2 import PtErrant, PtM2
from geceval.metrics.uot import UotErrant


def test_pt_m2_is_f_of_weights() -> None:
    """Correct, proposed, gold, and the numbers of these edits, which count only if all weights are 0."""
    counts = np.array([2.0, 4.0, 5.0, 7.0, 8.0, 9.0])
    figure = PtM2().f
    precision, recall = figure.precision_recall(counts)
    assert (float(precision), float(recall)) == (2 / 4, 2 / 5)
    assert float(figure.score(counts)) == pytest.approx(1.25 * 0.5 * 0.4 / (0.25 * 0.5 + 0.4))
    assert figure.ranking(counts)[1:].tolist() == [2.0, -(4.0 + 0.25 * 5.0)]
    assert PtM2().own_score(np.array([0.0, 0.0, 0.0, 1.0, 2.0, 2.0])) == pytest.approx(0.5)


def test_pt_errant_is_f_of_weights() -> None:
    """TP, FP and FN, and the numbers of these edits."""
    counts = np.array([2.0, 3.0, 4.0, 7.0, 8.0, 9.0])
    figure = PtErrant().f
    precision, recall = figure.precision_recall(counts)
    assert (float(precision), float(recall)) == (2 / 5, 2 / 6)
    assert figure.ranking(counts)[1:].tolist() == [2.0, -3.0, -4.0]


def test_uot_errant_is_f_of_masses() -> None:
    """TP, FP, FN, and the sentences whose plan did not converge."""
    counts = np.array([2.0, 3.0, 4.0, 9.0])
    precision, recall = UotErrant().f.precision_recall(counts)
    assert (float(precision), float(recall)) == (2 / 5, 2 / 6)
    assert UotErrant().f.ranking(counts)[1:].tolist() == [2.0, -3.0, -4.0]


def test_impara_is_a_mean_and_a_share() -> None:
    """The sum of values, gated, cut, and all."""
    totals = np.array([[1.5, 2.0, 1.0, 5.0], [0.0, 0.0, 0.0, 0.0]])
    assert Impara().score(totals).tolist() == [0.3, 0.0]
    assert Impara().parts(totals)["gated"].tolist() == [0.4, 0.0]
