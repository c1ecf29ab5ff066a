"""Estimate the number of sentences that a comparison of two systems requires."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from statistics import NormalDist

from geceval.base.arguments import as_sequence, choice, shown
from geceval.base.errors import UsageError, short_traceback
from geceval.base.ties import TOLERANCE
from geceval.counting.comparison_options import Options
from geceval.counting.groupings import CountGroups
from geceval.counting.metric import AnyMetric, By
from geceval.counting.metric_names import Metrics, metrics_of
from geceval.counting.metric_names import names as names_of
from geceval.counting.run_options import Progress, RunOptions
from geceval.resampling.comparison_results import Power
from geceval.resampling.replicates import Level, levels
from geceval.resampling.resampled_counts import Resampled
from geceval.resampling.resampled_systems import resample_systems
from geceval.statistics.intervals import deviation_of
from geceval.text.corpus import TextSource, check_source

__all__ = ["Power", "power"]


@short_traceback
def power(
    corpus: TextSource,
    metrics: Metrics,
    *,
    pair: tuple[str, str] | None = None,
    baseline: str | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    samples: int = 10000,
    seed: int = 0,
    blocks: Sequence[Hashable] | None = None,
    by: By | None = None,
    groups: Sequence[Hashable] | None = None,
    threads: int = 0,
    progress: Progress | None = None,
    checks: bool = True,
) -> list[Power]:
    """Estimate how many sentences a paired test requires to detect differences.

    The difference of two corpus scores is nearly normal with variance v / n (the delta method), with v from the paired
    bootstrap: n = v (z(1 - alpha / 2) + z(power))² / d². The test is not adjusted for other tests. Numbers for a group
    count all sentences of the corpus.

    Args:
        corpus: Source, systems, and references or gold edits of the pilot.
        metrics: Metrics or specifications, such as ``["green", geceval.Errant()]``.
        pair: Names of the two systems (None: all pairs, or those with ``baseline``).
        baseline: System that every other system is compared with.
        power: Probability of detection, above alpha / 2 and below 1.
        alpha: Significance level of the two-sided test.
        samples: Number of bootstrap replicates, from 1 to 1,000,000.
        seed: Seed of the replicates.
        blocks: Block of each sentence [S], as in ``compare``.
        by: Kind of group, as in ``compare``.
        groups: Label of each sentence [S], as in ``compare``.
        threads: Number of threads (0: one per processor).
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn (GecevalWarning) about suspicious input.

    Returns:
        One row per metric, group and pair.

    Raises:
        UsageError: If a system does not exist or an option has an unsupported value.
        InputError: If ``blocks`` or ``groups`` does not have one value per sentence.

    Source:
        Sample size for paired means: Chow, Shao and Wang (2008), chapter 3.
    """
    options = Options(baseline, "bootstrap", samples=samples, seed=seed, alpha=alpha, threads=threads)
    check_source(corpus)
    named = None if pair is None else as_sequence("pair", pair, "system")
    if named is not None and len(named) != 2:
        raise UsageError(f"pair has the names of two systems, not {shown(pair)}")
    for name in named or ():
        choice("a system of pair", name, corpus.system_names)
    count_groups, run_options = CountGroups(blocks, by, groups), RunOptions(progress=progress, checks=checks)
    by_metric = resample_systems(corpus, metrics_of(metrics), options, count_groups, run_options)
    return power_of(by_metric, pair=None if named is None else (named[0], named[1]), power=power, alpha=alpha)


def power_of(
    by_metric: Mapping[AnyMetric, Resampled], *, pair: tuple[str, str] | None = None, power: float = 0.8, alpha: float
) -> list[Power]:
    """Estimate as ``power`` does, from resampled counts."""
    if not alpha / 2 < power < 1:
        raise UsageError(f"power is {power:g}; it must be above alpha / 2 and below 1")
    rows: list[Power] = []
    for name, resampled in zip(names_of(list(by_metric)), by_metric.values(), strict=True):
        for level in levels(name, resampled):
            rows += estimate_level(level, pair, power, alpha)
    return rows


def estimate_level(level: Level, pair: tuple[str, str] | None, power: float, alpha: float) -> Iterator[Power]:
    resampled, replicates = level.resampled, level.replicates
    n = resampled.sentences
    systems = list(resampled.members)
    pairs = resampled.pairs if pair is None else [tuple(map(systems.index, pair))]
    for a, b in pairs:
        difference = float(level.values[a] - level.values[b])
        deviation = deviation_of(replicates[:, a] - replicates[:, b])
        yield Power(
            systems[a],
            systems[b],
            level.metric,
            difference,
            deviation * math.sqrt(n),
            n,
            sentences_needed(difference, deviation * math.sqrt(n), power, alpha),
            quantiles(power, alpha) * deviation,
            power,
            alpha,
            level.label,
        )


def quantiles(power: float, alpha: float) -> float:
    """Return the difference that a test detects, in standard errors."""
    normal = NormalDist()
    return normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)


def sentences_needed(difference: float, deviation: float, power: float, alpha: float) -> int | None:
    """Return the number of sentences that detect a difference; None for 0 and for a difference without a value.

    ``deviation`` is the deviation per sentence.
    """
    if abs(difference) <= TOLERANCE or math.isnan(difference) or math.isnan(deviation):
        return None
    return max(1, math.ceil((quantiles(power, alpha) * deviation / difference) ** 2))
