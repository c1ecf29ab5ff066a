"""What a comparison of systems yields: plain numbers, to be written as JSON or rendered as tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


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
    tested; ``exact``: all labellings were enumerated. ``effect``: the difference over the replicates' standard
    deviation under no difference. ``better``, ``equal``, ``worse``: shares of the sentences on which a scores above, as
    and below b. ``differing``: sentences whose counts differ.
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


@dataclass(frozen=True)
class Comparison:
    """All of a run: ``systems`` in the order given, metric by metric; ``pairs`` all, or those with the baseline.

    ``signatures``: of each metric. ``signature``: of the statistics (test, samples, seed, adjustment, blocks,
    treatment of references). ``warnings``: what the numbers cannot bear. ``lower_is_better``: the metrics of which a
    low score is a good one.
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
