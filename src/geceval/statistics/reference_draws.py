"""Random draws of one reference per sentence.

The generator is MT19937, which draws the same numbers as Python's random module for one seed. The draws of the original
GLEU scorer can thus be repeated.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import draw_references, seeded_states
from geceval.base.errors import UsageError

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
        self._seeds = np.array([(*words, i) if words else (i * 101,) for i in range(iterations)], np.uint32)
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
            self._states = seeded_states(self._seeds)
            step = max(1, DRAWS // len(self._seeds))
            for start in range(0, self._single, step):
                draw_references(self._states, np.ones((min(step, self._single - start), 1), bool), self._integers)
        return draw_references(self._states, np.ascontiguousarray(mask), self._integers)
