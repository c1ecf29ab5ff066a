"""Edits in order and the chunk partition: the kernel against its twins, and what is left out."""

from __future__ import annotations

import pickle
import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval import Cleme, Corpus
from geceval._kernel import ChunkTable, Edits, KernelError, Text, in_order
from geceval.base.errors import InputError
from geceval.base.kernel_errors import kernel_message
from geceval.edits.chunks import ChunkedVersions
from geceval.edits.corpus_edits import Extraction, hypothesis_edits, reference_edits
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator
from geceval.edits.versions import apply_edits, edits_by_version
from geceval.m2 import Block, Edit, apply, ordered
from support.effort import examples
from support.messages import message_of
from support.strategies_edits import edited_corpora, plain, sentences, versions_of
from twins import chunks as twins_chunks

SOURCE = list("abcdef")


def edit(start: int, end: int, correction: str) -> Edit:
    return Edit(start, end, "X", (correction,))


def columns(rows: list[list[list[Edit]]]) -> Edits:
    """``rows[s][v]`` in columns."""
    return Edits(
        [
            [
                (v, [(e.start, e.end, e.type, "||".join(e.corrections)) for e in version])
                for v, version in enumerate(row)
            ]
            for row in rows
        ]
    )


def chunk_table(source: Text, references: Edits) -> ChunkTable:
    return ChunkTable(source, references, 0, False, 1)


def versions(source: list[list[str]], references: list[list[list[Edit]]], *settings: int | bool) -> ChunkedVersions:
    return ChunkedVersions(Text(map(" ".join, source)), columns(references), *settings)


@given(edited_corpora, st.randoms(use_true_random=False))
def test_order_equals_twin(corpus: list[tuple[Block, Block]], rng: random.Random) -> None:
    blocks = [gold for gold, _ in corpus]
    rows = [[[e for e in block.edits if e.annotator == a] for a in block.annotators] for block in blocks]
    for row in rows:
        for version in row:
            rng.shuffle(version)
    shuffled = [
        Block(block.source, tuple(e for version in row for e in version))
        for block, row in zip(blocks, rows, strict=True)
    ]
    offsets, order = in_order(Text([block.source for block in blocks]), columns(rows), 1)
    flat = [e for row in rows for version in row for e in version]
    expected = [ordered(block, a) for block, row in zip(shuffled, rows, strict=True) for a in _annotators(block, row)]
    bounds = offsets.tolist()
    ordered_rows = [[flat[place] for place in order[a:b].tolist()] for a, b in pairwise(bounds)]
    assert ordered_rows == expected


def _annotators(block: Block, row: list[list[Edit]]) -> list[int]:
    return [version[0].annotator for version in row] if block.edits else [0]


@given(edited_corpora)
def test_changes_make_what_m2_makes(corpus: list[tuple[Block, Block]]) -> None:
    blocks = [gold for gold, _ in corpus]
    rows = [[[e for e in block.edits if e.annotator == a] for a in block.annotators] for block in blocks]
    corrected = edits_by_version(Text([block.source for block in blocks]), columns(rows), blocks)
    texts = [
        [apply_edits(block.tokens, version) for version in row] for block, row in zip(blocks, corrected, strict=True)
    ]
    assert texts == [[apply(block, annotator) for annotator in block.annotators] for block in blocks]


@given(edited_corpora, st.integers(0, 2))
def test_kernel_equals_twin(corpus: list[tuple[Block, Block]], distance: int) -> None:
    rows = [versions_of(gold, hypothesis) for gold, hypothesis in corpus]
    prepared = versions([gold.tokens for gold, _ in corpus], [row[1:] for row in rows], distance)
    hypothesis = columns([row[:1] for row in rows])
    chunks, texts = prepared.partition(hypothesis), prepared.texts(hypothesis)
    for s, (gold, _) in enumerate(corpus):
        counting = twins_chunks.counting(gold.tokens, list(map(plain, rows[s][1:])), False)
        references = [r for r, is_present in enumerate(prepared.present[s]) if is_present]
        assert references == counting
        twin_versions = [rows[s][0], *(rows[s][r + 1] for r in references)]
        expected = twins_chunks.chunks(gold.tokens, list(map(plain, twin_versions)), distance)
        part, cells = slice(*chunks.offsets[s : s + 2]), [0, *(r + 1 for r in references)]
        assert list(zip(chunks.start[part].tolist(), chunks.end[part].tolist(), strict=True)) == [
            (chunk.start, chunk.end) for chunk in expected
        ]
        assert chunks.changed[part][:, cells].tolist() == [chunk.changed for chunk in expected]
        assert chunks.length[part][:, cells].tolist() == [list(map(len, chunk.texts)) for chunk in expected]
        assert chunks.same[part][:, references].tolist() == [
            [text == chunk.texts[0] for text in chunk.texts[1:]] for chunk in expected
        ]
        assert chunks.sentence[part].tolist() == [s] * len(expected)
        assert [texts.strings[place] for place in texts.source[part]] == [
            " ".join(gold.tokens[chunk.start : chunk.end]) for chunk in expected
        ]
        assert [[texts.strings[place] for place in row] for row in texts.text[part][:, cells]] == [
            list(map(" ".join, chunk.texts)) for chunk in expected
        ]
        assert [[bool(texts.strings[place]) for place in row] for row in texts.type[part][:, cells]] == [
            chunk.changed for chunk in expected
        ]


@settings(max_examples=examples(5))
@given(st.lists(sentences(), min_size=5, max_size=5))
def test_threads_change_nothing(corpus: list[tuple[Block, Block]]) -> None:
    rows = [versions_of(gold, hypothesis) for gold, hypothesis in corpus * 220]  # enough for two threads
    source, hypothesis = Text([gold.source for gold, _ in corpus * 220]), columns([row[:1] for row in rows])
    references = columns([row[1:] for row in rows])
    single, several = (
        [
            *in_order(source, references, threads),
            *ChunkTable(source, references, 0, False, threads).partition(hypothesis, threads).values(),
            *ChunkTable(source, references, 0, False, threads).texts(hypothesis, threads).values(),
        ]
        for threads in (1, 2)
    )
    for found, expected in zip(single, several, strict=True):
        np.testing.assert_array_equal(found, expected)


@given(edited_corpora, st.booleans())
def test_references_that_count_equal_twin(corpus: list[tuple[Block, Block]], drop_unchanged: bool) -> None:
    rows = [versions_of(gold, hypothesis)[1:] for gold, hypothesis in corpus]
    prepared = versions([gold.tokens for gold, _ in corpus], rows, 0, drop_unchanged)
    assert [[r for r, is_present in enumerate(row) if is_present] for row in prepared.present] == [
        twins_chunks.counting(gold.tokens, list(map(plain, row)), drop_unchanged)
        for (gold, _), row in zip(corpus, rows, strict=True)
    ]


@given(edited_corpora)
def test_the_chunks_of_a_version_are_the_version(corpus: list[tuple[Block, Block]]) -> None:
    for gold, hypothesis in corpus:
        version, *references = versions_of(gold, hypothesis)
        prepared = versions([gold.tokens], [references])
        chunks = prepared.partition(columns([[version]]))
        assert chunks.start[0] == 0
        assert chunks.end[-1] == len(gold.tokens)
        assert (chunks.start[1:] == chunks.end[:-1]).all()
        texts = prepared.texts(columns([[version]]))
        assert " ".join(filter(None, (texts.strings[place] for place in texts.text[:, 0]))) == apply(hypothesis, 0)


def test_a_reference_that_deletes_everything_is_none() -> None:
    empty, real = [edit(0, 6, "-NONE-")], [edit(1, 2, "B")]
    assert versions([SOURCE], [[real, empty]]).present.tolist() == [[True, False]]
    assert versions([SOURCE], [[empty, real]]).present.tolist() == [[False, True]]
    assert versions([SOURCE], [[empty]]).present.tolist() == [[True]]
    # It takes no part in the partition either.
    assert len(versions([SOURCE], [[real, empty]]).partition(columns([[[]]])).start) == 3


def test_unchanged_references_can_be_dropped() -> None:
    real, nothing, in_vain = [edit(1, 2, "B")], [], [edit(1, 2, "b")]
    dropping = versions([SOURCE, SOURCE], [[nothing, real, in_vain], [nothing, in_vain]], 0, True)
    assert dropping.present.tolist() == [[False, True, False], [True, False, False]]


def test_a_merge_distance_beyond_any_sentence() -> None:
    row = [edit(0, 1, "A"), edit(5, 6, "F")]
    prepared = versions([SOURCE], [[row]], 10**30)
    assert prepared.partition(columns([[[]]])).start.tolist() == [0]


def test_alternatives_and_types_of_a_chunk() -> None:
    edits = [Edit(1, 2, "R:X", (" B  b ", "c")), Edit(2, 3, "U:Y", ("-NONE-",))]
    prepared, hypothesis = versions([SOURCE], [[[]]]), columns([[edits]])
    texts = prepared.texts(hypothesis)
    assert [texts.strings[place] for place in texts.text[:, 0]] == ["a", "B b", "d e f"]
    assert [texts.strings[place] for place in texts.type[:, 0]] == ["", "R:X+U:Y", ""]
    assert prepared.partition(hypothesis).length[:, 0].tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ((1, 3), "lies outside the sentence"),
        ((-1, 0), "lies outside the sentence"),
        ((2, 1), "lies outside the sentence"),
        ((0, 2), "overlaps another"),
    ],
)
def test_edits_that_cannot_be_made_are_refused(wrong: tuple[int, int], reason: str) -> None:
    source, fine = Text(["a b"]), columns([[[edit(0, 1, "x")]]])
    bad = columns([[[], [edit(0, 1, "x"), edit(*wrong, "y")]]])
    works = (lambda: chunk_table(source, bad), lambda: in_order(source, bad, 1), lambda: edits_by_version(source, bad))
    for work in works:
        with pytest.raises((KernelError, InputError)) as caught:
            work()
        message = f"sentence 0, version 1 (counted from 0): the edit 1 {reason}"
        if isinstance(caught.value, KernelError):
            assert (caught.value.sentence, caught.value.version) == (0, 1)
            assert kernel_message(caught.value) == message
        else:
            assert str(caught.value) == message
    with pytest.raises(KernelError):
        chunk_table(source, fine).partition(columns([[[edit(0, 1, "x"), edit(*wrong, "y")]]]), 1)


def test_columns_that_do_not_fit_are_refused(snapshot: SnapshotAssertion) -> None:
    source, version = Text(["a b"]), columns([[[]]])
    for work in (lambda: chunk_table(Text(["a", "b"]), version), lambda: in_order(Text([]), version, 1)):
        assert message_of(work) == snapshot
    table = chunk_table(source, version)
    for hypotheses in (columns([[[]], [[]]]), columns([[[], []]])):
        assert message_of(table.partition, hypotheses, 1) == snapshot


def test_faults_of_m2_are_named_with_their_place(snapshot: SnapshotAssertion) -> None:
    edits = (Edit(0, 2, "X", ("x",), line=8), Edit(1, 2, "X", ("y",), line=9))
    block = Block("a b", edits, path="gold.m2", line=7)
    for work in (
        lambda: ChunkedVersions(Text(["a b"]), columns([[list(edits)]]), blocks=[block]),
        lambda: edits_by_version(Text(["a b"]), columns([[list(edits)]]), [block]),
    ):
        assert message_of(work) == snapshot


#: Tokens that mean something in M2 and nothing in text, but for -NONE- as the whole of a correction.
odd_lines = st.lists(st.sampled_from(["a", "b", "||", "-NONE-", "a||b"]), max_size=6).map(" ".join)


@given(st.lists(st.tuples(odd_lines, odd_lines, odd_lines, odd_lines), min_size=1, max_size=3))
def test_bars_in_text_divide_nothing(rows: list[tuple[str, str, str, str]]) -> None:
    source, *texts = (list(lines) for lines in zip(*rows, strict=True))
    corpus = Corpus(source, texts[1:], {"it": texts[0]})
    references = reference_edits(corpus, Extraction())
    hypothesis = hypothesis_edits(corpus, texts[0], Extraction())
    assert references.literal
    assert hypothesis.literal
    prepared = ChunkedVersions(Text(source), references)
    chunks, chunk_texts = prepared.partition(hypothesis), prepared.texts(hypothesis)
    ordered_edits = [edits_by_version(Text(source), edits) for edits in (hypothesis, references)]
    extracted = [Extractor(make_annotator("builtin:3")).extract(list(zip(source, text, strict=True))) for text in texts]
    for s, line in enumerate(source):
        # An edit's one correction as it stands, which deletes if it is -NONE-.
        version, *reference_rows = (
            [(e.start, e.end, literal(*e.corrections)) for e in edits[s]] for edits in extracted
        )
        changes_of = [
            [(c.start, c.end, c.correction.split()) for c in row] for rows in ordered_edits for row in rows[s]
        ]
        assert changes_of == [version, *reference_rows]
        counted = twins_chunks.counting(line.split(), reference_rows, False)
        expected = twins_chunks.chunks(line.split(), [version, *(reference_rows[r] for r in counted)], 0)
        part, cells = slice(*chunks.offsets[s : s + 2]), [0, *(r + 1 for r in counted)]
        assert [[chunk_texts.strings[place] for place in row] for row in chunk_texts.text[part][:, cells]] == [
            list(map(" ".join, chunk.texts)) for chunk in expected
        ]


def literal(correction: str) -> list[str]:
    return [] if correction == "-NONE-" else correction.split()


def test_edits_of_text_and_of_m2_do_not_mix(snapshot: SnapshotAssertion) -> None:
    of_text, of_m2 = (Edits([[(0, [(0, 1, "X", "a || b")])]], literal) for literal in (True, False))
    for edits, correction in ((of_text, "a || b"), (of_m2, "a"), (pickle.loads(pickle.dumps(of_text)), "a || b")):
        assert [edit.correction for edit in edits_by_version(Text(["c"]), edits)[0][0]] == [correction]
    assert Edits.merged_versions([of_text, of_text]).literal
    assert message_of(Edits.merged_versions, [of_text, of_m2]) == snapshot


def test_bars_in_text_count_in_cleme() -> None:
    """What comes after the bars is compared, too."""
    score = Cleme().corpus_score(["a c"], ["a b || d"], [["a b || e"]])
    assert score.totals["tp"] == 0
    assert Cleme().corpus_score(["a c"], ["a b || d"], [["a b || d"]]).totals["tp"] > 0
