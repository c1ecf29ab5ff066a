"""Variance of mean scores over sentences and repeated runs.

The score of run r of a system is its expectation plus a part of the sentences that all runs of the system share, a part
of the run, and a part of this run on these sentences. Sentences and runs are random; docs/comparison.md gives the
formulas.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np

from geceval.base.errors import require_extra
from geceval.counting.counts import Floats


def student_t() -> Any:
    """Return scipy's module of Student's t: ``stdtr`` is its distribution, ``stdtrit`` its quantiles."""
    with require_extra("stats", "intervals and tests of repeated runs need scipy"):
        import scipy.special
    return scipy.special


@dataclass(frozen=True)
class Variance:
    """Variance of a mean score, or of the difference of two.

    Attributes:
        sentences: Variance by the choice of sentences that runs share.
        runs: Number of runs of each system that has several.
        between: Variance between the runs of each of these systems, without noise.
        noise: Variance of a single run of each of these systems by the choice of sentences that runs do not share.
    """

    sentences: float
    runs: Sequence[int] = ()
    between: Sequence[float] = ()
    noise: Sequence[float] = ()

    def spread(self) -> tuple[float, float]:
        """Return the standard error and its degrees of freedom.

        The runs of each system have a variance of their own.

        Source:
            Satterthwaite (1946), Welch (1947); for readers and cases, Obuchowski and Rockette (1995) and Hillis (2007).
        """
        numbers = np.array(self.runs, np.float64)
        of_runs = np.array(self.between) + np.array(self.noise)
        total = self.sentences + float((of_runs / numbers).sum())
        uncertainty = float(((of_runs / numbers) ** 2 / (numbers - 1)).sum())
        return math.sqrt(total), total**2 / uncertainty if uncertainty else math.inf

    def half_width(self, alpha: float) -> float:
        """Return half the width of the interval of level 1 − alpha."""
        error, freedom = self.spread()
        if math.isinf(freedom):
            return NormalDist().inv_cdf(1 - alpha / 2) * error
        return float(student_t().stdtrit(freedom, 1 - alpha / 2)) * error

    def p(self, difference: float) -> float:
        """Return the two-sided p-value of a difference."""
        error, freedom = self.spread()
        ratio = abs(difference) / error if error else math.copysign(math.inf, abs(difference))
        if difference == 0:
            return 1.0
        return math.erfc(ratio / math.sqrt(2)) if math.isinf(freedom) else float(2 * student_t().stdtr(freedom, -ratio))


@dataclass(frozen=True)
class RunVariances:
    """Scores of runs and their covariance over samples of sentences.

    Attributes:
        scores: Score of each run [R].
        replicates: Scores of the runs on bootstrap samples of the sentences [B, R].
        members: Indices of the runs of each system.
    """

    scores: Floats
    replicates: Floats
    members: Mapping[str, Sequence[int]]

    @cached_property
    def covariance(self) -> Floats:
        """Covariance of runs over samples of sentences [R, R]; NaN for runs without a score."""
        is_nan = np.isnan(self.replicates)
        if not is_nan.any():
            return np.atleast_2d(np.cov(self.replicates, rowvar=False))
        scored = np.flatnonzero(~is_nan.all(axis=0))
        samples = self.replicates[np.ix_(~is_nan[:, scored].any(axis=1), scored)]
        covariance = np.full((is_nan.shape[1],) * 2, np.nan)
        if len(samples) > 1:
            covariance[np.ix_(scored, scored)] = np.cov(samples, rowvar=False)
        return covariance

    @cached_property
    def shared(self) -> Floats:
        """Mean covariance of runs of two systems, and of different runs of one system [n, n]."""
        runs = list(self.members.values())
        shared = np.array([[self.covariance[np.ix_(first, second)].mean() for second in runs] for first in runs])
        for system, indices in enumerate(runs):
            if (k := len(indices)) > 1:
                block = self.covariance[np.ix_(indices, indices)]
                shared[system, system] = (block.sum() - np.trace(block)) / (k * (k - 1))
        return shared

    def of(self, *systems: int) -> Variance:
        """Return the variance of a system's mean score, or of the difference of two systems."""
        signs = np.array([1, -1][: len(systems)])
        sentences = float(signs @ self.shared[np.ix_(systems, systems)] @ signs)
        runs, between, noise = [], [], []
        for system in systems:
            indices = list(self.members.values())[system]
            if len(indices) > 1:
                of_sentences = float(self.covariance[indices, indices].mean() - self.shared[system, system])
                of_runs = float(self.scores[indices].var(ddof=1))
                runs.append(len(indices))
                noise.append(min(of_sentences, of_runs))
                between.append(of_runs - noise[-1])
        return Variance(max(sentences, 0.0), runs, between, noise)
