"""Score sentences part by part, for any number of sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from geceval.base.errors import UsageError
from geceval.counting.counts import Counts, Floats
from geceval.counting.run import Run
from geceval.counting.stream import AnyMetric
from geceval.text.corpus import Corpus

#: Parts of scores by name, and the scores, [S] each: ``{"precision": …, "recall": …, "": …}``.
Figures = Mapping[str, Floats]


@dataclass(frozen=True)
class ScoredPart:
    """Scores of the sentences of a part of a corpus, by system and metric."""

    corpus: Corpus
    figures: Mapping[tuple[str, AnyMetric], Figures]


def score_parts(run: Run, *, parts: bool = False) -> Iterator[ScoredPart]:
    """Yield the sentence scores of all systems under all metrics, a part at a time.

    ``parts``: with their parts, such as precision. Without metrics the parts have no figures.
    """
    if not run.source.system_names:
        raise UsageError("there is no system")

    def figures_of(_: str, metric: AnyMetric, counts: Counts) -> Figures:
        named = metric.sentence_parts_of(counts) if parts else {}
        return {**named, "": metric.sentence_scores_of(counts)}

    for corpus, figures in run.parts(figures_of):
        yield ScoredPart(corpus, figures)


def sentence_signatures(run: Run) -> dict[tuple[str, AnyMetric], str]:
    """Return the signatures of ``score_parts`` by system and metric."""
    return {
        (name, metric): metric.signature(run.given(name, metric), "sentence")
        for name in run.source.system_names
        for metric in run.metrics
    }
