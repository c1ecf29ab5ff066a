"""Features of pairs, computed part by part."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import geceval
from geceval.base.errors import UsageError
from geceval.edits.corpus_edits import Extraction
from geceval.m2 import Block, Edit, noop
from geceval.selection.pair_features import Feature, FeatureReader, SeenPairs, find_feature
from support.examples import example_corpus

SOURCE = ["He go home .", "Fine .", "", "", "a b c d", "He go home .", "She like a dogs ."]
TARGET = ["He goes home .", "Fine  .", "", "x", "a b", "He goes home .", "She likes dogs ."]
CORPUS = geceval.Corpus(SOURCE, (), {"system": TARGET})


def values(name: str, corpus: geceval.Corpus = CORPUS) -> list[float]:
    feature = find_feature(name)
    assert feature is not None
    return FeatureReader("builtin:3").values(feature, corpus, "system").tolist()


def test_features_of_texts_are_those_computed_by_hand() -> None:
    assert values("edits") == [1, 0, 0, 1, 1, 1, 2]
    assert values("edits.U") == [0, 0, 0, 0, 1, 0, 1]
    assert values("edits.VERB:SVA") == values("edits.R:VERB*") == [1, 0, 0, 0, 0, 1, 1]
    assert values("length_ratio") == [1, 1, 1, math.inf, 0.5, 1, 0.8]
    assert values("identical") == [0, 1, 1, 0, 0, 0, 0]
    assert values("Duplicate") == [0, 0, 0, 0, 0, 1, 0]


def test_features_of_edits_are_those_computed_by_hand() -> None:
    blocks = [
        Block("He go home .", (Edit(1, 2, "R:VERB:SVA", ("goes",)), Edit(3, 4, "noop", ("-NONE-",)))),
        Block("Fine .", (noop(0),)),
    ]
    corpus = geceval.Corpus(["He go home .", "Fine ."], (), {"system": blocks})
    assert values("edits", corpus) == [1, 0]
    assert values("edits.R", corpus) == [1, 0]
    assert values("identical", corpus) == [0, 1]
    assert values("length_ratio", corpus) == [1, 1]


@given(st.integers(1, 40))
def test_features_of_parts_are_those_of_the_corpus(size: int) -> None:
    corpus = example_corpus()
    corpus = geceval.Corpus([*corpus.source, *corpus.source], (), {"system": [*corpus.systems["noisy"]] * 2})
    for name in ("edits", "edits.R:*", "length_ratio", "identical", "duplicate"):
        feature = find_feature(name)
        assert feature is not None
        unparted, reader = FeatureReader("builtin:3").values(feature, corpus, "system"), FeatureReader("builtin:3")
        parts = [reader.values(feature, part, "system") for part in corpus.parts(size)]
        assert np.concatenate(parts).tolist() == unparted.tolist()


def test_number_of_edits_is_that_of_the_annotator() -> None:
    corpus = example_corpus()
    pairs = zip(corpus.source, corpus.systems["noisy"], strict=True)
    edits = Extraction("builtin:3").extractor.extract([(str(source), str(target)) for source, target in pairs])
    system_corpus = geceval.Corpus(corpus.source, (), {"system": corpus.systems["noisy"]})
    assert values("edits", system_corpus) == [len(edits_of_pair) for edits_of_pair in edits]
    assert values("edits.R:*", system_corpus) == [
        sum(edit.type.startswith("R:") for edit in edits_of_pair) for edits_of_pair in edits
    ]


@given(st.lists(st.lists(st.integers(0, 60), max_size=30), max_size=12))
def test_pair_is_repeated_from_its_second_occurrence_on(parts: list[list[int]]) -> None:
    seen, numbers = SeenPairs(), set[int]()
    for part in parts:
        expected = []
        for number in part:
            expected.append(number in numbers)
            numbers.add(number)
        assert seen.repeated(np.array(part, np.uint64)).tolist() == expected


def test_pairs_are_repeated_as_pairs() -> None:
    corpus = geceval.Corpus(["a b", "a", "a", "a"], (), {"system": ["c", "b c", "b", "b c"]})
    assert values("duplicate", corpus) == [0, 0, 0, 1]


def test_types_that_no_edit_has_are_reported() -> None:
    reader = FeatureReader("builtin:3")
    features = [Feature("edits"), Feature("edits", "VREB:SVA"), Feature("edits", "R:*"), Feature("identical")]
    for feature in features:
        reader.values(feature, CORPUS, "system")
    assert reader.remarks(features) == ["no edit has the type VREB:SVA (did you mean VERB:SVA?)"]


def test_names_of_features_have_any_case_and_a_valid_type() -> None:
    assert find_feature("green") is None
    assert find_feature("EDITS.R:VERB") == Feature("edits", "R:VERB")
    for name in ("edits.", "identical.x"):
        with pytest.raises(UsageError):
            find_feature(name)
