"""Results of a comparison of systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from geceval.base.ties import TOLERANCE, order_of_best
from geceval.counting.metric import Scale
from geceval.counting.metric_names import MetricHeads
from geceval.resampling.break_even import Decisions
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
        rank_low: Best rank that the tests allow, from 1; 0 for the unchanged source, without a score, and under a
            metric that is no quality.
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
        p: Two-sided p-value; NaN for a difference without a value.
        p_adjusted: p-value corrected for all tests of the comparison; NaN for a difference that is not tested.
        effect: Difference divided by the standard deviation of its replicates; grows with the number of sentences.
        better: Share of the sentences on which ``a`` is better than ``b``, in [0, 1].
        equal: Share of the sentences with equal scores.
        worse: Share of the sentences on which ``a`` is worse than ``b``.
        differing: Number of sentences whose counts differ.
        exact: Whether the test enumerated all labellings.
        group: Kind of edit or group of sentences; None for the whole corpus.
        error: Monte Carlo standard error of ``p``; 0 if exact or with several runs.
        annotator: Number of the annotator whose references alone are used; None for all.
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
    annotator: int | None = None

    @property
    def is_defined(self) -> bool:
        """Whether the difference has a value, so that it can be tested."""
        return not (math.isnan(self.difference) or math.isnan(self.p))

    def swapped(self) -> Pair:
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
            the difference is 0 or has no value.
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
class MetricComparison:
    """Scores of all systems and differences of all tested pairs, under one metric.

    Attributes:
        name: Name of the metric.
        heads: Label of the metric, and name of its scores in tables.
        scale: Values of scores and their parts, and how tables show them.
        signature: Signature of the metric.
        systems: Scores by group, systems in the order of the corpus.
        pairs: All pairs by group, or those with the baseline.
        by_annotator: The pairs on the whole corpus with the references of each annotator alone, if all sentences have
            as many references and the metric counts each alone.
        ceilings: Scores of the gold's corrected texts by annotator, where given gold edits meet text.
        forms: Whether each system is given as "M2" or as "text", if this matters and both occur. Systems given in
            different forms are ranked separately, and tested only against a baseline.
        decisions: Net benefit by the cost of a wrong edit; None for a metric that does not count edits.
        warnings: Reasons why scores under the metric may be unreliable.
        sentences: Number of sentences that the metric counts, of the system with the fewest.
    """

    name: str
    heads: MetricHeads
    scale: Scale
    signature: str
    systems: tuple[SystemScore, ...]
    pairs: tuple[Pair, ...] = ()
    by_annotator: tuple[Pair, ...] = ()
    ceilings: Mapping[str, float] = field(default_factory=dict)
    forms: Mapping[str, str] = field(default_factory=dict)
    decisions: Decisions | None = None
    warnings: tuple[str, ...] = ()
    sentences: int = 0

    @property
    def label(self) -> str:
        """Label of the metric in tables."""
        return self.heads.label

    @property
    def in_percent(self) -> bool:
        """Whether tables multiply scores by 100."""
        return self.scale.in_percent

    @property
    def higher_is_better(self) -> bool:
        """Whether high scores are good."""
        return self.scale.higher_is_better

    @property
    def is_description(self) -> bool:
        """Whether neither high nor low scores are good."""
        return bool(self.scale.description)

    @property
    def better_than(self) -> str:
        """Verb phrase between the system with the better score and another one."""
        return f"{self.scale.description} more than" if self.is_description else "is better than"

    @property
    def sign(self) -> int:
        """1 if high scores are good, or else -1."""
        return self.scale.sign

    @property
    def ceiling(self) -> float | None:
        """Best score of the gold's corrected texts; None without a ceiling."""
        return self.scale.best(self.ceilings.values()) if self.ceilings else None

    @property
    def overall(self) -> list[SystemScore]:
        """Scores of the whole corpus, or else of the first group."""
        return self.scores_of(self.systems[0].group)

    @property
    def best_first(self) -> list[SystemScore]:
        """Scores by form, from best to worst, the source last."""
        scores = self.overall
        in_order = [scores[index] for index in order_of_best([self.sign * score.value for score in scores])]
        return sorted(in_order, key=lambda score: (score.system == SOURCE, self.form(score.system)))

    def scores_of(self, group: str | None) -> list[SystemScore]:
        """Return the scores of a group, or of the whole corpus."""
        return [score for score in self.systems if score.group == group]

    def pairs_of(self, group: str | None) -> list[Pair]:
        """Return the pairs of a group, or of the whole corpus."""
        return [pair for pair in self.pairs if pair.group == group]

    def form(self, system: str) -> str:
        """Return the group in which a system is ranked.

        It is the form of the system if forms are mixed, and SOURCE for the source.
        """
        return SOURCE if system == SOURCE else self.forms.get(system, "")

    def from_the_better(self, pair: Pair) -> Pair:
        """Return the same pair with the better system first."""
        return pair.swapped() if self.sign * pair.difference < -TOLERANCE else pair

    def of_annotators(self, pair: Pair) -> list[Pair]:
        """Return a pair with the references of each annotator alone, in their order."""
        rows = self._by_systems.get(frozenset((pair.a, pair.b)), [])
        return [row if row.a == pair.a else row.swapped() for row in rows]

    @cached_property
    def _by_systems(self) -> dict[frozenset[str], list[Pair]]:
        """Pairs of annotators by systems."""
        by_systems: dict[frozenset[str], list[Pair]] = {}
        for row in self.by_annotator:
            by_systems.setdefault(frozenset((row.a, row.b)), []).append(row)
        return by_systems


@dataclass(frozen=True)
class Comparison(Mapping[str, MetricComparison]):
    """Comparison of systems under each metric: a mapping of names of metrics, in their order.

    Attributes:
        by_metric: Scores and differences under each metric, by name.
        signature: Settings of the statistics: test, samples, seed, correction, blocks, treatment of references.
        sentences: Number of sentences.
        blocks: Number of resampled units: blocks, or sentences without blocks.
        alpha: Significance level.
        baseline: Name of the baseline, if any.
        warnings: Reasons why numbers may be unreliable, under one metric or under all.
        outputs: Numbers of lines of each system that is text, if the input is checked.
        uncorrected: Systems that leave all sentences unchanged, such as the source given as a system; tables do not
            mark them.
        primary: Name of the only metric whose differences are tested; None: all metrics.
    """

    by_metric: Mapping[str, MetricComparison]
    signature: str
    sentences: int
    blocks: int
    alpha: float
    baseline: str | None = None
    warnings: tuple[str, ...] = ()
    outputs: Mapping[str, Mapping[str, int]] = field(default_factory=dict, compare=False)
    uncorrected: tuple[str, ...] = ()
    primary: str | None = None

    def __getitem__(self, name: str) -> MetricComparison:
        return self.by_metric[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_metric)

    def __len__(self) -> int:
        return len(self.by_metric)

    @cached_property
    def systems(self) -> tuple[SystemScore, ...]:
        """Scores by metric and group, systems in the order of the corpus."""
        return tuple(score for metric in self.values() for score in metric.systems)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """All pairs by metric and group, or those with the baseline."""
        return tuple(pair for metric in self.values() for pair in metric.pairs)

    @cached_property
    def by_annotator(self) -> tuple[Pair, ...]:
        """The pairs with the references of each annotator alone, by annotator and metric."""
        pairs = [pair for metric in self.values() for pair in metric.by_annotator]
        return tuple(sorted(pairs, key=lambda pair: pair.annotator or 0))

    @property
    def signatures(self) -> dict[str, str]:
        """Signature of each metric."""
        return {name: metric.signature for name, metric in self.items()}

    @property
    def groups(self) -> list[str]:
        """Labels of the groups, in their order; the whole corpus is not a group."""
        return list(dict.fromkeys(score.group for score in self.systems if score.group is not None))

    def is_tested(self, metric: str) -> bool:
        """Return whether the pairs of systems are tested under a metric."""
        return bool(self.pairs) and self.primary in (None, metric)

    def is_shown(self, pair: Pair) -> bool:
        """Return whether a difference is significant."""
        return pair.p_adjusted < self.alpha and abs(pair.difference) > TOLERANCE

    def holds(self, pair: Pair, of_annotator: Pair) -> Literal["holds", "undecided", "reversed"]:
        """Return whether a result holds with the references of one annotator.

        "holds" if both differences are significant and have one direction; "reversed" if the directions differ and at
        least one of the differences is significant; otherwise "undecided".
        """
        if not (self.is_shown(pair) or self.is_shown(of_annotator)):
            return "undecided"
        product = pair.difference * of_annotator.difference
        if product < 0 and min(abs(pair.difference), abs(of_annotator.difference)) > TOLERANCE:
            return "reversed"
        return "holds" if self.is_shown(pair) and self.is_shown(of_annotator) else "undecided"

    def is_swapped(self, row: Pair | Power) -> bool:
        """Return whether reports exchange the two systems.

        Reports show the better system first, or with a baseline the other system.
        """
        if self.baseline is not None:
            return row.a == self.baseline
        return self[row.metric].sign * row.difference < -TOLERANCE
