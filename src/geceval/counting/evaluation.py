"""Scores out of the stream: one counting pass for corpus scores, sentence scores and their means."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import as_sequence, shown
from geceval.base.errors import UsageError
from geceval.counting.consumers import Consumer, CorpusTotals, KeptCounts, Means, SentenceDetails, SentenceScores
from geceval.counting.contract import Given
from geceval.counting.counts import LEVELS, Counts, Floats, Level, Score
from geceval.counting.run import Run
from geceval.counting.stream import AnyMetric, Progress
from geceval.text.corpus import TextSource

#: What each view of the counts is made from.
VIEWS: dict[Level, Callable[[AnyMetric], Consumer[Any]]] = {
    "corpus": CorpusTotals,
    "sentence": SentenceScores,
    "mean": Means,
}


class Result(Consumer["Score"]):
    """The scores of one system under one metric, as views of the same counts."""

    def __init__(
        self, metric: AnyMetric, given: Given, views: Collection[Level] = LEVELS, *, details: bool = False
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
        _check_level(level)
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
        totals = self.totals()
        values = self.metric.score(totals)
        parts = {part: float(np.mean(value)) for part, value in self.metric.parts(totals).items()}
        sums = dict(zip(self.columns, (totals[0] if len(totals) == 1 else totals.mean(0)).tolist(), strict=True))
        deviation = float(values.std()) if len(values) > 1 else None
        return Score(name, float(values.mean()), signature, level, self.sentences, parts, sums, deviation)


def _check_level(level: object) -> None:
    if not (isinstance(level, str) and level in LEVELS):
        raise UsageError(f"unknown level {shown(level)}: choose from {', '.join(LEVELS)}")


def evaluate(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    *,
    views: Collection[Level] = LEVELS,
    details: bool = False,
    guard: bool = False,
    threads: int = 0,
    block: int | None = None,
    progress: Progress | None = None,
    checks: bool = True,
) -> dict[str, list[Result]]:
    """The results of every system, in the order of ``metrics``, from one counting pass.

    ``views``: the levels of which scores will be asked for; all of them unless memory or time is short. ``details``:
    the parts and counts of the sentences will be asked for, too. ``guard``: the unchanged source is one more system,
    the last. ``checks``: warn (GecevalWarning) of suspicious input, such as files that do not belong together; see
    docs/checks.md.
    """
    views = as_sequence("views", views, "level")
    for view in views:
        _check_level(view)
    run = Run(corpus, metrics, guard, threads, block, progress=progress, checks=checks)

    def result(system: str, metric: AnyMetric) -> Result:
        return Result(metric, run.given(system, metric), views, details=details)

    found = run.consume(result)
    return {name: [found[name, metric] for metric in run.metrics] for name in run.source.system_names}


def kept_counts(
    corpus: TextSource, metric: AnyMetric, *, threads: int = 0, evidence: bool = False
) -> dict[str, Counts]:
    """The counts of every system under one metric, whole."""
    run = Run(corpus, [metric], threads=threads, evidence=evidence)
    kept = run.consume(lambda system, own: KeptCounts(own))
    return {name: consumer.result() for (name, _), consumer in kept.items()}
