"""The counts of all systems under a metric, resampled as they stream in.

The consumer ``Resampled`` keeps, for the corpus and for each group, sums of whole numbers: whatever the parts, their
order and the threads, the sums are the same. Labels of two systems are swapped after the sums are taken: with the
total T of a system's counts and the sum Z of those of the sentences that are swapped, A and B have T_A - Z_A + Z_B and
T_B - Z_B + Z_A. So one sum for each system serves all pairs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import resampled_sums
from geceval.base.errors import UsageError
from geceval.counting.consumers import CorpusTotals
from geceval.counting.counts import Counts, Floats
from geceval.counting.groups.breakdown import Breakdown, GroupScore
from geceval.counting.groups.groupings import Apart, Grouping, Label, coded_evidence, evidence_of
from geceval.counting.policies import Optimum, Running, in_turn
from geceval.counting.stream import AnyMetric
from geceval.statistics.resampling import QUANTUM, Keys, Whole, block_keys, sentence_keys, whole

#: What replicates do about references: ``optimum``, the best ones in each replicate; ``frozen``, those of the full run;
#: ``mean``, each in turn, and the mean of the scores; nothing where a sentence's reference is its own matter.
Treatment: TypeAlias = Literal["", "mean", "frozen", "optimum"]
References: TypeAlias = Literal["auto", "frozen", "optimum"]

#: From so many sentences on choices are frozen unless asked otherwise: they no longer differ between replicates.
MANY = 500


@dataclass(frozen=True)
class Plan:
    """What is drawn. ``swaps``: labels are swapped, too. ``keep``: sentences are kept (for the jackknife)."""

    samples: int = 10000
    seed: int = 0
    swaps: bool = True
    references: References = "auto"
    keep: bool = False
    threads: int = 0

    @property
    def few(self) -> int:
        """With at most so many differing units all labellings are no more than ``samples``."""
        return self.samples.bit_length() - 1

    def treatment(self, metric: AnyMetric, references: int, sentences: int) -> Treatment:
        """What replicates do about references, where a sentence has ``references`` at most."""
        if metric.policy.averages:
            return "mean" if references > 1 else ""
        if references == 1 or not isinstance(metric.policy, (Running, Optimum)):
            return ""
        if not has_ratio(metric):
            return "frozen"
        if self.references != "auto":
            return self.references
        return "optimum" if sentences < MANY else "frozen"


def has_ratio(metric: AnyMetric) -> bool:
    """Whether the best references of a whole corpus can be found: the score is a ratio of sums."""
    try:
        return bool(metric.figure.ratio)
    except UsageError:
        return False


Pair: TypeAlias = tuple[int, int]


@dataclass
class Sums:
    """Sums over replicates of the counts of n systems, C numbers each, as whole numbers.

    Sentences are kept until they are as many as there are replicates; then their sums take less room.
    """

    plan: Plan
    pairs: Sequence[Pair]
    #: Keys [S], rows [S, n, C].
    kept: list[tuple[Keys, Whole]] = field(default_factory=list)
    totals: Whole | None = None  # [n, C]
    drawn: Whole | None = None  # [samples, n, C]
    swapped: Whole | None = None
    #: Of each pair the sentences that differ; and what they are, unless their units are too many: keys, rows [s, 2, C].
    differing: NDArray[np.int64] = field(init=False)
    few: list[tuple[Keys, Whole] | None] = field(init=False)
    size: int = 0

    def __post_init__(self) -> None:
        self.differing = np.zeros(len(self.pairs), dtype=np.int64)
        self.few = [(np.zeros(0, np.uint64), np.zeros((0, 2, 0), np.int64)) for _ in self.pairs]

    def take(self, keys: Keys, rows: Whole) -> None:
        """Take in sentences [S] with rows [S, n, C]."""
        self._check(rows)
        for at, (a, b) in enumerate(self.pairs):
            differs = np.flatnonzero((rows[:, a] != rows[:, b]).any(axis=1))
            self.differing[at] += len(differs)
            self._keep_few(at, keys[differs], rows[differs][:, [a, b]])
        totals = rows.sum(axis=0)
        self.totals = totals if self.totals is None else self.totals + totals
        self.kept.append((keys, rows))
        self._draw_many()

    def _draw_many(self) -> None:
        if sum(len(own) for own, _ in self.kept) >= self.plan.samples and not self.plan.keep:
            self.draw()

    def _check(self, rows: Whole) -> None:
        self.size += int(np.abs(rows).sum(axis=0, dtype=np.float64).max(initial=0))
        if self.size * 12 >= 2**63:
            raise UsageError("these counts are too large to be resampled: their sums do not fit into 63 bits")

    def _keep_few(self, at: int, keys: Keys, rows: Whole) -> None:
        before = self.few[at]
        if before is None or not len(keys):
            return
        rows = np.concatenate([before[1], rows]) if len(before[0]) else rows
        keys = np.concatenate([before[0], keys])
        self.few[at] = (keys, rows) if len(np.unique(keys)) <= self.plan.few else None

    def draw(self) -> None:
        """Turn what is kept into sums."""
        if not self.kept:
            return
        keys, rows = self.sentences()
        flat = rows.reshape(len(rows), -1)
        for kind in ("poisson", "swap") if self.plan.swaps else ("poisson",):
            plan = self.plan
            more = resampled_sums(flat, keys, kind, plan.seed, plan.samples, plan.threads)
            more = more.reshape(plan.samples, *rows.shape[1:])
            name = "drawn" if kind == "poisson" else "swapped"
            setattr(self, name, more if getattr(self, name) is None else getattr(self, name) + more)
        if not self.plan.keep:
            self.kept = []

    def sentences(self) -> tuple[Keys, Whole]:
        """Keys [S] and rows [S, n, C] of the sentences that are kept."""
        keys, rows = zip(*self.kept, strict=True)
        self.kept = [(np.concatenate(keys), np.concatenate(rows))]
        return self.kept[0]

    def merge(self, other: Sums) -> None:
        """Take in what another one took in."""
        self.kept += other.kept
        for name in ("totals", "drawn", "swapped"):
            mine, theirs = getattr(self, name), getattr(other, name)
            setattr(self, name, theirs if mine is None else mine if theirs is None else mine + theirs)
        self.size += other.size
        if self.size * 12 >= 2**63:
            raise UsageError("these counts are too large to be resampled: their sums do not fit into 63 bits")
        self.differing = self.differing + other.differing
        for at, few in enumerate(other.few):
            if few is None:
                self.few[at] = None
            else:
                self._keep_few(at, *few)
        self._draw_many()


@dataclass
class Verdicts:
    """On how many sentences the first of each pair scores above, and below, the second one; of how many."""

    pairs: Sequence[Pair]
    sentences: int = 0
    above: NDArray[np.int64] = field(init=False)
    below: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        self.above, self.below = (np.zeros(len(self.pairs), dtype=np.int64) for _ in range(2))

    def take(self, scores: Floats) -> None:
        """Take in sentence scores [n, S]."""
        for at, (a, b) in enumerate(self.pairs):
            self.above[at] += int((scores[a] > scores[b]).sum())
            self.below[at] += int((scores[a] < scores[b]).sum())

    def merge(self, other: Verdicts) -> None:
        """Take in what another one took in."""
        self.sentences += other.sentences
        self.above, self.below = self.above + other.above, self.below + other.below


@dataclass
class Group:
    """What is known of a group of sentences, or of edits."""

    sums: Sums
    verdicts: Verdicts


class Resampled:
    """Takes in the counts of all ``systems`` under ``metric``, part by part: ``add``, ``merge``; it can be pickled.

    ``references``: the most that a sentence has. ``first``: the number, in the whole corpus, of the first sentence that
    it will see, by which its weights are drawn. Memory: the sums, samples × systems × columns; and all counts where
    references are chosen by those of all sentences (``running``, ``optimum``) or sentences are to be kept.
    """

    def __init__(
        self,
        metric: AnyMetric,
        systems: Sequence[str],
        plan: Plan,
        pairs: Sequence[Pair] = (),
        *,
        references: int = 1,
        grouping: Grouping | None = None,
        first: int = 0,
    ) -> None:
        self.metric, self.systems, self.plan, self.pairs = metric, tuple(systems), plan, tuple(pairs)
        self.references, self.grouping, self.first = references, grouping, first
        self.sentences = 0
        self.units: set[int] = set()
        self.real: bool | None = None
        self.official = {name: CorpusTotals(metric) for name in systems}
        self.sums, self.verdicts = Sums(plan, self.pairs), Verdicts(self.pairs)
        #: Counts of each part, by system, where references are chosen at the end.
        self.kept: list[tuple[Keys, list[Counts]]] = []
        self.groups: dict[Label, Group] = {}
        self.breakdowns = {} if grouping is None else {name: Breakdown(metric, grouping) for name in systems}
        self.later: list[tuple[Keys, list[Counts]]] = []

    @property
    def chosen_at_the_end(self) -> bool:
        """Whether references depend on all sentences."""
        policy = self.metric.policy
        return self.references > 1 and isinstance(policy, (Running, Optimum)) and has_ratio(self.metric)

    def add(
        self,
        counts: Mapping[str, Counts],
        *,
        blocks: Sequence[Hashable] | None = None,
        labels: Sequence[Hashable] | None = None,
        numbers: Keys | None = None,
    ) -> None:
        """Take in the next part: the counts of every system, the block of each sentence, and its label to group by.

        ``numbers``: those of the sentences in the whole corpus (None: they follow one another).
        """
        parts = [counts[name] for name in self.systems]
        length = len(parts[0])
        if blocks is not None:
            keys = block_keys(blocks)
            self.units.update(keys.tolist())
        else:
            keys = sentence_keys(self.first + self.sentences, length) if numbers is None else numbers
        self._note_numbers(parts)
        scores = np.stack([self.metric.sentence_scores_of(part) for part in parts])
        self.verdicts.take(scores)
        self.verdicts.sentences += length
        choices = [self._included(name, part) for name, part in zip(self.systems, parts, strict=True)]
        if self.chosen_at_the_end:
            self.kept.append((keys, [part.without_evidence() for part in parts]))
        else:
            self.sums.take(keys, self._rows(parts, choices))
        if self.grouping is not None:
            self._group(keys, parts, choices, labels, scores)
        self.sentences += length

    def _note_numbers(self, parts: Sequence[Counts]) -> None:
        for part in parts:
            real = part.array.dtype.kind == "f"
            if self.real is not None and real != self.real:
                raise UsageError(f"{self.metric.label} counts in whole numbers here and in real ones there")
            self.real = real

    def _included(self, name: str, part: Counts) -> NDArray[np.intp]:
        """The official score takes in the part; the references [m, S] that it is resampled with, unless they come at
        the end."""
        choice = self.official[name].fold.add(part)
        if self.metric.policy.averages:
            return in_turn(part, self.references)
        return np.zeros((0, len(part)), np.intp) if choice is None else choice[np.newaxis]

    def _rows(self, parts: Sequence[Counts], choices: Sequence[NDArray[np.intp]]) -> Whole:
        """[S, n, m · K]: the counts of the chosen references."""
        own = [
            np.stack([part.chosen(choice) for choice in several], axis=1).reshape(len(part), -1)
            for part, several in zip(parts, choices, strict=True)
        ]
        return whole(np.stack(own, axis=1))

    def merge(self, other: Resampled) -> None:
        """Take in what another one took in, as what follows; UsageError where a choice depends on the order."""
        for name, official in self.official.items():
            official.merge(other.official[name])
        for name, breakdown in self.breakdowns.items():
            breakdown.merge(other.breakdowns[name])
        if self.real is not None and other.real is not None and self.real != other.real:
            raise UsageError(f"{self.metric.label} counts in whole numbers here and in real ones there")
        self.real = other.real if self.real is None else self.real
        self.sums.merge(other.sums)
        self.verdicts.merge(other.verdicts)
        self.kept += other.kept
        self.later += other.later
        for label, group in other.groups.items():
            self._of(label).sums.merge(group.sums)
            self._of(label).verdicts.merge(group.verdicts)
        self.units |= other.units
        self.sentences += other.sentences

    # --- groups ---

    def _of(self, label: Label) -> Group:
        return self.groups.setdefault(label, Group(Sums(self.plan, self.pairs), Verdicts(self.pairs)))

    def _group(
        self,
        keys: Keys,
        parts: Sequence[Counts],
        choices: Sequence[NDArray[np.intp]],
        labels: Sequence[Hashable] | None,
        scores: Floats,
    ) -> None:
        """With the references of the official score, where they are known already."""
        assert self.grouping is not None
        if self.grouping.labels is not None:
            parts = [dataclasses.replace(part, labels=labels) for part in parts]
        for name, part in zip(self.systems, parts, strict=True):
            self.breakdowns[name].add(part)
        if all(len(several) for several in choices):
            self._take_groups(keys, parts, choices, scores)
        else:
            self.later.append((keys, list(parts)))

    def _take_groups(
        self, keys: Keys, parts: Sequence[Counts], choices: Sequence[NDArray[np.intp]], scores: Floats
    ) -> None:
        assert self.grouping is not None
        if self.grouping.labels is None:
            for label, sentences, rows in self._evidence_rows(parts, choices):
                group = self._of(label)
                group.sums.take(keys[sentences], whole(rows.reshape(*rows.shape[:2], -1)))
                group.verdicts.take(self.metric.own_score(rows).mean(axis=-1).T)
            return
        codes, label = self.grouping.coded(parts[0])
        rows = self._rows(parts, choices)
        for code in np.unique(codes).tolist():
            own = np.flatnonzero(codes == code)
            group = self._of(label(code))
            group.sums.take(keys[own], rows[own])
            group.verdicts.take(scores[:, own])
            group.verdicts.sentences += len(own)

    def _evidence_rows(
        self, parts: Sequence[Counts], choices: Sequence[NDArray[np.intp]]
    ) -> Iterator[tuple[Label, NDArray[np.intp], NDArray[Any]]]:
        """Of each group the sentences [s] where a system has something in it, and the counts [s, n, m, K]."""
        assert self.grouping is not None
        apart = self.grouping.by_kind(self.metric).apart
        cells: dict[Label, list[tuple[int, int, NDArray[Any], NDArray[Any], NDArray[Any]]]] = {}
        for at, (part, several) in enumerate(zip(parts, choices, strict=True)):
            evidence = evidence_of(part)
            codes, label = coded_evidence(part, self.grouping, apart)
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
        """The groups by label, sorted, with the official scores of each system."""
        if self.later:
            keys = np.concatenate([own for own, _ in self.later])
            parts = [Counts.concatenate([rows[at] for _, rows in self.later]) for at in range(len(self.systems))]
            choices = [self.metric.choices(part) for part in parts]
            scores = np.stack([self.metric.sentence_scores_of(part) for part in parts])
            self._take_groups(keys, parts, choices, scores)
            self.later = []
        scores_of = {name: breakdown.scores() for name, breakdown in self.breakdowns.items()}
        found = {}
        for label in sorted(self.groups):
            group = self.groups[label]
            if self.grouping is not None and self.grouping.labels is None:
                group.verdicts.sentences = self.sentences
            found[label] = group, {name: own[label] for name, own in scores_of.items() if label in own}
        return found

    # --- results ---

    def score_sums(self, sums: NDArray[Any]) -> Floats:
        """The scores [...] of sums [..., m · K]: the mean over the m choices."""
        numbers = sums * QUANTUM if self.real else sums
        columns = len(self.metric.columns)
        scores: Floats = self.metric.score(numbers.reshape(*sums.shape[:-1], -1, columns)).mean(axis=-1)
        return scores

    def official_scores(self) -> Floats:
        """[n]: what ``geceval score`` says."""
        return np.array([float(self.metric.score(own.result()).mean()) for own in self.official.values()])

    def counts(self) -> tuple[Keys, list[Counts]]:
        """All counts, where references are chosen at the end."""
        if len(self.kept) != 1:
            keys = np.concatenate([own for own, _ in self.kept])
            together = [Counts.concatenate([parts[at] for _, parts in self.kept]) for at in range(len(self.systems))]
            self.kept = [(keys, together)]
        return self.kept[0]
