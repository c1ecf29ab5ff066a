"""Score systems and test their differences in one counting pass."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from geceval.comparison.compare import resample_systems
from geceval.comparison.comparison_results import Comparison
from geceval.comparison.pair_tests import comparison_of
from geceval.counting.ceilings import has_ceiling
from geceval.counting.comparison_options import Options, members_of
from geceval.counting.consumers import Result, RunsResult
from geceval.counting.counts import Counts
from geceval.counting.run import Run
from geceval.counting.stream import AnyMetric, Progress
from geceval.text.corpus import TextSource


def scores_with_tests(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    under: Collection[AnyMetric],
    options: Options,
    *,
    progress: Progress | None = None,
    checks: bool = True,
) -> tuple[dict[str, list[Result]], Comparison]:
    """Return the corpus scores of all systems, and the comparison of systems.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics of the scores.
        under: Metrics whose differences are tested.
        options: Options of the comparison.
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn about suspicious input.
    """
    run = Run(corpus, metrics)  # computes signatures
    results = {
        metric: {name: Result(metric, run.given(name, metric), ["corpus"]) for name in corpus.system_names}
        for metric in metrics
    }

    def add(metric: AnyMetric, counts: Mapping[str, Counts]) -> None:
        for name, own in counts.items():
            results[metric][name].add(own)

    found = resample_systems(corpus, metrics, options, progress=progress, checks=checks, beside=add, under=under)
    for metric, own in found.items():
        for name, result in results[metric].items():
            result.outputs = own.outputs.get(name)
            if has_ceiling(corpus, metric, name):
                result.ceilings = own.ceilings
    tested = {metric: own for metric, own in found.items() if metric in under}
    comparison = comparison_of(corpus, tested, options)
    return {name: [results[metric][name] for metric in metrics] for name in corpus.system_names}, comparison


def with_means(results: Mapping[str, list[Result]], runs: Mapping[str, Sequence[str]]) -> dict[str, list[Result]]:
    """Return one result for the runs of each system, at the place of the first run.

    ``runs`` has the names of the runs of each system with several runs.
    """
    names, found = list(results), dict[str, list[Result]]()
    for system, places in members_of(runs, names).items():
        own = {names[place]: results[names[place]] for place in places}
        by_metric = (dict(zip(own, row, strict=True)) for row in zip(*own.values(), strict=True))
        found[system] = [*map(RunsResult, by_metric)] if system in runs else results[system]
    return found
