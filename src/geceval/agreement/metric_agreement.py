"""Agreement of metrics with people, by system and by sentence.

All systems and sentences are scored in one counting pass, and their counts are resampled. Sentence scores are compared
with judged pairs (accuracy) and with ratings (correlation). Tests show whether one metric agrees with people better
than another.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import UsageError
from geceval.counting.consumers import KeptCounts
from geceval.counting.counts import Counts
from geceval.counting.metric import AnyMetric
from geceval.counting.run import Run
from geceval.counting.run_options import Progress, RunOptions
from geceval.counting.scores import LEVELS
from geceval.counting.signature import signature_of
from geceval.statistics import Floats
from geceval.statistics.aggregation import AGGREGATIONS as OF_PAIRS
from geceval.statistics.aggregation import MEAN
from geceval.statistics.correlation import pearson, spearman
from geceval.statistics.correlation_tests import perm_both, student_p, williams_t
from geceval.statistics.judged_pairs import Pairs, outcomes
from geceval.statistics.multiple_tests import holm
from geceval.text.corpus import Corpus

#: Largest number of reference choices that a resampled score averages (GLEU samples many).
CHOICES = 20


@dataclass(frozen=True)
class SystemCounts:
    """Counts of all systems under one metric, its signatures, and seconds per system."""

    metric: AnyMetric
    signatures: dict[str, str]
    systems: tuple[str, ...]
    counts: tuple[Counts, ...]
    seconds: float


@dataclass(frozen=True)
class MetricScores:
    """Scores of all systems under one metric.

    Attributes:
        metric: The metric.
        signature: Signature of ``values``.
        sentence_signature: Signature of ``sentences``.
        systems: Names of the n systems.
        values: Scores [n] that rank the systems; high is good, so that those of a metric whose low scores are good
            are negative.
        sentences: Sentence scores [n, S]; high is good.
        printed: Scores [n] as the metric prints them.
        seconds: Computing time per system, in seconds.
    """

    metric: AnyMetric
    signature: str
    sentence_signature: str
    systems: tuple[str, ...]
    values: Floats
    sentences: Floats
    printed: Floats
    seconds: float


def count_systems(
    corpus: Corpus, metrics: Sequence[AnyMetric], *, threads: int = 0, progress: Progress | None = None
) -> list[SystemCounts]:
    """Count all systems under each metric and measure the time.

    Metrics that share a counting pass share its time.
    """
    stores = {(name, metric): KeptCounts(metric) for metric in metrics for name in corpus.systems}
    seconds: dict[Hashable, float] = {}
    first = next(iter(corpus.systems))
    run = Run(corpus, metrics, RunOptions(threads=threads, progress=progress))
    start = time.perf_counter()
    for _, name, metric, counts in run.stream():
        seconds[metric.count_key] = seconds.get(metric.count_key, 0.0) + time.perf_counter() - start
        stores[name, metric].add(counts)
        start = time.perf_counter()
    return [
        SystemCounts(
            metric,
            {level: signature_of(metric, run.signature_inputs(first, metric), level) for level in LEVELS},
            tuple(corpus.systems),
            tuple(stores[name, metric].result() for name in corpus.systems),
            seconds[metric.count_key] / len(corpus.systems),
        )
        for metric in metrics
    ]


SentenceWeights = NDArray[np.int64]


def _replicates(metric: AnyMetric, counts: Counts, weights: Floats) -> Floats:
    """Return scores [replicates] of one system, with references of the full corpus."""
    choices = metric.choices(counts)[:CHOICES]
    chosen = np.stack([counts.chosen(choice) for choice in choices], axis=1).astype(np.float64)
    # One product for all choices, in floating point, which is exact for counts and faster than integers.
    totals = (weights @ chosen.reshape(len(chosen), -1)).reshape(len(weights), *chosen.shape[1:])
    return np.asarray(metric.score(totals).mean(axis=1))


#: Aggregations of sentence scores.
BY_SENTENCES = {"mean": MEAN, **OF_PAIRS}
#: Aggregations of the counts of a system to its score.
AGGREGATIONS = ("corpus", *BY_SENTENCES)


def resample_scores(counted: SystemCounts, sentences: Floats, weights: SentenceWeights, aggregation: str) -> Floats:
    """Return the scores [replicates, n] on resampled sentences.

    Args:
        counted: Counts of n systems.
        sentences: Sentence scores [n, S] of ``score_systems``.
        weights: Numbers of draws [replicates, S] of each sentence.
        aggregation: One of AGGREGATIONS.
    """
    if aggregation != "corpus":
        return BY_SENTENCES[aggregation].resampled(counted.systems, sentences, weights, 0)
    floats = weights.astype(np.float64)
    scores = [_replicates(counted.metric, counts, floats) for counts in counted.counts]
    return np.stack(scores, axis=1) * counted.metric.scale.sign


def score_systems(counted: SystemCounts, *, aggregation: str = "corpus") -> MetricScores:
    """Return the scores of all systems."""
    start = time.perf_counter()
    metric, sign = counted.metric, counted.metric.scale.sign
    sentences = np.stack([metric.sentence_scores_of(counts) for counts in counted.counts]) * sign
    if aggregation == "corpus":
        values = np.array([float(metric.score(metric.totals(counts)).mean()) for counts in counted.counts]) * sign
    else:
        values = BY_SENTENCES[aggregation].scores(counted.systems, sentences)
    printed = values * sign if aggregation in ("corpus", "mean") else values
    seconds = counted.seconds + (time.perf_counter() - start) / len(counted.systems)
    of_sentences = counted.signatures["sentence"]
    signature = counted.signatures.get(aggregation, f"{of_sentences}|aggregation:{aggregation}")
    return MetricScores(metric, signature, of_sentences, counted.systems, values, sentences, printed, seconds)


Count = NDArray[np.int64]


@dataclass(frozen=True)
class PreferenceCounts:
    """Numbers of decided human pairs by the metric's verdict, in arrays of one shape.

    Attributes:
        agree: Pairs on which the metric agrees with people.
        disagree: Pairs on which the metric disagrees with people.
        tied: Pairs with equal scores.
        tied_second: Pairs of ``tied`` in which people prefer the system that is listed later.
    """

    agree: Count
    disagree: Count
    tied: Count
    tied_second: Count

    @property
    def decided(self) -> Count:
        """Number of pairs that people decided: agree + disagree + tied."""
        return self.agree + self.disagree + self.tied


# Functions that return (right, counted), by name: accuracy = right / counted.
TIE_RULES: Mapping[str, Callable[[PreferenceCounts], tuple[Count, Count]]] = {
    "half": lambda v: (2 * v.agree + v.tied, 2 * v.decided),
    "loss": lambda v: (v.agree, v.decided),
    "skipped": lambda v: (v.agree, v.agree + v.disagree),
    "seeda": lambda v: (v.agree + v.tied_second, v.decided),
}
"""Rules for ties of the metric, by name.

``half`` counts a tie as half a point, ``loss`` as wrong; ``skipped`` excludes it; ``seeda`` counts it as a vote for the
system that is listed later, as SEEDA's script does, so that the accuracy depends on the order of the systems.
"""


def accuracy(verdicts: PreferenceCounts, *, ties: str = "half") -> NDArray[np.float64]:
    """Return the share of decided pairs on which the metric agrees with people.

    Args:
        verdicts: Numbers of pairs, of any shape.
        ties: Rule for ties, one of TIE_RULES.

    Returns:
        Accuracies in [0, 1], of the same shape; NaN without pairs.

    Raises:
        UsageError: If the rule is unknown.
    """
    if ties not in TIE_RULES:
        raise UsageError(f"unknown rule for ties {ties!r}: choose from {', '.join(TIE_RULES)}")
    right, counted = TIE_RULES[ties](verdicts)
    shares = np.full(np.shape(counted), np.nan)
    np.divide(right, counted, out=shares, where=np.asarray(counted) > 0)
    return shares


def accuracies(verdicts: PreferenceCounts) -> dict[str, float]:
    """Return the accuracy of pooled verdicts by rule for ties."""
    return {rule: float(accuracy(verdicts, ties=rule)) for rule in TIE_RULES}


def verdicts_by_sentence(pairs: Pairs, lines: Mapping[int, int], scores: NDArray[np.float64]) -> PreferenceCounts:
    """Return the metric's verdicts by sentence, in arrays [S].

    ``scores`` [n, S] are in the order of ``pairs.systems``; ``lines`` maps sentence numbers of judgments to indices.
    Human ties, and therefore all identical outputs, are excluded; repeated items count repeatedly.
    """
    decided = pairs.at(pairs.outcome != 0)
    line = decided.lines(lines)
    human = decided.outcome.astype(np.int64)
    gap = scores[decided.first, line] - scores[decided.second, line]
    metric = outcomes(gap).astype(np.int64)

    def count(chosen: NDArray[np.bool_]) -> Count:
        return np.bincount(line[chosen], minlength=scores.shape[1])

    return PreferenceCounts(
        agree=count(metric == human),
        disagree=count(metric == -human),
        tied=count(metric == 0),
        tied_second=count((metric == 0) & (human < 0)),
    )


def total(verdicts: PreferenceCounts) -> PreferenceCounts:
    """Return the verdicts of all sentences together."""
    return PreferenceCounts(*(counts.sum() for counts in vars(verdicts).values()))


def weigh_verdicts(verdicts: PreferenceCounts, weights: Count) -> PreferenceCounts:
    """Return verdicts [S] summed with weights [replicates, S]: arrays [replicates]."""
    return PreferenceCounts(*(weights @ counts for counts in vars(verdicts).values()))


# --- ratings ---


#: Resampled correlations of sentence scores with ratings; Kendall's would take O(cells²) time.
SEGMENTS = {"segment_pearson": pearson, "segment_spearman": spearman}


def resample_correlations(scores: Floats, ratings: Floats, weights: NDArray[np.int64]) -> dict[str, Floats]:
    """Return correlations [replicates] of scores [n, S] with ratings [n, S] on resampled sentences, by name.

    ``weights`` [replicates, S] are the numbers of draws of each sentence, with all its rated outputs.
    """
    rated = ~np.isnan(ratings)
    x, y, sentence = scores[rated], ratings[rated], np.nonzero(rated)[1]
    drawn = ((np.repeat(x, times), np.repeat(y, times)) for times in weights[:, sentence])
    columns = np.array([[float(measure(*cells)) for measure in SEGMENTS.values()] for cells in drawn]).T
    return dict(zip(SEGMENTS, columns, strict=True))


@dataclass(frozen=True)
class MetricTest:
    """Test of the difference between two metrics in one figure of agreement with people.

    Attributes:
        first: Index of the first metric.
        second: Index of the second metric.
        figure: Name of the figure.
        test: Name of the test.
        values: Figures of both metrics.
        p: Two-sided p-value.
        adjusted: P-value, corrected by Holm for all pairs of metrics.
    """

    first: int
    second: int
    figure: str
    test: str
    values: tuple[float, float]
    p: float
    adjusted: float = math.nan


#: Figure of agreement of sentence scores [n, S] with people.
Figure: TypeAlias = Callable[[Floats], float]


def compare_metrics(
    metrics: Sequence[MetricScores], people: Floats, figures: Mapping[str, Figure], *, replicates: int, seed: int
) -> list[MetricTest]:
    """Test all pairs of metrics over n systems.

    Args:
        metrics: Scores of the metrics.
        people: Human scores [n].
        figures: Figures by name, tested by PERM-BOTH in addition to Williams' test of Pearson's r.
        replicates: Number of replicates; 0 leaves out PERM-BOTH.
        seed: Seed of the replicates.
    """
    pairs = list(combinations(range(len(metrics)), 2))
    tests = [[_williams(first, second, metrics, people) for first, second in pairs]]
    if replicates:
        for name, figure in figures.items():
            tests.append([])
            for first, second in pairs:
                a, b = metrics[first].sentences, metrics[second].sentences
                p = perm_both(a, b, figure, replicates=replicates, seed=seed)
                tests[-1].append(MetricTest(first, second, name, "PERM-BOTH", (figure(a), figure(b)), p))
    return [
        replace(test, adjusted=adjusted)
        for of_figure in tests
        for test, adjusted in zip(of_figure, holm([test.p for test in of_figure]).tolist(), strict=True)
    ]


def _williams(first: int, second: int, metrics: Sequence[MetricScores], people: Floats) -> MetricTest:
    a, b = metrics[first].values, metrics[second].values
    r, n = (float(pearson(a, people)), float(pearson(b, people))), len(people)
    t = williams_t(*r, float(pearson(a, b)), n)
    return MetricTest(first, second, "r", "Williams", r, student_p(t, n - 3) if n > 3 else math.nan)
