"""Ranking systems from a metric's sentence scores as people's judgments are aggregated (Goto et al. 2025).

Averaging sentence scores and counting wins are different aggregations; people's judgments are always counted.
Here a metric judges every pair of systems on every sentence, and its judgments go through the same Expected
Wins and TrueSkill.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from geceval.metaeval.expected_wins import expected_wins
from geceval.metaeval.pairs import Pairs
from geceval.metaeval.sentence_level import TIED
from geceval.metaeval.trueskill import Rules, in_order

METRIC_RULES = Rules(beta=0.25)
"""TrueSkill's constants for judgments made by a metric; beta does not grow with the data."""


def metric_pairs(systems: Sequence[str], scores: NDArray[np.float64]) -> Pairs:
    """The judgments ``scores[system, sentence]`` make: sentence by sentence, pairs (0,1), (0,2), ..."""
    first, second = (
        np.array(column, np.uint32)
        for column in np.array(list(combinations(range(len(systems)), 2)), np.uint32).reshape(-1, 2).T
    )
    gap = (scores[first] - scores[second]).T
    outcome = np.where(np.abs(gap) <= TIED, 0, np.sign(gap)).astype(np.int8)
    sentences = scores.shape[1]
    return Pairs(
        tuple(systems),
        np.repeat(np.arange(sentences, dtype=np.int64), len(first)),
        np.tile(first, sentences),
        np.tile(second, sentences),
        outcome.ravel(),
    )


def by_expected_wins(systems: Sequence[str], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Expected Wins of ``scores[system, sentence]``, shape [systems]."""
    return expected_wins(metric_pairs(systems, scores).tally())


def by_trueskill(systems: Sequence[str], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """TrueSkill means of ``scores[system, sentence]``, shape [systems], after one pass in file order.

    The order of the sentences moves the common level of all means but hardly their differences, so the means
    are centred at 0.
    """
    mean, _ = in_order(metric_pairs(systems, scores), METRIC_RULES)
    centre: np.float64 = mean.mean()
    return mean - centre
