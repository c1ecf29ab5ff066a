"""Pairs of systems judged by people or metrics, and their tallies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import UsageError
from geceval.base.ties import TOLERANCE
from geceval.statistics import Floats


@dataclass(frozen=True)
class Pairs:
    """P judged pairs of systems in order, as arrays of shape [P].

    Attributes:
        systems: names of the systems.
        source_id: the number of the sentence in the judgments.
        first: index of the first system; smaller than ``second``.
        second: index of the second system.
        outcome: 1 if the first is better, -1 if the second is better, 0 for a tie.
        ranks: ranks [P, 2] of the two in their item, 1 is best; None for pairs without ranks, such as a metric's.
    """

    systems: tuple[str, ...]
    source_id: NDArray[np.int64]
    first: NDArray[np.uint32]
    second: NDArray[np.uint32]
    outcome: NDArray[np.int8]
    ranks: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.outcome)

    def among(self, systems: Sequence[str]) -> Pairs:
        """Return the pairs of the given systems, in their order.

        Raises UsageError for a system without judgments.
        """
        unknown = [name for name in systems if name not in self.systems]
        if unknown:
            raise UsageError(f"no judgments of {', '.join(unknown)}; judged: {', '.join(self.systems)}")
        place = np.full(len(self.systems), -1)
        place[[self.systems.index(name) for name in systems]] = np.arange(len(systems))
        first, second = place[self.first], place[self.second]
        kept = (first >= 0) & (second >= 0)
        turned = (first > second)[kept]
        swapped = np.where(turned, -1, 1).astype(np.int8)
        first, second = np.minimum(first, second)[kept], np.maximum(first, second)[kept]
        return Pairs(
            tuple(systems),
            self.source_id[kept],
            first.astype(np.uint32),
            second.astype(np.uint32),
            self.outcome[kept] * swapped,
            None if self.ranks is None else np.where(turned[:, None], self.ranks[kept, ::-1], self.ranks[kept]),
        )

    def tally(self) -> PairTally:
        """Return the wins and ties of each system against each other, [K, K]."""
        whole = self.tally_by_sentence(dict.fromkeys(self.source_id.tolist(), 0), 1)
        return PairTally(self.systems, whole.wins[0], whole.ties[0])

    def tally_by_sentence(self, lines: Mapping[int, int], sentences: int) -> PairTally:
        """Return the tallies of every sentence, [sentences, K, K]; 0 if not judged.

        Args:
            lines: sentence number in the judgments -> index below ``sentences``.
            sentences: number of sentences of the test set.
        """
        line = np.array([lines[number] for number in self.source_id.tolist()], np.int64)
        wins = np.zeros((sentences, len(self.systems), len(self.systems)), np.int64)
        ties = np.zeros_like(wins)
        ahead, behind, even = self.outcome > 0, self.outcome < 0, self.outcome == 0
        np.add.at(wins, (line[ahead], self.first[ahead], self.second[ahead]), 1)
        np.add.at(wins, (line[behind], self.second[behind], self.first[behind]), 1)
        np.add.at(ties, (line[even], self.first[even], self.second[even]), 1)
        return PairTally(self.systems, wins, ties + np.swapaxes(ties, 1, 2))


@dataclass(frozen=True)
class PairTally:
    """Wins and ties of systems against each other.

    ``wins[..., i, j]`` counts the judgments that i is better than j; ``ties[..., i, j]`` is symmetric.
    """

    systems: tuple[str, ...]
    wins: NDArray[np.int64]
    ties: NDArray[np.int64]


SUMMED = 1000
"""Number of sentences that are converted to floating point at a time."""


def weighted_sums(weights: NDArray[Any], table: NDArray[Any]) -> NDArray[np.int64]:
    """Return the sums [replicates, K, K] of whole numbers [S, K, K].

    The weights are [replicates, S].
    """
    sums = np.zeros((len(weights), *table.shape[1:]))
    for start in range(0, len(table), SUMMED):
        part = slice(start, start + SUMMED)
        # In floating point, which is exact below 2^53 and much faster.
        sums += np.tensordot(weights[:, part].astype(np.float64), table[part].astype(np.float64), axes=1)
    return sums.astype(np.int64)


def signs(gaps: Floats) -> Floats:
    """Return 1 for positive differences of scores, -1 for negative ones, 0 for ties.

    NaN stays NaN.
    """
    return np.where(np.abs(gaps) <= TOLERANCE, 0.0, np.sign(gaps))


def outcomes(gaps: NDArray[np.float64]) -> NDArray[np.int8]:
    """Return 1 where the difference favours the first, -1 the second, 0 for a tie."""
    return signs(gaps).astype(np.int8)
