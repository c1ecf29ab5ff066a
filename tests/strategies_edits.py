"""What hypothesis draws for metrics on edits: M2 blocks whose edits touch, insert, delete and do nothing."""

from __future__ import annotations

from hypothesis import strategies as st

import twins_chunks
from geceval.text.m2 import Block, Edit, noop, ordered

TOKENS = st.sampled_from(["a", "b", "c", "the"])


@st.composite
def versions(draw: st.DrawFn, length: int, annotator: int) -> list[Edit]:
    """The edits of one annotator in a sentence of ``length`` tokens, in order; a noop if there are none."""
    cuts = sorted(draw(st.lists(st.integers(0, length), max_size=8)))
    pairs = [cuts[i : i + 2] for i in range(0, len(cuts) - 1, 2)]
    edits = []
    for start, end in pairs:
        correction = " ".join(draw(st.lists(TOKENS, min_size=int(start == end), max_size=3)))
        edits.append(Edit(start, end, "X", (correction or "-NONE-",), annotator=annotator))
    edits.sort(key=lambda edit: (edit.start, edit.end))
    return edits or [noop(annotator)]


@st.composite
def sentences(draw: st.DrawFn, max_references: int = 3) -> tuple[Block, Block]:
    """(gold, hypothesis) blocks of one sentence."""
    tokens = draw(st.lists(TOKENS, max_size=8))
    references = draw(st.integers(1, max_references))
    gold = [edit for annotator in range(references) for edit in draw(versions(len(tokens), annotator))]
    source = " ".join(tokens)
    return Block(source, tuple(gold)), Block(source, tuple(draw(versions(len(tokens), 0))))


#: (gold, hypothesis) by sentence.
edited_corpora = st.lists(sentences(), min_size=1, max_size=5)


def plain(version: list[Edit]) -> list[twins_chunks.Edit]:
    return [(e.start, e.end, e.alternatives[0].split()) for e in version]


def versions_of(gold: Block, hypothesis: Block) -> list[list[Edit]]:
    """The hypothesis, then the references."""
    return [ordered(hypothesis, 0), *(ordered(gold, annotator) for annotator in gold.annotators)]
