"""The counts of all systems under a metric, resampled as they stream in.

The consumer ``Resampled`` keeps, for the corpus and for each group, sums of whole numbers: whatever the parts, their
order and the threads, the sums are the same. Labels of two systems are swapped after the sums are taken: with the
total T of a system's counts and the sum Z of those of the sentences that are swapped, A and B have T_A - Z_A + Z_B and
T_B - Z_B + Z_A. So one sum for each system serves all pairs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import resampled_sums
from geceval.base.errors import UsageError
from geceval.counting.counts import Counts, Floats
from geceval.counting.groups.breakdown import Breakdown, GroupScore
from geceval.counting.groups.groupings import Apart, Grouping, Label, coded_evidence, evidence_of
from geceval.counting.policies import Optimum, Running, in_turn
from geceval.counting.stream import AnyMetric
from geceval.statistics.resampling import QUANTUM, Keys, Whole, block_keys, sentence_keys, whole
from geceval.studies.comparison.comparison_options import Options

#: What replicates do about references: ``optimum``, the best ones in each replicate; ``frozen``, those of the full run;
#: ``mean``, each in turn, and the mean of the scores; nothing where a sentence's reference is its own matter.
Treatment: TypeAlias = Literal["", "mean", "frozen", "optimum"]

#: From so many sentences on choices are frozen unless asked otherwise: they no longer differ between replicates.
MANY = 500

#: Two systems, by their places.
Pair: TypeAlias = tuple[int, int]


def has_ratio(metric: AnyMetric) -> bool:
    """Whether the best references of a whole corpus can be found: the score is a ratio of sums."""
    try:
        return bool(metric.figure.ratio)
    except UsageError:
        return False


@dataclass
class Sums:
    """Sums over replicates of the counts of n systems, C numbers each, as whole numbers.

    Sentences are kept until they are as many as there are replicates; then their sums take less room.
    """

    options: Options
    pairs: Sequence[Pair]
    #: Keys [S], rows [S, n, C].
    kept: list[tuple[Keys, Whole]] = field(default_factory=list)
    #: Of the sentences that are not kept; see ``drawn``.
    sums: dict[str, Whole] = field(default_factory=dict)
    #: Of each pair the sentences that differ; and what they are, unless their units are too many: keys, rows [s, 2, C].
    differing: NDArray[np.int64] = field(init=False)
    few: list[tuple[Keys, Whole] | None] = field(init=False)
    size: int = 0

    def __post_init__(self) -> None:
        self.differing = np.zeros(len(self.pairs), dtype=np.int64)
        self.few = [(np.zeros(0, np.uint64), np.zeros((0, 2, 0), np.int64)) for _ in self.pairs]

    def take(self, keys: Keys, rows: Whole) -> None:
        """Take in sentences [S] with rows [S, n, C]."""
        self._grow(int(np.abs(rows).sum(axis=0, dtype=np.float64).max(initial=0)))
        for at, (a, b) in enumerate(self.pairs):
            differs = np.flatnonzero((rows[:, a] != rows[:, b]).any(axis=1))
            self.differing[at] += len(differs)
            self._keep_few(at, keys[differs], rows[differs][:, [a, b]])
        self.kept.append((keys, rows))
        self._draw_many()

    def _grow(self, size: int) -> None:
        self.size += size
        if self.size * 12 >= 2**63:
            raise UsageError("these counts are too large to be resampled: their sums do not fit into 63 bits")

    def _keep_few(self, at: int, keys: Keys, rows: Whole) -> None:
        before = self.few[at]
        if before is None or not len(keys):
            return
        rows = np.concatenate([before[1], rows]) if len(before[0]) else rows
        keys = np.concatenate([before[0], keys])
        self.few[at] = (keys, rows) if len(np.unique(keys)) <= self.options.few else None

    def _draw_many(self) -> None:
        if sum(len(own) for own, _ in self.kept) >= self.options.samples and self.options.interval != "bca":
            self.sums, self.kept = self.drawn(), []

    def drawn(self) -> dict[str, Whole]:
        """The sums of all sentences: their ``total`` [n, C], and those in the replicates [samples, n, C], ``poisson``
        and, where labels are swapped, ``swap``."""
        if not self.kept:
            return self.sums
        keys, rows = self.sentences()
        flat, found, options = rows.reshape(len(rows), -1), {"total": rows.sum(axis=0)}, self.options
        for kind in ("poisson", "swap") if options.swaps(self.pairs) else ("poisson",):
            more = resampled_sums(flat, keys, kind, options.seed, options.samples, options.threads)
            found[kind] = more.reshape(options.samples, *rows.shape[1:])
        return _added(found, self.sums)

    def sentences(self) -> tuple[Keys, Whole]:
        """Keys [S] and rows [S, n, C] of the sentences that are kept."""
        keys, rows = zip(*self.kept, strict=True)
        self.kept = [(np.concatenate(keys), np.concatenate(rows))]
        return self.kept[0]

    def merge(self, other: Sums) -> None:
        """Take in what another one took in."""
        self.kept += other.kept
        self.sums = _added(self.sums, other.sums)
        self._grow(other.size)
        self.differing = self.differing + other.differing
        for at, few in enumerate(other.few):
            if few is None:
                self.few[at] = None
            else:
                self._keep_few(at, *few)
        self._draw_many()


def _added(one: Mapping[str, Whole], other: Mapping[str, Whole]) -> dict[str, Whole]:
    return {**one, **{name: one[name] + more if name in one else more for name, more in other.items()}}


class Group:
    """What is known of some sentences, or edits: the sums of their counts, and on how many of the ``sentences`` the
    first of each pair scores ``above``, and ``below``, the second one."""

    def __init__(self, options: Options, pairs: Sequence[Pair]) -> None:
        self.sums, self.sentences = Sums(options, pairs), 0
        self.above, self.below = (np.zeros(len(pairs), dtype=np.int64) for _ in range(2))

    def judge(self, scores: Floats, sentences: int) -> None:
        """Take in sentence scores [n, S]."""
        for at, (a, b) in enumerate(self.sums.pairs):
            self.above[at] += int((scores[a] > scores[b]).sum())
            self.below[at] += int((scores[a] < scores[b]).sum())
        self.sentences += sentences

    def merge(self, other: Group) -> None:
        """Take in what another one took in."""
        self.sums.merge(other.sums)
        self.above, self.below = self.above + other.above, self.below + other.below
        self.sentences += other.sentences


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
        options: Options,
        pairs: Sequence[Pair] = (),
        *,
        references: int = 1,
        grouping: Grouping | None = None,
        first: int = 0,
    ) -> None:
        self.metric, self.systems, self.options, self.pairs = metric, tuple(systems), options, tuple(pairs)
        self.references, self.grouping, self.first = references, grouping, first
        self.units: set[int] = set()
        self.real: bool | None = None
        #: Columns of the counts: those of a pooled metric depend on the systems.
        self.columns = len(metric.columns)
        self.official = {name: metric.policy.start(metric.figure) for name in systems}
        self.whole = Group(options, self.pairs)
        #: Counts of each part, by system, where references are chosen at the end.
        self.kept: list[tuple[Keys, list[Counts]]] = []
        self.groups: dict[Label, Group] = {}
        self.breakdowns = {} if grouping is None else {name: Breakdown(metric, grouping) for name in systems}
        self.later: list[tuple[Keys, list[Counts]]] = []

    @property
    def sentences(self) -> int:
        """How many were taken in."""
        return self.whole.sentences

    @property
    def chosen_at_the_end(self) -> bool:
        """Whether references depend on all sentences."""
        policy = self.metric.policy
        return self.references > 1 and isinstance(policy, (Running, Optimum)) and has_ratio(self.metric)

    @property
    def treatment(self) -> Treatment:
        """What replicates do about references."""
        if self.chosen_at_the_end and self.options.references != "auto":
            return self.options.references
        if self.chosen_at_the_end:
            return "optimum" if self.sentences < MANY else "frozen"
        if self.references > 1 and self.metric.policy.averages:
            return "mean"
        return "frozen" if self.references > 1 and isinstance(self.metric.policy, (Running, Optimum)) else ""

    def add(
        self, counts: Mapping[str, Counts], *, blocks: Sequence[Hashable] | None = None, numbers: Keys | None = None
    ) -> None:
        """Take in the next part: the counts of every system, with labels to group by, and the block of each sentence.

        ``numbers``: those of the sentences in the whole corpus (None: they follow one another).
        """
        parts = [counts[name] for name in self.systems]
        length = len(parts[0])
        if blocks is not None:
            keys = block_keys(blocks)
            self.units.update(keys.tolist())
        else:
            keys = sentence_keys(self.first + self.sentences, length) if numbers is None else numbers
        for part in parts:
            self._note_real(part.array.dtype.kind == "f")
            self.columns = part.array.shape[-1]
        scores = np.stack([self.metric.sentence_scores_of(part) for part in parts])
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

    def _note_real(self, real: bool | None) -> None:
        """Note whether counts are real numbers, if that is known."""
        if None not in (real, self.real) and real != self.real:
            raise UsageError(f"{self.metric.label} counts in whole numbers here and in real ones there")
        self.real = self.real if real is None else real

    def _included(self, name: str, part: Counts) -> NDArray[np.intp]:
        """The official score takes in the part; the references [m, S] that it is resampled with, unless they come at
        the end."""
        choice = self.official[name].add(part)
        if self.metric.policy.averages:
            return in_turn(part, self.references)
        # A single reference is no choice.
        return np.zeros((int(self.references == 1), len(part)), np.intp) if choice is None else choice[np.newaxis]

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
        return self.groups.setdefault(label, Group(self.options, self.pairs))

    def _take_groups(
        self,
        grouping: Grouping,
        keys: Keys,
        parts: Sequence[Counts],
        choices: Sequence[NDArray[np.intp]],
        scores: Floats,
    ) -> None:
        """With the references of the official score."""
        if grouping.labels is None:
            for label, sentences, rows in self._evidence_rows(grouping, parts, choices):
                group = self._group(label)
                group.sums.take(keys[sentences], whole(rows.reshape(*rows.shape[:2], -1)))
                group.judge(self.metric.own_score(rows).mean(axis=-1).T, 0)
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
        """Of each group the sentences [s] where a system has something in it, and the counts [s, n, m, K]."""
        apart = grouping.by_kind(self.metric).apart
        cells: dict[Label, list[tuple[int, int, NDArray[Any], NDArray[Any], NDArray[Any]]]] = {}
        for at, (part, several) in enumerate(zip(parts, choices, strict=True)):
            evidence = evidence_of(part)
            codes, label = coded_evidence(part, grouping, apart)
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
        if self.grouping is not None and self.later:
            keys, parts = _together(self.later)
            choices = [self.metric.choices(part) for part in parts]
            scores = np.stack([self.metric.sentence_scores_of(part) for part in parts])
            self._take_groups(self.grouping, keys, parts, choices, scores)
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
        """The scores [...] of sums [..., m · K]: the mean over the m choices."""
        numbers = sums * QUANTUM if self.real else sums
        scores: Floats = self.metric.score(numbers.reshape(*sums.shape[:-1], -1, self.columns)).mean(axis=-1)
        return scores

    def official_scores(self) -> Floats:
        """[n]: what ``geceval score`` says."""
        return np.array([float(self.metric.score(own.totals()).mean()) for own in self.official.values()])

    def counts(self) -> tuple[Keys, list[Counts]]:
        """All counts, where references are chosen at the end."""
        self.kept = [_together(self.kept)]
        return self.kept[0]


def _together(parts: Sequence[tuple[Keys, list[Counts]]]) -> tuple[Keys, list[Counts]]:
    """The keys and the counts of each system, of all parts."""
    keys, rows = zip(*parts, strict=True)
    return np.concatenate(keys), [Counts.concatenate(own) for own in zip(*rows, strict=True)]
