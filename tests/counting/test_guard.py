"""The unchanged source beside the systems."""

from __future__ import annotations

import pytest

import geceval
from geceval.base.errors import InputError
from geceval.counting.run import evaluate
from geceval.counting.stream import wants_guard
from geceval.text.files import SOURCE
from support.toys import CORPUS, SYSTEMS, Agreement, AgreementBeside, Shortening


def test_who_wants_it() -> None:
    assert wants_guard([geceval.Green(), Shortening()])
    assert not wants_guard([geceval.Green(), AgreementBeside()])


def test_the_source_is_one_more_system_in_every_part() -> None:
    corpus = CORPUS.with_unchanged()
    assert corpus.system_names == (*SYSTEMS, SOURCE)
    assert (corpus.sentences, corpus.gold, corpus.m2_systems, corpus.reference_numbers()) == (2, None, {}, (2, 2))
    for part in corpus.parts(1):
        assert list(part.systems[SOURCE]) == list(part.source)
    found = evaluate(corpus, [geceval.Green(), Shortening()])
    expected = geceval.Green().corpus_score(CORPUS.source, list(CORPUS.source), CORPUS.references)
    assert found[SOURCE][0].score() == expected
    assert found[SOURCE][1].score().value == 1.0
    assert found["one"][0].score() == evaluate(CORPUS, [geceval.Green()])["one"][0].score()
    with pytest.raises(InputError, match=r"a system is called \(source\)"):
        corpus.with_unchanged()


def test_texts_made_from_gold_are_made_for_the_source_too() -> None:
    source, gold = ["He go ."], [geceval.m2.Block("He go .", (geceval.m2.Edit(1, 2, "R:VERB", ("goes",)),))]
    corpus = geceval.Corpus(source, (), {"one": ["He goes ."]}, gold).with_unchanged()
    found = evaluate(corpus, [geceval.Green(n=1), geceval.Errant(), Shortening()])
    assert "|refs:1(fallback)|" in found[SOURCE][0].signature()
    assert [result.score().value for result in found["one"][:2]] == [1.0, 1.0]
    assert found[SOURCE][1].score().value == 0.0


def test_pools_that_see_references_are_left_as_they_are() -> None:
    metrics = [AgreementBeside(), Shortening(), Agreement()]
    found = evaluate(CORPUS, metrics, guard=True)
    plain = evaluate(CORPUS, metrics)
    for name in SYSTEMS:
        assert found[name][0].score() == plain[name][0].score()
        assert found[name][0].signature() == plain[name][0].signature()
        assert found[name][1].score() == plain[name][1].score()
    assert "|pool:one+two+(source)|" in found[SOURCE][0].signature()
    assert "|pool:one+two+(source)|" in found["one"][2].signature()
