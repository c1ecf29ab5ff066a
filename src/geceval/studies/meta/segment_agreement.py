"""Segment level, where people rated: do a metric's sentence scores go with people's ratings?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from geceval.statistics import Floats
from geceval.statistics.correlation import Correlations, pearson, spearman
from geceval.statistics.intervals import Interval, percentile_interval


@dataclass(frozen=True)
class SegmentAgreement:
    """Correlations over all rated cells (``agreement.n`` of them), a cell being a sentence of a system.

    ``intervals`` of Pearson's r and Spearman's rho draw sentences with all their cells; None where nothing was
    resampled.
    """

    agreement: Correlations
    intervals: Mapping[str, Interval] | None


#: The correlations that are resampled: Kendall's takes O(cells²) time.
RESAMPLED = {"pearson": pearson, "spearman": spearman}


def segment_agreement(scores: Floats, ratings: Floats, drawn: Floats | None = None) -> SegmentAgreement:
    """The agreement of ``scores[system, sentence]`` with ``ratings[system, sentence]``, NaN where nobody rated.

    ``drawn``: see drawn_correlations.
    """
    rated = ~np.isnan(ratings)
    agreement = Correlations.of(scores[rated], ratings[rated])
    if drawn is None:
        return SegmentAgreement(agreement, None)
    return SegmentAgreement(agreement, {name: percentile_interval(drawn[:, k]) for k, name in enumerate(RESAMPLED)})


def drawn_correlations(scores: Floats, ratings: Floats | None, weights: NDArray[np.int64]) -> Floats:
    """Pearson's r and Spearman's rho [replicates, 2] over the cells of sentences drawn ``weights[replicate, sentence]``
    times; NaN without ratings."""
    if ratings is None:
        return np.full((len(weights), len(RESAMPLED)), np.nan)
    rated = ~np.isnan(ratings)
    x, y, sentence = scores[rated], ratings[rated], np.nonzero(rated)[1]
    drawn = ((np.repeat(x, times), np.repeat(y, times)) for times in weights[:, sentence])
    return np.array([[float(measure(*cells)) for measure in RESAMPLED.values()] for cells in drawn])
