"""The edits of a corpus: from M2 and from text, each pair of sentences extracted once for all metrics."""

from __future__ import annotations

import pickle

import pytest

from geceval import evaluate, make_metric
from geceval.edits.edited import Edited, shared_extractor
from geceval.edits.extract import Extractor
from geceval.edits.languages.english.builtin import Builtin
from geceval.errors import InputError
from geceval.text.corpus import Corpus
from geceval.text.m2 import Block, Edit, noop

SOURCE = ["He go home .", "She have a cats .", "Fine .", "He go home ."]
REFERENCES = [["He goes home .", "She has cats .", "Fine .", "He went home ."], ["He went home .", None, "Fine .", ""]]
SYSTEMS = {
    "one": ["He goes home .", "She has a cat .", "Fine .", "He goes home ."],
    "two": ["He went home .", "She has cats .", "Fine !", "He go home ."],
}


def test_one_extraction_for_all_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs: list[object] = []
    sentences: list[object] = []
    extract, annotate = Extractor.extract_tokens, Builtin.annotate

    def extracting(self: Extractor, asked: list[object], threads: int = 0) -> object:
        pairs.extend(asked)
        return extract(self, asked, threads)  # type: ignore[arg-type]

    def annotating(self: Builtin, asked: list[object]) -> object:
        sentences.extend(asked)
        return annotate(self, asked)  # type: ignore[arg-type]

    monkeypatch.setattr(Extractor, "extract_tokens", extracting)
    monkeypatch.setattr(Builtin, "annotate", annotating)
    corpus = Corpus(SOURCE, REFERENCES, SYSTEMS)
    evaluate(corpus, [make_metric(name) for name in ("errant", "cleme", "cleme2")])
    assert pairs
    assert len(pairs) == len(set(pairs))
    assert len(sentences) == len(set(map(tuple, sentences)))  # type: ignore[arg-type]


def test_text_and_m2_are_the_same_edits() -> None:
    text = Edited(Corpus(SOURCE, REFERENCES), "builtin")
    assert [len(row) for row in text.references] == [2, 1, 2, 2]
    blocks = [
        Block(line, tuple(edits) or (noop(0),))
        for line, edits in zip(SOURCE, text.hypothesis(SYSTEMS["one"]), strict=True)
    ]
    assert text.hypothesis(blocks) == text.hypothesis(SYSTEMS["one"])


def test_gold_edits_go_before_reference_texts() -> None:
    gold = [Block(line, (noop(0),)) for line in SOURCE]
    assert Edited(Corpus(SOURCE, REFERENCES, gold=gold), "builtin").references == [[[]]] * 4


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="references are needed"):
        _ = Edited(Corpus(SOURCE), "builtin").references
    other = [Block("something else")] * 4
    with pytest.raises(InputError, match="not the sentence of the source"):
        _ = Edited(Corpus(SOURCE, gold=other), "builtin").references
    with pytest.raises(InputError, match="not the sentence of the source"):
        Edited(Corpus(SOURCE), "builtin").hypothesis(other)
    overlapping = Block("a b", (Edit(0, 2, "X", ("c",)), Edit(1, 2, "X", ("d",))))
    with pytest.raises(InputError, match="overlaps"):
        Edited(Corpus(["a b"]), "builtin").hypothesis([overlapping])


def test_a_corpus_is_pickled_without_what_it_shares() -> None:
    corpus = Corpus(SOURCE, REFERENCES, SYSTEMS)
    shared_extractor(corpus, "builtin").extract_tokens([(["a"], ["b"])])
    assert pickle.loads(pickle.dumps(corpus)) == corpus
    assert shared_extractor(corpus, "builtin") is shared_extractor(corpus, "builtin")
    assert shared_extractor(corpus, "builtin") is not shared_extractor(corpus, "builtin", "all-split")
