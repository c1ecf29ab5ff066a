"""What hypothesis draws for metrics on edits: M2 blocks whose edits touch, insert, delete and do nothing."""

from __future__ import annotations

from hypothesis import strategies as st

from geceval.text.m2 import Block, Edit, noop, ordered
from geceval.text.m2.m2_files import survives
from twins import chunks as twins_chunks

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


# --- M2 as files may have it ---

#: Edits of any kind, that fit or not, with alternatives, other fields, and every way to write a deletion.
odd_edits = st.builds(
    Edit,
    st.integers(-1, 6),
    st.integers(-1, 6),
    st.sampled_from(["noop", "R:NOUN", "M:DET", "U:PREP", "UNK", "ArtOrDet", "", "R:VERB:TENSE", "é_-:x"]),
    st.lists(st.sampled_from(["", "-NONE-", "a b", " é  b", "𝔘 x"]), min_size=1, max_size=3).map(tuple),
    st.sampled_from(["REQUIRED", "REQUIRED", "-REQUIRED-"]),
    st.sampled_from(["-NONE-", "-NONE-", "NONE", "said ||| so"]),
    annotator=st.integers(0, 3),
)

#: Blocks with such edits, in any order; ``I`` lines now and then.
odd_blocks = st.builds(
    Block,
    st.sampled_from(["", "a", "a b c", "a  b ", "é 𝔘 c d", "x\u3000y z", " a\tb"]),
    st.lists(odd_edits, max_size=5).map(tuple),
    st.sampled_from([(), (), ("I note",)]),
)


def in_files(blocks: list[Block]) -> list[Block]:
    """Those that M2 can say: an empty alternative beside the bars between fields is read as something else."""
    return [block for block in blocks if survives(block)]


odd_files = st.lists(odd_blocks, max_size=5).map(in_files)
