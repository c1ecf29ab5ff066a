"""Expected Wins (Bojar et al. 2011): the rate of wins against a random opponent."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import GecevalWarning
from geceval.statistics.judged_pairs import PairTally


def expected_wins(tally: PairTally) -> NDArray[np.float64]:
    """Return the Expected Wins of every system, shape [..., systems], in [0, 1].

    EW(i) is the mean over opponents j of w(i,j) / (w(i,j) + w(j,i)). Ties are dropped, and so are opponents without a
    decided judgment. A system without decided judgments gets NaN and a `GecevalWarning`.
    """
    scores = mean_shares(tally.wins)
    lonely = np.isnan(scores)
    if lonely.any():
        names = np.array(tally.systems)[lonely.reshape(-1, lonely.shape[-1]).any(axis=0)]
        warnings.warn(f"no decided judgment of {', '.join(names)}", GecevalWarning, stacklevel=2)
    return scores


def mean_shares(wins: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the Expected Wins of ``wins[..., i, j]``.

    A system without decided judgments gets NaN.
    """
    decided = wins + np.swapaxes(wins, -1, -2)
    met = decided > 0
    shares = np.divide(wins, decided, out=np.zeros(decided.shape), where=met)
    opponents = met.sum(axis=-1)
    scores = np.full(opponents.shape, np.nan)
    np.divide(shares.sum(axis=-1), opponents, out=scores, where=opponents > 0)
    return scores


def draw_tallies(tally: PairTally, *, replicates: int, seed: int, part: int = 10_000) -> Iterator[PairTally]:
    """Yield bootstrap tallies [part, K, K].

    Each has the original number of judged pairs, drawn with replacement.
    """
    size = len(tally.systems)
    upper = np.triu_indices(size, 1)
    cells = np.concatenate([tally.wins.ravel(), tally.ties[upper]])
    total = int(cells.sum())
    # RandomState, not Generator: numpy guarantees only its stream to stay the same.
    rng = np.random.RandomState(seed)
    for start in range(0, replicates, part):
        drawn = rng.multinomial(total, cells / total, size=min(part, replicates - start)).astype(np.int64)
        wins = drawn[:, : size * size].reshape(-1, size, size)
        ties = np.zeros_like(wins)
        ties[:, upper[0], upper[1]] = drawn[:, size * size :]
        yield PairTally(tally.systems, wins, ties + np.swapaxes(ties, 1, 2))
