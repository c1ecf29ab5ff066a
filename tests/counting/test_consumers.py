"""Consumers of the stream: in parts or whole, merged or not, through pickle and back."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import Cleme, Corpus, Errant, GecevalWarning, Green, evaluate
from geceval.base.errors import InputError
from geceval.counting.consumers import Means, ScoredCounts
from geceval.counting.counts import Counts
from geceval.counting.metric import Scale
from geceval.counting.observations import WarningColumns, warn_of
from geceval.counting.results import RunFacts
from geceval.counting.run import Run
from geceval.counting.run_options import RunOptions
from geceval.counting.stream import wants_guard
from geceval.counting.system_results import system_results
from geceval.scoring.score_report import score_report
from geceval.tables.report import render
from geceval.text.files import SOURCE as UNCHANGED
from support.messages import message_of
from support.toys import CORPUS, SYSTEMS, TOYS, Agreement, AgreementBeside, Shortening


def test_no_order_changes_a_bit() -> None:
    """Real counts, and weights of them that are no sums of powers of 2."""
    words = "a b c d e f g".split()
    source = [" ".join(words[k % 5 : k % 7 + 1]) or "x" for k in range(60)]
    rows = [[line.replace(letter, "u v w"[: 1 + k % 5]) for k, line in enumerate(source)] for letter in "bd"]
    system = [line.replace("c", "z").replace("b", "u") for line in source]
    for metric in (Cleme(x0=1.3, selection="optimum", beta=0.3), Errant(selection="optimum", beta=0.3)):
        [(_, _, _, counts)] = Run(Corpus(source, rows, {"it": system}), [metric]).stream()
        expected = metric.totals(counts)
        for seed in range(20):
            order = np.random.default_rng(seed).permutation(len(source))
            mixed = counts.at(order)
            assert metric.totals(mixed).tobytes() == expected.tobytes()


def test_one_counting_pass_serves_all_levels_and_all_betas(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics, count = [], Green.count

    def counting(self: Green, *args: Any, **kwargs: Any) -> Counts:
        metrics.append(self)
        return count(self, *args, **kwargs)

    monkeypatch.setattr(Green, "count", counting)
    corpus = Corpus(["a b", "c"], [["a c", "c"]], {"one": ["a b", "c"], "two": ["a c", "d"]})
    results = evaluate(corpus, [Green(beta=1), Green(beta=2), Green(beta=2)])
    assert len(metrics) == 2
    for row in results.values():
        assert row[1].score() == row[2].score()
        assert row[0].score().value <= 1
        assert row[0].score("mean").value == pytest.approx(row[0].sentence_scores().mean())


def test_a_result_is_what_a_consumer_has_so_far() -> None:
    corpus = Corpus(["a b", "c", "d e"], [["a c", "c", "d"]], {"it": ["a b", "c", "d f"]})
    [result] = evaluate(corpus, [Green(n=2)], block=1)["it"]
    before, sentences = result.score(), result.sentence_scores()
    run = Run(corpus, [Green(n=2)])
    [(_, _, metric, counts)] = run.stream()
    consumer = ScoredCounts(metric)
    consumer.add(counts)
    consumer.end(RunFacts(run.signature_inputs("it", metric)))
    assert consumer.result().score() == before
    consumer.merge(pickle.loads(pickle.dumps(consumer)))  # a score asked for does not settle anything
    twice = consumer.result()
    assert twice.score().sentences == 6
    assert twice.score().totals == {name: 2 * total for name, total in before.totals.items()}
    assert twice.sentence_scores().tolist() == [*sentences, *sentences]
    assert result.merged(pickle.loads(pickle.dumps(result))).score() == twice.score()
    assert (result.score(), result.sentence_scores().tolist()) == (before, sentences.tolist()), "a result is a value"


def test_what_was_not_asked_for_is_refused(snapshot: SnapshotAssertion) -> None:
    corpus = Corpus(["a"], [["a"]], {"it": ["a"]})
    [result] = evaluate(corpus, [Green()], views=["mean"])["it"]
    assert message_of(result.score) == snapshot
    assert message_of(evaluate, corpus, [Green()], views=["means"]) == snapshot
    assert message_of(lambda: Means(Green()).result()) == snapshot


def test_all_the_work_is_reported() -> None:
    """A metric with a corpus constant passes over the corpus twice."""
    corpus = Corpus(["a b", "c"], [["a c", "c"]], {"one": ["a b", "c"], "two": ["a c", "d"]})
    metrics = [Errant(), Errant(beta=1.0), Cleme(), Green()]
    steps: list[int] = []
    evaluate(corpus, metrics, block=1, progress=steps.append)
    assert sum(steps) == Run(corpus, metrics).work == 2 * 2 * 4


def test_errors_tell_where_the_part_begins(snapshot: SnapshotAssertion) -> None:
    """A sentence too long to align, in the third part."""
    long = " ".join(map(str, range(7_000)))
    corpus = Corpus(["a", "b", long], [["a", "b", long[::-1]]], {"it": ["a", "b", "c"]})
    assert message_of(evaluate, corpus, [Errant()], block=1) == snapshot


# --- the unchanged source as one more system ---


def test_who_wants_it() -> None:
    assert wants_guard([geceval.Green(), Shortening()])
    assert not wants_guard([geceval.Green(), AgreementBeside()])


def test_the_source_is_one_more_system_in_every_part(snapshot: SnapshotAssertion) -> None:
    corpus = CORPUS.with_unchanged()
    assert corpus.system_names == (*SYSTEMS, UNCHANGED)
    assert (corpus.sentences, corpus.gold, corpus.m2_systems, corpus.reference_numbers()) == (2, None, {}, (2, 2))
    for part in corpus.parts(1):
        assert list(part.systems[UNCHANGED]) == list(part.source)
    results = evaluate(corpus, [geceval.Green(), Shortening()])
    expected = geceval.Green().corpus_score(CORPUS.source, list(CORPUS.source), CORPUS.references)
    assert results[UNCHANGED][0].score() == expected
    assert results[UNCHANGED][1].score().value == 1.0
    assert results["one"][0].score() == evaluate(CORPUS, [geceval.Green()])["one"][0].score()
    assert message_of(corpus.with_unchanged) == snapshot


def test_texts_made_from_gold_are_made_for_the_source_too() -> None:
    source, gold = ["He go ."], [geceval.m2.Block("He go .", (geceval.m2.Edit(1, 2, "R:VERB", ("goes",)),))]
    corpus = geceval.Corpus(source, (), {"one": ["He goes ."]}, gold).with_unchanged()
    results = evaluate(corpus, [geceval.Green(n=1), geceval.Errant(), Shortening()])
    assert "|refs:1(fallback)|" in results[UNCHANGED][0].signature()
    assert [result.score().value for result in results["one"][:2]] == [1.0, 1.0]
    assert results[UNCHANGED][1].score().value == 0.0


def test_pools_that_see_references_are_left_as_they_are() -> None:
    metrics = [AgreementBeside(), Shortening(), Agreement()]
    guarded = system_results(CORPUS, metrics, guard=True)
    plain = evaluate(CORPUS, metrics)
    for name in SYSTEMS:
        assert guarded[name][0].score() == plain[name][0].score()
        assert guarded[name][0].signature() == plain[name][0].signature()
        assert guarded[name][1].score() == plain[name][1].score()
    assert "|pool:one+two+(source)|" in guarded[UNCHANGED][0].signature()
    assert "|pool:one+two+(source)|" in guarded["one"][2].signature()


# --- metrics of other packages ---


def test_signatures_name_what_was_given() -> None:
    signatures = {toy.name: geceval.evaluate(CORPUS, [toy])["one"][0].signature() for toy in TOYS}
    assert "refs" not in signatures["shortening"]
    assert "|pool:one+two|" in signatures["agreement"]
    assert "|annotator:builtin:3-2|policy:optimum|refs:2|" in signatures["spans"]


def test_values(snapshot: SnapshotAssertion) -> None:
    results = geceval.evaluate(CORPUS, TOYS)
    assert [result.score().value for result in results["two"][:2]] == [8 / 9, 1 / 2]
    assert results["one"][2].score().totals == {"tp": 3, "fp": 0, "fn": 0}
    assert replace(Shortening(), most=0.5).corpus_score(CORPUS.source, CORPUS.source).value == 0.5
    assert message_of(Shortening, most=2) == snapshot


@dataclass(frozen=True)
class Losing(Shortening):
    """It loses the last sentence."""

    def count(self, prepared: np.ndarray, hypothesis: Any, threads: int = 0, *, evidence: bool = False) -> Counts:
        return super().count(prepared[:-1], hypothesis[:-1], threads)


def test_counts_of_another_number_of_sentences_are_refused(snapshot: SnapshotAssertion) -> None:
    assert message_of(geceval.evaluate, CORPUS, [Losing()]) == snapshot
    for call in (Losing().corpus_score, Losing().sentence_scores):
        assert "count returned counts of" in message_of(call, CORPUS.source, CORPUS.source)
    with pytest.raises(InputError, match="does not fit"):
        Counts(np.zeros((2, 3, 1), int), ("n",), np.ones((3, 2), bool))


# --- remarks at the end of a run ---


@dataclass(frozen=True)
class Remarking(Shortening):
    """Its remark counts the words left in all systems together, and its scores are not shares."""

    name: ClassVar[str] = "remarking"
    scale: ClassVar[Scale] = Scale(in_percent=False)

    @property
    def final_remarks(self) -> Callable[[Mapping[str, float]], Sequence[str]]:
        return lambda sums: [f"{sums['left']:g} words are left"] if sums["left"] else ()


LINES = ["a b c", "d e", "f"]
TWO_SYSTEMS = Corpus(LINES, [LINES], {"one": ["a b", "d", ""], "two": ["a", "d e", "f"]})


@pytest.mark.parametrize("block", [1, 2, 3])
def test_a_run_remarks_once_on_all_systems(block: int) -> None:
    with pytest.warns(GecevalWarning) as caught:
        evaluate(TWO_SYSTEMS, [Remarking(), Green(), Remarking(most=0.5)], block=block, checks=False)
    assert [str(warning.message) for warning in caught] == ["7 words are left"]


def test_remarks_on_parts_counted_separately_are_merged() -> None:
    merged = WarningColumns()
    for part in TWO_SYSTEMS.parts(1):
        run = Run(part, [Remarking(), Green()], RunOptions(is_part=True))
        list(run.stream())
        merged.merge(pickle.loads(pickle.dumps(run.warning_columns)))
    with pytest.warns(GecevalWarning, match="^7 words are left$"):
        warn_of(merged.remarks())


def test_no_remark_is_no_warning() -> None:
    with warnings.catch_warnings(record=True) as caught:
        evaluate(Corpus(LINES, (), {"it": ["", "", ""]}), [Remarking()], checks=False)
        evaluate(TWO_SYSTEMS, [Shortening()], checks=False)
    assert caught == []


@pytest.mark.filterwarnings("ignore:.*words are left")
def test_scores_that_are_no_shares_are_printed_as_they_are() -> None:
    inputs: dict[str, Any] = {}
    results = evaluate(TWO_SYSTEMS, [Remarking(), Shortening()], checks=False)
    table = render(score_report(results, "corpus", inputs), "tsv").splitlines()
    assert table[1].split("\t") == ["one", "0.50", "50.00"]
    sentences = render(score_report(results, "sentence", inputs), "tsv").splitlines()
    assert sentences[1].split("\t")[:3] == ["1", "0.67", "66.67"]
