"""What is done to raw text: never silently, in any split the same, named in the signature, refused for M2."""

from __future__ import annotations

import dataclasses
import gzip
import pickle
import unicodedata
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import geceval
from geceval import Corpus, Errant, Gleu, Green, MaxMatch, Preparation, evaluate
from geceval._kernel import Text, normalised
from geceval.base.errors import UsageError
from geceval.m2 import Block, Edit
from geceval.text.line_rules import CleanedLines
from geceval.text.preparation import FORMS, ROLES, Role
from support.effort import examples
from twins import preparation as twin

SOURCE = ["He don't  know .", "“ Hi ” , they says . OK"]
REFERENCE = ["He doesn't know.", "“Hi”, they say. OK"]
SYSTEM = ["He doesn't know.", "“Hi”, they said. Ok"]


def two_sentences(**options: Any) -> Corpus:
    return Corpus(SOURCE, [REFERENCE], {"it": SYSTEM}, **options)


def texts(one: Corpus) -> list[list[str | None]]:
    return [list(one.source), *map(list, one.references), *(list(map(str, own)) for own in one.systems.values())]


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
    ("arguments", "message"),
    [
        ({"detokenise": "english:de"}, "detokenise is one of english, treebank"),
        ({"only": ["system"]}, "unknown value 'system' of only: choose from source, references, systems"),
    ],
)
def test_unknown_values_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Preparation(**arguments)


def test_cleaning_concerns_systems() -> None:
    chatty = Corpus(SOURCE, [[f'"{line}"' for line in REFERENCE]], {"it": [f"Corrected: {line}" for line in SYSTEM]})
    cleaned = chatty.prepared(Preparation(clean="llm"))
    assert texts(cleaned) == [SOURCE, list(map(str, chatty.references[0])), SYSTEM]
    both = chatty.prepared(Preparation("english", only=["references"], clean="labels"))
    assert both.prepared_by.signed == {"clean": "labels-2", "tok": "english-1(references)"}
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

letters = st.characters(exclude_categories=["Cs", "Cn"])  # what is not assigned here may be in the kernel's Unicode
odd_lines = st.text(
    st.sampled_from("ab e\u0301\u0323ǭÅﬁ½가각“„‚’‐−—…\u00a0\u2003\u200b\u200d\ufeff\u00ad\u202e\t\n") | letters
)


@settings(max_examples=examples(300))
@given(st.lists(odd_lines), st.sampled_from([*FORMS, "blanks"]))
def test_forms_are_those_of_plain_python(lines: list[str], form: Any) -> None:
    expected = [twin.normalised(line, form) for line in lines]
    assert list(normalised(Text([*lines, None]), form, 2)) == [*expected, None]


@pytest.mark.parametrize("form", [*FORMS, "blanks"])
def test_the_form_of_each_character(form: Any) -> None:
    lines = [c for c in map(chr, range(0x110000)) if unicodedata.category(c) not in ("Cs", "Cn", "Co")]
    assert list(normalised(Text(lines), form, 1)) == [twin.normalised(line, form) for line in lines]


# --- corpora ---

blocks = [Block(line.replace("  ", " "), (Edit(1, 2, "R:X", ("doesn't",)),)) for line in SOURCE]


def test_roles() -> None:
    tokenised = [list(geceval.tokenise(lines, "english")) for lines in (SOURCE, REFERENCE, SYSTEM)]
    for roles in ([], ["source"], ["references"], ["systems"], ["systems", "source"]):
        expected = [
            done if role in (roles or ROLES) else given
            for role, given, done in zip(ROLES, (SOURCE, REFERENCE, SYSTEM), tokenised, strict=True)
        ]
        assert texts(two_sentences().prepared(Preparation("english", only=roles))) == expected


def test_what_is_m2_stays_and_what_is_asked_of_it_is_refused() -> None:
    gold = two_sentences(gold=blocks)
    assert texts(gold.prepared(Preparation("english", only=["systems"])))[0] == SOURCE
    with pytest.raises(UsageError, match=r"the source cannot be prepared: the gold edits \(M2\)") as caught:
        gold.prepared(Preparation("english"))
    assert caught.value.hint == "prepare other texts only: --tokenise-only references systems"
    system = Corpus(SOURCE, [REFERENCE], {"it": blocks})
    with pytest.raises(UsageError, match="the system it is given as M2") as caught:
        system.prepared(Preparation("english"))
    assert caught.value.hint == "prepare other texts only: --tokenise-only references"
    with pytest.raises(UsageError, match="the edits of the system it"):
        system.prepared(Preparation("english", only=["source"]))
    with pytest.raises(UsageError, match="no references to prepare: those made from gold edits stay"):
        Corpus(SOURCE, (), {"it": SYSTEM}, blocks).prepared(Preparation("english", only=["references"]))


def test_texts_made_from_gold_edits_stay_as_they_are() -> None:
    own = Corpus(SOURCE, (), {"it": SYSTEM}, blocks)
    prepared = own.prepared(Preparation("english", only=["systems"]))
    assert texts(prepared.with_texts())[1] == texts(own.with_texts())[1]
    assert (
        texts(own.with_texts().prepared(Preparation("english", only=["systems"])))[1:]
        == texts(prepared.with_texts())[1:]
    )


def test_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="prepared already"):
        two_sentences().prepared(Preparation("english")).prepared(Preparation(normalise="nfc"))


def test_the_record_stays_with_slices_replacements_and_pickles() -> None:
    prepared = two_sentences().prepared(Preparation("english"))
    for other in (
        prepared.part(0, 1),
        dataclasses.replace(prepared, labels=["a", "b"]),
        pickle.loads(pickle.dumps(prepared)),
    ):
        assert other.prepared_by.signed == {"tok": "english-1"}


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
            "|refs:1|clean:fences+quotes-2|detok:moses:de-1(systems)|tok:english-1(systems)|level",
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
    whole = Corpus(source, [reference], {"it": system}).prepared(preparation)
    files = geceval.CorpusFiles(*paths, prepare=preparation).open()
    for _ in range(2):
        parts = [texts(part) for part in files.parts(size)]
        assert [list(chain(*column)) for column in zip(*parts, strict=True)] == texts(whole)
    assert texts(geceval.read_corpus(*paths, prepare=preparation)) == texts(whole)
    metrics = [Green(n=2), Errant()]
    ours = evaluate(files, metrics, block=size, checks=False)["it"]
    theirs = evaluate(whole, metrics, checks=False)["it"]
    assert [(r.score().value, r.signature()) for r in ours] == [(r.score().value, r.signature()) for r in theirs]


def test_files_with_gold_edits(tmp_path: Path) -> None:
    m2 = tmp_path / "gold.m2"
    m2.write_text("S He do n't know .\nA 1 2|||R:X|||does|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    system = written(tmp_path, "it.txt", ["He doesn’t know."])
    roles: list[Role] = ["systems"]
    preparation = Preparation("english", ["quotes"], only=roles)
    files = geceval.CorpusFiles(None, [], [system], str(m2), prepare=preparation).open()
    [maxmatch, green] = evaluate(files, [MaxMatch(), Green()])["it"]
    assert (maxmatch.score().value, green.score().value) == (1.0, 1.0)
    assert "|tok:english-1(systems)|" in maxmatch.signature()
    with pytest.raises(UsageError, match="the gold edits"):
        geceval.CorpusFiles(None, [], [system], str(m2), prepare=Preparation("english")).open()
