"""Sentence-level agreement: accuracy on judged pairs, correlation with ratings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import UsageError
from geceval.statistics import Floats
from geceval.statistics.correlation import Correlations, pearson, spearman
from geceval.statistics.intervals import Interval, percentile_interval
from geceval.statistics.judged_pairs import Pairs, outcomes

Count = NDArray[np.int64]


@dataclass(frozen=True)
class PreferenceCounts:
    """Numbers of decided human pairs by the metric's verdict, in arrays of one shape.

    Attributes:
        agree: Pairs on which the metric agrees with people.
        disagree: Pairs on which the metric disagrees with people.
        tied: Pairs with equal scores.
        tied_second: Pairs of ``tied`` in which people prefer the system that is listed later.
    """

    agree: Count
    disagree: Count
    tied: Count
    tied_second: Count

    @property
    def decided(self) -> Count:
        """Number of pairs that people decided: agree + disagree + tied."""
        return self.agree + self.disagree + self.tied


# Functions that return (right, counted), by name: accuracy = right / counted.
TIE_RULES: Mapping[str, Callable[[PreferenceCounts], tuple[Count, Count]]] = {
    "half": lambda v: (2 * v.agree + v.tied, 2 * v.decided),
    "loss": lambda v: (v.agree, v.decided),
    "skipped": lambda v: (v.agree, v.agree + v.disagree),
    "seeda": lambda v: (v.agree + v.tied_second, v.decided),
}
"""Rules for ties of the metric, by name.

``half`` counts a tie as half a point, ``loss`` as wrong; ``skipped`` excludes it; ``seeda`` counts it as a vote for the
system that is listed later, as SEEDA's script does, so that the accuracy depends on the order of the systems.
"""


def accuracy(verdicts: PreferenceCounts, *, ties: str = "half") -> NDArray[np.float64]:
    """Return the share of decided pairs on which the metric agrees with people.

    Args:
        verdicts: Numbers of pairs, of any shape.
        ties: Rule for ties, one of TIE_RULES.

    Returns:
        Accuracies in [0, 1], of the same shape; NaN without pairs.

    Raises:
        UsageError: If the rule is unknown.
    """
    if ties not in TIE_RULES:
        raise UsageError(f"unknown rule for ties {ties!r} (available: {', '.join(TIE_RULES)})")
    right, counted = TIE_RULES[ties](verdicts)
    shares = np.full(np.shape(counted), np.nan)
    np.divide(right, counted, out=shares, where=np.asarray(counted) > 0)
    return shares


def accuracies(verdicts: PreferenceCounts) -> dict[str, float]:
    """Return the accuracy of pooled verdicts by rule for ties."""
    return {rule: float(accuracy(verdicts, ties=rule)) for rule in TIE_RULES}


def verdicts_by_sentence(pairs: Pairs, lines: Mapping[int, int], scores: NDArray[np.float64]) -> PreferenceCounts:
    """Return the metric's verdicts by sentence, in arrays [S].

    ``scores`` [n, S] are in the order of ``pairs.systems``; ``lines`` maps sentence numbers of judgments to indices.
    Human ties, and therefore all identical outputs, are excluded; repeated items count repeatedly.
    """
    decided = pairs.outcome != 0
    line = np.array([lines[int(number)] for number in pairs.source_id[decided]], np.int64)
    return _grouped(pairs, decided, line, scores, line, scores.shape[1])


def verdicts_by_ranks(
    pairs: Pairs, lines: Mapping[int, int], scores: NDArray[np.float64]
) -> dict[tuple[int, int], PreferenceCounts]:
    """Return the metric's verdicts on pairs by their human ranks (better, worse).

    Source: the pairwise analysis of Goto et al. (2025). Raises UsageError if the pairs have no ranks.
    """
    if pairs.ranks is None:
        raise UsageError("the pairs have no human ranks")
    decided = pairs.outcome != 0
    line = np.array([lines[int(number)] for number in pairs.source_id[decided]], np.int64)
    found, group = np.unique(np.sort(pairs.ranks[decided], axis=1), axis=0, return_inverse=True)
    verdicts = _grouped(pairs, decided, line, scores, group.reshape(-1), len(found))
    each = [PreferenceCounts(*counts) for counts in zip(*vars(verdicts).values(), strict=True)]
    return {(int(better), int(worse)): own for (better, worse), own in zip(found, each, strict=True)}


def _grouped(
    pairs: Pairs, decided: NDArray[np.bool_], line: Count, scores: NDArray[np.float64], group: Count, groups: int
) -> PreferenceCounts:
    """Return the verdicts [groups] on decided pairs with their lines and groups."""
    human = pairs.outcome[decided].astype(np.int64)
    gap = scores[pairs.first[decided], line] - scores[pairs.second[decided], line]
    metric = outcomes(gap).astype(np.int64)

    def count(chosen: NDArray[np.bool_]) -> Count:
        return np.bincount(group[chosen], minlength=groups)

    return PreferenceCounts(
        agree=count(metric == human),
        disagree=count(metric == -human),
        tied=count(metric == 0),
        tied_second=count((metric == 0) & (human < 0)),
    )


def total(verdicts: PreferenceCounts) -> PreferenceCounts:
    """Return the verdicts of all sentences together."""
    return PreferenceCounts(*(counts.sum() for counts in vars(verdicts).values()))


def weigh_verdicts(verdicts: PreferenceCounts, weights: Count) -> PreferenceCounts:
    """Return verdicts [S] summed with weights [replicates, S]: arrays [replicates]."""
    return PreferenceCounts(*(weights @ counts for counts in vars(verdicts).values()))


# --- ratings ---


@dataclass(frozen=True)
class SegmentAgreement:
    """Correlations over all rated cells; a cell is a sentence of a system.

    Attributes:
        agreement: Correlations over ``agreement.n`` cells.
        intervals: Intervals of Pearson's r and Spearman's rho, which resample sentences with all their cells; None
            without replicates.
    """

    agreement: Correlations
    intervals: Mapping[str, Interval] | None


#: The resampled correlations; Kendall's would take O(cells²) time.
RESAMPLED = {"pearson": pearson, "spearman": spearman}


def segment_agreement(scores: Floats, ratings: Floats, drawn: Floats | None = None) -> SegmentAgreement:
    """Return the agreement of scores [n, S] with ratings [n, S], NaN if not rated.

    ``drawn`` are replicates of ``resample_correlations``.
    """
    rated = ~np.isnan(ratings)
    agreement = Correlations.of(scores[rated], ratings[rated])
    if drawn is None:
        return SegmentAgreement(agreement, None)
    return SegmentAgreement(agreement, {name: percentile_interval(drawn[:, k]) for k, name in enumerate(RESAMPLED)})


def resample_correlations(scores: Floats, ratings: Floats | None, weights: NDArray[np.int64]) -> Floats:
    """Return Pearson's r and Spearman's rho [replicates, 2] on resampled sentences.

    ``weights`` [replicates, S] are the numbers of draws of each sentence. Without ratings the correlations are NaN.
    """
    if ratings is None:
        return np.full((len(weights), len(RESAMPLED)), np.nan)
    rated = ~np.isnan(ratings)
    x, y, sentence = scores[rated], ratings[rated], np.nonzero(rated)[1]
    drawn = ((np.repeat(x, times), np.repeat(y, times)) for times in weights[:, sentence])
    return np.array([[float(measure(*cells)) for measure in RESAMPLED.values()] for cells in drawn])
