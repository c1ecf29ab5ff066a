"""The edits of a corpus: from M2 and from text, each pair of sentences extracted once for all metrics."""

from __future__ import annotations

import contextlib
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from differential.pseudo import Counting, PseudoAnnotator
from geceval import Cleme, Errant, evaluate, m2, make_metric
from geceval._kernel import Edits, Text
from geceval.base.errors import InputError
from geceval.counting.signature import signature_of
from geceval.edits.corpus_edits import MEMORY, Extraction, LruCache, hypothesis_edits, reference_edits
from geceval.edits.extraction import MERGINGS, Extractor, edit_objects
from geceval.edits.languages import make_annotator
from geceval.edits.languages.english import Builtin
from geceval.edits.m2_annotation import annotate, check_corrections, retype
from geceval.m2 import Block, Blocks, Edit, apply, noop
from geceval.text.corpus import Corpus
from support.effort import examples
from support.messages import message_of
from support.strategies import lists_of

SOURCE = ["He go home .", "She have a cats .", "Fine .", "He go home ."]
REFERENCES = [["He goes home .", "She has cats .", "Fine .", "He went home ."], ["He went home .", None, "Fine .", ""]]
SYSTEMS = {
    "one": ["He goes home .", "She has a cat .", "Fine .", "He goes home ."],
    "two": ["He went home .", "She has cats .", "Fine !", "He go home ."],
}


class Kernel:
    """The kernel's extractor, with notes of what it is asked for."""

    def __init__(self, extractor: Extractor) -> None:
        self.kernel = extractor._in_kernel
        self.extracted: list[tuple[int, int]] = []
        self.calls: list[int] = []

    def extract(self, source: Text, targets: list[Text], threads: int) -> list[Edits]:
        self.calls.append(len(targets))
        self.extracted += [(len(source), target.fingerprint()) for target in targets]
        return self.kernel.extract(source, targets, threads)


def test_each_block_is_extracted_once_for_all_metrics_passes_and_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    MEMORY.clear()
    extractor = Extraction().extractor
    kernel = Kernel(extractor)
    monkeypatch.setitem(extractor.__dict__, "_in_kernel", kernel)
    metrics = [make_metric(name) for name in ("errant", "cleme", "cleme2")]
    for systems in (SYSTEMS, {"three": SYSTEMS["one"][::-1]}):
        evaluate(Corpus(SOURCE, REFERENCES, systems), metrics, checks=False)
    assert len(kernel.extracted) == len(set(kernel.extracted)) == 5


def test_with_gold_edits_the_systems_are_extracted_in_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    MEMORY.clear()
    extractor = Extraction().extractor
    kernel = Kernel(extractor)
    monkeypatch.setitem(extractor.__dict__, "_in_kernel", kernel)
    gold = [Block(line, (noop(0),)) for line in SOURCE]
    evaluate(Corpus(SOURCE, (), SYSTEMS, gold), [Errant()], checks=False)
    assert kernel.calls == [len(SYSTEMS)]


def test_another_annotator_is_asked_once_about_a_source() -> None:
    MEMORY.clear()
    annotator = Counting()
    corpus = Corpus(SOURCE, REFERENCES, SYSTEMS)
    for metric in (Errant(annotator=annotator), Cleme(annotator=annotator)):
        assert f"|annotator:{annotator.name}|" in signature_of(metric, 2)
        evaluate(corpus, [metric], checks=False)
    sources = {tuple(line.split()) for line in SOURCE}
    assert sum(sentence in sources for sentence in annotator.seen) == len(sources & set(annotator.seen))


def test_edits_are_the_same_by_columns_and_by_the_kernel() -> None:
    """What the builtin annotator says, given as columns, makes the same edits as the kernel's way."""
    for profile in ("builtin:3", "builtin:2", "builtin:classic"):
        builtin = Builtin(profile)
        subclassed = type("Beside", (Builtin,), {})(profile)
        targets = [Text(lines) for lines in (*REFERENCES, *SYSTEMS.values())]
        for merging in MERGINGS:
            by_kernel = Extractor(builtin, merging).columns(Text(SOURCE), targets)
            by_columns = Extractor(subclassed, merging).columns(Text(SOURCE), targets)
            assert list(map(edit_objects, by_kernel)) == list(map(edit_objects, by_columns))


def test_a_missing_reference_has_no_version() -> None:
    edits = reference_edits(Corpus(SOURCE, REFERENCES), Extraction())
    assert [[who for who, _ in edits.sentence(s)] for s in range(4)] == [[0, 1], [0], [0, 1], [0, 1]]
    assert edits.sentence(0) == [(0, [(1, 2, "R:VERB:SVA", "goes")]), (1, [(1, 2, "R:VERB:TENSE", "went")])]
    assert edits.sentence(2) == [(0, []), (1, [])]


def test_gold_in_columns_keeps_noops_and_alternatives() -> None:
    block = Block("a b", (Edit(0, 1, "X", ("c", "d"), annotator=3), noop(1), Edit(1, 2, "Y", ("",), annotator=3)))
    edits = Blocks.of([block, Block("c")]).edits
    assert edits.sentence(0) == [(3, [(0, 1, "X", "c||d"), (1, 2, "Y", "")]), (1, [(-1, -1, "noop", "-NONE-")])]
    assert edits.sentence(1) == [(0, [])]
    [[first, second], _] = edit_objects(edits)
    assert (first[0].corrections, second) == (("c", "d"), [noop(1)])


def test_the_memory_is_bounded() -> None:
    class Thing:
        def __init__(self, nbytes: int) -> None:
            self.nbytes = nbytes - LruCache.ENTRY

    memory = LruCache(10)
    for key in range(4):
        memory.put(key, Thing(4))
        memory.get(0)
    assert (len(memory), memory.nbytes) == (2, 8)
    assert memory.get(0) is not None
    assert memory.get(1) is None
    memory.put("large", Thing(11))
    assert memory.get("large") is None
    memory.put(0, Thing(1))
    assert memory.nbytes == 5


def test_text_and_m2_are_the_same_edits() -> None:
    corpus = Corpus(SOURCE, REFERENCES)
    text = hypothesis_edits(corpus, SYSTEMS["one"], Extraction())
    expected = [edits for [edits] in edit_objects(text)]
    blocks = [Block(line, tuple(edits) or (noop(0),)) for line, edits in zip(SOURCE, expected, strict=True)]
    again = [
        [edit for edit in edits if not edit.is_noop]
        for [edits] in edit_objects(hypothesis_edits(corpus, blocks, Extraction()))
    ]
    assert again == expected


def test_gold_edits_go_before_reference_texts() -> None:
    gold = [Block(line, (noop(0),)) for line in SOURCE]
    edits = reference_edits(Corpus(SOURCE, REFERENCES, gold=gold), Extraction())
    assert edit_objects(edits) == [[[noop(0)]]] * 4


def test_what_does_not_fit_is_refused(snapshot: SnapshotAssertion) -> None:
    assert message_of(reference_edits, Corpus(SOURCE), Extraction()) == snapshot
    unrelated = [Block("something else")] * 4
    assert message_of(reference_edits, Corpus(SOURCE, gold=unrelated), Extraction()) == snapshot
    assert message_of(hypothesis_edits, Corpus(SOURCE), unrelated, Extraction()) == snapshot


@pytest.mark.parametrize("metric", ["cleme", "cleme2"])
def test_edits_that_cannot_be_made_are_refused(metric: str, snapshot: SnapshotAssertion) -> None:
    overlapping = Block("a b", (Edit(0, 2, "X", ("c",)), Edit(1, 2, "X", ("d",))))
    assert message_of(lambda: make_metric(metric).corpus_score(["a b"], [overlapping], [["a b"]])) == snapshot


def test_a_corpus_survives_pickling() -> None:
    corpus = Corpus(SOURCE, REFERENCES, SYSTEMS)
    assert pickle.loads(pickle.dumps(corpus)) == corpus


def test_what_extracts_can_be_pickled() -> None:
    extraction = Extraction("builtin:3", "all-split")
    assert extraction.extractor is Extraction("builtin:3", "all-split").extractor
    assert pickle.loads(pickle.dumps(extraction)) == extraction
    again = pickle.loads(pickle.dumps(extraction.extractor))
    assert again.signature == "annotator:builtin:3-2|merge:all-split"
    assert [edit.start for edit in again.extract([("a b", "a c")])[0]] == [1]


# --- given edits placed and minimised and typed ---


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
        typed = list(retype(EXTRACTOR, given_, auto=auto, minimise=minimise, keep_types=keep))
        assert [block.source for block in typed] == [block.source for block in given_]


def test_edits_that_cannot_be_made_together_are_refused_with_their_place(snapshot: SnapshotAssertion) -> None:
    block = Block("a b c", (Edit(0, 3, "X", ("",)), Edit(1, 2, "X", ("d",))), path="gold.m2", line=7)
    assert message_of(retype, EXTRACTOR, [block], auto=False) == snapshot


def test_spans_outside_their_sentence_are_refused(snapshot: SnapshotAssertion) -> None:
    assert message_of(EXTRACTOR.classify, [(["a", "b"], ["c"], (0, 3, 0, 1))]) == snapshot


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
