"""Evaluate metrics by human judgments or ratings: scores, agreement, intervals and tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from geceval.agreement.meta_plots import correlation_chart
from geceval.agreement.meta_report import heads_of, meta_report
from geceval.agreement.metric_agreement import (
    MetricScores,
    MetricTest,
    PreferenceCounts,
    SystemCounts,
    accuracies,
    accuracy,
    compare_metrics,
    count_systems,
    resample_correlations,
    resample_scores,
    score_systems,
    segment_agreement,
    total,
    verdicts_by_ranks,
    verdicts_by_sentence,
    weigh_verdicts,
)
from geceval.agreement.people import MEASURES
from geceval.agreement.study import (
    DEFAULTS,
    Intervals,
    MetricResult,
    Study,
    StudyOptions,
    StudyResults,
    measure_of,
    people_scores,
)
from geceval.counting.metric_names import Metrics, metrics_of
from geceval.counting.run import Run
from geceval.counting.stream import AnyMetric, Progress
from geceval.statistics import Floats
from geceval.statistics.correlation import Correlations, leave_one_out
from geceval.statistics.rankings import Pairs
from geceval.statistics.resampling import (
    correlation_intervals,
    draw_sentence_weights,
    percentile_interval,
    system_intervals,
)
from geceval.tables.charts import Chart
from geceval.tables.report import FrameRow, Report, ShownResults


class ShownStudy(ShownResults, StudyResults):
    """Results of a meta-evaluation, as data frames "metrics" and "systems".

    "metrics" has a row per metric, "systems" a row per system with the scores by people and by metrics.
    """

    kinds = ("metrics", "systems")

    def _report(self) -> Report:
        return meta_report(self, "system", 4, {})

    def _charts(self) -> list[Chart]:
        return [correlation_chart(self)]

    def _rows(self, kind: str) -> Iterator[FrameRow]:
        heads = heads_of(self)
        if kind == "metrics":
            for head, result in zip(heads, self.metrics, strict=True):
                share = float(accuracy(result.verdicts, ties=self.options.ties))
                yield {"metric": head, **vars(result.agreement), "accuracy": share}
            return
        values = zip(*(result.scores.values.tolist() for result in self.metrics), strict=True)
        for system, people, scores in zip(self.study.systems, self.people.tolist(), values, strict=True):
            yield {"system": system, "people": people, **dict(zip(heads, scores, strict=True))}


def evaluate_metrics(
    study: Study, metrics: Metrics, options: StudyOptions = DEFAULTS, progress: Progress | None = None
) -> ShownStudy:
    """Score all systems by all metrics and compare the scores with human scores.

    People and all metrics share the same replicates.

    Args:
        study: Judgments or ratings, and outputs.
        metrics: Metrics or specifications, such as ``["green", geceval.Errant()]``.
        options: Options of the meta-evaluation.
        progress: Called with the work done since its last call, of ``study_work`` in all.

    Returns:
        Human scores, and the agreement of each metric with them.

    Raises:
        InputError: If a metric requires references or gold edits that the corpus lacks.
        UsageError: If "mean-rating" is requested without ratings.
    """
    options, metrics = replace(options, measure=measure_of(study.people, options)), metrics_of(metrics)
    people = people_scores(study, options)
    counts = count_systems(study.corpus, metrics, threads=options.threads, progress=progress)
    scores = [score_systems(system_counts, aggregation=options.aggregation) for system_counts in counts]
    pairs = study.pairs.among(study.systems)
    verdicts = [verdicts_by_sentence(pairs, study.lines, metric.sentences) for metric in scores]
    replicates: Sequence[_Replicates | None] = [None] * len(scores)
    if options.resamples:
        replicates = _resample(study, counts, scores, verdicts, options, progress)
    rows = zip(scores, verdicts, replicates, strict=True)
    results = [_metric_result(study, pairs, people, *row, options) for row in rows]
    tests: list[MetricTest] = []
    if options.tests:
        tests = compare_metrics(scores, people, replicates=options.resamples, seed=options.seed)
    return ShownStudy(study, options, people, tuple(results), tuple(tests))


def _metric_result(
    study: Study,
    pairs: Pairs,
    people: Floats,
    scores: MetricScores,
    verdicts: PreferenceCounts,
    replicates: _Replicates | None,
    options: StudyOptions,
) -> MetricResult:
    pooled, ratings, intervals, segments = total(verdicts), _rated(study), None, None
    if ratings is not None:
        segments = segment_agreement(scores.sentences, ratings, None if replicates is None else replicates.segments)
    if replicates is not None:
        intervals = Intervals(
            systems=system_intervals(scores.values, people, replicates=options.resamples, seed=options.seed),
            sentences=correlation_intervals(replicates.values, replicates.people),
            accuracy=percentile_interval(replicates.accuracies),
        )
    return MetricResult(
        scores,
        Correlations.of(scores.values, people),
        tuple(leave_one_out(scores.values, people)),
        pooled,
        accuracies(pooled),
        verdicts_by_ranks(pairs, study.lines, scores.sentences),
        intervals,
        segments,
    )


def study_work(study: Study, metrics: Sequence[AnyMetric], options: StudyOptions) -> int | None:
    """Return the total work that ``evaluate_metrics`` reports, if known."""
    counting = Run(study.corpus, metrics).work
    return None if counting is None else counting + options.resamples * (1 + len(metrics))


@dataclass(frozen=True)
class _Replicates:
    """Scores of one metric and of people on resampled sentences.

    Attributes:
        people: Human scores [replicates, n].
        values: Scores [replicates, n] of a metric.
        accuracies: Accuracies [replicates] of the metric on judged pairs.
        segments: Correlations [replicates, 2] of the metric with ratings.
    """

    people: Floats
    values: Floats
    accuracies: Floats
    segments: Floats


def _resample(
    study: Study,
    counted: Sequence[SystemCounts],
    scores: Sequence[MetricScores],
    verdicts: Sequence[PreferenceCounts],
    options: StudyOptions,
    progress: Progress | None,
) -> list[_Replicates]:
    # Weights are drawn in parts, because those of a million replicates exceed the memory.
    measure = MEASURES[measure_of(study.people, options)]
    report = progress or (lambda steps: None)
    people: list[Floats] = []
    parts: list[list[tuple[Floats, ...]]] = [[] for _ in scores]
    seed = options.seed
    for weights in draw_sentence_weights(len(study.corpus), replicates=options.resamples, seed=options.seed):
        all_people = measure.replicated(study.people, weights, seed=seed, threads=options.threads)
        people.append(all_people[:, study.indices])
        report(len(weights))
        for k, metric in enumerate(scores):
            values = resample_scores(counted[k], metric.sentences, weights, options.aggregation)
            right = accuracy(weigh_verdicts(verdicts[k], weights), ties=options.ties)
            parts[k].append((values, right, resample_correlations(metric.sentences, _rated(study), weights)))
            report(len(weights))
        seed += len(weights)
    shared = np.concatenate(people)
    return [_Replicates(shared, *map(np.concatenate, zip(*columns, strict=True))) for columns in parts]


def _rated(study: Study) -> Floats | None:
    """Return the ratings [n, S] of the systems under study, if any."""
    return None if study.ratings is None else study.ratings.values[study.indices]
