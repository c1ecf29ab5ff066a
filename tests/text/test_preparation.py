"""What is done to raw text: never silently, in any split the same, named in the signature, refused for M2."""

from __future__ import annotations

import dataclasses
import gzip
import pickle
import re
import unicodedata
from collections.abc import Sequence
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import Corpus, Errant, Gleu, Green, MaxMatch, Preparation, evaluate, tokenise
from geceval._kernel import Text, normalised
from geceval.m2 import Block, Edit
from geceval.text.line_rules import CleanedLines
from geceval.text.preparation import FORMS, ROLES, Role
from geceval.text.reading.strict_toml import parse_toml
from geceval.text.tokenisers import make_tokeniser
from support.effort import examples
from support.messages import message_of
from support.tokeniser_names import tokeniser_names
from support.written_files import write
from twins import preparation as twin

SOURCE = ["He don't  know .", "“ Hi ” , they says . OK"]
REFERENCE = ["He doesn't know.", "“Hi”, they say. OK"]
SYSTEM = ["He doesn't know.", "“Hi”, they said. Ok"]


def two_sentences(**options: Any) -> Corpus:
    return Corpus(SOURCE, [REFERENCE], {"it": SYSTEM}, **options)


def texts(corpus: Corpus) -> list[list[str | None]]:
    return [
        list(corpus.source),
        *map(list, corpus.references),
        *(list(map(str, lines)) for lines in corpus.systems.values()),
    ]


# --- the steps ---


def test_nothing_is_done_unless_asked_for() -> None:
    assert not Preparation()
    assert not Preparation(only=("systems",), clean=[])
    assert Preparation(only=("systems",)).signed == {}
    assert texts(two_sentences().prepared(Preparation())) == [SOURCE, REFERENCE, SYSTEM]
    [result] = evaluate(two_sentences(), [Green()])["it"]
    assert "tok" not in result.signature()


@pytest.mark.parametrize(
    ("steps", "line", "expected"),
    [
        ({"normalise": "nfc"}, "cafe\u0301 ﬁ", "café ﬁ"),
        ({"normalise": "nfd"}, "café", "cafe\u0301"),
        ({"normalise": "nfkc"}, "ﬁ \u00a0…", "fi  ..."),
        ({"normalise": "nfkd"}, "ﬁé", "fie\u0301"),
        ({"normalise": ["quotes"]}, "“a” ‘b’ „c‟ d’s … –", '"a" \'b\' "c" d\'s … –'),
        ({"normalise": ["dashes"]}, "a – b—c 5−3 “", "a - b--c 5-3 “"),
        ({"normalise": ["ellipses"]}, "a…", "a..."),
        ({"normalise": ["quotes", "dashes"]}, "“–”", '"-"'),
        ({"whitespace": True}, "\u00a0a \u2003\tb\u200b\ufeff\u00adc\u200e ", "a bc"),
        ({"whitespace": True}, "👨\u200d👩 क्\u200dष", "👨\u200d👩 क्\u200dष"),
        ({"tokenise": "char"}, "ab c", "a b c"),
        ({"tokenise": "treebank", "normalise": ["quotes"], "whitespace": True}, " I’m \u200b“ok”. ", 'I \'m " ok " .'),
        ({"detokenise": "english"}, "He ca n't , ( a ) .", "He can't, (a)."),
        ({"detokenise": "treebank", "tokenise": "english"}, "A well-known cat .", "A well - known cat ."),
        ({"detokenise": "english"}, 'He said , " I am ( not ) here . "', 'He said, "I am (not) here."'),
        ({"detokenise": "english"}, "the boys ' “ well - known ” $ 5 ...", "the boys' “well-known” $5..."),
        ({"detokenise": "char"}, "你 好 。", "你好。"),
        ({"detokenise": "moses:fr"}, "l' ami , « oui » !", "l'ami, «oui»!"),
        ({"detokenise": "plain"}, "„ Ja “ , sagt er .", "„Ja“, sagt er."),
    ],
)
def test_steps(steps: dict[str, Any], line: str, expected: str) -> None:
    assert list(Preparation(**steps).apply("source", Text([line, None, ""]))) == [expected, None, ""]


@pytest.mark.parametrize(
    "arguments",
    [
        {"detokenise": "english:de"},
        {"only": ["system"]},
    ],
)
def test_unknown_values_are_refused(arguments: dict[str, Any], snapshot: SnapshotAssertion) -> None:
    assert message_of(Preparation, **arguments) == snapshot


def test_cleaning_concerns_systems() -> None:
    chatty = Corpus(SOURCE, [[f'"{line}"' for line in REFERENCE]], {"it": [f"Corrected: {line}" for line in SYSTEM]})
    cleaned = chatty.prepared(Preparation(clean="llm"))
    assert texts(cleaned) == [SOURCE, list(map(str, chatty.references[0])), SYSTEM]
    both = chatty.prepared(Preparation("english", only=["references"], clean="labels"))
    assert both.prepared_by.signed == {"clean": "labels-4", "tok": "english-1(references)"}
    assert texts(both)[2] == SYSTEM
    assert both.cleaned_lines() == {"it": CleanedLines(changed=2)}
    assert both.part(1, 2).with_system("other", SYSTEM[:1]).cleaned_lines() == {"it": CleanedLines(changed=1)}
    assert chatty.prepared(Preparation("english")).cleaned_lines() == chatty.cleaned_lines() == {}


tokens = st.lists(
    st.sampled_from("He do n't ( ) , . well - known \" ' the boys $ 5 it 's I 'm “ ” ; % / ?".split()), max_size=9
)


@settings(max_examples=examples(300))
@given(tokens, st.sampled_from(["english", "treebank"]))
def test_detokenising_removes_blanks_only(words: list[str], name: str) -> None:
    steps = Preparation(detokenise=name)
    [line] = steps.apply("systems", Text([" ".join(words)]))
    assert line is not None
    assert line.replace(" ", "") == "".join(words)


PHRASES = ["he", "they", "dog ,", "( cat )", '" well "', "does n't", "it 's", "the dogs ' food"]


@given(st.lists(st.sampled_from(PHRASES), min_size=1, max_size=9))
def test_plain_sentences_get_their_tokens_again(words: list[str]) -> None:
    tokens = Text([" ".join(["It", *words, "is", "."])])
    for name in ("english", "treebank"):
        again = Preparation(name, detokenise=name).apply("systems", tokens)
        assert list(again) == list(tokens)


# --- the kernel and plain Python ---

#: Forms of the kernel; tests/text/test_letters.py has those of letters.
KERNEL_FORMS = [*(form for form in FORMS if form != "letters"), "blanks"]
letters = st.characters(exclude_categories=["Cs", "Cn"])  # what is not assigned here may be in the kernel's Unicode
odd_lines = st.text(
    st.sampled_from("ab e\u0301\u0323ǭÅﬁ½가각“„‚’‐−—…\u00a0\u2003\u200b\u200d\ufeff\u00ad\u202e\t\n") | letters
)


#: Forms of the kernel; those of letters depend on the language (test_letters).
KERNEL_FORMS = [*(form for form in FORMS if form != "letters"), "blanks"]


@settings(max_examples=examples(300))
@given(st.lists(odd_lines), st.sampled_from(KERNEL_FORMS))
def test_forms_are_those_of_plain_python(lines: list[str], form: Any) -> None:
    expected = [twin.normalised(line, form) for line in lines]
    assert list(normalised(Text([*lines, None]), form, 2)) == [*expected, None]


@pytest.mark.parametrize("form", KERNEL_FORMS)
def test_the_form_of_each_character(form: Any) -> None:
    lines = [c for c in map(chr, range(0x110000)) if unicodedata.category(c) not in ("Cs", "Cn", "Co")]
    assert list(normalised(Text(lines), form, 1)) == [twin.normalised(line, form) for line in lines]


# --- corpora ---

blocks = [Block(line.replace("  ", " "), (Edit(1, 2, "R:X", ("doesn't",)),)) for line in SOURCE]


def test_roles() -> None:
    tokenised = [list(geceval.tokenise(lines, "english")) for lines in (SOURCE, REFERENCE, SYSTEM)]
    for roles in ([], ["source"], ["references"], ["systems"], ["systems", "source"]):
        expected = [
            prepared if role in (roles or ROLES) else raw
            for role, raw, prepared in zip(ROLES, (SOURCE, REFERENCE, SYSTEM), tokenised, strict=True)
        ]
        assert texts(two_sentences().prepared(Preparation("english", only=roles))) == expected


def test_what_is_m2_stays_and_what_is_asked_of_it_is_refused(snapshot: SnapshotAssertion) -> None:
    gold = two_sentences(gold=blocks)
    assert texts(gold.prepared(Preparation("english", only=["systems"])))[0] == SOURCE
    assert message_of(gold.prepared, Preparation("english")) == snapshot
    system = Corpus(SOURCE, [REFERENCE], {"it": blocks})
    assert message_of(system.prepared, Preparation("english")) == snapshot
    assert message_of(system.prepared, Preparation("english", only=["source"])) == snapshot
    assert (
        message_of(
            lambda: Corpus(SOURCE, (), {"it": SYSTEM}, blocks).prepared(Preparation("english", only=["references"]))
        )
        == snapshot
    )


def test_texts_made_from_gold_edits_stay_as_they_are() -> None:
    corpus = Corpus(SOURCE, (), {"it": SYSTEM}, blocks)
    prepared = corpus.prepared(Preparation("english", only=["systems"]))
    assert texts(prepared.with_texts())[1] == texts(corpus.with_texts())[1]
    assert (
        texts(corpus.with_texts().prepared(Preparation("english", only=["systems"])))[1:]
        == texts(prepared.with_texts())[1:]
    )


def test_twice_is_refused(snapshot: SnapshotAssertion) -> None:
    assert (
        message_of(lambda: two_sentences().prepared(Preparation("english")).prepared(Preparation(normalise="nfc")))
        == snapshot
    )


def test_the_record_stays_with_slices_replacements_and_pickles() -> None:
    prepared = two_sentences().prepared(Preparation("english"))
    for copied in (
        prepared.part(0, 1),
        dataclasses.replace(prepared, labels=["a", "b"]),
        pickle.loads(pickle.dumps(prepared)),
    ):
        assert copied.prepared_by.signed == {"tok": "english-1"}


# --- signatures ---


@pytest.mark.parametrize(
    ("preparation", "signed"),
    [
        (Preparation("english"), "|refs:1|tok:english-1|level"),
        (Preparation("english", only=("systems",)), "|refs:1|tok:english-1(systems)|level"),
        (Preparation("char", only=("systems", "source")), "|refs:1|tok:char-1(source+systems)|level"),
        (Preparation("char", only=ROLES), "|refs:1|tok:char-1|level"),
        (
            Preparation("treebank", ["nfc", "quotes"], whitespace=True),
            "|refs:1|norm:nfc+quotes|ws:repair|tok:treebank-1|level",
        ),
        (
            Preparation("english", clean=["quotes", "fences"], detokenise="moses:de", only=["systems"]),
            "|refs:1|clean:fences+quotes-4|detok:moses:de-1(systems)|tok:english-1(systems)|level",
        ),
    ],
)
def test_signatures_say_what_was_done_to_which_texts(preparation: Preparation, signed: str) -> None:
    for metric in (Green(), Gleu(), Errant()):
        [result] = evaluate(two_sentences().prepared(preparation), [metric])["it"]
        assert signed in result.signature()
    assert preparation == dataclasses.replace(preparation, threads=2)


# --- files ---

PREPARATIONS = [
    Preparation("english"),
    Preparation("treebank", ["quotes"], only=("systems",)),
    Preparation(None, ["nfkc"], whitespace=True, only=("source", "references")),
    Preparation("char"),
    Preparation("english", clean="llm"),
    Preparation(detokenise="treebank"),
]
WRITTEN = [
    "He said: the “end”.",
    "the e\u0301nd. The cat",
    "",
    "THE  cat's\u00a0end",
    "don't",
    'Corrected: "He said it."',
]
some_lines = st.lists(st.sampled_from(WRITTEN), min_size=5, max_size=5)


def written(folder: Path, name: str, lines: Sequence[str]) -> str:
    path = folder / name
    text = "".join(f"{line}\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return str(path)


@settings(max_examples=examples(30))
@given(some_lines, some_lines, some_lines, st.sampled_from(PREPARATIONS), st.integers(1, 6))
def test_files_in_any_parts_are_prepared_as_the_whole(
    tmp_path_factory: pytest.TempPathFactory,
    source: list[str],
    reference: list[str],
    system: list[str],
    preparation: Preparation,
    size: int,
) -> None:
    folder = tmp_path_factory.mktemp("texts")
    paths = (
        written(folder, "s.txt", source),
        [written(folder, "r.txt.gz", reference)],
        [written(folder, "it.txt", system)],
    )
    corpus = Corpus.of({"it": system}, [reference], source, blank="empty").prepared(preparation)
    files = geceval.CorpusFiles(*paths, prepare=preparation, blank="empty").open()
    for _ in range(2):
        parts = [texts(part) for part in files.parts(size)]
        assert [list(chain(*column)) for column in zip(*parts, strict=True)] == texts(corpus)
    assert texts(geceval.read_corpus(*paths, prepare=preparation, blank="empty")) == texts(corpus)
    metrics = [Green(n=2), Errant()]
    results = evaluate(files, metrics, block=size, checks=False)["it"]
    expected = evaluate(corpus, metrics, checks=False)["it"]
    assert [(r.score().value, r.signature()) for r in results] == [(r.score().value, r.signature()) for r in expected]


def test_files_with_gold_edits(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    m2 = write(tmp_path / "gold.m2", "S He do n't know .\nA 1 2|||R:X|||does|||REQUIRED|||-NONE-|||0\n\n")
    system = written(tmp_path, "it.txt", ["He doesn’t know."])
    roles: list[Role] = ["systems"]
    preparation = Preparation("english", ["quotes"], only=roles)
    files = geceval.CorpusFiles(None, [], [system], str(m2), prepare=preparation).open()
    [maxmatch, green] = evaluate(files, [MaxMatch(), Green()])["it"]
    assert (maxmatch.score().value, green.score().value) == (1.0, 1.0)
    assert "|tok:english-1(systems)|" in maxmatch.signature()
    assert (
        message_of(lambda: geceval.CorpusFiles(None, [], [system], str(m2), prepare=Preparation("english")).open())
        == snapshot
    )


# --- tokenisations of test sets ---


TABLE = parse_toml(
    (resources.files("geceval.text.tokenisers") / "presets.toml").read_text(encoding="utf-8"), "presets.toml"
)
TOKENISERS_BY_RULES = ("english", "treebank", "char", "grapheme")
PRESETS = [name for name in tokeniser_names("builtin") if name not in TOKENISERS_BY_RULES]
#: Those that need no other package.
OWN = [name for name in PRESETS if name != "multigec"]


def test_the_table_has_these_presets_and_uses_all_of_its_rules() -> None:
    presets = TABLE.tables("presets")
    assert sorted(presets) == sorted(PRESETS)
    used = [rule for preset in presets.values() for key in ("before", "after") for rule in preset.texts(key, ())]
    assert set(used) == set(TABLE.table("rules").values)
    for preset in presets.values():
        for key in ("about", "version", "normalise", "before", "tokenise", "after", "drops-headings"):
            preset.values.get(key)
            preset._get(key, object, "", None)
        preset.end()


@pytest.mark.parametrize(
    ("name", "raw", "tokens"),
    [
        ("conll14", "I can't, he cannot: it's 'weird' etc.", "I ca n't , he can not : it 's 'weird ' etc ."),
        ("conll14", "ago,when 2,500 Dr. Lee left. However—80%…", "ago,when 2,500 Dr. Lee left . However -- 80 % ..."),
        ("conll14", 'the well-known/old U.S. one. "', 'the well-known/old U.S. one . "'),
        ("jfleg", "It cannot be gonna &raspsquo; ``so''.", "It cannot be gonna &raspsquo; `` so '' ."),
        ("bea19", "I haven't 80% of a well-known 20-year", "I haven't 80% of a well - known 20-year"),
        ("bea19", "w/ it, etc.", "w/ it , etc ."),
        ("bea19", "He didn’t see 15 % of them?.", "He did n't see 15 % of them ? ."),
        ("mucgec", "他有10个[缺失成分]。", "他 有 1 0 个 [缺失成分] 。"),
        ("ua-gec", "(https://a.ua/b?c=1 з’явилося 3,5 «так»...", "( https://a.ua/b?c=1 з’явилося 3,5 « так » ..."),
        ("plain", "¿Qué tal? «Bien», dijo 'Ana'.", "¿ Qué tal ? « Bien » , dijo ' Ana ' ."),
        ("plain", "Um 10:30 kostet's 3,50 €—z.B. heute...", "Um 10:30 kostet's 3,50 € — z.B. heute ..."),
        ("plain", "Vê-lo -5 º: ana@exemplo.pt/https://a.pt/b?c", "Vê-lo -5 º : ana@exemplo.pt / https://a.pt/b?c"),
        ("plain", "هل أنت هنا؟ نعم، أنا.", "هل أنت هنا ؟ نعم ، أنا ."),
        ("plain", "क्या यह ठीक है? हाँ।", "क्या यह ठीक है ? हाँ ।"),
        ("plain", "J. Maie 👍🏽! Vitamine C.", "J. Maie 👍🏽 ! Vitamine C ."),
        ("elisions", "Aujourd'hui, l'ami d’Anne n'a qu'un stylo.", "Aujourd'hui , l' ami d’ Anne n' a qu' un stylo ."),
        ("elisions", "Un po' d'acqua dell'isola?", "Un po' d' acqua dell' isola ?"),
        ("ua-gec", "по-перше, це рис. 2. Чому?! @хтось :))", "по-перше , це рис . 2 . Чому ?! @хтось :))"),
    ],
)  # fmt: skip
def test_raw_text_becomes_official_tokens(name: str, raw: str, tokens: str) -> None:
    assert tokenise(raw, name) == tokens


def test_the_name_in_signatures_has_versions_and_the_tokeniser() -> None:
    names = {name: make_tokeniser(name).name for name in OWN}
    assert all(re.fullmatch(rf"{name}-[0-9]+(\+[a-z]+-[0-9]+)?", signed) for name, signed in names.items())
    assert Preparation("bea19", only=["systems"]).signed == {"tok": "bea19-1+english-1(systems)"}


WORDS = [
    "Él",
    "l'eau",
    "3,5",
    "10:30",
    "z.B.",
    "EE.UU.",
    "vê-lo",
    "x",
    "كتاب",
    "हाँ",
    "👍🏽",
    "a.b@c.de",
    "https://a.b/c?d=1",
]
WRITTEN = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "", "¿", "«", "(", "'", "“", "-", '"']),
    st.sampled_from(WORDS),
    st.sampled_from(["", "", ".", ",", "!", "?!", "...", "»", ")", "'", ":", '."', "”.", "،", "।"]),
)


@given(st.lists(WRITTEN, max_size=8), st.sampled_from(["plain", "elisions"]))
def test_tokenised_text_stays_as_it_is(words: list[str], name: str) -> None:
    tokens = tokenise(" ".join(words), name)
    assert tokenise(tokens, name) == tokens


@pytest.mark.parametrize("name", OWN)
def test_presets_can_be_compared_and_pickled(name: str) -> None:
    preset = make_tokeniser(name)
    assert pickle.loads(pickle.dumps(preset)) == preset
    assert list(tokenise(["1!", None], name))[1] is None  # type: ignore[list-item]


@pytest.mark.parametrize("name", [name for name in OWN if name != "elisions"])
def test_tokens_of_a_preset_can_be_joined_again(name: str) -> None:
    raw = "Це (так), «добре»!" if name == "ua-gec" else "他来了。" if name == "mucgec" else 'I can\'t (say "no").'
    joined = Preparation(detokenise=name).apply("systems", Text([tokenise(raw, name)]))
    assert list(joined) == [raw]


LINES = st.text("aA1 .,'\"?!()-–—/%…“”’他я\u200b ", max_size=30)


@given(st.lists(LINES, min_size=1, max_size=4), st.sampled_from(OWN), st.integers(1, 2))
def test_presets_move_blanks_only(lines: list[str], name: str, threads: int) -> None:
    """But for the normalisation of marks; and lines do not depend on each other."""
    form = TABLE.tables("presets")[name].texts("normalise", ())
    plain = Preparation(normalise=form, whitespace=True).apply("systems", Text(lines))
    preset = make_tokeniser(name)
    results = preset.tokenise_lines(Text(lines), threads)  # type: ignore[attr-defined]
    for line, normalised_line, result in zip(lines, plain, results, strict=True):
        assert normalised_line is not None
        assert "".join(normalised_line.split()) == "".join(result.split())
        assert result == " ".join(preset.tokenise(line))
