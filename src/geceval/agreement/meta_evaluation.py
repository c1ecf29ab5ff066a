"""Evaluate metrics by human judgments or ratings: scores, agreement, intervals and tests."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.agreement.human_ceilings import ceilings_of, twice_judged
from geceval.agreement.human_ranking import measure_of, people_scores
from geceval.agreement.judgments import Judgments, Ratings, read_judgments
from geceval.agreement.meta_plots import agreement_pictures
from geceval.agreement.meta_report import heads_of, meta_report
from geceval.agreement.metric_agreement import (
    Figure,
    SystemCounts,
    accuracies,
    accuracy,
    compare_metrics,
    count_systems,
    resample_correlations,
    resample_scores,
    score_systems,
    total,
    verdicts_by_sentence,
    weigh_verdicts,
)
from geceval.agreement.pairwise_accuracy import PeoplePairs, TiedPairs, corpus_swap_p, swap_p
from geceval.agreement.people import MEASURES
from geceval.agreement.study import DEFAULTS, Study, StudyOptions, make_study
from geceval.agreement.study_results import MetricResult, StudyResults
from geceval.base.errors import InputError, short_traceback
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import Metrics, metrics_of
from geceval.counting.run import Run
from geceval.counting.run_options import Progress
from geceval.statistics import Floats
from geceval.statistics.correlation import Correlations, leave_one_out, pearson
from geceval.statistics.intervals import (
    correlation_intervals,
    draw_sentence_weights,
    percentile_interval,
    system_intervals,
)
from geceval.statistics.judged_pairs import signs
from geceval.tables.charts import Pictures
from geceval.tables.report import Report
from geceval.tables.shown_results import FrameRow, ShownResults
from geceval.text.corpus import Corpus


class ShownStudy(ShownResults, StudyResults):
    """Results of a meta-evaluation, as data frames "metrics", "systems" and "people".

    "metrics" has a row per metric, "systems" a row per system with the scores by people and by metrics, "people" a row
    with the agreement of people.
    """

    kinds = ("metrics", "systems", "people")

    def _report(self) -> Report:
        return meta_report(self, "system", {})

    def _pictures(self) -> Pictures:
        return agreement_pictures(self)

    def _rows(self, kind: str) -> Iterator[FrameRow]:
        heads = heads_of(self)
        if kind == "people":
            if self.ceilings is not None:
                share = self.ceilings.two_people and self.ceilings.two_people.share
                yield vars(self.ceilings) | {"two_people": share, "ceiling_of_r": self.ceilings.r}
            return
        if kind == "metrics":
            for head, result in zip(heads, self.metrics, strict=True):
                share = float(accuracy(result.verdicts, ties=self.options.ties))
                figures = ("soft_accuracy", "tie_calibrated", "epsilon", "one_person")
                yield {"metric": head, **vars(result.agreement), "accuracy": share} | {
                    name: getattr(result, name) for name in figures
                }
            return
        values = zip(*(result.scores.printed.tolist() for result in self.metrics), strict=True)
        for system, people, scores in zip(self.study.systems, self.people.tolist(), values, strict=True):
            yield {"system": system, "people": people, **dict(zip(heads, scores, strict=True))}


@short_traceback
def meta(
    judgments: str | os.PathLike[str] | Judgments | Ratings,
    corpus: Corpus,
    metrics: Metrics,
    *,
    numbering: str = "auto",
    exclude: Sequence[str] = (),
    only: Sequence[str] | None = None,
    judged_only: bool = False,
    progress: Progress | None = None,
    **options: Any,
) -> ShownStudy:
    """Measure the agreement of metrics with human judgments, and of human judges with each other.

    Args:
        judgments: Path of rankings as read by ``geceval meta``, or rankings or ratings
            (``geceval.agreement.judgments.read_ratings``).
        corpus: Source, judged systems, and references or gold edits.
        metrics: Metrics or specifications, such as ``["green", geceval.Errant()]``.
        numbering: Numbers of the judged sentences: from "0", from "1", "judged" (the corpus has the judged sentences
            only) or "auto", which detects it.
        exclude: Names of systems to exclude.
        only: Names of the only systems to include (None: all).
        judged_only: Score the judged sentences only.
        progress: Called with the work done since its last call.
        options: ``measure``, people's score of a system: "expected-wins", "trueskill" or "mean-rating"; ``pairs``:
            "outputs" counts a verdict on two outputs once, "systems" for each pair of systems with these outputs;
            ``tests=True`` tests all pairs of metrics; ``aggregation``, ``ties``, ``resamples``, ``seed`` and
            ``threads`` as in ``geceval meta --help``.

    Returns:
        Agreement of each metric with people, ceilings, and tests; tables and data frames show them.

    Raises:
        InputError: If the judgments cannot be read or do not fit the corpus, or a metric requires references or gold
            edits that the corpus lacks.
        UsageError: If an option has an unsupported value, a named system does not exist, or fewer than two are left.

    Source:
        docs/meta-evaluation.md.
    """
    human = judgments if isinstance(judgments, Judgments | Ratings) else read_judgments(judgments)
    study = make_study(human, corpus, numbering=numbering, exclude=exclude, only=only, judged_only=judged_only)
    return evaluate_metrics(study, metrics, StudyOptions(**options), progress)


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
    if options.pairs == "outputs":
        study = replace(study, pairs=study.people.with_output_weights().pairs)
    people = people_scores(study, options)
    counted = count_systems(study.corpus, metrics, threads=options.threads, progress=progress)
    verdicts_on_outputs = _VerdictsOnOutputs(study, options)
    evaluations = [_Evaluation(study, options, verdicts_on_outputs, counts) for counts in counted]
    replicates: list[dict[str, Floats]] = [{} for _ in evaluations]
    ceilings, verdicts, tests = None, None, []
    if options.resamples:
        replicates = _resample(study, evaluations, options, progress)
        ceilings = ceilings_of(study.people, study.systems, resamples=options.resamples, seed=options.seed)
        verdicts = PeoplePairs.of(study.people, study.systems, len(study.corpus), seed=options.seed)
    results = [
        evaluation.result(people, draws, verdicts) for evaluation, draws in zip(evaluations, replicates, strict=True)
    ]
    if options.tests:
        figures: dict[str, Figure] = {"r of means": lambda cells: float(pearson(cells.mean(axis=1), people))}
        figures |= {} if verdicts is None else {"SPA of means": verdicts.soft_accuracy_of_means}
        figures["acc_eq"] = lambda cells: verdicts_on_outputs.tied(cells).calibrated()[0]
        scores = [evaluation.scores for evaluation in evaluations]
        tests = compare_metrics(scores, people, figures, replicates=options.resamples, seed=options.seed)
    return ShownStudy(study, options, people, tuple(results), tuple(tests), ceilings)


class _VerdictsOnOutputs:
    """People's verdicts on the systems under study, which all metrics share."""

    def __init__(self, study: Study, options: StudyOptions) -> None:
        self.pairs = study.pairs.among(study.systems)
        self.distinct, self.sharing = self.pairs.once()
        self.lines = self.distinct.lines(study.lines)
        decided, rows = twice_judged(self.pairs)
        #: Verdicts on outputs that two people judged, each with the verdict of one of them.
        self.twice = decided.at(rows.ravel()) if len(rows) else None
        if options.pairs == "outputs":
            self.pairs, self.sharing = self.distinct, np.ones_like(self.sharing)

    def check(self, metric: str, sentences: Floats) -> None:
        """Raise InputError if a metric has no score (NaN) for a judged output, which would be no tie."""
        for systems in (self.distinct.first, self.distinct.second):
            for at in np.flatnonzero(np.isnan(sentences[systems, self.lines])):
                system, sentence = self.pairs.systems[systems[at]], self.lines[at] + 1
                message = f"{metric} has no score for {system} in sentence {sentence}, which people judged"
                raise InputError(message, hint="the metric must return a number, such as 1 without errors")

    def tied(self, sentences: Floats) -> TiedPairs:
        """Return the pairs of different outputs by the difference of sentence scores [n, S]."""
        return TiedPairs.of(self.distinct, self.sharing, self.lines, sentences)


class _Evaluation:
    """Scores of one metric and their agreement with people."""

    def __init__(
        self, study: Study, options: StudyOptions, verdicts: _VerdictsOnOutputs, counted: SystemCounts
    ) -> None:
        self.options, self.counted = options, counted
        self.scores = score_systems(counted, aggregation=options.aggregation)
        #: Ratings [n, S] of the systems under study, if any.
        self.ratings = None if study.ratings is None else study.ratings.values[study.indices]
        sentences, twice = self.scores.sentences, verdicts.twice
        verdicts.check(counted.metric.label, sentences)
        self.verdicts = verdicts_by_sentence(verdicts.pairs, study.lines, sentences)
        #: Numbers of verdicts of one of two people who judged the same outputs.
        self.twice = None if twice is None else verdicts_by_sentence(twice, study.lines, sentences)
        self.ties = verdicts.tied(sentences)

    def resampled(self, weights: NDArray[np.int64]) -> dict[str, Floats]:
        """Return the figures [replicates, …] of resampled sentences, from numbers of draws [replicates, S]."""
        sentences, options = self.scores.sentences, self.options
        figures = {
            "values": resample_scores(self.counted, sentences, weights, options.aggregation),
            "accuracy": accuracy(weigh_verdicts(self.verdicts, weights), ties=options.ties),
            "tie_calibrated": self.ties.resampled(weights),
        }
        if self.twice is not None:
            figures["one_person"] = accuracy(weigh_verdicts(self.twice, weights), ties=options.ties)
        if self.ratings is not None:
            figures |= resample_correlations(sentences, self.ratings, weights)
        return figures

    def result(self, people: Floats, draws: dict[str, Floats], verdicts: PeoplePairs | None) -> MetricResult:
        """Return the agreement, with intervals from the replicates ``draws``, if any."""
        options, scores, intervals = self.options, self.scores, {}
        if draws:
            over_systems = system_intervals(scores.values, people, replicates=options.resamples, seed=options.seed)
            over_sentences = correlation_intervals(draws.pop("values"), draws.pop("people"))
            over_sentences |= {name: percentile_interval(column) for name, column in draws.items()}
            intervals = {"systems": over_systems, "sentences": over_sentences}
        pooled, segments = total(self.verdicts), None
        if self.ratings is not None:
            rated = ~np.isnan(self.ratings)
            segments = Correlations.of(scores.sentences[rated], self.ratings[rated])
        return MetricResult(
            scores,
            Correlations.of(scores.values, people),
            tuple(leave_one_out(scores.values, people)),
            pooled,
            accuracies(pooled),
            segments,
            *self.ties.calibrated(),
            None if self.twice is None else float(accuracy(total(self.twice), ties=options.ties)),
            None if verdicts is None else self._soft_accuracy(verdicts),
            intervals,
        )

    def _soft_accuracy(self, verdicts: PeoplePairs) -> float:
        metric, seed, sentences = self.scores.metric, self.options.seed, self.scores.sentences
        if self.options.aggregation != "corpus":
            gaps = verdicts.gaps_of(sentences)
            gaps = gaps if self.options.aggregation == "mean" else signs(gaps)
            return verdicts.soft_accuracy(swap_p(gaps, seed=seed))
        if metric.pool is not None:
            return math.nan
        counts = dict(zip(self.counted.systems, self.counted.counts, strict=True))
        p = corpus_swap_p(metric, counts, verdicts.judged, seed=seed, threads=self.options.threads)
        return verdicts.soft_accuracy(p)


def study_work(study: Study, metrics: Sequence[AnyMetric], options: StudyOptions) -> int | None:
    """Return the total work that ``evaluate_metrics`` reports, if known."""
    counting = Run(study.corpus, metrics).work
    return None if counting is None else counting + options.resamples * (1 + len(metrics))


def _resample(
    study: Study, evaluations: Sequence[_Evaluation], options: StudyOptions, progress: Progress | None
) -> list[dict[str, Floats]]:
    """Return the replicates of people's scores and of the figures of each metric, by name."""
    # Weights are drawn in parts, because those of a million replicates exceed the memory.
    measure = MEASURES[measure_of(study.people, options)]
    report = progress or (lambda steps: None)
    parts: list[list[dict[str, Floats]]] = [[] for _ in evaluations]
    seed = options.seed
    for weights in draw_sentence_weights(len(study.corpus), replicates=options.resamples, seed=options.seed):
        all_people = measure.replicated(study.people, weights, seed=seed, threads=options.threads)
        report(len(weights))
        for of_metric, evaluation in zip(parts, evaluations, strict=True):
            of_metric.append({"people": all_people[:, study.indices], **evaluation.resampled(weights)})
            report(len(weights))
        seed += len(weights)
    return [{name: np.concatenate([part[name] for part in of_metric]) for name in of_metric[0]} for of_metric in parts]
