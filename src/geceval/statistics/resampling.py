"""Keys of resampled sentences or blocks, and counts as integers.

The weight of a sentence in a replicate is a pure function of the seed, the replicate and the sentence's key (the
kernel's ``resampling_weights``). The key is the sentence's number in the corpus or a hash of its block's label. All
systems and metrics thus share one draw, and no result depends on the parts, their order or the threads.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

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


def whole(counts: NDArray[Any]) -> Whole:
    """Return counts as integers; float counts are rounded to multiples of QUANTUM."""
    if counts.dtype.kind != "f":
        return counts.astype(np.int64, copy=False)
    return np.rint(counts / QUANTUM).astype(np.int64)
