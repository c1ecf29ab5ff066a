"""Sums of counts by groups: of the chosen references' evidence by its key, or of sentences by their labels.

A table by groups is no second kind of counts: it is the evidence of the chosen references, grouped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import shown
from geceval.base.errors import UsageError
from geceval.counting.consumers import Consumer, KeptCounts, Result
from geceval.counting.contract import Contract, Given
from geceval.counting.counts import Counts
from geceval.counting.figures import F, weighted
from geceval.counting.groups.groupings import Apart, Grouping, Label, coded_evidence, evidence_of
from geceval.counting.run import Run
from geceval.counting.stream import AnyMetric, Progress
from geceval.text.corpus import TextSource

# --- sums ---


@dataclass(frozen=True, eq=False)
class Groups:
    """The sums ``sums[m, g, k]`` of G groups, for each of the policy's m choices.

    ``labels[g]`` in the order of first appearance; ``sentences[g]``, how many a group has, if it is one of sentences.
    """

    labels: tuple[Label, ...]
    sums: NDArray[Any]
    sentences: tuple[int, ...] | None = None

    def sorted(self) -> Groups:
        """The groups by label, those apart at the end."""
        try:
            order = sorted(range(len(self.labels)), key=lambda g: (isinstance(self.labels[g], Apart), self.labels[g]))
        except TypeError:
            kinds = ", ".join(sorted({type(label).__name__ for label in self.labels}))
            raise UsageError(f"labels of one kind are needed, which can be sorted, not of {kinds}") from None
        sentences = None if self.sentences is None else tuple(self.sentences[g] for g in order)
        return Groups(tuple(self.labels[g] for g in order), self.sums[:, order], sentences)


@dataclass
class _GroupSums:
    """Groups as they grow. Weights are added row by row, so that parts after each other give the bits of the whole."""

    grouping: Grouping
    apart: Mapping[str, str] = field(default_factory=dict)
    places: dict[Label, int] = field(default_factory=dict)
    sizes: Counter[Label] = field(default_factory=Counter)
    sums: NDArray[Any] | None = None

    def add(self, counts: Counts, choices: NDArray[np.intp]) -> None:
        if self.sums is None:
            self.sums = np.zeros((len(choices), 0, len(counts.columns)), counts.array.dtype)
        if self.grouping.labels is not None:
            codes, label = self.grouping.coded(counts)
            self.sizes.update({label(code): size for code, size in Counter(codes.tolist()).items()})
            places = self._places(codes, label)  # the same whatever is chosen
            for m, choice in enumerate(choices):
                self._add_rows(m, places, slice(None), counts.chosen(choice))
            return
        evidence = evidence_of(counts)
        codes, label = coded_evidence(counts, self.grouping, self.apart)
        for m, choice in enumerate(choices):
            rows = np.flatnonzero(evidence.reference == choice[evidence.sentence])
            self._add_rows(m, self._places(codes[rows], label), evidence.column[rows], evidence.weight[rows])

    def _places(self, codes: NDArray[Any], label: Callable[[Any], Label]) -> NDArray[np.intp]:
        """The group of each row; groups are numbered as they appear."""
        used, first, place = np.unique(codes, return_index=True, return_inverse=True)
        groups = np.empty(len(used), dtype=np.intp)
        for at in np.argsort(first).tolist():
            groups[at] = self.places.setdefault(label(used[at].item()), len(self.places))
        return groups[place]

    def _add_rows(self, m: int, places: NDArray[np.intp], column: Any, more: NDArray[Any]) -> None:
        sums = self._wide()
        np.add.at(sums[m], (places, column), more.astype(sums.dtype))

    def _wide(self) -> NDArray[Any]:
        """The sums, with a row for each group there is by now."""
        assert self.sums is not None
        missing = len(self.places) - self.sums.shape[1]
        if missing:
            self.sums = np.pad(self.sums, [(0, 0), (0, missing), (0, 0)])
        return self.sums

    def merge(self, other: _GroupSums) -> None:
        if other.sums is None:
            return
        if self.sums is None:
            self.sums = np.zeros_like(other.sums[:, :0])
        groups = [self.places.setdefault(label, len(self.places)) for label in other.places]
        self._wide()[:, groups] += other.sums
        self.sizes.update(other.sizes)

    def groups(self) -> Groups:
        if self.sums is None:
            raise UsageError("nothing was counted")
        sentences = None if self.grouping.labels is None else tuple(self.sizes[label] for label in self.places)
        return Groups(tuple(self.places), self.sums, sentences)


def grouped(
    counts: Counts, choices: NDArray[np.intp], grouping: Grouping, apart: Mapping[str, str] | None = None
) -> Groups:
    """The counts of a whole corpus by groups, with the references ``choices`` [S], or [m, S] for m choices.

    ``apart``: see ByKind.
    """
    sums = _GroupSums(grouping, apart or {})
    sums.add(counts, np.atleast_2d(choices))
    return sums.groups()


class Breakdown(Consumer[Groups]):
    """Sums by groups as counts stream in, with the references that the metric's policy chooses for the whole corpus.

    Memory: the groups; and all counts, where the policy chooses at the end only. Raises UsageError, when it is made,
    for a metric without the kinds of edits that are grouped by.
    """

    def __init__(self, metric: Contract[Any], grouping: Grouping) -> None:
        super().__init__(metric)
        self.grouping, self.by_kind = grouping, grouping.by_kind(metric)
        self.fold = metric.policy.start(metric.figure)
        self.sums = _GroupSums(grouping, self.by_kind.apart)
        self.kept = KeptCounts(metric)
        self.columns = metric.columns

    def add(self, counts: Counts) -> None:
        self.columns = counts.columns
        choice = self.fold.add(counts)
        if choice is None:
            self.kept.add(counts)
        else:
            self.sums.add(counts, choice[np.newaxis])

    def merge(self, other: Breakdown) -> None:
        self.fold.merge(other.fold)
        self.kept.merge(other.kept)
        self.sums.merge(other.sums)

    def result(self) -> Groups:
        if not self.kept.parts:
            return self.sums.groups()
        counts = self.kept.result()
        return grouped(counts, self.metric.choices(counts), self.grouping, self.by_kind.apart)

    def scores(self) -> dict[Label, GroupScore]:
        """The scores of the groups by label, sorted."""
        groups = self.result().sorted()
        sums = groups.sums
        totals = sums[0] if len(sums) == 1 else sums.mean(axis=0)
        figures = {name: part.mean(axis=0).tolist() for name, part in self.metric.parts(sums).items()}
        figures["score"] = self.metric.score(sums).mean(axis=0).tolist()
        found = {}
        for g, label in enumerate(groups.labels):
            hidden = figures if isinstance(label, Apart) else self.by_kind.unknown
            own = {name: None if name in hidden else figure[g] for name, figure in figures.items()}
            value = own.pop("score")
            sentences = None if groups.sentences is None else groups.sentences[g]
            found[label] = GroupScore(dict(zip(self.columns, totals[g].tolist(), strict=True)), own, value, sentences)
        return found


# --- scores ---


@dataclass(frozen=True)
class GroupScore:
    """What a group alone scores: its summed counts, the score's parts and the score (means over the m choices).

    None stands for figures that the counts of a group do not give; ``sentences``: of a group of sentences.
    """

    totals: Mapping[str, float]
    parts: Mapping[str, float | None]
    value: float | None
    sentences: int | None = None


#: Over which groups a mean of F is taken: those with any edit, those with a gold edit, or the latter by their number.
Over: TypeAlias = Literal["any", "gold", "weighted"]


class GroupedResult(Result):
    """The corpus score of a system under a metric, and beside it those of groups."""

    def __init__(self, metric: Contract[Any], given: Given, grouping: Grouping) -> None:
        super().__init__(metric, given, ["corpus"])
        self.breakdown = Breakdown(metric, grouping)
        self.views["groups"] = self.breakdown

    def groups(self) -> dict[Label, GroupScore]:
        """The scores of the groups by label, sorted."""
        return self.breakdown.scores()

    def macro(self, over: Over = "any") -> float:
        """The mean of the F of the groups: of types of edits, mostly. Not arithmetic on the sums of the corpus.

        Raises UsageError for a metric without F of a group, and where there is no group.
        """
        figure = self.metric.figure
        scored = [group for label, group in self.groups().items() if not isinstance(label, Apart)]
        if not isinstance(figure, F) or any(group.value is None for group in scored):
            raise UsageError(f"{self.metric.label} has no F of a kind of edits, of which to take the mean")
        rows = np.array([list(group.totals.values()) for group in scored]).reshape(-1, len(self.metric.columns))
        gold = weighted(rows, figure.gold)
        values = np.array([group.value for group in scored])
        weights = {"any": np.ones(len(values)), "gold": (gold > 0).astype(float), "weighted": gold}[over]
        if not weights.sum():
            raise UsageError("there is no edit of which to take the mean")
        return float((weights * values).sum() / weights.sum())


def evaluate_groups(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    grouping: Grouping,
    *,
    guard: bool = False,
    threads: int = 0,
    block: int | None = None,
    progress: Progress | None = None,
    checks: bool = True,
) -> dict[str, list[GroupedResult]]:
    """The results of every system with those of its groups, in the order of ``metrics``, from one counting pass.

    ``guard``, ``checks``: see evaluate.
    Raises UsageError, before anything is counted, for a metric without the kinds of edits that are grouped by.
    """
    if not isinstance(grouping, Grouping):
        raise UsageError(f"grouping is ByType(…), ByLength(…) or BySentence(…), not {shown(grouping)}")
    run = Run(
        corpus,
        metrics,
        guard,
        threads,
        block,
        evidence=grouping.labels is None,
        labels=grouping.labels,
        progress=progress,
        checks=checks,
    )
    found = run.consume(lambda system, metric: GroupedResult(metric, run.given(system, metric), grouping))
    return {name: [found[name, metric] for metric in run.metrics] for name in run.source.system_names}
