"""One sentence explained, given as text or by its number."""

from __future__ import annotations

from typing import Any

import pytest

import geceval
from geceval import Cleme, Errant, Goto, Green, explain, m2
from geceval.base.errors import UsageError
from geceval.extending import explain_sentence
from support.examples import example_corpus

TEXTS = ("She go to school .", "She goes to the school .", ["She goes to school .", "She went to school ."])


def test_a_sentence_as_text() -> None:
    found = explain(*TEXTS)
    assert found.examined.metrics == ["ERRANT", "GREEN", "GLEU"]
    output = found.sentence.outputs["hypothesis"]
    assert [(edit.text, edit.outcome) for edit in output.version.edits] == [("goes", "correct"), ("the", "wrong")]
    errant = output.scores["ERRANT"]
    assert (errant.reference, [one.score for one in errant.against]) == ("0", [pytest.approx(5 / 9), 0.0])
    assert output.scores["GLEU"].averaged
    for label, own in found.attributions["hypothesis"].items():
        assert own.score == pytest.approx(output.scores[label].score, abs=1e-12)
        assert sum(own.values) == pytest.approx(own.delta, abs=1e-12)
        assert own.values[0] > own.values[1]


def test_several_systems_and_gold_edits() -> None:
    gold = m2.Block(TEXTS[0], (m2.Edit(1, 2, "R:VERB:SVA", ("goes",)),))
    found = explain(TEXTS[0], {"a": TEXTS[1], "b": TEXTS[0]}, metrics=[geceval.MaxMatch()], gold=gold, method="add")
    assert list(found.attributions) == ["a", "b"]
    assert found.attributions["b"]["MaxMatch"].values == ()
    assert found.sentence.outputs["b"].scores["MaxMatch"].score == 0


@pytest.mark.parametrize("gold", [True, False])
def test_a_sentence_of_a_corpus_has_the_corpus_constant(gold: bool) -> None:
    corpus = example_corpus(gold=gold)
    found = explain_sentence(corpus, [Cleme(), Green(), Errant()], 1, checks=False)
    for name, output in found.sentence.outputs.items():
        for label, own in found.attributions[name].items():
            assert own.score == pytest.approx(output.scores[label].score, abs=1e-12), (name, label)
    texts = [str(lines[0]) for lines in (corpus.source, corpus.systems["noisy"], *corpus.references)]
    alone = explain(texts[0], texts[1], texts[2:], [Cleme()])
    assert alone.attributions["hypothesis"]["CLEME"].values != found.attributions["noisy"]["CLEME"].values


def test_no_values_and_why() -> None:
    found = explain_sentence(example_corpus(gold=True), [Goto(), Green()], 3, checks=False)
    assert found.without == {"GoTo": "goto scores all systems of a run together"}
    assert all(list(own) == ["GREEN"] for own in found.attributions.values())
    assert explain(*TEXTS, method=None).attributions == {}


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: explain(3, "a", ["a"]), "source"),  # type: ignore[arg-type]
        (lambda: explain("a", 3, ["a"]), "hypothesis"),  # type: ignore[arg-type]
        (lambda: explain("a", "b", "c"), "references"),
        (lambda: explain("a", "b", ["c"], method="guess"), "method"),  # type: ignore[arg-type]
        (lambda: explain("a", "b", ["c"], ["green"]), "not a metric"),  # type: ignore[list-item]
    ],
)
def test_what_cannot_be_explained(call: Any, why: str) -> None:
    with pytest.raises((UsageError, geceval.GecevalError), match=why):
        call()
