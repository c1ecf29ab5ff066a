"""The builtin annotator: against its slow twin, and what it promises about columns, threads and profiles."""

from __future__ import annotations

import functools
import random
import zlib
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geceval import _kernel
from geceval.base.errors import UsageError
from geceval.edits.languages.english import builtin, profiles
from geceval.edits.languages.english.builtin import Builtin
from twins import tagger as twin

SENTENCES = [
    "She has been looking at the big houses that were n't built by him .",
    "He do n't wants to going to school , because it is boring .",
    "Social media plays an important role in people 's lives",
    "The students ' opinions were taken into account by 3,000 well-known professors !",
    "I would be appreciate it if you can used your mother 's car .",
    '" What are you going to do ? " asked the runing man .',
    "Thier faverite medias is the Internet ; it save money .",
]
WORDS = [
    *sorted({word for sentence in SENTENCES for word in sentence.split()}),
    *"run ran running runs better best worst further outdoors boxes churches wolves policemen IDs id".split(),
    *"up off out over to that which whose there as like so not never only".split(),
    *"NATO U.S. 1990s $ % @ # :-) ... -- ’s “ ” naïve ÉCOLE 한국어 straße İstanbul 🙂 e-mail his/her".split(),
]
FORMS = st.one_of(
    st.sampled_from(WORDS),
    st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S"]), min_size=1, max_size=12),
)


@functools.cache
def body() -> bytes:
    packed = (files("geceval.edits.languages.english") / "english.model").read_bytes()
    return zlib.decompress(packed.removeprefix(builtin.HEADER))


@functools.cache
def model() -> twin.Model:
    return twin.read(body())


@functools.cache
def bare() -> _kernel.Tagger:
    """Without rules of a profile, so that lemmas are the lexicon's."""
    return _kernel.Tagger(body(), [])


def rows(tagger: _kernel.Tagger, *sentences: list[str]) -> list[tuple[str, str, str, str, int]]:
    strings, _, (form, lemma, _, tag, dep, head) = tagger.annotate(sentences, 1)
    columns = [[strings[i] for i in column] for column in (form, lemma, tag, dep)]
    return list(zip(*columns, head.tolist(), strict=True))


@settings(deadline=None, max_examples=60)
@given(st.lists(FORMS, max_size=14))
def test_kernel_equals_twin(sentence: list[str]) -> None:
    assert rows(bare(), sentence) == twin.annotate(model(), sentence)


@pytest.mark.parametrize("text", SENTENCES)
def test_kernel_equals_twin_on_sentences(text: str) -> None:
    assert rows(bare(), text.split()) == twin.annotate(model(), text.split())


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_a_version_of_the_sentence_before_is_annotated_as_if_it_stood_alone(data: st.DataObject) -> None:
    """The kernel copies what did not change from sentence to sentence of a batch."""
    chance = data.draw(st.randoms(use_true_random=False))
    sentence = chance.choice(SENTENCES).split() + data.draw(st.lists(FORMS, max_size=8))
    batch = [sentence]
    for _ in range(4):
        start = chance.randrange(len(sentence) + 1)
        end = min(start + chance.randrange(3), len(sentence))
        sentence = (
            sentence[:start] + chance.choices([*WORDS, '"', "is", "been"], k=chance.randrange(3)) + sentence[end:]
        )
        batch.append(sentence)
    assert rows(bare(), *batch) == [row for alone in batch for row in rows(bare(), alone)]


def test_a_sentence_of_every_kind_of_word() -> None:
    found = Builtin().annotate([SENTENCES[0].split()]).sentence(0)
    tags = "PRP VBZ VBN VBG IN DT JJ NNS WDT VBD RB VBN IN PRP ."
    assert [token.tag for token in found] == tags.split()
    deps = {token.form: token.dep for token in found}
    assert deps["has"] == deps["been"] == "aux"
    assert (deps["were"], deps["She"], deps["houses"]) == ("auxpass", "nsubj", "pobj")
    assert {token.form: found[token.head].form for token in found if token.dep.startswith("aux")} == {
        "has": "looking",
        "been": "looking",
        "were": "built",
    }
    assert [token.lemma for token in found][1:8] == "have be look at the big house".split()


def test_columns_are_consistent() -> None:
    batch = [text.split() for text in SENTENCES] + [[]]
    found = Builtin().annotate(batch)
    assert len(set(found.strings)) == len(found.strings)
    assert np.diff(found.offsets).tolist() == [len(sentence) for sentence in batch]
    assert [[token.form for token in found.sentence(s)] for s in range(len(batch))] == batch
    for s, sentence in enumerate(batch):
        assert all(0 <= token.head < len(sentence) for token in found.sentence(s))
    universal = {pos for _, _, pos, _ in profiles.MODERN}
    assert {token.pos for s in range(len(batch)) for token in found.sentence(s)} <= universal


def test_an_empty_batch() -> None:
    found = Builtin().annotate([])
    assert len(found) == 0
    assert found.form.size == 0


def test_threads_and_company_change_nothing() -> None:
    chance = random.Random(0)
    batch = [chance.choices(WORDS, k=chance.randrange(12)) for _ in range(2000)]
    one, many = (Builtin(threads=threads).annotate(batch) for threads in (1, 4))
    assert one.strings == many.strings
    for name in ("offsets", "form", "lemma", "pos", "tag", "dep", "head"):
        assert np.array_equal(getattr(one, name), getattr(many, name))
    for s in range(0, 2000, 97):
        assert one.sentence(s) == Builtin().annotate([batch[s]]).sentence(0)


@pytest.mark.parametrize(
    ("form", "tag", "lemma"),
    [
        ("houses", "NNS", "house"),
        ("boxes", "NNS", "box"),
        ("wolves", "NNS", "wolf"),
        ("children", "NNS", "child"),
        ("making", "VBG", "make"),
        ("walking", "VBG", "walk"),
        ("went", "VBD", "go"),
        ("better", "JJR", "well"),
        ("happier", "JJR", "happy"),
        ("quickly", "RB", "quickly"),
        ("Dogs", "NNPS", "Dogs"),
        ("gotted", "VBD", "gotte"),
        ("1990s", "NNS", "1990"),
    ],
)
def test_lemmas(form: str, tag: str, lemma: str) -> None:
    assert twin.lemma(model(), form, tag) == lemma


def test_profiles_differ_where_the_releases_of_errant_do() -> None:
    sentence = "There is the man whose dog gave up , which his friends could see".split()
    modern, classic = (
        {token.form: token.pos for token in Builtin(name).annotate([sentence]).sentence(0)}
        for name in ("builtin", "builtin:classic")
    )
    assert {form: (modern[form], classic[form]) for form in modern if modern[form] != classic[form]} == {
        "There": ("PRON", "ADV"),
        "is": ("AUX", "VERB"),
        "whose": ("DET", "ADJ"),
        "up": ("ADP", "PART"),
        "which": ("DET", "ADJ"),
        "his": ("DET", "ADJ"),
    }


def test_names_carry_profile_and_version() -> None:
    assert Builtin().name == f"builtin-{builtin.VERSION}"
    assert Builtin("builtin:classic").name == f"builtin:classic-{builtin.VERSION}"
    with pytest.raises(UsageError, match="builtin:modern"):
        Builtin("builtin:modern")


@pytest.mark.parametrize("share", [0.0, 0.001, 0.1, 0.5, 0.99])
def test_a_cut_model_is_an_error(share: float) -> None:
    with pytest.raises(ValueError, match="model ends too early"):
        _kernel.Tagger(body()[: int(share * len(body()))], [])


def test_a_model_with_a_tail_is_an_error() -> None:
    with pytest.raises(ValueError, match="after its end"):
        _kernel.Tagger(body() + b"\0", [])
