"""Examined sentences have the scores of evaluate, and evidence that sums to the counts."""

from __future__ import annotations

import pickle
import warnings
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import geceval
from geceval import Corpus, evaluate, m2, make_metric
from geceval.base.errors import UsageError
from geceval.counting.groupings import evidence_of
from geceval.counting.system_results import kept_counts
from geceval.extending import Examined, Metric, Wanted, examine
from geceval.inspection.examination import Examination
from geceval.metrics.goto import Goto
from geceval.results.examined_sentences import Scored
from geceval.results.marked_edits import outcomes_of
from support.effort import examples
from support.examples import example_corpus
from support.instances import instances
from support.strategies import corpora

#: Metrics with references; scores by networks differ in their last bits.
METRICS = [metric for metric in instances().values() if metric.uses_references and not metric.about.extra]
each = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)


def examined(corpus: Any, metrics: list[Metric], which: Any) -> Examined:
    return examine(corpus, metrics, which, checks=False)


METRICS_AND_GOLD = [(metric, gold) for metric in METRICS for gold in (True, False) if gold or not metric.needs_gold]


@pytest.mark.parametrize(("metric", "gold"), METRICS_AND_GOLD, ids=lambda given: getattr(given, "name", str(given)))
def test_scores_are_those_of_evaluate_and_evidence_sums_to_the_counts(metric: Metric, gold: bool) -> None:
    corpus = example_corpus(gold=gold)
    numbers = [7, 3, 40, 12]
    result = examined(corpus, [metric], numbers)
    assert [sentence.number for sentence in result.sentences] == numbers
    results = evaluate(corpus, [metric], checks=False)
    counts = kept_counts(corpus, metric, evidence=True)
    [label] = result.metrics
    for sentence in result.sentences:
        s = sentence.number - 1
        assert sentence.source == corpus.source[s]
        for name, output in sentence.outputs.items():
            scored = output.scores[label]
            assert scored.score == results[name][0].sentence_scores()[s]
            assert len(scored.against) == counts[name].mask[s].sum()
            chosen = dict(zip(counts[name].columns, counts[name].array[s, scored.chosen].tolist(), strict=True))
            assert scored.against[scored.chosen].counts == chosen
            assert sums(scored) == pytest.approx({column: chosen[column] for column in sums(scored)})
            assert all(chosen[column] == 0 for column in chosen.keys() - sums(scored).keys())
            assert output.version.text == " ".join(str(corpus.systems[name][s]).split())


def sums(scored: Scored) -> dict[str, float]:
    weights: dict[str, float] = {}
    for row in scored.evidence:
        weights[row.column] = weights.get(row.column, 0.0) + row.weight
    return weights


@each
def test_an_outcome_is_counted_once(metric: Metric) -> None:
    """Proposed edits are correct or wrong, and gold edits correct or missed."""
    for counts in kept_counts(example_corpus(gold=True), metric, evidence=True).values():
        outcomes, evidence = outcomes_of(metric, counts), evidence_of(counts)
        weight = [evidence.weight[outcomes == place].sum() for place in range(3)]
        outcome_columns = metric.outcomes
        totals = counts.array[counts.mask].sum(axis=0)
        by = {
            outcome: sum(
                total
                for name, total in zip(counts.columns, totals, strict=True)
                if outcome_columns.columns.get(name) == outcome
            )
            for outcome in ("correct", "wrong", "missed")
        }
        again = by["correct"] if outcome_columns.again else 0
        assert weight == pytest.approx([by["correct"], by["wrong"] - again, by["missed"] - again])


@settings(max_examples=examples(25))
@given(texts=corpora(), data=st.data())
def test_selected_sentences_are_examined_like_all(texts: tuple, data: st.DataObject) -> None:
    source, references, system = texts
    corpus = Corpus(source, references, {"a": system, "b": source})
    numbers = data.draw(st.lists(st.integers(1, len(source)), min_size=1))
    metrics: list[Metric] = [geceval.Errant(), geceval.Green(), geceval.Cleme(), Goto()]
    some = examined(corpus, metrics, numbers)
    every = examined(corpus, metrics, range(1, len(source) + 1))
    for sentence in some.sentences:
        other = every.sentences[sentence.number - 1]
        assert sentence.source == other.source == " ".join(source[sentence.number - 1].split())
        assert content_of(sentence) == content_of(other)


def content_of(sentence: Any) -> dict[str, Any]:
    """Return the versions, references and scores of a sentence."""
    return {
        name: (
            asdict(output.version),
            output.reference and asdict(output.reference),
            {
                label: (scored.score, scored.parts, scored.names, scored.chosen, scored.against, scored.evidence)
                for label, scored in output.scores.items()
            },
        )
        for name, output in sentence.outputs.items()
    }


def test_parts_of_a_corpus_are_examined_like_the_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics: list[Metric] = [geceval.Errant(), geceval.Gleu()]
    unparted = examined(example_corpus(gold=True), metrics, [3, 17, 31])
    monkeypatch.setattr("geceval.inspection.examination.PART_SIZE", 7)
    parted = examined(example_corpus(gold=True), metrics, [3, 17, 31])
    assert [content_of(sentence) for sentence in unparted.sentences] == [
        content_of(sentence) for sentence in parted.sentences
    ]


def test_a_file_of_weights_is_read_at_the_right_lines(tmp_path: Path) -> None:
    corpus = example_corpus(gold=True)
    path = tmp_path / "weights.txt"
    path.write_text("\n".join(Goto().weight_lines(corpus)) + "\n")
    for which in ([40, 2], Wanted(number=3, system="noisy")):
        by_file, by_pool = (examined(corpus, [Goto(weights=weights)], which) for weights in (str(path), "pool"))
        for from_file, from_pool in zip(by_file.sentences, by_pool.sentences, strict=True):
            assert from_file.number == from_pool.number
            for name, output in from_file.outputs.items():
                assert output.scores["GoTo"].against == from_pool.outputs[name].scores["GoTo"].against


def test_judge_is_the_first_metric_on_edits_or_errant() -> None:
    corpus = example_corpus(gold=True)
    assert examined(corpus, [geceval.Green()], [1]).judge == "ERRANT"
    result = examined(corpus, [geceval.Green(), geceval.MaxMatch(), geceval.Errant()], [1])
    assert (result.judge, result.metrics) == ("MaxMatch", ["GREEN", "MaxMatch", "ERRANT"])
    assert result.signatures["careful"]["MaxMatch"].startswith("MaxMatch|")


def test_without_references_edits_have_no_outcome() -> None:
    corpus = Corpus(["He go home ."], systems={"it": ["He goes home ."]})
    [sentence] = examined(corpus, [], [1]).sentences
    output = sentence.outputs["it"]
    assert [(edit.text, edit.outcome) for edit in output.version.edits] == [("goes", None)]
    assert output.reference is None


def test_a_type_that_does_not_count_has_no_outcome() -> None:
    corpus = Corpus(["He go home ."], [["He goes home now ."]], {"it": ["He goes home ."]})
    [sentence] = examined(corpus, [geceval.Errant(exclude="R:VERB:SVA")], [1]).sentences
    output = sentence.outputs["it"]
    assert output.reference is not None
    assert [edit.outcome for edit in output.version.edits] == [None]
    assert [edit.outcome for edit in output.reference.edits] == [None, "missed"]


def test_references_have_the_names_of_files_or_annotators() -> None:
    """A sentence may lack a reference, and an annotator a line."""
    corpus = Corpus(["a b", "a b"], [["a c", None], ["a d", "a d"]], {"it": ["a d", "a b"]})
    first, second = examined(corpus, [geceval.Errant(), geceval.Green(n=1)], [1, 2]).sentences
    for label in ("ERRANT", "GREEN"):
        assert first.outputs["it"].scores[label].reference == "1"
        assert [against.reference for against in second.outputs["it"].scores[label].against] == ["1"]
    assert second.references == {"1": "a d"}
    disjoint = Corpus(["a b", "a b"], [["a c", None], [None, "a d"]], {"it": ["a d", "a b"]})
    first, second = examined(disjoint, [geceval.Errant(), geceval.Green(n=1)], [1, 2]).sentences
    assert (first.references, second.references) == ({"0": "a c"}, {"1": "a d"})
    assert [against.reference for against in second.outputs["it"].scores["ERRANT"].against] == ["1"]
    blocks = [m2.Block("a b", (m2.Edit(1, 2, "X", ("c",), annotator=4), m2.noop(7)))]
    gold = Corpus(["a b"], systems={"it": ["a b"]}, gold=blocks)
    [sentence] = examined(gold, [geceval.Errant(), Goto(ref_id=4)], [1]).sentences
    assert sentence.outputs["it"].scores["ERRANT"].reference == "7"
    assert sentence.outputs["it"].scores["GoTo"].names == ["4"]
    [judged] = examined(gold, [Goto(ref_id=4)], [1]).sentences
    reference = judged.outputs["it"].reference
    assert reference is not None
    assert (reference.name, reference.text) == ("4", "a c")


def test_references_that_a_metric_leaves_out_are_not_named() -> None:
    corpus = Corpus(["a b c"], [["a b c"], ["a d c"]], {"it": ["a d c"]})
    [sentence] = examined(corpus, [geceval.Cleme(drop_unchanged=True)], [1]).sentences
    assert sentence.outputs["it"].scores["CLEME"].names == ["1"]
    assert geceval.Green().reference_names(["0", "1"], [0, 1, 2]) == ["0", "1", "2"]


def test_systems_as_m2_have_texts_and_sentences_labels() -> None:
    blocks = [m2.Block("a b", (m2.Edit(1, 2, "R:X", ("c",)),)), m2.Block("a b")]
    corpus = Corpus(["a b", "a b"], [["a c", "a b"]], {"it": blocks}, labels=["A1", "B2"])
    for number, label in ((1, "A1"), (2, "B2")):
        [sentence] = examined(corpus, [geceval.Errant()], [number]).sentences
        assert sentence.label == label
        assert sentence.outputs["it"].version.text == ("a c" if number == 1 else "a b")


def test_number_that_no_sentence_has_is_refused() -> None:
    for number in (0, 41):
        with pytest.raises(UsageError, match="choose from 1 to 40"):
            examined(example_corpus(gold=True), [geceval.Green()], [number])
    with pytest.raises(UsageError, match="number"):
        examined(example_corpus(gold=True), [geceval.Green()], ["first"])
    assert examined(example_corpus(gold=True), [geceval.Green()], []).sentences == []


def test_warnings_are_given_once() -> None:
    gold = [m2.Block("a b", (m2.Edit(1, 2, "UNK", ("c",)),))] * 3
    corpus = Corpus(["a b"] * 3, (), {"it": ["a c"] * 3}, gold)
    with warnings.catch_warnings(record=True) as caught_warnings:
        warnings.simplefilter("always")
        for wanted in (Wanted(), Wanted(type="*"), Wanted(sort="given"), Wanted(sort="given", type="*")):
            caught_warnings.clear()
            examined(corpus, [geceval.Errant()], wanted)
            assert [str(warning.message)[:28] for warning in caught_warnings] == ["errant: no gold edit counts:"]


def test_corpus_is_checked_for_every_selection() -> None:
    for which in (Wanted(), Wanted(sort="given"), Wanted(sort="random"), [1]):
        with pytest.warns(geceval.GecevalWarning, match="both given"):
            examine(example_corpus(gold=True), [geceval.Errant()], which)


def test_references_from_gold_have_the_names_of_annotators() -> None:
    blocks = [m2.Block("a b", (m2.Edit(1, 2, "X", ("c",), annotator=4), m2.noop(7))), m2.Block("a b", (m2.noop(7),))]
    corpus = Corpus(["a b", "a b"], systems={"it": ["a c", "a b"]}, gold=blocks)
    for metrics in ([geceval.Green(n=1)], [geceval.Errant()]):
        first, second = examined(corpus, metrics, [1, 2]).sentences  # type: ignore[arg-type]
        assert first.references == {"4": "a c", "7": "a b"}
        assert second.references["7"] == "a b"
        assert first.outputs["it"].scores[metrics[0].label].reference == "4"


def test_examined_sentences_can_be_pickled() -> None:
    result = examined(example_corpus(gold=True), [make_metric("green"), make_metric("errant")], [5])
    unpickled = pickle.loads(pickle.dumps(result))
    assert content_of(unpickled.sentences[0]) == content_of(result.sentences[0])
    assert np.isfinite(unpickled.sentences[0].outputs["eager"].scores["GREEN"].score)


def test_signatures_of_some_systems_of_files_have_the_references(tmp_path: Path) -> None:
    paths = [str(tmp_path / name) for name in ("source", "reference", "one", "two")]
    for path in paths:
        Path(path).write_text("a b\nc\n", encoding="utf-8")
    files = geceval.CorpusFiles(paths[0], [paths[1]], {"one": paths[2], "two": paths[3]}).open()
    examination = Examination(files, [geceval.Green()], [1], ["one", "two"], None)
    [signature] = examination.examined(["two"]).signatures["two"].values()
    assert "|refs:1|" in signature
