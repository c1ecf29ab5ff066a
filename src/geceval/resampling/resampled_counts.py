"""Resample the counts of all systems under a metric as they stream in.

The consumer ``Resampled`` keeps sums of integers for the corpus and for each group. The sums do not depend on the
parts, their order or the number of threads.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import UsageError
from geceval.base.ties import exceeds
from geceval.counting.breakdown import Breakdown, Grouping, GroupScore, Label, UnscoredGroup, code_evidence, evidence_of
from geceval.counting.checks.text_checks import OutputAccount
from geceval.counting.comparison_options import Options, members_of
from geceval.counting.counts import Counts, Floats, Observed
from geceval.counting.metric import AnyMetric
from geceval.counting.policies import Mean, Optimum, Running, Totals
from geceval.counting.results import Result, mean_of
from geceval.resampling.break_even import NetBenefits, edit_columns
from geceval.resampling.weighted_sums import Pair, Sums
from geceval.statistics.resampling import (
    QUANTUM,
    Keys,
    Whole,
    as_integers,
    block_keys,
    sentence_keys,
)

#: Choice of references in replicates: ``frozen`` is the choice of the full corpus, ``mean`` each in turn, with averaged
#: scores. Empty if sentences choose their references independently.
Treatment: TypeAlias = Literal["", "mean", "frozen"]


class Group:
    """Sums of the counts of some sentences or edits, and wins of each pair's systems.

    ``above`` and ``below`` are the numbers of sentences on which the first system of each pair scores above and below
    the second one, among ``sentences``.
    """

    def __init__(self, sums: Sums, pairs: Sequence[Pair]) -> None:
        self.sums, self.pairs, self.sentences = sums, pairs, 0
        self.above, self.below = (np.zeros(len(pairs), dtype=np.int64) for _ in range(2))

    def judge(self, scores: Floats, sentences: int) -> None:
        """Add the sentence scores [n, S] of ``sentences`` sentences."""
        for pair, (a, b) in enumerate(self.pairs):
            self.above[pair] += int(exceeds(scores[a], scores[b]).sum())
            self.below[pair] += int(exceeds(scores[b], scores[a]).sum())
        self.sentences += sentences

    def merge(self, other: Group) -> None:
        """Add the sentences of another object."""
        self.sums.merge(other.sums)
        self.above, self.below = self.above + other.above, self.below + other.below
        self.sentences += other.sentences


class Resampled:
    """Resampled counts of all systems under a metric; can be merged and pickled.

    Memory is samples × systems × columns, plus all counts if references depend on all sentences (``running``,
    ``optimum``) or sentences must be kept.

    Args:
        metric: Metric of the counts.
        systems: Names of the systems, or of their runs.
        options: Options of the comparison.
        pairs: Pairs of systems to test, as indices of ``members``.
        references: Largest number of references of a sentence.
        grouping: Grouping of edits or sentences.
        first: Number of the first sentence in the whole corpus, which determines the weights.

    Attributes:
        members: Systems, with the indices of their runs.
        runs: Indices of the runs of both systems of each pair.
        ceilings: Results of the gold's corrected texts by annotator, where given gold edits meet text.
        outputs: Numbers of lines of each system that is text, if the input is checked.
        observed: Observations of the corpus.
        benefits: Right and wrong edits by their cost, if the metric counts edits.
    """

    ceilings: Mapping[str, Result] = {}
    outputs: Mapping[str, OutputAccount] = {}

    def __init__(
        self,
        metric: AnyMetric,
        systems: Sequence[str],
        options: Options,
        pairs: Sequence[Pair] = (),
        *,
        references: int = 1,
        grouping: Grouping | None = None,
        first: int = 0,
    ) -> None:
        self.metric, self.systems, self.options, self.pairs = metric, tuple(systems), options, tuple(pairs)
        self.references, self.grouping, self.first = references, grouping, first
        self.members = members_of(options.runs, self.systems)
        run_indices = list(self.members.values())
        self.runs = [(*run_indices[a], *run_indices[b]) for a, b in self.pairs]
        self.observed = Observed()
        self.units: set[int] = set()
        self.real: bool | None = None
        #: Number of columns of the counts, which depends on the systems for a pooled metric.
        self.columns = len(metric.columns)
        self.official = {name: Totals(metric.policy, metric.figure) for name in systems}
        self.all_sentences = Group(self.sums(), self.pairs)
        #: Counts of each part by system, if references are chosen at the end.
        self.kept: list[tuple[Keys, list[Counts]]] = []
        columns = edit_columns(metric) if self.pairs and not options.runs else None
        make_sums = partial(Sums, options, (), np.asarray)
        self.benefits = None if columns is None else NetBenefits(columns, make_sums)
        self.groups: dict[Label, Group] = {}
        self.breakdowns = {} if grouping is None else {name: Breakdown(metric, grouping) for name in systems}
        self.later: list[tuple[Keys, list[Counts]]] = []
        is_alone = references > 1 and not (metric.references_together or metric.pool is not None)
        #: Sums with the references of each annotator alone; empty if a sentence lacks one, or counts depend on all.
        self.annotators = [Group(self.sums(), self.pairs) for _ in range(references if is_alone else 0)]

    def sums(self) -> Sums:
        """Return empty sums."""
        return Sums(self.options, self.runs, self._reduced_columns)

    def _reduced_columns(self, rows: Whole) -> Whole:
        return self.metric.reduced_columns(rows.reshape(*rows.shape[:-1], -1, self.columns)).reshape(rows.shape)

    @property
    def sentences(self) -> int:
        """Number of sentences added."""
        return self.all_sentences.sentences

    @property
    def uncorrected_members(self) -> list[str]:
        """Systems of which all runs leave all sentences unchanged."""
        names = self.systems
        return [
            system for system, runs in self.members.items() if {names[run] for run in runs} <= self.observed.uncorrected
        ]

    @property
    def chosen_at_the_end(self) -> bool:
        """Whether references depend on all sentences."""
        metric = self.metric
        return self.references > 1 and isinstance(metric.policy, (Running, Optimum)) and metric.figure.f is not None

    @property
    def treatment(self) -> Treatment:
        """Choice of references in replicates."""
        if self.references == 1:
            return ""
        if self.metric.policy.averages:
            return "mean"
        return "frozen" if isinstance(self.metric.policy, (Running, Optimum)) else ""

    def add(self, counts: Mapping[str, Counts], *, blocks: Sequence[Hashable] | None = None) -> None:
        """Add the counts of all systems on the next part of the corpus.

        Args:
            counts: Counts by system, with labels if a grouping requires them.
            blocks: Block of each sentence [S].
        """
        parts = [counts[name] for name in self.systems]
        length = len(parts[0])
        if blocks is not None:
            keys = block_keys(blocks)
            self.units.update(keys.tolist())
        else:
            keys = sentence_keys(self.first + self.sentences, length)
        for part in parts:
            self._note_real(part.array.dtype.kind == "f")
            self.columns = part.array.shape[-1]
        self.benefits = None if self.real else self.benefits
        if self.benefits is not None:
            self.benefits.add(parts, keys)
        scores = self._sentence_scores(parts)
        self.all_sentences.judge(scores, length)
        choices = [self._included(name, part) for name, part in zip(self.systems, parts, strict=True)]
        if self.chosen_at_the_end:
            self.kept.append((keys, [part.without_evidence() for part in parts]))
        else:
            self.all_sentences.sums.take(keys, self._rows(parts, choices))
        if not all(part.mask.shape[1] == self.references and part.mask.all() for part in parts):
            self.annotators = []
        for annotator, group in enumerate(self.annotators):
            rows = np.stack([part.array[:, annotator] for part in parts], axis=1)
            group.sums.take(keys, as_integers(rows))
            group.judge(means(self.metric.own_score(rows), self.members).T, length)
        for name, breakdown in self.breakdowns.items():
            breakdown.add(counts[name])
        if self.grouping is not None and all(map(len, choices)):
            self._take_groups(self.grouping, keys, parts, choices, scores)
        elif self.grouping is not None:
            self.later.append((keys, parts))

    def _sentence_scores(self, parts: Sequence[Counts]) -> Floats:
        """Return the sentence scores [n, S] of the systems, means over their runs."""
        return means(np.stack([self.metric.sentence_scores_of(part) for part in parts], axis=-1), self.members).T

    def _note_real(self, real: bool | None) -> None:
        if None not in (real, self.real) and real != self.real:
            raise UsageError(f"{self.metric.label} mixes whole-number counts and real counts")
        self.real = self.real if real is None else real

    def _included(self, name: str, part: Counts) -> NDArray[np.intp]:
        """Add a part to the official score and return its references [m, S].

        m is 0 if references are chosen at the end.
        """
        choices = self.official[name].add(part)
        if self.metric.policy.averages:
            return Mean().choices(self.metric.figure, part, self.references)
        # A single reference needs no choice.
        return np.zeros((int(self.references == 1), len(part)), np.intp) if choices is None else choices

    def _rows(self, parts: Sequence[Counts], choices: Sequence[NDArray[np.intp]]) -> Whole:
        """Return the counts [S, n, m · K] of the chosen references."""
        rows = [
            np.stack([part.chosen(choice) for choice in of_references], axis=1).reshape(len(part), -1)
            for part, of_references in zip(parts, choices, strict=True)
        ]
        return as_integers(np.stack(rows, axis=1))

    def merge(self, other: Resampled) -> None:
        """Add the sentences of another object, as the ones that follow.

        Raises UsageError if a choice of references depends on the order of sentences.
        """
        for name, official in self.official.items():
            official.merge(other.official[name])
        for name, breakdown in self.breakdowns.items():
            breakdown.merge(other.breakdowns[name])
        self.observed.merge(other.observed)
        self._note_real(other.real)
        self.columns = max(self.columns, other.columns)
        self.all_sentences.merge(other.all_sentences)
        self.annotators = self.annotators if other.annotators else []
        for group, following in zip(self.annotators, other.annotators, strict=False):
            group.merge(following)
        if self.benefits is not None and other.benefits is not None:
            self.benefits.merge(other.benefits)
        self.kept += other.kept
        self.later += other.later
        for label, group in other.groups.items():
            self._group(label).merge(group)
        self.units |= other.units

    # --- groups ---

    def _group(self, label: Label) -> Group:
        return self.groups.setdefault(label, Group(self.sums(), self.pairs))

    def _take_groups(
        self,
        grouping: Grouping,
        keys: Keys,
        parts: Sequence[Counts],
        choices: Sequence[NDArray[np.intp]],
        scores: Floats,
    ) -> None:
        # Groups use the references of the official score.
        if grouping.labels is None:
            for label, sentences, rows in self._evidence_rows(grouping, parts, choices):
                group = self._group(label)
                group.sums.take(keys[sentences], as_integers(rows.reshape(*rows.shape[:2], -1)))
                group.judge(means(self.metric.own_score(rows).mean(axis=-1), self.members).T, 0)
            return
        codes, label = grouping.coded(parts[0])
        rows = self._rows(parts, choices)
        for code in np.unique(codes).tolist():
            selected = np.flatnonzero(codes == code)
            group = self._group(label(code))
            group.sums.take(keys[selected], rows[selected])
            group.judge(scores[:, selected], len(selected))

    def _evidence_rows(
        self, grouping: Grouping, parts: Sequence[Counts], choices: Sequence[NDArray[np.intp]]
    ) -> Iterator[tuple[Label, NDArray[np.intp], NDArray[Any]]]:
        """Yield each group with its sentences [s] and their counts [s, n, m, K]."""
        apart = grouping.by_kind(self.metric).apart
        cells: dict[Label, list[tuple[int, int, NDArray[Any], NDArray[Any], NDArray[Any]]]] = {}
        for system, (part, of_references) in enumerate(zip(parts, choices, strict=True)):
            evidence = evidence_of(part)
            codes, label = code_evidence(part, grouping, apart)
            for m, choice in enumerate(of_references):
                chosen = evidence.reference == choice[evidence.sentence]
                for code in np.unique(codes[chosen]).tolist():
                    rows = np.flatnonzero(chosen & (codes == code))
                    group = label(code)
                    if not isinstance(group, UnscoredGroup):
                        columns = evidence.sentence[rows], evidence.column[rows], evidence.weight[rows]
                        cells.setdefault(group, []).append((system, m, *columns))
        shape = len(parts), len(choices[0]), len(self.metric.columns)
        for group, group_cells in cells.items():
            sentences = np.unique(np.concatenate([sentence for _, _, sentence, _, _ in group_cells]))
            counts = np.zeros((len(sentences), *shape))
            for system, m, sentence, column, weight in group_cells:
                np.add.at(counts[:, system, m], (np.searchsorted(sentences, sentence), column), weight)
            yield group, sentences, counts if self.real else np.rint(counts).astype(np.int64)

    def grouped(self) -> dict[Label, tuple[Group, dict[str, GroupScore]]]:
        """Return the groups by sorted label, with the official scores of each system."""
        if self.grouping is not None and self.later:
            keys, parts = _together(self.later)
            choices = [self.metric.choices(part) for part in parts]
            self._take_groups(self.grouping, keys, parts, choices, self._sentence_scores(parts))
            self.later = []
        scores_of = {name: breakdown.scores() for name, breakdown in self.breakdowns.items()}
        groups = {}
        for label in sorted(self.groups):
            group = self.groups[label]
            if self.grouping is not None and self.grouping.labels is None:
                group.sentences = self.sentences
            groups[label] = group, {name: scores[label] for name, scores in scores_of.items() if label in scores}
        return groups

    # --- results ---

    def as_counts(self, sums: NDArray[Any]) -> NDArray[Any]:
        """Return sums as the numbers that the metric counts."""
        return sums * QUANTUM if self.real else sums

    def score_sums(self, sums: NDArray[Any]) -> Floats:
        """Return the scores [...] of sums [..., m · K], averaged over m choices."""
        numbers = self.as_counts(sums)
        if sums.shape[-1] == self.columns:
            return np.asarray(self.metric.score(numbers))
        return np.asarray(self.metric.score(numbers.reshape(*sums.shape[:-1], -1, self.columns)).mean(axis=-1))

    def official_scores(self) -> Floats:
        """Return the official scores [n], as printed by ``geceval score``."""
        return np.array([float(self.metric.score(totals.value()).mean()) for totals in self.official.values()])

    def official_parts(self) -> dict[str, dict[str, float | None]]:
        """Return the parts of each system's official score, means over its runs."""
        parts = [self.metric.parts(totals.value()) for totals in self.official.values()]
        return {
            name: {part: mean_of([float(np.mean(parts[k][part])) for k in runs]) for part in parts[runs[0]]}
            for name, runs in self.members.items()
        }

    def counts(self) -> tuple[Keys, list[Counts]]:
        """Return keys and counts of all sentences, if references are chosen at the end."""
        self.kept = [_together(self.kept)]
        return self.kept[0]


def _together(parts: Sequence[tuple[Keys, list[Counts]]]) -> tuple[Keys, list[Counts]]:
    """Join the keys and the counts of the parts."""
    keys, rows = zip(*parts, strict=True)
    return np.concatenate(keys), [Counts.concatenate(counts) for counts in zip(*rows, strict=True)]


def means(scores: Floats, members: Mapping[str, Sequence[int]]) -> Floats:
    """Return the mean scores [..., systems] of runs, from the scores [..., runs]."""
    return np.stack([scores[..., runs].mean(axis=-1) for runs in members.values()], axis=-1)
