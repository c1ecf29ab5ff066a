"""kernel/core/src/random.rs and kernel/core/src/trueskill.rs again, slow and obvious."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import compress

BITS = 2**64 - 1


class LastBitError(Exception):
    """Two variances differ by their last bits, which depend on the library of mathematics, and one is the larger."""


class Xoshiro256:
    def __init__(self, seed: int) -> None:
        self.state = []
        for k in range(1, 5):
            z = (seed + k * 0x9E3779B97F4A7C15) & BITS
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & BITS
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & BITS
            self.state.append(z ^ (z >> 31))

    def bits(self) -> int:
        s = self.state
        result = (_rotated((s[0] + s[3]) & BITS, 23) + s[0]) & BITS
        t = (s[1] << 17) & BITS
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = _rotated(s[3], 45)
        return result

    def unit(self) -> float:
        return (self.bits() >> 11) / 2**53

    def below(self, n: int) -> int:
        while True:
            product = self.bits() * n
            if product & BITS >= 2**64 % n:
                return product >> 64


def _rotated(x: int, k: int) -> int:
    return ((x << k) | (x >> (64 - k))) & BITS


def density(x: float) -> float:
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def cumulative(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2


def play(
    mean: list[float], variance: list[float], first: int, second: int, outcome: int, beta: float, margin: float
) -> None:
    a, b = (second, first) if outcome < 0 else (first, second)
    c2 = 2 * beta**2 + variance[a] + variance[b]
    c = math.sqrt(c2)
    t, e = (mean[a] - mean[b]) / c, margin / c
    if outcome:
        v = density(t - e) / cumulative(t - e)
        w = v * (v + t - e)
    else:
        # At |t|, as v is odd and w even: exactly so, since the next player is the one of largest variance.
        x = abs(t)
        mass = cumulative(e - x) - cumulative(-e - x)
        v = (density(-e - x) - density(e - x)) / mass
        w = v * v + ((e - x) * density(e - x) + (e + x) * density(e + x)) / mass
        v = -v if t < 0 else v
    mean[a] += variance[a] / c * v
    mean[b] -= variance[b] / c * v
    variance[a] *= 1 - variance[a] / c2 * w
    variance[b] *= 1 - variance[b] / c2 * w


def in_order(
    players: int, games: Iterable[tuple[int, int, int]], sigma: float, beta: float, margin: float
) -> tuple[list[float], list[float]]:
    mean, variance = [0.0] * players, [sigma**2] * players
    for first, second, outcome in games:
        play(mean, variance, first, second, outcome, beta, margin)
    return mean, variance


def run(
    wins: Sequence[Sequence[int]],
    draws: Sequence[Sequence[int]],
    updates: int,
    sigma: float,
    beta: float,
    margin: float,
    seed: int,
) -> list[float]:
    players = range(len(wins))
    met = [[j for j in players if j != i and wins[i][j] + wins[j][i] + draws[i][j]] for i in players]
    mean, variance = [0.0] * len(wins), [sigma**2] * len(wins)
    rng = Xoshiro256(seed)
    for _ in range(updates if any(met) else 0):
        a = max((i for i in players if met[i]), key=lambda i: (variance[i], i))
        if any(variance[a] * (1 - 1e-9) < v < variance[a] for v in compress(variance, met)):
            raise LastBitError
        b = opponent(a, met[a], mean, rng)
        bag = [1] * wins[a][b] + [-1] * wins[b][a] + [0] * draws[a][b]
        play(mean, variance, a, b, bag[rng.below(len(bag))], beta, margin)
    return mean


def opponent(a: int, candidates: list[int], mean: list[float], rng: Xoshiro256) -> int:
    for _ in range(16):
        b = candidates[rng.below(len(candidates))]
        if rng.unit() < math.exp(-abs(mean[a] - mean[b])):
            return b
    nearest = min(abs(mean[a] - mean[b]) for b in candidates)
    weights = [math.exp(nearest - abs(mean[a] - mean[b])) for b in candidates]
    left = rng.unit() * sum(weights)
    for b, weight in zip(candidates, weights, strict=True):
        left -= weight
        if left < 0:
            return b
    return candidates[-1]
