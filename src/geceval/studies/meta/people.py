"""People's scores of systems: judgments aggregated by Expected Wins or TrueSkill, ratings by their means."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import GecevalWarning, UsageError
from geceval.statistics import Floats
from geceval.statistics.expected_wins import draw_tallies, expected_wins
from geceval.statistics.intervals import draw_sentence_weights
from geceval.statistics.judged_pairs import Pairs, PairTally, weighted_sum
from geceval.statistics.threads import in_threads
from geceval.statistics.trueskill import sampled_skills
from geceval.studies.meta.judgments import Judgments
from geceval.studies.meta.ratings import Ratings


def expand_pairs(judgments: Judgments) -> Pairs:
    """Return every unordered pair of the systems of every item, the pairs of an item in lexicographic order.

    Systems collapsed into one group tie with each other, and each has the group's relation to all others.
    """
    systems = judgments.systems
    index = {name: k for k, name in enumerate(systems)}
    rows = [
        (item.source_id, index[a], index[b], ranks[a], ranks[b])
        for item in judgments.items
        for ranks in (item.rank_of(),)
        for a, b in combinations(sorted(ranks), 2)
    ]
    columns = np.array(rows, np.int64).reshape(-1, 5).T
    return Pairs(
        systems,
        columns[0].copy(),
        columns[1].astype(np.uint32),
        columns[2].astype(np.uint32),
        np.sign(columns[4] - columns[3]).astype(np.int8),
        columns[3:].T.copy(),
    )


@dataclass(frozen=True)
class People:
    """What people said: the pairs of systems they judged, and the ratings these were made from, if they rated.

    ``lines`` maps the judgments' sentence numbers to the lines of the corpus.
    """

    pairs: Pairs
    lines: Mapping[int, int]
    ratings: Ratings | None = None

    @classmethod
    def of(cls, source: Judgments | Ratings) -> People:
        """Return judgments or ratings without a corpus, every sentence on the line of its number."""
        ratings = source if isinstance(source, Ratings) else None
        judgments = source.judgments() if isinstance(source, Ratings) else source
        return cls(expand_pairs(judgments), {number: number for number in judgments.source_ids}, ratings)


class Measure(ABC):
    """A way to aggregate what people said to scores of all systems."""

    label: ClassVar[str]
    #: Whether ``score`` is no mean of ``runs``.
    exact_score: ClassVar[bool] = True

    @abstractmethod
    def score(self, people: People, *, seed: int, threads: int) -> Floats:
        """The scores [systems]."""

    @abstractmethod
    def runs(self, people: People, *, seed: int, count: int, threads: int) -> Iterator[Floats]:
        """The replicates behind rank ranges, [count, systems] in parts."""

    @abstractmethod
    def replicated(self, people: People, weights: NDArray[np.int64], *, seed: int, threads: int = 0) -> Floats:
        """The scores [replicates, systems] when the sentences are drawn with ``weights[replicate, sentence]``; NaN
        where a draw leaves a system without any judgment."""


class ByPairs(Measure):
    """Judged pairs, aggregated."""

    @abstractmethod
    def once(self, tally: PairTally, seed: int) -> Floats:
        """The scores [systems] of one of many resampled tallies."""

    def replicated(self, people: People, weights: NDArray[np.int64], *, seed: int, threads: int = 0) -> Floats:
        """One run a replicate where a measure is itself sampled (TrueSkill): the spread of a run, some 0.01, adds to
        the replicates'."""
        tallies = weighted_sum(people.pairs.tally_by_sentence(people.lines, weights.shape[1]), weights)
        each = [PairTally(tallies.systems, w, t) for w, t in zip(tallies.wins, tallies.ties, strict=True)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GecevalWarning)  # of systems without judgments: counted as undefined
            return np.stack(in_threads(lambda k: self.once(each[k], seed + k), len(each), threads))


class ExpectedWins(ByPairs):
    """The mean share of judgments that a system wins against each other."""

    label = "Expected Wins"

    def score(self, people: People, *, seed: int, threads: int) -> Floats:
        return expected_wins(people.pairs.tally())

    def runs(self, people: People, *, seed: int, count: int, threads: int) -> Iterator[Floats]:
        return map(expected_wins, draw_tallies(people.pairs.tally(), replicates=count, seed=seed))

    def once(self, tally: PairTally, seed: int) -> Floats:
        return expected_wins(tally)


RUNS = 1000
#: Runs of TrueSkill in a part.
PART = 100


class TrueSkill(ByPairs):
    """The mean of RUNS runs, each in an order of its own."""

    label = "TrueSkill"
    exact_score = False

    def score(self, people: People, *, seed: int, threads: int) -> Floats:
        means: Floats = np.concatenate([*self.runs(people, seed=seed, count=RUNS, threads=threads)]).mean(axis=0)
        return means

    def runs(self, people: People, *, seed: int, count: int, threads: int) -> Iterator[Floats]:
        tally = people.pairs.tally()
        for start in range(0, count, PART):
            yield sampled_skills(tally, runs=min(PART, count - start), seed=seed + start, threads=threads)

    def once(self, tally: PairTally, seed: int) -> Floats:
        if ((tally.wins + tally.wins.T + tally.ties).sum(axis=1) == 0).any():
            return np.full(len(tally.systems), np.nan)
        run: Floats = sampled_skills(tally, runs=1, seed=seed, threads=1)[0]
        return run


class MeanRating(Measure):
    """The mean of a system's ratings; replicates draw the rated sentences. Raises UsageError without ratings."""

    label = "mean rating"

    def score(self, people: People, *, seed: int, threads: int) -> Floats:
        return _ratings(people).means()

    def runs(self, people: People, *, seed: int, count: int, threads: int) -> Iterator[Floats]:
        ratings = _ratings(people)
        rated = ratings.of(ratings.source_ids)
        return map(rated.weighted, draw_sentence_weights(rated.values.shape[1], replicates=count, seed=seed))

    def replicated(self, people: People, weights: NDArray[np.int64], *, seed: int, threads: int = 0) -> Floats:
        return _ratings(people).weighted(weights)


def _ratings(people: People) -> Ratings:
    if people.ratings is None:
        raise UsageError("mean ratings need ratings, and these people ranked", hint="choose expected-wins or trueskill")
    return people.ratings


MEASURES: Mapping[str, Measure] = {
    "expected-wins": ExpectedWins(),
    "trueskill": TrueSkill(),
    "mean-rating": MeanRating(),
}
