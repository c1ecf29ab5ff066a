"""The segmenters of other packages: ``make test-peers``."""

from __future__ import annotations

import pickle
from importlib.metadata import version

import pytest

import geceval
from geceval.base.errors import GecevalError
from geceval.text.tokenisers import make_tokeniser
from support.tokeniser_names import tokeniser_names

#: Name: a line, its tokens, how the name in signatures begins.
SENTENCES = {
    # Not by characters the same: n't becomes not.
    "syntok": ("He said:\tgo!\tI'm", "He said : go ! I 'm", f"syntok-{version('syntok')}"),
    "jieba": ("它虽然 不是很豪华，Hello 123。", "它 虽然 不是 很 豪华 ， Hello 123 。", f"jieba-{version('jieba')}"),
    "fugashi": ("私は東京に行きました。 Hello", "私 は 東京 に 行き まし た 。 Hello", "fugashi-"),
    "sudachi": ("国家公務員は行きました。 Hello", "国家公務員 は 行き まし た 。 Hello", "sudachi:C-"),
    "sudachi:A": ("国家公務員は行きました。 Hello", "国家 公務 員 は 行き まし た 。 Hello", "sudachi:A-"),
    "kiwi": ("나는 학교에 갔어요. Hello", "나 는 학교 에 갔 어요 . Hello", "kiwi-"),
    "pythainlp": ("ผมรักภาษาไทย Hello", "ผม รัก ภาษาไทย Hello", "pythainlp:newmm-"),
}


def test_all_of_them_are_tried() -> None:
    assert {name.partition(":")[0] for name in SENTENCES} == {*tokeniser_names("packages")} - {"moses", "icu", "spacy"}


def test_syntok_changes_letters() -> None:
    assert geceval.tokenise("I don't, she can't.", "syntok") == "I do not , she ca not ."


@pytest.mark.filterwarnings("ignore:.*:DeprecationWarning")
@pytest.mark.parametrize("name", SENTENCES)
def test_what_is_cut(name: str) -> None:
    line, tokens, signed = SENTENCES[name]
    tokeniser = make_tokeniser(name)
    assert geceval.tokenise(line, tokeniser) == tokens
    assert list(geceval.tokenise([line, "", line], tokeniser)) == [tokens, "", tokens]
    assert "".join(geceval.tokenise(line, tokeniser).split()) == "".join(line.split())
    again = pickle.loads(pickle.dumps(tokeniser))
    assert (again.name, again.tokenise(line)) == (tokeniser.name, tokeniser.tokenise(line))
    assert tokeniser.name.startswith(signed)
    assert not tokeniser.name.endswith("-")


@pytest.mark.parametrize("name", ["sudachi:D", "jieba:x", "kiwi:x"])
def test_what_they_do_not_know_is_refused(name: str) -> None:
    with pytest.raises(GecevalError):
        make_tokeniser(name)
