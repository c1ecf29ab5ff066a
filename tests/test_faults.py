"""Faults that were found by trial, each by name, in the order of the project's issue 10.

Those of settings are in counting/test_settings.py, that of several encoders in one run in metrics/neural/test_ptm2.py.
"""

from __future__ import annotations

import subprocess
import sys
import warnings
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

import geceval
from geceval import m2
from geceval.extending import Best, Counts, F, Mean, Metric, Optimum, Policy, Running, Sampled, setting

SOURCE = ["He go home .", "She have a cats ."]
REFERENCES = [["He goes home .", "She has a cat ."], ["He went home .", "She has cats ."]]
SYSTEM = ["He goes home .", "She has a cats ."]


def edit(start: int, end: int, type_: str, text: str, annotator: int = 0) -> m2.Edit:
    return m2.Edit(start, end, type_, (text,), annotator=annotator)


BEST = Best()


@dataclass(frozen=True)
class Drawn(Metric[None]):
    """Somebody's metric, with a setting called ``seed`` that decides what is counted."""

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
        return self.figure.score(totals)


def test_metrics_that_differ_in_a_field_called_seed_share_nothing() -> None:
    corpus = geceval.Corpus(SOURCE * 9, [REFERENCES[0] * 9], {"it": SYSTEM * 9})
    one, other = geceval.evaluate(corpus, [Drawn(seed=1), Drawn(seed=2)])["it"]
    assert one.signature() != other.signature()
    assert one.totals().tolist() != other.totals().tolist()


@pytest.mark.parametrize(
    "metric", [geceval.Errant(), geceval.Cleme(), geceval.Cleme2()], ids=lambda metric: metric.name
)
def test_texts_and_gold_have_two_signatures(metric: Metric[Any]) -> None:
    gold = [m2.Block(SOURCE[0], (edit(1, 2, "V", "goes"), edit(1, 2, "V", "went", 1))), m2.Block(SOURCE[1])]
    text = metric.corpus_score(SOURCE, SYSTEM, REFERENCES)
    edits = metric.corpus_score(SOURCE, SYSTEM, gold=gold)
    assert text.totals != edits.totals
    assert "|refs:2|" in text.signature
    assert "|refs:1-2(gold)|" in edits.signature
    given = metric.corpus_score(SOURCE, [m2.Block(line) for line in SOURCE], gold=gold)
    assert "|hyp:m2|" in given.signature
    assert "annotator" not in given.signature


POLICIES = [Best(), Mean(), Sampled(7), Running(), Optimum()]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "int32", "int64", "float32", "float64"])
def test_counts_are_numbers_of_any_type(policy: Policy, dtype: str) -> None:
    # bool is the narrowest: a total that wrapped around would show.
    corpus = geceval.Corpus(["a"] * 600, [["a"] * 600] * 2, {"it": ["a"] * 600})
    whole, plain = (
        geceval.evaluate(corpus, [Drawn(0, kind, policy)], checks=False)["it"][0] for kind in (dtype, "int64")
    )
    assert whole.score() == plain.score()
    parts = geceval.evaluate(corpus, [Drawn(0, dtype, policy)], views=["corpus"], checks=False)["it"][0]
    assert parts.totals().tolist() == plain.totals().tolist()


def test_texts_made_from_gold_follow_its_missing_lines() -> None:
    gold = [m2.Block(SOURCE[0], (edit(1, 2, "V", "goes"), edit(1, 2, "V", "went", 1))), m2.Block(SOURCE[1], ())]
    gold[1] = m2.Block(SOURCE[1], (edit(1, 2, "V", "has"),))
    corpus = geceval.Corpus(SOURCE, (), {}, gold).with_texts()
    assert [list(text) for text in corpus.references][1] == ["He went home .", "She has a cats ."]
    plain = replace(corpus, references=(), missing="plain").with_texts()
    assert [list(text) for text in plain.references][1] == ["He went home .", SOURCE[1]]


def test_a_lattice_of_60_000_by_60_000_tokens_is_an_error_that_names_the_sentence() -> None:
    long, other = "a " * 60_000, "b " * 60_000
    gold = [m2.Block("a"), m2.Block(long.strip())]
    message = r"sentence 2, of 60000 and 60000 tokens, is too long to be matched: b b b"
    with pytest.raises(geceval.GecevalError, match=message):
        geceval.MaxMatch().corpus_score(["a", long], ["a", other], gold=gold)


def test_an_unknown_type_to_exclude_is_told_once() -> None:
    blocks = [m2.Block(SOURCE[0], (edit(1, 2, "Vform", "goes"),)), m2.Block(SOURCE[1])]
    metrics = [geceval.Errant(exclude="R:FOO+R:VERB:SVA+UNK+Vform"), geceval.Errant(exclude="R:FOO", beta=1.0)]
    corpus = geceval.Corpus(SOURCE * 3, [row * 3 for row in REFERENCES], {"it": SYSTEM * 3})
    expected = "errant: exclude names {!r}, which is no type of ERRANT's nor of any edit here"
    with pytest.warns(geceval.GecevalWarning) as caught:
        geceval.evaluate(corpus, metrics, block=1)
    assert [str(warning.message) for warning in caught] == [expected.format("R:FOO"), expected.format("Vform")]
    known = geceval.Errant(exclude="Vform")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        known.corpus_score(SOURCE, SYSTEM, gold=blocks)
        known.corpus_score(SOURCE, blocks, REFERENCES)
        geceval.Errant(exclude="R:PROPN+U:SPACE").corpus_score(SOURCE, SYSTEM, REFERENCES)


def test_references_nested_by_sentence_are_refused() -> None:
    source = ["The cat sat on the mat .", "A dog barks at night ."]
    nested = [
        ["The cats sat on the mat .", "The cat sits on the mat ."],
        ["A dog barked at night .", "Dogs bark at night ."],
    ]
    with pytest.raises(geceval.GecevalError, match="nested the wrong way round: references"):
        geceval.Green().corpus_score(source, source, nested)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda it: geceval.evaluate(it, "green"), "hint: use geceval.Green() or geceval.make_metric"),
        (lambda it: geceval.evaluate(it, ["green"]), "not a metric: 'green'"),
        (
            lambda it: geceval.evaluate(it, geceval.Green()),
            "metrics must be a list\n  hint: for one metric use [metric]",
        ),
        (lambda it: geceval.evaluate(it, [geceval.Green]), "not a metric: <class"),
        (lambda it: geceval.evaluate("source.txt", [geceval.Green()]), "corpus must be a Corpus, not 'source.txt'"),
        (lambda it: geceval.evaluate(it, [geceval.Green()], block=-1), "block is -1; it must be at least 1"),
        (lambda it: geceval.evaluate(it, [geceval.Green()], block="3"), "block takes a whole number, not '3'"),
        (lambda it: geceval.evaluate(it, [geceval.Green()], threads=-1), "threads is -1; it must be at least 0"),
        (lambda it: geceval.evaluate(it, [geceval.Green()], views=None), "views: a list"),
        (lambda it: geceval.evaluate(it, [geceval.Green()], progress=3), "progress must be a function, not 3"),
        (lambda it: geceval.evaluate_groups(it, [geceval.Errant()], "type"), "grouping must be ByType(…)"),
        (lambda it: geceval.evaluate_groups(it, [geceval.Errant()], geceval.ByType("x")), "tier is one of operation"),
        (lambda it: geceval.MaxMatch().corpus_score(it.source, it.systems["it"], threads=-1), "threads is -1"),
        (lambda it: geceval.Corpus(SOURCE, missing="x"), "missing is one of fallback, plain, not x"),
        (lambda it: m2.apply("a", 0), "an M2 block is needed"),
        (lambda it: list(m2.merge([[m2.Block("a")]] * 2, [(0,)])), "2 files, annotators of 1"),
        (lambda it: list(m2.fitting([m2.Block("a")], "x")), "misfits is one of error, drop, not x"),
        (lambda it: m2.write([m2.Block("a")], 3), "blocks are written to an open text file, not to 3"),
    ],
)
def test_arguments_of_functions_are_named(call: Any, message: str) -> None:
    with pytest.raises(geceval.GecevalError) as caught:
        call(geceval.Corpus(SOURCE, REFERENCES, {"it": SYSTEM}))
    assert message in str(caught.value)


def test_labels_of_several_kinds_are_refused_when_they_are_sorted() -> None:
    for labels in (["a", 3], [[1], [2]]):
        corpus = geceval.Corpus(SOURCE, REFERENCES, {"it": SYSTEM}, labels=labels)
        with pytest.raises(geceval.GecevalError, match="label"):
            geceval.evaluate_groups(corpus, [geceval.Green()], geceval.BySentence())["it"][0].groups()


def test_a_sentence_with_more_ngrams_than_memory_holds_is_named() -> None:
    long = "x" * 400_000
    with pytest.raises(
        geceval.GecevalError, match=r"sentence 2, of 800000 tokens in all versions, with n 100: more than"
    ):
        geceval.Green(n=100, unit="char").corpus_score(["a", long], ["a", long], [["a", long]])
    assert 0 < geceval.Green(unit="char").corpus_score(["abcde", long], ["abcde", long], [["abcde", long]]).value <= 1


def test_modules_are_attributes() -> None:
    for code in ("import geceval; geceval.m2.read; geceval.detection.score", "import geceval.m2, geceval.detection"):
        subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
