"""Keys of resampled sentences or blocks, and counts as integers.

The weight of a sentence in a replicate is a pure function of the seed, the replicate and the sentence's key (the
kernel's ``resampling_weights``). The key is the sentence's number in the corpus or a hash of its block's label. All
systems and metrics thus share one draw, and no result depends on the parts, their order or the threads.

Bootstrap intervals of scores and correlations.

For the agreement of a metric with human judgments, resampling *systems* shows how the metric would do on other systems.
These intervals are wide for a dozen systems. Resampling *sentences*, with the judgments and the metric's counts of the
same sentences, shows how it would do on another test set.

Random draws of one reference per sentence.

The generator is MT19937, seeded by numpy's RandomState, and draws the same numbers as Python's random module for one
seed. The draws of the original GLEU scorer can thus be repeated.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

# Imported now: a process that is forked while a thread imports it would wait forever.
from numpy.random import RandomState
from numpy.typing import ArrayLike, NDArray

from geceval._kernel import draw_references, resampling_weights
from geceval.base.errors import UsageError
from geceval.statistics.correlation import CORRELATIONS

Keys = NDArray[np.uint64]
Whole = NDArray[np.int64]

#: Float counts are rounded to multiples of this, so that sums do not depend on their order.
QUANTUM = 2.0**-32


def sentence_keys(first: int, count: int) -> Keys:
    """Return the keys [count] of consecutive sentences from number ``first`` on."""
    return np.arange(first, first + count, dtype=np.uint64)


def block_keys(labels: Sequence[Hashable]) -> Keys:
    """Return the keys [S] of sentences that are drawn by blocks.

    Equal labels have equal keys in every process.
    """
    digests = {label: hashlib.blake2b(repr(label).encode(), digest_size=8).digest() for label in set(labels)}
    known = {label: int.from_bytes(digest, "little") for label, digest in digests.items()}
    return np.array([known[label] for label in labels], dtype=np.uint64)


#: Number of blocks of weights that are kept in memory.
_BLOCKS = 64


@lru_cache(maxsize=_BLOCKS)
def shared_weights(keys: bytes, kind: Literal["poisson", "swap"], seed: int, first: int, end: int) -> NDArray[np.uint8]:
    """Return the weights [replicates, S] of a block of replicates, which all metrics and annotators share.

    Args:
        keys: Keys [S] as bytes.
        kind: Kind of weights, as of the kernel's ``resampling_weights``.
        seed: Seed of the weights.
        first: Number of the first replicate.
        end: Number after the last replicate.
    """
    return resampling_weights(np.frombuffer(keys, np.uint64), kind, seed, end - first, first)


def as_integers(counts: NDArray[Any]) -> Whole:
    """Return counts as integers; float counts are rounded to multiples of QUANTUM."""
    if counts.dtype.kind != "f":
        return counts.astype(np.int64, copy=False)
    return np.rint(counts / QUANTUM).astype(np.int64)


#: Largest weight of a sentence in a replicate.
_MAX_WEIGHT = 12
#: Types of floats, with the largest absolute value up to which all integers are exact.
_EXACT: tuple[tuple[type[np.floating[Any]], int], ...] = ((np.float32, 1 << 24), (np.float64, 1 << 53))


def exact_floats(rows: Whole) -> NDArray[Any]:
    """Return integers [S, C] as floats whose ``weighted_sums`` are exact in any order.

    They are returned unchanged if no type of floats suffices.
    """
    largest_sum = _MAX_WEIGHT * int(np.abs(rows).sum(axis=0).max(initial=0))
    types = [dtype for dtype, limit in _EXACT if largest_sum <= limit]
    return rows.astype(types[0]) if types else rows


def weighted_sums(weights: NDArray[np.uint8], rows: NDArray[Any]) -> Whole:
    """Return the exact sums [replicates, C] of rows [S, C] times weights [replicates, S].

    Args:
        weights: Weights, from the kernel's ``resampling_weights``.
        rows: ``exact_floats`` of integers; ``_MAX_WEIGHT`` times their sum is below 2^63.
    """
    sums: Whole = (weights.astype(rows.dtype) @ rows).astype(np.int64)
    return sums


#: Number of replicates that are correlated at once; the pairs of systems of each need memory.
_PART = 10_000
#: Number of draws of sentences in memory at once.
_WEIGHTS = 10_000_000


@dataclass(frozen=True)
class Interval:
    """Percentile bounds; ``undefined`` counts the replicates that are NaN.

    NaN replicates are left out.
    """

    low: float
    high: float
    undefined: int


def percentile_interval(replicates: NDArray[np.float64], *, level: float = 0.95) -> Interval:
    """Return the percentile interval of replicates [B].

    Its bounds are the sorted values number floor(B a / 2) + 1 and B - floor(B a / 2) of the B defined replicates, where
    a = 1 - level.
    """
    defined = replicates[~np.isnan(replicates)]
    count = len(defined)
    if count == 0:
        return Interval(math.nan, math.nan, len(replicates))
    cut = math.floor(round(count * (1 - level) / 2, 9))
    bounds = cut, count - 1 - cut
    low, high = np.partition(defined, bounds)[list(bounds)].tolist()
    return Interval(low, high, len(replicates) - count)


def deviation_of(replicates: NDArray[np.float64]) -> float:
    """Return the standard deviation of the replicates [B] that have a value; NaN for fewer than two."""
    defined = replicates[~np.isnan(replicates)]
    return float(defined.std(ddof=1)) if len(defined) > 1 else math.nan


def system_intervals(
    metric: ArrayLike, human: ArrayLike, *, replicates: int = 1000, seed: int = 1, level: float = 0.95
) -> dict[str, Interval]:
    """Return intervals of the correlations of ``metric`` [n] with ``human`` [n].

    Systems are drawn with replacement.
    """
    x, y = np.asarray(metric, np.float64), np.asarray(human, np.float64)
    drawn = np.random.RandomState(seed).randint(len(x), size=(replicates, len(x)))
    return correlation_intervals(x[drawn], y[drawn], level=level)


def correlation_intervals(
    metric: NDArray[np.float64], human: NDArray[np.float64], *, level: float = 0.95
) -> dict[str, Interval]:
    """Return the interval of every correlation from scores [replicates, n]."""
    parts = [slice(start, start + _PART) for start in range(0, max(len(metric), 1), _PART)]
    return {
        name: percentile_interval(np.concatenate([measure(metric[part], human[part]) for part in parts]), level=level)
        for name, measure in CORRELATIONS.items()
    }


def draw_sentence_weights(
    sentences: int, *, replicates: int, seed: int, size: int = 1000
) -> Iterator[NDArray[np.int64]]:
    """Yield the number of draws of each sentence, [size, sentences] at a time.

    The judgments and all metrics of a run share the weights, so no result depends on which others are computed.
    """
    rng = np.random.RandomState(seed)
    for start in range(0, replicates, size):
        drawn = (rng.randint(sentences, size=sentences) for _ in range(min(size, replicates - start)))
        yield np.stack([np.bincount(lines, minlength=sentences) for lines in drawn])


def sentence_intervals(
    figures: Callable[[NDArray[np.int64]], Sequence[float]], sentences: int, *, replicates: int = 1000, seed: int = 0
) -> list[Interval]:
    """Return the bootstrap interval of each figure.

    Args:
        figures: a function of the number of draws of each sentence.
        sentences: number of sentences, which are drawn with replacement.
        replicates: number of replicates.
        seed: seed of the replicates.
    """
    size = max(1, _WEIGHTS // sentences)
    parts = draw_sentence_weights(sentences, replicates=replicates, seed=seed, size=size)
    values = np.array([figures(weights) for part in parts for weights in part])
    return [percentile_interval(column) for column in values.T]


#: Maximum number of draws at a time, by all iterations together; they fit in the processor's cache.
DRAWS = 1 << 18


class ReferenceDraws:
    """Draws of one reference per sentence, continued from part to part.

    While every sentence has one reference, all iterations have the same draws, and one row is returned.

    Args:
        iterations: Number of draws for each sentence. Each has its generator.
        seed: Iteration i is seeded with the array (low and high 32 bits of the seed, i); None: with i * 101, and a
            sentence with R references uses int(random() * R), as in the original scorer.
        randint: Without a seed, use randint(0, R - 1) of Python 3.
    """

    def __init__(self, iterations: int, seed: int | None, *, randint: bool) -> None:
        words = () if seed is None else (seed & 0xFFFFFFFF, seed >> 32)
        self._keys = tuple((*words, i) if words else (i * 101,) for i in range(iterations))
        self._integers = randint and seed is None
        #: Number of sentences before the first draws, all with one reference.
        self._single = 0
        self._states: NDArray[np.uint32] | None = None

    def next(self, mask: NDArray[np.bool_]) -> NDArray[np.uint32]:
        """Return references [iterations, S], or [1, S], drawn from ``mask`` [S, R]."""
        numbers = mask.sum(axis=1)
        if not numbers.all():
            raise UsageError("every sentence needs a reference")
        if self._states is None:
            if bool((numbers == 1).all()):
                self._single += len(mask)
                return np.asarray(mask.argmax(axis=1)[np.newaxis], np.uint32)
            self._states = _seeded_states(self._keys).copy()
            step = max(1, DRAWS // len(self._keys))
            for start in range(0, self._single, step):
                draw_references(self._states, np.ones((min(step, self._single - start), 1), bool), self._integers)
        return draw_references(self._states, np.ascontiguousarray(mask), self._integers)


@lru_cache(maxsize=1)
def _seeded_states(keys: Sequence[Sequence[int]]) -> NDArray[np.uint32]:
    """Return the states [keys, 625] of generators for the kernel's ``draw_references``.

    Small corpora are scored more often than seeds change, and seeding takes 40 µs per generator.
    """
    generator, states = RandomState(), np.empty((len(keys), 625), np.uint32)
    for state, key in zip(states, keys, strict=True):
        generator.seed(key)
        _, state[:-1], state[-1], *_ = generator.get_state()
    return states
