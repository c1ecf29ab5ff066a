"""Random draws of one reference per sentence.

The generator is MT19937, numpy's RandomState, which draws the same numbers as Python's random module for one seed. The
draws of the original GLEU scorer can thus be repeated.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np

# Imported now: a process that is forked while a thread imports it would wait forever.
from numpy.random import RandomState
from numpy.typing import NDArray

from geceval.base.errors import UsageError

#: Maximum number of draws at a time, by all iterations together.
DRAWS = 1 << 22


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
        self._keys = [(*words, i) if words else (i * 101,) for i in range(iterations)]
        self._draw = _integers if randint and seed is None else _fractions
        #: Number of sentences before the first draws, all with one reference.
        self._single = 0
        self._first: NDArray[np.intp] | None = None
        self._generators: list[RandomState] = []

    def next(self, mask: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Return references [iterations, S], or [1, S], drawn from ``mask`` [S, R]."""
        present, numbers = np.argsort(~mask, axis=1, kind="stable"), mask.sum(axis=1)
        if not numbers.all():
            raise UsageError("every sentence needs a reference")
        if self._first is None and bool((numbers == 1).all()):
            self._single += len(mask)
            return present[:, 0][np.newaxis]
        places = np.stack([self._draw(generator, numbers) for generator in self._next_generators(numbers)])
        return present[np.arange(len(mask)), places]

    def _next_generators(self, numbers: NDArray[np.intp]) -> Iterator[RandomState]:
        """Yield the generator of each iteration.

        The first part is usually the only one: it uses one generator, since seeding takes a tenth of the time of making
        one.
        """
        if self._first is None:
            self._first = numbers
            generator = RandomState()
            for key in self._keys:
                generator.seed(key)
                self._skip_single(generator)
                yield generator
            return
        if not self._generators:
            self._generators = [RandomState(key) for key in self._keys]
            for generator in self._generators:
                self._skip_single(generator)
                self._draw(generator, self._first)
        yield from self._generators

    def _skip_single(self, generator: RandomState) -> None:
        for start in range(0, self._single, DRAWS):
            self._draw(generator, np.ones(min(DRAWS, self._single - start), np.intp))


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
