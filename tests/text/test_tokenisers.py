"""Tokenisers: what is cut and what stays whole, the kernel against its twins, names, what other packages offer."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval._kernel import Text, tokenised
from geceval.edits.languages.english import Builtin
from geceval.text.tokenisers import TOKENISERS, Tokeniser, make_tokeniser
from geceval.text.tokenisers.builtin import TokeniserRules
from support.installed import install
from support.messages import message_of
from twins import english as twins_english
from twins import treebank as twins_treebank

TWINS: dict[TokeniserRules, Callable[[str], list[str]]] = {
    "english": twins_english.tokenise,
    "treebank": twins_treebank.tokenise,
    "char": lambda line: [c for c in line if not c.isspace()],
}

CASES: dict[str, dict[str, str]] = {
    "english": {
        "": "",
        "He said : Fine .": "He said : Fine .",
        "He doesn't, they've won't.": "He does n't , they 've wo n't .",
        "My friend's dogs' tails": "My friend 's dogs ' tails",
        '"Stop!" (she said)...': '" Stop ! " ( she said ) ...',
        "Mr. Smith, e.g. in the U.S. at 3.5% or $1,000.": "Mr. Smith , e.g. in the U.S. at 3.5 % or $ 1,000 .",
        "a well-known mother-in-law": "a well - known mother - in - law",
        "See https://example.org/a?b=c or a.b@example.org :-)": "See https://example.org/a?b=c or a.b@example.org :-)",
        "I cannot; dont": "I can not ; do nt",
        "end. Next end.Next one,two": "end . Next end . Next one , two",
        "l’été “naïve”": "l’été “ naïve ”",
        "'s n't": "'s n't",
        "!!!": "! ! !",
    },
    "treebank": {
        "": "",
        "He doesn't, they've won't.": "He does n't , they 've wo n't .",
        "My friend's dogs' tails": "My friend 's dogs ' tails",
        "a well-known mother-in-law": "a well-known mother-in-law",
        "\"Stop!\" ``she'' said...": "\" Stop ! \" `` she '' said ...",
        "He don’t “know”": "He do n’t “ know ”",
        "end. Next? Yes. no.": "end . Next ? Yes. no .",
        "Mr. Hale, J. R. and the U.S. Army etc. The end.)": "Mr. Hale , J. R. and the U.S. Army etc. The end . )",
        'He left. "So what?"': 'He left . " So what ? "',
        "at 3:15, $1,000--or more: 5%": "at 3:15 , $ 1,000 -- or more : 5 %",
        "cannot gonna 'tis wanna": "can not gon na 't is wan na",
        "is 'normal' to": "is 'normal ' to",
    },
    "char": {"我 去 school.": "我 去 s c h o o l ."},
    "grapheme": {"กำลัง e\u0301a": "กำ ลั ง e\u0301 a", "👨\u200d👩\u200d👧 x": "👨\u200d👩\u200d👧 x"},
}


@pytest.mark.parametrize(
    ("name", "line", "tokens"), [(name, *case) for name, cases in CASES.items() for case in cases.items()]
)
def test_what_is_cut(name: str, line: str, tokens: str) -> None:
    assert geceval.tokenise(line, name) == tokens
    assert make_tokeniser(name).tokenise(line) == tokens.split()


#: What the rules ask about, and what only looks like it.
PIECES = [
    *"a Z é 3 ١ ½ ² . , : ; ! ? ' ’ ‘ \" “ ” ` ( ) [ ] { } < > - – — _ ^ + = * / % $ & @ # ~ | … « » ´ § ¿".split(),
    *"... .. -- `` '' n't N’T 's 'LL 've ’d cannot gonna dont wasnt 'tis more'n d’ye mr. e.g. u.s.".split(),
    *"etc. www. x.com http:// ſ İ ı \u212a 和 Ⅷ ⓐ ß \u0301 The he".split(),
    *" \u00a0\u2028",
]
#: What this Python's Unicode does not know yet, the kernel's may.
characters = st.characters(exclude_categories=["Cs", "Cn"])
lines = st.one_of(st.text(characters, max_size=30), st.lists(st.sampled_from(PIECES), max_size=10).map("".join))


@given(lines, st.sampled_from(sorted(TWINS)))
@example("x’s'?\"", "treebank")
@example("a" * 499 + "-b", "english")
@example("a" * 500 + "-b", "english")
def test_the_kernel_cuts_as_its_twins(line: str, rules: TokeniserRules) -> None:
    line = line.replace("\0", "")
    assert tokenised(Text([line]), rules, 1)[0] == " ".join(TWINS[rules](line))


@given(lines, st.sampled_from(sorted(CASES)))
def test_no_character_is_lost(line: str, name: str) -> None:
    assert "".join(geceval.tokenise(line, name).split()) == "".join(line.split())


STABLE = "the cat 's n't , . 3.5 well - known do '".split()


@given(st.lists(st.sampled_from(STABLE), max_size=8), st.sampled_from(["english", "treebank"]))
def test_tokens_joined_by_blanks_stay(tokens: list[str], name: str) -> None:
    assert geceval.tokenise(" ".join(tokens), name).split() == tokens


@given(st.lists(st.sampled_from(["U.S.", ":-)", "e.g.", *STABLE]), max_size=8))
def test_english_keeps_what_belongs_together(tokens: list[str]) -> None:
    assert geceval.tokenise(" ".join(tokens), "english").split() == tokens


def test_what_is_too_long_for_a_word_is_cut_at_every_sign() -> None:
    assert make_tokeniser("english").tokenise("a-" * 10_000) == ["a", "-"] * 10_000
    link = "https://example.org/" + "a" * 10_000
    assert make_tokeniser("english").tokenise(link) == [link]


@given(st.lists(st.none() | st.text(max_size=8), max_size=600), st.sampled_from(sorted(CASES)))
def test_lines_are_cut_one_by_one_whatever_the_threads(some: list[str | None], name: str) -> None:
    text = Text(some * 2)
    tokenised_text = geceval.tokenise(text, name, threads=1)
    assert list(tokenised_text) == list(geceval.tokenise(text, name, threads=3))
    assert list(tokenised_text) == [None if line is None else geceval.tokenise(line, name) for line in text]


def test_the_annotator_cuts_as_the_tokeniser() -> None:
    assert Builtin().tokenise("It isn't.") == make_tokeniser("english").tokenise("It isn't.")
    assert isinstance(Builtin(), Tokeniser)


# --- names ---


def test_names_and_versions() -> None:
    assert [make_tokeniser(name).name for name in CASES] == ["english-1", "treebank-1", "char-1", "grapheme-1"]
    for name in CASES:
        tokeniser = make_tokeniser(name)
        assert pickle.loads(pickle.dumps(tokeniser)) == tokeniser


@pytest.mark.parametrize("name", ["englsh", "char:x", "spacy", "spacy:", "", "Moses:"])
def test_unknown_names_are_refused_and_the_known_ones_listed(name: str, snapshot: SnapshotAssertion) -> None:
    assert message_of(geceval.tokenise, "a", name) == snapshot


@pytest.mark.parametrize(("name", "package"), [("moses", "sacremoses"), ("icu", "icu4py"), ("spacy:de", "spacy")])
def test_a_missing_package_is_named_with_the_command_that_installs_it(
    name: str, package: str, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    assert message_of(TOKENISERS.make, name) == snapshot


class Commas:
    """A tokeniser of another package."""

    name = "commas-7"

    def tokenise(self, text: str) -> list[str]:
        return text.split(",")


def test_an_installed_package_may_offer_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(tmp_path, monkeypatch, {"geceval.tokenisers": {"commas": f"{__name__}:Commas"}})
    assert TOKENISERS.names()[-1] == "commas"
    assert TOKENISERS.make("commas").name == "commas-7"


def test_an_object_may_be_passed(snapshot: SnapshotAssertion) -> None:
    assert geceval.tokenise("a,b, ,c", Commas()) == "a b c"
    assert list(geceval.tokenise(["a,b"], Commas())) == ["a b"]
    assert message_of(geceval.tokenise, "a, b", Commas()) == snapshot
