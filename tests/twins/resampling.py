"""kernel/core/src/resampling.rs again, slow and obvious."""

from __future__ import annotations

import math
from fractions import Fraction

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15


def scrambled(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def word(stream: int, seed: int, replicate: int, counter: int) -> int:
    of_seed = scrambled((scrambled((seed + STEP) & MASK) + STEP * stream) & MASK)
    start = scrambled((of_seed + STEP * (replicate + 1)) & MASK)
    return scrambled((start + STEP * counter) & MASK)


def at_most(k: int) -> int:
    """2^32 P(Poisson(1) <= k), rounded."""
    e = sum((Fraction(1, math.factorial(j)) for j in range(40)), Fraction())
    return round(2**32 * sum((Fraction(1, math.factorial(j)) for j in range(k + 1)), Fraction()) / e)


AT_MOST = [at_most(k) for k in range(12)]


def weight(kind: str, seed: int, replicate: int, key: int) -> int:
    if kind == "labelling":
        return replicate >> key & 1
    if kind == "swap":
        return word(2, seed, replicate, key >> 6) >> (key & 63) & 1
    half = word(1, seed, replicate, key >> 1) >> 32 * (key & 1) & 0xFFFFFFFF
    return sum(half >= bound for bound in AT_MOST)
