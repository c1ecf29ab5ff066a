"""Judged pairs of systems and their tallies, whoever judges: what rankings and measures of agreement are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import UsageError


@dataclass(frozen=True)
class Pairs:
    """P judged pairs of systems in order: arrays of shape [P].

    ``first`` and ``second`` index ``systems`` (first < second); ``outcome`` is 1 where the first was judged better, -1
    where the second was, 0 for a tie; ``source_id`` is the sentence as the judgments number it. ``ranks`` [P, 2] are
    what the two got in their item, 1 is best; None where no item ranked them (a metric's own pairs).
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
        """The pairs of the given systems, in their order. Raises `UsageError` for a system not judged."""
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
        """How often each system won against each other, and tied with it: arrays [K, K]."""
        whole = self.tally_by_sentence(dict.fromkeys(self.source_id.tolist(), 0), 1)
        return PairTally(self.systems, whole.wins[0], whole.ties[0])

    def tally_by_sentence(self, lines: Mapping[int, int], sentences: int) -> PairTally:
        """The same for every sentence of the test set apart: arrays [sentences, K, K], 0 where nobody judged.

        ``lines`` maps a sentence number of the judgments to its index below ``sentences``.
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
    """``wins[..., i, j]``: judgments that i is better than j; ``ties`` alike, symmetric."""

    systems: tuple[str, ...]
    wins: NDArray[np.int64]
    ties: NDArray[np.int64]


def reweighted(tallies: PairTally, weights: NDArray[np.int64]) -> PairTally:
    """The tallies of sentences [S, K, K] summed with weights [replicates, S]: [replicates, K, K]."""
    # In floating point, exact below 2^53, since only that product is quick.
    wins, ties = (
        np.rint(np.tensordot(weights.astype(np.float64), table.astype(np.float64), axes=1)).astype(np.int64)
        for table in (tallies.wins, tallies.ties)
    )
    return PairTally(tallies.systems, wins, ties)


TIED = 1e-9
"""Scores closer than this are tied."""


def outcomes(gaps: NDArray[np.float64]) -> NDArray[np.int8]:
    """What differences of scores say: 1 the first is better, -1 the second, 0 a tie."""
    signs: NDArray[np.int8] = np.where(np.abs(gaps) <= TIED, 0, np.sign(gaps)).astype(np.int8)
    return signs
