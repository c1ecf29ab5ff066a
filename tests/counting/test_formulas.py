"""Formulas of scores: published values, and tests of pairs that they decide."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import Errant, Gleu, Green
from geceval._kernel import ScoreFormula
from geceval.extending import Metric
from geceval.metrics.cleme2 import FACTORS, Cleme2
from support.strategies import bytes_of
from support.toys import Shortening

FORMULAS = [
    *(Green(n=n, beta=beta).formula for n in (1, 2, 3, 4, 9) for beta in (0.5, 2.0, math.inf)),
    *(Gleu(n=n).formula for n in (1, 2, 3, 4, 9)),
    *(Cleme2(factors=factors).formula for factors in FACTORS),
    Errant().formula,
]
COLUMNS = [7] * 3 + [14] * 3 + [21] * 3 + [28] * 3 + [63] * 3 + [5, 8, 11, 14, 29] + [5] * 3 + [3]


def gleu(counts: list[int], n: int) -> float:
    """GLEU as the original scorer computes it."""
    *orders, reference, hypothesis = counts
    precisions = [
        max(match - penalty, 0) / total if total else 1.0
        for match, penalty, total in zip(orders[::3], orders[1::3], orders[2::3], strict=True)
    ]
    if not all(precisions) or (reference and not hypothesis):
        return 0.0
    log_brevity_penalty = min(1 - reference / hypothesis, 0.0) if hypothesis else 0.0
    return math.exp(log_brevity_penalty + sum(map(math.log, precisions)) / n)


@given(st.integers(1, 12), bytes_of(38))
def test_gleu_is_that_of_the_original_scorer(n: int, drawn: bytes) -> None:
    counts = list(drawn[: 3 * n + 2])
    assert float(ScoreFormula.gleu(n).scores(np.array(counts))) == pytest.approx(gleu(counts, n), rel=1e-14)


@pytest.mark.parametrize(("formula", "columns"), [*zip(FORMULAS, COLUMNS, strict=True)])
def test_scores_do_not_depend_on_the_type_and_layout_of_totals(formula: ScoreFormula, columns: int) -> None:
    totals = np.random.default_rng(1).integers(0, 100, (20, columns))
    scores, parts = formula.scores(totals), formula.parts(totals)
    for array in (totals.astype(float), totals.astype(np.int32), np.asfortranarray(totals), totals.astype(">f8")):
        assert formula.scores(array).tobytes() == scores.tobytes()
        assert formula.parts(array).tobytes() == parts.tobytes()


@pytest.mark.parametrize(("formula", "columns"), [*zip(FORMULAS, COLUMNS, strict=True)])
def test_pairs_are_tested_by_the_published_scores_without_a_tolerance(formula: ScoreFormula, columns: int) -> None:
    random = np.random.default_rng(2)
    totals, exchanged = random.integers(50, 100, (2, columns)), random.integers(0, 50, (200, 2, columns))
    gained = exchanged[:, 1] - exchanged[:, 0]
    differences = np.abs(formula.scores(totals[0] + gained) - formula.scores(totals[1] - gained))
    first, second = np.array([0]), np.array([1])
    for observed in differences:
        for threshold in (observed, np.nextafter(observed, 9)):
            extreme = formula.count_extreme(totals, exchanged, first, second, np.array([threshold]), 0.0)
            assert extreme.tolist() == [(differences >= threshold).sum()]


def test_an_undefined_observed_difference_is_never_significant() -> None:
    totals, exchanged = np.ones((2, 3)), np.zeros((5, 2, 3))
    first, second, observed = np.array([0]), np.array([1]), np.array([math.nan])
    extreme = Errant().formula.count_extreme(totals, exchanged, first, second, observed, 1e-9)
    assert extreme.tolist() == [5]


def test_metric_without_formula_has_none() -> None:
    metric: Metric[Any] = Shortening()
    assert metric.tested_formula is None


@dataclass(frozen=True)
class Doubled(Green):
    def score(self, totals: Any) -> Any:
        return 2 * super().score(totals)


@dataclass(frozen=True)
class Renamed(Doubled):
    name = "renamed"


def test_a_subclass_with_another_score_is_not_tested_by_the_formula() -> None:
    assert Green().tested_formula is not None
    assert (Doubled().tested_formula, Renamed().tested_formula) == (None, None)
