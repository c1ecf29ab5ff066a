"""Accumulate the counts of one system under one metric as they stream in.

A consumer adds parts (``add``) or another consumer (``merge``) and has its ``result`` at any time; it can be pickled
and never counts. Adding parts equals adding the whole.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import UsageError
from geceval.counting.counts import ChosenSums, Counts, Floats
from geceval.counting.policies import Best, Totals
from geceval.counting.results import Result, RunFacts
from geceval.counting.scores import LEVELS, Level
from geceval.counting.signature import signature_of
from geceval.statistics.sums import ExactSum

R = TypeVar("R")
V = TypeVar("V")


class Consumer(ABC, Generic[R]):
    """Accumulator of the counts of a system under a metric.

    Attributes:
        facts: What the run observed of the system; known after counting.
    """

    facts: RunFacts = RunFacts()

    @property
    def takes_sums(self) -> bool:
        """Whether ``add`` takes the sums of the best references in place of counts."""
        return False

    def __init__(self, metric: Any) -> None:
        self.metric = metric

    @abstractmethod
    def add(self, counts: Any) -> None:
        """Add the counts of the next part; sums only if the consumer ``takes_sums``."""

    def end(self, facts: RunFacts) -> None:
        """Receive what the run observed, after the last part."""
        self.facts = facts

    @abstractmethod
    def merge(self, other: Any) -> None:
        """Add another consumer of the same kind, as the following part.

        Raises UsageError if the choice of references depends on the order of sentences.
        """

    @abstractmethod
    def result(self) -> R:
        """Return the result so far; raises UsageError if nothing was added."""


class PartsConsumer(Consumer[R], Generic[R, V]):
    """Consumer that keeps a value of each part."""

    def __init__(self, metric: Any) -> None:
        super().__init__(metric)
        self.parts: list[V] = []

    @abstractmethod
    def of(self, counts: Counts) -> V:
        """Return the value of a part."""

    def add(self, counts: Counts) -> None:
        self.parts.append(self.of(counts))

    def merge(self, other: PartsConsumer[R, V]) -> None:
        self.parts += other.parts


class CorpusTotals(Consumer[NDArray[Any]]):
    """Sums [m, K] of the counts for each of the policy's m choices of references."""

    def __init__(self, metric: Any) -> None:
        super().__init__(metric)
        self.totals = Totals(metric.policy, metric.figure)
        self.columns = metric.columns

    @property
    def takes_sums(self) -> bool:
        return isinstance(self.totals.policy, Best)

    def add(self, counts: Counts | ChosenSums) -> None:
        self.columns = counts.columns
        if isinstance(counts, ChosenSums):
            self.totals.add_sums(counts.sums)
        else:
            self.totals.add(counts)

    def merge(self, other: CorpusTotals) -> None:
        self.columns = other.columns
        self.totals.merge(other.totals)

    def result(self) -> NDArray[Any]:
        return self.totals.value()


class SentenceScores(PartsConsumer[Floats, Floats]):
    """Sentence scores [S]. Memory: 8 bytes per sentence."""

    def of(self, counts: Counts) -> Floats:
        scores: Floats = self.metric.sentence_scores_of(counts)
        return scores

    def result(self) -> Floats:
        self.parts = [np.concatenate(self.parts) if self.parts else np.zeros(0)]
        return self.parts[0]


class Means(Consumer["tuple[float, Mapping[str, float | None]]"]):
    """Mean of the sentence scores and of their parts, in constant memory.

    A part that is NaN in a sentence counts by its convention; it is None if it is NaN in all sentences.

    Sums are exact, so that the result does not depend on the parts and their order.
    """

    def __init__(self, metric: Any) -> None:
        super().__init__(metric)
        self.sentences = 0
        self.score = ExactSum()
        self.parts: dict[str, ExactSum] = {}
        #: Parts that have a value in some sentence.
        self.defined: set[str] = set()

    def add(self, counts: Counts) -> None:
        self.sentences += len(counts)
        self.score.add(self.metric.sentence_scores_of(counts))
        parts = self.metric.sentence_parts_of(counts)
        self.defined |= {name for name, values in parts.items() if not np.isnan(values).all()}
        for name, values in self.metric.scale.with_conventions(parts).items():
            self.parts.setdefault(name, ExactSum()).add(values)

    def merge(self, other: Means) -> None:
        self.sentences += other.sentences
        self.score.merge(other.score)
        self.defined |= other.defined
        for name, part in other.parts.items():
            self.parts.setdefault(name, ExactSum()).merge(part)

    def result(self) -> tuple[float, Mapping[str, float | None]]:
        if not self.sentences:
            raise UsageError("no sentences were counted")
        means = {
            name: part.value(self.sentences) if name in self.defined else None for name, part in self.parts.items()
        }
        return self.score.value(self.sentences), means


class KeptCounts(PartsConsumer[Counts, Counts]):
    """All counts, with their evidence if present."""

    def of(self, counts: Counts) -> Counts:
        return counts

    def result(self) -> Counts:
        self.parts = [Counts.concatenate(self.parts)]
        return self.parts[0]


class ScoredCounts(Consumer[Result]):
    """Scores of one system under one metric, at the requested levels.

    Args:
        metric: Metric.
        views: Levels of the scores; fewer save memory and time.
        details: Also keep the counts, from which parts and counts of the sentences follow.
    """

    def __init__(self, metric: Any, views: Collection[Level] = LEVELS, *, details: bool = False) -> None:
        super().__init__(metric)
        self.views, self.details, self.sentences = tuple(views), details, 0
        self._totals = CorpusTotals(metric) if "corpus" in views else None
        self._scores = SentenceScores(metric) if "sentence" in views else None
        self._means = Means(metric) if "mean" in views else None
        self._counts = KeptCounts(metric) if details else None
        #: Signatures by level, made at the end: resources that they name, such as weights, may be replaced later.
        self._signatures: dict[Level, str] = {}

    @property
    def _consumers(self) -> list[Consumer[Any]]:
        consumers = (self._totals, self._scores, self._means, self._counts)
        return [consumer for consumer in consumers if consumer is not None]

    @property
    def takes_sums(self) -> bool:
        return all(consumer.takes_sums for consumer in self._consumers)

    def add(self, counts: Counts | ChosenSums) -> None:
        self.sentences += len(counts)
        for consumer in self._consumers:
            consumer.add(counts)

    def merge(self, other: ScoredCounts) -> None:
        self.sentences += other.sentences
        for consumer, added in zip(self._consumers, other._consumers, strict=True):
            consumer.merge(added)

    def end(self, facts: RunFacts) -> None:
        super().end(facts)
        self._signatures = {level: signature_of(self.metric, facts.inputs, level) for level in self.views}

    def result(self) -> Result:
        totals = self._totals
        return Result(
            self.metric,
            self.sentences,
            self.facts,
            self._signatures,
            self.metric.columns if totals is None else totals.columns,
            self.details,
            None if totals is None or not self.sentences else totals.result(),
            None if self._scores is None else self._scores.result(),
            None if self._means is None or not self.sentences else self._means.result(),
            None if self._counts is None or not self.sentences else self._counts.result(),
            self,
        )

    def joined(self, following: ScoredCounts) -> ScoredCounts:
        """Return a consumer of the counts of both, with the facts of this one."""
        both = ScoredCounts(self.metric, self.views, details=self.details)
        both.merge(self)
        both.merge(following)
        both.end(self.facts)
        return both
