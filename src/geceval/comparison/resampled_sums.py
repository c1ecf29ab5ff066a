"""Sums of counts, with drawn weights of sentences or swapped labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import resampled_sums
from geceval.base.errors import UsageError
from geceval.counting.comparison_options import Options
from geceval.statistics.resampling import Keys, Whole

#: Largest number of sums of replicates that are in memory at once.
SUMS = 1 << 20
#: The sum of no sentences.
_NOTHING = np.zeros((), np.int64)
#: Kinds of replicates; see ``Sums.blocks``.
Kind: TypeAlias = Literal["poisson", "swap"]
#: Indices of two systems.
Pair: TypeAlias = tuple[int, int]
#: Indices of the runs of two systems; without repeated runs of the systems.
Runs: TypeAlias = tuple[int, ...]


def differing(counts: Sequence[NDArray[Any]] | NDArray[Any], runs: Runs) -> NDArray[np.bool_]:
    """Return for each sentence [S] whether the counts [S, …] of some runs differ."""
    found = np.any([counts[k] != counts[runs[0]] for k in runs[1:]], axis=0)
    return np.asarray(found.any(axis=tuple(range(1, found.ndim))))


@dataclass
class Sums:
    """Whole-number sums over replicates of the counts of n runs, C numbers each.

    Sentences are kept as long as they are fewer than the replicates, since they then use less memory.
    """

    options: Options
    pairs: Sequence[Runs]
    #: Condenses counts [..., C]: ``Figure.condensed`` of the metric.
    condensed: Callable[[Whole], Whole]
    #: Keys [S] and condensed counts [S, n, C], in as few bytes as they fit in, of sentences that are not in ``sums``.
    kept: list[tuple[Keys, NDArray[Any]]] = field(default_factory=list)
    #: Sums of the sentences that are not kept: ``total`` [n, C], and of all replicates [samples, n, C] by kind.
    sums: dict[str, Whole] = field(default_factory=dict)
    #: Number of sentences [pairs] that differ.
    differing: NDArray[np.int64] = field(init=False)
    #: For each pair, keys [s] and counts [s, 2, C] of the sentences that differ, unless they have too many units.
    few: list[tuple[Keys, Whole] | None] = field(init=False)
    size: int = 0

    def __post_init__(self) -> None:
        self.differing = np.zeros(len(self.pairs), dtype=np.int64)
        self.few = [(np.zeros(0, np.uint64), np.zeros((0, 2, 0), np.int64)) for _ in self.pairs]

    def take(self, keys: Keys, rows: Whole) -> None:
        """Add sentences with keys [S] and counts [S, n, C]."""
        self._grow(int(np.abs(rows).sum(axis=0, dtype=np.float64).max(initial=0)))
        systems = np.ascontiguousarray(rows.transpose(1, 0, 2))
        for at, runs in enumerate(self.pairs):
            differs = np.flatnonzero(differing(systems, runs))
            self.differing[at] += len(differs)
            if self.few[at] is not None:
                self._keep_few(at, keys[differs], np.stack([systems[k, differs] for k in runs], axis=1))
        self.kept.append((keys, narrowed(self.condensed(rows))))
        self._draw_many()

    def _grow(self, size: int) -> None:
        self.size += size
        if self.size * 12 >= 2**63:
            raise UsageError("the counts are too large to be resampled: their sums exceed 63 bits")

    def _keep_few(self, at: int, keys: Keys, rows: Whole) -> None:
        before = self.few[at]
        if before is None or not len(keys):
            return
        rows = np.concatenate([before[1], rows]) if len(before[0]) else rows
        keys = np.concatenate([before[0], keys])
        self.few[at] = (keys, rows) if len(set(keys.tolist())) <= self.options.few else None

    def _draw_many(self) -> None:
        if sum(len(own) for own, _ in self.kept) >= self.options.samples:
            kinds: list[Kind] = ["poisson", "swap"] if self.options.swaps(self.pairs) else ["poisson"]
            shape = self.options.samples, *self.total().shape
            drawn: dict[str, Whole] = {}
            for kind in kinds:
                drawn[kind], first = self.sums.get(kind, np.empty(shape, np.int64)), 0
                for block in self.blocks(kind):
                    drawn[kind][first : first + len(block)] = block
                    first += len(block)
            self.sums, self.kept = {"total": self.total()} | drawn, []

    def total(self) -> Whole:
        """Return the sums [n, C] of all sentences."""
        return sum((rows.sum(axis=0, dtype=np.int64) for _, rows in self.kept), start=self.sums.get("total", _NOTHING))

    def blocks(self, kind: Kind) -> Iterator[Whole]:
        """Yield the sums [r, n, C] of all sentences in runs of replicates.

        Replicates are bootstrap samples (``poisson``), or the sentences whose labels are swapped (``swap``).
        """
        options, block = self.options, max(1, SUMS // max(1, self.total().size))
        if self.kept:
            keys, rows = joined(self.kept)
            columns, places = _distinct_columns(rows.reshape(len(rows), -1))
        for first in range(0, options.samples, block):
            size = min(block, options.samples - first)
            sums = self.sums[kind][first : first + size] if self.sums else _NOTHING
            if self.kept:
                drawn = resampled_sums(columns, keys, kind, options.seed, size, options.threads, first)
                sums = sums + drawn[:, places].reshape(size, *rows.shape[1:])
            yield sums

    def merge(self, other: Sums) -> None:
        """Add the sentences of another object."""
        self.kept += other.kept
        for name, sums in other.sums.items():
            self.sums[name] = self.sums[name] + sums if name in self.sums else sums.copy()
        self._grow(other.size)
        self.differing = self.differing + other.differing
        for at, few in enumerate(other.few):
            if few is None:
                self.few[at] = None
            else:
                self._keep_few(at, *few)
        self._draw_many()


def narrowed(rows: Whole) -> NDArray[Any]:
    """Return whole numbers as uint8, or in the smallest sufficient signed type."""
    lowest, highest = int(rows.min(initial=0)), int(rows.max(initial=0))
    return rows.astype(np.uint8 if lowest == 0 and highest < 256 else np.min_scalar_type(min(lowest, -highest - 1)))


def joined(parts: Sequence[tuple[Keys, NDArray[Any]]]) -> tuple[Keys, NDArray[Any]]:
    """Return keys [S] and counts [S, n, C] of the parts."""
    keys, rows = zip(*parts, strict=True)
    return np.concatenate(keys), np.concatenate(rows)


def _distinct_columns(rows: NDArray[Any]) -> tuple[Whole, NDArray[np.intp]]:
    """Return the distinct columns [S, D] of rows, and the index of each column [C]."""
    numbers: dict[bytes, int] = {}
    places = [numbers.setdefault(column.tobytes(), len(numbers)) for column in rows.T]
    _, first = np.unique(places, return_index=True)
    return rows[:, first].astype(np.int64), np.array(places)
