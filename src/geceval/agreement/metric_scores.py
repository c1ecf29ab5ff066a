"""Score all systems and sentences, whole and resampled, in one counting pass."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from geceval.counting.consumers import KeptCounts
from geceval.counting.counts import LEVELS, Counts
from geceval.counting.run import Run
from geceval.counting.stream import AnyMetric
from geceval.statistics import Floats, rankings
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
        values: Scores [n] that rank the systems.
        sentences: Sentence scores [n, S].
        seconds: Computing time per system, in seconds.
    """

    metric: AnyMetric
    signature: str
    sentence_signature: str
    systems: tuple[str, ...]
    values: Floats
    sentences: Floats
    seconds: float


def count_systems(
    corpus: Corpus, metrics: Sequence[AnyMetric], *, threads: int = 0, progress: Callable[[int], None] | None = None
) -> list[SystemCounts]:
    """Count all systems under each metric and measure the time.

    Metrics that share a counting pass share its time.
    """
    kept = {(name, metric): KeptCounts(metric) for metric in metrics for name in corpus.systems}
    seconds: dict[Hashable, float] = {}
    first = next(iter(corpus.systems))
    run = Run(corpus, metrics, threads=threads, progress=progress)
    start = time.perf_counter()
    for _, name, metric, counts in run.stream():
        seconds[metric.count_key] = seconds.get(metric.count_key, 0.0) + time.perf_counter() - start
        kept[name, metric].add(counts)
        start = time.perf_counter()
    return [
        SystemCounts(
            metric,
            {level: metric.signature(run.given(first, metric), level) for level in LEVELS},
            tuple(corpus.systems),
            tuple(kept[name, metric].result() for name in corpus.systems),
            seconds[metric.count_key] / len(corpus.systems),
        )
        for metric in metrics
    ]


Weights = NDArray[np.int64]


def _replicates(metric: AnyMetric, counts: Counts, weights: Floats) -> Floats:
    """Return scores [replicates] of one system, with references of the full corpus."""
    choices = metric.choices(counts)[:CHOICES]
    chosen = np.stack([counts.chosen(choice) for choice in choices], axis=1).astype(np.float64)
    # One product for all choices, in floating point, which is exact for counts and faster than integers.
    totals = (weights @ chosen.reshape(len(chosen), -1)).reshape(len(weights), *chosen.shape[1:])
    return np.asarray(metric.score(totals).mean(axis=1))


#: Aggregations of sentence scores.
BY_SENTENCES = {"mean": rankings.MEAN, **rankings.AGGREGATIONS}
#: Aggregations of the counts of a system to its score.
AGGREGATIONS = ("corpus", *BY_SENTENCES)


def resample_scores(counted: SystemCounts, sentences: Floats, weights: Weights, aggregation: str) -> Floats:
    """Return the scores [replicates, n] on resampled sentences.

    Args:
        counted: Counts of n systems.
        sentences: Sentence scores [n, S].
        weights: Numbers of draws [replicates, S] of each sentence.
        aggregation: One of AGGREGATIONS.
    """
    if aggregation != "corpus":
        return BY_SENTENCES[aggregation].resampled(counted.systems, sentences, weights, 0)
    floats = weights.astype(np.float64)
    return np.stack([_replicates(counted.metric, counts, floats) for counts in counted.counts], axis=1)


def score_systems(counted: SystemCounts, *, aggregation: str = "corpus") -> MetricScores:
    """Return the scores of all systems."""
    start = time.perf_counter()
    metric = counted.metric
    sentences = np.stack([metric.sentence_scores_of(counts) for counts in counted.counts])
    if aggregation == "corpus":
        values = np.array([float(metric.score(metric.totals(counts)).mean()) for counts in counted.counts])
    else:
        values = BY_SENTENCES[aggregation].scores(counted.systems, sentences)
    seconds = counted.seconds + (time.perf_counter() - start) / len(counted.systems)
    of_sentences = counted.signatures["sentence"]
    signature = counted.signatures.get(aggregation, f"{of_sentences}|aggregation:{aggregation}")
    return MetricScores(metric, signature, of_sentences, counted.systems, values, sentences, seconds)
