"""Segment level, where people rated: do a metric's sentence scores go with people's ratings?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from geceval.statistics.correlation import Agreement, pearson, spearman
from geceval.statistics.intervals import Interval, percentile_interval

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SegmentAgreement:
    """Correlations over all rated cells (``agreement.n`` of them), a cell being a sentence of a system.

    ``intervals`` of Pearson's r and Spearman's rho draw sentences with all their cells; None where nothing was
    resampled.
    """

    agreement: Agreement
    intervals: Mapping[str, Interval] | None


def segment_agreement(scores: Floats, ratings: Floats, weights: NDArray[np.int64] | None = None) -> SegmentAgreement:
    """The agreement of ``scores[system, sentence]`` with ``ratings[system, sentence]``, NaN where nobody rated.

    ``weights[replicate, sentence]``: how often a replicate draws each sentence. Kendall's tau-b takes O(cells²) time.
    """
    rated = ~np.isnan(ratings)
    agreement = Agreement.of(scores[rated], ratings[rated])
    if weights is None:
        return SegmentAgreement(agreement, None)
    sentence = np.nonzero(rated)[1]
    x, y = scores[rated], ratings[rated]
    replicates = np.array([_drawn(x, y, row[sentence]) for row in weights])
    bounds = {name: percentile_interval(replicates[:, k]) for k, name in enumerate(("pearson", "spearman"))}
    return SegmentAgreement(agreement, bounds)


def _drawn(x: Floats, y: Floats, times: NDArray[np.int64]) -> tuple[float, float]:
    x, y = np.repeat(x, times), np.repeat(y, times)
    return float(pearson(x, y)), float(spearman(x, y))
