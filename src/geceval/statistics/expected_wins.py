"""Expected Wins: the rate of wins against a random opponent.

Source:
    Bojar et al. (2011).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.base.caller_warnings import warn
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
        warn(f"no decided judgment of {', '.join(names)}")
    return scores


def mean_shares(wins: NDArray[Any]) -> NDArray[np.float64]:
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
