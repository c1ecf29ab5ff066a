"""The kernel's edits against their slow twins, against recorded answers of errant, and what extraction promises."""

from __future__ import annotations

import gzip
import json
import random
import string
import sys
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from differential.pseudo import DEPS, TAGS, Counting, PseudoAnnotator
from geceval._kernel import letters, penn_category
from geceval.edits.annotation import Annotated, Rules, Token
from geceval.edits.extraction import MERGINGS, Extractor, Merging
from geceval.m2 import Block, apply
from support.commands import Run
from support.effort import examples
from support.messages import message_of
from support.strategies import lists_of, records
from support.words import english_words
from support.written_files import write
from twins.alignment import align, merge
from twins.classify import CATEGORY, classify, stem

ORACLE = Path(__file__).parent / "errant_oracle.json.gz"
FORMS = (
    "a the The cat Cat cats 's ' to eat eats eating most more free freer sub - way subway was were n't , . ca can É ß"
).split()

BASES = {"eats": ["eat", "eat", "eats"], "eating": ["eating", "eat", "eating"], "cats": ["cat", "cats", "cats"]}

relaxed = settings(max_examples=examples(300))


def tokens(forms: Sequence[str] = FORMS, *, min_size: int = 0, max_size: int) -> st.SearchStrategy[list[Token]]:
    kinds = ["NOUN", "NOUN", "VERB", "AUX", "PART", "DET", "PUNCT", "ADJ", "ADP"]
    tags = [*TAGS, "VB", "VBZ", "NN", "JJ", "NN"]
    return records(Token, forms, "abc", kinds, tags, DEPS, range(3), min_size=min_size, max_size=max_size)


def with_heads(row: list[Token]) -> list[Token]:
    return [token._replace(head=min(token.head, len(row) - 1)) for token in row]


sentences = tokens(max_size=9).map(with_heads)
long_sentences = tokens(min_size=8, max_size=24).map(with_heads)


class Given:
    """An annotator that has all answers; sentences are told apart by a number before their tokens' forms."""

    name = "given"

    def __init__(self, *rows: list[Token], rules: Rules = "errant-3") -> None:
        self.rows = rows
        self.rules = rules

    def bases(self, words: list[str]) -> list[list[str]]:
        return [BASES.get(word, [word] * 3) for word in words]

    def annotate(self, sentences: list[tuple[str, ...]]) -> Annotated:
        known = {tuple(token.form for token in row): row for row in self.rows}
        return Annotated.from_rows(known[tuple(sentence)] for sentence in sentences)


def twin(
    source: list[Token], target: list[Token], lev: bool, merging: str, rules: Rules
) -> list[tuple[int, int, str, str]]:
    """(start, end, type, correction) as the twins have them."""
    spans = merge(align(source, target, plain=lev), source, target, merging, rules)
    lower = {token.form.lower() for token in (*source, *target)}
    bases = {word: BASES.get(word, [word]) for word in lower} if rules == "errant-2.0" else None
    forms = [token.form for token in target]
    return [
        (a, b, classify(source, target, (a, b, c, d), english_words(), bases), " ".join(forms[c:d]))
        for a, b, c, d in spans
    ]


def ours(extractor: Extractor, source: str, target: str) -> list[tuple[int, int, str, str]]:
    [edits] = extractor.extract([(source, target)])
    return [(edit.start, edit.end, edit.type, edit.corrections[0]) for edit in edits]


@relaxed
@given(sentences, sentences, st.booleans(), st.sampled_from(MERGINGS), st.sampled_from(["errant-3", "errant-2.0"]))
def test_edits_are_the_twins(
    source: list[Token], target: list[Token], lev: bool, merging: Merging, rules: Rules
) -> None:
    texts = [" ".join(token.form for token in row) for row in (source, target)]
    if texts[0] != texts[1]:
        extractor = Extractor(Given(source, target, rules=rules), merging, lev)
        assert ours(extractor, *texts) == twin(source, target, lev, merging, rules)


@settings(max_examples=examples(100))
@given(long_sentences, long_sentences)
def test_edits_of_long_sentences_are_the_twins(source: list[Token], target: list[Token]) -> None:
    texts = [" ".join(token.form for token in row) for row in (source, target)]
    if texts[0] != texts[1]:
        assert ours(Extractor(Given(source, target)), *texts) == twin(source, target, False, "rules", "errant-3")


def reordered(chance: random.Random) -> tuple[list[str], list[str]]:
    """A source of 40 to 50 words, and its words in another order with a few edits."""
    words = ["".join(chance.choices(string.ascii_lowercase, k=5)) for _ in range(chance.choice([5, 20, 60]))]
    size = chance.randint(40, 50)
    source = words[:size] + chance.choices(words, k=size - len(words[:size]))
    start = chance.choice([0, 0, 2])
    moved, cut = source[start:], chance.randrange(1, size - start)
    moved = chance.choice([moved[::-1], moved[cut:] + moved[:cut], chance.sample(moved, len(moved))])
    target = source[:start] + [word.upper() if chance.random() < 0.2 else word for word in moved]
    for _ in range(chance.randrange(2)):
        target[chance.randrange(len(target))] = chance.choice(words)
    return source, target


@pytest.mark.parametrize("seed", range(examples(60)))
def test_edits_of_reordered_words_are_the_twins(seed: int) -> None:
    """Windows of more words than the kernel searches cell by cell."""
    texts = reordered(random.Random(seed))
    source, target = ([Token(form, form.lower(), "NOUN", "NN", "dep", 0) for form in forms] for forms in texts)
    expected = twin(source, target, False, "all-split", "errant-3")
    assert ours(Extractor(Given(source, target), "all-split"), *map(" ".join, texts)) == expected


words_of_text = st.text(alphabet="aeiouybcdgilmnrstvz'-Éß1", max_size=14)
suffixes = st.sampled_from("s es ed er ing ly ness ity al ation ative ise".split())


@relaxed
@given(st.sampled_from(sorted(english_words())[::97]), st.integers(0, 4), suffixes | words_of_text)
def test_words_of_one_stem_are_the_twins(word: str, cut: int, ending: str) -> None:
    """A noun and a verb of different lemmas have the type MORPH if their stems are equal."""
    inflected = f"{word[: len(word) - cut]}{ending}"
    source, target = [Token(word, word, "NOUN", "NN", "dep", 0)], [Token(inflected, inflected, "VERB", "VB", "dep", 0)]
    if inflected not in ("", word):
        expected = twin(source, target, False, "rules", "errant-3")
        assert ours(Extractor(Given(source, target)), word, inflected) == expected


def test_categories_are_the_twins() -> None:
    assert {tag: penn_category(tag) for tag in CATEGORY} == CATEGORY
    assert penn_category("NOUN") is None
    assert penn_category("") is None


def test_edits_are_those_recorded_from_errant() -> None:
    recorded = json.loads(gzip.decompress(ORACLE.read_bytes()))
    pairs = [tuple(pair) for pair in recorded["pairs"]]
    for job in recorded["jobs"]:
        extractor = Extractor(PseudoAnnotator(noise=recorded["noise"]), job["merging"], job["lev"])
        for pair, edits, expected in zip(pairs, extractor.extract(pairs), job["edits"], strict=True):
            assert [[e.start, e.end, e.type, e.corrections[0]] for e in edits] == expected, pair
    types = {type_ for job in recorded["jobs"] for edits in job["edits"] for _, _, type_, _ in edits}
    assert len(types) > 50


def test_stems_of_the_twin_are_those_recorded_from_nltk() -> None:
    for word, expected in json.loads(gzip.decompress(ORACLE.read_bytes()))["stems"].items():
        assert stem(word) == expected


texts = lists_of(FORMS, max_size=12).map(" ".join)


@relaxed
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5), st.sampled_from(MERGINGS), st.booleans())
def test_applying_the_edits_gives_the_target(pairs: list[tuple[str, str]], merging: str, lev: bool) -> None:
    extractor = Extractor(PseudoAnnotator(), merging, lev)
    for (source, target), edits in zip(pairs, extractor.extract(pairs), strict=True):
        assert apply(Block(source, tuple(edits)), 0) == target


def test_threads_change_nothing() -> None:
    recorded = json.loads(gzip.decompress(ORACLE.read_bytes()))
    pairs = [tuple(pair) for pair in recorded["pairs"]]
    extractor = Extractor(PseudoAnnotator())
    assert extractor.extract(pairs, threads=1) == extractor.extract(pairs, threads=4)


def test_only_what_changed_is_annotated_and_only_once() -> None:
    annotator = Counting()
    pairs = [("a b", "a b"), ("a  b", "a b"), ("a c", "a d"), ("a d", "a c"), ("a c", "a e")]
    edits = Extractor(annotator).extract(pairs)
    assert [len(extracted) for extracted in edits] == [0, 0, 1, 1, 1]
    assert sorted(annotator.seen) == [("a", "c"), ("a", "d"), ("a", "e")]
    assert Extractor(annotator).extract([]) == []


def test_generic_types_for_other_languages() -> None:
    extractor = Extractor(PseudoAnnotator("generic"))
    assert extractor.signature == "annotator:pseudo|types:generic"
    types = {edit.type for edits in extractor.extract([("the cat", "The cats"), ("a b", "b a")]) for edit in edits}
    assert types <= {"R:ORTH", "R:NOUN", "R:VERB", "R:OTHER", "R:WO", "R:PROPN"}
    assert {"R:ORTH", "R:WO"} <= types


def test_signature_names_what_is_unusual() -> None:
    assert Extractor(PseudoAnnotator(), "all-split", True).signature == "annotator:pseudo|align:lev|merge:all-split"


def test_a_degenerate_pair_is_refused_or_done_in_time(snapshot: SnapshotAssertion) -> None:
    extractor = Extractor(PseudoAnnotator())
    assert message_of(extractor.extract, [("a " * 12000, "b " * 12000)]) == snapshot
    [edits] = extractor.extract([("a b c d " * 100, "d c b a " * 100)])
    assert edits


def test_faults_are_told(snapshot: SnapshotAssertion) -> None:
    assert message_of(Extractor, PseudoAnnotator(), "none") == snapshot
    row = [Token("a", "a", "NOUN", "nonsense", "dep", 0)]
    assert (
        message_of(lambda: Extractor(Given(row, [Token("b", "b", "NOUN", "NN", "dep", 0)])).extract([("a", "b")]))
        == snapshot
    )


@pytest.mark.parametrize(
    ("source_label", "target_label", "expected"),
    [("aux", "auxpass", "R:VERB:FORM"), ("aux", "dep", "R:VERB:SVA"), ("dep", "dep", "R:VERB:SVA")],
)
def test_a_verb_with_auxiliaries_on_both_sides_has_a_wrong_form(
    source_label: str, target_label: str, expected: str
) -> None:
    def sentence(verb: str, tag: str, label: str) -> list[Token]:
        return [Token("did", "do", "AUX", "VBD", label, 1), Token(verb, "eat", "VERB", tag, "ROOT", 1)]

    source, target = sentence("eats", "VBZ", source_label), sentence("eat", "VB", target_label)
    assert ours(Extractor(Given(source, target)), "did eats", "did eat") == [(1, 2, expected, "eat")]


PAIRS = "eat eats eating ate cat cats a one other another the that wrogn wrong health healthy no not ca can 1".split()
words = tokens(PAIRS, min_size=1, max_size=1).map(lambda row: row[0]._replace(head=0))


@relaxed
@given(words, words, st.sampled_from(["errant-3", "errant-2.0"]))
def test_types_of_word_pairs_are_the_twins(old: Token, new: Token, rules: Rules) -> None:
    if old.form != new.form:
        extractor = Extractor(Given([old], [new], rules=rules))
        assert ours(extractor, old.form, new.form) == twin([old], [new], False, "rules", rules)


@pytest.mark.parametrize(
    ("old", "new", "modern", "classic"),
    [
        (("then", "RB"), ("than", "IN"), "R:SPELL", "R:OTHER"),
        (("a", "DT"), ("one", "CD"), "R:DET", "R:OTHER"),
        (("eat", "NN"), ("eating", "NN"), "R:MORPH", "R:NOUN:NUM"),
        (("wrogn", "JJ"), ("writing", "NN"), "R:NOUN", "R:OTHER"),
        (("ca", "MD"), ("can", "MD"), "R:CONTR", "R:VERB:TENSE"),
    ],
)
def test_the_classic_rules_are_those_of_errant_2(
    old: tuple[str, str], new: tuple[str, str], modern: str, classic: str
) -> None:
    rows = [[Token(form, form, "X", tag, "dep", 0)] for form, tag in (old, new)]
    for rules, expected in (("errant-3", modern), ("errant-2.0", classic)):
        [edit] = ours(Extractor(Given(*rows, rules=rules)), old[0], new[0])  # type: ignore[arg-type]
        assert edit[2] == expected


def test_the_classic_rules_need_lemmas_without_context(snapshot: SnapshotAssertion) -> None:
    assert message_of(lambda: Extractor(PseudoAnnotator("errant-2.0")).extract([("a b", "a c")])) == snapshot


def test_without_spacy_one_line_says_what_to_install(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    text = write(tmp_path / "text.txt", "a b\n")
    assert run("annotate", "-s", text, "-c", text, "--language", "spacy:en_core_web_sm") == snapshot


@pytest.mark.parametrize("kind", ["unlike", "permuted", "few words", "reversed", "rotated"])
@pytest.mark.timeout(10)
def test_long_lines_are_no_trap(kind: str) -> None:
    # Dividing by looking at all parts anew, or transpositions without a look ahead, would be cubic.
    chance = random.Random(0)
    source = [f"w{at}" for at in range(1500)]
    target = {
        "unlike": [f"v{at}" for at in range(1500)],
        "permuted": chance.sample(source, 1500),
        "few words": chance.choices(source[:20], k=1500),
        "reversed": source[::-1],
        "rotated": source[500:] + source[:500],
    }[kind]
    extractor = Extractor(PseudoAnnotator())
    [edits] = extractor.extract([(" ".join(source), " ".join(target))])
    assert apply(Block(" ".join(source), tuple(edits)), 0) == " ".join(target)


def test_letters_are_pythons() -> None:
    """All code points: is it a letter, is it a capital, its lower case. Where the kernel's Unicode is newer than this
    Python's, it may know more: characters that Python has not got yet."""
    texts = list(map(chr, (*range(0xD800), *range(0xE000, 0x110000))))
    pythons = zip(map(str.isalpha, texts), map(str.isupper, texts), map(str.lower, texts), strict=True)
    unlike = [
        text for text, kernel, python in zip(texts, map(letters, texts), pythons, strict=True) if kernel != python
    ]
    new = {text for text in unlike if unicodedata.category(text) == "Cn"}
    assert [text for text in unlike if text not in new and text.lower() == letters(text)[2]] == []
    # A known character may get its lower case with a new one.
    assert all(unicodedata.category(low) == "Cn" for text in unlike if text not in new for low in letters(text)[2])
    if unicodedata.unidata_version >= "17":
        assert unlike == []


@relaxed
@given(st.text(max_size=8))
def test_letters_of_words_are_pythons(text: str) -> None:
    text = "".join(c for c in text if unicodedata.category(c) not in ("Cn", "Cs"))
    assert letters(text) == (text.isalpha(), text[:1].isupper(), text.lower())


@relaxed
@given(st.lists(st.sampled_from("ΑΣσςI İİaÉ'ß.ʰ\u0345\u00ad".replace(" ", "")), max_size=6).map("".join))
def test_the_lower_case_of_hard_words_is_pythons(text: str) -> None:
    assert letters(text)[2] == text.lower()
