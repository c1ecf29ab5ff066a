"""The builtin annotator: against its slow twin, and what it promises about columns, threads and profiles."""

from __future__ import annotations

import functools
import itertools
import random
import struct
import zlib
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geceval import _kernel
from geceval.base.errors import UsageError
from geceval.edits.extraction import Extractor
from geceval.edits.languages import english
from geceval.edits.languages.english import Builtin
from support.effort import examples
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
    *"1st 2nd 9th 10 99 100 999 1,000 2,000 9/11 7/11 1830s 2B 4B 1B".split(),
    *"NATO U.S. 1990s $ % @ # :-) ... -- ’s “ ” naïve ÉCOLE 한국어 straße İstanbul 🙂 e-mail his/her".split(),
]
LINES = st.lists(st.sampled_from([*"ab…–éè", *" \t\x1c\u00a0\u2002\u2003", " a ", " "]), max_size=12).map("".join)
"""Words, and white space whose bytes begin as those of words."""
PROFILES: dict[str, twin.Profile] = {
    "bare": ((), 2),
    **{name: (english.spacy_rules(release), release) for name, release in english._RELEASES.items()},
}
"""The profiles, and one without rules, whose lemmas are the lexicon's."""
FORMS = st.one_of(
    st.sampled_from(WORDS),
    st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S"]), min_size=1, max_size=12),
)


@functools.cache
def parts() -> tuple[bytes, bytes]:
    """Vocabulary and weights of the model."""
    packed = (files("geceval.edits.languages.english") / "english.model").read_bytes().removeprefix(english.HEADER)
    end = 4 + int.from_bytes(packed[:4], "little")
    return zlib.decompress(packed[4:end]), packed[end:]


@functools.cache
def model() -> twin.Model:
    return twin.read(*parts())


@functools.cache
def tagger(profile: str) -> _kernel.Tagger:
    return _kernel.Tagger(*parts(), *PROFILES[profile])


@functools.cache
def extractors(profile: str) -> tuple[Extractor, Extractor]:
    """The kernel's, and one that is given all columns."""
    return Extractor(Builtin(profile)), Extractor(type("Columns", (Builtin,), {})(profile))


def rows(profile: str, *sentences: list[str]) -> list[twin.Row]:
    columns = tagger(profile).annotate(sentences, 1)
    tokens = columns["form"], columns["lemma"], columns["pos"], columns["tag"], columns["dep"]
    texts = ([columns["strings"][number] for number in column] for column in tokens)
    return list(zip(*texts, columns["head"].tolist(), strict=True))


@settings(max_examples=examples(60))
@given(st.sampled_from(sorted(PROFILES)), st.lists(FORMS, max_size=14))
def test_kernel_equals_twin(profile: str, sentence: list[str]) -> None:
    assert rows(profile, sentence) == twin.annotate(model(), PROFILES[profile], sentence)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("text", SENTENCES)
def test_kernel_equals_twin_on_sentences(text: str, profile: str) -> None:
    assert rows(profile, text.split()) == twin.annotate(model(), PROFILES[profile], text.split())


@settings(max_examples=examples(60))
@given(st.sampled_from(sorted(PROFILES)), st.lists(st.lists(FORMS, max_size=14), max_size=5))
def test_a_sentence_is_annotated_as_if_it_stood_alone(profile: str, batch: list[list[str]]) -> None:
    assert rows(profile, *batch) == [row for alone in batch for row in rows(profile, alone)]


@settings(max_examples=examples(60))
@given(st.sampled_from(sorted(english._RELEASES)), st.data())
def test_decisions_shared_with_the_source_change_no_edits(profile: str, data: st.DataObject) -> None:
    """The kernel's extractor decides only what it reads, and takes what it can from the source."""
    chance = data.draw(st.randoms(use_true_random=False))
    source = [chance.choice(SENTENCES).split() + data.draw(st.lists(FORMS, max_size=8)) for _ in range(3)]
    targets = []
    for sentence in source:
        start = chance.randrange(len(sentence) + 1)
        end = min(start + chance.randrange(3), len(sentence))
        changed = chance.choices([*WORDS, '"', "is", "been"], k=chance.randrange(3))
        targets.append(sentence[:start] + changed + sentence[end:])
    shared, separate = (each.extract_tokens(list(zip(source, targets, strict=True))) for each in extractors(profile))
    assert shared == separate


@settings(max_examples=examples(300))
@given(st.lists(st.tuples(LINES, LINES), max_size=5))
def test_blanks_between_words_change_no_edits(pairs: list[tuple[str, str]]) -> None:
    """The kernel splits only the part of a line that another line does not share."""
    extractor, _ = extractors("builtin:3")
    single = [(" ".join(source.split()), " ".join(target.split())) for source, target in pairs]
    assert extractor.extract(pairs) == extractor.extract(single)


def test_a_sentence_of_every_kind_of_word() -> None:
    """One of each label, too: those of the rules and profiles, ROOT for the heads of clauses, dep for the rest."""
    text = (
        "There were houses which were n't built by him , because she has been quickly giving the dogs up in over 50 "
        "big places , and her cat looks good ."
    )
    tokens = Builtin().annotate([text.split()]).sentence(0)
    tags = "EX VBD NNS WDT VBD RB VBN IN PRP , IN PRP VBZ VBN RB VBG DT NNS RP IN IN CD JJ NNS , CC PRP$ NN VBZ JJ ."
    assert [token.tag for token in tokens] == tags.split()
    labels = (
        "expl expl dep nsubjpass auxpass dep ROOT dep pobj punct mark nsubj aux aux advmod ROOT det dobj prt prep "
        "quantmod dep amod pobj punct dep poss nsubj ROOT acomp punct"
    )
    assert [token.dep for token in tokens] == labels.split()
    assert set(labels.split()) == set(model().labels)
    assert {(token.form, tokens[token.head].form) for token in tokens if token.dep.startswith("aux")} == {
        ("has", "giving"),
        ("been", "giving"),
        ("were", "built"),
    }


def test_columns_are_consistent() -> None:
    batch = [text.split() for text in SENTENCES] + [[]]
    annotated = Builtin().annotate(batch)
    assert len(set(annotated.strings)) == len(annotated.strings)
    assert np.diff(annotated.offsets).tolist() == [len(sentence) for sentence in batch]
    assert [[token.form for token in annotated.sentence(s)] for s in range(len(batch))] == batch
    for s, sentence in enumerate(batch):
        assert all(0 <= token.head < len(sentence) for token in annotated.sentence(s))
    universal = {pos for *_, pos, _ in english.spacy_rules(2) if pos}
    assert {token.pos for s in range(len(batch)) for token in annotated.sentence(s)} <= universal


def test_an_empty_batch() -> None:
    annotated = Builtin().annotate([])
    assert len(annotated) == 0
    assert annotated.form.size == 0


def test_threads_and_company_change_nothing() -> None:
    chance = random.Random(0)
    batch = [chance.choices(WORDS, k=chance.randrange(12)) for _ in range(2000)]
    single, several = (Builtin(threads=threads).annotate(batch) for threads in (1, 4))
    assert single.strings == several.strings
    for name in ("offsets", "form", "lemma", "pos", "tag", "dep", "head"):
        assert np.array_equal(getattr(single, name), getattr(several, name))
    for s in range(0, 2000, 97):
        assert single.sentence(s) == Builtin().annotate([batch[s]]).sentence(0)


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
def test_lemma_depends_on_form_and_tag(form: str, tag: str, lemma: str) -> None:
    assert twin.lemma(model(), form, tag) == lemma


@pytest.mark.parametrize(
    ("form", "tag", "pos", "lemma"),
    [
        ("wolves", "NNS", "NOUN", "wolf"),
        ("masses", "NNS", "NOUN", "mass"),
        ("making", "VBG", "VERB", "make"),
        ("singing", "VBG", "VERB", "sing"),
        ("making", "VBG", "NOUN", "making"),
        ("Is", "VBZ", "AUX", "is"),
        ("Works", "NNPS", "PROPN", "Works"),
        ("people", "NN", "NOUN", "people"),
        ("sooner", "RBR", "ADV", "soon"),
        ("sooner", "RB", "ADV", "sooner"),
        ("happier", "JJR", "ADJ", "happy"),
        ("Gotted", "VBD", "VERB", "gotte"),
        ("Fish", "NNS", "NOUN", "Fish"),
        ("1990s", "NNS", "NOUN", "1990"),
    ],
)
def test_lemmas_of_spacy_3(form: str, tag: str, pos: str, lemma: str) -> None:
    assert twin.lemma_by_pos(model(), form, tag, pos) == lemma


def test_profiles_differ_where_the_releases_of_errant_do() -> None:
    sentence = (
        "There is the man whose dog gave up , which his friends could n't see , because he has got this while that "
        "seems bigger than when I 'll be there"
    ).split()
    names = ("builtin:2", "builtin:3", "builtin:classic")
    by_profile = list(zip(*(Builtin(name).annotate([sentence]).sentence(0) for name in names), strict=True))
    parts = {versions[0].form: [token.pos for token in versions] for versions in by_profile}
    assert {form: " ".join(versions) for form, versions in parts.items() if len(set(versions)) > 1} == {
        "There": "PRON PRON ADV",
        "is": "AUX VERB VERB",
        "whose": "DET DET ADJ",
        "up": "ADP ADP PART",
        "which": "DET PRON ADJ",
        "his": "DET PRON ADJ",
        "could": "VERB AUX VERB",
        "n't": "PART PART ADV",
        "because": "SCONJ SCONJ ADP",
        "has": "AUX AUX VERB",
        "this": "DET PRON DET",
        "while": "SCONJ SCONJ ADP",
        "that": "DET PRON DET",
        "than": "SCONJ ADP ADP",
        "when": "ADV SCONJ ADV",
        "'ll": "VERB AUX VERB",
        "be": "AUX AUX VERB",
    }
    lemmas = {versions[0].form: [token.lemma for token in versions] for versions in by_profile}
    assert {form: " ".join(versions) for form, versions in lemmas.items() if len(set(versions)) > 1} == {
        "his": "-PRON- his -PRON-",
        "n't": "n't not n't",
        "he": "-PRON- he -PRON-",
        "I": "-PRON- I -PRON-",
        "'ll": "'ll will 'll",
    }


def test_names_carry_profile_and_version() -> None:
    assert Builtin().name == f"builtin:3-{english.VERSION}"
    assert Builtin("builtin:classic").name == f"builtin:classic-{english.VERSION}"
    with pytest.raises(UsageError, match="builtin:modern"):
        Builtin("builtin:modern")


@pytest.mark.parametrize("share", [0.0, 0.001, 0.1, 0.5, 0.99])
@pytest.mark.parametrize("part", [0, 1])
def test_a_cut_model_is_an_error(part: int, share: float) -> None:
    cut = [data[: int(share * len(data))] if part == i else data for i, data in enumerate(parts())]
    with pytest.raises(ValueError, match="model ends too early"):
        _kernel.Tagger(*cut, [], 3)


@pytest.mark.parametrize("part", [0, 1])
def test_a_model_with_a_tail_is_an_error(part: int) -> None:
    longer = [data + b"\0" * (part == i) for i, data in enumerate(parts())]
    with pytest.raises(ValueError, match="after its end"):
        _kernel.Tagger(*longer, [], 3)


def weights(classes: int = 2, bits: int = 6, present: int = 0, *entries: int) -> bytes:
    """A classifier: bits for the buckets that have weights, and the weights, two in three bytes."""
    pairs = [a | b << 12 for a, b in zip(entries[::2], (*entries[1::2], 0), strict=False)]
    packed = b"".join(pair.to_bytes(3, "little") for pair in pairs)
    return bytes([classes, bits]) + present.to_bytes(1 << bits - 3, "little") + struct.pack("<I", len(entries)) + packed


def words(*names: bytes) -> bytes:
    return struct.pack("<I", len(names)) + b"".join(bytes([0, len(name)]) + name for name in names)


def vocabulary(
    sets: tuple[int, ...] = (0, 3), word: tuple[int, int] = (1, 0), tags: int = 2, table: bytes = words(b"a")
) -> bytes:
    """Tags, two labels, sets of tags, one word with its set and its certain tag, and an empty lexicon."""
    names = bytes([tags]) + b"\2NN" * tags + bytes([2]) + b"\3dep\3aux"
    classes = struct.pack(f"<H{len(sets)}Q", len(sets), *sets)
    return b"".join([names, classes, table, struct.pack("<HB", *word), words() * 2])


LAST = 1 << 11


@pytest.mark.parametrize(
    ("head", "tail", "message"),
    [
        (vocabulary(sets=(0, 4)), weights(), "unknown tag"),
        (vocabulary(sets=()), weights(), "unknown tag"),
        (vocabulary(word=(2, 0)), weights(), "unknown tag"),
        (vocabulary(word=(1, 2)), weights(), "unknown tag"),
        (vocabulary(tags=0), weights(), "unknown tag"),
        (vocabulary(tags=64), weights(), "unknown tag"),
        (vocabulary(), weights(0), "do not fit its tags or labels"),
        (vocabulary(), weights(65), "65 classes"),
        (vocabulary(), weights(3, 6, 1, LAST), "do not fit its tags or labels"),
        (vocabulary(), weights(2, 5), "number of buckets"),
        (vocabulary(), weights(2, 24), "number of buckets"),
        (vocabulary(), weights(2, 6, 1, 2 | LAST), "do not fit its buckets or classes"),
        (vocabulary(), weights(2, 6, 1, 1), "do not fit its buckets or classes"),
        (vocabulary(), weights(2, 6, 3, LAST), "do not fit its buckets or classes"),
        (vocabulary(), weights(2, 6, 1, LAST, LAST), "do not fit its buckets or classes"),
        (vocabulary(table=b"\1\0\0\0\1\0"), weights(), "shares too many bytes"),
        (vocabulary(table=words(b"\xff")), weights(), "invalid UTF-8"),
        (vocabulary(table=words("é".encode()[:1], "é".encode()[1:])), weights(), "splits a character"),
    ],
    ids=itertools.count(),
)
def test_a_damaged_model_is_an_error(head: bytes, tail: bytes, message: str) -> None:
    _kernel.Tagger(vocabulary(), weights(2, 6, 1, 1 | LAST) * 2, [], 3)
    with pytest.raises(ValueError, match=message):
        _kernel.Tagger(head, tail + weights(), [], 3)


def test_american_words_are_misspelt_and_british_ones_are_not() -> None:
    texts = ("The color of it is my favorite .", "The colour of it is my favourite .")
    american, british = Extractor(Builtin()).extract([texts, texts[::-1]])
    assert [edit.type for edit in american] == ["R:SPELL", "R:SPELL"]
    assert [edit.type for edit in british] == ["R:NOUN", "R:ADJ"]
