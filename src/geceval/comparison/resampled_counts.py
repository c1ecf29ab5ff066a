"""Resample the counts of all systems under a metric as they stream in.

The consumer ``Resampled`` keeps sums of whole numbers for the corpus and for each group. The sums do not depend on the
parts, their order or the number of threads. Labels of two systems are swapped after summation: if T is the total of a
system's counts and Z their sum over the swapped sentences, then A has T_A - Z_A + Z_B and B has T_B - Z_B + Z_A. One
sum per system is therefore enough for all pairs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import UsageError
from geceval.base.ties import exceeds
from geceval.comparison.resampled_sums import Pair, Sums
from geceval.counting.checks.text_checks import OutputAccount
from geceval.counting.comparison_options import Options, members_of
from geceval.counting.consumers import Result, mean_of
from geceval.counting.counts import Counts, Floats
from geceval.counting.groups.breakdown import Breakdown, GroupScore
from geceval.counting.groups.groupings import Apart, Grouping, Label, code_evidence, evidence_of
from geceval.counting.observed import Observed
from geceval.counting.policies import Optimum, Running, take_in_turn
from geceval.counting.stream import AnyMetric
from geceval.statistics.resampling import QUANTUM, Keys, Whole, block_keys, sentence_keys, whole

#: Choice of references in replicates: ``frozen`` is the choice of the full corpus, ``mean`` each in turn, with averaged
#: scores. Empty if sentences choose their references independently.
Treatment: TypeAlias = Literal["", "mean", "frozen"]


def has_ratio(metric: AnyMetric) -> bool:
    """Return whether the score is a ratio of sums, which has best references."""
    try:
        return bool(metric.figure.ratio)
    except UsageError:
        return False


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
        for at, (a, b) in enumerate(self.pairs):
            self.above[at] += int(exceeds(scores[a], scores[b]).sum())
            self.below[at] += int(exceeds(scores[b], scores[a]).sum())
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
        own = list(self.members.values())
        self.runs = [(*own[a], *own[b]) for a, b in self.pairs]
        self.observed = Observed()
        self.units: set[int] = set()
        self.real: bool | None = None
        #: Number of columns of the counts, which depends on the systems for a pooled metric.
        self.columns = len(metric.columns)
        self.official = {name: metric.policy.start(metric.figure) for name in systems}
        self.whole = Group(self.sums(), self.pairs)
        #: Counts of each part by system, if references are chosen at the end.
        self.kept: list[tuple[Keys, list[Counts]]] = []
        self.groups: dict[Label, Group] = {}
        self.breakdowns = {} if grouping is None else {name: Breakdown(metric, grouping) for name in systems}
        self.later: list[tuple[Keys, list[Counts]]] = []

    def sums(self) -> Sums:
        """Return empty sums."""
        return Sums(self.options, self.runs, self._condensed)

    def _condensed(self, rows: Whole) -> Whole:
        return self.metric.figure.condensed(rows.reshape(*rows.shape[:-1], -1, self.columns)).reshape(rows.shape)

    @property
    def sentences(self) -> int:
        """Number of sentences added."""
        return self.whole.sentences

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
        policy = self.metric.policy
        return self.references > 1 and isinstance(policy, (Running, Optimum)) and has_ratio(self.metric)

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
        scores = self._sentence_scores(parts)
        self.whole.judge(scores, length)
        choices = [self._included(name, part) for name, part in zip(self.systems, parts, strict=True)]
        if self.chosen_at_the_end:
            self.kept.append((keys, [part.without_evidence() for part in parts]))
        else:
            self.whole.sums.take(keys, self._rows(parts, choices))
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
        choice = self.official[name].add(part)
        if self.metric.policy.averages:
            return take_in_turn(part, self.references)
        # A single reference needs no choice.
        return np.zeros((int(self.references == 1), len(part)), np.intp) if choice is None else choice[np.newaxis]

    def _rows(self, parts: Sequence[Counts], choices: Sequence[NDArray[np.intp]]) -> Whole:
        """Return the counts [S, n, m · K] of the chosen references."""
        own = [
            np.stack([part.chosen(choice) for choice in several], axis=1).reshape(len(part), -1)
            for part, several in zip(parts, choices, strict=True)
        ]
        return whole(np.stack(own, axis=1))

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
        self.whole.merge(other.whole)
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
                group.sums.take(keys[sentences], whole(rows.reshape(*rows.shape[:2], -1)))
                group.judge(means(self.metric.own_score(rows).mean(axis=-1), self.members).T, 0)
            return
        codes, label = grouping.coded(parts[0])
        rows = self._rows(parts, choices)
        for code in np.unique(codes).tolist():
            own = np.flatnonzero(codes == code)
            group = self._group(label(code))
            group.sums.take(keys[own], rows[own])
            group.judge(scores[:, own], len(own))

    def _evidence_rows(
        self, grouping: Grouping, parts: Sequence[Counts], choices: Sequence[NDArray[np.intp]]
    ) -> Iterator[tuple[Label, NDArray[np.intp], NDArray[Any]]]:
        """Yield each group with its sentences [s] and their counts [s, n, m, K]."""
        apart = grouping.by_kind(self.metric).apart
        cells: dict[Label, list[tuple[int, int, NDArray[Any], NDArray[Any], NDArray[Any]]]] = {}
        for at, (part, several) in enumerate(zip(parts, choices, strict=True)):
            evidence = evidence_of(part)
            codes, label = code_evidence(part, grouping, apart)
            for m, choice in enumerate(several):
                chosen = evidence.reference == choice[evidence.sentence]
                for code in np.unique(codes[chosen]).tolist():
                    rows = np.flatnonzero(chosen & (codes == code))
                    of = label(code)
                    if not isinstance(of, Apart):
                        own = evidence.sentence[rows], evidence.column[rows], evidence.weight[rows]
                        cells.setdefault(of, []).append((at, m, *own))
        shape = len(parts), len(choices[0]), len(self.metric.columns)
        for of, own_cells in cells.items():
            sentences = np.unique(np.concatenate([sentence for _, _, sentence, _, _ in own_cells]))
            counts = np.zeros((len(sentences), *shape))
            for at, m, sentence, column, weight in own_cells:
                np.add.at(counts[:, at, m], (np.searchsorted(sentences, sentence), column), weight)
            yield of, sentences, counts if self.real else np.rint(counts).astype(np.int64)

    def grouped(self) -> dict[Label, tuple[Group, dict[str, GroupScore]]]:
        """Return the groups by sorted label, with the official scores of each system."""
        if self.grouping is not None and self.later:
            keys, parts = _together(self.later)
            choices = [self.metric.choices(part) for part in parts]
            self._take_groups(self.grouping, keys, parts, choices, self._sentence_scores(parts))
            self.later = []
        scores_of = {name: breakdown.scores() for name, breakdown in self.breakdowns.items()}
        found = {}
        for label in sorted(self.groups):
            group = self.groups[label]
            if self.grouping is not None and self.grouping.labels is None:
                group.sentences = self.sentences
            found[label] = group, {name: own[label] for name, own in scores_of.items() if label in own}
        return found

    # --- results ---

    def score_sums(self, sums: NDArray[Any]) -> Floats:
        """Return the scores [...] of sums [..., m · K], averaged over m choices."""
        numbers = sums * QUANTUM if self.real else sums
        return np.asarray(self.metric.score(numbers.reshape(*sums.shape[:-1], -1, self.columns)).mean(axis=-1))

    def official_scores(self) -> Floats:
        """Return the official scores [n], as printed by ``geceval score``."""
        return np.array([float(self.metric.score(own.totals()).mean()) for own in self.official.values()])

    def official_parts(self) -> dict[str, dict[str, float | None]]:
        """Return the parts of each system's official score, means over its runs."""
        parts = [self.metric.parts(own.totals()) for own in self.official.values()]
        return {
            name: {part: mean_of([float(np.mean(parts[k][part])) for k in own]) for part in parts[own[0]]}
            for name, own in self.members.items()
        }

    def counts(self) -> tuple[Keys, list[Counts]]:
        """Return keys and counts of all sentences, if references are chosen at the end."""
        self.kept = [_together(self.kept)]
        return self.kept[0]


def _together(parts: Sequence[tuple[Keys, list[Counts]]]) -> tuple[Keys, list[Counts]]:
    """Join the keys and the counts of the parts."""
    keys, rows = zip(*parts, strict=True)
    return np.concatenate(keys), [Counts.concatenate(own) for own in zip(*rows, strict=True)]


def means(scores: Floats, members: Mapping[str, Sequence[int]]) -> Floats:
    """Return the mean scores [..., systems] of runs, from the scores [..., runs]."""
    return np.stack([scores[..., own].mean(axis=-1) for own in members.values()], axis=-1)
