"""Ranking systems from sentence scores as people's judgments are aggregated (Goto et al. 2025).

Averaging sentence scores and counting wins are different aggregations; people's judgments are always counted.
Here the scores judge every pair of systems on every sentence, and their verdicts go through the same Expected
Wins and TrueSkill.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from geceval.statistics import Floats
from geceval.statistics.expected_wins import expected_wins, mean_shares
from geceval.statistics.judged_pairs import Pairs, outcomes, reweighted
from geceval.statistics.threads import in_threads
from geceval.statistics.trueskill import Rules, in_order

METRIC_RULES = Rules(beta=0.25)
"""TrueSkill's constants for verdicts made by scores; beta does not grow with the data."""


def metric_pairs(systems: Sequence[str], scores: Floats) -> Pairs:
    """The verdicts ``scores[system, sentence]`` make: sentence by sentence, pairs (0,1), (0,2), ..."""
    first, second = (places.astype(np.uint32) for places in np.triu_indices(len(systems), 1))
    sentences = scores.shape[1]
    return Pairs(
        tuple(systems),
        np.repeat(np.arange(sentences, dtype=np.int64), len(first)),
        np.tile(first, sentences),
        np.tile(second, sentences),
        outcomes((scores[first] - scores[second]).T).ravel(),
    )


def by_expected_wins(systems: Sequence[str], scores: Floats) -> Floats:
    """Expected Wins of ``scores[system, sentence]``, shape [systems]."""
    return expected_wins(metric_pairs(systems, scores).tally())


def by_trueskill(systems: Sequence[str], scores: Floats) -> Floats:
    """TrueSkill means of ``scores[system, sentence]``, shape [systems], after one pass in file order.

    The order of the sentences moves the common level of all means but hardly their differences, so the means
    are centred at 0.
    """
    return _skills(metric_pairs(systems, scores))


def _skills(pairs: Pairs) -> Floats:
    mean, _ = in_order(pairs, METRIC_RULES)
    centre: np.float64 = mean.mean()
    return mean - centre


def _resampled_wins(systems: Sequence[str], scores: Floats, weights: NDArray[np.int64], threads: int) -> Floats:
    lines = {s: s for s in range(scores.shape[1])}
    tallies = metric_pairs(systems, scores).tally_by_sentence(lines, len(lines))
    return mean_shares(reweighted(tallies, weights).wins)


def _resampled_trueskill(systems: Sequence[str], scores: Floats, weights: NDArray[np.int64], threads: int) -> Floats:
    pairs, sentences = metric_pairs(systems, scores), scores.shape[1]
    games = np.arange(len(pairs)).reshape(sentences, -1)

    def replicate(k: int) -> Floats:
        own = np.repeat(games, weights[k], axis=0).ravel()
        return _skills(replace(pairs, first=pairs.first[own], second=pairs.second[own], outcome=pairs.outcome[own]))

    return np.reshape(in_threads(replicate, len(weights), threads), (len(weights), len(systems)))


@dataclass(frozen=True)
class Aggregation:
    """A way from the verdicts of sentence scores [systems, sentences] to a score of each system.

    ``scores(systems, sentence_scores)`` is [systems]; ``resampled(systems, sentence_scores, weights, threads)`` is
    [replicates, systems] with ``weights[replicate, sentence]``, NaN where a draw leaves a system without a verdict.
    """

    label: str
    scores: Callable[[Sequence[str], Floats], Floats]
    resampled: Callable[[Sequence[str], Floats, NDArray[np.int64], int], Floats]


#: The mean of sentence scores, which compares no pairs.
MEAN = Aggregation(
    "mean",
    lambda systems, scores: scores.mean(axis=1),
    lambda systems, scores, weights, threads: weights @ scores.T / scores.shape[1],
)

#: The aggregations of pairs.
AGGREGATIONS: Mapping[str, Aggregation] = {
    "expected-wins": Aggregation("Expected Wins", by_expected_wins, _resampled_wins),
    "trueskill": Aggregation("TrueSkill", by_trueskill, _resampled_trueskill),
}
