"""People's scores of systems: the judgments aggregated by Expected Wins or TrueSkill, whole and resampled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from geceval.metaeval.expected_wins import expected_wins, resampled
from geceval.metaeval.intervals import reweighted
from geceval.metaeval.pairs import Pairs, Tally
from geceval.metaeval.trueskill import sampled

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Measure:
    """A way to aggregate judgments.

    ``score(tally, seed, threads)`` is [systems]; ``runs(tally, seed, count, threads)`` [count, systems], the replicates
    behind rank ranges; ``once(tally, seed)`` [systems], a cheaper score for one of many resampled tallies."""

    label: str
    score: Callable[[Tally, int, int], Floats]
    runs: Callable[[Tally, int, int, int], Floats]
    once: Callable[[Tally, int], Floats]


MEASURES: Mapping[str, Measure] = {
    "expected-wins": Measure(
        "Expected Wins",
        score=lambda tally, seed, threads: expected_wins(tally),
        runs=lambda tally, seed, count, threads: expected_wins(resampled(tally, replicates=count, seed=seed)),
        once=lambda tally, seed: expected_wins(tally),
    ),
    "trueskill": Measure(
        "TrueSkill",
        score=lambda tally, seed, threads: _mean(sampled(tally, seed=seed, threads=threads)),
        runs=lambda tally, seed, count, threads: sampled(tally, runs=count, seed=seed, threads=threads),
        once=lambda tally, seed: _mean(sampled(tally, runs=1, seed=seed, threads=1)),
    ),
}


def _mean(runs: Floats) -> Floats:
    means: Floats = runs.mean(axis=0)
    return means


def replicated_scores(
    measure: Measure, pairs: Pairs, lines: Mapping[int, int], weights: NDArray[np.int64], seed: int
) -> Floats:
    """People's scores [replicates, systems] when the sentences are drawn with ``weights[replicate, sentence]``.

    One run a replicate where a measure is itself sampled (TrueSkill): the spread of a run, some 0.01, adds to the
    replicates'.
    """
    tallies = reweighted(pairs.tally_by_sentence(lines, weights.shape[1]), weights)
    each = (Tally(tallies.systems, w, t) for w, t in zip(tallies.wins, tallies.ties, strict=True))
    return np.stack([measure.once(tally, seed + k) for k, tally in enumerate(each)])
