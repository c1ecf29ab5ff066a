"""Results of a comparison of systems, and the tables of systems that several reports share."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal

from geceval.base.ties import TOLERANCE, order_of_best
from geceval.counting.metric_names import MetricHeads
from geceval.resampling.break_even import Decisions
from geceval.tables.shown_results import FrameRow
from geceval.tables.table import (
    FilledColumns,
    ReportTable,
    TableCell,
    TableColumn,
    TableRow,
    Value,
    best_cells,
    ceiling_legend,
    confidence,
    forms_note,
    interval,
    shown,
    table_columns,
    with_minus,
)
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
        rank_low: Best rank that the tests allow, from 1; 0 for the unchanged source and without a score.
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
            given in different forms are ranked separately, and tested only against a baseline.
        outputs: Numbers of lines of each system that is text, if the input is checked.
        uncorrected: Systems that leave all sentences unchanged, such as the source given as a system; tables do not
            mark them.
        decisions: Net benefit by the cost of a wrong edit, by metric that counts edits.
        by_annotator: The pairs on the whole corpus with the references of each annotator alone, where all sentences
            have as many references and a metric counts each alone.
        primary: Name of the only metric whose differences are tested; None: all metrics.
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
    decisions: Mapping[str, Decisions] = field(default_factory=dict)
    by_annotator: tuple[Pair, ...] = field(default=(), repr=False)
    primary: str | None = None

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
        scores = [score for score in self.systems if score.metric == metric]
        return [score for score in scores if score.group == scores[0].group]

    def best_first(self, metric: str) -> list[SystemScore]:
        """Return a metric's scores by form, from best to worst, the source last."""
        sign = self._sign(metric)
        scores = self.overall(metric)
        in_order = [scores[index] for index in order_of_best([sign * score.value for score in scores])]
        return sorted(in_order, key=lambda score: (score.system == SOURCE, self.form(metric, score.system)))

    def form(self, metric: str, system: str) -> str:
        """Return the group in which a system is ranked.

        It is the form of the system if forms are mixed, and SOURCE for the source.
        """
        return SOURCE if system == SOURCE else self.forms.get(metric, {}).get(system, "")

    def ceiling(self, metric: str) -> float | None:
        """Return the best score of the gold's corrected texts under a metric."""
        ceilings = self.ceilings.get(metric, {}).values()
        return (max if self.higher_is_better(metric) else min)(ceilings) if ceilings else None

    def is_tested(self, metric: str) -> bool:
        """Return whether the pairs of systems are tested under a metric."""
        return bool(self.pairs) and self.primary in (None, metric)

    def is_shown(self, pair: Pair) -> bool:
        """Return whether a difference is significant."""
        return pair.p_adjusted < self.alpha and abs(pair.difference) > TOLERANCE

    def of_annotators(self, pair: Pair) -> list[Pair]:
        """Return a pair with the references of each annotator alone, in their order."""
        rows = self._by_pair.get((pair.metric, frozenset((pair.a, pair.b))), [])
        return [row if row.a == pair.a else row.swapped() for row in rows]

    @cached_property
    def _by_pair(self) -> dict[tuple[str, frozenset[str]], list[Pair]]:
        """Pairs of annotators by metric and systems."""
        by_pair: dict[tuple[str, frozenset[str]], list[Pair]] = {}
        for row in self.by_annotator:
            by_pair.setdefault((row.metric, frozenset((row.a, row.b))), []).append(row)
        return by_pair

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

    def from_the_better(self, pair: Pair) -> Pair:
        """Return the same pair with the better system first."""
        return pair.swapped() if self._sign(pair.metric) * pair.difference < -TOLERANCE else pair

    def is_swapped(self, row: Pair | Power) -> bool:
        """Return whether reports exchange the two systems.

        Reports show the better system first, or with a baseline the other system.
        """
        if self.baseline is not None:
            return row.a == self.baseline
        return self._sign(row.metric) * row.difference < -TOLERANCE

    def _sign(self, metric: str) -> int:
        return 1 if self.higher_is_better(metric) else -1


#: Maximum number of pairs that are named; more pairs are counted.
NAMED = 3
#: Columns of CSV and TSV output.
RANKING_COLUMNS = (
    *table_columns("score", "value", "low", "high", "deviation"),
    *table_columns("count", "rank_low", "rank_high", "cluster"),
)
#: Columns of scores in data frames, after system, metric and group.
SCORES = ("value", "low", "high", "deviation", "rank_low", "rank_high", "cluster")


def ranking_table(
    scores: Sequence[SystemScore],
    figure: str,
    alpha: float,
    title: str,
    notes: Sequence[str] = (),
    *,
    percent: bool = False,
    higher_is_better: bool = True,
    forms: Mapping[str, str] | None = None,
    uncorrected: Collection[str] = (),
    legend: Sequence[str] = (),
    above: Sequence[str] = (),
) -> ReportTable:
    """Return scores, intervals and ranks, with a row for each system.

    If the best systems come first, lines separate clusters and, if ``forms`` are mixed, systems given in different
    forms.

    Args:
        scores: Scores of the systems under one metric.
        figure: Head of the column of scores.
        alpha: 1 − the level of the intervals.
        title: Title of the table.
        notes: Lines below the table.
        percent: Multiply scores by 100.
        higher_is_better: Whether high scores are good.
        forms: Form of each system, "M2" or "text", if they are mixed.
        uncorrected: Systems that are never marked as the best.
        legend: Explanations below the table.
        above: Lines above the table.
    """
    between = between_runs(scores, percent=percent)
    columns = [
        TableColumn("system"),
        TableColumn(figure, "figure", percent),
        TableColumn(f"{confidence(alpha)} interval", "interval", percent),
        TableColumn("s.d.", "figure", percent, spare=1),
        *(column for column, _ in between),
        TableColumn("ranks", "count"),
        TableColumn("cluster", "count", missing="–", spare=2),
    ]
    groups = [SOURCE if score.system == SOURCE else (forms or {}).get(score.system, "") for score in scores]
    unmarked, values = [score.system in uncorrected for score in scores], [score.value for score in scores]
    cells = best_cells(values, higher_is_better=higher_is_better, groups=groups, unmarked=unmarked)
    rows: list[TableRow] = []
    for index, (score, cell) in enumerate(zip(scores, cells, strict=True)):
        name = f"{score.system} ({len(score.runs)} runs)" if score.runs else score.system
        ranks = shown_ranks(score) if score.cluster else "–"
        deviations_of_runs = [values[index] for _, values in between]
        rows.append(
            [name, cell, (score.low, score.high), score.deviation, *deviations_of_runs, ranks, score.cluster or None]
        )
    ranked = [(index, (group, scores[index].cluster)) for index, group in enumerate(groups) if scores[index].cluster]
    clusters = [cluster for _, cluster in ranked]
    begins = [index for (_, above), (index, cluster) in pairwise(ranked) if cluster != above]
    sections = begins if clusters == sorted(clusters) else ()
    return ReportTable(columns, rows, notes, title, legend, sections, above)


def shown_ranks(score: SystemScore) -> str:
    """Return the range of ranks that the tests allow, as in "1-3"."""
    return f"{score.rank_low}-{score.rank_high}"


def between_runs(scores: Sequence[SystemScore | None], *, percent: bool) -> FilledColumns:
    """Return a column of standard deviations between runs if a system has several runs."""
    deviations = [None if score is None else score.runs_deviation for score in scores]
    column = TableColumn("± between runs", "figure", percent, beside=True)
    return [(column, deviations)] if any(value is not None for value in deviations) else []


def ranking_cells(score: SystemScore, percent: bool) -> list[Value | TableCell]:
    """Return the cells of one system, in the order of RANKING_COLUMNS."""
    numbers = (score.value, score.low, score.high, score.deviation)
    return [*(TableCell(value, percent=percent) for value in numbers), score.rank_low, score.rank_high, score.cluster]


def ordered(comparison: Comparison) -> dict[str, list[str]]:
    """Return the systems by metric, from best to worst, the source last."""
    return {metric: [score.system for score in comparison.best_first(metric)] for metric in comparison.metrics}


def score_cells(
    comparison: Comparison, metric: str, systems: Sequence[str], values: Sequence[float | None]
) -> list[TableCell]:
    """Return the cells of systems' scores, with the best score of each form marked."""
    forms = [comparison.form(metric, system) for system in systems]
    unmarked = [system in comparison.uncorrected for system in systems]
    return best_cells(values, higher_is_better=comparison.higher_is_better(metric), groups=forms, unmarked=unmarked)


def group_table(
    comparison: Comparison,
    metric: str,
    head: str,
    scores: Sequence[tuple[str | None, Sequence[float | None]]],
    systems: Sequence[str],
    title: str,
    sizes: Sequence[int] | None = None,
) -> ReportTable:
    """Return a table of groups × systems, with the best score of each group marked.

    Args:
        comparison: The comparison.
        metric: Label of the metric.
        head: Head of the column of groups.
        scores: Each group with the scores of the systems.
        systems: Names of the systems, in the order of the columns.
        title: Title of the table.
        sizes: Number of sentences of each group, as a column.
    """
    columns = [TableColumn(head), *([] if sizes is None else [TableColumn("sentences", "count")])]
    columns += table_columns("figure", *systems, percent=comparison.in_percent(metric))
    rows: list[TableRow] = []
    for index, (group, values) in enumerate(scores):
        size = [] if sizes is None else [f"{sizes[index]:,}"]
        rows.append([shown_group(group), *size, *score_cells(comparison, metric, systems, values)])
    return ReportTable(columns, rows, title=title)


def shown_group(group: str | None) -> str:
    """Return the name of a group in a table; None stands for all sentences."""
    return "all" if group is None else group or "(none)"


def shown_figure(comparison: Comparison, metric: str, value: float, digits: int) -> str:
    """Return a score, or a difference of scores, as it is shown in a sentence."""
    return with_minus(shown(value, digits, comparison.in_percent(metric)))


def shown_interval(comparison: Comparison, row: SystemScore | Pair, digits: int) -> str:
    """Return the interval of a score or a difference as it is shown in a sentence."""
    scale = 100 if comparison.in_percent(row.metric) else 1
    return interval(scale * row.low, scale * row.high, digits)


def marked_systems(comparison: Comparison, metric: str) -> list[str]:
    """Return the systems that are marked in a table of scores.

    With a baseline, they differ from it on the whole corpus. Without one, they are not shown to differ from a best
    system that is given in their form, and are not among the best themselves. The uncorrected source is never marked.
    """
    baseline, ranked = comparison.baseline, comparison.best_first(metric)
    cells = score_cells(comparison, metric, [score.system for score in ranked], [score.value for score in ranked])
    best = [score.system for score, cell in zip(ranked, cells, strict=True) if cell.best]
    unmarked = {SOURCE, *comparison.uncorrected, *(best if baseline is None else ())}
    marked = [
        pair.b if pair.a == against else pair.a
        for against in (best if baseline is None else [baseline])
        for pair in comparison.pairs
        if pair.metric == metric and pair.group is None and against in (pair.a, pair.b) and pair.is_defined
        if comparison.is_shown(pair) == (baseline is not None)
    ]
    return [system for system in dict.fromkeys(marked) if system not in unmarked and comparison.is_tested(metric)]


def mixed_forms_lines(comparison: Comparison, metrics: Sequence[str]) -> list[str]:
    """Return a line for above a table that contains systems given as M2 and as text."""
    mixed = [metric for metric in metrics if metric in comparison.forms]
    return forms_note([comparison.heads[metric].label for metric in mixed], comparison.forms[mixed[0]]) if mixed else []


def ceiling_lines(comparison: Comparison, metrics: Sequence[str]) -> list[str]:
    """Return a line with the ceilings of metrics; empty if no metric has a ceiling."""
    return ceiling_legend(
        {
            comparison.heads[metric].label: (comparison.ceiling(metric), comparison.in_percent(metric))
            for metric in metrics
        }
    )


def power_facing(comparison: Comparison, row: Power) -> Power:
    """Return a row with its better system first, or with the baseline second."""
    return replace(row, a=row.b, b=row.a, difference=-row.difference) if comparison.is_swapped(row) else row


def score_rows(scores: Sequence[SystemScore], *, grouped: bool) -> Iterator[FrameRow]:
    """Yield a row of a data frame for each system and metric."""
    for score in scores:
        group = {"group": score.group} if grouped else {}
        yield {"system": score.system, "metric": score.metric} | group | {name: getattr(score, name) for name in SCORES}
