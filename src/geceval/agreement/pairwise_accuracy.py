"""Pairwise accuracy that gives credit for certainty (systems) and for ties (sentences).

Soft pairwise accuracy (Thompson et al. 2024) compares p-values of people and of a metric. Tie-calibrated accuracy
(Deutsch, Foster and Freitag 2023) counts ties of people, and ties scores of a metric that are close.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import resampling_weights
from geceval.agreement.people import People
from geceval.base.ties import TOLERANCE, exceeds
from geceval.counting.comparison_options import Options
from geceval.counting.counts import Counts
from geceval.counting.metric import AnyMetric
from geceval.resampling.replicates import replicates_of
from geceval.resampling.resampled_counts import Resampled
from geceval.statistics import Floats
from geceval.statistics.judged_pairs import Pairs, outcomes
from geceval.statistics.resampling import Whole, sentence_keys, shared_weights
from geceval.statistics.significance import sampled_p

#: Number of random swaps of a p-value.
SWAPS = 1000
#: p of two systems that differ in no sentence. Counting draws would give 1 to whichever system is named first.
NO_DIFFERENCE = 0.5


def swap_p(gaps: Floats, *, seed: int = 1) -> Floats:
    """Return the one-sided p [pairs] of the hypothesis that the first of two systems is not better.

    The sign of each sentence's difference is inverted with probability 1/2. p = (b + 1) / (SWAPS + 1), where b counts
    the draws whose sum is at least the observed one; NO_DIFFERENCE if all differences are 0.

    Args:
        gaps: Differences [pairs, S] of sums over sentences, such as net verdicts or sentence scores.
        seed: Seed of the draws, which all pairs share.
    """
    swapped = resampling_weights(sentence_keys(0, gaps.shape[1]), "swap", seed, SWAPS, 0).astype(np.float64)
    # The sum falls by twice the sum of the swapped sentences.
    reached = ~exceeds(swapped @ gaps.T, 0.0)
    differ = exceeds(np.abs(gaps), 0.0).any(axis=1)
    return np.where(differ, (reached.sum(axis=0) + 1) / (SWAPS + 1), NO_DIFFERENCE)


def corpus_swap_p(
    metric: AnyMetric, counts: Mapping[str, Counts], judged: NDArray[np.bool_], *, seed: int = 1, threads: int = 0
) -> Floats:
    """Return the one-sided p [pairs] of a corpus score that the first of two systems is not better.

    The outputs of two systems are swapped in each judged sentence with probability 1/2, and the scores of the judged
    sentences are computed again, as in ``compare``; NO_DIFFERENCE if no swap changes the scores.

    Args:
        metric: A metric that scores each system separately.
        counts: Counts by system, in order.
        judged: Sentences that take part [pairs, S].
        seed: Seed of the draws.
        threads: Number of threads.

    Returns:
        p of all pairs i < j of systems; NaN for a pair without sentences.
    """
    options, systems = Options(samples=SWAPS, seed=seed, threads=threads), list(counts)
    pairs = zip(combinations(systems, 2), map(np.flatnonzero, judged), strict=True)
    p = [
        _corpus_swap_p(metric, {name: counts[name].at(sentences) for name in names}, options)
        if len(sentences)
        else math.nan
        for names, sentences in pairs
    ]
    shared_weights.cache_clear()
    return np.array(p)


def _corpus_swap_p(metric: AnyMetric, counts: Mapping[str, Counts], options: Options) -> float:
    references = max(part.array.shape[1] for part in counts.values())
    resampled = Resampled(metric, list(counts), options, [(0, 1)], references=references)
    resampled.add(counts)
    replicates = replicates_of(resampled)
    first, second = replicates.totals
    observed = replicates.observed[0] - replicates.observed[1]

    def rises(_: slice, sums: Whole) -> Floats:
        swapped = sums[:, 1] - sums[:, 0]
        difference = resampled.score_sums(first + swapped) - resampled.score_sums(second - swapped)
        return np.asarray((difference - observed) * metric.scale.sign)

    drawn = np.concatenate(replicates.sums.map_blocks("swap", rises))
    return sampled_p(int((drawn >= -TOLERANCE).sum()), SWAPS) if exceeds(abs(drawn), 0.0).any() else NO_DIFFERENCE


@dataclass(frozen=True)
class PeoplePairs:
    """People's verdicts on all pairs i < j of n systems.

    Attributes:
        p: One-sided p of each pair [pairs] that i is not better, by ``swap_p`` of its wins minus losses or of the
            difference of its ratings by sentence; NaN for a pair that nobody judged.
        judged: Whether people judged both in a sentence [pairs, S].
    """

    p: Floats
    judged: NDArray[np.bool_]

    @classmethod
    def of(cls, people: People, systems: Sequence[str], sentences: int, *, seed: int = 1) -> PeoplePairs:
        """Return the verdicts on some systems, in order, in a corpus of S sentences."""
        first, second = np.triu_indices(len(systems), 1)
        if people.ratings is not None:
            ratings = people.ratings.values[[people.ratings.systems.index(name) for name in systems]]
            gaps = ratings[first] - ratings[second]
            judged = ~np.isnan(gaps)
        else:
            tally = people.pairs.among(systems).tally_by_sentence(people.lines, sentences)
            wins, losses = tally.wins[:, first, second].T, tally.wins[:, second, first].T
            gaps, judged = wins - losses, wins + losses + tally.ties[:, first, second].T > 0
        return cls(np.where(judged.any(axis=1), swap_p(np.where(judged, gaps, 0.0), seed=seed), math.nan), judged)

    def gaps_of(self, scores: Floats) -> Floats:
        """Return the differences [pairs, S] of sentence scores [n, S] in the sentences that people judged."""
        first, second = np.triu_indices(len(scores), 1)
        return np.where(self.judged, scores[first] - scores[second], 0.0)

    def soft_accuracy(self, p: Floats) -> float:
        """Return 1 minus the mean difference of a metric's p [pairs] from people's; NaN pairs are left out."""
        differences = np.abs(self.p - p)
        return math.nan if np.isnan(differences).all() else float(1 - np.nanmean(differences))

    def soft_accuracy_of_means(self, scores: Floats) -> float:
        """Return the soft pairwise accuracy of mean sentence scores [n, S].

        The sum of a pair's differences with random signs is taken as normally distributed, so that thousands of
        replicates can be computed.
        """
        gaps = self.gaps_of(scores)
        deviation = np.sqrt((gaps * gaps).sum(axis=1))
        # p of systems that differ in no sentence is NO_DIFFERENCE, z is 0.
        z = np.divide(gaps.sum(axis=1), deviation, out=np.zeros(len(gaps)), where=deviation > 0)
        return self.soft_accuracy(np.array([math.erfc(value / math.sqrt(2)) / 2 for value in z]))


# --- ties ---


#: Number of weights of pairs in memory at once.
WEIGHTS = 2_000_000


@dataclass(frozen=True)
class TiedPairs:
    """Pairs of outputs of a sentence, in the order of the absolute difference of a metric's scores.

    Attributes:
        sizes: Absolute differences [P], ascending.
        line: Sentence of each pair [P].
        weight: Number of pairs of systems with these outputs [P].
        correct: Whether the metric orders the outputs as people do [P].
        gain: 1, -1 or 0 [P]: how a tie of the metric changes the number of correct pairs.
    """

    sizes: Floats
    line: NDArray[np.int64]
    weight: NDArray[np.int64]
    correct: NDArray[np.bool_]
    gain: NDArray[np.int8]

    @classmethod
    def of(cls, pairs: Pairs, weight: NDArray[np.int64], line: NDArray[np.int64], scores: Floats) -> TiedPairs:
        """Sort pairs, with their weights [P] and sentences [P], by a metric's scores [n, S]."""
        gaps = scores[pairs.first, line] - scores[pairs.second, line]
        order = np.argsort(np.abs(gaps), kind="stable")
        human = pairs.outcome[order]
        correct = outcomes(gaps[order]) * human > 0
        gain = (human == 0).astype(np.int8) - correct
        return cls(np.abs(gaps[order]), line[order], weight[order], correct, gain)

    def calibrated(self) -> tuple[float, float]:
        """Return the largest accuracy and the smallest threshold that reaches it; NaN without pairs.

        The accuracy is the share of pairs on which the metric agrees with people, ties included, if scores that differ
        by at most the threshold are tied. The threshold is 0 or one of the differences.
        """
        [share], [threshold] = self._calibrated(self.weight[np.newaxis])
        return float(share), float(threshold)

    def resampled(self, weights: NDArray[np.int64]) -> Floats:
        """Return the largest accuracies [replicates] from the numbers of draws [replicates, S] of each sentence."""
        size = max(1, WEIGHTS // max(1, len(self.line)))
        parts = (weights[start : start + size, self.line] for start in range(0, len(weights), size))
        return np.concatenate([self._calibrated(part * self.weight)[0] for part in parts])

    def _calibrated(self, weights: NDArray[np.int64]) -> tuple[Floats, Floats]:
        # Equal differences are tied together. Without equal scores, the threshold 0 ties nothing.
        last = np.append(exceeds(self.sizes[1:], self.sizes[:-1]), len(self.sizes) > 0).nonzero()[0]
        gains = np.cumsum(weights * self.gain, axis=1)[:, last]
        thresholds = self.sizes[last]
        if len(self.sizes) and self.sizes[0] <= TOLERANCE:
            thresholds[0] = 0.0
        else:
            gains, thresholds = np.pad(gains, [(0, 0), (1, 0)]), np.append(0.0, thresholds)
        best, total = gains.argmax(axis=1), weights.sum(axis=1)
        right = weights @ self.correct + gains.max(axis=1)
        return np.divide(right, total, out=np.full(len(total), np.nan), where=total > 0), thresholds[best]
