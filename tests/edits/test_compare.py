"""Edits compared in the kernel, against plain dictionaries; and their sums by groups."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval import Corpus, Errant
from geceval._kernel import Edits, compare_edits
from geceval.counting.breakdown import Breakdown, group_counts
from geceval.counting.counts import Counts
from geceval.counting.groupings import ByLength, BySentence, ByType, Grouping, given_labels
from geceval.m2 import Block, Edit
from geceval.metrics.shared.edit_matching import Matching
from geceval.text.m2.type_selectors import TypeSelectors
from support.messages import message_of
from twins import compare as twins

TYPES = ["R:NOUN", "M:DET", "UNK", "noop", "R:NOUN:NUM", "Prep"]
edits = st.tuples(
    st.integers(-1, 3), st.integers(0, 2), st.sampled_from(TYPES), st.sampled_from(["", "-NONE-", "a", "a b", "a||b c"])
).map(lambda drawn: (drawn[0], drawn[0] + drawn[1] if drawn[0] >= 0 else -1, drawn[2], drawn[3]))
versions = st.lists(st.lists(edits, max_size=5), min_size=1, max_size=3)


def table(sentences: list[list[list[twins.Edit]]]) -> Edits:
    return Edits([list(enumerate(row)) for row in sentences])


@given(
    st.lists(st.tuples(versions, versions), max_size=4),
    st.sampled_from(["cs", "cse", "ds", "dt"]),
    st.sampled_from(["all", "single", "multi"]),
    st.lists(st.sampled_from(TYPES), max_size=2),
)
def test_kernel_equals_twin(sentences: list[Any], mode: Any, size: Any, exclude: list[str]) -> None:
    twin = twins.Matching(mode, size, exclude)
    system, gold = table([proposed for proposed, _ in sentences]), table([reference for _, reference in sentences])
    counts, present, columns = compare_edits(system, gold, (mode, size, exclude), 1, True)
    assert columns is not None
    numbers = [columns["sentence"], columns["reference"], columns["column"], columns["side"]]
    texts = [[columns["strings"][number] for number in column] for column in (columns["text"], columns["type"])]
    rows = list(zip(*(c.tolist() for c in (*numbers, columns["start"], columns["end"])), *texts, strict=True))
    expected = [
        (s, pair, *row)
        for s, (proposed, references) in enumerate(sentences)
        for pair, (version, reference) in enumerate(itertools.product(proposed, references))
        for row in twins.compare(twin.keyed(version), twin.keyed(reference))
    ]
    assert rows == expected
    sums = np.zeros_like(counts)
    np.add.at(sums, tuple(numbers[:3]), 1)
    assert (sums == counts).all()
    pairs = [len(proposed) * len(references) for proposed, references in sentences]
    assert counts.shape == (len(sentences), max(pairs, default=0), 3)
    expected_present = np.arange(counts.shape[1]) < np.array(pairs, dtype=int)[:, np.newaxis]
    assert expected_present.all() if present is None else (present == expected_present).all()


def test_threads_change_nothing() -> None:
    chance = np.random.default_rng(0)
    rows = [
        [
            [(int(a), int(a + b), TYPES[t], "ab"[w]) for a, b, t, w in chance.integers(0, 2, (2, 4))]
            for _ in range(chance.integers(1, 4))
        ]
        for _ in range(10_000)
    ]
    single, several = (
        compare_edits(table(rows), table(rows[::-1]), ("cs", "all", []), threads, True) for threads in (1, 2)
    )
    assert (single[0] == several[0]).all()
    assert single[2] is not None
    assert several[2] is not None
    assert all(list(a) == list(b) for a, b in zip(single[2].values(), several[2].values(), strict=True))


def test_faults_are_told(snapshot: SnapshotAssertion) -> None:
    single, pair = table([[[]]]), table([[[]], [[]]])
    assert message_of(compare_edits, single, pair, ("cs", "all", []), 1, False) == snapshot
    assert message_of(compare_edits, single, single, ("x", "all", []), 1, False) == snapshot
    block = Block("a", (Edit(0, 10**9 - 1, "R:X", ("b",)),), path="x.m2", line=3)
    assert message_of(Errant(mode="dt").corpus_score, ["a"], [block], gold=[Block("a")]) == snapshot
    assert message_of(Errant(mode="dt").corpus_score, ["a"], [block], gold=[block]) == snapshot


# --- groups ---

SOURCE = "The cat sat at mat ."
ON, THE = Edit(3, 4, "R:PREP", ("on",)), Edit(4, 4, "M:DET", ("the",))
CAT, GONE = Edit(1, 2, "R:NOUN", ("big cat",)), Edit(0, 1, "U:DET", ("-NONE-",))


def counts() -> Counts:
    hypothesis = [Block(SOURCE, (ON, CAT)), Block(SOURCE, (THE,)), Block(SOURCE, (GONE,))]
    gold = [Block(SOURCE, (ON, THE)), Block(SOURCE, (CAT, THE)), Block(SOURCE, (GONE,))]
    return Errant().counts([SOURCE] * 3, hypothesis, gold=gold, evidence=True)


def sums(grouping: Grouping) -> dict[Any, list[int]]:
    groups = group_counts(counts(), np.zeros(3, dtype=np.intp), grouping)
    return dict(zip(groups.labels, groups.sums[0].tolist(), strict=True))


def test_counts_by_type_length_and_label() -> None:
    full = {"R:PREP": [1, 0, 0], "R:NOUN": [0, 1, 1], "M:DET": [1, 0, 1], "U:DET": [1, 0, 0]}
    assert list(sums(ByType()).items()) == list(full.items())
    assert sums(ByType("operation")) == {"R": [1, 1, 1], "M": [1, 0, 1], "U": [1, 0, 0]}
    assert sums(ByType("type")) == {"PREP": [1, 0, 0], "NOUN": [0, 1, 1], "DET": [2, 0, 1]}
    assert sums(ByLength()) == {1: [3, 0, 1], 2: [0, 1, 1]}
    labelled = replace(counts().without_evidence(), labels=["b", "a", "b"])
    groups = group_counts(labelled, np.zeros(3, dtype=np.intp), BySentence())
    assert (groups.labels, groups.sums[0].tolist(), groups.sentences) == (("b", "a"), [[2, 1, 1], [1, 0, 1]], (2, 1))


def test_several_choices_are_summed_each() -> None:
    gold = [Block(SOURCE, (ON, Edit(4, 4, "M:DET", ("the",), annotator=1)))]
    both = Errant().counts([SOURCE], [Block(SOURCE, (ON,))], gold=gold, evidence=True)
    groups = group_counts(both, np.array([[0], [1]]), ByType())
    assert (groups.labels, groups.sums.tolist()) == (
        ("R:PREP", "M:DET"),
        [[[1, 0, 0], [0, 0, 0]], [[0, 1, 0], [0, 0, 1]]],
    )
    assert groups.sorted().labels == ("M:DET", "R:PREP")


def test_groups_need_evidence_and_labels(snapshot: SnapshotAssertion) -> None:
    bare = counts().without_evidence()
    assert message_of(group_counts, bare, np.zeros(3, dtype=np.intp), ByType()) == snapshot
    assert message_of(group_counts, bare, np.zeros(3, dtype=np.intp), BySentence()) == snapshot
    assert message_of(given_labels, Corpus(["a"], [["a"]])) == snapshot
    assert message_of(lambda: Breakdown(Errant(), ByType()).result()) == snapshot


def test_a_deletion_is_an_empty_correction() -> None:
    system, gold = table([[[(0, 1, "U:X", "-NONE-")]]]), table([[[(0, 1, "U:X", "")]]])
    assert Matching().compare(system, gold).array.tolist() == [[[1, 0, 0]]]
    assert Matching(exclude=TypeSelectors.of("\udcff")).compare(system, gold).array.tolist() == [[[1, 0, 0]]]
