"""Accumulate the counts of one system under one metric as they stream in.

A consumer adds parts (``add``) or another consumer (``merge``) and has its ``result`` at any time; it can be pickled
and never counts. Adding parts equals adding the whole.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import shown
from geceval.base.errors import UsageError
from geceval.counting.checks.text_checks import OutputAccount
from geceval.counting.counts import LEVELS, Counts, Floats, Level, Score, SignatureInputs, part_of
from geceval.counting.policies import Totals
from geceval.statistics.sums import ExactSum

R = TypeVar("R")
V = TypeVar("V")


class Consumer(ABC, Generic[R]):
    """Accumulator of the counts of a system under a metric.

    Attributes:
        ceilings: Results of the gold's corrected texts by annotator, if given gold edits meet text.
        inputs: Input of the metric, which signatures contain; known after counting.
        outputs: Numbers of the system's lines, if the input is checked and the system is text.
        uncorrected: Whether the system leaves all sentences unchanged.
    """

    ceilings: Mapping[str, Result] = {}
    inputs: SignatureInputs = SignatureInputs()
    outputs: OutputAccount | None = None
    uncorrected: bool = False

    def __init__(self, metric: Any) -> None:
        self.metric = metric

    @abstractmethod
    def add(self, counts: Counts) -> None:
        """Add the next part."""

    def end(self, inputs: SignatureInputs) -> None:
        """Receive the input of the metric after the last part."""
        self.inputs = inputs

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

    def add(self, counts: Counts) -> None:
        self.columns = counts.columns
        self.totals.add(counts)

    def merge(self, other: CorpusTotals) -> None:
        self.totals.merge(other.totals)

    def result(self) -> NDArray[Any]:
        return self.totals.value()


class SentenceScores(PartsConsumer[Floats, Floats]):
    """Sentence scores [S]. Memory: 8 bytes per sentence."""

    def of(self, counts: Counts) -> Floats:
        scores: Floats = self.metric.sentence_scores_of(counts)
        return scores

    def result(self) -> Floats:
        return np.concatenate(self.parts) if self.parts else np.zeros(0)


#: Parts [S] of sentence scores by name, and the counts [S, K] of the sentences.
Details: TypeAlias = tuple[Mapping[str, Floats], NDArray[Any]]


class SentenceDetails(PartsConsumer[Details, Details]):
    """Parts of the sentence scores, and the counts of the sentences."""

    def of(self, counts: Counts) -> Details:
        return self.metric.sentence_parts_of(counts), self.metric.sentence_counts_of(counts)

    def result(self) -> Details:
        if not self.parts:
            raise UsageError("no sentences were counted")
        score_parts, counts = zip(*self.parts, strict=True)
        joined = {name: np.concatenate([part[name] for part in score_parts]) for name in score_parts[0]}
        return joined, np.concatenate(counts)


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


#: Consumers of each view of the counts.
VIEWS: dict[Level, Callable[[Any], Consumer[Any]]] = {
    "corpus": CorpusTotals,
    "sentence": SentenceScores,
    "mean": Means,
}


class Result(Consumer["Score"]):
    """Scores of one system under one metric, as views of the same counts."""

    def __init__(self, metric: Any, views: Collection[Level] = LEVELS, *, details: bool = False) -> None:
        super().__init__(metric)
        self.sentences = 0
        self.signatures: dict[Level, str] = {}
        self.views: dict[str, Consumer[Any]] = {view: VIEWS[view](metric) for view in views}
        self.first: Level = next(iter(views), "corpus")
        #: The counts, from which the views of sentences are computed when they are needed; None without details.
        self._counts = KeptCounts(metric) if details else None
        if details:
            self.views["details"] = SentenceDetails(metric)

    def __repr__(self) -> str:
        return repr(self.score()) if {"corpus", "mean"} & self.views.keys() else f"<{self.metric.name} of sentences>"

    def add(self, counts: Counts) -> None:
        self.sentences += len(counts)
        for name, view in self.views.items():
            if self._counts is None or name == "corpus":
                view.add(counts)
        if self._counts is not None:
            self._counts.add(counts)

    def end(self, inputs: SignatureInputs) -> None:
        super().end(inputs)
        # Computed now, because resources that the signature names, such as an encoder's weights, may be replaced later.
        self.signatures = {level: self.metric.signature(inputs, level) for level in LEVELS if level in self.views}

    def merge(self, other: Result) -> None:
        self.sentences += other.sentences
        for name, view in self.views.items():
            view.merge(other.views[name])
        if self._counts is not None and other._counts is not None:
            self._counts.merge(other._counts)

    def result(self) -> Score:
        return self.score(self.first)

    def _of(self, view: str) -> Any:
        if view not in self.views:
            raise UsageError(f"the view {view!r} was not requested: choose from {', '.join(self.views)}")
        consumer = self.views[view]
        if self._counts is not None and view != "corpus":
            consumer = type(consumer)(self.metric)
            consumer.add(self._counts.result())
        return consumer.result()

    def signature(self, level: Level = "corpus") -> str:
        """Return the signature of the scores of a level.

        It contains all settings and properties of the input that affect a number, and is known after counting.

        Args:
            level: "corpus", "sentence" or "mean".

        Raises:
            UsageError: If the level is unknown.
        """
        check_level(level)
        return self.signatures.get(level) or str(self.metric.signature(self.inputs, level))

    def totals(self) -> NDArray[Any]:
        """Return the sums [m, K] of the counts for each of the policy's m choices."""
        totals: NDArray[Any] = self._of("corpus")
        return totals

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the counts; known after the first part for a pooled metric."""
        corpus = self.views.get("corpus")
        columns: tuple[str, ...] = corpus.columns if isinstance(corpus, CorpusTotals) else self.metric.columns
        return columns

    def sentence_scores(self) -> Floats:
        """Return the sentence scores [S]."""
        scores: Floats = self._of("sentence")
        return scores

    def sentence_parts(self) -> Mapping[str, Floats]:
        """Return the parts [S] of the sentence scores by name, with ``details``."""
        parts: Mapping[str, Floats] = self._of("details")[0]
        return parts

    def sentence_counts(self) -> NDArray[Any]:
        """Return the counts [S, K] of the sentences, with ``details``."""
        counts: NDArray[Any] = self._of("details")[1]
        return counts

    def score(self, level: Level = "corpus") -> Score:
        """Return the corpus score, or the mean of the sentence scores.

        Args:
            level: "corpus", or "mean" or "sentence" for the mean of the sentence scores.

        Raises:
            UsageError: If the view of the level was not requested.
        """
        name, signature = self.metric.name, self.signature(level)
        ceilings = {annotator: result.score(level).value for annotator, result in self.ceilings.items()}
        ceiling = (max if self.metric.scale.higher_is_better else min)(ceilings.values()) if ceilings else None
        if level != "corpus":
            value, parts = self._of("mean")
            return Score(name, value, signature, level, self.sentences, parts, {}, None, ceiling, ceilings)
        totals = self._of("corpus")
        values = self.metric.score(totals)
        parts = {part: mean_of(value) for part, value in self.metric.parts(totals).items()}
        sums = dict(zip(self.columns, (totals[0] if len(totals) == 1 else totals.mean(0)).tolist(), strict=True))
        deviation = float(values.std()) if len(values) > 1 else None
        value = float(values.mean())
        return Score(name, value, signature, level, self.sentences, parts, sums, deviation, ceiling, ceilings)


class RunsResult(Result):
    """Mean scores of several runs of a system, such as trainings with other seeds.

    Args:
        runs: Result of each run by name.
    """

    def __init__(self, runs: Mapping[str, Result]) -> None:
        first = next(iter(runs.values()))
        super().__init__(first.metric, ())
        self.end(first.inputs)
        self.runs, self.ceilings, self.sentences = runs, first.ceilings, first.sentences
        self.uncorrected = all(run.uncorrected for run in runs.values())

    def score(self, level: Level = "corpus") -> Score:
        """Return the mean score, parts and totals, and the deviation between runs."""
        scores = [run.score(level) for run in self.runs.values()]

        def mean(field: str) -> dict[str, Any]:
            mappings = [getattr(score, field) for score in scores]
            return {name: mean_of([mapping[name] for mapping in mappings]) for name in mappings[0]}

        values = [score.value for score in scores]
        value, deviation = float(np.mean(values)), float(np.std(values, ddof=1))
        return replace(scores[0], value=value, parts=mean("parts"), totals=mean("totals"), deviation=deviation)


def mean_of(values: Sequence[float | None] | Floats) -> float | None:
    """Return the mean of the values of a part; None if one is None or NaN."""
    return part_of(float(np.mean(np.asarray(values, np.float64))))


def check_level(level: object) -> None:
    """Raise UsageError unless the argument is the name of a level."""
    if not (isinstance(level, str) and level in LEVELS):
        raise UsageError(f"unknown level {shown(level)}: choose from {', '.join(LEVELS)}")
