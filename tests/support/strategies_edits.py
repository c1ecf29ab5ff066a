"""What hypothesis draws for metrics on edits: M2 blocks whose edits touch, insert, delete and do nothing."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence

from hypothesis import strategies as st

from geceval.base.errors import InputError
from geceval.m2 import Block, Edit, noop, ordered
from geceval.text.m2.m2_files import check_preserved
from support.strategies import lists_of, records
from twins import chunks as twins_chunks

WORDS = ["a", "b", "c", "the"]
LINE = lists_of(WORDS, max_size=8)
#: Of none, one or several words, each number about as often.
CORRECTIONS: list[Sequence[str]] = [
    *[()] * 60,
    *[(word,) for word in WORDS] * 15,
    *[*itertools.product(WORDS, repeat=2)] * 4,
    *itertools.product(WORDS, repeat=3),
]


@functools.cache
def versions(length: int, annotator: int) -> st.SearchStrategy[list[Edit]]:
    """The edits of one annotator in a sentence of ``length`` tokens, in order; a noop if there are none."""

    def made(drawn: list[tuple[int, int, list[str]]]) -> list[Edit]:
        cuts = sorted(cut for *cuts, _ in drawn for cut in cuts)
        edits = []
        for start, end, (*_, words) in zip(cuts[::2], cuts[1::2], drawn, strict=True):
            correction = " ".join(words or WORDS[: start == end])
            edits.append(Edit(start, end, "X", (correction or "-NONE-",), annotator=annotator))
        edits.sort(key=lambda edit: (edit.start, edit.end))
        return edits or [noop(annotator)]

    places = range(length + 1)
    return records(lambda *own: own, places, places, CORRECTIONS, max_size=4).map(made)


@st.composite
def sentences(draw: st.DrawFn, max_references: int = 3) -> tuple[Block, Block]:
    """(gold, hypothesis) blocks of one sentence."""
    tokens = draw(LINE)
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


# --- M2 as files may have it ---


def odd_edit(start: int, end: int, kind: str, size: int, first: str, *corrections: str | int) -> Edit:
    """An edit with ``size`` of three alternatives."""
    second, third, required, comment, annotator = corrections
    return Edit(start, end, kind, (first, second, third)[:size], required, comment, annotator)  # type: ignore[arg-type]


#: What an edit may say in place of its tokens, with every way to write a deletion.
SAID = ["", "-NONE-", "a b", " é  b", "𝔘 x"]
#: Edits of any kind, that fit or not, with alternatives and other fields.
odd_edits = records(
    odd_edit,
    range(-1, 7),
    range(-1, 7),
    ["noop", "R:NOUN", "M:DET", "U:PREP", "UNK", "ArtOrDet", "", "R:VERB:TENSE", "é_-:x"],
    range(1, 4),
    SAID,
    SAID,
    SAID,
    ["REQUIRED", "REQUIRED", "-REQUIRED-"],
    ["-NONE-", "-NONE-", "NONE", "said ||| so"],
    range(4),
    max_size=5,
)

#: Blocks with such edits, in any order; ``I`` lines now and then.
odd_blocks = st.builds(
    Block,
    st.sampled_from(["", "a", "a b c", "a  b ", "é 𝔘 c d", "x\u3000y z", " a\tb"]),
    odd_edits.map(tuple),
    st.sampled_from([(), (), ("I note",)]),
)


def is_preserved(block: Block) -> bool:
    """Whether M2 can contain it."""
    try:
        check_preserved(block)
    except InputError:
        return False
    return True


def in_files(blocks: list[Block]) -> list[Block]:
    """Those that M2 can say: an empty alternative beside the bars between fields is read as something else."""
    return [block for block in blocks if is_preserved(block)]


odd_files = st.lists(odd_blocks, max_size=5).map(in_files)
