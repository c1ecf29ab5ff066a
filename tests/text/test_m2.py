"""The M2 format: reading, checking, writing, applying, merging."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import pickle
import re
import subprocess
import warnings
from collections.abc import Callable
from dataclasses import astuple, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval import Errant, check, m2
from geceval._kernel import BlockTable
from geceval.base.errors import GecevalWarning, InputError
from geceval.counting.metric_names import make_metric
from geceval.m2 import Block, Blocks, Edit, Target, noop
from geceval.text.corpus import Corpus
from geceval.text.m2 import m2_files
from geceval.text.m2.blocks import BlockStream, fault_error, unreadable
from geceval.text.m2.edit import minimal
from geceval.text.m2.type_selectors import TypeSelectors
from support.messages import message_of
from support.strategies_edits import edited_corpora, is_preserved, odd_edits, odd_files
from support.written_files import m2_text, write
from twins import m2 as twin

GOOD = """\
S He go to home yesterday .
A 1 2|||Verb|||went||goes|||REQUIRED|||-NONE-|||0
A 2 3|||Prep|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S\x20
A 0 0|||Missing|||A word|||-REQUIRED-|||NONE|||0

S Nothing wrong here .

"""
#: Two sentences in one block.
JOINED = "S a b\nS c\nA 0 1|||X|||x|||R|||N|||0\nA 1 2|||X|||y|||R|||N|||0\nA 7 8|||X|||z|||R|||N|||0\n\n"


def blocks_of(tmp_path: Path, text: str | bytes) -> list[Block]:
    path = write(tmp_path / "some.m2", text if isinstance(text, bytes) else text.encode())
    return list(m2.read(path))


def edit(start: int, end: int, text: str, annotator: int = 0) -> Edit:
    return Edit(start, end, "X", (text,), annotator=annotator)


def test_read_says_what_the_file_says(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    first, empty, clean = blocks_of(tmp_path, GOOD)
    assert first.source == "He go to home yesterday ."
    assert first.annotators == (0, 1)
    assert [e.alternatives for e in first.edits_of(0)] == [("went", "goes"), ("",)]
    assert first.edits_of(1) == ()
    assert first.edits[2].is_noop
    assert (first.line, first.edits[2].line) == (1, 4)
    assert list(m2.Blocks.parse(GOOD.encode())) == [first, empty, clean]
    assert message_of(m2.Blocks.parse, b"A 0 1\n", "these lines") == snapshot
    assert empty.tokens == []
    assert (empty.edits[0].required, empty.edits[0].comment) == ("-REQUIRED-", "NONE")
    assert clean.annotators == (0,)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        GOOD[:-1],
        "S a\n",
        "",
        "S a\nI a remark\nA 0 1|||X|||b|||REQUIRED|||a|||comment|||0\n\n",
        "S a b\nA 1 2|||X|||||x||-NONE-|||REQUIRED|||-NONE-|||0\n\n",
        "S a\nA 5 9|||X|||out of range|||REQUIRED|||-NONE-|||3\n\n",
    ],
)
def test_round_trip(tmp_path: Path, text: str) -> None:
    assert m2_text(blocks_of(tmp_path, text)) == text


@given(odd_files)
def test_what_was_written_is_read(tmp_path_factory: pytest.TempPathFactory, blocks: list[Block]) -> None:
    path = write(tmp_path_factory.mktemp("m2") / "written.m2", m2_text(blocks))
    assert list(m2.read(path)) == blocks


BLANKS = st.sampled_from([" ", "  ", "\t", "\u00a0", "\u3000 "])


@given(blocks=odd_files, data=st.data())
def test_blanks_around_and_within_corrections_change_no_block(blocks: list[Block], data: st.DataObject) -> None:
    def spaced(text: str) -> str:
        ends = data.draw(BLANKS), data.draw(BLANKS)
        return text.replace(" ", data.draw(BLANKS)).join(ends) if text else text

    lines = []
    for line in "".join(f"{block}\n" for block in blocks).splitlines():
        fields = line.split("|||")
        if len(fields) > 2:
            fields[2] = "||".join(map(spaced, fields[2].split("||")))
        lines.append("|||".join(fields))
    read = m2.Blocks.parse("\n".join(lines).encode())
    assert list(read) == blocks
    for block in blocks:
        edits = [replace(edit, corrections=tuple(map(spaced, edit.corrections))) for edit in block.edits]
        assert replace(block, edits=tuple(edits)) == block


@pytest.mark.parametrize("metric", ["errant", "maxmatch", "cleme", "cleme2", "spans", "goto", "green", "gleu"])
def test_blanks_of_corrections_change_no_score(metric: str) -> None:
    text = "S I like it\nA 1 2|||R|||{}|||REQUIRED|||-NONE-|||0\nA 3 3|||M|||{}|||REQUIRED|||-NONE-|||0\n"
    clean = m2.Blocks.parse(text.format("liked", "very much").encode())
    spaced = m2.Blocks.parse(text.format(" liked ", "very  much\u00a0").encode())
    scores = {
        make_metric(metric).corpus_score(["I like it"], hypothesis, gold=gold).value
        for gold in (clean, spaced)
        for hypothesis in (clean, spaced)
    }
    assert len(scores) == 1


@pytest.mark.parametrize(
    "edit",
    [
        Edit(0, 1, "R", ("x||y",)),
        Edit(0, 1, "R", ("x|",)),
        Edit(0, 1, "R", ("x", "")),
        Edit(0, 1, "R|||Q", ("x",)),
        Edit(0, 1, "R", ("x",), comment="a\nb"),
        Edit(0, 1, "R", ("x",), annotator=2**31 - 1),
        Edit(0, 1, "R", ("x",), annotator=-1),
    ],
    ids=repr,
)
@pytest.mark.parametrize("through", [list, m2.filter, m2.Blocks.of], ids=["objects", "stream", "columns"])
def test_write_refuses_what_m2_cannot_contain(edit: Edit, through: Callable[..., Any]) -> None:
    out = io.StringIO()
    blocks = [Block("a b", (Edit(1, 2, "R", ("c",)),)), Block("a b", (edit,))]
    with pytest.raises(InputError, match=r"M2 cannot contain|not valid in M2"):
        m2.write(through(blocks), out)
    assert out.getvalue() == ""


def test_alternatives_of_the_hint_are_written() -> None:
    with pytest.raises(InputError, match="give 'x' and 'y' as alternatives"):
        m2.write([Block("a", (Edit(0, 1, "R", ("x||y",)),))], io.StringIO())
    m2.write([Block("a", (Edit(0, 1, "R", ("x", "y")),))], out := io.StringIO())
    assert m2.Blocks.parse(out.getvalue().encode())[0].edits[0].alternatives == ("x", "y")


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_files_are_told_by_content(tmp_path: Path, compress: object) -> None:
    assert callable(compress)
    assert m2_text(blocks_of(tmp_path, compress(GOOD.encode()))) == GOOD


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = io.BufferedReader(io.BytesIO(gzip.compress(GOOD.encode())))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(buffer))
    blocks = list(m2.read("-"))
    assert m2_text(blocks) == GOOD
    assert blocks[0].path == "<stdin>"


def test_windows_line_ends_byte_order_mark_and_odd_blank_lines(tmp_path: Path) -> None:
    text = "\ufeff\n" + GOOD.replace("\n\n", "\n \n\n") + "\n"
    assert m2_text(blocks_of(tmp_path, text.replace("\n", "\r\n"))) == GOOD


def test_only_newlines_end_a_line(tmp_path: Path) -> None:
    (block,) = blocks_of(tmp_path, "S a\u2028b\x85c\x0bd\n\n")
    assert block.tokens == ["a", "b", "c", "d"]


def test_reading_is_lazy(tmp_path: Path) -> None:
    path = write(tmp_path / "late_fault.m2", "S a\n\nS b\n\n# no\n")
    blocks = m2.read(path)
    assert next(blocks).source == "a"
    assert next(blocks).source == "b"
    with pytest.raises(InputError):
        next(blocks)


@pytest.mark.parametrize(
    "text",
    [
        "S a\nA 0 1|||X|||b\n",
        "S a\nA x 1|||X|||b|||R|||N|||0\n",
        "S a\nA 0 1_0|||X|||b|||R|||N|||0\n",
        "S a\nA 0 1|||X|||b|||R|||N|||me\n",
        "S a\n\n# comment\n",
        "S a\n# comment\n",
        "# text = a\nS a\nA 0 1|||X|||b|||R|||N|||0\n",
        "# a heading\n\na text\n",
        "A 0 1|||X|||b|||R|||N|||0\n",
        "S a\nA 0 1|||X|||\0|||R|||N|||0\n",
        "S a\nS \xff\n".encode("latin-1"),
        JOINED,
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, text: str | bytes, snapshot: SnapshotAssertion) -> None:
    assert message_of(blocks_of, tmp_path, text) == snapshot


@pytest.mark.parametrize(
    "content", [gzip.compress(GOOD.encode())[:-9], b"\x1f\x8b\x08junk", b"BZhjunk"], ids=["truncated", "gzip", "bzip2"]
)
def test_a_broken_archive_is_an_error(tmp_path: Path, content: bytes, snapshot: SnapshotAssertion) -> None:
    assert message_of(blocks_of, tmp_path, content) == snapshot


def test_a_missing_file_is_an_error(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    assert message_of(m2.read, tmp_path / "absent.m2") == snapshot


def test_several_sentences_in_one_block_share_the_edits_that_fit_as_in_the_official_scorer() -> None:
    both = m2.Blocks.parse(JOINED.encode(), shared=True)
    assert [[e.start for e in block.edits] for block in both] == [[0, 1, 7], [0, 7]]


def test_a_second_sentence_in_a_block_is_one_fault(tmp_path: Path) -> None:
    faults = m2.check(write(tmp_path / "some.m2", JOINED)).faults
    assert ["second S line" in str(fault) for fault in faults].count(True) == 1


def test_the_hint_for_a_second_sentence_inserts_the_empty_lines(tmp_path: Path) -> None:
    text = "S He go .\nA 1 2|||V|||goes|||R|||N|||0\nS I is .\nA 1 2|||V|||am|||R|||N|||0\n\nS Fine .\n"
    with pytest.raises(InputError) as caught:
        blocks_of(tmp_path, text)
    command = str(caught.value.hint).partition(": ")[2]
    subprocess.run(f"cat some.m2 | {command} > fixed.m2", shell=True, cwd=tmp_path, check=True)
    corrected = [list(text) for text in m2.references(m2.read(tmp_path / "fixed.m2"))]
    assert corrected == [["He goes .", "I am .", "Fine ."]]


def test_doubled_carriage_returns_end_a_line(tmp_path: Path) -> None:
    text = "S a b\nA 0 1|||X|||c|||R|||N|||0\n\nS d\n\n"
    assert blocks_of(tmp_path, text.replace("\n", "\r\r\n")) == blocks_of(tmp_path, text)


def test_edits_out_of_order_are_listed_and_sorted_except_as_in_the_public_tools(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    lines = ["S a b c d", "A 3 4|||X|||z|||R|||N|||1", "A 1 2|||X|||x|||R|||N|||0", "A 1 1|||X|||w|||R|||N|||0"]
    blocks = m2.Blocks.of(blocks_of(tmp_path, "\n".join([*lines, "A 0 1|||X|||y|||R|||N|||1", "", ""])))
    faults = [f"{fault.line}: {fault.message}" for fault in m2.check(tmp_path / "some.m2").faults]
    assert faults == snapshot
    corpus = Corpus(blocks.source, gold=blocks)
    assert corpus.gold is not None
    assert [(e.annotator, e.start, e.end) for e in corpus.gold[0].edits] == [(1, 0, 1), (1, 3, 4), (0, 1, 1), (0, 1, 2)]
    assert Corpus(blocks.source, gold=blocks, overlaps=None).gold == blocks
    assert m2.resolve_overlaps(corpus.gold) is not blocks


@given(odd_edits, st.randoms())
def test_the_order_of_edits_in_a_file_changes_no_blocks_that_are_scored(edits: list[Edit], chance: Random) -> None:
    """Edits of one span stay in the order of the file: two insertions at one point insert their words in it."""
    by_span = {(edit.start, edit.end): replace(edit, annotator=0) for edit in edits}
    in_order = [by_span[span] for span in sorted(by_span)]
    shuffled = chance.sample(in_order, len(in_order))
    blocks = [m2.Blocks.of([Block("a b c d e f", tuple(rows))]) for rows in (in_order, shuffled)]
    first, second = (m2.resolve_overlaps(block, "skip") for block in blocks)
    assert first == second


def test_fitting(snapshot: SnapshotAssertion) -> None:
    outside, reversed_, fine = edit(1, 4, "x"), edit(2, 1, "x"), edit(0, 1, "x")
    block = Block("a b", (fine, outside, reversed_, m2.noop(1)), path="g.m2", line=7)
    assert message_of(m2.fitting, [block]) == snapshot
    with pytest.warns(GecevalWarning, match=r"^g\.m2:7: dropped: 2 edits that do not fit their sentence$"):
        (cleaned,) = m2.fitting([block], "drop")
    assert cleaned.edits == (fine, m2.noop(1))
    with pytest.warns(GecevalWarning, match=r": dropped: 1 edit that does not fit its sentence$"):
        (official,) = m2.fitting([block], None)
    assert official.edits == (fine, reversed_, m2.noop(1))
    with pytest.warns(GecevalWarning):
        (alone,) = m2.fitting([Block("a", (edit(4, 5, "x", 3), edit(6, 6, "y", 3), edit(0, 1, "z")))], "drop")
    assert alone.edits == (m2.noop(3), edit(0, 1, "z")), "an annotator who loses all edits is still there"
    sound = Block("a b", (fine,))
    assert list(m2.fitting([sound])) == [sound]


def test_misfits_of_gold_and_systems_are_dropped_from_a_corpus(snapshot: SnapshotAssertion) -> None:
    sentence = Block("a b", (edit(0, 1, "x"), edit(1, 4, "y")))
    for texts in ({"gold": [sentence]}, {"references": [["x b"]], "systems": {"it": [sentence]}}):
        assert message_of(lambda texts=texts: Corpus(["a b"], **texts)) == snapshot(name="misfit")
        with pytest.warns(GecevalWarning, match="1 edit that does not fit"):
            corpus = Corpus(["a b"], **texts, misfits="drop")
        for blocks in filter(None, (corpus.gold, corpus.systems.get("it"))):
            assert [block.edits for block in blocks] == [(edit(0, 1, "x"),)]
    with pytest.warns(GecevalWarning, match="1 edit that does not fit"):
        added = Corpus(["a b"], [["a b"]], misfits="drop").adding("it", [sentence])
    assert list(added.with_texts().in_form("texts").systems["it"]) == ["x b"]


def test_t_lines_follow_the_edits_that_fit() -> None:
    lines = "T0-A0 x b y\nA 0 1|||S|||x|||R|||N|||0\nA 7 7|||M|||y|||R|||N|||0"
    with pytest.warns(GecevalWarning):
        [block] = m2.fitting(m2.Blocks.parse(f"S a b\n{lines}\n".encode(), dialect=None), "drop")
    assert [target.text for target in block.targets] == ["x b"]


def test_check_lists_every_fault_with_its_line(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = write(
        tmp_path / "bad.m2",
        "S a b c\n"
        "A 0 2|||X|||x|||R|||N|||0\n"
        "A 1 3|||X|||y|||R|||N|||0\n"
        "A 0 2|||Y||| x |||R|||N|||0\n"
        "A -1 -1|||noop|||-NONE-|||R|||N|||0\n"
        "A 2 1|||X|||z|||R|||N|||1\n"
        "A 3 4|||X|||z|||R|||N|||1\n"
        "A -2 1|||X|||z|||R|||N|||1\n"
        "A 1 2|||X|||z\n"
        "\n"
        "? what\n",
    )
    assert list(map(str, m2.check(path).faults)) == snapshot


def test_check_lists_separators_in_excess_and_reading_takes_them(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    fields = ["goes|||JP|||REQUIRED", "goes||||REQUIRED", "||goes|||REQUIRED", "|||REQUIRED", "to|||a|||b|||REQUIRED"]
    lines = [f"A {n} {n + 1}|||R|||{text}|||-NONE-|||0\n" for n, text in enumerate(fields)]
    path = tmp_path / "x.m2"
    path.write_text("S a b c d e\n" + "".join(lines), encoding="utf-8")
    faults = m2.check(path).faults
    assert [(fault.line, fault.message) for fault in faults] == snapshot
    assert len(m2.Blocks.read(path)[0].edits) == len(next(m2.read(path)).edits) == len(fields)


def test_check_finds_nothing_in_a_sound_file(tmp_path: Path) -> None:
    blocks_of(tmp_path, GOOD)
    assert m2.check(tmp_path / "some.m2").faults == []


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([], "a b c"),
        ([edit(1, 2, "x y")], "a x y c"),
        ([edit(1, 2, "-NONE-")], "a c"),
        ([edit(3, 3, "!"), edit(0, 0, "So")], "So a b c !"),
        ([edit(1, 1, "p"), edit(1, 1, "q")], "a p q b c"),
        ([edit(1, 2, "x"), edit(1, 1, "p")], "a p x c"),
        ([edit(2, 2, "p"), edit(1, 2, "x"), edit(2, 3, "y")], "a x p y"),
        ([edit(0, 3, "")], ""),
        ([m2.noop(0)], "a b c"),
    ],
)
def test_apply(edits: list[Edit], expected: str) -> None:
    assert m2.apply(Block("a b  c ", tuple(edits)), 0) == expected


@pytest.mark.parametrize(
    "edits",
    [
        (edit(0, 2, "x"), edit(1, 3, "y")),
        (edit(0, 2, "x"), edit(1, 1, "y")),
        (edit(0, 1, "x"), edit(0, 1, "x")),
        (edit(0, 3, "x"), edit(0, 1, "y"), edit(2, 3, "z")),
        (edit(0, 9, "x"),),
        (edit(2, 1, "x"),),
    ],
)
def test_apply_refuses_what_cannot_be_done(edits: tuple[Edit, ...], snapshot: SnapshotAssertion) -> None:
    assert message_of(m2.apply, Block("a b c", edits, path="g.m2", line=3), 0) == snapshot


def test_references() -> None:
    blocks = [
        Block("a b", (edit(0, 1, "x", 2), edit(1, 2, "y", 0))),
        Block("c d", (edit(0, 1, "z", 0),)),
        Block("e f", (m2.noop(2), edit(0, 1, "g", 0))),
        Block("h"),
    ]
    assert m2.references(blocks) == [["a y", "z d", "g f", "h"], ["x b", "z d", "e f", "h"]]
    assert m2.references(blocks, "plain") == [["a y", "z d", "g f", "h"], ["x b", "c d", "e f", "h"]]


def test_merge() -> None:
    first = [Block("a b", (edit(0, 1, "x", 0), edit(0, 1, "y", 4))), Block("c", (edit(0, 1, "z", 4),))]
    second = [Block("a  b ", (edit(1, 2, "w", 0),)), Block("c")]
    merged = list(m2.merge([first, second], [m2.annotators(first), m2.annotators(second)]))
    assert merged == [
        Block("a b", (edit(0, 1, "x", 0), edit(0, 1, "y", 1), edit(1, 2, "w", 2))),
        Block("c", (m2.noop(0), edit(0, 1, "z", 1), m2.noop(2))),
    ]
    apart = m2.references(first, "plain") + m2.references(second, "plain")
    assert m2.references(merged) == apart


def test_merge_refuses_files_that_do_not_belong_together(snapshot: SnapshotAssertion) -> None:
    first, second = [Block("a"), Block("b")], [Block("a"), Block("c")]
    assert message_of(m2.merge, [first, second], [(0,), (0,)]) == snapshot
    assert message_of(m2.merge, [first, first[:1]], [(0,), (0,)]) == snapshot


def test_sentence_that_differs_in_a_later_batch_is_named_by_its_number() -> None:
    first, second = [Block("a")] * 3000, [*[Block("a")] * 2500, *[Block("b")] * 500]
    message = message_of(lambda: list(m2.merge([iter(first), iter(second)], [(0,), (0,)])))
    assert "not the same sentence as sentence 2501 of file 1" in message


LINES = st.sampled_from(
    [
        *["S a b", "S", "S  c ", "S a\u3000b c", "", "", " \u2003", "I note", "? what", "A", "S\u00e9", "\ufeffS d"],
        *[
            "A 0 1|||X|||b|||R|||N|||0",
            "A 1 2|||X|||||c|||R|||N|||n|||2",
            "A  2  3 |||noop|||x|||R|||N||| 1 ",
            "A 5 1||| |||",
        ],
        *["A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1", "A 2 1|||X|||z|||R|||N|||0", "A 0 1|||X|||b|||R|||N|||x"],
        *["T0-A0 a b", "T0-A1 c", "T1 \u6ca1\u6709\u9519\u8bef", "T0", "T2-A", "T0-A0", "T 1"],
        *["A 1 0x|||X|||b|||R|||N|||0", "A 0 1234567890|||X|||b|||R|||N|||0", "A 0 9|||X||| -NONE- || d|||R|||N|||0"],
    ]
)


@given(
    st.lists(st.tuples(LINES, st.sampled_from(["\n", "\n", "\r\n", "\0\n", "\r"])), max_size=14),
    st.sampled_from([b"", b"\xff", b"\n", b"\xe2\x80"]),
    st.sampled_from([1, 5, 1 << 20]),
)
def test_reading_is_that_of_the_twin(
    tmp_path_factory: pytest.TempPathFactory, lines: list[tuple[str, str]], end: bytes, piece: int
) -> None:
    path = write(tmp_path_factory.mktemp("m2") / "drawn.m2", "".join(line + end for line, end in lines).encode() + end)
    faults: list[InputError] = []
    expected = list(twin.parse(path, faults.append))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(m2_files, "PIECE", piece)
        parsed = list(m2_files.parse_portions(path))
        assert [astuple(block) for blocks, _ in parsed for block in blocks] == [astuple(block) for block in expected]
        errors = [fault_error(fault, str(path)) for _, found in parsed for fault in unreadable(found)]
        # Hints depend on what a line looks like; the test of their steps is another one.
        assert sorted((e.line, e.message) for e in errors) == sorted((e.line, e.message) for e in faults)
    shared, _ = BlockTable.parse(path.read_bytes(), str(path), 1, True, True)
    expected_shared = twin.parse(path, faults.append, shared=True)
    assert [astuple(block) for block in m2.Blocks(shared)] == [astuple(block) for block in expected_shared]
    if not faults:
        columns = m2.Blocks.read(path, dialect=None)
        assert [astuple(block) for block in columns] == [astuple(block) for block in expected]
        plain = [replace(block, targets=()) for block in expected]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GecevalWarning)
            assert list(m2.fitting(plain, None)) == [twin.fitting(block) for block in plain]
            fitting = [twin.without(block, set(twin.misfits_of(block))) for block in plain]
            assert list(m2.fitting(plain, "drop")) == list(m2.fitting(iter(plain), "drop")) == fitting


versions = st.lists(
    st.builds(
        Edit,
        st.integers(-1, 4),
        st.integers(-1, 4),
        st.sampled_from(["noop", "X"]),
        st.lists(st.sampled_from(["", "-NONE-", " a  b ", "é"]), min_size=1, max_size=2).map(tuple),
        annotator=st.integers(0, 2),
    ),
    max_size=5,
).map(tuple)


@given(st.lists(st.builds(Block, st.sampled_from(["", "a b", "a b c "]), versions), max_size=4))
def test_edits_are_made_as_the_twin_makes_them(blocks: list[Block]) -> None:
    for annotator in range(3):
        expected = [twin.made(block, annotator) for block in blocks]
        if None in expected:
            with pytest.raises(InputError, match=r"overlap|tokens|negative|before it starts"):
                m2.Blocks.of(blocks).corrected(annotator, "plain")
        else:
            assert m2.Blocks.of(blocks).corrected(annotator, "plain") == expected


def test_blocks_are_a_sequence_over_columns(tmp_path: Path) -> None:
    read = blocks_of(tmp_path, GOOD)
    blocks = m2.Blocks.read(tmp_path / "some.m2")
    assert blocks == read
    assert m2.Blocks.of(blocks) is blocks
    assert blocks.source == [block.source for block in read]
    assert [block.line for block in blocks[1:]] == [6, 9]
    assert blocks[1:].source == ["", "Nothing wrong here ."]
    assert (blocks[-1], blocks[::-2], blocks[1:][1:]) == (read[2], [read[2], read[0]], read[2:])
    assert blocks[1:].edits.sentence(0) == [(0, [(0, 0, "Missing", "A word")])]
    assert blocks[1:].edits.strings == ["Missing", "A word"]
    assert [version[0] for version in blocks.edits.sentence(0)] == [0, 1]
    assert blocks.edits.sentence(2) == [(0, [])]
    assert blocks.present is not None
    assert blocks.present.tolist() == [[True, True], [True, False], [True, False]]
    assert blocks[1:].present is None
    assert [astuple(b) for b in pickle.loads(pickle.dumps(blocks[1:]))] == [astuple(b) for b in read[1:]]
    with pytest.raises(IndexError):
        blocks[3]
    assert str(blocks[1].error("no")) == f"{tmp_path / 'some.m2'}:6: no"
    assert blocks.version(1) == ["He go to home yesterday .", None, None]


def test_what_columns_cannot_hold_is_refused(snapshot: SnapshotAssertion) -> None:
    assert message_of(Block, "\ud800") == snapshot
    assert message_of(edit, 0, 2**32, "x") == snapshot


def test_columns_keep_the_order_of_the_file() -> None:
    edits = tuple(edit(0, 1, "x", who) for who in (2, 0, 2, 1, 0))
    blocks = m2.Blocks.of([Block("a b", edits, ("I one", "I two"))])
    assert blocks[0].edits == edits
    assert blocks[0].notes == ("I one", "I two")
    assert [version[0] for version in blocks.edits.sentence(0)] == [2, 0, 1]


BLOCK = 'S He , said " go " .\nA 0 1|||R|||she , "|||REQUIRED|||-NONE-|||0\n\n'


@pytest.mark.parametrize(
    ("damaged", "message"),
    [
        (re.sub("(?m)^(.+)$", lambda m: '"' + m[0].replace('"', '""') + '"', BLOCK), ":1: quotes around a line"),
        (BLOCK.replace("|||0", "|||anna"), ":2: the annotator must be an integer"),
        (BLOCK.replace("|||0", "|||A1"), ":2: the annotator must be an integer"),
        (re.sub("(?m)$", ";;;", BLOCK[:-1]) + "\n", ":2: empty cells of a spreadsheet"),
        (re.sub("(?m)$", "\t", BLOCK[:-1]) + "\n", ":2: empty cells of a spreadsheet"),
    ],
)
def test_damage_of_a_spreadsheet_and_names_of_annotators_have_a_step(
    damaged: str, message: str, tmp_path: Path
) -> None:
    path, again = write(tmp_path / "FILE.m2", damaged), tmp_path / "OTHER.m2"
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        m2.Blocks.read(path)
    step = re.match("(.*> OTHER.m2) (?:removes|numbers)", str(caught.value.hint))
    assert step is not None
    subprocess.run(step[1], shell=True, check=True, cwd=tmp_path)
    assert again.read_text(encoding="utf-8").rstrip("\n") == BLOCK.rstrip("\n")


def test_each_edit_may_have_a_comment_of_its_own() -> None:
    edits = "".join(f"A {k % 50} {k % 50}|||M|||x|||REQUIRED|||{k / 30_000}|||0\n" for k in range(30_000))
    blocks = m2.Blocks.parse(f"S{' a' * 50}\n{edits}\n".encode())
    assert [edit.comment for edit in blocks[0].edits[::7919]] == [str(k / 30_000) for k in range(0, 30_000, 7919)]
    odd = m2.Blocks(blocks.table.at([0, 0]).kept(np.array([False, True] * 30_000)))
    assert [edit.comment for edit in odd[1].edits[:2]] == [str(1 / 30_000), str(3 / 30_000)]


def test_blocks_of_a_file_equal_those_that_are_checked(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.m2",
        "S a b\nA 0 1|||R:X|||c||d|||REQUIRED|||-NONE-|||0\nA 1 2|||R|||-NONE-|||REQUIRED|||0.5|||3\n\n",
    )
    [block] = m2.read(path)
    again = replace(block, edits=tuple(map(replace, block.edits)))
    assert (again, hash(again), str(again)) == (block, hash(block), str(block))
    assert pickle.loads(pickle.dumps(block)) == block
    assert [edit.line for edit in block.edits] == [2, 3]


# --- parts of files ---


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


def types(blocks: Any) -> list[list[str]]:
    return [[edit.type for edit in block.edits] for block in blocks]


# --- the columns ---


@given(odd_files, st.integers(0, 5))
def test_columns_are_written_as_blocks_are(blocks: list[Block], cut: int) -> None:
    out, parts = io.StringIO(), io.StringIO()
    m2.write(Blocks.of(blocks), out)
    m2.write(BlockStream(iter([Blocks.of(blocks[:cut]), Blocks.of([]), Blocks.of(blocks[cut:])])), parts)
    assert out.getvalue() == parts.getvalue() == m2_text(blocks)


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
    indices = data.draw(st.lists(st.sampled_from(range(len(blocks))), max_size=6)) if blocks else []
    assert list(Blocks(columns.at(indices))) == [blocks[place] for place in indices]
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
        remaining = [e for e in block.edits if e.annotator == edit.annotator and (e.is_noop or keep(e))]
        if not remaining and all(row.annotator != edit.annotator for row in rows):
            rows.append(noop(edit.annotator))
    return replace(block, edits=tuple(rows))


def does(edit: Edit) -> str:
    if edit.type == "UNK":
        return ""
    if edit.type[:2] in ("M:", "R:", "U:"):
        return edit.type[0]
    return "M" if edit.start == edit.end else "R" if edit.correction.split() else "U"


@pytest.mark.filterwarnings("ignore:no edit has the type")
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
    types: list[str],
    operations: list[Any],
    shortest: int,
    longest: int | None,
    invert: bool,
    changed: bool,
) -> None:
    asks = bool(types or operations or shortest or longest is not None)
    options: dict[str, Any] = {"types": types, "operations": operations, "shortest": shortest, "longest": longest}
    options |= {"invert": invert and asks, "changed": changed}

    def keep(edit: Edit) -> bool:
        length = max(edit.end - edit.start, len(edit.correction.split()))
        passes = not types or TypeSelectors.of(types).match(edit.type)
        passes &= not operations or does(edit) in operations
        passes &= shortest <= length and (longest is None or length <= longest)
        return passes != options["invert"] if asks else True

    expected = [kept(block, keep) for block in blocks]
    if changed:
        expected = [block for block in expected if not all(edit.is_noop for edit in block.edits)]
    assert list(m2.filter(blocks, **options)) == expected
    assert list(m2.filter(Blocks.of(blocks), **options)) == expected


@pytest.mark.filterwarnings("ignore:no edit has the type")
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
    "options",
    [
        {"invert": True},
        {"types": "R:NOUN"},
        {"types": [3]},
        {"operations": ["X"]},
        {"annotators": [-1]},
        {"annotators": 0},
        {"shortest": 3, "longest": 2},
        {"longest": 1.5},
    ],
)
def test_filter_refuses(options: dict[str, Any], snapshot: SnapshotAssertion) -> None:
    assert message_of(m2.filter, BLOCKS, **options) == snapshot


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


@pytest.mark.filterwarnings("ignore:no edit has the type")
def test_answers_of_cherrant_are_written_again_for_the_edits_left(snapshot: SnapshotAssertion) -> None:
    assert list(m2.filter([CHINESE], types=["*"])) == [CHINESE]
    [missing_only] = m2.filter([CHINESE], types=["M"])
    assert str(missing_only) == snapshot
    assert is_preserved(missing_only)
    [nothing] = m2.filter([CHINESE], types=["W"], annotators=[0])
    assert str(nothing) == snapshot


def test_operations_in_cherrants_letters() -> None:
    """R is redundant, S a substitution."""
    thinned = [next(m2.filter([CHINESE], operations=[operation])) for operation in ("M", "R", "U")]
    assert [[e.type for e in block.edits if not e.is_noop] for block in thinned] == [["M"], ["S"], ["R"]]


# --- one annotator ---


@given(edited_corpora)
def test_annotators_apart_and_together(corpus: list[tuple[Block, Block]]) -> None:
    """Where everybody has a line everywhere, merging undoes splitting."""
    number = max(len(gold.annotators) for gold, _ in corpus)
    blocks = [gold for gold, _ in corpus if len(gold.annotators) == number]
    apart = m2.split_by_annotator(blocks)
    assert list(apart) == list(range(number))
    assert list(m2.merge([*map(iter, apart.values())], [[who] for who in apart])) == blocks


def test_annotators_without_lines() -> None:
    assert {who: types(blocks) for who, blocks in m2.split_by_annotator(BLOCKS).items()} == {
        0: [["R:VERB:SVA", "U:PREP", "M:ADV"], ["noop"], ["UNK"]],
        2: [["R:VERB:TENSE"], ["noop"], []],
    }
    assert list(m2.split_by_annotator([Block("a")])) == [0]


def test_too_many_annotators_times_sentences_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    needed = len(BLOCKS) * len(m2.annotators(BLOCKS))
    monkeypatch.setattr("geceval.text.m2.operations.MOST_BLOCKS", needed)
    assert m2.split_by_annotator(BLOCKS)
    monkeypatch.setattr("geceval.text.m2.operations.MOST_BLOCKS", needed - 1)
    with pytest.raises(InputError, match=f"annotators times {len(BLOCKS)} sentences are more than {needed - 1}"):
        m2.split_by_annotator(BLOCKS)


words = st.lists(st.sampled_from("abc"), max_size=4)


@given(words, words, words, words)
def test_a_minimal_edit_makes_the_same(before: list[str], replaced: list[str], by: list[str], after: list[str]) -> None:
    tokens = before + replaced + after
    start, end, first, last = minimal(tokens, by, (len(before), len(before) + len(replaced), 0, len(by)))
    text = by[first:last]
    assert [*tokens[:start], *text, *tokens[end:]] == before + by + after
    assert len(before) <= start <= end <= len(before) + len(replaced)
    assert minimal(tokens, text, (start, end, 0, len(text))) == (start, end, 0, len(text))
    if start < end and text:
        assert tokens[start] != text[0]
        assert tokens[end - 1] != text[-1]


BLANK_TOKENS = """\
S He   go home .
A 1 3|||R:OTHER|||goes|||REQUIRED|||-NONE-|||0

S I  like   cats .
A 0 1|||R:PRON|||We|||REQUIRED|||-NONE-|||0

"""


def test_blanks_that_errant_counts_as_tokens_are_a_fault_where_they_shift_edits(tmp_path: Path) -> None:
    path = tmp_path / "gold.m2"
    path.write_text(BLANK_TOKENS, encoding="utf-8")
    [fault] = m2.check(path).faults
    assert fault.line == 1
    assert "ERRANT -tok counts as tokens" in fault.message
    corpus = Corpus.of({"it": ["He goes home .", "We like cats ."]}, gold=m2.Blocks.read(path))
    found = [finding for finding in check(corpus, [Errant()]) if finding.check == "blank_tokens"]
    assert [finding.message for finding in found] == [
        "1 block with blanks that ERRANT -tok counts as tokens: their edits are shifted"
    ]
