"""Scores of systems and the comparison of them, from one counting run."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence

from geceval.counting.checks.beside_systems import has_ceiling
from geceval.counting.comparison_options import Options
from geceval.counting.consumers import ScoredCounts
from geceval.counting.counts import Counts
from geceval.counting.metric import AnyMetric
from geceval.counting.results import Result, RunFacts
from geceval.counting.run_options import Progress
from geceval.counting.signature import signature_inputs
from geceval.resampling.compared_metrics import comparison_of
from geceval.resampling.comparison_results import Comparison
from geceval.resampling.resampled_systems import resample_systems
from geceval.text.corpus import TextSource


def scores_with_tests(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    under: Collection[AnyMetric],
    options: Options,
    *,
    blocks: Sequence[Hashable] | None = None,
    progress: Progress | None = None,
    checks: bool = True,
) -> tuple[dict[str, list[Result]], Comparison]:
    """Return the corpus scores of all systems, and the comparison of systems.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics of the scores.
        under: Metrics whose differences are tested.
        options: Options of the comparison.
        blocks: Block of each sentence [S], which is resampled as a whole.
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn about suspicious input.
    """
    consumers = {metric: {name: ScoredCounts(metric, ["corpus"]) for name in corpus.system_names} for metric in metrics}

    def add(metric: AnyMetric, counts: Mapping[str, Counts]) -> None:
        for name, system_counts in counts.items():
            consumers[metric][name].add(system_counts)

    resampled = resample_systems(
        corpus, metrics, options, blocks=blocks, progress=progress, checks=checks, beside=add, under=under
    )
    for metric, scored in resampled.items():
        for name, consumer in consumers[metric].items():
            inputs = signature_inputs(metric, corpus, name, scored.observed)
            ceilings = scored.ceilings if has_ceiling(corpus, metric, name) else {}
            consumer.end(RunFacts(inputs, ceilings, scored.outputs.get(name)))
    tested = {metric: resampled[metric] for metric in resampled if metric in under}
    comparison = comparison_of(corpus, tested, options)
    results = {name: [consumers[metric][name].result() for metric in metrics] for name in corpus.system_names}
    return results, comparison
