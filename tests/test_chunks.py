"""The chunk partition: the kernel against its twin, and what is left out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import twins_chunks
from geceval import _kernel
from geceval.edits.chunks import Versions, tokens_of
from geceval.text.m2 import Block, Edit, ordered
from strategies_edits import edited_corpora

SOURCE = list("abcdef")


def edit(start: int, end: int, correction: str) -> Edit:
    return Edit(start, end, "X", (correction,))


def plain(version: list[Edit]) -> list[twins_chunks.Edit]:
    return [(e.start, e.end, e.alternatives[0].split()) for e in version]


def versions_of(gold: Block, hypothesis: Block) -> list[list[Edit]]:
    """The hypothesis, then the references."""
    return [ordered(hypothesis, 0), *(ordered(gold, annotator) for annotator in gold.annotators)]


@given(edited_corpora, st.integers(0, 2))
def test_kernel_equals_twin(corpus: list[tuple[Block, Block]], distance: int) -> None:
    rows = [versions_of(gold, hypothesis) for gold, hypothesis in corpus]
    prepared = Versions([gold.tokens for gold, _ in corpus], [row[1:] for row in rows], distance)
    chunks = prepared.partition([row[0] for row in rows])
    for s, (gold, _) in enumerate(corpus):
        kept = [r for r, version in enumerate(prepared.references[s]) if version is not None]
        versions = [rows[s][0], *(rows[s][r + 1] for r in kept)]
        expected = twins_chunks.chunks(gold.tokens, list(map(plain, versions)), distance)
        part, cells = slice(*chunks.offsets[s : s + 2]), [0, *(r + 1 for r in kept)]
        assert list(zip(chunks.start[part].tolist(), chunks.end[part].tolist(), strict=True)) == [
            (chunk.start, chunk.end) for chunk in expected
        ]
        assert chunks.changed[part][:, cells].tolist() == [chunk.changed for chunk in expected]
        assert chunks.length[part][:, cells].tolist() == [list(map(len, chunk.texts)) for chunk in expected]
        assert chunks.same[part][:, kept].tolist() == [
            [text == chunk.texts[0] for text in chunk.texts[1:]] for chunk in expected
        ]
        assert chunks.sentence[part].tolist() == [s] * len(expected)


@given(edited_corpora)
def test_the_chunks_of_a_version_are_the_version(corpus: list[tuple[Block, Block]]) -> None:
    for gold, hypothesis in corpus:
        versions = versions_of(gold, hypothesis)
        prepared = Versions([gold.tokens], [versions[1:]])
        chunks = prepared.partition([versions[0]])
        assert chunks.start[0] == 0
        assert chunks.end[-1] == len(gold.tokens)
        assert (chunks.start[1:] == chunks.end[:-1]).all()
        assert chunks.length[:, 0].sum() == len(tokens_of(gold.tokens, versions[0]))


def test_a_reference_that_deletes_everything_is_none() -> None:
    empty, real = [edit(0, 6, "-NONE-")], [edit(1, 2, "B")]
    assert Versions([SOURCE], [[real, empty]]).present.tolist() == [[True, False]]
    assert Versions([SOURCE], [[empty, real]]).present.tolist() == [[False, True]]
    assert Versions([SOURCE], [[empty]]).present.tolist() == [[True]]
    # It takes no part in the partition either.
    assert len(Versions([SOURCE], [[real, empty]]).partition([[]]).start) == 3


def test_unchanged_references_can_be_dropped() -> None:
    real, nothing, in_vain = [edit(1, 2, "B")], [], [edit(1, 2, "b")]
    dropping = Versions([SOURCE, SOURCE], [[nothing, real, in_vain], [nothing, in_vain]], drop_unchanged=True)
    assert dropping.present.tolist() == [[False, True, False], [True, False, False]]


def test_columns_that_do_not_fit_are_refused() -> None:
    def columns(start: int, end: int) -> tuple:
        text = (np.array([0, 0]), np.array([], dtype=np.int32))
        return 1, np.array([0, 1]), np.array([start], dtype=np.int32), np.array([end], dtype=np.int32), text

    source = (np.array([0, 2]), np.array([5, 6], dtype=np.int32))
    assert len(_kernel.partition(source, columns(0, 1), columns(1, 2), 0)[1]) == 1
    for wrong in (columns(1, 3), columns(-1, 0), columns(2, 1)):
        with pytest.raises(ValueError, match="out of place"):
            _kernel.partition(source, columns(0, 1), wrong, 0)
    with pytest.raises(ValueError, match="offsets"):
        _kernel.partition((np.array([0, 3]), source[1]), columns(0, 1), columns(1, 2), 0)
