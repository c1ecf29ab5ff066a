"""ChERRANT's dialect of M2: read and written faithfully, and the way to ERRANT's types and back."""

from __future__ import annotations

import pickle
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import m2
from geceval.base.errors import GecevalWarning
from geceval.m2 import Block, Edit, Target
from geceval.metrics.shared.edit_matching import TYPES as ERRANT_TYPES
from geceval.text.m2.blocks import BlockTable
from geceval.text.m2.edit import cut_at_colons
from support.messages import message_of
from support.strategies_edits import sentences
from support.written_files import CHERRANT_BLOCK, m2_text, write

TEXT = (
    CHERRANT_BLOCK
    + """\
T1 没有错误
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S 好 的 的
T0-A0 好 的
A 1 2|||R:AUX|||-NONE-|||REQUIRED|||-NONE-|||0
T1 无法标注
A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||1

S 我 吃 你
T0 无法标注
A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0

"""
)


def file_of(tmp_path: Path, text: str) -> Path:
    return write(tmp_path / "zh.m2", text)


def test_what_the_file_says_is_kept(tmp_path: Path) -> None:
    path = file_of(tmp_path, TEXT)
    blocks = list(m2.read(path))
    first = blocks[0]
    assert [(edit.annotator, edit.alignment, edit.type) for edit in first.edits] == [
        (0, 0, "S"), (0, 1, "R"), (0, 1, "M"), (1, 0, "noop"),
    ]  # fmt: skip
    assert first.targets == (
        Target(0, 0, "他 来 了 北 京"),
        Target(0, 1, "他 来 了 北 京"),
        Target(1, None, "没有错误"),
    )
    assert (len(first.edits_of(0)), len(first.edits_of(0, 1)), len(first.edits_of(0, None))) == (1, 2, 3)
    assert m2_text(blocks) == TEXT
    assert m2.check(path).faults == []
    columns = m2.Blocks.read(path, dialect=None)
    assert columns.is_cherrant
    assert pickle.loads(pickle.dumps(columns)) == columns == blocks
    assert columns[1:] == blocks[1:]


def test_scored_is_the_first_alignment_under_errants_types(tmp_path: Path) -> None:
    with pytest.warns(GecevalWarning, match=r"zh\.m2:16: 1 of 3 sentences could not be corrected \(NA\)"):
        scored = m2.Blocks.read(file_of(tmp_path, TEXT))
    assert not scored.is_cherrant
    assert scored.as_errant() is scored
    assert [(block.targets, block.annotators) for block in scored] == [((), (0, 1)), ((), (0,)), ((), (0,))]
    assert [[edit.type for edit in block.edits] for block in scored] == [["R", "noop"], ["U:AUX"], ["noop"]]
    assert list(scored.corrected(0)) == ["他 来 了 北 京", "好 的", "我 吃 你"]


def test_text_is_made_of_the_first_alignment(tmp_path: Path) -> None:
    blocks = list(m2.read(file_of(tmp_path, TEXT)))
    assert m2.apply(blocks[0], 0) == "他 来 了 北 京"
    assert [edit.type for edit in m2.ordered(blocks[0], 0)] == ["S"]


@pytest.mark.parametrize(
    ("cherrant", "errant"),
    [("M", "M"), ("R", "U"), ("S", "R"), ("W", "R:WO"), ("R:NOUN", "U:NOUN"), ("S:SPELL", "R:SPELL"), ("M:MC", "M:MC")],
)
def test_letters(cherrant: str, errant: str) -> None:
    assert m2.errant_type(cherrant) == errant
    assert m2.cherrant_type(errant) == cherrant


@pytest.mark.parametrize("type_", ["noop", "UNK", "NA", "Prep", "ArtOrDet"])
def test_other_types_stay(type_: str) -> None:
    assert m2.errant_type(type_) == type_ == m2.cherrant_type(type_)


def test_a_file_without_t_lines_may_be_said_to_be_chinese(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    bare = "".join(line for line in TEXT.splitlines(keepends=True) if not line.startswith("T"))
    blocks = m2.Blocks.read(file_of(tmp_path, bare))
    assert blocks.as_errant() is blocks
    with pytest.warns(GecevalWarning, match="NA"):
        assert [edit.type for edit in blocks.as_errant("cherrant")[0].edits] == ["R", "U", "M", "noop"]
    assert message_of(blocks.as_errant, "chinese") == snapshot


@pytest.mark.parametrize(
    "line",
    [
        "T0-A0 他 来 了 北 京\nT0-A0 他",
        "T0-A0 他\nA 0 1|||S|||我|||REQUIRED|||-NONE-|||1",
        "T0-A x",
    ],
    ids=["two T lines", "edit of another answer", "no T line"],
)
def test_faults_are_found_where_they_are(tmp_path: Path, line: str, snapshot: SnapshotAssertion) -> None:
    path = file_of(tmp_path, f"S 他 来\n{line}\n\n")
    assert [message_of(m2.Blocks.read, path), *map(str, m2.check(path).faults)] == snapshot


def test_check_compares_targets_with_edits(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = file_of(tmp_path, TEXT.replace("T0-A1 他 来 了", "T0-A1 他 走 了"))
    assert [str(fault) for fault in m2.check(path).faults] == snapshot


@pytest.mark.filterwarnings("ignore:the ceiling of")
def test_scores_and_types_are_the_same_from_either_dialect(tmp_path: Path) -> None:
    """ERRANT and MaxMatch read the one as the other, from a file as from Python."""
    cherrant = [block for block in m2.read(file_of(tmp_path, TEXT)) if block.edits[0].type != "NA"]
    errant = list(m2.Blocks.of(cherrant))
    source = [block.source for block in cherrant]
    first = [
        replace(block, edits=block.edits_of(0, None), targets=tuple(t for t in block.targets if not t.annotator))
        for block in cherrant
    ]
    text = ["他 来 了 北 京", "好 的 的"]
    first_corpus, second_corpus = (
        geceval.Corpus(source, [], {"text": text, "edits": edits}, gold)
        for edits, gold in ((first, cherrant), (m2.Blocks.of(first), errant))
    )
    for metric in (geceval.Errant(mode="cse", annotator="zh"), geceval.MaxMatch()):
        results, expected = (geceval.evaluate(corpus, [metric]) for corpus in (first_corpus, second_corpus))
        for system in ("text", "edits"):
            assert results[system][0].score() == expected[system][0].score()


def test_an_answer_without_an_alignment_0_has_the_lowest(tmp_path: Path) -> None:
    """As where the first was taken out by hand: its edits are not lost, nor those of several added."""
    text = TEXT.split("\n\n")[0].replace("T0-A1", "T0-A2").replace("T0-A0", "T0-A3")
    [block] = m2.Blocks.read(file_of(tmp_path, text + "\n\n"))
    assert [(edit.start, edit.end, edit.type, edit.alignment) for edit in block.edits_of(0)] == [
        (2, 3, "U", 0),
        (3, 3, "M", 0),
    ]
    [line] = m2.references([block])[0]
    assert str(line) == "他 来 了 北 京"


def test_operations_alone_are_types_and_tiers() -> None:
    """By characters a type is an operation, without a category."""
    assert {"M", "U", "R", "R:WO", "R:NOUN", "U:PUNCT", "R:VERB:INFL", "M:NOUN:NUM"} <= ERRANT_TYPES
    assert "S" not in ERRANT_TYPES
    assert [cut_at_colons(name, "operation") for name in ("M", "R:WO", "Prep")] == ["M", "R", "(none)"]
    assert [cut_at_colons(name, "type") for name in ("M", "R:WO")] == ["M", "WO"]


@given(st.lists(sentences(), min_size=1, max_size=4))
def test_there_and_back(drawn: list[tuple[Block, Block]]) -> None:
    """What is written in the dialect is read again, and means what it was made of."""
    types = ["M", "U:NOUN", "R", "R:WO", "R:SPELL"]
    blocks = [
        replace(
            gold,
            edits=tuple(
                edit if edit.is_noop else replace(edit, type=types[(edit.start + edit.end) % len(types)])
                for edit in gold.edits
            ),
        )
        for gold, _ in drawn
    ]
    chinese = list(m2.cherrant_blocks(blocks))
    assert list(m2.cherrant_blocks(chinese)) == chinese
    text = m2_text(chinese)
    table = m2.Blocks(BlockTable.parse(text.encode(), None, 1, True)[0])
    assert list(table) == chinese
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(table.as_errant()) == [
            replace(block, edits=tuple(e for who in block.annotators for e in m2.ordered(block, who) or [m2.noop(who)]))
            for block in blocks
        ]
    for block, written in zip(blocks, chinese, strict=True):
        assert [target.text for target in written.targets if target.alignment == 0] == [
            m2.apply(block, who) for who in block.annotators if block.edits_of(who)
        ]


TYPES = st.sampled_from(["M", "R", "S", "W", "M:NOUN", "R:AUX", "S:SPELL", "UNK"])
EDITS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), TYPES, st.sampled_from(["甲", "乙 丙", "-NONE-"])), max_size=3
)


@given(st.lists(st.lists(EDITS, max_size=3), min_size=1, max_size=3))
def test_any_file_comes_out_as_it_was_read(answers: list[list[list[tuple[int, int, str, str]]]]) -> None:
    """``answers[a][k]``: the edits of alignment k; an answer without alignments changes nothing."""
    lines = ["S 甲 乙 丙 丁 戊"]
    for a, alignments in enumerate(answers):
        lines += [] if alignments else [f"T{a} 没有错误", str(m2.noop(a))]
        for k, edits in enumerate(alignments):
            lines += [f"T{a}-A{k} 甲 乙", *(str(Edit(s, s + n, t, (c,), annotator=a)) for s, n, t, c in edits)]
    text = "\n".join(lines) + "\n\n"
    table = m2.Blocks(BlockTable.parse(text.encode(), None, 1, True)[0])
    assert m2_text(list(table)) == text
    assert m2.Blocks.of(list(table), dialect=None) == list(table)
    [scored] = m2.Blocks.of(table)
    for a, alignments in enumerate(answers):
        first = alignments[0] if alignments else []
        assert [(e.start, e.end, m2.cherrant_type(e.type)) for e in scored.edits_of(a)] == [
            (s, s + n, t) for s, n, t, _ in first
        ]


def test_an_edit_with_alternatives_cannot_be_written(snapshot: SnapshotAssertion) -> None:
    block = Block("他 来", (Edit(0, 1, "R", ("我", "你")),))
    assert message_of(m2.cherrant_blocks, [block]) == snapshot


def test_merged_files_stay_in_the_dialect_if_all_are_in_it(tmp_path: Path) -> None:
    chinese = list(m2.read(file_of(tmp_path, TEXT)))[:1]
    [both] = m2.merge([chinese, chinese], [[0, 1], [0, 1]])
    assert [(target.annotator, target.alignment) for target in both.targets] == [
        (0, 0), (0, 1), (1, None), (2, 0), (2, 1), (3, None),
    ]  # fmt: skip
    assert [edit.alignment for edit in both.edits] == [0, 1, 1, 0, 0, 1, 1, 0]
    [mixed] = m2.merge([chinese, [m2.errant_block(chinese[0])]], [[0, 1], [0, 1]])
    assert mixed.targets == ()
    assert [edit.type for edit in mixed.edits] == ["R", "noop", "R", "noop"]
    [voted] = m2.vote([[*m2.cherrant_blocks([Block("他 来", (Edit(0, 1, "U", ("",)),))])]], 1)
    assert [edit.type for edit in voted.edits] == ["U"]
