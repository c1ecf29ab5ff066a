"""Segments of sentences, and the outcomes of edits from their evidence."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval._kernel import Text
from geceval.edits.versions import edits_by_version
from geceval.m2 import Blocks, Edit, apply
from geceval.results.marked_edits import Row, Segment, judge_edits, segments
from support.strategies_edits import edited_corpora


@given(corpus=edited_corpora)
def test_segments_contain_source_and_version(corpus: list[tuple]) -> None:
    for _, block in corpus:
        [[version]] = edits_by_version(Text([block.source]), Blocks.of([block]).edits)
        parts = segments(block.source.split(), [(edit, None) for edit in version])
        assert " ".join(part.source for part in parts if part.source) == " ".join(block.source.split())
        assert " ".join(part.text for part in parts if part.text) == apply(block, 0)
        assert [part.start for part in parts if part.kind != "kept"] == [edit.start for edit in version]
        assert all(before.end == after.start for before, after in pairwise(parts))
        assert all(part.source or part.text for part in parts if part.kind != "replaced")


def test_segments_have_four_kinds() -> None:
    edits = [Edit(0, 1, "", ("He",)), Edit(1, 1, "", ("often",)), Edit(2, 3, "U:DET", ("",))]
    parts = segments(["Him", "go", "the", "home"], zip(edits, [None, None, "wrong"], strict=True))
    assert [(part.kind, part.source, part.text) for part in parts] == [
        ("replaced", "Him", "He"),
        ("inserted", "", "often"),
        ("kept", "go", "go"),
        ("deleted", "the", ""),
        ("kept", "home", "home"),
    ]
    assert (parts[3].type, parts[3].outcome) == ("U:DET", "wrong")


def row(outcome: str | None, start: int, end: int, text: str, kind: str = "X", weight: float = 1.0) -> Row:
    return Row("column", weight, outcome, text, False, start, end, kind)  # type: ignore[arg-type]


TOKENS = ["a"] * 20_000
EDIT = Edit(2, 3, "R:DET", ("a",))


def judged_edits(edits: list[Edit], rows: list[Row], *, of_reference: bool) -> list[Segment]:
    return [part for part in judge_edits(TOKENS, edits, rows, of_reference=of_reference) if part.kind != "kept"]


@pytest.mark.parametrize(
    ("rows", "of_reference", "expected"),
    [
        ([row("correct", 2, 3, "a")], False, ("X", "correct")),
        ([row("correct", 2, 3, "a", kind="")], False, ("R:DET", "correct")),
        ([row("correct", 2, 3, "b||a")], True, ("X", "correct")),
        ([row("wrong", 2, 3, "a"), row("missed", 2, 3, "a")], True, ("X", "missed")),
        ([row("wrong", 2, 3, "a", weight=0.4), row("correct", 2, 3, "a", weight=0.6)], False, ("X", "correct")),
        ([row("wrong", 2, 3, "a", weight=0.6), row("correct", 2, 3, "a", weight=0.4)], False, ("X", "wrong")),
        ([row("wrong", 2, 3, "a"), row("correct", 2, 3, "a")], False, ("X", "correct")),
        # Evidence of larger and of smaller spans.
        ([row("wrong", 1, 5, "the a b")], False, ("R:DET", "wrong")),
        ([row("wrong", 3, 5, "b")], False, ("R:DET", None)),
        # Evidence without an outcome or a weight.
        ([row(None, 2, 3, "a"), row("correct", 2, 3, "a", weight=0.0)], False, ("R:DET", None)),
        ([], True, ("R:DET", None)),
    ],
)
def test_outcome_of_an_edit_is_that_of_its_evidence(rows: list[Row], of_reference: bool, expected: tuple) -> None:
    [judged] = judged_edits([EDIT], rows, of_reference=of_reference)
    assert (judged.type, judged.outcome) == expected
    assert (judged.start, judged.end, judged.text) == (2, 3, "a")


def test_evidence_of_an_edit_does_not_apply_to_its_neighbour() -> None:
    """An insertion at the edge of an edit is within its span."""
    excluded = Edit(2, 2, "M:ADV", ("really",))
    judged = judged_edits([excluded, EDIT], [row("wrong", 2, 3, "a")], of_reference=False)
    assert [edit.outcome for edit in judged] == [None, "wrong"]


deletions = st.sampled_from(["", "-NONE-", " "])


@given(text=deletions)
def test_deletion_in_any_notation_has_its_outcome(text: str) -> None:
    [judged] = judged_edits([Edit(2, 3, "", ("",))], [row("correct", 2, 3, text)], of_reference=False)
    assert judged.outcome == "correct"


def test_many_edits_of_a_line_are_judged() -> None:
    changed = [Edit(n, n + 1, "", ("a",)) for n in range(20_000)]
    rows = [row("wrong", n, n + 2, "b") for n in range(0, 20_000, 2)]
    assert {edit.outcome for edit in judged_edits(changed, rows, of_reference=False)} == {"wrong"}
