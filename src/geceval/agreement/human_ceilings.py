"""Agreement of people with each other, which limits the agreement of metrics with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from geceval.agreement.people import MEASURES, People
from geceval.statistics import Floats
from geceval.statistics.correlation import pearson
from geceval.statistics.intervals import Interval, draw_sentence_weights, percentile_interval
from geceval.statistics.judged_pairs import Pairs

#: Number of random halvings of the sentences.
HALVINGS = 1000


@dataclass(frozen=True)
class TwoPeople:
    """Agreement of two people who judged the same two outputs.

    Attributes:
        share: Share of comparisons of two people's verdicts in which they prefer the same output.
        interval: Bootstrap interval of the share, over sentences; None without resampling.
        comparisons: Number of comparisons.
        sentences: Number of sentences with a comparison.
    """

    share: float
    interval: Interval | None
    comparisons: int
    sentences: int

    @property
    def best_metric(self) -> float:
        """Largest agreement of a metric with one person: it follows both where they agree, else one of them."""
        return (1 + self.share) / 2


def twice_judged(pairs: Pairs) -> tuple[Pairs, NDArray[np.intp]]:
    """Return verdicts of different people on the same two outputs.

    Ties are left out. Two outputs are the same if they have a system in common; a group of systems with the same
    output counts once. Repeated verdicts of a person count repeatedly.

    Returns:
        Pairs of systems, and the indices [C, 2] of each two verdicts of different people on the same outputs.
    """
    decided = pairs.at(pairs.outcome != 0)
    decided = decided.at(np.lexsort((decided.second, decided.first, decided.source_id)))
    outputs = np.stack([decided.source_id, decided.first, decided.second])
    rows = [np.zeros((0, 2), np.intp)]
    # Verdicts on the same systems are neighbours.
    for distance in range(1, len(decided)):
        same = np.flatnonzero((outputs[:, distance:] == outputs[:, :-distance]).all(axis=0))
        if not len(same):
            break
        rows.append(np.stack([same, same + distance], axis=1))
    both = np.concatenate(rows)
    both = both[np.ptp(np.asarray(decided.annotator)[both], axis=1) > 0]
    _, first = np.unique(np.sort(np.asarray(decided.verdict)[both], axis=1), axis=0, return_index=True)
    return decided, both[first]


def agreement_of_two_people(pairs: Pairs, *, resamples: int = 1000, seed: int = 1) -> TwoPeople | None:
    """Return how often two people prefer the same of two outputs that both judged and neither tied.

    Args:
        pairs: Judged pairs (``expand_pairs``; ``among`` restricts them to systems).
        resamples: Number of replicates of the interval; 0 computes none.
        seed: Seed of the replicates.

    Returns:
        The agreement, or None if no two people judged the same outputs.
    """
    verdicts, rows = twice_judged(pairs)
    if not len(rows):
        return None
    _, sentence = np.unique(verdicts.source_id[rows[:, 0]], return_inverse=True)
    counts, alike = np.bincount(sentence), np.bincount(sentence, np.ptp(verdicts.outcome[rows], axis=1) == 0)
    interval = None
    if resamples:
        parts = draw_sentence_weights(len(counts), replicates=resamples, seed=seed)
        interval = percentile_interval(np.concatenate([weights @ alike / (weights @ counts) for weights in parts]))
    return TwoPeople(float(alike.sum() / counts.sum()), interval, len(rows), len(counts))


def reliability(people: People, systems: Sequence[str] | None = None, *, seed: int = 1) -> float:
    """Return the reliability of people's scores of systems: Expected Wins, or mean ratings.

    The judged sentences are halved at random HALVINGS times, the scores of the systems by either half are correlated,
    and the mean r is corrected by Spearman-Brown, 2r / (1 + r), for the number of sentences. Its square root is the
    ceiling of a metric's r.

    Args:
        people: Judgments or ratings (``People.of``).
        systems: Names of systems (None: all); they are scored against all systems.
        seed: Seed of the halvings.

    Returns:
        The reliability, at most 1; NaN if the scores of a half are constant or undefined, or with fewer than three
        systems, whose scores are always correlated by 1 or -1.
    """
    if len(systems or people.pairs.systems) < 3:
        return math.nan
    rng, judged = np.random.RandomState(seed), len(set(people.lines.values()))
    half = rng.random_sample((HALVINGS, judged)).argsort(axis=1) < judged // 2
    first, second = (_scores(people, systems, sentences.astype(np.int64)) for sentences in (half, ~half))
    correlations = pearson(first, second)
    r = math.nan if np.isnan(correlations).all() else float(np.nanmean(correlations))
    return 2 * r / (1 + r) if r > -1 else math.nan


def separated_pairs(
    people: People, systems: Sequence[str] | None = None, *, resamples: int = 1000, seed: int = 1
) -> NDArray[np.bool_]:
    """Return which pairs of systems people separate.

    The 95 % bootstrap interval, over sentences, of the difference of their Expected Wins or mean ratings leaves out 0.

    Args:
        people: Judgments or ratings (``People.of``).
        systems: Names of systems (None: all); they are scored against all systems.
        resamples: Number of replicates.
        seed: Seed of the replicates.

    Returns:
        Symmetric matrix [n, n] in the order of ``systems``, or of ``people.pairs.systems``.
    """
    parts = draw_sentence_weights(len(set(people.lines.values())), replicates=resamples, seed=seed)
    scores = np.concatenate([_scores(people, systems, weights) for weights in parts]).T
    separated = np.zeros((len(scores), len(scores)), np.bool_)
    for i, j in zip(*np.triu_indices(len(scores), 1), strict=True):
        interval = percentile_interval(scores[i] - scores[j])
        separated[i, j] = separated[j, i] = interval.low > 0 or interval.high < 0
    return separated


def _scores(people: People, systems: Sequence[str] | None, drawn: NDArray[np.int64]) -> Floats:
    """Return people's scores [replicates, n] from the numbers of draws [replicates, judged] of judged sentences."""
    lines, names = sorted(set(people.lines.values())), people.pairs.systems
    weights = np.zeros((len(drawn), lines[-1] + 1 if people.ratings is None else people.ratings.values.shape[1]), int)
    weights[:, lines] = drawn
    measure = MEASURES["expected-wins" if people.ratings is None else "mean-rating"]
    return measure.replicated(people, weights, seed=0)[:, [names.index(name) for name in systems or names]]


@dataclass(frozen=True)
class HumanCeilings:
    """How far people agree with each other.

    Attributes:
        two_people: Agreement of two people on two outputs; None if no two people judged the same outputs.
        reliability: Reliability of people's scores of systems.
        separated: Number of pairs of systems that people separate.
        pairs: Number of pairs of systems.
    """

    two_people: TwoPeople | None
    reliability: float
    separated: int
    pairs: int

    @property
    def r(self) -> float:
        """Largest expected r of a metric: the square root of the reliability; NaN if that is negative."""
        return math.sqrt(self.reliability) if self.reliability >= 0 else math.nan


def ceilings_of(people: People, systems: Sequence[str], *, resamples: int = 1000, seed: int = 1) -> HumanCeilings:
    """Return how far people agree with each other about systems.

    Args:
        people: Judgments or ratings (``People.of``).
        systems: Names of the systems.
        resamples: Number of replicates of the intervals, above 0.
        seed: Seed of the replicates.
    """
    separated = separated_pairs(people, systems, resamples=resamples, seed=seed)
    return HumanCeilings(
        agreement_of_two_people(people.pairs.among(systems), resamples=resamples, seed=seed),
        reliability(people, systems, seed=seed),
        int(separated.sum()) // 2,
        len(systems) * (len(systems) - 1) // 2,
    )
