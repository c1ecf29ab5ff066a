"""How many sentences are needed to tell two systems apart, judged by those there are."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from statistics import NormalDist

from geceval.base.errors import UsageError
from geceval.counting.metric_names import names as names_of
from geceval.counting.stream import AnyMetric, Progress
from geceval.studies.comparison.compare import By, Level, levels, resampled
from geceval.studies.comparison.comparison_options import Options, References
from geceval.studies.comparison.comparison_results import Power
from geceval.studies.comparison.resampled_counts import Resampled
from geceval.text.corpus import TextSource

__all__ = ["Power", "power"]


def power(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
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
    references: References = "auto",
    threads: int = 0,
    progress: Progress | None = None,
    checks: bool = True,
) -> list[Power]:
    """For every pair, for one, or for all against ``baseline``: the sentences that a two-sided paired test at ``alpha``
    needs to find a difference of this size with probability ``power``, and the difference that it finds with those
    there are.

    The difference of two corpus scores is nearly normal with variance v / n (the delta method), v from the paired
    bootstrap: n = v (z(1 - alpha / 2) + z(power))² / d² (as for paired means: Chow, Shao and Wang 2008, ch. 3). One
    test, not adjusted for others. Of the other arguments see ``compare``; groups count all sentences of the corpus.
    """
    options = Options(
        baseline, "bootstrap", samples=samples, seed=seed, alpha=alpha, references=references, threads=threads
    )
    for name in pair or ():
        if name not in corpus.system_names:
            raise UsageError(f"no system {name!r}: there is {', '.join(corpus.system_names)}")
    found = resampled(corpus, metrics, options, blocks=blocks, by=by, groups=groups, progress=progress, checks=checks)
    return power_of(found, pair=pair, power=power, alpha=alpha)


def power_of(
    found: Mapping[AnyMetric, Resampled],
    *,
    pair: tuple[str, str] | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
) -> list[Power]:
    """What ``power`` says, of counts that are resampled already."""
    if not alpha / 2 < power < 1:
        raise UsageError(f"power is {power:g}; it must lie between alpha / 2 and 1")
    rows: list[Power] = []
    for name, own in zip(names_of(list(found)), found.values(), strict=True):
        for level in levels(name, own):
            rows += of_level(level, pair, power, alpha)
    return rows


def of_level(level: Level, pair: tuple[str, str] | None, power: float, alpha: float) -> Iterator[Power]:
    """The pairs of the whole corpus, or of a group."""
    resampled, replicates = level.resampled, level.replicates
    n = resampled.sentences
    pairs = resampled.pairs if pair is None else [tuple(map(resampled.systems.index, pair))]
    for a, b in pairs:
        difference = float(level.values[a] - level.values[b])
        deviation = float((replicates[:, a] - replicates[:, b]).std(ddof=1))
        yield Power(
            resampled.systems[a],
            resampled.systems[b],
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
    """How many standard errors a difference must be from 0 to be found with this probability."""
    normal = NormalDist()
    return normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)


def sentences_needed(difference: float, deviation: float, power: float, alpha: float) -> int | None:
    """Sentences to find this difference, given its deviation for one sentence; None for no difference."""
    if difference == 0:
        return None
    return max(1, math.ceil((quantiles(power, alpha) * deviation / difference) ** 2))
