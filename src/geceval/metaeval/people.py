"""People's scores of systems: the judgments aggregated by Expected Wins or TrueSkill, whole and resampled."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from geceval.errors import GecevalWarning
from geceval.statistics.expected_wins import expected_wins, resampled_in_parts
from geceval.statistics.pairs import Pairs, Tally, reweighted
from geceval.statistics.trueskill import sampled

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Measure:
    """A way to aggregate judgments.

    ``runs(tally, seed, count, threads)`` yields the replicates behind rank ranges, [count, systems] in parts;
    ``exact(tally)`` is [systems], or None where a score is the mean of runs; ``once(tally, seed)`` is [systems], for
    one of many resampled tallies, NaN where it leaves a system without any judgment.
    """

    label: str
    runs: Callable[[Tally, int, int, int], Iterator[Floats]]
    exact: Callable[[Tally], Floats] | None
    once: Callable[[Tally, int], Floats]

    def score(self, tally: Tally, *, seed: int, threads: int) -> Floats:
        """The scores [systems]; where they are sampled, the mean of 1000 runs."""
        if self.exact is not None:
            return self.exact(tally)
        means: Floats = np.concatenate(list(self.runs(tally, seed, RUNS, threads))).mean(axis=0)
        return means


RUNS = 1000
#: Runs of TrueSkill in a part.
PART = 100


def _resampled_wins(tally: Tally, seed: int, count: int, threads: int) -> Iterator[Floats]:
    return map(expected_wins, resampled_in_parts(tally, replicates=count, seed=seed))


def _sampled_runs(tally: Tally, seed: int, count: int, threads: int) -> Iterator[Floats]:
    for start in range(0, count, PART):
        yield sampled(tally, runs=min(PART, count - start), seed=seed + start, threads=threads)


def _one_run(tally: Tally, seed: int) -> Floats:
    if ((tally.wins + tally.wins.T + tally.ties).sum(axis=1) == 0).any():
        return np.full(len(tally.systems), np.nan)
    run: Floats = sampled(tally, runs=1, seed=seed, threads=1)[0]
    return run


MEASURES: Mapping[str, Measure] = {
    "expected-wins": Measure(
        "Expected Wins",
        runs=_resampled_wins,
        exact=expected_wins,
        once=lambda tally, seed: expected_wins(tally),
    ),
    "trueskill": Measure(
        "TrueSkill",
        runs=_sampled_runs,
        exact=None,
        once=_one_run,
    ),
}


def replicated_scores(
    measure: Measure,
    pairs: Pairs,
    lines: Mapping[int, int],
    weights: NDArray[np.int64],
    *,
    seed: int,
    threads: int = 0,
) -> Floats:
    """People's scores [replicates, systems] when the sentences are drawn with ``weights[replicate, sentence]``.

    One run a replicate where a measure is itself sampled (TrueSkill): the spread of a run, some 0.01, adds to the
    replicates'. NaN where a draw leaves a system without judgments.
    """
    tallies = reweighted(pairs.tally_by_sentence(lines, weights.shape[1]), weights)
    each = [Tally(tallies.systems, w, t) for w, t in zip(tallies.wins, tallies.ties, strict=True)]
    seeds = range(seed, seed + len(each))
    with warnings.catch_warnings(), ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        warnings.simplefilter("ignore", GecevalWarning)  # of systems without judgments: they are counted as undefined
        return np.stack(list(pool.map(measure.once, each, seeds)))
