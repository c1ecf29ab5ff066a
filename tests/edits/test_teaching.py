"""The tools that make the builtin annotator's model: noisy copies, the teacher's rows, the vocabulary of the model."""

from __future__ import annotations

import contextlib
import random
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.scripts import import_script
from twins import tagger as twin

noise = import_script("research/noise.py")
train = import_script("research/train_tagger.py")
FORMS = noise.Forms(
    [("goes", "go", "VBZ"), ("Went", "go", "VBD"), ("went", "go", "VBD"), ("goed", "go", "VBD"), ("cats", "cat", "NNS")]
)
SENTENCE = [("The", "DT"), ("cat", "NN"), ("goes", "VBZ"), ("to", "IN"), ("their", "PRP$"), ("house", "NN"), (".", ".")]
WORDS = st.tuples(
    st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=9),
    st.sampled_from(["DT", "IN", "NN", "NNS", "VBZ", "VB", "JJ", "."]),
)


def test_other_forms_of_a_lemma_are_its_most_frequent() -> None:
    assert FORMS.with_tag("Goes", "VBZ", "VBD") == "went"
    assert FORMS.with_tag("goes", "VBZ", "VBG") == "goes"
    assert FORMS.with_tag("unknown", "NN", "NNS") == "unknown"


@given(st.lists(st.one_of(WORDS, st.sampled_from(SENTENCE)), min_size=1, max_size=12), st.integers(0, 2**32))
def test_noise_makes_words(sentence: list[tuple[str, str]], seed: int) -> None:
    copy = noise.noisy_copy(sentence, random.Random(seed), FORMS)
    assert copy == noise.noisy_copy(sentence, random.Random(seed), FORMS)
    assert copy
    assert " ".join(copy).split() == copy


def test_noise_leaves_most_words_alone_and_makes_every_kind_of_error() -> None:
    rng = random.Random(1)
    copies = [noise.noisy_copy(SENTENCE, rng, FORMS) for _ in range(3000)]
    counts = Counter(word for copy in copies for word in copy)
    assert 0.8 < sum(counts[form] for form, _ in SENTENCE) / (3000 * len(SENTENCE)) < 0.95
    assert {len(copy) for copy in copies} >= {5, 6, 7, 8}
    # A lost article, a wrong preposition, a wrong form, a confused word, a misspelt one, other case, words in one.
    assert counts.keys() >= {"a", "in", "went", "there", "huose", "the", "Cat", "catgoes"}


def test_short_words_and_numbers_are_not_misspelt() -> None:
    rng = random.Random(1)
    assert {noise._misspell(form, rng) for form in ("cat", "2,000") for _ in range(50)} == {"cat", "2,000"}
    assert {len(noise._misspell("house", rng)) for _ in range(50)} == {4, 5, 6}


class FakeDoc(list[Any]):
    """The part of spaCy's Doc that the tool uses."""

    def __init__(self, vocab: object, words: list[str], tags: Iterable[str] = (), pos: Iterable[str] = ()) -> None:
        super().__init__(SimpleNamespace(text=word, tag_="", dep_="", lemma_="") for word in words)


class FakePipeline:
    """A pipeline for which every word is a noun, and lemmas lack the last letter."""

    vocab = None

    def select_pipes(self, disable: list[str]) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def pipe(self, docs: Iterable[FakeDoc], batch_size: int) -> Iterator[FakeDoc]:
        for doc in docs:
            for token in doc:
                token.tag_, token.dep_ = "NN", "ROOT"
            yield doc

    def get_pipe(self, name: str) -> Any:
        def lemmatize(doc: FakeDoc) -> FakeDoc:
            for token in doc:
                token.lemma_ = token.text[:-1]
            return doc

        return lemmatize


@pytest.fixture
def teach(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The teacher with a pipeline that needs no spaCy."""
    for name in ("spacy", "spacy.tokens"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setattr(sys.modules["spacy.tokens"], "Doc", FakeDoc, raising=False)
    monkeypatch.delitem(sys.modules, "teach_tagger", raising=False)
    module = import_script("research/teach_tagger.py")
    monkeypatch.delitem(sys.modules, "teach_tagger")
    module._pipeline = FakePipeline()
    return module


def test_teacher_writes_a_token_a_line(teach: ModuleType) -> None:
    assert teach.annotate_chunk([["a", "b"], ["c"]]) == "a\tNN\tROOT\nb\tNN\tROOT\n\nc\tNN\tROOT\n\n"
    assert [len(chunk) for chunk in teach.chunks([[]] * (2 * teach.CHUNK + 1))] == [teach.CHUNK, teach.CHUNK, 1]
    assert list(teach.chunks([])) == []


def test_teacher_gives_every_verb_and_noun_a_lemma(teach: ModuleType) -> None:
    sentences = [[("Cats", "NNS"), ("go", "VBP"), (".", ".")], [("cats", "NNS"), ("the", "DT")]]
    assert list(teach.lemmas(sentences)) == [("Cats", "cat", "NNS"), ("go", "g", "VBP"), ("cats", "cat", "NNS")]


def test_labels_are_those_of_rules_and_profiles(tmp_path: Path) -> None:
    path = tmp_path / "teacher.tsv"
    path.write_text("There\tEX\texpl\nis\tVBZ\tROOT\none\tCD\tattr\n\nI\tPRP\tnsubj\nam\tVBP\tccomp\n\n", "utf-8")
    assert list(train.read(path)) == [
        [("There", "EX", "expl"), ("is", "VBZ", "expl"), ("one", "CD", "dep")],
        [("I", "PRP", "nsubj"), ("am", "VBP", "ROOT")],
    ]


def test_slips_of_the_teacher_are_no_tags_of_a_word() -> None:
    assert train.plausible(Counter(NN=1000, VB=9, JJ=11)) == ["NN", "JJ"]
    assert train.plausible(Counter(NN=1000, IN=40)) == ["NN"]
    assert train.plausible(Counter(DT=1000, IN=40)) == ["DT", "IN"]
    assert train.plausible(Counter(NN=2, VB=1)) == ["NN", "VB"]
    assert train.plausible(Counter(NN=20, VB=1)) == ["NN"]


def test_dictionary_is_read_as_it_was_written() -> None:
    rows = [[("The", "DT", "det"), ("café", "NN", "dep"), ("9", "CD", "dep")]] * 6 + [[("cafés", "NNS", "dep")] * 2]
    rows += [[("the", "DT", "det"), ("can", "MD", "aux"), ("can", "NN", "dep")]] * 24
    tags = ["CD", "DT", "MD", "NN", "NNS"]
    packed = train.dictionary(rows, tags, Namespace(least=2, sure=30))
    head = train.names(tags) + train.names(["dep"]) + packed + train.words([]) * 2
    nothing = bytes([6]) + bytes(8) + bytes(4)  # 2^6 buckets, none of which has weights
    model = twin.read(head, bytes([len(tags)]) + nothing + bytes([1]) + nothing)
    tags_by_word = {
        word: ({tags[i] for i in range(5) if model.class_tags[c] >> i & 1}, s) for word, (c, s) in model.words.items()
    }
    assert tags_by_word == {
        "0": ({"CD"}, twin.OUTSIDE),
        "café": ({"NN"}, twin.OUTSIDE),
        "cafés": ({"NNS"}, twin.OUTSIDE),
        "can": ({"MD", "NN"}, twin.OUTSIDE),
        "the": ({"DT"}, tags.index("DT")),
    }
