"""What is resampled, and in which numbers: keys of sentences or of blocks, and counts as whole numbers.

A sentence's weight in a replicate is a pure function of seed, replicate and the sentence's key (the kernel's
``resampling_weights``): its number in the corpus, or what its block is called. So one draw serves all systems and
metrics, and no result depends on parts, on their order or on threads.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]
Whole = NDArray[np.int64]

#: Real counts are added up in multiples of this, so that sums do not depend on their order.
QUANTUM = 2.0**-32


def sentence_keys(first: int, count: int) -> Keys:
    """The keys [count] of the sentences number ``first`` and following of a corpus."""
    return np.arange(first, first + count, dtype=np.uint64)


def block_keys(labels: Sequence[Hashable]) -> Keys:
    """The keys [S] of sentences that are drawn by blocks: equal for equal labels, in every process."""
    digests = {label: hashlib.blake2b(repr(label).encode(), digest_size=8).digest() for label in set(labels)}
    known = {label: int.from_bytes(digest, "little") for label, digest in digests.items()}
    return np.array([known[label] for label in labels], dtype=np.uint64)


def whole(counts: NDArray[Any]) -> Whole:
    """Counts as whole numbers: as they are, or real ones in multiples of QUANTUM, each rounded once."""
    if counts.dtype.kind != "f":
        return counts.astype(np.int64, copy=False)
    return np.rint(counts / QUANTUM).astype(np.int64)
