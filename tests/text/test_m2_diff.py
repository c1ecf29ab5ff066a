"""Two annotations of one text, and the figures of files, against slow and obvious ways to count."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import m2
from geceval.base.errors import GecevalError, InputError, UsageError
from geceval.m2 import Block, Edit, noop
from geceval.text.m2 import m2_statistics
from support.strategies_edits import LINE, odd_files, versions


def key(edit: Edit) -> tuple[int, int, str]:
    return edit.start, edit.end, " ".join(edit.correction.split())


# --- stats ---


@given(odd_files)
def test_stats_are_those_of_the_twin(blocks: list[Block]) -> None:
    found = m2.stats(blocks)
    own = [{who: block.edits_of(who) for who in block.annotators} for block in blocks]
    edits = [edit for block in own for version in block.values() for edit in version]
    assert (found.sentences, found.tokens) == (len(blocks), sum(len(block.tokens) for block in blocks))
    assert (found.edits, found.types) == (len(edits), Counter(edit.type for edit in edits))
    assert found.lengths == Counter((e.end - e.start, len(e.correction.split())) for e in edits)
    for who, annotator in found.annotators.items():
        there = [block[who] for block in own if who in block]
        expected = (len(there), sum(map(bool, there)), sum(map(len, there)))
        assert (annotator.sentences, annotator.changed, annotator.edits) == expected
    assert set(found.annotators) == {who for block in own for who in block}
    pairs = {pair for block in own for pair in combinations(sorted(block), 2)}
    assert set(found.agreement) == pairs
    for one, other in pairs:
        sides = [[Counter(map(key, block[who])) for who in (one, other)] for block in own if {one, other} <= {*block}]
        agreement = found.agreement[one, other]
        assert agreement.sentences == len(sides)
        assert agreement.edits == sum(a.total() + b.total() for a, b in sides)
        assert agreement.shared == sum((a & b).total() for a, b in sides)
        assert agreement.same == sum(a == b for a, b in sides)


def test_stats_count_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [Block("a b", (Edit(0, 1, "X", ("c",)), noop(1))), Block("a", (noop(1),)), Block("b")]
    whole = m2.stats(blocks)
    monkeypatch.setattr("geceval.text.m2.blocks.BATCH", 1)
    assert m2.stats(iter(blocks)) == whole


@given(st.lists(st.one_of(st.none(), st.integers(0, 30).map(lambda n: n / 8)), max_size=30), st.integers(0, 3))
def test_operation_has_answers_and_percentiles_of_latencies(times: list[float | None], silent: int) -> None:
    notes = [() if time is None else (f"I latency {time}", "I other") for time in times]
    blocks = [Block("a", notes=own) for own in notes] + [Block("a", notes=("I no answer",))] * silent
    known = [time for time in times if time is not None]
    expected = {"sentences": len(blocks), "answered": len(times)} if known or silent else {}
    if known:
        expected |= {f"p{p}": float(np.quantile(known, p / 100, method="inverted_cdf")) for p in (50, 95, 99)}
    assert m2.stats(blocks).operation == expected


# --- diff ---


@st.composite
def two_annotations(draw: st.DrawFn) -> tuple[list[Block], list[Block]]:
    """Of the same sentences, by the same annotators; types differ now and then."""
    annotators = range(draw(st.integers(1, 2)))
    sides: tuple[list[Block], list[Block]] = [], []
    for _ in range(draw(st.integers(1, 4))):
        tokens = draw(LINE)
        for side in sides:
            own = [edit for who in annotators for edit in draw(versions(len(tokens), who))]
            types = [draw(st.sampled_from(["X", "X", "Y"])) for _ in own]
            edits = [e if e.is_noop else Edit(e.start, e.end, t, e.corrections, annotator=e.annotator)
                     for e, t in zip(own, types, strict=True)]  # fmt: skip
            side.append(Block(" ".join(tokens), tuple(edits)))
    return sides


@given(two_annotations())
def test_diff_is_that_of_the_twin(sides: tuple[list[Block], list[Block]]) -> None:
    found = m2.diff(*sides)
    who = found.pairs
    own = [[(s, a, *key(e)) for s, b in enumerate(side) for a, _ in who for e in b.edits_of(a)] for side in sides]
    one, other = map(Counter, own)
    shared = (one & other).total()
    assert (found.edits, found.shared) == ((len(own[0]), len(own[1])), shared)
    assert found.f1 == (2 * shared / len(own[0] + own[1]) if own[0] + own[1] else 1.0)
    spans = [Counter(edit[:4] for edit in side) for side in own]
    assert found.spans_f1 == (2 * (spans[0] & spans[1]).total() / len(own[0] + own[1]) if own[0] + own[1] else 1.0)
    rows = list(found.rows(all=True))
    assert Counter((r.sentence, who[r.pair][0], r.start, r.end, r.correction) for r in rows if r.types[0]) == one
    assert Counter((r.sentence, who[r.pair][0], r.start, r.end, r.correction) for r in rows if r.types[1]) == other
    assert sum(row.where == "both" for row in rows) == shared
    assert found.is_equal == all(row.is_same for row in rows) == (not list(found.rows()))
    assert found.alike == len(sides[0]) - len({row.sentence for row in rows if not row.is_same})
    for name, of_type in found.types.items():
        counts = [sum(e.type == name and not e.is_noop for b in side for e in b.edits) for side in sides]
        assert of_type.edits == tuple(counts)
    assert sum(of_type.both for of_type in found.types.values()) == shared - found.retyped
    back = m2.diff(*reversed(sides))
    assert (back.shared, back.retyped, back.f1, back.kappa) == (shared, found.retyped, found.f1, found.kappa)
    assert found.kappa == kappa(sides, [a for a, _ in who])


def kappa(sides: Any, annotators: list[int]) -> Any:
    """Cohen's, of tokens inside an edit or to the right of an insertion."""
    labels: list[list[bool]] = [[], []]
    for own, side in zip(labels, sides, strict=True):
        for block in side:
            for who in annotators:
                marked = {t for e in block.edits_of(who) for t in range(e.start, max(e.end, e.start + 1))}
                own += [t in marked for t in range(len(block.tokens))]
    total = len(labels[0])
    if not total:
        return None
    yes = [sum(own) / total for own in labels]
    expected = yes[0] * yes[1] + (1 - yes[0]) * (1 - yes[1])
    observed = sum(a == b for a, b in zip(*labels, strict=True)) / total
    return None if expected == 1 else pytest.approx((observed - expected) / (1 - expected))


@given(two_annotations())
def test_a_file_is_equal_to_itself(sides: tuple[list[Block], list[Block]]) -> None:
    found = m2.diff(sides[0], sides[0])
    assert found.is_equal
    assert (found.f1, found.alike, found.absent) == (1.0, len(sides[0]), (0, 0))
    assert found.kappa in (None, 1.0)


def block(*edits: Edit, source: str = "a b c") -> Block:
    return Block(source, edits, path="x.m2", line=7)


def test_what_differs() -> None:
    one = [block(Edit(0, 1, "X", ("z", "q")), Edit(1, 2, "X", ("",)), Edit(3, 3, "M", ("d",)))]
    other = [block(Edit(1, 2, "Y", ("-NONE-",)), Edit(0, 1, "X", (" z ",)), Edit(3, 3, "M", ("e",)))]
    found = m2.diff(one, other)
    assert [(row.start, row.correction, row.where, row.types) for row in found.rows()] == [
        (1, "", "both", ("X", "Y")),
        (3, "d", "one", ("M", None)),
        (3, "e", "other", (None, "M")),
    ]
    assert (found.shared, found.retyped, found.alike, found.is_equal) == (2, 1, 0, False)
    assert (found.f1, found.spans_f1) == (4 / 6, 1.0)
    assert found.types["X"] == m2_statistics.TypeCounts((2, 1), 1)


def test_who_is_compared() -> None:
    two = [block(Edit(0, 1, "X", ("z",)), noop(1)), block(noop(0), noop(1))]
    alone = [block(Edit(0, 1, "X", ("z",), annotator=4)), block()]
    assert m2.diff(two, alone, (0, 4)).is_equal
    assert m2.diff(two, alone, (0, 4)).absent == (0, 1)
    assert not m2.diff(two, two, (0, 1)).is_equal
    assert m2.diff(alone, [block(Edit(0, 1, "X", ("z",))), block()]).pairs == [(4, 0)]
    with pytest.raises(UsageError, match="0, 1 in the first and 4 in the second"):
        m2.diff(two, alone)
    with pytest.raises(UsageError, match="there is no annotator 3: choose from 4"):
        m2.diff(two, alone, (0, 3))
    for wrong in ((0,), (0, "a"), "01", 3):
        with pytest.raises(GecevalError):
            m2.diff(two, alone, wrong)  # type: ignore[arg-type]


def test_sentences_must_be_the_same() -> None:
    with pytest.raises(InputError, match=r"^x\.m2:7: sentence 2 differs from x\.m2:7"):
        m2.diff([block(), block()], [block(), block(source="other")])
    with pytest.raises(InputError, match=r"x\.m2:7: the first has 1 sentences, the second 2: this one is missing"):
        m2.diff([block()], [block(), block()])
    with pytest.raises(InputError, match="the edit spans 0 to 9"):
        m2.diff([block(Edit(0, 9, "X", ("z",)))], [block()])
