"""What a comparison of systems yields: plain numbers, to be written as JSON or rendered as tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from geceval.counting.metric_names import MetricHeads
from geceval.text.files import SOURCE


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

    def turned(self) -> Pair:
        """The same pair with the other system first."""
        return replace(
            self, a=self.b, b=self.a, difference=-self.difference, low=-self.high, high=-self.low,
            effect=-self.effect, better=self.worse, worse=self.better,
        )  # fmt: skip


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

    @property
    def metrics(self) -> list[str]:
        """The metrics in the order given."""
        return list(dict.fromkeys(score.metric for score in self.systems))

    @property
    def groups(self) -> list[str]:
        """The groups in the order given; that of all sentences is none."""
        return list(dict.fromkeys(score.group for score in self.systems if score.group is not None))

    def in_percent(self, metric: str) -> bool:
        """Whether a metric's scores are printed times 100."""
        return metric not in self.not_in_percent

    def higher_is_better(self, metric: str) -> bool:
        """Whether a high score of a metric is a good one."""
        return metric not in self.lower_is_better

    def overall(self, metric: str) -> list[SystemScore]:
        """A metric's scores of the whole corpus, or of the first group where only groups were compared."""
        own = [score for score in self.systems if score.metric == metric]
        return [score for score in own if score.group == own[0].group]

    def best_first(self, metric: str) -> list[SystemScore]:
        """A metric's scores, that of the unchanged source last."""
        sign = self._sign(metric)
        return sorted(self.overall(metric), key=lambda score: (score.system == SOURCE, -sign * score.value))

    def is_shown(self, pair: Pair) -> bool:
        """Whether a difference is more than chance."""
        return pair.p_adjusted < self.alpha and pair.difference != 0

    def from_the_better(self, pair: Pair) -> Pair:
        """The same pair with the better system first."""
        return pair.turned() if self._sign(pair.metric) * pair.difference < 0 else pair

    def is_turned(self, of: Pair | Power) -> bool:
        """Whether the better system, or the one that is held against the baseline, is the second one."""
        if self.baseline is not None:
            return of.a == self.baseline
        return self._sign(of.metric) * of.difference < 0

    def _sign(self, metric: str) -> int:
        return 1 if self.higher_is_better(metric) else -1
