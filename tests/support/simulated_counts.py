"""Drawn counts of right and wrong edits."""

from __future__ import annotations

import numpy as np

from geceval.counting.counts import Counts


def counts_with_a_crossing(seed: int, sentences: int = 300) -> list[Counts]:
    """Two systems whose expected order changes at a cost of 2: 0.8 - 0.4 c against 0.4 - 0.2 c."""
    rng = np.random.default_rng(seed)
    hard = rng.gamma(2, 0.5, sentences)
    rates = ((0.8, 0.4), (0.4, 0.2))
    tables = [np.stack([rng.poisson(hard * rate) for rate in of_system], axis=-1)[:, np.newaxis] for of_system in rates]
    return [Counts(table, ("right", "wrong")) for table in tables]
