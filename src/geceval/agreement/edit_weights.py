"""Weights that people's verdicts imply for correct edits and for edits outside the references.

A verdict prefers one output of a sentence to another. The probability of the preference is a logistic function of the
differences in correct edits (TP) and in edits that the reference lacks (FP), without intercept. The reference of each
output is the one that the metric chooses for a sentence score. Ties are left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from geceval.agreement.meta_report import ALL_EDITS
from geceval.agreement.study import PAIRS, Study
from geceval.base.arguments import RESAMPLES, SEEDS, choice, whole
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option
from geceval.counting.consumers import KeptCounts
from geceval.counting.counts import Counts
from geceval.counting.groupings import Label, evidence_of, grouping_by
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import Metrics, labels, metrics_of
from geceval.counting.policies import best
from geceval.counting.run import Run
from geceval.counting.run_options import Progress, RunOptions
from geceval.counting.signature import signature_of
from geceval.statistics import Floats
from geceval.statistics.intervals import Interval, draw_sentence_weights, percentile_interval
from geceval.statistics.logistic import logistic_weights
from geceval.text.m2.edit import Tier

#: Columns of counts whose differences predict a verdict.
COLUMNS = ("tp", "fp")
#: Number of the derivatives of the log-likelihood in memory at once.
_DERIVATIVES = 4_000_000
#: Share of the replicates that do not determine a weight, above which its interval is undefined.
UNDEFINED_SHARE = 0.05


@dataclass(frozen=True)
class EditWeight:
    """Weights of the edits of a group, as log-odds of a preference per edit.

    A weight is infinite if the verdicts do not bound it, and NaN if they do not determine it.

    Attributes:
        group: Kind of the edits, or "all".
        correct_edits: Number of correct edits in the outputs of all sentences.
        outside_edits: Number of edits outside the references.
        correct: Weight of a correct edit.
        outside: Weight of an edit outside the references.
        ratio: Weight of an edit outside the references in units of a correct one, with its sign.
        intervals: 95 % intervals of ``correct``, ``outside`` and ``ratio`` by name, over sentences; empty without
            replicates. The ratio is unbounded if the interval of ``correct`` contains 0.
    """

    group: str
    correct_edits: int
    outside_edits: int
    correct: float
    outside: float
    ratio: float
    intervals: Mapping[str, Interval]


@dataclass(frozen=True)
class ImpliedWeights:
    """Implied weights under one metric.

    Attributes:
        metric: Label of the metric, which matches the edits and chooses the reference of each output.
        signature: Signature of its sentence scores.
        weights: Weights of each group of edits.
        effects: Effect of each system, if requested; that of the first system is 0.
        verdicts: Number of verdicts.
        sentences: Number of sentences with a verdict.
        pairs: "outputs" if a verdict on two outputs counts once, else "systems".
        resamples: Number of replicates.
        seed: Seed of the replicates.
    """

    metric: str
    signature: str
    weights: tuple[EditWeight, ...]
    effects: Mapping[str, float]
    verdicts: int
    sentences: int
    pairs: str
    resamples: int
    seed: int


def implied_weights(
    study: Study,
    metrics: Metrics = ("errant",),
    *,
    resamples: int = 1000,
    seed: int = 1,
    by: Tier | None = None,
    systems: bool = False,
    pairs: str = "systems",
    threads: int = 0,
    progress: Progress | None = None,
) -> list[ImpliedWeights]:
    """Return the weights of edits that people's verdicts imply, under each metric.

    Args:
        study: Judgments or ratings, and outputs.
        metrics: Metrics or specifications that match edits and choose the reference of each output.
        resamples: Number of replicates of the sentences; 0 computes no intervals.
        seed: Seed of the replicates.
        by: Kinds of edits with separate weights, "operation", "type" or "full" type; None: all edits together.
        systems: Add an effect of each system to the model; the first system's is 0.
        pairs: "outputs" counts a verdict on two outputs once, "systems" for each pair of systems with these outputs.
        threads: Number of threads (0: one per processor).
        progress: Called with the sentences of systems and the replicates done since its last call.

    Returns:
        The weights under each metric.

    Raises:
        UsageError: If a metric does not count correct and wrong edits, or does not distinguish their kinds.
        InputError: If no verdict prefers an output, or a metric requires references.
    """
    metrics, report = metrics_of(metrics), progress or (lambda steps: None)
    resamples, seed = whole("resamples", resamples, RESAMPLES), whole("seed", seed, SEEDS)
    _check_metrics(metrics, by)
    people = replace(study.people, pairs=study.pairs.among(study.systems))
    choice("pairs", pairs, PAIRS)
    if pairs == "outputs":
        people = people.with_output_weights()
    decided = people.pairs.at(people.pairs.outcome != 0)
    if not len(decided):
        raise InputError("no verdict prefers an output: all pairs are ties")
    weight = np.ones(len(decided)) if decided.weight is None else decided.weight
    line, is_first = decided.lines(study.lines), decided.outcome > 0
    better, worse = np.where(is_first, (decided.first, decided.second), (decided.second, decided.first))
    run = Run(study.corpus, metrics, RunOptions(threads=threads, evidence=by is not None, progress=progress))
    counts, results = run.consume(lambda _, metric: KeptCounts(metric)), []
    for label, metric in zip(labels(metrics), metrics, strict=True):
        edits = [_count_edits(metric, counts[name, metric].result(), by) for name in study.systems]
        groups: list[Label] = sorted({group for edits_of_system in edits for group in edits_of_system})
        if not groups:
            raise InputError("no output has edits")
        none = np.zeros((len(study.corpus), len(COLUMNS)))
        table = np.stack([np.hstack([row.get(group, none) for group in groups]) for row in edits])  # [n, S, 2 G]
        rows = table[better, line] - table[worse, line]
        if systems:
            presence = np.eye(len(study.systems))[:, 1:]
            rows = np.hstack([rows, presence[better] - presence[worse]])
        rows, kind = np.unique(rows, axis=0, return_inverse=True)
        kind = kind.reshape(-1)
        [estimates] = fits = logistic_weights(rows, np.bincount(kind, weight)[np.newaxis], np.zeros(rows.shape[1]))
        size = max(1, _DERIVATIVES // rows.size)
        for times in draw_sentence_weights(len(study.corpus), replicates=resamples, seed=seed, size=size):
            numbers = np.stack([np.bincount(kind, row[line] * weight, len(rows)) for row in times])
            fits = np.concatenate([fits, logistic_weights(rows, numbers, estimates)])
            report(len(times))
        weights = [
            _edit_weight(str(group), table[..., k : k + 2], fits[:, k : k + 2])
            for k, group in zip(range(0, 2 * len(groups), 2), groups, strict=True)
        ]
        effects = [0.0, *estimates[2 * len(groups) :].tolist()] if systems else []
        effect_of = dict(zip(study.systems, effects, strict=False))
        signature = signature_of(metric, run.signature_inputs(study.systems[0], metric), "sentence")
        judged = round(weight.sum()), len(np.unique(line)), pairs
        results.append(ImpliedWeights(label, signature, tuple(weights), effect_of, *judged, resamples, seed))
    return results


def _check_metrics(metrics: Sequence[AnyMetric], by: Tier | None) -> None:
    """Raise UsageError for a metric that does not count correct and wrong edits, or not by their kinds."""
    for metric in metrics:
        if not set(COLUMNS) <= set(metric.columns):
            hint = Hint(Option("metrics", "errant"))
            raise UsageError(f"{metric.label} does not count correct and wrong edits", hint=hint)
        if by is not None:
            grouping_by(by).by_kind(metric)


def _count_edits(metric: AnyMetric, counts: Counts, by: Tier | None) -> dict[Label, Floats]:
    """Return the numbers [S, 2] of a system's correct edits and edits outside the references, by group."""
    columns, choice = [counts.columns.index(name) for name in COLUMNS], best(metric.figure, counts)
    if by is None:
        return {ALL_EDITS: counts.chosen(choice)[:, columns].astype(np.float64)}
    groups: dict[Label, Floats] = {}
    evidence = evidence_of(counts)
    codes, label = grouping_by(by).coded(counts)
    weight = evidence.weight * (evidence.reference == choice[evidence.sentence])
    for code in np.unique(codes).tolist():
        is_chosen = codes == code
        sums = groups.setdefault(label(code), np.zeros((len(counts), len(counts.columns))))
        np.add.at(sums, (evidence.sentence[is_chosen], evidence.column[is_chosen]), weight[is_chosen])
    return {group: sums[:, columns] for group, sums in groups.items() if sums[:, columns].any()}


def _ratio(correct: Any, outside: Any) -> Any:
    """Return the ratio of weights, NaN if the denominator is 0, infinite or undefined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.isfinite(correct) & (correct != 0), np.divide(outside, correct), np.nan)


def _edit_weight(group: str, edits: Floats, fits: Floats) -> EditWeight:
    """Return the weights of a group from the numbers [n, S, 2] of its edits and the fits [1 + B, 2]."""
    columns = {"correct": fits[:, 0], "outside": fits[:, 1], "ratio": _ratio(*fits.T)}
    intervals = {name: percentile_interval(column[1:]) for name, column in columns.items() if len(fits) > 1}
    for name, interval in intervals.items():
        if interval.undefined > UNDEFINED_SHARE * (len(fits) - 1):
            intervals[name] = replace(interval, low=math.nan, high=math.nan)
        # Where the denominator may be 0, its sign is unknown, and percentiles of the ratio mean nothing.
        low, high = intervals["correct"].low, intervals["correct"].high
        if name == "ratio" and (low <= 0 <= high or math.isinf(low) or math.isinf(high)):
            intervals[name] = replace(interval, low=-math.inf, high=math.inf)
    correct_edits, outside_edits = edits.sum(axis=(0, 1)).astype(int).tolist()
    estimates = {name: float(column[0]) for name, column in columns.items()}
    return EditWeight(group, correct_edits, outside_edits, **estimates, intervals=intervals)
