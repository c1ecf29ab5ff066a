"""Parts of M2 files: columns written, filtered, split; the edits of ChERRANT's answers thinned."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import m2
from geceval.base.errors import GecevalError
from geceval.m2 import Block, Blocks, Edit, Target, noop
from geceval.text.m2 import m2_files
from geceval.text.m2.blocks import BlockStream
from geceval.text.m2.edit import matches_type
from support.strategies_edits import edited_corpora, odd_files

BLOCKS = [
    Block(
        "He go to home .",
        (
            Edit(1, 2, "R:VERB:SVA", ("goes",)),
            Edit(2, 3, "U:PREP", ("",)),
            Edit(4, 4, "M:ADV", ("now then",)),
            Edit(1, 2, "R:VERB:TENSE", ("went",), annotator=2),
        ),
    ),
    Block("Fine .", (noop(0), noop(2))),
    Block("Odd .", (Edit(0, 1, "UNK", ("-NONE-",)),)),
]


def written(blocks: list[Block]) -> str:
    out = io.StringIO()
    m2.write(iter(blocks), out)
    return out.getvalue()


def types(blocks: Any) -> list[list[str]]:
    return [[edit.type for edit in block.edits] for block in blocks]


# --- the columns ---


@given(odd_files, st.integers(0, 5))
def test_columns_are_written_as_blocks_are(blocks: list[Block], cut: int) -> None:
    out, parts = io.StringIO(), io.StringIO()
    m2.write(Blocks.of(blocks), out)
    m2.write(BlockStream(iter([Blocks.of(blocks[:cut]), Blocks.of([]), Blocks.of(blocks[cut:])])), parts)
    assert out.getvalue() == parts.getvalue() == written(blocks)


def test_every_t_line_is_written() -> None:
    """Also one that says something of the same answer without naming an alignment."""
    edits = (Edit(0, 1, "S", ("丙",)), Edit(0, 1, "X", ("y",), annotator=3))
    block = Block("甲 乙", edits, targets=(Target(0, 0, "丙 乙"), Target(0, None, "also"), Target(1, None, "x")))
    text = str(block)
    assert [line[:2] for line in text.splitlines()] == ["S ", "A ", "T0", "T0", "A ", "T1"]
    assert Blocks.of([block], dialect=None).table.written() == f"{text}\n"


@given(odd_files, st.data())
def test_parts_of_the_columns(blocks: list[Block], data: st.DataObject) -> None:
    columns = Blocks.of(blocks).table
    places = data.draw(st.lists(st.sampled_from(range(len(blocks))), max_size=6)) if blocks else []
    assert list(Blocks(columns.at(places))) == [blocks[place] for place in places]
    who = data.draw(st.sets(st.integers(0, 3)))
    expected = [replace(b, edits=tuple(e for e in b.edits if e.annotator in who)) for b in blocks]
    assert list(Blocks(columns.of_annotators(sorted(who)))) == expected
    assert columns.lengths().tolist() == [len(block.tokens) for block in blocks]
    with pytest.raises(ValueError, match="out of range"):
        columns.at([len(blocks)])
    with pytest.raises(ValueError, match="for each edit"):
        columns.kept(np.ones(len(columns.edits.start) + 1, bool))


# --- filter ---


def kept(block: Block, keep: Any) -> Block:
    """Slow and obvious: an annotator who loses all lines keeps a noop where the first one was."""
    rows: list[Edit] = []
    for edit in block.edits:
        if edit.is_noop or keep(edit):
            rows.append(edit)
            continue
        others = [e for e in block.edits if e.annotator == edit.annotator and (e.is_noop or keep(e))]
        if not others and all(row.annotator != edit.annotator for row in rows):
            rows.append(noop(edit.annotator))
    return replace(block, edits=tuple(rows))


def does(edit: Edit) -> str:
    if edit.type == "UNK":
        return ""
    if edit.type[:2] in ("M:", "R:", "U:"):
        return edit.type[0]
    return "M" if edit.start == edit.end else "R" if edit.correction.split() else "U"


@given(
    odd_files,
    st.lists(st.sampled_from(["R:NOUN", "NOUN", "R", "R*", "UNK", "", "VERB:*"]), max_size=2),
    st.lists(st.sampled_from(["M", "R", "U"]), max_size=2),
    st.integers(0, 2),
    st.sampled_from([None, 2, 3]),
    st.booleans(),
    st.booleans(),
)
def test_filter_is_that_of_the_twin(
    blocks: list[Block],
    wanted: list[str],
    operations: list[Any],
    shortest: int,
    longest: int | None,
    invert: bool,
    changed: bool,
) -> None:
    asks = bool(wanted or operations or shortest or longest is not None)
    options: dict[str, Any] = {"types": wanted, "operations": operations, "shortest": shortest, "longest": longest}
    options |= {"invert": invert and asks, "changed": changed}

    def keep(edit: Edit) -> bool:
        length = max(edit.end - edit.start, len(edit.correction.split()))
        found = not wanted or any(matches_type(asked, edit.type) for asked in wanted)
        found &= not operations or does(edit) in operations
        found &= shortest <= length and (longest is None or length <= longest)
        return found != options["invert"] if asks else True

    expected = [kept(block, keep) for block in blocks]
    if changed:
        expected = [block for block in expected if not all(edit.is_noop for edit in block.edits)]
    assert list(m2.filter(blocks, **options)) == expected
    assert list(m2.filter(Blocks.of(blocks), **options)) == expected


@given(odd_files)
def test_what_is_kept_and_what_is_not_are_all(blocks: list[Block]) -> None:
    both = [m2.filter(blocks, types=["R*"], invert=invert) for invert in (False, True)]
    for block, *parts in zip(blocks, *both, strict=True):
        edits = [e for part in parts for e in part.edits if not e.is_noop]
        assert sorted(map(str, edits)) == sorted(str(e) for e in block.edits if not e.is_noop)


def test_filter_says_what_it_means() -> None:
    assert types(m2.filter(BLOCKS, types=["R:VERB*"])) == [
        ["R:VERB:SVA", "R:VERB:TENSE"], ["noop", "noop"], ["noop"]
    ]  # fmt: skip
    assert types(m2.filter(BLOCKS, types=["VERB:SVA", "M"])) == [
        ["R:VERB:SVA", "M:ADV", "noop"], ["noop", "noop"], ["noop"]
    ]  # fmt: skip
    assert types(m2.filter(BLOCKS, operations=["U"])) == [["U:PREP", "noop"], ["noop", "noop"], ["noop"]]
    assert types(m2.filter(BLOCKS, shortest=2)) == [["M:ADV", "noop"], ["noop", "noop"], ["noop"]]
    assert types(m2.filter(BLOCKS, annotators=[2])) == [["R:VERB:TENSE"], ["noop"], []]
    assert types(m2.filter(BLOCKS, types=["UNK"], invert=True, changed=True)) == [types(BLOCKS)[0]]
    assert types(m2.filter(BLOCKS, changed=True)) == [types(BLOCKS)[0], ["UNK"]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"invert": True}, "invert requires a condition"),
        ({"types": "R:NOUN"}, "types: a list of types is needed, not one string"),
        ({"types": [3]}, "a type is text, not 3"),
        ({"operations": ["X"]}, "operations is one of M, R, U, not X"),
        ({"annotators": [-1]}, "annotators is -1"),
        ({"annotators": 0}, "annotators: a list of numbers is needed"),
        ({"shortest": 3, "longest": 2}, "no edit is at least 3 tokens long and at most 2"),
        ({"longest": 1.5}, "longest takes a whole number"),
    ],
)
def test_filter_refuses(options: dict[str, Any], message: str) -> None:
    with pytest.raises(GecevalError, match=message):
        m2.filter(BLOCKS, **options)


CHINESE = Block(
    "他 来 到 北 京",
    (
        Edit(2, 3, "S", ("了",)),
        Edit(2, 3, "R", ("-NONE-",), alignment=1),
        Edit(3, 3, "M", ("了",), alignment=1),
        noop(1),
        Edit(-1, -1, "NA", ("-NONE-",), annotator=2),
    ),
    targets=(
        Target(0, 0, "他 来 了 北 京"),
        Target(0, 1, "他 来 了 北 京"),
        Target(1, None, "没有错误"),
        Target(2, None, "无法标注"),
    ),
)


def test_answers_of_cherrant_are_told_anew() -> None:
    assert list(m2.filter([CHINESE], types=["*"])) == [CHINESE]
    [found] = m2.filter([CHINESE], types=["M"])
    assert str(found) == (
        "S 他 来 到 北 京\n"
        "T0-A0 他 来 到 北 京\n"
        "T0-A1 他 来 到 了 北 京\n"
        "A 3 3|||M|||了|||REQUIRED|||-NONE-|||0\n"
        "T1 没有错误\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n"
        "T2 无法标注\n"
        "A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||2\n"
    )
    assert m2_files.is_preserved(found)
    [nothing] = m2.filter([CHINESE], types=["W"], annotators=[0])
    assert str(nothing) == (
        "S 他 来 到 北 京\nT0 没有错误\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"
    )  # fmt: skip


def test_operations_in_cherrants_letters() -> None:
    """R is redundant, S a substitution."""
    thinned = [next(m2.filter([CHINESE], operations=[operation])) for operation in ("M", "R", "U")]
    assert [[e.type for e in block.edits if not e.is_noop] for block in thinned] == [["M"], ["S"], ["R"]]


# --- one annotator ---


@given(edited_corpora)
def test_annotators_apart_and_together(corpus: list[tuple[Block, Block]]) -> None:
    """Where everybody has a line everywhere, merging undoes splitting."""
    most = max(len(gold.annotators) for gold, _ in corpus)
    blocks = [gold for gold, _ in corpus if len(gold.annotators) == most]
    apart = m2.split_by_annotator(blocks)
    assert list(apart) == list(range(most))
    assert list(m2.merge([*map(iter, apart.values())], [[who] for who in apart])) == blocks


def test_annotators_without_lines() -> None:
    assert {who: types(own) for who, own in m2.split_by_annotator(BLOCKS).items()} == {
        0: [["R:VERB:SVA", "U:PREP", "M:ADV"], ["noop"], ["UNK"]],
        2: [["R:VERB:TENSE"], ["noop"], []],
    }
    assert list(m2.split_by_annotator([Block("a")])) == [0]
