"""Annotators by name: ours, those of installed packages, and objects."""

from __future__ import annotations

from pathlib import Path

import pytest

import geceval.edits.languages as languages
from differential.pseudo import PseudoAnnotator
from geceval import Corpus, Errant
from geceval.base.errors import UsageError
from geceval.edits.languages import make_annotator
from support.installed import install


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A package that offers an annotator."""
    install(tmp_path, monkeypatch, {"geceval.languages": {"pseudo": "differential.pseudo:PseudoAnnotator"}})
    languages._named.cache_clear()


@pytest.mark.usefixtures("installed")
def test_installed_packages_offer_annotators() -> None:
    assert isinstance(make_annotator("pseudo"), PseudoAnnotator)
    assert make_annotator("pseudo") is make_annotator("pseudo")
    assert make_annotator("pseudo:generic").rules == "generic"
    assert Errant(annotator="pseudo:generic").signature(1)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("name", ["none", "builtin:modern", "spacy"])
def test_an_unknown_name_lists_what_there_is(name: str) -> None:
    there = "builtin, builtin:3, builtin:classic, de, cs, zh, plain, lexicon:FILE, spacy:NAME, stanza:XX, pseudo"
    expected = f"unknown annotator '{name}': choose from {there}"
    with pytest.raises(UsageError, match=expected):
        make_annotator(name)


def test_an_annotator_can_be_given_itself() -> None:
    annotator = PseudoAnnotator()
    assert make_annotator(annotator) is annotator
    corpus = Corpus(["the cat eats"], [["The cats eat"]])
    metric = Errant(annotator=annotator)
    counts = metric.count(metric.prepare(corpus), ["The cats eat"])
    assert counts.array[0, 0].tolist() == [3, 0, 0]
