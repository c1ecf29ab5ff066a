"""What a comparison of systems yields: plain numbers, to be written as JSON or rendered as tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from geceval.counting.metric_names import MetricHeads


@dataclass(frozen=True)
class SystemScore:
    """A system's score under a metric, how far another draw of test sentences would move it, and its place.

    ``low`` and ``high`` bound the bootstrap interval, ``deviation`` is the replicates' standard deviation (raw floats,
    not per cent). ``rank_low`` is the best, ``rank_high`` the worst rank that the tests leave open; clusters count
    from 1. ``group``: the type or group of sentences it is of; None for the whole corpus.
    """

    system: str
    metric: str
    value: float
    low: float
    high: float
    deviation: float
    rank_low: int
    rank_high: int
    cluster: int
    group: str | None = None


@dataclass(frozen=True)
class Pair:
    """The difference of two systems under a metric, ``difference`` = a − b, and what speaks against chance.

    ``low`` and ``high`` bound its bootstrap interval; ``p`` is two-sided, ``p_adjusted`` corrected for all that was
    tested; ``exact``: all labellings were enumerated; ``error``: the Monte Carlo standard error of p. ``effect``: the
    difference over the standard deviation of its bootstrap replicates, which grows with the sentences. ``better``,
    ``equal``, ``worse``: shares of the sentences on which a scores above, as and below b. ``differing``: sentences
    whose counts differ.
    """

    a: str
    b: str
    metric: str
    difference: float
    low: float
    high: float
    p: float
    p_adjusted: float
    effect: float
    better: float
    equal: float
    worse: float
    differing: int
    exact: bool = False
    group: str | None = None
    error: float = 0.0


@dataclass(frozen=True)
class Power:
    """How many sentences it takes to tell two systems apart, from a pilot of ``sentences`` (see comparison.power).

    ``deviation_per_sentence``: of the difference, times the square root of the sentences. ``needed``: sentences for a
    test at ``alpha`` to find a difference of this size with probability ``power``; None where there is none.
    ``detectable``: the smallest difference that so many sentences as there are find with that probability.
    """

    a: str
    b: str
    metric: str
    difference: float
    deviation_per_sentence: float
    sentences: int
    needed: int | None
    detectable: float
    power: float
    alpha: float
    group: str | None = None


@dataclass(frozen=True)
class Comparison:
    """All of a run: ``systems`` in the order given, metric by metric; ``pairs`` all, or those with the baseline.

    ``signatures``: of each metric. ``signature``: of the statistics (test, samples, seed, adjustment, blocks,
    treatment of references). ``warnings``: what the numbers cannot bear. ``lower_is_better``: the metrics of which a
    low score is a good one; ``not_in_percent``: those whose scores tables do not show times 100. ``heads``: how tables
    call each metric.
    """

    systems: tuple[SystemScore, ...]
    pairs: tuple[Pair, ...]
    signature: str
    signatures: Mapping[str, str]
    sentences: int
    blocks: int
    alpha: float
    baseline: str | None = None
    warnings: tuple[str, ...] = field(default=())
    lower_is_better: tuple[str, ...] = ()
    not_in_percent: tuple[str, ...] = ()
    heads: Mapping[str, MetricHeads] = field(default_factory=dict, repr=False)
