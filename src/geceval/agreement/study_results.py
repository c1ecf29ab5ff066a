"""Results of a meta-evaluation: agreement of metrics with people, also in windows of neighbouring systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from geceval.agreement.human_ceilings import HumanCeilings
from geceval.agreement.human_ranking import measure_of
from geceval.agreement.metric_agreement import MetricScores, MetricTest, PreferenceCounts
from geceval.agreement.people import MEASURES, Measure
from geceval.agreement.study import Study, StudyOptions
from geceval.base.errors import UsageError
from geceval.base.ties import order_of_best
from geceval.statistics import Floats
from geceval.statistics.correlation import Correlations
from geceval.statistics.intervals import Interval


@dataclass(frozen=True)
class MetricResult:
    """Agreement of one metric with people.

    Attributes:
        scores: Scores of the metric.
        agreement: Correlations with human scores at system level.
        left_out: Correlations without each system, which show outliers.
        verdicts: Numbers of judged pairs by the metric's verdict.
        accuracy: Share of judged pairs on which the metric agrees, by rule for ties.
        segments: Correlations of sentence scores with ratings over all rated outputs, if any.
        tie_calibrated: Share of pairs on which the metric agrees with people, ties included, with the best threshold.
        epsilon: The threshold: scores that differ by at most this are tied.
        one_person: Agreement with one of two people, on the pairs that both decided; None if there are none.
        soft_accuracy: Soft pairwise accuracy of the systems, if resampled; NaN for a metric that scores all systems
            together.
        intervals: Bootstrap intervals over "systems" and over "sentences", by figure; empty if not resampled.
    """

    scores: MetricScores
    agreement: Correlations
    left_out: tuple[Correlations, ...]
    verdicts: PreferenceCounts
    accuracy: Mapping[str, float]
    segments: Correlations | None
    tie_calibrated: float
    epsilon: float
    one_person: float | None
    soft_accuracy: float | None
    intervals: Mapping[str, Mapping[str, Interval]]


@dataclass(frozen=True)
class Window:
    """Correlations over systems with neighbouring human ranks.

    Attributes:
        first: First human rank, from 1, the best.
        last: Last human rank.
        systems: Names of the systems.
        span: Range of the human scores; if it is tiny, a correlation of -1 or 1 means little.
        agreement: Correlations over the systems.
    """

    first: int
    last: int
    systems: tuple[str, ...]
    span: float
    agreement: Correlations


def windows(systems: Sequence[str], metric: ArrayLike, human: ArrayLike, *, size: int = 4) -> list[Window]:
    """Return the agreement in all windows of neighbouring systems, best first.

    Args:
        systems: Names of n systems.
        metric: Scores [n] of the metric.
        human: Human scores [n].
        size: Number of systems in a window, from 2 to n.

    Raises:
        UsageError: If ``size`` is out of range.

    Source:
        Kobayashi et al. (2024).
    """
    x, y = np.asarray(metric, np.float64), np.asarray(human, np.float64)
    if not 2 <= size <= len(systems):
        raise UsageError(f"a window must have 2 to {len(systems)} systems, not {size}")
    order = np.array(order_of_best(y.tolist()), dtype=np.intp)
    return [
        Window(
            start + 1,
            start + size,
            tuple(systems[k] for k in chosen),
            float(y[chosen].max() - y[chosen].min()),
            Correlations.of(x[chosen], y[chosen]),
        )
        for start in range(len(systems) - size + 1)
        for chosen in (order[start : start + size],)
    ]


@dataclass(frozen=True, repr=False)
class StudyResults:
    """Results of a meta-evaluation.

    Attributes:
        study: The study.
        options: Its options.
        people: Human scores [n] of the systems under study.
        metrics: Agreement of each metric with people.
        tests: Tests of all pairs of metrics, if requested.
        ceilings: Agreement of people with each other, if resampled.
    """

    study: Study
    options: StudyOptions
    people: Floats
    metrics: tuple[MetricResult, ...]
    tests: tuple[MetricTest, ...] = ()
    ceilings: HumanCeilings | None = None

    @property
    def measure(self) -> Measure:
        """Aggregation of the human judgments."""
        return MEASURES[measure_of(self.study.people, self.options)]

    def windows(self, result: MetricResult, size: int) -> list[Window]:
        """Return one metric's agreement with people in windows of ``size`` systems."""
        return windows(self.study.systems, result.scores.values, self.people, size=size)
