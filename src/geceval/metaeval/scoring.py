"""A metric's scores of all systems, corpus and sentences, whole and resampled, from one counting pass."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.counting.counts import LEVELS, Counts, Level
from geceval.counting.metric import Metric, Tally, with_needed_texts
from geceval.metaeval.expected_wins import expected_wins
from geceval.metaeval.rank_systems import by_expected_wins, by_trueskill, metric_pairs
from geceval.statistics.intervals import reweighted
from geceval.text.corpus import Corpus

Floats = NDArray[np.float64]

#: Choices of references that a resampled score averages over, where a policy makes many (GLEU's samples).
CHOICES = 20


@dataclass(frozen=True)
class SystemCounts:
    """The counts of every system under one metric, and the seconds they took, a system on average.

    ``made_by``: how references were made from gold edits, for the signature.
    """

    systems: tuple[str, ...]
    counts: tuple[Counts, ...]
    seconds: float
    made_by: str = ""


@dataclass(frozen=True)
class MetricScores:
    """``values[n]`` rank the systems, ``sentences[n, S]`` are the sentence scores, each with its signature.

    ``replicates[replicate, n]`` are the values on resampled sentences.
    """

    metric: Metric
    signature: str
    sentence_signature: str
    systems: tuple[str, ...]
    values: Floats
    sentences: Floats
    seconds: float
    replicates: Floats


def count_systems(
    corpus: Corpus, metrics: Sequence[Metric], *, threads: int = 0, progress: Callable[[int], None] | None = None
) -> dict[Hashable, SystemCounts]:
    """Count every system once for each distinct ``count_key``; what metrics prepare alike is prepared once."""
    corpus = with_needed_texts(corpus, metrics)
    counted: dict[Hashable, SystemCounts] = {}
    prepared: dict[Hashable, Any] = {}
    for metric in metrics:
        if metric.count_key in counted:
            continue
        start = time.perf_counter()
        if metric.prepare_key not in prepared:
            prepared[metric.prepare_key] = metric.prepare(corpus, threads)
        counts = []
        for hypothesis in corpus.systems.values():
            counts.append(metric.count_whole(prepared[metric.prepare_key], hypothesis, threads))
            if progress is not None:
                progress(len(corpus))
        seconds = (time.perf_counter() - start) / len(corpus.systems)
        counted[metric.count_key] = SystemCounts(
            tuple(corpus.systems), tuple(counts), seconds, corpus.made_by if metric.needs_texts else ""
        )
    return counted


Weights = NDArray[np.int64]


@dataclass(frozen=True)
class Aggregation:
    """How a system's score comes from its sentences.

    ``score(metric, counted, sentences)`` is [n]; ``resampled(metric, counted, sentences, weights)`` is [replicates, n].
    """

    score: Callable[[Metric, SystemCounts, Floats], Floats]
    resampled: Callable[[Metric, SystemCounts, Floats, Weights], Floats]


def _corpus_scores(metric: Metric, counted: SystemCounts, sentences: Floats) -> Floats:
    tallies = [Tally(metric, "corpus") for _ in counted.systems]
    for tally, counts in zip(tallies, counted.counts, strict=True):
        tally.add(counts)
    return np.array([tally.score().value for tally in tallies])


def _resampled_corpus_scores(metric: Metric, counted: SystemCounts, sentences: Floats, weights: Weights) -> Floats:
    floats = weights.astype(np.float64)
    return np.stack([_replicates(metric, counts, floats) for counts in counted.counts], axis=1)


def _replicates(metric: Metric, counts: Counts, weights: Floats) -> Floats:
    """Scores [replicates] of one system, each sentence keeping the reference chosen in the full run."""
    choices = metric.policy.choices(metric, counts)[:CHOICES]
    chosen = np.stack([counts.chosen(choice) for choice in choices], axis=1).astype(np.float64)
    # One product for all choices, in floating point: exact for counts, and only that is quick.
    totals = (weights @ chosen.reshape(len(chosen), -1)).reshape(len(weights), *chosen.shape[1:])
    scores: Floats = metric.score(totals).mean(axis=1)
    return scores


def _resampled_wins(metric: Metric, counted: SystemCounts, sentences: Floats, weights: Weights) -> Floats:
    pairs = metric_pairs(counted.systems, sentences)
    lines = {s: s for s in range(sentences.shape[1])}
    return expected_wins(reweighted(pairs.tally_by_sentence(lines, len(lines)), weights))


def _resampled_trueskill(metric: Metric, counted: SystemCounts, sentences: Floats, weights: Weights) -> Floats:
    each = np.arange(sentences.shape[1])
    scores = [by_trueskill(counted.systems, sentences[:, np.repeat(each, row)]) for row in weights]
    return np.reshape(scores, (len(weights), len(counted.systems)))


AGGREGATIONS: Mapping[str, Aggregation] = {
    "corpus": Aggregation(_corpus_scores, _resampled_corpus_scores),
    "mean": Aggregation(
        lambda metric, counted, sentences: sentences.mean(axis=1),
        lambda metric, counted, sentences, weights: weights @ sentences.T / sentences.shape[1],
    ),
    "expected-wins": Aggregation(
        lambda metric, counted, sentences: by_expected_wins(counted.systems, sentences), _resampled_wins
    ),
    "trueskill": Aggregation(
        lambda metric, counted, sentences: by_trueskill(counted.systems, sentences), _resampled_trueskill
    ),
}


def score_systems(
    metric: Metric, counted: SystemCounts, *, aggregation: str = "corpus", weights: Weights | None = None
) -> MetricScores:
    """The scores of all systems, and their replicates with ``weights[replicate, sentence]`` (None: no replicates)."""
    start = time.perf_counter()
    sentences = np.stack([metric.policy.sentence_scores(metric, counts) for counts in counted.counts])
    aggregate = AGGREGATIONS[aggregation]
    values = aggregate.score(metric, counted, sentences)
    seconds = counted.seconds + (time.perf_counter() - start) / len(counted.systems)
    weights = np.zeros((0, sentences.shape[1]), np.int64) if weights is None else weights
    replicates = aggregate.resampled(metric, counted, sentences, weights)
    by_level: dict[str, str] = {level: _signature(metric, counted, level) for level in LEVELS}
    signature = by_level.get(aggregation, f"{by_level['sentence']}|aggregation:{aggregation}")
    return MetricScores(
        metric, signature, by_level["sentence"], counted.systems, values, sentences, seconds, replicates
    )


def _signature(metric: Metric, counted: SystemCounts, level: Level) -> str:
    tally = Tally(metric, level, counted.made_by)
    tally.add(counted.counts[0])
    return tally.signature
