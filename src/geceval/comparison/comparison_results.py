"""Results of a comparison of systems: plain numbers that become JSON or tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from geceval.base.ties import TOLERANCE, order_of_best
from geceval.counting.metric_names import MetricHeads
from geceval.text.files import SOURCE


@dataclass(frozen=True)
class SystemScore:
    """A system's score under a metric, with its interval and its rank range.

    Attributes:
        system: Name of the system.
        metric: Name of the metric.
        value: Official score on the metric's scale, not in per cent.
        low: Lower bound of the bootstrap interval.
        high: Upper bound of the bootstrap interval.
        deviation: Standard deviation of the bootstrap replicates.
        rank_low: Best rank that the tests allow, from 1.
        rank_high: Worst rank that the tests allow.
        cluster: Cluster of the system, from 1: the tests show every system of a cluster to be better than every
            system of a later one.
        group: Kind of edit or group of sentences; None for the whole corpus.
        ceiling: Best score of the gold's own corrected texts, for a system given as text against given gold edits.
        runs: Score of each run, if the system has several; ``value`` is their mean.
        runs_deviation: Standard deviation between the runs.
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
    ceiling: float | None = None
    runs: Mapping[str, float] = field(default_factory=dict)
    runs_deviation: float | None = None


@dataclass(frozen=True)
class Pair:
    """The difference of two systems under a metric, with its interval and p-value.

    Attributes:
        a: Name of the first system.
        b: Name of the second system.
        metric: Name of the metric.
        difference: Score of ``a`` minus score of ``b``, on the metric's scale.
        low: Lower bound of the difference's bootstrap interval.
        high: Upper bound of the difference's bootstrap interval.
        p: Two-sided p-value.
        p_adjusted: p-value corrected for all tests of the comparison.
        effect: Difference divided by the standard deviation of its replicates; grows with the number of sentences.
        better: Share of the sentences on which ``a`` is better than ``b``, in [0, 1].
        equal: Share of the sentences with equal scores.
        worse: Share of the sentences on which ``a`` is worse than ``b``.
        differing: Number of sentences whose counts differ.
        exact: Whether the test enumerated all labellings.
        group: Kind of edit or group of sentences; None for the whole corpus.
        error: Monte Carlo standard error of ``p``; 0 if exact.
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
        """Return the same pair with the systems exchanged."""
        return replace(
            self, a=self.b, b=self.a, difference=-self.difference, low=-self.high, high=-self.low,
            effect=-self.effect, better=self.worse, worse=self.better,
        )  # fmt: skip


@dataclass(frozen=True)
class Power:
    """Number of sentences that a test requires to detect a difference.

    Attributes:
        a: Name of the first system.
        b: Name of the second system.
        metric: Name of the metric.
        difference: Score of ``a`` minus score of ``b`` on the pilot sentences.
        deviation_per_sentence: Standard deviation of the difference, times the square root of ``sentences``.
        sentences: Number of sentences of the pilot.
        needed: Number of sentences to detect ``difference`` at level ``alpha`` with probability ``power``; None if
            the difference is 0.
        detectable: Smallest difference that ``sentences`` sentences detect with this probability.
        power: Probability of detection, in (0, 1).
        alpha: Significance level.
        group: Kind of edit or group of sentences; None for the whole corpus.
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
    """Scores of all systems and differences of all tested pairs, under each metric.

    Attributes:
        systems: Scores by metric and group, systems in the order of the corpus.
        pairs: All pairs, or those with the baseline.
        signature: Settings of the statistics: test, samples, seed, correction, blocks, treatment of references.
        signatures: Signature of each metric.
        sentences: Number of sentences.
        blocks: Number of resampled units: blocks, or sentences without blocks.
        alpha: Significance level.
        baseline: Name of the baseline, if any.
        warnings: Reasons why numbers may be unreliable.
        lower_is_better: Metrics whose low scores are good.
        not_in_percent: Metrics, and parts ("metric part"), that tables do not multiply by 100.
        heads: Column heads of each metric in tables.
        ceilings: Scores of the gold's corrected texts by metric and annotator, where given gold edits meet text.
        forms: Whether each system is given as "M2" or as "text", by metric, if this matters and both occur. Systems
            given in different forms are ranked apart, and tested only against a baseline.
        outputs: Numbers of lines of each system that is text, if the input is checked.
        uncorrected: Systems that leave all sentences unchanged, such as the source given as a system; tables do not
            mark them.
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
    ceilings: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    forms: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    outputs: Mapping[str, Mapping[str, int]] = field(default_factory=dict, compare=False)
    uncorrected: tuple[str, ...] = ()

    @property
    def metrics(self) -> list[str]:
        """Names of the metrics, in their order."""
        return list(dict.fromkeys(score.metric for score in self.systems))

    @property
    def groups(self) -> list[str]:
        """Labels of the groups, in their order; the whole corpus is not a group."""
        return list(dict.fromkeys(score.group for score in self.systems if score.group is not None))

    def in_percent(self, metric: str) -> bool:
        """Return whether tables multiply scores of "metric" or "metric part" by 100."""
        return metric not in self.not_in_percent

    def higher_is_better(self, metric: str) -> bool:
        """Return whether high scores of a metric are good."""
        return metric not in self.lower_is_better

    def overall(self, metric: str) -> list[SystemScore]:
        """Return a metric's scores of the whole corpus, or else of the first group."""
        own = [score for score in self.systems if score.metric == metric]
        return [score for score in own if score.group == own[0].group]

    def best_first(self, metric: str) -> list[SystemScore]:
        """Return a metric's scores by form, from best to worst, the source last."""
        sign = self._sign(metric)
        given = self.overall(metric)
        scores = [given[at] for at in order_of_best([sign * score.value for score in given])]
        return sorted(scores, key=lambda score: (score.system == SOURCE, self.form(metric, score.system)))

    def form(self, metric: str, system: str) -> str:
        """Return the group in which a system is ranked.

        It is the form of the system if forms are mixed, and SOURCE for the source.
        """
        return SOURCE if system == SOURCE else self.forms.get(metric, {}).get(system, "")

    def ceiling(self, metric: str) -> float | None:
        """Return the best score of the gold's corrected texts under a metric."""
        own = self.ceilings.get(metric, {}).values()
        return (max if self.higher_is_better(metric) else min)(own) if own else None

    def is_shown(self, pair: Pair) -> bool:
        """Return whether a difference is significant."""
        return pair.p_adjusted < self.alpha and abs(pair.difference) > TOLERANCE

    def from_the_better(self, pair: Pair) -> Pair:
        """Return the same pair with the better system first."""
        return pair.turned() if self._sign(pair.metric) * pair.difference < -TOLERANCE else pair

    def is_turned(self, of: Pair | Power) -> bool:
        """Return whether reports exchange the two systems.

        Reports show the better system first, or with a baseline the other system.
        """
        if self.baseline is not None:
            return of.a == self.baseline
        return self._sign(of.metric) * of.difference < -TOLERANCE

    def _sign(self, metric: str) -> int:
        return 1 if self.higher_is_better(metric) else -1
