"""Sums of counts by groups: the evidence by type, operation, length or any other key, or sentences by a label each.

A table by groups is no second kind of counts: it is the evidence of the chosen references, grouped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.counting.consumers import Consumer
from geceval.counting.contract import Contract, Given
from geceval.counting.counts import Counts, Evidence
from geceval.counting.evaluation import Result, consumed
from geceval.counting.figures import Choices
from geceval.counting.stream import AnyMetric, Progress, given
from geceval.errors import InputError, UsageError
from geceval.text.corpus import TextSource

#: What a group is called; all groups of a table have names of one kind.
Label: TypeAlias = Any  # str, or int
#: Types such as R:NOUN:NUM by what comes first (R), by what follows (NOUN:NUM), or whole.
Tier: TypeAlias = Literal["operation", "type", "full"]

UNKNOWN = "UNK"
DELETE = "-NONE-"


# --- what is grouped ---


class Grouping(ABC):
    """By what counts are grouped. Can be pickled."""

    #: Whether it groups the evidence, which must be asked for, or whole sentences.
    of_evidence = True

    @abstractmethod
    def coded(self, counts: Counts, start: int) -> tuple[NDArray[Any], Callable[[Any], Label]]:
        """A number for each row of the evidence [E], or for each sentence [S], and the label of a number.

        ``start``: the sentences before the first one of ``counts``. Raises UsageError where a metric has no such key.
        """


def cut_as_errant(type_: str, tier: Tier) -> str:
    """The first letter of a type, or what follows the second one, even of types without an operation; UNK is whole."""
    if tier == "full" or type_ == UNKNOWN:
        return type_
    return type_[:1] if tier == "operation" else type_[2:]


@dataclass(frozen=True)
class ByType(Grouping):
    """By the types of edits, as ``cut`` cuts them."""

    tier: Tier = "full"
    cut: Callable[[str, Tier], str] = cut_as_errant

    def coded(self, counts: Counts, start: int) -> tuple[NDArray[Any], Callable[[Any], Label]]:
        evidence = evidence_of(counts)
        types, strings = _needed(evidence.type, "types"), evidence.strings
        return types, lambda code: self.cut(strings[code], self.tier)


@dataclass(frozen=True)
class ByLength(Grouping):
    """By the lengths of edits: the tokens replaced or those of the correction, whichever are more."""

    def coded(self, counts: Counts, start: int) -> tuple[NDArray[Any], Callable[[Any], Label]]:
        evidence = evidence_of(counts)
        texts = _needed(evidence.text, "lengths")
        spans = _needed(evidence.end, "lengths") - _needed(evidence.start, "lengths")
        used, place = np.unique(texts, return_inverse=True)
        words = np.array([_words(evidence.strings[text]) for text in used.tolist()], dtype=np.int32)
        return np.maximum(spans, words[place] if len(used) else 0), int


def _words(correction: str) -> int:
    return 0 if correction == DELETE else len(correction.split())


@dataclass(frozen=True)
class ByKey(Grouping):
    """By any key: ``key(evidence)`` is the label of each row."""

    key: Callable[[Evidence], Sequence[Label]]

    def coded(self, counts: Counts, start: int) -> tuple[NDArray[Any], Callable[[Any], Label]]:
        places: dict[Label, int] = {}
        codes = [places.setdefault(label, len(places)) for label in self.key(evidence_of(counts))]
        labels = list(places)
        return np.array(codes, dtype=np.int64), lambda code: labels[code]


@dataclass(frozen=True)
class BySentence(Grouping):
    """By a label for each sentence of the corpus."""

    labels: Sequence[Label]

    of_evidence = False

    def coded(self, counts: Counts, start: int) -> tuple[NDArray[Any], Callable[[Any], Label]]:
        if start + len(counts) > len(self.labels):
            raise InputError(f"there are {len(self.labels)} labels for more sentences")
        return np.arange(start, start + len(counts)), lambda code: self.labels[code]


def evidence_of(counts: Counts) -> Evidence:
    """The evidence, which must have been asked for."""
    if counts.evidence is None:
        raise UsageError("these counts carry no evidence", hint="ask for it: evidence=True")
    return counts.evidence


def _needed(column: NDArray[Any] | None, what: str) -> NDArray[Any]:
    if column is None:
        raise UsageError(f"a table by {what} is for metrics on edits")
    return column


# --- sums ---


@dataclass(frozen=True, eq=False)
class Groups:
    """The sums ``sums[m, g, k]`` of G groups, for each of the policy's m choices.

    ``labels[g]`` in the order of first appearance.
    """

    labels: tuple[Label, ...]
    sums: NDArray[Any]

    def sorted(self) -> Groups:
        """The groups by label."""
        order = sorted(range(len(self.labels)), key=self.labels.__getitem__)
        return Groups(tuple(self.labels[g] for g in order), self.sums[:, order])


@dataclass
class _Sums:
    """Groups as they grow. Weights are added row by row, so that parts after each other give the bits of the whole."""

    places: dict[Label, int] = field(default_factory=dict)
    sums: NDArray[Any] | None = None

    def add(self, counts: Counts, choices: NDArray[np.intp], grouping: Grouping, start: int) -> None:
        codes, label = grouping.coded(counts, start)
        if self.sums is None:
            self.sums = np.zeros((len(choices), 0, len(counts.columns)), counts.array.dtype)
        for m, choice in enumerate(choices):
            if grouping.of_evidence:
                self._add_evidence(m, choice, evidence_of(counts), codes, label)
            else:
                self._add_rows(m, counts.chosen(choice), slice(None), codes, label)

    def _add_evidence(
        self, m: int, choice: Choices, evidence: Evidence, codes: NDArray[Any], label: Callable[[Any], Label]
    ) -> None:
        rows = np.flatnonzero(evidence.reference == choice[evidence.sentence])
        self._add_rows(m, evidence.weight[rows], evidence.column[rows], codes[rows], label)

    def _add_rows(self, m: int, more: Any, column: Any, codes: NDArray[Any], label: Callable[[Any], Label]) -> None:
        used, first, place = np.unique(codes, return_index=True, return_inverse=True)
        groups = np.empty(len(used), dtype=np.intp)
        for at in np.argsort(first).tolist():
            groups[at] = self.places.setdefault(label(used[at].item()), len(self.places))
        sums = self._wide()
        np.add.at(sums[m], (groups[place], column), more.astype(sums.dtype))

    def _wide(self) -> NDArray[Any]:
        """The sums, with a row for each group there is by now."""
        assert self.sums is not None
        missing = len(self.places) - self.sums.shape[1]
        if missing:
            self.sums = np.pad(self.sums, [(0, 0), (0, missing), (0, 0)])
        return self.sums

    def merge(self, other: _Sums) -> None:
        if other.sums is None:
            return
        if self.sums is None:
            self.sums = np.zeros_like(other.sums[:, :0])
        groups = [self.places.setdefault(label, len(self.places)) for label in other.places]
        self._wide()[:, groups] += other.sums

    def groups(self) -> Groups:
        if self.sums is None:
            raise UsageError("nothing was counted")
        return Groups(tuple(self.places), self.sums)


def grouped(counts: Counts, choices: NDArray[np.intp], grouping: Grouping) -> Groups:
    """The counts of a whole corpus by groups, with the references ``choices`` [S], or [m, S] for m choices."""
    sums = _Sums()
    sums.add(counts, np.atleast_2d(choices), grouping, 0)
    return sums.groups()


class Breakdown(Consumer[Groups]):
    """Sums by groups as counts stream in, with the references that the metric's policy chooses.

    Memory: the groups; and all counts, where the policy chooses at the end only. ``start``: where in the corpus the
    first part begins.
    """

    def __init__(self, metric: Contract[Any], grouping: Grouping, start: int = 0) -> None:
        super().__init__(metric)
        self.grouping, self.start, self.sentences = grouping, start, 0
        self.fold = metric.policy.start(metric.figure)
        self.sums = _Sums()
        self.kept: list[Counts] = []

    def add(self, counts: Counts) -> None:
        choice = self.fold.add(counts)
        if choice is None:
            self.kept.append(counts)
        else:
            self.sums.add(counts, choice[np.newaxis], self.grouping, self.start + self.sentences)
        self.sentences += len(counts)

    def merge(self, other: Breakdown) -> None:
        self.fold.merge(other.fold)
        self.kept += other.kept
        self.sums.merge(other.sums)
        self.sentences += other.sentences

    def result(self) -> Groups:
        if not self.kept:
            return self.sums.groups()
        self.kept = [Counts.concatenate(self.kept)]
        [counts] = self.kept
        sums = _Sums()
        sums.add(counts, self.metric.choices(counts), self.grouping, self.start)
        return sums.groups()


# --- scores ---


@dataclass(frozen=True)
class GroupScore:
    """What a group alone scores: its summed counts, the score's parts and the score (means over the m choices)."""

    totals: Mapping[str, float]
    parts: Mapping[str, float]
    value: float


def group_scores(metric: Contract[Any], groups: Groups) -> dict[Label, GroupScore]:
    """The scores of the groups, by label."""
    sums = groups.sums
    totals = sums[0] if len(sums) == 1 else sums.mean(axis=0)
    values = metric.score(sums).mean(axis=0).tolist()
    parts = {name: part.mean(axis=0).tolist() for name, part in metric.parts(sums).items()}
    return {
        label: GroupScore(
            dict(zip(metric.columns, totals[g].tolist(), strict=True)),
            {name: part[g] for name, part in parts.items()},
            values[g],
        )
        for g, label in enumerate(groups.labels)
    }


class GroupedResult(Result):
    """The corpus score of a system under a metric, and beside it those of groups."""

    def __init__(self, metric: Contract[Any], given: Given, grouping: Grouping) -> None:
        super().__init__(metric, given, ["corpus"])
        self.breakdown = Breakdown(metric, grouping)

    def add(self, counts: Counts) -> None:
        super().add(counts)
        self.breakdown.add(counts)

    def merge(self, other: Result) -> None:
        assert isinstance(other, GroupedResult)
        super().merge(other)
        self.breakdown.merge(other.breakdown)

    def groups(self) -> dict[Label, GroupScore]:
        """The scores of the groups by label, sorted."""
        return group_scores(self.metric, self.breakdown.result().sorted())


def evaluate_groups(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    grouping: Grouping,
    *,
    threads: int = 0,
    block: int | None = None,
    progress: Progress | None = None,
) -> dict[str, list[GroupedResult]]:
    """The results of every system with those of its groups, in the order of ``metrics``, from one counting pass.

    Raises UsageError for metrics without the key that is grouped by.
    """
    found = consumed(
        corpus,
        metrics,
        lambda system, metric: GroupedResult(metric, given(corpus, metric, system), grouping),
        threads=threads,
        block=block,
        evidence=grouping.of_evidence,
        progress=progress,
    )
    return {name: [found[name, metric] for metric in metrics] for name in corpus.system_names}
