"""What is done with the counts of one system under one metric as they stream in; consumers never count.

A consumer takes in part after part (``add``), or what another one took in (``merge``), and has its ``result`` at any
time; it can be pickled. Adding in parts equals adding the whole.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import shown
from geceval.base.errors import UsageError
from geceval.counting.contract import Contract, Given
from geceval.counting.counts import LEVELS, Counts, Floats, Level, Score
from geceval.statistics.sums import ExactSum

R = TypeVar("R")
V = TypeVar("V")


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


class PartsConsumer(Consumer[R], Generic[R, V]):
    """Keeps what it makes of the counts of each part. Memory: that of all of this."""

    def __init__(self, metric: Contract[Any]) -> None:
        super().__init__(metric)
        self.parts: list[V] = []

    @abstractmethod
    def of(self, counts: Counts) -> V:
        """What is kept of a part."""

    def add(self, counts: Counts) -> None:
        self.parts.append(self.of(counts))

    def merge(self, other: PartsConsumer[R, V]) -> None:
        self.parts += other.parts


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


class SentenceScores(PartsConsumer[Floats, Floats]):
    """The scores [S] of the sentences by themselves. Memory: 8 bytes a sentence."""

    def of(self, counts: Counts) -> Floats:
        return self.metric.sentence_scores_of(counts)

    def result(self) -> Floats:
        return np.concatenate(self.parts) if self.parts else np.zeros(0)


#: The parts of sentence scores, by name [S], and the counts [S, K] behind them.
Details: TypeAlias = tuple[Mapping[str, Floats], NDArray[Any]]


class SentenceDetails(PartsConsumer[Details, Details]):
    """The parts of the sentence scores, and the counts behind them. Memory: that of both."""

    def of(self, counts: Counts) -> Details:
        return self.metric.sentence_parts_of(counts), self.metric.sentence_counts_of(counts)

    def result(self) -> Details:
        if not self.parts:
            raise UsageError("nothing was counted")
        figures, counts = zip(*self.parts, strict=True)
        return {name: np.concatenate([own[name] for own in figures]) for name in figures[0]}, np.concatenate(counts)


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


class KeptCounts(PartsConsumer[Counts, Counts]):
    """All counts, with their evidence if they carry it: for what looks at sentences again and again."""

    def of(self, counts: Counts) -> Counts:
        return counts

    def result(self) -> Counts:
        self.parts = [Counts.concatenate(self.parts)]
        return self.parts[0]


#: What each view of the counts is made from.
VIEWS: dict[Level, Callable[[Contract[Any]], Consumer[Any]]] = {
    "corpus": CorpusTotals,
    "sentence": SentenceScores,
    "mean": Means,
}


class Result(Consumer["Score"]):
    """The scores of one system under one metric, as views of the same counts."""

    def __init__(
        self, metric: Contract[Any], given: Given, views: Collection[Level] = LEVELS, *, details: bool = False
    ) -> None:
        super().__init__(metric)
        self.given, self.sentences = given, 0
        # Now: what is counted with, such as an encoder's weights, may be another when somebody asks.
        self.signatures = {level: metric.signature(given, level) for level in LEVELS}
        self.views: dict[str, Consumer[Any]] = {view: VIEWS[view](metric) for view in views}
        self.first: Level = next(iter(views), "corpus")
        if details:
            self.views["details"] = SentenceDetails(metric)

    def __repr__(self) -> str:
        return repr(self.score()) if {"corpus", "mean"} & self.views.keys() else f"<{self.metric.name} of sentences>"

    def add(self, counts: Counts) -> None:
        self.sentences += len(counts)
        for view in self.views.values():
            view.add(counts)

    def merge(self, other: Result) -> None:
        self.sentences += other.sentences
        for name, view in self.views.items():
            view.merge(other.views[name])

    def result(self) -> Score:
        return self.score(self.first)

    def _of(self, view: str) -> Any:
        if view not in self.views:
            raise UsageError(f"the view {view!r} was not asked for: there is {', '.join(self.views)}")
        return self.views[view].result()

    def signature(self, level: Level = "corpus") -> str:
        """All that can change a number of this level; known before anything is counted."""
        check_level(level)
        return self.signatures[level]

    def totals(self) -> NDArray[Any]:
        """The sums [m, K] of the chosen counts, one row for each of the policy's m choices."""
        totals: NDArray[Any] = self._of("corpus")
        return totals

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the counts; of a pooled metric they are known when some are."""
        corpus = self.views.get("corpus")
        return corpus.columns if isinstance(corpus, CorpusTotals) else self.metric.columns

    def sentence_scores(self) -> Floats:
        """The scores [S] of the sentences by themselves."""
        scores: Floats = self._of("sentence")
        return scores

    def sentence_parts(self) -> Mapping[str, Floats]:
        """The parts of the sentence scores, by name [S]; the view ``details``."""
        parts: Mapping[str, Floats] = self._of("details")[0]
        return parts

    def sentence_counts(self) -> NDArray[Any]:
        """The counts [S, K] behind the sentence scores; the view ``details``."""
        counts: NDArray[Any] = self._of("details")[1]
        return counts

    def score(self, level: Level = "corpus") -> Score:
        """The score of the corpus, or at the levels "mean" and "sentence" (by the view "mean") that of its sentences.

        Raises UsageError for a level that is no view of this result.
        """
        name, signature = self.metric.name, self.signature(level)
        if level != "corpus":
            value, parts = self._of("mean")
            return Score(name, value, signature, level, self.sentences, parts)
        totals = self._of("corpus")
        values = self.metric.score(totals)
        parts = {part: float(np.mean(value)) for part, value in self.metric.parts(totals).items()}
        sums = dict(zip(self.columns, (totals[0] if len(totals) == 1 else totals.mean(0)).tolist(), strict=True))
        deviation = float(values.std()) if len(values) > 1 else None
        return Score(name, float(values.mean()), signature, level, self.sentences, parts, sums, deviation)


def check_level(level: object) -> None:
    if not (isinstance(level, str) and level in LEVELS):
        raise UsageError(f"unknown level {shown(level)}: choose from {', '.join(LEVELS)}")
