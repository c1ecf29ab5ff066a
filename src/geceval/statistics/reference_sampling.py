"""Random draws of one reference per sentence, and the sums of the drawn counts.

The generator is MT19937, numpy's RandomState, which draws the same numbers as Python's random module for one seed. The
draws of the original GLEU scorer can thus be repeated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import numpy as np

# Imported now: a process that is forked while a thread imports it would wait forever.
from numpy.random import RandomState
from numpy.typing import NDArray

from geceval.base.errors import UsageError

#: Maximum number of draws at a time.
DRAWS = 1 << 22


class ReferenceDraws:
    """Draws of one reference per sentence, continued from part to part.

    Args:
        iterations: Number of draws for each sentence. Each has its generator.
        seed: Iteration i is seeded with the array (low and high 32 bits of the seed, i); None: with i * 101, and a
            sentence with R references uses int(random() * R), as in the original scorer.
        randint: Without a seed, use randint(0, R - 1) of Python 3.
    """

    def __init__(self, iterations: int, seed: int | None, *, randint: bool) -> None:
        words = () if seed is None else (seed & 0xFFFFFFFF, seed >> 32)
        self._keys = [(*words, i) if words else (i * 101,) for i in range(iterations)]
        self._draw = _integers if randint and seed is None else _fractions
        self._first: NDArray[np.intp] | None = None
        self._generators: list[RandomState] = []

    def next(self, mask: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Return references [iterations, S] drawn from the next ``mask`` [S, R]."""
        present, numbers = np.argsort(~mask, axis=1, kind="stable"), mask.sum(axis=1)
        if not numbers.all():
            raise UsageError("every sentence needs a reference")
        places = np.stack([self._draw(generator, numbers) for generator in self._next_generators(numbers)])
        return present[np.arange(len(mask)), places]

    def _next_generators(self, numbers: NDArray[np.intp]) -> Iterable[RandomState]:
        """Return the generator of each iteration.

        The first part is usually the only one: it uses one generator, since seeding takes a tenth of the time of making
        one.
        """
        if self._first is None:
            self._first = numbers
            return self._seeded()
        if not self._generators:
            self._generators = [RandomState(key) for key in self._keys]
            for generator in self._generators:
                self._draw(generator, self._first)
        return self._generators

    def _seeded(self) -> Iterator[RandomState]:
        generator = RandomState()
        for key in self._keys:
            generator.seed(key)
            yield generator


def _fractions(generator: RandomState, numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return int(random() * n) for each number n."""
    return (generator.random_sample(len(numbers)) * numbers).astype(np.intp)


def _integers(generator: RandomState, numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return randint(0, n - 1) for each number n.

    As many bits as n has are drawn until they are below n.
    """
    drawn = []
    for number, group in groupby(numbers.tolist()):
        missing = sum(1 for _ in group)
        while missing:
            words = generator.randint(1 << 32, size=missing, dtype=np.uint32) >> (32 - number.bit_length())
            drawn.append(words[words < number])
            missing -= len(drawn[-1])
    return np.concatenate(drawn).astype(np.intp) if drawn else np.zeros(0, np.intp)


class SampledSums:
    """Sums of counts over drawn references, for each iteration.

    While every sentence has one reference, all iterations have the same sums, and one row is stored. ReferenceDraws
    explains the arguments.
    """

    def __init__(self, iterations: int, seed: int | None, *, randint: bool) -> None:
        self._iterations, self._seed, self._randint = iterations, seed, randint
        self._draws: ReferenceDraws | None = None
        self._single = 0
        self.sums: NDArray[Any] | None = None

    def add(self, counts: NDArray[Any], mask: NDArray[np.bool_]) -> None:
        """Add counts [S, R, K] of the references ``mask`` [S, R].

        Raises UsageError if the counts are not whole numbers.
        """
        if counts.dtype.kind == "f" and (counts % 1).any():
            raise UsageError("sampled references require counts that are whole numbers")
        if self.sums is None:
            self.sums = np.zeros((1, counts.shape[2]), np.result_type(np.int64, counts))
        if self._draws is None and bool((mask.sum(axis=1) == 1).all()):
            self._single += len(mask)
            self.sums += counts[mask].sum(axis=0)
            return
        step = max(1, DRAWS // self._iterations)
        if self._draws is None:
            self._draws = ReferenceDraws(self._iterations, self._seed, randint=self._randint)
            self.sums = np.repeat(self.sums, self._iterations, axis=0)
            for start in range(0, self._single, step):
                self._draws.next(np.ones((min(step, self._single - start), 1), bool))
        for start in range(0, len(mask), step):
            part = slice(start, start + step)
            references = self._draws.next(mask[part])
            for r in range(counts.shape[1]):
                # Integers, because BLAS, which multiplies doubles, hangs in a process that is forked meanwhile.
                drawn = (references == r).astype(np.int64) @ counts[part, r].astype(np.int64)
                self.sums += drawn.astype(self.sums.dtype)
