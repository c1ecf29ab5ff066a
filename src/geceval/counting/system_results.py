"""Score systems under metrics, or return their counts, in one call."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from geceval.counting.consumers import KeptCounts, ScoredCounts
from geceval.counting.counts import Counts
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import metrics_of
from geceval.counting.results import Result, checked_views
from geceval.counting.run import Run
from geceval.counting.run_options import Progress, RunOptions
from geceval.counting.scores import LEVELS, Level
from geceval.text.corpus import TextSource, check_source


def system_results(
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
    """Score all systems under all metrics in one counting pass.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics, such as ``[geceval.Green()]``.
        views: Levels of scores that are available in the results; fewer save memory and time.
        details: Also keep parts and counts of the sentences.
        guard: Add the unchanged source as the last system.
        threads: Number of threads (0: one per processor).
        block: Number of sentences counted together (None: by the metrics).
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn (GecevalWarning) about suspicious input (docs/checks.md).

    Returns:
        Results by system, in the order of ``metrics``.

    Raises:
        InputError: If the input cannot be scored.
        UsageError: If an option has an unsupported value.
    """
    views = checked_views(views)
    check_source(corpus)
    options = RunOptions(threads, block, progress=progress, checks=checks)
    run = Run(corpus.with_unchanged() if guard else corpus, metrics_of(metrics, optional=True), options)
    return run.results(lambda _, metric: ScoredCounts(metric, views, details=details))


def kept_counts(
    corpus: TextSource, metric: AnyMetric, *, threads: int = 0, evidence: bool = False, progress: Progress | None = None
) -> dict[str, Counts]:
    """Return the counts of all systems under one metric."""
    run = Run(corpus, [metric], RunOptions(threads, evidence=evidence, progress=progress))
    consumers = run.consume(lambda _, metric: KeptCounts(metric))
    return {name: consumer.result() for (name, _), consumer in consumers.items()}
