"""Test whether one metric agrees with people better than another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from geceval.agreement.metric_scores import MetricScores
from geceval.statistics import Floats
from geceval.statistics.correlation import pearson
from geceval.statistics.correlation_tests import perm_both, student_p, williams_t
from geceval.statistics.significance import holm


@dataclass(frozen=True)
class MetricTest:
    """Correlations of two metrics with people, and tests of their difference.

    Attributes:
        first: Index of the first metric.
        second: Index of the second metric.
        r: Pearson's r of each metric's system scores with people.
        williams: Two-sided p-value of Williams' test of ``r``.
        means: Pearson's r of each metric's mean sentence scores with people.
        perm_both: Two-sided p-value of the PERM-BOTH test of ``means``.
        adjusted: Both p-values, corrected by Holm for all pairs of metrics.
    """

    first: int
    second: int
    r: tuple[float, float]
    williams: float
    means: tuple[float, float]
    perm_both: float
    adjusted: tuple[float, float] = (math.nan, math.nan)


def compare_metrics(
    metrics: Sequence[MetricScores], people: Floats, *, replicates: int = 1000, seed: int = 1
) -> list[MetricTest]:
    """Test all pairs of metrics over n systems, with people's scores [n]."""
    tests = [
        _test(first, second, metrics[first], metrics[second], people, replicates, seed)
        for first, second in combinations(range(len(metrics)), 2)
    ]
    williams = _correct([test.williams for test in tests])
    means = _correct([test.perm_both for test in tests])
    adjusted = zip(williams, means, strict=True)
    return [replace(test, adjusted=both) for test, both in zip(tests, adjusted, strict=True)]


def _correct(p: Sequence[float]) -> list[float]:
    """Correct p-values by Holm; undefined ones (NaN) are not tests."""
    values = np.array(p, dtype=np.float64)
    defined = ~np.isnan(values)
    values[defined] = holm(values[defined])
    return [float(value) for value in values]


def _test(
    first: int, second: int, a: MetricScores, b: MetricScores, people: Floats, replicates: int, seed: int
) -> MetricTest:
    r = float(pearson(a.values, people)), float(pearson(b.values, people))
    n = len(people)
    t = williams_t(*r, float(pearson(a.values, b.values)), n)
    means = float(pearson(a.sentences.mean(axis=1), people)), float(pearson(b.sentences.mean(axis=1), people))
    p = perm_both(a.sentences, b.sentences, people, replicates=replicates, seed=seed) if replicates else math.nan
    return MetricTest(first, second, r, student_p(t, n - 3) if n > 3 else math.nan, means, p)
