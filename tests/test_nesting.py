"""References that are nested the other way round are named as such, wherever references are given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval.extending import attribute
from geceval.integrations.framework_rows import RowConversion
from geceval.selection.pair_features import pair_scores
from support.messages import message_of

SOURCE = ["She go to school .", "I like cat .", "He is here ."]
BY_REFERENCE = [
    ["She goes to school .", "I like cats .", "He is here ."],
    ["She went to school .", "I like cats .", "He is here ."],
]
BY_SENTENCE = [list(row) for row in zip(*BY_REFERENCE, strict=True)]
TEXT = ["She goes to school .", "I like cat .", "He is here ."]
GREEN = geceval.Green()

Call = Callable[[Any], Any]
BY_REFERENCE_CALLS: dict[str, Call] = {
    "Corpus": lambda references: geceval.Corpus(SOURCE, references, {"careful": TEXT}),
    "corpus_score": lambda references: GREEN.corpus_score(SOURCE, TEXT, references),
    "sentence_scores": lambda references: GREEN.sentence_scores(SOURCE, TEXT, references),
    "mean_score": lambda references: GREEN.mean_score(SOURCE, TEXT, references),
    "Scorer": lambda references: geceval.Scorer([GREEN], SOURCE, references),
}
BY_SENTENCE_CALLS: dict[str, Call] = {
    "Scorer of sentences": lambda rows: geceval.Scorer([GREEN], SOURCE, per_sentence=rows),
    "rerank": lambda rows: geceval.rerank([[text] for text in TEXT], GREEN, SOURCE, per_sentence=rows),
    "pair_scores": lambda rows: pair_scores(GREEN, SOURCE, TEXT, rows),
    "framework rows": lambda rows: RowConversion().corpus(SOURCE, TEXT, rows),
}
ONE_SENTENCE_CALLS: dict[str, Call] = {
    "sentence_score": lambda references: GREEN.sentence_score(SOURCE[0], TEXT[0], references),
    "explain": lambda references: geceval.explain(SOURCE[0], TEXT[0], references, [GREEN]),
    "attribute": lambda references: attribute(GREEN, SOURCE[0], TEXT[0], references),
}


@pytest.mark.parametrize(
    ("call", "accepted", "refused"),
    [
        pytest.param(call, accepted, refused, id=name)
        for calls, accepted, refused in (
            (BY_REFERENCE_CALLS, BY_REFERENCE, BY_SENTENCE),
            (BY_SENTENCE_CALLS, BY_SENTENCE, BY_REFERENCE),
            (ONE_SENTENCE_CALLS, BY_SENTENCE[0], BY_REFERENCE),
        )
        for name, call in calls.items()
    ],
)
def test_references_nested_the_wrong_way_are_refused(
    call: Call, accepted: Any, refused: Any, snapshot: SnapshotAssertion
) -> None:
    call(accepted)
    assert message_of(call, refused) == snapshot


def test_references_of_wrong_length_are_listed_not_called_nested(snapshot: SnapshotAssertion) -> None:
    assert message_of(geceval.Corpus, SOURCE, [TEXT, TEXT[:2], TEXT], {"careful": TEXT}) == snapshot
