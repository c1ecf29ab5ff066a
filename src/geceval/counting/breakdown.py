"""Sums and scores of counts by groups of edits or sentences.

A table by groups of edits sums the evidence of the chosen references by type, length or another key; a table by groups
of sentences sums their counts by label.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import sums_of_choices
from geceval.base.arguments import check_type
from geceval.base.errors import UsageError, short_traceback
from geceval.counting.consumers import Consumer, KeptCounts, ScoredCounts
from geceval.counting.counts import Counts, Floats
from geceval.counting.figures import weighted
from geceval.counting.groupings import Grouping, Label, SentenceColumns, UnscoredGroup, code_evidence, evidence_of
from geceval.counting.metric import AnyMetric, ByKind
from geceval.counting.metric_names import Metrics, metrics_of
from geceval.counting.results import Result, RunFacts, checked_views
from geceval.counting.run import Run
from geceval.counting.run_options import Progress, RunOptions
from geceval.counting.scores import Level
from geceval.statistics.sums import ExactSum
from geceval.text.corpus import TextSource, check_source


@dataclass(frozen=True, eq=False)
class Groups:
    """Sums of counts by group.

    Attributes:
        labels: Labels of the G groups, in the order of first appearance.
        sums: Sums [m, G, K] for each of the policy's m choices.
        sentences: Number of sentences by group, for groups of sentences.
    """

    labels: tuple[Label, ...]
    sums: NDArray[Any]
    sentences: tuple[int, ...] | None = None

    def sorted(self) -> Groups:
        """Return the groups sorted by label, with separate groups at the end."""
        try:
            order = sorted(
                range(len(self.labels)), key=lambda g: (isinstance(self.labels[g], UnscoredGroup), self.labels[g])
            )
        except TypeError:
            kinds = ", ".join(sorted({type(label).__name__ for label in self.labels}))
            raise UsageError(f"labels must be of one type to be sorted, not {kinds}") from None
        sentences = None if self.sentences is None else tuple(self.sentences[g] for g in order)
        return Groups(tuple(self.labels[g] for g in order), self.sums[:, order], sentences)


@dataclass
class _GroupSums:
    """Accumulator of groups, whose sums do not depend on the parts: exact for integers, rounded once for floats."""

    grouping: Grouping
    by_kind: ByKind = field(default_factory=ByKind)
    group_of: dict[Label, int] = field(default_factory=dict)
    sizes: Counter[Label] = field(default_factory=Counter)
    #: Sums [m, G, K] of integers.
    sums: NDArray[np.int64] | None = None
    #: Sums [m, 1, K] of integers that all groups share, or [1, 1, 1] without any.
    shared: NDArray[np.int64] = field(default_factory=lambda: np.zeros((1, 1, 1), np.int64))
    #: Sums of floats by choice and by g · K + k, the number of a cell of group g and column k.
    real_sums: dict[tuple[int, int], ExactSum] = field(default_factory=dict)

    def add(self, counts: Counts, choices: NDArray[np.intp]) -> None:
        if self.sums is None:
            self.sums = np.zeros((len(choices), 0, len(counts.columns)), np.int64)
        columns = self.sums.shape[2]
        if self.grouping.labels is not None:
            codes, label = self.grouping.coded(counts)
            self.sizes.update({label(code): size for code, size in Counter(codes.tolist()).items()})
            groups = self._groups_of(codes, label)
            if counts.array.dtype.kind != "f":
                sums_of_groups = self._widened()
                for group in np.unique(groups).tolist():
                    rows = groups == group
                    array = counts.array[rows].astype(np.int64, order="C")
                    sums_of_groups[:, group] += sums_of_choices(array, choices[:, rows].astype(np.uint32, order="C"))
                return
            cells = groups[:, np.newaxis] * columns + np.arange(columns)
            for number, choice in enumerate(choices):
                self._add_cells(number, cells.ravel(), counts.chosen(choice).ravel())
            return
        evidence = evidence_of(counts)
        codes, label = code_evidence(counts, self.grouping, self.by_kind.apart)
        of_sentences = SentenceColumns.of(self.by_kind, counts.columns)
        is_chosen = np.zeros(counts.array.shape[:2], dtype=bool)
        is_chosen[np.arange(len(counts)), choices] = True
        rows = np.flatnonzero(is_chosen[evidence.sentence, evidence.reference] & of_sentences.edit_rows(evidence))
        evidence = evidence.take(rows)
        groups = self._groups_of(codes[rows], label)
        cells = groups * columns + evidence.column
        weights = evidence.weight.astype(counts.array.dtype)
        for number, choice in enumerate(choices):
            chosen = evidence.reference == choice[evidence.sentence]
            self._add_cells(number, cells[chosen], weights[chosen])
            for column, edits in of_sentences.edits.items():
                of_edits = chosen & (evidence.column == edits)
                _, changed = np.unique(np.stack([evidence.sentence, groups])[:, of_edits], axis=1)
                self._add_cells(number, changed * columns + column, np.ones(len(changed), np.int64))
        if of_sentences.shared:
            totals = np.stack([counts.chosen(choice).sum(axis=0) for choice in choices])
            is_shared = np.isin(np.arange(columns), of_sentences.shared)
            self.shared = self.shared + (totals * is_shared)[:, np.newaxis]

    def _add_cells(self, number: int, cells: NDArray[np.intp], weights: NDArray[Any]) -> None:
        """Add weights to cells of the choice of references with this number."""
        if weights.dtype.kind != "f":
            np.add.at(self._widened()[number].reshape(-1), cells, weights)
            return
        order = np.argsort(cells, kind="stable")
        distinct, firsts = np.unique(cells[order], return_index=True)
        for cell, cell_weights in zip(distinct.tolist(), np.split(weights[order], firsts)[1:], strict=True):
            self.real_sums.setdefault((number, cell), ExactSum()).add(cell_weights)

    def _groups_of(self, codes: NDArray[Any], label: Callable[[Any], Label]) -> NDArray[np.intp]:
        """Return the group of each row; groups are numbered as they appear."""
        distinct, first_rows, inverse = np.unique(codes, return_index=True, return_inverse=True)
        groups = np.empty(len(distinct), dtype=np.intp)
        for index in np.argsort(first_rows).tolist():
            groups[index] = self.group_of.setdefault(label(distinct[index].item()), len(self.group_of))
        return groups[inverse]

    def _widened(self) -> NDArray[Any]:
        """Return the sums, with a row for each group so far."""
        assert self.sums is not None
        missing = len(self.group_of) - self.sums.shape[1]
        if missing:
            self.sums = np.pad(self.sums, [(0, 0), (0, missing), (0, 0)])
        return self.sums

    def merge(self, other: _GroupSums) -> None:
        if other.sums is None:
            return
        if self.sums is None:
            self.sums = np.zeros_like(other.sums[:, :0])
        self.shared = self.shared + other.shared
        columns = other.sums.shape[2]
        groups = [self.group_of.setdefault(label, len(self.group_of)) for label in other.group_of]
        self._widened()[:, groups] += other._widened()
        for (number, cell), sum_of_cell in other.real_sums.items():
            group, column = divmod(cell, columns)
            self.real_sums.setdefault((number, groups[group] * columns + column), ExactSum()).merge(sum_of_cell)
        self.sizes.update(other.sizes)

    def groups(self) -> Groups:
        if self.sums is None:
            raise UsageError("no sentences were counted")
        sentences = None if self.grouping.labels is None else tuple(self.sizes[label] for label in self.group_of)
        sums: NDArray[Any] = self._widened() + self.shared
        if self.real_sums:
            sums = sums.astype(np.float64)
            for (number, cell), sum_of_cell in self.real_sums.items():
                sums[number].reshape(-1)[cell] += sum_of_cell.value()
        return Groups(tuple(self.group_of), sums, sentences)


def group_counts(
    counts: Counts, choices: NDArray[np.intp], grouping: Grouping, by_kind: ByKind | None = None
) -> Groups:
    """Return the counts of a whole corpus by groups.

    Args:
        counts: Counts of the corpus.
        choices: Chosen references [S], or [m, S] for m choices.
        grouping: Grouping of edits or sentences.
        by_kind: Support of the metric for kinds of edits (None: evidence gives all columns).
    """
    sums = _GroupSums(grouping, by_kind or ByKind())
    sums.add(counts, np.atleast_2d(choices))
    return sums.groups()


class Breakdown(Consumer[Groups]):
    """Consumer that sums counts by groups, with the references of the whole corpus.

    Memory: the groups, and all counts if the policy chooses references at the end. Raises UsageError, when it is made,
    if the metric does not distinguish the kinds of edits.
    """

    def __init__(self, metric: AnyMetric, grouping: Grouping) -> None:
        super().__init__(metric)
        self.grouping, self.by_kind = grouping, grouping.by_kind(metric)
        self.state = metric.policy.start()
        self.sums = _GroupSums(grouping, self.by_kind)
        self.all_counts = KeptCounts(metric)
        self.columns = metric.columns

    def add(self, counts: Counts) -> None:
        self.columns = counts.columns
        if self.metric.policy.averages or self.metric.policy.at_end:
            self.all_counts.add(counts)
        else:
            self.sums.add(counts, self.metric.policy.choices(self.metric.figure, counts, state=self.state))

    def merge(self, other: Breakdown) -> None:
        self.metric.policy.check_merge()
        self.all_counts.merge(other.all_counts)
        self.sums.merge(other.sums)

    def result(self) -> Groups:
        if not self.all_counts.parts:
            return self.sums.groups()
        counts = self.all_counts.result()
        return group_counts(counts, self.metric.choices(counts), self.grouping, self.by_kind)

    def scores(self) -> dict[Label, GroupScore]:
        """Return the scores of the groups by sorted label."""
        groups = self.result().sorted()
        sums = groups.sums
        totals = sums[0] if len(sums) == 1 else sums.mean(axis=0)
        all_parts = {name: _mean_of_choices(part) for name, part in self.metric.parts(sums).items()}
        values = _mean_of_choices(self.metric.score(sums))
        scores = {}
        for g, label in enumerate(groups.labels):
            unknown = {*all_parts, "score"} if isinstance(label, UnscoredGroup) else self.by_kind.unknown
            parts = {name: None if name in unknown else part[g] for name, part in all_parts.items()}
            parts = {name: math.nan if part != part else part for name, part in parts.items()}  # one NaN object
            group_totals = dict(zip(self.columns, totals[g].tolist(), strict=True))
            value = None if "score" in unknown else values[g]
            sentences = None if groups.sentences is None else groups.sentences[g]
            scores[label] = GroupScore(group_totals, parts, value, sentences)
        return scores


def _mean_of_choices(values: Floats) -> list[float]:
    """Return the means over choices of values [m, G], as of one group, to the last bit."""
    # numpy rounds a sum over adjacent values, as in a score of the corpus, otherwise than a sum over rows.
    means: list[float] = np.ascontiguousarray(values.T).mean(axis=1).tolist()
    return means


# --- scores ---


@dataclass(frozen=True)
class GroupScore:
    """Score of one group, averaged over the m choices of references.

    Attributes:
        totals: Summed counts by column.
        parts: Parts of the score by name; NaN if a part has no value, such as precision if nothing is proposed, None if
            the counts of a group do not determine it.
        value: Score; None if the counts of a group do not determine it.
        sentences: Number of sentences, for groups of sentences.
    """

    totals: Mapping[str, float]
    parts: Mapping[str, float | None]
    value: float | None
    sentences: int | None = None


#: Groups of a mean of F: groups with any edit, with a gold edit, or all weighted by the number of gold edits.
Over: TypeAlias = Literal["any", "gold", "weighted"]


#: Default levels of scores of a corpus that has groups, too.
CORPUS: tuple[Level, ...] = ("corpus",)


class GroupedCounts(Consumer["GroupedResult"]):
    """Scores of a system under a metric, and its groups; ``views`` and ``details``: see ScoredCounts."""

    def __init__(
        self, metric: AnyMetric, grouping: Grouping, views: Collection[Level] = CORPUS, *, details: bool = False
    ) -> None:
        super().__init__(metric)
        self._scored = ScoredCounts(metric, views, details=details)
        self._breakdown = Breakdown(metric, grouping)

    def add(self, counts: Counts) -> None:
        self._scored.add(counts)
        self._breakdown.add(counts)

    def merge(self, other: GroupedCounts) -> None:
        self._scored.merge(other._scored)
        self._breakdown.merge(other._breakdown)

    def end(self, facts: RunFacts) -> None:
        super().end(facts)
        self._scored.end(facts)

    def result(self) -> GroupedResult:
        return GroupedResult(**vars(self._scored.result()) | {"_consumer": self}, breakdown=self._breakdown)

    def joined(self, following: GroupedCounts) -> GroupedCounts:
        """Return a consumer of the counts of both, with the facts of this one."""
        scored = self._scored
        both = GroupedCounts(self.metric, self._breakdown.grouping, scored.views, details=scored.details)
        both.merge(self)
        both.merge(following)
        both.end(self.facts)
        return both


@dataclass(frozen=True, eq=False, repr=False)
class GroupedResult(Result):
    """Scores of a system under a metric, and scores of groups.

    Attributes:
        breakdown: Counts of the groups.
    """

    breakdown: Breakdown = field(kw_only=True)

    def groups(self) -> dict[Label, GroupScore]:
        """Return the scores of the groups by sorted label."""
        return self.breakdown.scores()

    def macro(self, over: Over = "any") -> float:
        """Return the macro average: the mean F of the groups, such as types of edits.

        Args:
            over: "any" averages groups with any edit, "gold" groups with a gold edit, "weighted" all groups, weighted
                by their number of gold edits.

        Raises:
            UsageError: If the metric has no F by group, or no group has edits.
        """
        f = self.metric.figure.f
        scored = [group for label, group in self.groups().items() if not isinstance(label, UnscoredGroup)]
        if f is None or any(group.value is None for group in scored):
            raise UsageError(f"{self.metric.label} has no F of a kind of edits to average")
        rows = np.array([list(group.totals.values()) for group in scored]).reshape(-1, len(self.metric.columns))
        gold = weighted(rows, f.gold)
        values = np.array([group.value for group in scored])
        weights = {"any": np.ones(len(values)), "gold": (gold > 0).astype(float), "weighted": gold}[over]
        if not weights.sum():
            raise UsageError("no group has edits to average")
        return float((weights * values).sum() / weights.sum())


@short_traceback
def evaluate_groups(
    corpus: TextSource,
    metrics: Metrics,
    grouping: Grouping,
    *,
    views: Collection[Level] = CORPUS,
    details: bool = False,
    guard: bool = False,
    threads: int = 0,
    block: int | None = None,
    progress: Progress | None = None,
    checks: bool = True,
) -> dict[str, list[GroupedResult]]:
    """Score all systems on a corpus and on groups of its edits or sentences.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics or specifications, such as ``["green", geceval.Errant()]``.
        grouping: ``ByType(…)``, ``ByLength(…)`` or ``BySentence(…)``.
        views: Levels of the scores of the corpus.
        details: Also keep parts and counts of the sentences.
        guard: Add the unchanged source as the last system.
        threads: Number of threads (0: one per processor).
        block: Number of sentences counted together (None: by the metrics).
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn (GecevalWarning) about suspicious input.

    Returns:
        Results by system, in the order of ``metrics``; ``groups`` has the scores of the groups.

    Raises:
        UsageError: If a metric does not distinguish the kinds of edits.
        InputError: If the input cannot be scored.
    """
    check_type("grouping", grouping, Grouping, "ByType(…), ByLength(…) or BySentence(…)")
    views = checked_views(views)
    check_source(corpus)
    has_evidence = grouping.labels is None
    options = RunOptions(threads, block, has_evidence, labels=grouping.labels, progress=progress, checks=checks)
    run = Run(corpus.with_unchanged() if guard else corpus, metrics_of(metrics), options)
    return run.results(lambda _, metric: GroupedCounts(metric, grouping, views, details=details))
