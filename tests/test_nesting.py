"""References that are nested the other way round are named as such, wherever references are given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import geceval
from geceval.base.errors import InputError
from geceval.corpora.pair_features import pair_scores
from geceval.extending import attribute
from geceval.integrations.framework_rows import RowConversion

SOURCE = ["She go to school .", "I like cat .", "He is here ."]
BY_REFERENCE = [
    ["She goes to school .", "I like cats .", "He is here ."],
    ["She went to school .", "I like cats .", "He is here ."],
]
BY_SENTENCE = [list(row) for row in zip(*BY_REFERENCE, strict=True)]
TEXT = ["She goes to school .", "I like cat .", "He is here ."]
GREEN = geceval.Green()

WANTS_REFERENCES: dict[str, Callable[[Any], Any]] = {
    "Corpus": lambda references: geceval.Corpus(SOURCE, references, {"careful": TEXT}),
    "corpus_score": lambda references: GREEN.corpus_score(SOURCE, TEXT, references),
    "sentence_scores": lambda references: GREEN.sentence_scores(SOURCE, TEXT, references),
    "mean_score": lambda references: GREEN.mean_score(SOURCE, TEXT, references),
    "Scorer": lambda references: geceval.Scorer([GREEN], SOURCE, references),
}
WANTS_SENTENCES: dict[str, Callable[[Any], Any]] = {
    "Scorer": lambda rows: geceval.Scorer([GREEN], SOURCE, per_sentence=rows),
    "rerank": lambda rows: geceval.rerank([[text] for text in TEXT], GREEN, SOURCE, per_sentence=rows),
    "pair_scores": lambda rows: pair_scores(GREEN, SOURCE, TEXT, rows),
    "framework rows": lambda rows: RowConversion().corpus(SOURCE, TEXT, rows),
}
WANTS_ONE_SENTENCE: dict[str, Callable[[Any], Any]] = {
    "sentence_score": lambda references: GREEN.sentence_score(SOURCE[0], TEXT[0], references),
    "explain": lambda references: geceval.explain(SOURCE[0], TEXT[0], references, [GREEN]),
    "attribute": lambda references: attribute(GREEN, SOURCE[0], TEXT[0], references),
}


@pytest.mark.parametrize("name", WANTS_REFERENCES)
def test_references_by_sentence_are_named(name: str) -> None:
    WANTS_REFERENCES[name](BY_REFERENCE)
    with pytest.raises(InputError, match=r"^references are nested as references\[s\]\[r\], by sentence") as error:
        WANTS_REFERENCES[name](BY_SENTENCE)
    assert error.value.message.count("\n") == 0
    assert error.value.hint == "references = list(zip(*references)) exchanges sentences and references"


@pytest.mark.parametrize("name", WANTS_SENTENCES)
def test_references_by_reference_are_named(name: str) -> None:
    WANTS_SENTENCES[name](BY_SENTENCE)
    with pytest.raises(InputError, match=r"are nested as \w+\[r\]\[s\], by reference: \w+\[s\]\[r\]") as error:
        WANTS_SENTENCES[name](BY_REFERENCE)
    assert error.value.message.count("\n") == 0
    assert error.value.hint is not None


@pytest.mark.parametrize("name", WANTS_ONE_SENTENCE)
def test_references_of_a_corpus_for_one_sentence_are_named(name: str) -> None:
    WANTS_ONE_SENTENCE[name](BY_SENTENCE[0])
    with pytest.raises(geceval.GecevalError, match="the references of one sentence are strings"):
        WANTS_ONE_SENTENCE[name](BY_REFERENCE)


def test_references_of_wrong_length_are_listed_not_called_nested() -> None:
    with pytest.raises(InputError, match="not the same number of sentences"):
        geceval.Corpus(SOURCE, [TEXT, TEXT[:2], TEXT], {"careful": TEXT})
