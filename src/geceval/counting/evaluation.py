"""Scores out of the stream: one counting pass for corpus scores, sentence scores and their means."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from geceval.counting.consumers import Consumer, CorpusTotals, KeptCounts, Means, SentenceScores
from geceval.counting.contract import Given
from geceval.counting.counts import LEVELS, Counts, Floats, Level, Score
from geceval.counting.stream import AnyMetric, Labels, Progress, counted, given
from geceval.errors import UsageError
from geceval.text.corpus import TextSource

C = TypeVar("C", bound=Consumer[Any])

#: What each view of the counts is made from.
VIEWS: dict[Level, Callable[[AnyMetric], Consumer[Any]]] = {
    "corpus": CorpusTotals,
    "sentence": SentenceScores,
    "mean": Means,
}


class Result(Consumer["Score"]):
    """The scores of one system under one metric, as views of the same counts."""

    def __init__(self, metric: AnyMetric, given: Given, views: Collection[Level] = LEVELS) -> None:
        super().__init__(metric)
        self.given, self.sentences = given, 0
        # Now: what is counted with, such as an encoder's weights, may be another when somebody asks.
        self.signatures = {level: metric.signature(given, level) for level in LEVELS}
        self.views = {view: VIEWS[view](metric) for view in views}

    def add(self, counts: Counts) -> None:
        self.sentences += len(counts)
        for view in self.views.values():
            view.add(counts)

    def merge(self, other: Result) -> None:
        self.sentences += other.sentences
        for name, view in self.views.items():
            view.merge(other.views[name])

    def result(self) -> Score:
        return self.score(next(iter(self.views)))

    def _of(self, view: Level) -> Any:
        if view not in self.views:
            raise UsageError(f"the view {view!r} was not asked for: there is {', '.join(self.views)}")
        return self.views[view].result()

    def signature(self, level: Level = "corpus") -> str:
        """All that can change a number of this level; known before anything is counted."""
        if level not in LEVELS:
            raise UsageError(f"unknown level {level!r}: choose from {', '.join(LEVELS)}")
        return self.signatures[level]

    def totals(self) -> NDArray[Any]:
        """The sums [m, K] of the chosen counts, one row for each of the policy's m choices."""
        totals: NDArray[Any] = self._of("corpus")
        return totals

    def sentence_scores(self) -> Floats:
        """The scores [S] of the sentences by themselves."""
        scores: Floats = self._of("sentence")
        return scores

    def score(self, level: Level = "corpus") -> Score:
        """The score of the corpus, or at the levels "mean" and "sentence" (by the view "mean") that of its sentences.

        Raises UsageError for a level that is no view of this result.
        """
        common: dict[str, Any] = {
            "metric": self.metric.name,
            "signature": self.signature(level),
            "level": level,
            "sentences": self.sentences,
        }
        if level != "corpus":
            value, parts = self._of("mean")
            return Score(value=value, parts=parts, **common)
        return _corpus_score(self.metric, self.totals(), common)


def _corpus_score(metric: AnyMetric, totals: NDArray[Any], common: dict[str, Any]) -> Score:
    values = metric.score(totals)
    parts = {name: float(np.mean(part)) for name, part in metric.parts(totals).items()}
    summed = totals[0] if len(totals) == 1 else totals.mean(0)
    sums = dict(zip(metric.columns, summed.tolist(), strict=True))
    deviation = float(values.std()) if len(values) > 1 else None
    return Score(value=float(values.mean()), parts=parts, totals=sums, deviation=deviation, **common)


def evaluate(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    *,
    views: Collection[Level] = LEVELS,
    threads: int = 0,
    block: int | None = None,
    progress: Progress | None = None,
    checks: bool = True,
) -> dict[str, list[Result]]:
    """The results of every system, in the order of ``metrics``, from one counting pass.

    ``views``: the levels of which scores will be asked for; all of them unless memory or time is short. ``checks``:
    warn (GecevalWarning) of input that cannot mean what it is taken for, such as files that do not belong together; see
    docs/checks.md.
    """
    unknown = [view for view in views if view not in LEVELS]
    if unknown:
        raise UsageError(f"unknown level {unknown[0]!r}: choose from {', '.join(LEVELS)}")

    def result(system: str, metric: AnyMetric) -> Result:
        return Result(metric, given(corpus, metric, system), views)

    found = consumed(corpus, metrics, result, threads=threads, block=block, progress=progress, checks=checks)
    return {name: [found[name, metric] for metric in metrics] for name in corpus.system_names}


def consumed(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    make: Callable[[str, AnyMetric], C],
    *,
    threads: int = 0,
    block: int | None = None,
    evidence: bool = False,
    labels: Labels | None = None,
    progress: Progress | None = None,
    checks: bool = False,
) -> dict[tuple[str, AnyMetric], C]:
    """A consumer for each system and metric, as ``make`` makes it, with all the counts taken in; ``checks``: see
    evaluate."""
    held = [metric.held() for metric in metrics]  # what is signed is what counts
    consumers = {(name, metric): make(name, metric) for name in corpus.system_names for metric in metrics}
    carried: dict[str, Any] = {"evidence": evidence, "labels": labels}
    if checks:
        from geceval.counting.checking import watching

        carried["checks"] = watching(corpus, metrics)
    stream = counted(corpus, metrics, threads=threads, block=block, progress=progress, **carried)
    for name, metric, counts in stream:
        consumers[name, metric].add(counts)
    del held
    return consumers


def kept_counts(
    corpus: TextSource, metric: AnyMetric, *, threads: int = 0, evidence: bool = False
) -> dict[str, Counts]:
    """The counts of every system under one metric, whole."""
    kept = consumed(corpus, [metric], lambda system, own: KeptCounts(own), threads=threads, evidence=evidence)
    return {name: consumer.result() for (name, _), consumer in kept.items()}
