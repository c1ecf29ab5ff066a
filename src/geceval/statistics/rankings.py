"""Pairs of systems judged by people or metrics, and their tallies.

Expected Wins (Bojar et al. 2011): the rate of wins against a random opponent.

Rank systems by TrueSkill (Herbrich et al. 2006).

The constants are the ones of WMT (Sakaguchi et al. 2014) and of GJG15.

Rank systems by sentence scores as human judgments are aggregated.

Human judgments are counted as wins, and sentence scores are usually averaged, which is a different aggregation. In this
module the scores judge every pair of systems on every sentence, and Expected Wins or TrueSkill aggregate the verdicts.
Source: Goto et al. (2025).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import trueskill_in_order, trueskill_runs
from geceval.base.errors import InputError, UsageError
from geceval.base.python_hints import warn
from geceval.base.ties import TOLERANCE
from geceval.statistics import Floats
from geceval.statistics.sums import run_in_threads


@dataclass(frozen=True)
class Pairs:
    """P judged pairs of systems in order, as arrays of shape [P].

    Attributes:
        systems: names of the systems.
        source_id: the number of the sentence in the judgments.
        first: index of the first system; smaller than ``second``.
        second: index of the second system.
        outcome: 1 if the first is better, -1 if the second is better, 0 for a tie.
        ranks: ranks [P, 2] of the two in their item, 1 is best; None for pairs without ranks, such as a metric's.
        annotator: number of the annotator, if people judged the pairs.
        verdict: number of the verdict on two outputs, which all pairs of their systems share; -1 if the two systems
            have the same output.
        weight: weight of each pair in tallies (None: 1).
    """

    systems: tuple[str, ...]
    source_id: NDArray[np.int64]
    first: NDArray[np.uint32]
    second: NDArray[np.uint32]
    outcome: NDArray[np.int8]
    ranks: NDArray[np.int64] | None = None
    annotator: NDArray[np.int64] | None = None
    verdict: NDArray[np.int64] | None = None
    weight: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.outcome)

    def at(self, rows: NDArray[Any]) -> Pairs:
        """Return some of the pairs, by index or as a mask."""
        columns = {name: column for name, column in vars(self).items() if isinstance(column, np.ndarray)}
        return replace(self, **{name: column[rows] for name, column in columns.items()})

    def once(self) -> tuple[Pairs, NDArray[np.int64]]:
        """Return one pair for each verdict on two outputs, and the number of pairs that share it."""
        if self.verdict is None:
            raise UsageError("the pairs have no verdicts on outputs")
        number, first, pairs = np.unique(self.verdict, return_index=True, return_counts=True)
        return self.at(first[number >= 0]), pairs[number >= 0]

    def with_output_weights(self) -> Pairs:
        """Return the pairs weighted so that each verdict on two outputs counts once in tallies."""
        if self.verdict is None:
            raise UsageError("the pairs have no verdicts on outputs")
        sharing = np.bincount(self.verdict + 1)[self.verdict + 1]
        return replace(self, weight=np.where(self.verdict < 0, 0.0, 1 / sharing))

    def among(self, systems: Sequence[str]) -> Pairs:
        """Return the pairs of the given systems, in their order.

        Raises UsageError for a system without judgments.
        """
        unknown = [name for name in systems if name not in self.systems]
        if unknown:
            raise UsageError(f"no judgments of {', '.join(unknown)}; judged: {', '.join(self.systems)}")
        new_index = np.full(len(self.systems), -1)
        new_index[[self.systems.index(name) for name in systems]] = np.arange(len(systems))
        selected = self.at((new_index[self.first] >= 0) & (new_index[self.second] >= 0))
        first, second = new_index[selected.first], new_index[selected.second]
        reverse, ranks = first > second, selected.ranks
        return replace(
            selected,
            systems=tuple(systems),
            first=np.minimum(first, second).astype(np.uint32),
            second=np.maximum(first, second).astype(np.uint32),
            outcome=np.where(reverse, -selected.outcome, selected.outcome),
            ranks=None if ranks is None else np.where(reverse[:, None], ranks[:, ::-1], ranks),
        )

    def lines(self, lines: Mapping[int, int]) -> NDArray[np.int64]:
        """Return the index [P] of each pair's sentence, by its number in the judgments."""
        return np.array([lines[number] for number in self.source_id.tolist()], np.int64)

    def tally(self) -> PairTally:
        """Return the wins and ties of each system against each other, [K, K]."""
        total = self.tally_by_sentence(dict.fromkeys(self.source_id.tolist(), 0), 1)
        return PairTally(self.systems, total.wins[0], total.ties[0])

    def tally_by_sentence(self, lines: Mapping[int, int], sentences: int) -> PairTally:
        """Return the tallies of every sentence, [sentences, K, K]; 0 if not judged.

        Args:
            lines: sentence number in the judgments -> index below ``sentences``.
            sentences: number of sentences of the test set.
        """
        line = self.lines(lines)
        weight = np.ones(len(self), np.int64) if self.weight is None else self.weight
        wins = np.zeros((sentences, len(self.systems), len(self.systems)), weight.dtype)
        ties = np.zeros_like(wins)
        ahead, behind, even = self.outcome > 0, self.outcome < 0, self.outcome == 0
        np.add.at(wins, (line[ahead], self.first[ahead], self.second[ahead]), weight[ahead])
        np.add.at(wins, (line[behind], self.second[behind], self.first[behind]), weight[behind])
        np.add.at(ties, (line[even], self.first[even], self.second[even]), weight[even])
        return PairTally(self.systems, wins, ties + np.swapaxes(ties, 1, 2))


@dataclass(frozen=True)
class PairTally:
    """Wins and ties of systems against each other.

    ``wins[..., i, j]`` counts the judgments that i is better than j; ``ties[..., i, j]`` is symmetric. Counts of
    weighted pairs are real numbers.
    """

    systems: tuple[str, ...]
    wins: NDArray[Any]
    ties: NDArray[Any]


SUMMED = 1000
"""Number of sentences that are converted to floating point at a time."""


def weighted_sums(weights: NDArray[Any], table: NDArray[Any]) -> NDArray[Any]:
    """Return the sums [replicates, K, K] of numbers [S, K, K], whole if they are.

    The weights are [replicates, S].
    """
    sums = np.zeros((len(weights), *table.shape[1:]))
    for start in range(0, len(table), SUMMED):
        part = slice(start, start + SUMMED)
        # In floating point, which is exact below 2^53 and much faster.
        sums += np.tensordot(weights[:, part].astype(np.float64), table[part].astype(np.float64), axes=1)
    return sums if table.dtype.kind == "f" else sums.astype(np.int64)


def signs(gaps: Floats) -> Floats:
    """Return 1 for positive differences of scores, -1 for negative ones, 0 for ties.

    NaN stays NaN.
    """
    return np.where(np.abs(gaps) <= TOLERANCE, 0.0, np.sign(gaps))


def outcomes(gaps: NDArray[np.float64]) -> NDArray[np.int8]:
    """Return 1 where the difference favours the first, -1 the second, 0 for a tie.

    Raises InputError for NaN, which is no tie.
    """
    if np.isnan(gaps).any():
        raise InputError(
            "a metric has no score for a sentence (NaN), so that its outputs cannot be compared",
            hint="the metric must return a number, such as 1 without errors",
        )
    return signs(gaps).astype(np.int8)


def expected_wins(tally: PairTally) -> NDArray[np.float64]:
    """Return the Expected Wins of every system, shape [..., systems], in [0, 1].

    EW(i) is the mean over opponents j of w(i,j) / (w(i,j) + w(j,i)). Ties are dropped, and so are opponents without a
    decided judgment. A system without decided judgments gets NaN and a `GecevalWarning`.
    """
    scores = mean_shares(tally.wins)
    lonely = np.isnan(scores)
    if lonely.any():
        names = np.array(tally.systems)[lonely.reshape(-1, lonely.shape[-1]).any(axis=0)]
        warn(f"no decided judgment of {', '.join(names)}")
    return scores


def mean_shares(wins: NDArray[Any]) -> NDArray[np.float64]:
    """Return the Expected Wins of ``wins[..., i, j]``.

    A system without decided judgments gets NaN.
    """
    decided = wins + np.swapaxes(wins, -1, -2)
    met = decided > 0
    shares = np.divide(wins, decided, out=np.zeros(decided.shape), where=met)
    opponents = met.sum(axis=-1)
    scores = np.full(opponents.shape, np.nan)
    np.divide(shares.sum(axis=-1), opponents, out=scores, where=opponents > 0)
    return scores


def draw_tallies(tally: PairTally, *, replicates: int, seed: int, part: int = 10_000) -> Iterator[PairTally]:
    """Yield bootstrap tallies [part, K, K].

    Each has the original number of judged pairs, drawn with replacement.
    """
    size = len(tally.systems)
    upper = np.triu_indices(size, 1)
    cells = np.concatenate([tally.wins.ravel(), tally.ties[upper]])
    total = round(float(cells.sum()))
    # RandomState, not Generator: numpy guarantees only its stream to stay the same.
    rng = np.random.RandomState(seed)
    for start in range(0, replicates, part):
        drawn = rng.multinomial(total, cells / cells.sum(), size=min(part, replicates - start)).astype(np.int64)
        wins = drawn[:, : size * size].reshape(-1, size, size)
        ties = np.zeros_like(wins)
        ties[:, upper[0], upper[1]] = drawn[:, size * size :]
        yield PairTally(tally.systems, wins, ties + np.swapaxes(ties, 1, 2))


@dataclass(frozen=True)
class Rules:
    """Constants of TrueSkill.

    Skills start at mean 0 and deviation ``sigma`` and do not drift (tau = 0).

    ``draw_probability`` is a constant of the procedure, not an estimate from the judgments.
    """

    beta: float
    sigma: float = 0.5
    draw_probability: float = 0.25

    @classmethod
    def for_judgments(cls, pairs: int) -> Rules:
        """Return the rules with beta = sigma · (pairs + 1) / 40.

        Beta grows with the data, so skills of different data sets are not comparable.
        """
        return cls(beta=cls.sigma * (pairs + 1) / 40)

    @property
    def draw_margin(self) -> float:
        """Difference of performances below which a game is a draw.

        Equal systems draw with probability ``draw_probability``.
        """
        return NormalDist().inv_cdf((self.draw_probability + 1) / 2) * math.sqrt(2) * self.beta

    @property
    def constants(self) -> tuple[float, float, float]:
        """Standard deviations of skills and of performances, and the margin of a draw."""
        return self.sigma, self.beta, self.draw_margin


def ordered_skills(pairs: Pairs, rules: Rules) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (mean, standard deviation) of every skill after each pair in order.

    Cost: O(pairs).
    """
    mean, variance = trueskill_in_order(len(pairs.systems), pairs.first, pairs.second, pairs.outcome, rules.constants)
    return mean, np.sqrt(variance)


def sampled_skills(
    tally: PairTally, *, runs: int = 1000, seed: int = 1, rules: Rules | None = None, threads: int = 0
) -> NDArray[np.float64]:
    """Return the skill means of repeated runs on randomly drawn pairs.

    The score of a system is the mean of its column.

    A run has N = pairs + 1 updates. Each update takes the system with the largest uncertainty, an opponent of similar
    skill, and one judgment of the two, drawn with replacement. Run k draws from xoshiro256++ with seed ``seed + k``, so
    each run can be repeated separately.

    Args:
        tally: wins and ties [K, K].
        runs: number of runs.
        seed: seed of the first run.
        rules: constants; by default those for the number of judgments.
        threads: number of threads, without effect on results; 0 means one per processor.

    Returns:
        Skill means [runs, systems].

    Raises:
        InputError: if a system was never compared with another.
        UsageError: if the pairs have weights.
    """
    if tally.wins.dtype.kind == "f":
        message = "trueskill draws whole pairs of systems, and pairs=outputs divides them"
        raise UsageError(message, hint="use measure=expected-wins (--human expected-wins)")
    games = tally.wins + tally.wins.T + tally.ties
    silent = [name for name, met in zip(tally.systems, games.sum(axis=1), strict=True) if not met]
    if silent:
        raise InputError(f"no judgment compares {', '.join(silent)} with another system")
    total = int(tally.wins.sum() + tally.ties.sum() // 2)
    wins, ties = tally.wins.astype(np.uint64), tally.ties.astype(np.uint64)
    constants = (rules or Rules.for_judgments(total)).constants
    return trueskill_runs(wins, ties, total + 1, constants, seed, runs, threads)


METRIC_RULES = Rules(beta=0.25)
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
    return mean_shares(weighted_sums(weights, wins))


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
        label: its name in tables.
        scores: ``scores(systems, sentence_scores)`` returns [systems].
        resampled: ``resampled(systems, sentence_scores, weights, threads)`` returns [replicates, systems] for
            ``weights[replicate, sentence]``; NaN if a draw contains no verdict on a system.
        centred: whether the mean of the scores is 0.
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
