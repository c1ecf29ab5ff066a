"""Sums of counts, and wins of systems, on some sentences or edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from geceval.base.ties import exceeds
from geceval.counting.counts import Counts, Floats
from geceval.counting.metric import AnyMetric
from geceval.resampling.system_counts import means
from geceval.resampling.weighted_sums import Pair, Sums
from geceval.statistics.resampling import Keys, as_integers


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


class AnnotatorGroups:
    """Sums with the references of each annotator alone.

    Args:
        metric: Metric of the counts.
        members: Systems, with the indices of their runs.
        groups: Empty group of each annotator.

    Attributes:
        groups: Group of each annotator; empty as soon as a sentence lacks a reference.
    """

    def __init__(self, metric: AnyMetric, members: Mapping[str, Sequence[int]], groups: Sequence[Group]) -> None:
        self.metric, self.members, self.groups = metric, members, list(groups)

    def add(self, keys: Keys, parts: Sequence[Counts]) -> None:
        """Add the counts of all systems on sentences with these keys [S]."""
        references = len(self.groups)
        if not all(part.mask.shape[1] == references and part.mask.all() for part in parts):
            self.groups = []
        for annotator, group in enumerate(self.groups):
            rows = np.stack([part.array[:, annotator] for part in parts], axis=1)
            group.sums.take(keys, as_integers(rows))
            group.judge(means(self.metric.own_score(rows), self.members).T, len(parts[0]))

    def merge(self, other: AnnotatorGroups) -> None:
        """Add the sentences of another object."""
        self.groups = self.groups if other.groups else []
        for group, following in zip(self.groups, other.groups, strict=False):
            group.merge(following)
