"""Weights of resampled sentences or blocks.

The weight of a sentence in a replicate is a pure function of the seed, the replicate and the sentence's key (the
kernel's ``resampling_weights``). The key is the sentence's number in the corpus or a hash of its block's label. All
systems and metrics thus share one draw, and no result depends on the parts, their order or the threads.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np

# Imported now: a process that is forked while a thread imports it would wait forever.
from numpy.typing import NDArray

from geceval._kernel import resampling_weights

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
