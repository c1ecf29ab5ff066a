"""Faults found by trial, that belong to no single module."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import m2
from geceval.extending import Best, Counts, F, Mean, Metric, Optimum, Policy, Running, Sampled, setting
from support.messages import message_of

SOURCE = ["He go home .", "She have a cats ."]
REFERENCES = [["He goes home .", "She has a cat ."], ["He went home .", "She has cats ."]]
SYSTEM = ["He goes home .", "She has a cats ."]


def edit(start: int, end: int, type_: str, text: str, annotator: int = 0) -> m2.Edit:
    return m2.Edit(start, end, type_, (text,), annotator=annotator)


BEST = Best()


@dataclass(frozen=True)
class Drawn(Metric[None]):
    """A metric of another package that draws its counts."""

    name: ClassVar[str] = "drawn"

    seed: int = 0
    dtype: str = setting("int64", "unsigned")
    selection: Policy = setting(BEST, "unsigned")

    @property
    def columns(self) -> tuple[str, ...]:
        return ("hit", "wrong", "missed")

    @property
    def policy(self) -> Policy:
        return self.selection

    @property
    def figure(self) -> F:
        hit, wrong, missed = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
        return F(1.0, hit, (1.0, 1.0, 0.0), (1.0, 0.0, 1.0), wrong, missed, ties=(hit,))

    def prepare(self, corpus: geceval.Corpus, threads: int = 0) -> None:
        return None

    def count(self, prepared: None, hypothesis: Any, threads: int = 0, *, evidence: bool = False) -> Counts:
        drawn = np.random.default_rng(self.seed).integers(0, 2, (len(hypothesis), 2, 3))
        return Counts(drawn.astype(self.dtype), self.columns)

    def score(self, totals: Any) -> Any:
        return self.figure.formula.scores(totals)


POLICIES = [Best(), Mean(), Sampled(7), Running(), Optimum()]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "int32", "int64", "float32", "float64"])
def test_counts_are_numbers_of_any_type(policy: Policy, dtype: str) -> None:
    # bool is the narrowest: a total that wrapped around would show.
    corpus = geceval.Corpus(["a"] * 600, [["a"] * 600] * 2, {"it": ["a"] * 600})
    result, plain = (
        geceval.evaluate(corpus, [Drawn(0, kind, policy)], checks=False)["it"][0] for kind in (dtype, "int64")
    )
    assert result.score() == plain.score()
    parts = geceval.evaluate(corpus, [Drawn(0, dtype, policy)], views=["corpus"], checks=False)["it"][0]
    assert parts.totals().tolist() == plain.totals().tolist()


def test_an_unknown_type_to_exclude_is_refused(snapshot: SnapshotAssertion) -> None:
    blocks = [m2.Block(SOURCE[0], (edit(1, 2, "Vform", "goes"),)), m2.Block(SOURCE[1])]
    corpus = geceval.Corpus(SOURCE * 3, [row * 3 for row in REFERENCES], {"it": SYSTEM * 3})
    for exclude in ("R:FOO+R:VERB:SVA+UNK", "VERB:SVA+Vform", "R:PUNCTT"):
        error = message_of(lambda exclude=exclude: geceval.evaluate(corpus, [geceval.Errant(exclude=exclude)], block=1))
        assert error == snapshot
    known = geceval.Errant(exclude="Vform")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        known.corpus_score(SOURCE, SYSTEM, gold=blocks)
        known.corpus_score(SOURCE, blocks, REFERENCES)
        geceval.Errant(exclude="R:PROPN+U:SPACE").corpus_score(SOURCE, SYSTEM, REFERENCES)


@pytest.mark.parametrize(
    "call",
    [
        lambda it: geceval.evaluate(it, "gren"),
        lambda it: geceval.evaluate(it, ["green:n=0"]),
        lambda it: geceval.evaluate(it, 3),
        lambda it: geceval.evaluate(it, [geceval.Green]),
        lambda it: geceval.evaluate("source.txt", [geceval.Green()]),
        lambda it: geceval.evaluate(it, [geceval.Green()], block=-1),
        lambda it: geceval.evaluate(it, [geceval.Green()], block="3"),
        lambda it: geceval.evaluate(it, [geceval.Green()], threads=-1),
        lambda it: geceval.evaluate(it, [geceval.Green()], views=None),
        lambda it: geceval.evaluate(it, [geceval.Green()], progress=3),
        lambda it: geceval.evaluate_groups(it, [geceval.Errant()], "type"),
        lambda it: geceval.evaluate_groups(it, [geceval.Errant()], geceval.ByType("x")),
        lambda it: geceval.MaxMatch().corpus_score(it.source, it.systems["it"], threads=-1),
        lambda it: geceval.Corpus(SOURCE, missing="x"),
        lambda it: m2.apply("a", 0),
        lambda it: m2.merge([[m2.Block("a")]] * 2, [(0,)]),
        lambda it: m2.fitting([m2.Block("a")], "x"),
        lambda it: m2.write([m2.Block("a")], 3),
    ],
)
def test_arguments_of_functions_are_named(call: Any, snapshot: SnapshotAssertion) -> None:
    assert message_of(call, geceval.Corpus(SOURCE, REFERENCES, {"it": SYSTEM})) == snapshot


def test_labels_of_several_kinds_are_refused_when_they_are_sorted(snapshot: SnapshotAssertion) -> None:
    for labels in (["a", 3], [[1], [2]]):
        corpus = geceval.Corpus(SOURCE, REFERENCES, {"it": SYSTEM}, labels=labels)
        message = message_of(
            lambda corpus=corpus: geceval.evaluate_groups(corpus, [geceval.Green()], geceval.BySentence())["it"][
                0
            ].groups()
        )
        assert message == snapshot


def test_a_sentence_with_more_ngrams_than_memory_holds_is_named(snapshot: SnapshotAssertion) -> None:
    long = "x" * 400_000
    green = geceval.Green(n=100, unit="char")
    assert message_of(green.corpus_score, ["a", long], ["a", long], [["a", long]]) == snapshot
    assert 0 < geceval.Green(unit="char").corpus_score(["abcde", long], ["abcde", long], [["abcde", long]]).value <= 1
