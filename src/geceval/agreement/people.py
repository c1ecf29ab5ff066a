"""Aggregate human judgments by Expected Wins or TrueSkill, ratings by their mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from geceval.agreement.judgments import Judgments, Ratings, rankings_of
from geceval.base.errors import UsageError
from geceval.base.hints import Hint, named_option
from geceval.statistics import Floats
from geceval.statistics.expected_wins import expected_wins, mean_shares
from geceval.statistics.intervals import draw_sentence_weights
from geceval.statistics.judged_pairs import Pairs, PairTally, draw_tallies, weighted_tallies
from geceval.statistics.threads import run_in_threads
from geceval.statistics.trueskill import sampled_skills


def expand_pairs(judgments: Judgments) -> Pairs:
    """Return all pairs of systems of all items, each item's in lexicographic order.

    Systems collapsed into one group tie with each other, and each has the group's relation to all others.
    """
    systems = judgments.systems
    index = {name: k for k, name in enumerate(systems)}
    annotators: dict[str, int] = {}
    rows, verdicts = [], 0
    for item in judgments.items:
        annotator, groups = annotators.setdefault(item.annotator, len(annotators)), len(item.groups)
        members = sorted((name, group) for group, names in enumerate(item.groups) for name in names)
        for (a, first), (b, second) in combinations(members, 2):
            verdict = -1 if first == second else verdicts + min(first, second) * groups + max(first, second)
            ranks = item.ranks[first], item.ranks[second]
            rows.append((item.source_id, index[a], index[b], *ranks, annotator, verdict))
        verdicts += groups * groups
    columns = np.array(rows, np.int64).reshape(-1, 7).T
    return Pairs(
        systems,
        columns[0].copy(),
        columns[1].astype(np.uint32),
        columns[2].astype(np.uint32),
        np.sign(columns[4] - columns[3]).astype(np.int8),
        columns[5].copy(),
        columns[6].copy(),
    )


@dataclass(frozen=True)
class People:
    """Human judgments of pairs of systems, and their ratings, if any.

    ``lines`` maps the judgments' sentence numbers to the lines of the corpus.
    """

    pairs: Pairs
    lines: Mapping[int, int]
    ratings: Ratings | None = None

    @cached_property
    def tally(self) -> PairTally:
        """Tallies of each sentence of the corpus up to the last judged one."""
        return self.pairs.tally_by_sentence(self.lines, max(self.lines.values(), default=-1) + 1)

    def with_output_weights(self) -> People:
        """Return the same people, each of whose verdicts on two outputs counts once.

        Raises:
            UsageError: If they gave ratings.
        """
        if self.ratings is not None:
            message = "pairs=outputs requires rankings: ratings do not say which systems were judged as one output"
            raise UsageError(message, hint=Hint("use ", named_option("pairs", "systems")))
        return replace(self, pairs=self.pairs.with_output_weights())

    @classmethod
    def of(cls, source: Judgments | Ratings) -> People:
        """Return judgments or ratings without a corpus, whose numbers are lines."""
        ratings = source if isinstance(source, Ratings) else None
        judgments = rankings_of(source)
        return cls(expand_pairs(judgments), {number: number for number in judgments.source_ids}, ratings)


class Measure(ABC):
    """An aggregation of human judgments or ratings to scores of all systems."""

    label: ClassVar[str]
    #: Whether ``score`` is exact instead of a mean of ``runs``.
    exact_score: ClassVar[bool] = True

    @abstractmethod
    def score(self, people: People, *, seed: int, threads: int) -> Floats:
        """Return the scores [systems]."""

    @abstractmethod
    def runs(self, people: People, *, seed: int, count: int, threads: int) -> Iterator[Floats]:
        """Yield replicates [count, systems] for rank ranges, in parts."""

    @abstractmethod
    def replicated(self, people: People, weights: NDArray[np.int64], *, seed: int, threads: int = 0) -> Floats:
        """Return the scores [replicates, systems] on resampled sentences.

        ``weights`` [replicates, S] are the numbers of draws of each sentence. The score of a system without judgments
        in a replicate is NaN.
        """


class ExpectedWins(Measure):
    """Mean share of judgments that a system wins against each other system."""

    label = "Expected Wins"

    def score(self, people: People, *, seed: int, threads: int) -> Floats:
        return expected_wins(people.pairs.tally())

    def runs(self, people: People, *, seed: int, count: int, threads: int) -> Iterator[Floats]:
        return map(expected_wins, draw_tallies(people.pairs.tally(), replicates=count, seed=seed))

    def replicated(self, people: People, weights: NDArray[np.int64], *, seed: int, threads: int = 0) -> Floats:
        wins = people.tally.wins
        return mean_shares(weighted_tallies(weights[:, : len(wins)], wins))


RUNS = 1000
#: Number of runs of TrueSkill in a part.
RUNS_PER_PART = 100


class TrueSkill(Measure):
    """Mean of RUNS runs of TrueSkill, each in its own order of judgments."""

    label = "TrueSkill"
    exact_score = False

    def score(self, people: People, *, seed: int, threads: int) -> Floats:
        return np.asarray(np.mean(np.concatenate([*self.runs(people, seed=seed, count=RUNS, threads=threads)]), axis=0))

    def runs(self, people: People, *, seed: int, count: int, threads: int) -> Iterator[Floats]:
        tally = people.pairs.tally()
        for start in range(0, count, RUNS_PER_PART):
            yield sampled_skills(tally, runs=min(RUNS_PER_PART, count - start), seed=seed + start, threads=threads)

    def replicated(self, people: People, weights: NDArray[np.int64], *, seed: int, threads: int = 0) -> Floats:
        # One run per replicate, which adds a deviation of about 0.01.
        systems = people.pairs.systems
        tables = people.tally.wins, people.tally.ties
        wins, ties = (weighted_tallies(weights[:, : len(table)], table) for table in tables)

        def replicate(k: int) -> Floats:
            if ((wins[k] + wins[k].T + ties[k]).sum(axis=1) == 0).any():
                return np.full(len(systems), np.nan)
            tally = PairTally(systems, wins[k], ties[k])
            return np.asarray(sampled_skills(tally, runs=1, seed=seed + k, threads=1)[0])

        return np.stack(run_in_threads(replicate, len(wins), threads))


class MeanRating(Measure):
    """Mean of a system's ratings; raises UsageError without ratings."""

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
        raise UsageError("mean-rating requires ratings, not rankings", hint="use expected-wins or trueskill")
    return people.ratings


MEASURES: Mapping[str, Measure] = {
    "expected-wins": ExpectedWins(),
    "trueskill": TrueSkill(),
    "mean-rating": MeanRating(),
}
