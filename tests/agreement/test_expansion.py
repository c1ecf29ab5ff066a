"""People's rankings expanded to pairs and tallied, against definitions spelled out."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval.agreement.judgments import Item, Judgments
from geceval.agreement.people import expand_pairs
from geceval.base.errors import UsageError

NAMES = "ABCDE"


@st.composite
def judgments(draw: st.DrawFn) -> Judgments:
    """Items that partition a few systems into groups, with ranks that skip and tie."""
    items = []
    for k in range(draw(st.integers(1, 8))):
        listed = draw(st.permutations(NAMES))[: draw(st.integers(0, 5))]
        cuts = sorted(draw(st.sets(st.integers(1, max(1, len(listed) - 1))))) if listed else []
        groups = [tuple(sorted(listed[a:b])) for a, b in itertools.pairwise([0, *cuts, len(listed)]) if a < b]
        ranks = tuple(draw(st.integers(1, 5)) for _ in groups)
        items.append(Item(draw(st.integers(0, 3)), "u", tuple(groups), ranks, k))
    return Judgments("memory", tuple(items))


@given(judgments())
def test_tally_counts_wins_and_ties_of_the_items(data: Judgments) -> None:
    tally = expand_pairs(data).tally()
    names = tally.systems
    for i, j in itertools.product(range(len(names)), repeat=2):
        ranks = [
            {name: rank for group, rank in zip(item.groups, item.ranks, strict=True) for name in group}
            for item in data.items
        ]
        met = [(rank[names[i]], rank[names[j]]) for rank in ranks if names[i] in rank and names[j] in rank]
        assert tally.wins[i, j] == sum(a < b for a, b in met)
        assert tally.ties[i, j] == (sum(a == b for a, b in met) if i != j else 0)


@given(judgments(), st.data())
def test_restriction_drops_only_other_systems(data: Judgments, draw: st.DataObject) -> None:
    pairs = expand_pairs(data)
    chosen = draw.draw(st.permutations(pairs.systems))[: draw.draw(st.integers(0, len(pairs.systems)))]
    part, whole = pairs.among(chosen).tally(), pairs.tally()
    place = [whole.systems.index(name) for name in chosen]
    assert part.systems == tuple(chosen)
    assert (part.wins == whole.wins[np.ix_(place, place)]).all()
    assert (part.ties == whole.ties[np.ix_(place, place)]).all()


@given(judgments())
def test_tallies_by_sentence_add_up_to_the_tally(data: Judgments) -> None:
    pairs = expand_pairs(data)
    by_sentence = pairs.tally_by_sentence({k: k for k in range(4)}, 4)
    assert (by_sentence.wins.sum(0) == pairs.tally().wins).all()
    assert (by_sentence.ties.sum(0) == pairs.tally().ties).all()
    selected = pairs.source_id == 2
    single = replace(
        pairs,
        source_id=pairs.source_id[selected],
        first=pairs.first[selected],
        second=pairs.second[selected],
        outcome=pairs.outcome[selected],
    )
    assert (by_sentence.wins[2] == single.tally().wins).all()


def test_unknown_system_is_refused() -> None:
    pairs = expand_pairs(Judgments("memory", (Item(0, "u", (("A",), ("B",)), (1, 2), 1),)))
    with pytest.raises(UsageError, match="no judgments of C; judged: A, B"):
        pairs.among(["A", "C"])
