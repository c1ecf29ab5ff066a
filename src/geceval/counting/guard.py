"""The guard: metrics that see no reference are shown beside the unchanged source.

Their scores can be had without correcting anything; a system that is not clearly above the source has shown nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from geceval.counting.metric import Metric
from geceval.counting.stream import AnyMetric
from geceval.text.corpus import TextSource
from geceval.text.source_row import WithSource

R = TypeVar("R")
M = TypeVar("M", bound=AnyMetric)


def wants_guard(metrics: Sequence[AnyMetric]) -> bool:
    """Whether one of the metrics sees no reference."""
    return any(metric.evidence_of == "nothing" for metric in metrics)


def judged_apart(metrics: Sequence[M]) -> list[M]:
    """The metrics to which the source is no other system: pooled ones that see references."""
    return [metric for metric in metrics if metric.pooled and metric.evidence_of != "nothing"]


def shows_source(metrics: Sequence[AnyMetric]) -> bool:
    """Whether the unchanged source stands beside the systems of a comparison: for metrics without references, unless
    another one would take it for one of the systems of its pool."""
    return wants_guard(metrics) and not judged_apart(metrics)


def guarded(
    corpus: TextSource,
    metrics: Sequence[Metric[Any]],
    evaluated: Callable[[TextSource, Sequence[Metric[Any]]], dict[str, list[R]]],
) -> dict[str, list[R]]:
    """``evaluated`` of the corpus with its source as one more system, last.

    The systems of a pooled metric that sees references are judged among themselves: to it the source is added for the
    source's own row only, which takes a second pass.
    """
    results = evaluated(WithSource(corpus), metrics)
    apart = judged_apart(metrics)
    if apart:
        alone = evaluated(corpus, apart)
        for name in corpus.system_names:
            own = dict(zip(apart, alone[name], strict=True))
            results[name] = [own.get(metric, result) for metric, result in zip(metrics, results[name], strict=True)]
    return results
