"""Rank systems by a metric's sentence scores, aggregated as human judgments are."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import __version__, resampling_weights
from geceval.base.arguments import ALPHA, KERNEL_SEEDS, SAMPLES, Bounds, choice, number, whole
from geceval.base.errors import InputError, UsageError
from geceval.counting.metric_names import labels
from geceval.counting.run import evaluate
from geceval.counting.stream import AnyMetric, metrics_of
from geceval.statistics.clusters import placings
from geceval.statistics.intervals import percentile_interval
from geceval.statistics.rankings import AGGREGATIONS
from geceval.statistics.resampling import block_keys, sentence_keys
from geceval.studies.comparison.comparison_results import SystemScore
from geceval.text.corpus import TextSource

#: Number of replicates that are aggregated together.
PORTION = 200


@dataclass(frozen=True)
class Ranking:
    """Ranking of the systems under each metric.

    Attributes:
        systems: Systems by metric, from best to worst. ``value``, ``low`` and ``high`` are Expected Wins in [0, 1] or
            TrueSkill means; rank ranges and clusters come from ranks in resampled sentences.
        aggregation: "expected-wins" or "trueskill".
        signature: Settings of the aggregation and the resampling.
        signatures: Signature of each metric's sentence scores.
        sentences: Number of sentences.
        samples: Number of replicates.
        alpha: Significance level; intervals have the level 1 - alpha.
    """

    systems: tuple[SystemScore, ...]
    aggregation: str
    signature: str
    signatures: Mapping[str, str]
    sentences: int
    samples: int
    alpha: float


def rank(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    *,
    aggregation: str = "expected-wins",
    samples: int = 1000,
    seed: int = 0,
    alpha: float = 0.05,
    blocks: Sequence[Hashable] | None = None,
    threads: int = 0,
    progress: Callable[[int], None] | None = None,
    checks: bool = True,
) -> Ranking:
    """Rank the systems of a corpus by each metric's sentence scores.

    Args:
        corpus: Source, at least two systems, and references or gold edits.
        metrics: Metrics, such as ``[geceval.Green()]``.
        aggregation: "expected-wins", which does not depend on the order of sentences or systems, or "trueskill",
            one pass in file order.
        samples: Number of bootstrap replicates, from 2 to 1,000,000; ``compare`` draws the same ones.
        seed: Seed of the replicates, from 0 to 2**64 - 1.
        alpha: Significance level; intervals have the level 1 - alpha.
        blocks: Block of each sentence [S], such as its document. Whole blocks are resampled (None: sentences).
        threads: Number of threads (0: one per processor).
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn (GecevalWarning) about suspicious input.

    Returns:
        The systems of each metric from best to worst, with intervals, rank ranges and clusters.

    Raises:
        UsageError: If an option has an unsupported value, there are fewer than two systems, or the sentence scores
            of a system equal the scores of all others.
        InputError: If ``blocks`` does not have one value per sentence.

    Source:
        Goto et al. (2025).
    """
    choice("aggregation", aggregation, AGGREGATIONS)
    seed, alpha = whole("seed", seed, KERNEL_SEEDS), number("alpha", alpha, ALPHA)
    samples = whole("samples", samples, Bounds(2, SAMPLES.high))
    metrics = metrics_of(metrics)
    names = tuple(corpus.system_names)
    if len(names) < 2:
        raise UsageError(f"a ranking requires at least two systems, not {len(names)}")
    results = evaluate(corpus, metrics, views=["sentence"], threads=threads, progress=progress, checks=checks)
    heads = labels(metrics)
    first = results[names[0]]
    sentences = first[0].sentences
    if blocks is not None and len(blocks) != sentences:
        raise InputError(f"{len(blocks)} blocks for {sentences} sentences")
    keys = sentence_keys(0, sentences) if blocks is None else block_keys(blocks)
    weights = resampling_weights(keys, "poisson", seed, samples)
    rows: list[SystemScore] = []
    for at, head in enumerate(heads):
        sign = 1 if metrics[at].higher_is_better else -1
        scores = sign * np.stack([results[name][at].sentence_scores() for name in names])
        rows += _places(names, head, scores, weights, aggregation, alpha, threads)
    drawn = f"boot:{samples}|seed:{seed}|weights:poisson|unit:{'sentence' if blocks is None else 'block'}"
    signature = f"aggregation:{aggregation}|{drawn}|alpha:{alpha:g}|v:{__version__}"
    signed = {head: result.signature("sentence") for head, result in zip(heads, first, strict=True)}
    return Ranking(tuple(rows), aggregation, signature, signed, sentences, samples, alpha)


def _places(
    names: tuple[str, ...],
    metric: str,
    scores: NDArray[np.float64],
    weights: NDArray[np.uint8],
    aggregation: str,
    alpha: float,
    threads: int,
) -> Iterator[SystemScore]:
    """Yield one metric's ranking from its sentence scores [systems, sentences]."""
    way = AGGREGATIONS[aggregation]
    if (scores.max(axis=0) == scores.min(axis=0)).all():
        raise UsageError(f"{metric} gives all systems equal scores on every sentence, so they cannot be ranked")
    values = way.scores(names, scores)
    # In portions, because weights of eight bytes each use most of the memory.
    portions = (weights[start : start + PORTION].astype(np.int64) for start in range(0, len(weights), PORTION))
    replicates = np.concatenate([way.resampled(names, scores, portion, threads) for portion in portions])
    # A replicate in which a system has no verdict gives no ranks.
    defined = replicates[~np.isnan(replicates).any(axis=1)]
    if np.isnan(values).any() or len(defined) < 2:
        alike = [name for name, value in zip(names, values, strict=True) if np.isnan(value)] or names
        raise UsageError(f"{metric} gives {', '.join(alike)} too few scores that differ from others to be ranked")
    for place in placings(names, defined, scores=values, level=1 - alpha):
        k = names.index(place.system)
        own, ranks = percentile_interval(replicates[:, k], level=1 - alpha), (place.best_rank, place.worst_rank)
        spread = own.low, own.high, place.deviation
        yield SystemScore(place.system, metric, float(values[k]), *spread, *ranks, place.cluster)
