"""Scores of systems and the comparison of them, from one counting run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

from geceval.base.errors import UsageError
from geceval.counting.breakdown import GroupedCounts, GroupedResult
from geceval.counting.comparison_options import Options
from geceval.counting.consumers import Consumer, ScoredCounts
from geceval.counting.counts import Counts
from geceval.counting.groupings import CountGroups
from geceval.counting.metric import AnyMetric
from geceval.counting.results import Result
from geceval.counting.run_options import RunOptions
from geceval.resampling.compared_metrics import comparison_of
from geceval.resampling.comparison_results import Comparison
from geceval.resampling.resampled_counts import Resampled
from geceval.resampling.resampled_systems import resample_systems
from geceval.text.corpus import TextSource

R = TypeVar("R")


def scores_with_tests(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    under: Collection[AnyMetric],
    options: Options,
    groups: CountGroups,
    run_options: RunOptions,
) -> tuple[dict[str, list[Result]], Comparison]:
    """Return the corpus scores of all systems, and the comparison of systems.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics of the scores.
        under: Metrics whose differences are tested.
        options: Options of the comparison.
        groups: Blocks of the sentences.
        run_options: Progress and checks.
    """
    results, resampled = _count(
        corpus, metrics, lambda metric: ScoredCounts(metric, ["corpus"]), options, groups, run_options, under=under
    )
    tested = {metric: resampled[metric] for metric in resampled if metric in under}
    return results, comparison_of(corpus, tested, options)


def group_scores_with_intervals(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    options: Options,
    groups: CountGroups,
    run_options: RunOptions,
) -> tuple[dict[str, list[GroupedResult]], Comparison]:
    """Return the scores of all systems by kinds of edits or groups of sentences, and their intervals.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics of the scores.
        options: Options of the intervals.
        groups: Kind of edits or groups of the sentences, and their blocks.
        run_options: Progress and checks.

    Raises:
        UsageError: If there is neither a kind of edits nor a label of each sentence.
    """
    grouping = groups.grouping
    if grouping is None:
        raise UsageError("by or groups is required")
    results, resampled = _count(
        corpus, metrics, lambda metric: GroupedCounts(metric, grouping), options, groups, run_options
    )
    return results, comparison_of(corpus, resampled, options)


def _count(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    consumer: Callable[[AnyMetric], Consumer[R]],
    options: Options,
    groups: CountGroups,
    run_options: RunOptions,
    under: Collection[AnyMetric] | None = None,
) -> tuple[dict[str, list[R]], dict[AnyMetric, Resampled]]:
    """Return the results of a consumer of each system and metric, and the resampled counts."""
    consumers = {metric: {name: consumer(metric) for name in corpus.system_names} for metric in metrics}

    def add(metric: AnyMetric, counts: Mapping[str, Counts]) -> None:
        for name, system_counts in counts.items():
            consumers[metric][name].add(system_counts)

    resampled = resample_systems(corpus, metrics, options, groups, run_options, receiver=add, under=under)
    for metric, scored in resampled.items():
        for name, counted in consumers[metric].items():
            counted.end(scored.facts[name])
    results = {name: [consumers[metric][name].result() for metric in metrics] for name in corpus.system_names}
    return results, resampled
