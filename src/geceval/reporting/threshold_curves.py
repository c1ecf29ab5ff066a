"""Calibration and scores of a system at thresholds of confidence.

A system is calibrated if 80 % of its edits of confidence 0.8 are right.

A sentence has one variant for each of its confidences, its edits of at least this confidence, and one without edits.
The metric counts each variant once, so that the score at a threshold equals the score of a file with the edits of at
least this confidence.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option, Step
from geceval.base.ties import exceeds
from geceval.counting.counts import Counts, Floats
from geceval.counting.figures import weighted
from geceval.counting.metric import AnyMetric
from geceval.counting.policies import Best, Mean, Sampled
from geceval.counting.run import Run
from geceval.counting.signature import signature_of
from geceval.reporting.confident_systems import ConfidentSystem, Places
from geceval.statistics.intervals import Interval, sentence_intervals

#: Names of the errors, and of the columns of bins.
ERRORS = ("expected_calibration_error", "brier_score")
BINS = ("edits", "confidence", "right")


@dataclass(frozen=True, eq=False)
class Calibration:
    """Confidences of edits and their verdicts under a metric.

    An edit is right if it is a hit when it is made alone, against the reference that is chosen for all edits of the
    system. Edits that do not count are left out.

    Attributes:
        system: Name of the system.
        metric: The metric.
        confidences: Confidences [E] in [0, 1].
        right: Whether each edit [E] is right.
        sentence: Sentence [E] of each edit.
        sentences: Number of sentences.
        bins: Number of bins of equal width in [0, 1]; a bin contains its upper end.
    """

    system: str
    metric: AnyMetric
    confidences: Floats
    right: NDArray[np.bool_]
    sentence: Places
    sentences: int
    bins: int = 10

    def figures_of(self, weights: NDArray[Any]) -> dict[str, Any]:
        """Return errors and bins by name.

        ``expected_calibration_error`` is the mean distance of the share of right edits from the mean confidence of a
        bin, weighted by its number of edits; ``brier_score`` is the mean squared distance of confidences from verdicts.
        ``edits``, ``confidence`` and ``right`` are number, mean confidence and share of right edits of the bins. Means
        without edits are NaN.

        Args:
            weights: Weights [S] of the sentences.

        Source:
            sklearn.calibration.calibration_curve, sklearn.metrics.brier_score_loss.
        """
        bin_index = np.searchsorted(np.linspace(0, 1, self.bins + 1)[1:-1], self.confidences)
        drawn = weights[self.sentence]
        columns = drawn, drawn * self.confidences, drawn * self.right
        edits, confidence, right = (np.bincount(bin_index, values, minlength=self.bins) for values in columns)
        with np.errstate(invalid="ignore"):
            errors = np.abs(confidence - right).sum(), drawn @ (self.confidences - self.right) ** 2
            means = [float(error / drawn.sum()) for error in errors]
            bins = edits.tolist(), (confidence / edits).tolist(), (right / edits).tolist()
        return dict(zip((*ERRORS, *BINS), (*means, *bins), strict=True))

    @cached_property
    def figures(self) -> dict[str, Any]:
        """The figures of the whole corpus by name, see ``figures_of``."""
        return self.figures_of(np.ones(self.sentences))

    def intervals(self, *, replicates: int = 1000, seed: int = 0) -> dict[str, Any]:
        """Return bootstrap intervals of the errors, and a list of them for ``right``.

        Args:
            replicates: Number of replicates.
            seed: Seed of the replicates.
        """

        def drawn(weights: NDArray[np.int64]) -> list[float]:
            figures = self.figures_of(weights)
            return [*(figures[name] for name in ERRORS), *figures["right"]]

        intervals = sentence_intervals(drawn, self.sentences, replicates=replicates, seed=seed)
        return dict(zip(ERRORS, intervals, strict=False)) | {"right": intervals[len(ERRORS) :]}


def calibrations(system: ConfidentSystem, bins: int = 10) -> list[Calibration]:
    """Return the calibration of a system under each metric.

    Args:
        system: The system and the metrics, whose scores are F of hits.
        bins: Number of bins of equal width.

    Raises:
        InputError: If a confidence is not in [0, 1].
        UsageError: If a metric does not classify single edits.
    """
    known = system.confidences
    edits = np.flatnonzero(~np.isnan(known))
    outside = known[edits][(known[edits] < 0) | (known[edits] > 1)]
    if outside.size:
        message = f"system {system.name}: a confidence of {outside[0]:g} is no probability, which calibration compares"
        raise InputError(message, hint="scale the confidences to 0 to 1")
    size = len(system.blocks)
    # The whole sentences, then each edit alone.
    sentences = np.concatenate([np.arange(size), system.sentence[edits]])
    rows, variant = system.rows(sentences)
    keep = (variant < size) | (rows == edits[np.maximum(variant - size, 0)])
    results = []
    for metric, counts in zip(system.metrics, system.counted(sentences, keep), strict=True):
        f, choices = metric.figure.f, metric.choices(counts.at(np.arange(size)))
        if f is None or not metric.takes_gold or len(choices) != 1:
            hint = Hint(Option("metrics", "errant"), " or ", Step("maxmatch", '"maxmatch"'))
            raise UsageError(f"{metric.name} does not classify single edits", hint=hint)
        alone = counts.array[np.arange(size, len(counts)), choices[0][system.sentence[edits]]]
        counted = weighted(alone, f.proposed) > 0
        right = weighted(alone, f.hit)[counted] > 0
        judged = edits[counted]
        results.append(Calibration(system.name, metric, known[judged], right, system.sentence[judged], size, bins))
    return results


#: Number of sentences whose references are chosen for all thresholds, if a choice depends on other sentences.
MOST_CHOICES = 2_000_000
#: Policies that choose the reference of each sentence alone.
ALONE = (Best, Mean)


@dataclass(frozen=True, eq=False)
class ThresholdCurve:
    """Scores of a system under a metric at ascending thresholds.

    The last of the T + 1 rows is the system without edits.

    Attributes:
        system: Name of the system.
        rule: Type of its edits that are made; empty: all.
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
    rule: str
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
        steps = [np.bincount(self.level, drawn * values, minlength=len(self.thresholds)) for values in self.change.T]
        sums = np.cumsum(np.stack([weights @ self.first, *np.stack(steps, -1)[::-1]]), axis=0)[::-1]
        return sums.reshape(len(sums), -1, len(self.metric.columns))

    def figures_of(self, weights: NDArray[Any]) -> dict[str, Floats]:
        """Return the parts of the scores by name, and ``score``, each [T + 1].

        Args:
            weights: Weights [S] of the sentences.
        """
        totals = self.totals(weights)
        figures = self.metric.parts(totals) | {"score": self.metric.score(totals)}
        return {name: np.asarray(values.mean(axis=-1)) for name, values in figures.items()}

    @cached_property
    def figures(self) -> dict[str, Floats]:
        """The figures of the whole corpus by name, see ``figures_of``."""
        return self.figures_of(np.ones(len(self.first)))

    @cached_property
    def best(self) -> int | None:
        """Index of the threshold with the best score; of equal ones the highest.

        None if the metric is no quality, or no threshold has a better score than the system without edits, as under
        false alarms: the best threshold would leave no edits.
        """
        best, scores = self._best(self.figures), self.figures["score"]
        sign = 1 if self.metric.scale.higher_is_better else -1
        if best is None or np.isnan(scores[-1]) or exceeds(sign * scores[best], sign * scores[-1]):
            return best
        return None

    def _best(self, figures: Mapping[str, Floats]) -> int | None:
        if self.metric.scale.description:
            return None
        ranked = figures["score"][:-1] * (1 if self.metric.scale.higher_is_better else -1)
        scored = np.flatnonzero(~np.isnan(ranked))
        if not len(scored):
            return None
        return int(scored[~exceeds(ranked[scored].max(), ranked[scored])][-1])

    @property
    def average_precision(self) -> float | None:
        """Mean precision weighted by gains of recall; None for metrics on texts.

        It is at most the recall of all edits, since no threshold finds the gold edits that are not suggested.

        Source:
            sklearn.metrics.average_precision_score.
        """
        value = self._average_precision(self.figures)
        return None if math.isnan(value) else value

    def _average_precision(self, figures: Mapping[str, Floats]) -> float:
        if not self.metric.takes_gold or not {"precision", "recall"} <= figures.keys():
            return math.nan
        parts = self.metric.scale.with_conventions({name: figures[name] for name in ("precision", "recall")})
        return float(-np.diff(parts["recall"]) @ parts["precision"][:-1])

    def intervals(self, indices: Mapping[str, int], *, replicates: int = 1000, seed: int = 0) -> dict[str, Interval]:
        """Return bootstrap intervals over sentences by name.

        The names are ``best_threshold``, if there is one, ``average_precision``, and the names of ``indices``, for
        their scores. The references are those chosen for the whole corpus.

        Args:
            indices: Indices of thresholds by name.
            replicates: Number of replicates.
            seed: Seed of the replicates.
        """
        rows = list(indices.values())

        def drawn(weights: NDArray[np.int64]) -> list[float]:
            figures = self.figures_of(weights)
            best = self._best(figures)
            threshold = math.nan if best is None else float(self.thresholds[best])
            return [threshold, self._average_precision(figures), *figures["score"][rows].tolist()]

        bounds = sentence_intervals(drawn, len(self.first), replicates=replicates, seed=seed)
        intervals = dict(zip(("best_threshold", "average_precision", *indices), bounds, strict=True))
        if self.best is None:
            del intervals["best_threshold"]
        return intervals


def threshold_curves(
    system: ConfidentSystem, *, steps: int | None = None, also: Collection[float] = ()
) -> list[ThresholdCurve]:
    """Return the scores of a system at each confidence of its edits.

    Args:
        system: The system and the metrics.
        steps: Maximum number of thresholds, which are then quantiles of the confidences (None: all; if the choice of a
            reference depends on other sentences, at most MOST_CHOICES / S).
        also: Further thresholds.

    Returns:
        A curve for each metric.

    Raises:
        InputError: If an edit has no confidence; names file and line.
        UsageError: If a metric samples references.
    """
    size, known = len(system.blocks), np.sort(system.confidences[~np.isnan(system.confidences)])
    inputs = [Run(system.corpus, system.metrics).signature_inputs(system.name, metric) for metric in system.metrics]
    is_free = [
        row.references == "1" or isinstance(metric.policy, ALONE)
        for row, metric in zip(inputs, system.metrics, strict=True)
    ]
    if steps is None and not all(is_free):
        steps = max(2, MOST_CHOICES // size)
    thresholds = np.unique(np.concatenate([_quantiles(known, steps), list(also)]))
    top = len(thresholds)
    level = np.searchsorted(thresholds, system.confidences, side="right") - 1
    level[np.isnan(system.confidences)] = top
    # A variant is a sentence and the lowest level of its edits; level ``top`` has no edits.
    keys = np.unique(np.concatenate([np.arange(size) * (top + 1) + top, system.sentence * (top + 1) + level]))
    sentence, lowest = np.divmod(keys, top + 1)
    rows, variant = system.rows(sentence)
    suggestions = len(known) - np.searchsorted(known, [*thresholds, np.inf])
    facts = thresholds, suggestions, len(np.unique(known))
    counted = zip(system.metrics, inputs, system.counted(sentence, level[rows] >= lowest[variant]), strict=True)
    curves = []
    for metric, inputs_of_metric, counts in counted:
        signature, changes = signature_of(metric, inputs_of_metric), _changes(metric, counts, keys, top)
        curves.append(ThresholdCurve(system.name, system.rule, metric, signature, *facts, *changes))
    return curves


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
    if counts.array.shape[1] == 1 or isinstance(metric.policy, ALONE):
        rows = _chosen(metric, counts)
        changed = np.flatnonzero(level < top)
        return rows[level == top], sentence[changed], level[changed], rows[changed] - rows[changed + 1]
    if isinstance(metric.policy, Sampled):
        raise UsageError(
            f"{metric.name} samples references", hint=Hint(Option("metrics", f"{metric.name}:selection=mean"))
        )
    starts = np.arange(0, keys[-1] + 1, top + 1)
    first = last = _chosen(metric, counts.at(np.searchsorted(keys, starts + top)))
    changes = []
    for lower in range(top - 1, -1, -1):
        rows = _chosen(metric, counts.at(np.searchsorted(keys, starts + lower)))
        changed = np.flatnonzero((rows != last).any(axis=1))
        changes.append((changed, np.full(len(changed), lower), rows[changed] - last[changed]))
        last = rows
    changed, lower_levels, change = (np.concatenate(columns) for columns in zip(*changes, strict=True))
    return first, changed, lower_levels, change


def _chosen(metric: AnyMetric, counts: Counts) -> NDArray[Any]:
    """Return the counts [S, m · K] of the policy's m choices of references."""
    rows = [counts.chosen(choice) for choice in metric.choices(counts)]
    return np.concatenate(rows, axis=1)
