"""M2 to M2: given edits placed, minimised and typed, whatever they are."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from differential.pseudo import PseudoAnnotator
from geceval import m2
from geceval.base.errors import InputError
from geceval.edits.extraction import Extractor, annotate, check_corrections, retype
from geceval.edits.languages import make_annotator
from geceval.m2 import Block, Edit, apply, noop
from support.effort import examples
from support.strategies import lists_of

EXTRACTOR = Extractor(PseudoAnnotator())
words = lists_of("a the cat cats to eat eats . ,".split(), max_size=6)


@st.composite
def blocks(draw: st.DrawFn) -> Block:
    """Edits that fit the sentence, in any order, overlapping or not."""
    source = draw(words)
    edits = []
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(source)))
        end = draw(st.integers(start, len(source)))
        type_ = draw(st.sampled_from(["X", "UNK", "Um", "noop"]))
        edits.append(Edit(start, end, type_, (" ".join(draw(words)),), annotator=draw(st.integers(0, 2))))
    return Block(" ".join(source), tuple(edits))


@settings(max_examples=examples(300))
@given(st.lists(blocks(), max_size=3), st.booleans(), st.booleans(), st.booleans())
def test_anything_is_typed_or_refused(given_: list[Block], auto: bool, minimise: bool, keep: bool) -> None:
    with contextlib.suppress(InputError):
        done = list(retype(EXTRACTOR, given_, auto=auto, minimise=minimise, keep_types=keep))
        assert [block.source for block in done] == [block.source for block in given_]


def test_edits_that_cannot_be_made_together_are_refused_with_their_place() -> None:
    block = Block("a b c", (Edit(0, 3, "X", ("",)), Edit(1, 2, "X", ("d",))), path="gold.m2", line=7)
    with pytest.raises(InputError, match="the edits of annotator 0 overlap and cannot") as caught:
        list(retype(EXTRACTOR, [block], auto=False))
    assert caught.value.where == "gold.m2:7: "


def test_spans_outside_their_sentence_are_refused() -> None:
    with pytest.raises(InputError, match="the edit 0 3 -> 0 1 does not fit"):
        EXTRACTOR.classify([(["a", "b"], ["c"], (0, 3, 0, 1))])


@given(st.lists(st.tuples(words, words, words), min_size=1, max_size=4))
def test_annotating_then_applying_gives_the_corrections(rows: list[tuple[list[str], list[str], list[str]]]) -> None:
    for (source, *corrections), block in zip(rows, annotate(EXTRACTOR, rows), strict=True):
        assert block.source == " ".join(source)
        assert block.annotators == (0, 1)
        for c, correction in enumerate(corrections):
            assert apply(block, c) == " ".join(correction)
            assert block.edits_of(c) or noop(c) in block.edits


def test_extracting_anew_keeps_what_the_edits_make_of_the_sentence() -> None:
    block = Block("the cat eats", (Edit(0, 3, "X", ("The cats eat",)), noop(4)))
    [anew] = retype(EXTRACTOR, [block], auto=True)
    assert apply(anew, 0) == "The cats eat"
    assert len(anew.edits_of(0)) == 3
    assert noop(4) in anew.edits


@given(st.lists(st.sampled_from(["a", "|", "||", "x|", "|||", "-NONE-", "||x"]), max_size=4), st.sampled_from("ab"))
def test_text_that_annotate_writes_as_m2_is_read_back(words: list[str], source: str) -> None:
    target = ["b", *words]
    [block] = annotate(Extractor(make_annotator("plain")), [([source, "c"], target)])
    try:
        check_corrections(block, 0, ["it.txt"], bars=False)
    except InputError:
        assert any("|" in word or word == "-NONE-" for word in words)
    else:
        assert m2.apply(m2.Blocks.parse(f"{block}\n".encode())[0], 0) == " ".join(target)
