"""People's rankings expanded to pairs of systems."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from geceval.statistics.judged_pairs import Pairs
from geceval.studies.meta.judgments import Judgments


def expand(judgments: Judgments) -> Pairs:
    """Every unordered pair of the systems of every item, the pairs of an item in lexicographic order.

    Systems collapsed into one group tie with each other, and each has the group's relation to all others.
    """
    systems = judgments.systems
    index = {name: k for k, name in enumerate(systems)}
    rows = [
        (item.source_id, index[a], index[b], ranks[a], ranks[b])
        for item in judgments.items
        for ranks in (item.rank_of(),)
        for a, b in combinations(sorted(ranks), 2)
    ]
    columns = np.array(rows, np.int64).reshape(-1, 5).T
    return Pairs(
        systems,
        columns[0].copy(),
        columns[1].astype(np.uint32),
        columns[2].astype(np.uint32),
        np.sign(columns[4] - columns[3]).astype(np.int8),
        columns[3:].T.copy(),
    )
