"""Sentence-level meta-evaluation: how often does the metric prefer the output that people prefer? Where people rated,
do the metric's sentence scores go with their ratings (segment level)?"""

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
    """Decided human pairs by what the metric says of them; four arrays of one shape.

    ``tied_second`` are those of ``tied`` in which people preferred the system listed later.
    """

    agree: Count
    disagree: Count
    tied: Count
    tied_second: Count

    @property
    def decided(self) -> Count:
        """Pairs people decided: n = agree + disagree + tied."""
        return self.agree + self.disagree + self.tied


# name -> (right, counted): accuracy = right / counted.
TIE_RULES: Mapping[str, Callable[[PreferenceCounts], tuple[Count, Count]]] = {
    "half": lambda v: (2 * v.agree + v.tied, 2 * v.decided),
    "loss": lambda v: (v.agree, v.decided),
    "skipped": lambda v: (v.agree, v.agree + v.disagree),
    "seeda": lambda v: (v.agree + v.tied_second, v.decided),
}
"""What a metric tie counts: half a point, nothing, not at all, or a vote for the system listed later.

The last is what SEEDA's script does; its number depends on the order of the systems.
"""


def accuracy(verdicts: PreferenceCounts, *, ties: str = "half") -> NDArray[np.float64]:
    """Share of decided pairs the metric gets right, in [0, 1]; NaN where there is none.

    Raises `UsageError` for an unknown rule.
    """
    if ties not in TIE_RULES:
        raise UsageError(f"unknown rule for ties {ties!r}; there are: {', '.join(TIE_RULES)}")
    right, counted = TIE_RULES[ties](verdicts)
    shares = np.full(np.shape(counted), np.nan)
    np.divide(right, counted, out=shares, where=np.asarray(counted) > 0)
    return shares


def accuracies(verdicts: PreferenceCounts) -> dict[str, float]:
    """The accuracy of pooled verdicts by every rule for ties."""
    return {rule: float(accuracy(verdicts, ties=rule)) for rule in TIE_RULES}


def tau(verdicts: PreferenceCounts, *, ties: str = "half") -> NDArray[np.float64]:
    """2 · accuracy - 1, the pooled "tau-like" statistic of WMT; not Kendall's tau-b of a ranking."""
    return 2 * accuracy(verdicts, ties=ties) - 1


def verdicts_by_sentence(pairs: Pairs, lines: Mapping[int, int], scores: NDArray[np.float64]) -> PreferenceCounts:
    """The metric's verdicts on every sentence apart: arrays [sentences].

    ``scores[system, sentence]`` follow ``pairs.systems``; ``lines`` maps a sentence number of the judgments
    to its index. Human ties, and so all identical outputs, are left out; repeated items count again.
    """
    decided = pairs.outcome != 0
    line = np.array([lines[int(number)] for number in pairs.source_id[decided]], np.int64)
    return _grouped(pairs, decided, line, scores, line, scores.shape[1])


def verdicts_by_ranks(
    pairs: Pairs, lines: Mapping[int, int], scores: NDArray[np.float64]
) -> dict[tuple[int, int], PreferenceCounts]:
    """The metric's verdicts on the pairs of every two ranks (better, worse), by the ranks people gave in the item.

    Pairwise analysis (Goto et al. 2025): does the metric see at least what is far apart? Raises UsageError for pairs
    that no item ranked.
    """
    if pairs.ranks is None:
        raise UsageError("these pairs were not ranked by people")
    decided = pairs.outcome != 0
    line = np.array([lines[int(number)] for number in pairs.source_id[decided]], np.int64)
    found, group = np.unique(np.sort(pairs.ranks[decided], axis=1), axis=0, return_inverse=True)
    verdicts = _grouped(pairs, decided, line, scores, group.reshape(-1), len(found))
    each = [PreferenceCounts(*counts) for counts in zip(*vars(verdicts).values(), strict=True)]
    return {(int(better), int(worse)): own for (better, worse), own in zip(found, each, strict=True)}


def _grouped(
    pairs: Pairs, decided: NDArray[np.bool_], line: Count, scores: NDArray[np.float64], group: Count, groups: int
) -> PreferenceCounts:
    """The verdicts [groups] on the decided pairs, pair p on sentence ``line[p]`` and of group ``group[p]``."""
    human = pairs.outcome[decided].astype(np.int64)
    gap = scores[pairs.first[decided], line] - scores[pairs.second[decided], line]
    metric = outcomes(gap).astype(np.int64)

    def counted(chosen: NDArray[np.bool_]) -> Count:
        return np.bincount(group[chosen], minlength=groups)

    return PreferenceCounts(
        agree=counted(metric == human),
        disagree=counted(metric == -human),
        tied=counted(metric == 0),
        tied_second=counted((metric == 0) & (human < 0)),
    )


def total(verdicts: PreferenceCounts) -> PreferenceCounts:
    """Return the verdicts of all sentences together."""
    return PreferenceCounts(*(counts.sum() for counts in vars(verdicts).values()))


def weigh_verdicts(verdicts: PreferenceCounts, weights: Count) -> PreferenceCounts:
    """Return verdicts [S] summed with weights [replicates, S]: arrays [replicates]."""
    return PreferenceCounts(*(weights @ counts for counts in vars(verdicts).values()))


# --- where people rated ---


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
