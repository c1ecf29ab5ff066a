"""Rankings of systems by sentence scores, aggregated as human judgments are.

Human judgments are counted as wins, and sentence scores are usually averaged, which is a different aggregation. Here
the scores judge every pair of systems on every sentence, and Expected Wins or TrueSkill aggregate the verdicts.

Source:
    Goto et al. (2025).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.statistics import Floats
from geceval.statistics.expected_wins import expected_wins, mean_shares
from geceval.statistics.judged_pairs import Pairs, outcomes, weighted_tallies
from geceval.statistics.threads import run_in_threads
from geceval.statistics.trueskill import TrueSkillRules, ordered_skills

METRIC_RULES = TrueSkillRules(beta=0.25)
"""TrueSkill's constants for verdicts of scores; beta does not grow with the data."""


def metric_pairs(systems: Sequence[str], scores: Floats) -> Pairs:
    """Return the verdicts of ``scores[system, sentence]`` on all pairs of systems.

    The order is by sentence, then (0,1), (0,2), ...
    """
    first, second = (indices.astype(np.uint32) for indices in np.triu_indices(len(systems), 1))
    sentences = scores.shape[1]
    return Pairs(
        tuple(systems),
        np.repeat(np.arange(sentences, dtype=np.int64), len(first)),
        np.tile(first, sentences),
        np.tile(second, sentences),
        outcomes((scores[first] - scores[second]).T).ravel(),
    )


def by_expected_wins(systems: Sequence[str], scores: Floats) -> Floats:
    """Return the Expected Wins of ``scores[system, sentence]``, shape [systems]."""
    return expected_wins(metric_pairs(systems, scores).tally())


def by_trueskill(systems: Sequence[str], scores: Floats) -> Floats:
    """Return the TrueSkill means [systems] of ``scores[system, sentence]``.

    Each pair is used once, in file order.

    The order of the sentences moves all means together but hardly changes their differences, so the means are centred
    at 0.
    """
    return _skills(metric_pairs(systems, scores))


def _skills(pairs: Pairs) -> Floats:
    mean, _ = ordered_skills(pairs, METRIC_RULES)
    centre: np.float64 = mean.mean()
    return mean - centre


def _resampled_wins(systems: Sequence[str], scores: Floats, weights: NDArray[Any], threads: int) -> Floats:
    wins = outcomes(scores.T[:, :, None] - scores.T[:, None, :]) > 0
    return mean_shares(weighted_tallies(weights, wins))


def _resampled_trueskill(systems: Sequence[str], scores: Floats, weights: NDArray[Any], threads: int) -> Floats:
    pairs, sentences = metric_pairs(systems, scores), scores.shape[1]
    games = np.arange(len(pairs)).reshape(sentences, -1)

    def replicate(k: int) -> Floats:
        drawn = np.repeat(games, weights[k], axis=0).ravel()
        return _skills(
            replace(pairs, first=pairs.first[drawn], second=pairs.second[drawn], outcome=pairs.outcome[drawn])
        )

    return np.reshape(run_in_threads(replicate, len(weights), threads), (len(weights), len(systems)))


@dataclass(frozen=True)
class Aggregation:
    """A method to aggregate sentence scores [systems, sentences] per system.

    Attributes:
        label: Its name in tables.
        scores: ``scores(systems, sentence_scores)`` returns [systems].
        resampled: ``resampled(systems, sentence_scores, weights, threads)`` returns [replicates, systems] for
            ``weights[replicate, sentence]``; NaN if a draw contains no verdict on a system.
        centred: Whether the mean of the scores is 0.
    """

    label: str
    scores: Callable[[Sequence[str], Floats], Floats]
    resampled: Callable[[Sequence[str], Floats, NDArray[Any], int], Floats]
    centred: bool = False

    def of_last(self, scores: Floats) -> Floats:
        """Return the last of scores [..., systems] on the others' own scale."""
        return scores[..., -1] - (scores[..., :-1].mean(axis=-1) if self.centred else 0.0)


#: The mean of sentence scores, without comparing pairs.
MEAN = Aggregation(
    "mean",
    lambda systems, scores: scores.mean(axis=1),
    lambda systems, scores, weights, threads: weights @ scores.T / scores.shape[1],
)


#: Aggregations of verdicts on pairs.
AGGREGATIONS: Mapping[str, Aggregation] = {
    "expected-wins": Aggregation("Expected Wins", by_expected_wins, _resampled_wins),
    "trueskill": Aggregation("TrueSkill", by_trueskill, _resampled_trueskill, centred=True),
}
