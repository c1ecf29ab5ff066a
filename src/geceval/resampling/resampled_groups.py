"""Resampled counts of kinds of edits or groups of sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.counting.breakdown import Breakdown, GroupScore
from geceval.counting.counts import Counts, Floats
from geceval.counting.groupings import Grouping, Label, SentenceColumns, UnscoredGroup, code_evidence, evidence_of
from geceval.counting.metric import AnyMetric
from geceval.resampling.sentence_groups import Group
from geceval.resampling.system_counts import chosen_rows, join_parts, means, sentence_scores
from geceval.statistics.resampling import Keys, as_integers


class ResampledGroups:
    """Sums and official scores of each group.

    Args:
        metric: Metric of the counts.
        grouping: Grouping of edits or sentences.
        systems: Names of the systems, or of their runs.
        members: Systems, with the indices of their runs.
        make_group: Returns an empty group.
    """

    def __init__(
        self,
        metric: AnyMetric,
        grouping: Grouping,
        systems: Sequence[str],
        members: Mapping[str, Sequence[int]],
        make_group: Callable[[], Group],
    ) -> None:
        self.metric, self.grouping, self.members, self.make_group = metric, grouping, members, make_group
        self.groups: dict[Label, Group] = {}
        self.by_kind = grouping.by_kind(metric)
        #: Counts of all sentences that all kinds share.
        self.shared = make_group()
        self.breakdowns = {name: Breakdown(metric, grouping) for name in systems}
        #: Keys and counts of each part whose references are chosen at the end.
        self.later: list[tuple[Keys, list[Counts]]] = []

    def add(self, keys: Keys, parts: Sequence[Counts], choices: Sequence[NDArray[np.intp]], scores: Floats) -> None:
        """Add the counts of all systems on sentences with these keys [S].

        Args:
            keys: Keys of the sentences.
            parts: Counts of each system.
            choices: References [m, S] of the official score of each system; m is 0 if they are chosen at the end.
            scores: Sentence scores [n, S].
        """
        for breakdown, part in zip(self.breakdowns.values(), parts, strict=True):
            breakdown.add(part)
        if all(map(len, choices)):
            self._take(keys, parts, choices, scores)
        else:
            self.later.append((keys, list(parts)))

    def merge(self, other: ResampledGroups) -> None:
        """Add the sentences of another object, as the ones that follow."""
        for name, breakdown in self.breakdowns.items():
            breakdown.merge(other.breakdowns[name])
        self.later += other.later
        self.shared.merge(other.shared)
        for label, group in other.groups.items():
            self._group(label).merge(group)

    def result(self, sentences: int) -> dict[Label, tuple[Group, dict[str, GroupScore]]]:
        """Return the groups by sorted label, with the official scores of each system.

        ``sentences`` is the number of sentences of the corpus, all of which belong to each kind of edit.
        """
        if self.later:
            keys, parts = join_parts(self.later)
            choices = [self.metric.choices(part) for part in parts]
            self._take(keys, parts, choices, sentence_scores(self.metric, parts, self.members))
            self.later = []
        scores_of = {name: breakdown.scores() for name, breakdown in self.breakdowns.items()}
        groups = {}
        for label in sorted(self.groups):
            group = self.groups[label]
            if self.grouping.labels is None:
                group = self.make_group()
                group.merge(self.shared)
                group.merge(self.groups[label])
                group.sentences = sentences
            groups[label] = group, {name: scores[label] for name, scores in scores_of.items() if label in scores}
        return groups

    def _group(self, label: Label) -> Group:
        return self.groups.setdefault(label, self.make_group())

    def _take(self, keys: Keys, parts: Sequence[Counts], choices: Sequence[NDArray[np.intp]], scores: Floats) -> None:
        # Groups use the references of the official score.
        if self.grouping.labels is None:
            of_sentences = SentenceColumns.of(self.by_kind, parts[0].columns)
            if of_sentences.shared:
                rows = chosen_rows(parts, choices)
                shared = rows.reshape(*rows.shape[:2], -1, len(parts[0].columns))
                shared = shared * np.isin(np.arange(shared.shape[-1]), of_sentences.shared)
                self.shared.sums.take(keys, shared.reshape(rows.shape))
            for label, sentences, rows in self._evidence_rows(parts, choices, of_sentences):
                group = self._group(label)
                group.sums.take(keys[sentences], as_integers(rows.reshape(*rows.shape[:2], -1)))
                judged = rows + shared[sentences] if of_sentences.shared else rows
                group.judge(means(self.metric.own_score(judged).mean(axis=-1), self.members).T, 0)
            return
        codes, label_of = self.grouping.coded(parts[0])
        rows = chosen_rows(parts, choices)
        for code in np.unique(codes).tolist():
            selected = np.flatnonzero(codes == code)
            group = self._group(label_of(code))
            group.sums.take(keys[selected], rows[selected])
            group.judge(scores[:, selected], len(selected))

    def _evidence_rows(
        self, parts: Sequence[Counts], choices: Sequence[NDArray[np.intp]], of_sentences: SentenceColumns
    ) -> Iterator[tuple[Label, NDArray[np.intp], NDArray[Any]]]:
        """Yield each group with its sentences [s] and their counts [s, n, m, K], which are 0 in shared columns."""
        is_real = parts[0].array.dtype.kind == "f"
        cells: dict[Label, list[tuple[int, int, NDArray[Any], NDArray[Any], NDArray[Any]]]] = {}
        for system, (part, of_references) in enumerate(zip(parts, choices, strict=True)):
            evidence = evidence_of(part)
            codes, label = code_evidence(part, self.grouping, self.by_kind.apart)
            is_edit = of_sentences.edit_rows(evidence)
            for m, choice in enumerate(of_references):
                chosen = is_edit & (evidence.reference == choice[evidence.sentence])
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
            for column_of_sentences, edits in of_sentences.edits.items():
                counts[..., column_of_sentences] = counts[..., edits] > 0
            yield group, sentences, counts if is_real else np.rint(counts).astype(np.int64)
