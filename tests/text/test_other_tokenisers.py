"""The tokenisers of other packages, and the Treebank rules against NLTK's: ``make test-peers``."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path

import pytest
from nltk.tokenize import TreebankWordTokenizer

import geceval
from geceval.base.errors import GecevalError
from geceval.text.reading.lines import read_lines
from geceval.text.tokenisers import make_tokeniser

SENTENCES = {
    "moses": ('He can\'t. (well-known) "so"', 'He can \'t . ( well-known ) " so "'),
    "moses:de": ("Das ist z.B. „gut“.", "Das ist z.B. „ gut “ ."),
    "icu": ("我喜欢北京大学。 ผมรักภาษาไทย", "我 喜欢 北京 大学 。 ผม รัก ภาษา ไทย"),
    "spacy:en": ("He  can't.\u00a0", "He ca n't ."),
}


@pytest.mark.parametrize("name", SENTENCES)
def test_what_is_cut(name: str) -> None:
    line, tokens = SENTENCES[name]
    tokeniser = make_tokeniser(name)
    assert geceval.tokenise(line, tokeniser) == tokens
    assert list(geceval.tokenise([line, "", line], tokeniser)) == [tokens, "", tokens]
    again = pickle.loads(pickle.dumps(tokeniser))
    assert (again.name, again.tokenise(line)) == (tokeniser.name, tokeniser.tokenise(line))
    assert tokeniser.name.startswith(name.replace("spacy:", "spacy-") + "-")


@pytest.mark.parametrize("name", ["moses:xx", "moses:", "spacy:qq", "spacy:none_core", "icu:th"])
def test_what_they_do_not_know_is_refused(name: str) -> None:
    with pytest.raises(GecevalError):
        make_tokeniser(name)


# --- NLTK ---

DATA = ["conll14", "jfleg-dev", "bea19-dev"]


def nltk(line: str) -> list[str]:
    """NLTK turns quotes into `` and \'\'; here they are all one."""
    return quotes(TreebankWordTokenizer().tokenize(line))


def quotes(tokens: Sequence[str]) -> list[str]:
    return ['"' if token in ("``", "''") else token for token in tokens]


def ours(line: str) -> list[str]:
    return quotes(make_tokeniser("treebank").tokenise(line))


@pytest.mark.parametrize("corpus", DATA)
def test_treebank_is_nltks_but_for_quotes_and_for_sentences_within_a_line(corpus: str, shared: Path) -> None:
    paths = (shared / "data" / corpus).rglob("*.txt")
    lines = {line for path in paths for line in read_lines(path)} | {"I'm, 'tis more'n $5. (ok)", "d'ye gimme lemme."}
    different = [line for line in lines if ours(line) != nltk(line)]
    for line in different:  # a full stop before a capital, where NLTK looks for one at the end only
        assert ours(line).count(".") > nltk(line).count("."), line
        assert "".join(ours(line)) == "".join(nltk(line)), line
    assert len(different) < len(lines) / 50
