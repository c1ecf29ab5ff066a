"""Pairs of systems judged by people or metrics, with their tallies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import InputError, UsageError
from geceval.base.ties import TOLERANCE
from geceval.statistics import Floats


@dataclass(frozen=True)
class Pairs:
    """P judged pairs of systems in order, as arrays of shape [P].

    Attributes:
        systems: Names of the systems.
        source_id: The number of the sentence in the judgments.
        first: Index of the first system; smaller than ``second``.
        second: Index of the second system.
        outcome: 1 if the first is better, -1 if the second is better, 0 for a tie.
        annotator: Number of the annotator, if people judged the pairs.
        verdict: Number of the verdict on two outputs, which all pairs of their systems share; -1 if the two systems
            have the same output.
        weight: Weight of each pair in tallies (None: 1).
    """

    systems: tuple[str, ...]
    source_id: NDArray[np.int64]
    first: NDArray[np.uint32]
    second: NDArray[np.uint32]
    outcome: NDArray[np.int8]
    annotator: NDArray[np.int64] | None = None
    verdict: NDArray[np.int64] | None = None
    weight: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.outcome)

    def at(self, rows: NDArray[Any]) -> Pairs:
        """Return some of the pairs, by index or as a mask."""
        columns = {name: column for name, column in vars(self).items() if isinstance(column, np.ndarray)}
        return replace(self, **{name: column[rows] for name, column in columns.items()})

    def once(self) -> tuple[Pairs, NDArray[np.int64]]:
        """Return one pair for each verdict on two outputs, and the number of pairs that share it."""
        if self.verdict is None:
            raise UsageError("the pairs have no verdicts on outputs")
        number, first, pairs = np.unique(self.verdict, return_index=True, return_counts=True)
        return self.at(first[number >= 0]), pairs[number >= 0]

    def with_output_weights(self) -> Pairs:
        """Return the pairs weighted so that each verdict on two outputs counts once in tallies."""
        if self.verdict is None:
            raise UsageError("the pairs have no verdicts on outputs")
        sharing = np.bincount(self.verdict + 1)[self.verdict + 1]
        return replace(self, weight=np.where(self.verdict < 0, 0.0, 1 / sharing))

    def among(self, systems: Sequence[str]) -> Pairs:
        """Return the pairs of the given systems, in their order.

        Raises UsageError for a system without judgments.
        """
        unknown = [name for name in systems if name not in self.systems]
        if unknown:
            raise UsageError(f"no judgments of {', '.join(unknown)}; judged: {', '.join(self.systems)}")
        new_index = np.full(len(self.systems), -1)
        new_index[[self.systems.index(name) for name in systems]] = np.arange(len(systems))
        selected = self.at((new_index[self.first] >= 0) & (new_index[self.second] >= 0))
        first, second = new_index[selected.first], new_index[selected.second]
        reverse = first > second
        return replace(
            selected,
            systems=tuple(systems),
            first=np.minimum(first, second).astype(np.uint32),
            second=np.maximum(first, second).astype(np.uint32),
            outcome=np.where(reverse, -selected.outcome, selected.outcome),
        )

    def lines(self, lines: Mapping[int, int]) -> NDArray[np.int64]:
        """Return the index [P] of each pair's sentence, by its number in the judgments."""
        return np.array([lines[number] for number in self.source_id.tolist()], np.int64)

    def tally(self) -> PairTally:
        """Return the wins and ties of each system against each other, [K, K]."""
        total = self.tally_by_sentence(dict.fromkeys(self.source_id.tolist(), 0), 1)
        return PairTally(self.systems, total.wins[0], total.ties[0])

    def tally_by_sentence(self, lines: Mapping[int, int], sentences: int) -> PairTally:
        """Return the tallies of every sentence, [sentences, K, K]; 0 if not judged.

        Args:
            lines: Sentence number in the judgments -> index below ``sentences``.
            sentences: Number of sentences of the test set.
        """
        line = self.lines(lines)
        weight = np.ones(len(self), np.int64) if self.weight is None else self.weight
        wins = np.zeros((sentences, len(self.systems), len(self.systems)), weight.dtype)
        ties = np.zeros_like(wins)
        ahead, behind, even = self.outcome > 0, self.outcome < 0, self.outcome == 0
        np.add.at(wins, (line[ahead], self.first[ahead], self.second[ahead]), weight[ahead])
        np.add.at(wins, (line[behind], self.second[behind], self.first[behind]), weight[behind])
        np.add.at(ties, (line[even], self.first[even], self.second[even]), weight[even])
        return PairTally(self.systems, wins, ties + np.swapaxes(ties, 1, 2))


@dataclass(frozen=True)
class PairTally:
    """Wins and ties of systems against each other.

    ``wins[..., i, j]`` counts the judgments that i is better than j; ``ties[..., i, j]`` is symmetric. Counts of
    weighted pairs are real numbers.
    """

    systems: tuple[str, ...]
    wins: NDArray[Any]
    ties: NDArray[Any]


SUMMED = 1000
"""Number of sentences that are converted to floating point at a time."""


def weighted_tallies(weights: NDArray[Any], table: NDArray[Any]) -> NDArray[Any]:
    """Return the sums [replicates, K, K] of numbers [S, K, K], whole if they are.

    The weights are [replicates, S].
    """
    sums = np.zeros((len(weights), *table.shape[1:]))
    for start in range(0, len(table), SUMMED):
        part = slice(start, start + SUMMED)
        # In floating point, which is exact below 2^53 and much faster.
        sums += np.tensordot(weights[:, part].astype(np.float64), table[part].astype(np.float64), axes=1)
    return sums if table.dtype.kind == "f" else sums.astype(np.int64)


def signs(gaps: Floats) -> Floats:
    """Return 1 for positive differences of scores, -1 for negative ones, 0 for ties.

    NaN stays NaN.
    """
    return np.where(np.abs(gaps) <= TOLERANCE, 0.0, np.sign(gaps))


def outcomes(gaps: NDArray[np.float64]) -> NDArray[np.int8]:
    """Return 1 where the difference favours the first, -1 the second, 0 for a tie.

    Raises InputError for NaN, which is no tie.
    """
    if np.isnan(gaps).any():
        raise InputError(
            "a metric has no score for a sentence (NaN), so that its outputs cannot be compared",
            hint="the metric must return a number, such as 1 without errors",
        )
    return signs(gaps).astype(np.int8)


def draw_tallies(tally: PairTally, *, replicates: int, seed: int, part: int = 10_000) -> Iterator[PairTally]:
    """Yield bootstrap tallies [part, K, K].

    Each has the original number of judged pairs, drawn with replacement.
    """
    size = len(tally.systems)
    upper = np.triu_indices(size, 1)
    cells = np.concatenate([tally.wins.ravel(), tally.ties[upper]])
    total = round(float(cells.sum()))
    # RandomState, not Generator: numpy guarantees only its stream to stay the same.
    rng = np.random.RandomState(seed)
    for start in range(0, replicates, part):
        drawn = rng.multinomial(total, cells / cells.sum(), size=min(part, replicates - start)).astype(np.int64)
        wins = drawn[:, : size * size].reshape(-1, size, size)
        ties = np.zeros_like(wins)
        ties[:, upper[0], upper[1]] = drawn[:, size * size :]
        yield PairTally(tally.systems, wins, ties + np.swapaxes(ties, 1, 2))
