"""Explanations of a sentence from Python."""

from __future__ import annotations

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import Cleme, Errant, Goto, Green, explain, m2
from geceval.extending import explain_sentence
from support.examples import example_corpus
from support.messages import message_of

TEXTS = ("She go to school .", "She goes to the school .", ["She goes to school .", "She went to school ."])


def test_explanation_of_texts_has_edits_scores_and_values() -> None:
    explanation = explain(*TEXTS)
    assert explanation.examined.metrics == ["ERRANT", "GREEN", "GLEU"]
    output = explanation.sentence.outputs["hypothesis"]
    assert [(edit.text, edit.outcome) for edit in output.version.edits] == [("goes", "correct"), ("the", "wrong")]
    errant = output.scores["ERRANT"]
    assert (errant.reference, [against.score for against in errant.against]) == ("0", [pytest.approx(5 / 9), 0.0])
    assert output.scores["GLEU"].averaged
    for label, attribution in explanation.attributions["hypothesis"].items():
        assert attribution.score == pytest.approx(output.scores[label].score, abs=1e-12)
        assert sum(attribution.values) == pytest.approx(attribution.delta, abs=1e-12)
        assert attribution.values[0] > attribution.values[1]


def test_explanation_of_several_systems_against_gold_edits() -> None:
    gold = m2.Block(TEXTS[0], (m2.Edit(1, 2, "R:VERB:SVA", ("goes",)),))
    explanation = explain(
        TEXTS[0], {"a": TEXTS[1], "b": TEXTS[0]}, metrics=[geceval.MaxMatch()], gold=gold, method="add"
    )
    assert list(explanation.attributions) == ["a", "b"]
    assert explanation.attributions["b"]["MaxMatch"].values == ()
    assert explanation.sentence.outputs["b"].scores["MaxMatch"].score == 0


@pytest.mark.parametrize("gold", [True, False])
def test_sentence_of_a_corpus_is_scored_with_the_constant_of_the_corpus(gold: bool) -> None:
    corpus = example_corpus(gold=gold)
    explanation = explain_sentence(corpus, [Cleme(), Green(), Errant()], 1, checks=False)
    for name, output in explanation.sentence.outputs.items():
        for label, attribution in explanation.attributions[name].items():
            assert attribution.score == pytest.approx(output.scores[label].score, abs=1e-12), (name, label)
    texts = [str(lines[0]) for lines in (corpus.source, corpus.systems["noisy"], *corpus.references)]
    single = explain(texts[0], texts[1], texts[2:], [Cleme()])
    assert single.attributions["hypothesis"]["CLEME"].values != explanation.attributions["noisy"]["CLEME"].values


def test_metric_without_values_has_a_reason() -> None:
    explanation = explain_sentence(example_corpus(gold=True), [Goto(), Green()], 3, checks=False)
    assert explanation.without == {"GoTo": "goto scores all systems of a run together"}
    assert all(list(attributions) == ["GREEN"] for attributions in explanation.attributions.values())
    assert explain(*TEXTS, method=None).attributions == {}


@pytest.mark.parametrize(
    ("texts", "options"),
    [
        ((3, "a", ["a"]), {}),
        (("a", 3, ["a"]), {}),
        (("a", "b", "c"), {}),
        (("a", "b", ["c"]), {"method": "guess"}),
        (("a", "b", ["c"], ["gren"]), {}),
    ],
)
def test_invalid_argument_is_refused(
    texts: tuple[Any, ...], options: dict[str, Any], snapshot: SnapshotAssertion
) -> None:
    assert message_of(explain, *texts, **options) == snapshot
