"""What is done with the counts of one system under one metric as they stream in; consumers never count.

A consumer takes in part after part (``add``), or what another one took in (``merge``), and has its ``result`` at any
time; it can be pickled. Adding in parts equals adding the whole.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import UsageError
from geceval.counting.contract import Contract
from geceval.counting.counts import Counts, Floats
from geceval.statistics.sums import ExactSum

R = TypeVar("R")


class Consumer(ABC, Generic[R]):
    """Takes in the counts of a system under ``metric``, part by part."""

    def __init__(self, metric: Contract[Any]) -> None:
        self.metric = metric

    @abstractmethod
    def add(self, counts: Counts) -> None:
        """Take in the next part."""

    @abstractmethod
    def merge(self, other: Any) -> None:
        """Take in what another consumer of the kind took in, as what follows; UsageError where that cannot be."""

    @abstractmethod
    def result(self) -> R:
        """What came out so far. Raises UsageError if nothing was taken in."""


class CorpusTotals(Consumer[NDArray[Any]]):
    """The sums [m, K] of the counts with the references that the metric's policy chooses, a row for each of its m
    choices. Memory: that of the policy's fold."""

    def __init__(self, metric: Contract[Any]) -> None:
        super().__init__(metric)
        self.fold = metric.policy.start(metric.figure)
        self.columns = metric.columns

    def add(self, counts: Counts) -> None:
        self.columns = counts.columns
        self.fold.add(counts)

    def merge(self, other: CorpusTotals) -> None:
        self.fold.merge(other.fold)

    def result(self) -> NDArray[Any]:
        return self.fold.totals()


class SentenceScores(Consumer[Floats]):
    """The scores [S] of the sentences by themselves. Memory: 8 bytes a sentence."""

    def __init__(self, metric: Contract[Any]) -> None:
        super().__init__(metric)
        self.scores: list[Floats] = []

    def add(self, counts: Counts) -> None:
        self.scores.append(self.metric.sentence_scores_of(counts))

    def merge(self, other: SentenceScores) -> None:
        self.scores += other.scores

    def result(self) -> Floats:
        return np.concatenate(self.scores) if self.scores else np.zeros(0)


class SentenceDetails(Consumer["tuple[Mapping[str, Floats], NDArray[Any]]"]):
    """The parts of the sentence scores, by name [S], and the counts [S, K] behind them. Memory: that of both."""

    def __init__(self, metric: Contract[Any]) -> None:
        super().__init__(metric)
        self.parts: list[Mapping[str, Floats]] = []
        self.counts: list[NDArray[Any]] = []

    def add(self, counts: Counts) -> None:
        self.parts.append(self.metric.sentence_parts_of(counts))
        self.counts.append(self.metric.sentence_counts_of(counts))

    def merge(self, other: SentenceDetails) -> None:
        self.parts += other.parts
        self.counts += other.counts

    def result(self) -> tuple[Mapping[str, Floats], NDArray[Any]]:
        if not self.counts:
            raise UsageError("nothing was counted")
        return {name: np.concatenate([own[name] for own in self.parts]) for name in self.parts[0]}, np.concatenate(
            self.counts
        )


class Means(Consumer["tuple[float, Mapping[str, float]]"]):
    """The mean of the sentence scores, and of their parts. Constant memory; sums are exact, so that no split and no
    order of the parts changes a bit."""

    def __init__(self, metric: Contract[Any]) -> None:
        super().__init__(metric)
        self.sentences = 0
        self.score = ExactSum()
        self.parts: dict[str, ExactSum] = {}

    def add(self, counts: Counts) -> None:
        self.sentences += len(counts)
        self.score.add(self.metric.sentence_scores_of(counts))
        for name, values in self.metric.sentence_parts_of(counts).items():
            self.parts.setdefault(name, ExactSum()).add(values)

    def merge(self, other: Means) -> None:
        self.sentences += other.sentences
        self.score.merge(other.score)
        for name, own in other.parts.items():
            self.parts.setdefault(name, ExactSum()).merge(own)

    def result(self) -> tuple[float, Mapping[str, float]]:
        if not self.sentences:
            raise UsageError("nothing was counted")
        means = {name: own.value(self.sentences) for name, own in self.parts.items()}
        return self.score.value(self.sentences), means


class KeptCounts(Consumer[Counts]):
    """All counts, with their evidence if they carry it: for what looks at sentences again and again."""

    def __init__(self, metric: Contract[Any]) -> None:
        super().__init__(metric)
        self.kept: list[Counts] = []

    def add(self, counts: Counts) -> None:
        self.kept.append(counts)

    def merge(self, other: KeptCounts) -> None:
        self.kept += other.kept

    def result(self) -> Counts:
        if not self.kept:
            raise UsageError("nothing was counted")
        self.kept = [Counts.concatenate(self.kept)]
        return self.kept[0]
