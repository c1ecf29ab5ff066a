"""Sums of counts, with drawn weights of sentences or swapped labels.

Labels of two systems are swapped after summation: if T is the total of a system's counts and Z their sum over the
swapped sentences, then A has T_A - Z_A + Z_B and B has T_B - Z_B + Z_A. One sum per system is therefore enough for all
pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import UsageError
from geceval.counting.comparison_options import Options, ReplicateKind
from geceval.statistics.resampling import (
    Keys,
    Whole,
    exact_floats,
    shared_weights,
    weighted_sums,
)
from geceval.statistics.threads import run_in_threads

T = TypeVar("T")

#: Largest number of sums of replicates, and of weights of sentences, that a thread has in memory at once.
SUMS, WEIGHTS = 1 << 19, 1 << 20
#: The sum of no sentences.
_NOTHING = np.zeros((), np.int64)
#: Indices of two systems.
Pair: TypeAlias = tuple[int, int]
#: Indices of the runs of two systems; without repeated runs of the systems.
Runs: TypeAlias = tuple[int, ...]


@dataclass
class Sums:
    """Whole-number sums over replicates of the counts of n runs, C numbers each.

    Sentences are kept as long as they are fewer than the replicates, since they then use less memory.
    """

    options: Options
    pairs: Sequence[Runs]
    #: Reduces counts [..., C]: ``Metric.reduced_columns``.
    reduced_columns: Callable[[Whole], Whole]
    #: Keys [S] and reduced counts [S, n, C], in as few bytes as they fit in, of sentences that are not in ``sums``.
    unsummed: list[tuple[Keys, NDArray[Any]]] = field(default_factory=list)
    #: Sums of the summed sentences: ``total`` [n, C], and of all replicates [samples, n, C] by kind.
    sums: dict[str, Whole] = field(default_factory=dict)
    #: Number of sentences [pairs] that differ.
    differing: NDArray[np.int64] = field(init=False)
    #: For each pair, keys [s] and counts [s, 2, C] of the sentences that differ, unless they have too many units.
    differing_rows: list[tuple[Keys, Whole] | None] = field(init=False)
    size: int = 0

    def __post_init__(self) -> None:
        self.differing = np.zeros(len(self.pairs), dtype=np.int64)
        self.differing_rows = [(np.zeros(0, np.uint64), np.zeros((0, 2, 0), np.int64)) for _ in self.pairs]

    def take(self, keys: Keys, rows: Whole) -> None:
        """Add sentences with keys [S] and counts [S, n, C]."""
        self._grow(int(np.abs(rows).sum(axis=0, dtype=np.float64).max(initial=0)))
        columns = np.ascontiguousarray(narrowed(rows).transpose(1, 2, 0))  # which are compared in a tenth of the time
        for pair, (first, *others) in enumerate(self.pairs):
            differs = np.flatnonzero(np.any([columns[first] != columns[run] for run in others], axis=(0, 1)))
            self.differing[pair] += len(differs)
            self._keep_few(pair, keys[differs], rows, differs, [first, *others])
        self.unsummed.append((keys, narrowed(self.reduced_columns(rows))))
        self._draw_many()

    def _grow(self, size: int) -> None:
        self.size += size
        if self.size * 12 >= 2**63:
            raise UsageError("the counts are too large to be resampled: their sums exceed 63 bits")

    def _keep_few(
        self, pair: int, keys: Keys, rows: Whole, sentences: Any = slice(None), runs: Any = slice(None)
    ) -> None:
        """Keep sentences of a pair with these keys and their counts among the rows, unless they have too many units."""
        previous = self.differing_rows[pair]
        if previous is None or not len(keys):
            return
        keys = np.concatenate([previous[0], keys])
        if len(set(keys.tolist())) > self.options.few:
            self.differing_rows[pair] = None
        else:
            differing = rows[sentences][:, runs]
            self.differing_rows[pair] = (
                keys,
                np.concatenate([previous[1], differing]) if len(previous[0]) else differing,
            )

    def _draw_many(self) -> None:
        if sum(len(keys) for keys, _ in self.unsummed) >= self.options.samples:
            kinds: list[ReplicateKind] = ["poisson", "swap"] if self.options.swaps(self.pairs) else ["poisson"]
            drawn = {"total": self.total()}
            for kind in kinds:
                shape = self.options.number_of(kind), *self.total().shape
                drawn[kind] = self.sums.get(kind, np.empty(shape, np.int64))
                self.map_blocks(kind, drawn[kind].__setitem__)
            self.sums, self.unsummed = drawn, []

    def total(self) -> Whole:
        """Return the sums [n, C] of all sentences."""
        sums = (rows.sum(axis=0, dtype=np.int64) for _, rows in self.unsummed)
        return sum(sums, start=self.sums.get("total", _NOTHING))

    def map_blocks(self, kind: ReplicateKind, function: Callable[[slice, Whole], T]) -> list[T]:
        """Return the results of a function of consecutive replicates, computed in threads.

        Args:
            kind: Kind of replicates.
            function: Called with the numbers of r replicates and the sums [r, n, C] of all sentences.
        """
        options, size = self.options, SUMS // max(1, self.total().size)
        replicates = options.number_of(kind)
        if self.unsummed:
            keys, rows = joined(self.unsummed)
            columns, column_numbers = _distinct_columns(rows.reshape(len(rows), -1))
            floats, size = exact_floats(columns), min(size, WEIGHTS // len(keys))
        size = max(1, size)

        def of_block(number: int) -> T:
            first, end = number * size, min(number * size + size, replicates)
            sums = self.sums[kind][first:end] if self.sums else _NOTHING
            if self.unsummed:
                drawn = weighted_sums(shared_weights(keys.tobytes(), kind, options.seed, first, end), floats)
                sums = sums + np.take(drawn, column_numbers, axis=1).reshape(end - first, *rows.shape[1:])
            return function(slice(first, end), sums)

        return run_in_threads(of_block, -(-replicates // size), options.threads)

    def merge(self, other: Sums) -> None:
        """Add the sentences of another object."""
        self.unsummed += other.unsummed
        for name, sums in other.sums.items():
            self.sums[name] = self.sums[name] + sums if name in self.sums else sums.copy()
        self._grow(other.size)
        self.differing = self.differing + other.differing
        for pair, few in enumerate(other.differing_rows):
            if few is None:
                self.differing_rows[pair] = None
            else:
                self._keep_few(pair, *few)
        self._draw_many()


def narrowed(rows: Whole) -> NDArray[Any]:
    """Return integers as uint8, or in the smallest sufficient signed type."""
    lowest, highest = int(rows.min(initial=0)), int(rows.max(initial=0))
    return rows.astype(np.uint8 if lowest == 0 and highest < 256 else np.min_scalar_type(min(lowest, -highest - 1)))


def joined(parts: Sequence[tuple[Keys, NDArray[Any]]]) -> tuple[Keys, NDArray[Any]]:
    """Return keys [S] and counts [S, n, C] of the parts."""
    keys, rows = zip(*parts, strict=True)
    return np.concatenate(keys), np.concatenate(rows)


def _distinct_columns(rows: NDArray[Any]) -> tuple[Whole, NDArray[np.intp]]:
    """Return the distinct columns [S, D] of rows, and the index of each column [C]."""
    numbers: dict[bytes, int] = {}
    column_numbers = [numbers.setdefault(column.tobytes(), len(numbers)) for column in rows.T]
    _, first = np.unique(column_numbers, return_index=True)
    return rows[:, first].astype(np.int64), np.array(column_numbers)
