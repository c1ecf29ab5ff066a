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
from numpy.typing import NDArray

from geceval.agreement.meta_report import ALL_EDITS, COUNTED_ONCE, SCHEMA
from geceval.agreement.study import PAIRS, Study
from geceval.base.arguments import RESAMPLES, SEEDS, choice, whole
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option
from geceval.counting.breakdown import Label, evidence_of, grouping_by
from geceval.counting.consumers import KeptCounts
from geceval.counting.counts import Counts
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import Metrics, labels, metrics_of
from geceval.counting.policies import best
from geceval.counting.run import Run
from geceval.counting.run_options import Progress, RunOptions
from geceval.counting.signature import signature_of
from geceval.statistics import Floats
from geceval.statistics.intervals import Interval, draw_sentence_weights, percentile_interval
from geceval.tables.report import Report
from geceval.tables.table import FilledColumns, ReportTable, TableColumn, cell_text, column_table, round_half_up
from geceval.text.m2.edit import Tier

#: Columns of counts whose differences predict a verdict.
COLUMNS = ("tp", "fp")
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
        [estimates] = fits = _fit(rows, np.bincount(kind, weight)[np.newaxis], np.zeros(rows.shape[1]))
        size = max(1, _NUMBERS // rows.size)
        for times in draw_sentence_weights(len(study.corpus), replicates=resamples, seed=seed, size=size):
            numbers = np.stack([np.bincount(kind, row[line] * weight, len(rows)) for row in times])
            fits = np.concatenate([fits, _fit(rows, numbers, estimates)])
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


# --- the logistic model ---

#: Largest number of Newton's steps; most fits take 4.
STEPS = 50
#: Gain of log-likelihood below which a fit ends, and step of a weight, per edit, with which it has no bound.
_GAIN, _UNBOUNDED = 1e-9, 1e-3
#: Share of the largest eigenvalue below which another one is 0.
_SINGULAR = 1e-9
#: Numbers of the derivatives in memory at once.
_NUMBERS = 4_000_000


def _fit(rows: Floats, numbers: NDArray[Any], start: Floats) -> Floats:
    """Return the most likely weights [B, d] of a logistic model without intercept.

    Newton's method for all replicates at once, which needs no scipy, takes a third of the time of its optimisers, and
    shows which weights have no bound. A step that lowers the likelihood is halved.

    Args:
        rows: Differences [U, d] of the preferred output to the other one.
        numbers: Number of verdicts [B, U] with each row, by replicate.
        start: Weights [d] with which to start; infinite and undefined ones are replaced by 0.
    """
    weights = np.tile(np.where(np.isfinite(start), start, 0.0), (len(numbers), 1))
    constant = _constant_directions(rows, numbers)
    steps, scale, losses = np.zeros_like(weights), np.ones((len(numbers), 1)), _loss(rows, numbers, weights)
    active = np.arange(len(numbers))
    for _ in range(STEPS):
        wrong = np.exp(-np.logaddexp(0, weights[active] @ rows.T))
        slope = (numbers[active] * wrong) @ rows
        curvature = _information(rows, numbers[active] * wrong * (1 - wrong)) + constant[active]
        steps[active] = np.linalg.solve(curvature, slope[..., np.newaxis])[..., 0]
        active = active[(slope * steps[active]).sum(axis=1) > _GAIN]
        if not len(active):
            break
        trial = weights[active] + scale[active] * steps[active]
        trial_losses = _loss(rows, numbers[active], trial)
        is_better = (trial_losses <= losses[active])[:, np.newaxis]
        weights[active] = np.where(is_better, trial, weights[active])
        losses[active] = np.minimum(trial_losses, losses[active])
        scale[active] = np.where(is_better, 1.0, scale[active] / 2)
    weights += np.where(np.abs(steps) < _UNBOUNDED, steps, 0)
    # Verdicts whose log-odds still grow are certain in the limit, and only the others determine the finite weights.
    constant = _constant_directions(rows, numbers * (np.abs(steps @ rows.T) < _UNBOUNDED))
    is_free = np.diagonal(constant, axis1=1, axis2=2) > _SINGULAR
    weights[is_free] = np.where(np.abs(steps) > _UNBOUNDED, np.copysign(np.inf, steps), np.nan)[is_free]
    return weights


def _constant_directions(rows: Floats, numbers: NDArray[Any]) -> Floats:
    """Return the projections [B, d, d] to the weights that do not change the likelihood."""
    values, vectors = np.linalg.eigh(_information(rows, numbers))
    vectors = vectors * (values <= _SINGULAR * values[:, -1:])[:, np.newaxis]
    return np.asarray(vectors @ vectors.swapaxes(1, 2))


def _information(rows: Floats, numbers: NDArray[Any]) -> Floats:
    """Return the sums [B, d, d] of products of columns, with weights [B, U]."""
    return np.asarray((rows.T * numbers[:, np.newaxis]) @ rows)


def _loss(rows: Floats, numbers: NDArray[Any], weights: Floats) -> Floats:
    """Return the negative log-likelihood [B] of weights [B, d]."""
    return np.asarray((numbers * np.logaddexp(0, -weights @ rows.T)).sum(axis=1))


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


# --- report ---

INTERVAL = TableColumn("95 %", "range")
#: Heads of the weights in tables.
HEADS = {"correct": "correct", "outside": "outside", "ratio": "ratio"}


def edit_weights_report(results: Sequence[ImpliedWeights], inputs: Mapping[str, Any]) -> Report:
    """Return the implied weights under each metric; JSON also has the effects of systems."""
    return Report(
        SCHEMA,
        lambda: {**inputs, "edit_weights": results},
        lambda: [_weight_table(results)],
        conclusion=lambda digits: [line for result in results for line in _conclusion(result, digits)],
    )


def _weight_table(results: Sequence[ImpliedWeights]) -> ReportTable:
    weights = [weight for result in results for weight in result.weights]
    columns: FilledColumns = [
        (TableColumn("metric"), [result.metric for result in results for _ in result.weights]),
        (TableColumn("edits"), [weight.group for weight in weights]),
        (TableColumn("TP", "count"), [weight.correct_edits for weight in weights]),
        (TableColumn("FP", "count"), [weight.outside_edits for weight in weights]),
    ]
    first = results[0]
    for name, head in HEADS.items():
        columns.append((TableColumn(head, "score"), [_in_words(getattr(weight, name)) for weight in weights]))
        if first.resamples:
            bounds = [_bounds(weight.intervals[name]) for weight in weights]
            columns.append((replace(INTERVAL, head=f"{head} 95 %"), bounds))
    notes = [result.signature for result in results]
    effects = f"; an effect of each system, 0 for {next(iter(first.effects))}" if first.effects else ""
    notes.append(f"people: {first.verdicts} verdicts on {first.sentences} sentences, without ties{effects}")
    notes += [COUNTED_ONCE] if first.pairs == "outputs" else []
    if first.resamples:
        notes.append(f"95 % intervals: {first.resamples} resamples of sentences, seed {first.seed}")
    weights_in_words = "correct, outside: log-odds of a preference per edit that the references have (TP) or lack (FP)"
    legend = [f"{weights_in_words}; ratio: outside / correct"]
    if any(isinstance(cell, str) for _, cells in columns[4:] for cell in cells):
        legend.append("unbounded, undefined: not bounded or determined by the verdicts, or a correct edit may weigh 0")
    return column_table(columns, notes, legend=legend)


def _in_words(value: float) -> float | str:
    return "undefined" if math.isnan(value) else "unbounded" if math.isinf(value) else value


def _bounds(interval: Interval) -> tuple[float, float] | str:
    words = [word for word in map(_in_words, (interval.low, interval.high)) if isinstance(word, str)]
    return words[0] if words else (interval.low, interval.high)


def _conclusion(result: ImpliedWeights, digits: int) -> list[str]:
    """Return what an edit outside the references is worth, if all edits have one weight that is bounded."""
    weight, *more_weights = result.weights
    if more_weights or not math.isfinite(weight.ratio):
        return []
    text = f"{result.metric}: an edit outside the references is worth"
    text += f" {round_half_up(weight.ratio, digits)} of a correct one"
    if weight.intervals:
        text += f" (95 %: {cell_text(INTERVAL, _bounds(weight.intervals['ratio']), digits)})"
    return [text]
