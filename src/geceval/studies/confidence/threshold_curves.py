"""Scores of a system at thresholds of confidence, from one extraction.

A sentence has one variant for each of its confidences, its edits of at least this confidence, and one without edits.
The metric counts each variant once, so that the score at a threshold equals the score of a file with the edits of at
least this confidence.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.base.cached import cached_property
from geceval.base.errors import UsageError
from geceval.counting.counts import Counts, Floats
from geceval.counting.policies import Best, Mean, Sampled
from geceval.counting.run import Run
from geceval.counting.stream import AnyMetric, Progress
from geceval.statistics.intervals import Interval, draw_sentence_weights, percentile_interval
from geceval.studies.confidence.edit_variants import ConfidentSystem, Places, check_metrics
from geceval.text.corpus import Corpus

#: Number of sentences whose references are chosen for all thresholds, if a choice depends on other sentences.
MOST_CHOICES = 2_000_000
#: Number of weights of sentences in memory at once.
_WEIGHTS = 10_000_000


@dataclass(frozen=True)
class CurveIntervals:
    """Intervals of the best threshold, the average precision, and some scores."""

    threshold: Interval
    average_precision: Interval
    scores: Sequence[Interval]


@dataclass(frozen=True, eq=False)
class ThresholdCurve:
    """Scores of a system under a metric at ascending thresholds.

    The last of the T + 1 rows is the system without edits.

    Attributes:
        system: Name of the system.
        metric: The metric.
        signature: Signature of the scores.
        thresholds: Thresholds [T].
        suggestions: Number [T + 1] of edits of at least each threshold.
        confidences: Number of distinct confidences; more than T if the thresholds are quantiles of them.
        first: Counts [S, m · K] of the sentences without edits, for the policy's m choices of references.
        sentence: Sentence [D] of each change of counts from a threshold to the one below.
        level: Index [D] of the lower threshold.
        change: Change [D, m · K].
    """

    system: str
    metric: AnyMetric
    signature: str
    thresholds: Floats
    suggestions: NDArray[np.int64]
    confidences: int
    first: NDArray[Any]
    sentence: Places
    level: Places
    change: NDArray[Any]

    def totals(self, weights: NDArray[Any]) -> Floats:
        """Return the sums of counts [T + 1, m, K] of sentences with weights [S]."""
        drawn = weights[self.sentence]
        steps = [np.bincount(self.level, drawn * own, minlength=len(self.thresholds)) for own in self.change.T]
        sums = np.cumsum(np.stack([weights @ self.first, *np.stack(steps, -1)[::-1]]), axis=0)[::-1]
        return sums.reshape(len(sums), -1, len(self.metric.columns))

    def scores_of(self, weights: NDArray[Any]) -> Floats:
        """Return the scores [T + 1] of sentences with weights [S]."""
        return np.asarray(self.metric.score(self.totals(weights)).mean(axis=-1))

    @cached_property
    def scores(self) -> Floats:
        """Scores [T + 1]."""
        return self.scores_of(np.ones(len(self.first)))

    @cached_property
    def parts(self) -> dict[str, Floats]:
        """Parts of the scores by name, such as recall, each [T + 1]."""
        totals = self.totals(np.ones(len(self.first)))
        return {name: np.asarray(own.mean(axis=-1)) for name, own in self.metric.parts(totals).items()}

    @property
    def best(self) -> int:
        """Index of the threshold with the best score; of equal ones the highest."""
        return self._best(self.scores)

    def _best(self, scores: Floats) -> int:
        ranked = scores[:-1] if self.metric.higher_is_better else -scores[:-1]
        return int(np.flatnonzero(ranked == ranked.max())[-1])

    def place(self, threshold: float) -> int:
        """Return the index of the lowest threshold from ``threshold`` on, T without one."""
        return int(np.searchsorted(self.thresholds, threshold))

    @property
    def average_precision(self) -> float | None:
        """Mean precision weighted by gains of recall; None for metrics on texts.

        It is at most the recall of all edits, since no threshold finds the gold edits that are not suggested.

        Source:
            sklearn.metrics.average_precision_score.
        """
        return self._average_precision(self.parts)

    def _average_precision(self, parts: Mapping[str, Floats]) -> float | None:
        if self.metric.evidence_of not in ("edits", "gold") or not {"precision", "recall"} <= parts.keys():
            return None
        return float(-np.diff(parts["recall"]) @ parts["precision"][:-1])

    def intervals(self, places: Sequence[int], *, replicates: int = 1000, seed: int = 0) -> CurveIntervals:
        """Return bootstrap intervals over sentences.

        The references of the whole corpus are kept.

        Args:
            places: Indices of thresholds.
            replicates: Number of replicates.
            seed: Seed of the replicates.
        """
        sentences, found = len(self.first), []
        size = max(1, _WEIGHTS // sentences)
        for drawn in draw_sentence_weights(sentences, replicates=replicates, seed=seed, size=size):
            for weights in drawn:
                totals = self.totals(weights)
                scores = np.asarray(self.metric.score(totals).mean(axis=-1))
                own = {name: part.mean(axis=-1) for name, part in self.metric.parts(totals).items()}
                average = self._average_precision(own)
                best = self.thresholds[self._best(scores)]
                found.append([best, np.nan if average is None else average, *scores[list(places)]])
        threshold, average_precision, *of_scores = (percentile_interval(own) for own in np.array(found).T)
        return CurveIntervals(threshold, average_precision, of_scores)


def threshold_curves(
    corpus: Corpus,
    system: str,
    metrics: Sequence[AnyMetric],
    *,
    steps: int | None = None,
    also: Collection[float] = (),
    threads: int = 0,
    progress: Progress | None = None,
) -> list[ThresholdCurve]:
    """Return the scores of a system at each confidence of its edits.

    Args:
        corpus: The corpus.
        system: Name of a system given as M2, with a confidence in the comment field of each edit.
        metrics: Metrics without a constant of the corpus.
        steps: Maximum number of thresholds, which are then quantiles of the confidences (None: all; if the choice of a
            reference depends on other sentences, at most MOST_CHOICES / S).
        also: Further thresholds.
        threads: Number of threads (0: one per processor).
        progress: Called with the number of variants counted since its last call.

    Returns:
        A curve for each metric.

    Raises:
        InputError: If an edit has no confidence; names file and line.
        UsageError: If a metric cannot be scored at thresholds.
    """
    check_metrics(metrics)
    own = ConfidentSystem(corpus, system)
    known = np.sort(own.confidences[~np.isnan(own.confidences)])
    distinct = len(np.unique(known))
    several = Run(corpus, metrics).given
    if steps is None and any(_depends_on_others(metric, several(system, metric).references) for metric in metrics):
        steps = max(2, MOST_CHOICES // len(corpus))
    thresholds = np.unique(np.concatenate([_quantiles(known, steps), list(also)]))
    top = len(thresholds)
    level = np.searchsorted(thresholds, own.confidences, side="right") - 1
    level[np.isnan(own.confidences)] = top
    # A variant is a sentence and the lowest level of its edits; level ``top`` has no edits.
    keys = np.unique(np.concatenate([np.arange(len(corpus)) * (top + 1) + top, own.sentence * (top + 1) + level]))
    sentence, lowest = np.divmod(keys, top + 1)
    keep = level[own.rows(sentence)] >= np.repeat(lowest, np.diff(own.blocks.edits.offsets)[sentence])
    suggestions = len(known) - np.searchsorted(known, [*thresholds, np.inf])
    facts = thresholds, suggestions, distinct
    return [
        ThresholdCurve(
            system, metric, metric.signature(several(system, metric)), *facts, *_changes(metric, counts, keys, top)
        )
        for metric, counts in zip(metrics, own.counted(metrics, sentence, keep, threads, progress), strict=True)
    ]


def _depends_on_others(metric: AnyMetric, references: str) -> bool:
    """Return whether the choice of a reference depends on other sentences."""
    return references != "1" and not isinstance(metric.policy, (Best, Mean))


def _quantiles(known: Floats, steps: int | None) -> Floats:
    """Return the distinct values, or at most ``steps`` quantiles, of sorted values."""
    distinct = np.unique(known)
    if steps is None or len(distinct) <= steps:
        return distinct
    return known[np.rint(np.linspace(0, len(known) - 1, steps)).astype(np.intp)]


def _changes(
    metric: AnyMetric, counts: Counts, keys: NDArray[np.int64], top: int
) -> tuple[NDArray[Any], Places, Places, NDArray[Any]]:
    """Return the chosen counts without edits, and their changes; see ThresholdCurve.

    ``keys``: sentence * (top + 1) + level of the variants.
    """
    sentence, level = np.divmod(keys, top + 1)
    if counts.array.shape[1] == 1 or isinstance(metric.policy, (Best, Mean)):
        rows = _chosen(metric, counts)
        own = np.flatnonzero(level < top)
        return rows[level == top], sentence[own], level[own], rows[own] - rows[own + 1]
    if isinstance(metric.policy, Sampled):
        raise UsageError(f"{metric.name} samples references", hint=f"-m {metric.name}:selection=mean")
    starts = np.arange(0, keys[-1] + 1, top + 1)
    first = last = _chosen(metric, counts.at(np.searchsorted(keys, starts + top)))
    changes = []
    for at in range(top - 1, -1, -1):
        rows = _chosen(metric, counts.at(np.searchsorted(keys, starts + at)))
        own = np.flatnonzero((rows != last).any(axis=1))
        changes.append((own, np.full(len(own), at), rows[own] - last[own]))
        last = rows
    own, levels, change = (np.concatenate(columns) for columns in zip(*changes, strict=True))
    return first, own, levels, change


def _chosen(metric: AnyMetric, counts: Counts) -> NDArray[Any]:
    """Return the counts [S, m · K] of the policy's m choices of references."""
    rows = [counts.chosen(choice) for choice in metric.choices(counts)]
    return np.concatenate(rows, axis=1)
