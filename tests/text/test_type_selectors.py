"""Selectors of types of edits."""

from __future__ import annotations

import pytest

from geceval.base.errors import UsageError
from geceval.edits.corpus_edits import Extraction, reference_edits
from geceval.m2 import Block, Edit, noop
from geceval.text.corpus import Corpus
from geceval.text.m2.type_selectors import TypeSelectors, near_types

TYPES = ["M:DET", "R:DET", "U:DET", "R:VERB", "R:VERB:SVA", "R:VERB:FORM", "R:VERB+R:SPELL", "UNK", "Vform"]


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        ("R:VERB:SVA", ["R:VERB:SVA"]),
        ("DET", ["M:DET", "R:DET", "U:DET"]),
        ("VERB", ["R:VERB", "R:VERB+R:SPELL"]),
        ("R:VERB*", ["R:VERB", "R:VERB:SVA", "R:VERB:FORM", "R:VERB+R:SPELL"]),
        ("M+U", ["M:DET", "U:DET"]),
        ("UNK, Vform", ["UNK", "Vform"]),
        (["M", "U:*"], ["M:DET", "U:DET"]),
    ],
)
def test_pattern_is_a_type_a_category_an_operation_or_has_a_wildcard(
    types: str | list[str], expected: list[str]
) -> None:
    assert [type_ for type_ in TYPES if TypeSelectors.of(types).match(type_)] == expected


def test_noop_has_no_type() -> None:
    assert not TypeSelectors.of("*").match("noop")
    source = ["a b"]
    gold = [Block("a b", (Edit(0, 1, "R:DET", ("the",)), noop(1)))]
    edits = reference_edits(Corpus(source, (), {}, gold), Extraction())
    assert TypeSelectors.of("*").mask(edits).tolist() == [True, False]


def test_patterns_without_a_match_have_hints_of_near_types() -> None:
    selectors = TypeSelectors.of("DTE+VERB+R:VERB:SVAA")
    assert selectors.unmatched(TYPES) == ["DTE", "R:VERB:SVAA"]
    assert near_types("DTE", TYPES) == "did you mean DET?"
    assert near_types("R:VERB:SVAA", TYPES) == "did you mean R:VERB:SVA?"
    assert near_types("XYZ", ["M:DET", "noop"]) == "choose from DET"
    assert near_types("XYZ", ["noop"]) == "there are no edits"


def test_patterns_are_text() -> None:
    with pytest.raises(UsageError, match="a type must be text, not 3"):
        TypeSelectors.of(["DET", 3])  # type: ignore[list-item]
