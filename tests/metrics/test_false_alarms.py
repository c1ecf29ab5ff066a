"""False alarms by hand, under the three rules."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval import Corpus, compare, evaluate, evaluate_groups
from geceval.counting.groupings import ByRule
from geceval.counting.signature import signature_of
from geceval.counting.system_results import kept_counts
from geceval.edits.m2_annotation import annotate
from geceval.m2 import NOOP, Block, Edit, noop
from geceval.metrics.false_alarms import FalseAlarms, Rule
from support.messages import message_of

SOURCE = ["a b", "c d", "e f", "g", ""]
REFERENCES = [["a b", "c d", "e x", "g", ""], ["a b", "c x", "e x", None, ""]]
SYSTEM = ["a x", "c d x", "e f", "g", ""]
CORPUS = Corpus(SOURCE, REFERENCES, {"it": SYSTEM})


@pytest.mark.parametrize(
    ("rule", "sentences", "changed"), [("all", [0, 3, 4], [0]), ("any", [0, 1, 3, 4], [0, 1])]
)  # fmt: skip
def test_sentences_and_alarms_of_each_rule(rule: Rule, sentences: list[int], changed: list[int]) -> None:
    counts = kept_counts(CORPUS, FalseAlarms(rule), evidence=True)["it"]
    assert np.flatnonzero(counts.array[:, 0, 0]).tolist() == sentences
    assert np.flatnonzero(counts.array[:, 0, 1]).tolist() == changed
    assert counts.array[:, 0, 2].tolist() == [len(SOURCE[s].split()) * (s in sentences) for s in range(5)]
    assert counts.array[:, 0, 3].sum() == len(changed)
    assert counts.evidence is not None
    np.testing.assert_array_equal(counts.evidence.sums(counts.array.shape), counts.array)
    [result] = evaluate(CORPUS, [FalseAlarms(rule)], views=["corpus"])["it"]
    assert result.score().value == len(changed) / len(sentences)


def test_each_reference_by_itself() -> None:
    counts = kept_counts(CORPUS, FalseAlarms("each"), evidence=True)["it"]
    assert counts.array[..., 0].tolist() == [[1, 1], [1, 0], [0, 0], [1, 0], [1, 1]]
    assert counts.evidence is not None
    np.testing.assert_array_equal(counts.evidence.sums(counts.array.shape), counts.array)


def test_no_such_sentence_no_share(snapshot: SnapshotAssertion) -> None:
    [result] = evaluate(Corpus(["a"], [["b"]], {"it": ["a"]}), [FalseAlarms()], views=["corpus"])["it"]
    assert math.isnan(result.score().value)
    assert message_of(evaluate, Corpus(["a"], (), {"it": ["a"]}), [FalseAlarms()], views=["corpus"]) == snapshot


@pytest.mark.parametrize(
    ("settings", "changed"),
    [
        ({}, [0, 3, 6]),
        ({"blanks": True}, [0, 1, 2, 3, 6]),
        ({"casing": False}, [0, 6]),
        ({"blanks": True, "casing": False}, [0, 1, 2, 6]),
    ],
)
def test_blanks_and_case_are_settings(settings: dict[str, bool], changed: list[int]) -> None:
    source = ["a b", "a b", "a b", "a b", "a b ", "a b", "a b"]
    system = ["a x", "a  b", " a b", "A b", "a b", "a b\xa0 \r", "A  x "]
    metric = FalseAlarms(**settings)
    counts = kept_counts(Corpus(source, [source], {"it": system}), metric, evidence=True)["it"]
    assert np.flatnonzero(counts.array[:, 0, 1]).tolist() == changed
    assert not counts.array[~counts.array[:, 0, 1].astype(bool), 0, 3].any(), "only changed sentences have edits"
    assert counts.evidence is not None
    np.testing.assert_array_equal(counts.evidence.sums(counts.array.shape), counts.array)
    assert f"|blanks:{metric.blanks}|casing:{metric.casing}|" in signature_of(metric, 1)


def test_m2_has_no_blanks() -> None:
    gold = [Block("a  b", (noop(0),)), Block("c", (Edit(0, 1, "X", ("d",)),))]
    system = [Block("a  b", (Edit(0, 0, "X", ("x",)), Edit(2, 2, "X", ("y",)))), Block("c", (noop(0),))]
    corpus = Corpus(["a  b", "c"], (), {"m2": system, "text": ["a b", "c"]}, gold)
    results = evaluate(corpus, [FalseAlarms(blanks=True)], views=["corpus"])
    assert results["m2"][0].score().totals == {"correct": 1, "changed": 1, "words": 2, "edits": 2}
    assert results["text"][0].score().totals == {"correct": 1, "changed": 1, "words": 2, "edits": 0}
    assert "annotator" not in results["m2"][0].signature()
    assert "|annotator:builtin:3-2|" in results["text"][0].signature()


lines = st.lists(st.sampled_from(["a", "cat", "sits"]), max_size=5).map(" ".join)


@given(st.lists(st.tuples(lines, lines, lines), min_size=1, max_size=6))
def test_edits_per_thousand_words_are_those_of_correct_sentences(rows: list[tuple[str, str, str]]) -> None:
    source, reference, system = zip(*rows, strict=True)
    correct = [(line, new) for line, right, new in rows if line == right]
    words = sum(len(line.split()) for line, _ in correct)
    blocks = annotate(FalseAlarms().extraction.extractor, [(line.split(), new.split()) for line, new in correct])
    edits = sum(edit.type != NOOP for block in blocks for edit in block.edits)
    [result] = evaluate(Corpus(source, [reference], {"it": system}), [FalseAlarms(per="words")], checks=False)["it"]
    assert result.score().value == pytest.approx(1000 * edits / words if words else math.nan, nan_ok=True)
    assert "|per:words|" in result.signature()


RULES = ("SVA", "COMMA", "STYLE")
suggestions = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(RULES)), max_size=3, unique_by=lambda row: row[0])


@given(
    st.lists(st.tuples(suggestions, suggestions, st.booleans(), st.booleans()), min_size=1, max_size=12),
    st.sampled_from([{}, {"per": "words"}, {"rule": "each"}, {"rule": "any"}]),
)
def test_a_rule_has_the_false_alarms_of_its_type_in_scores_and_comparisons(
    rows: list[tuple[list[tuple[int, str]], list[tuple[int, str]], bool, bool]], settings: dict[str, Any]
) -> None:
    def block(edits: list[tuple[int, str]]) -> Block:
        return Block("a b c d", tuple(Edit(at, at + 1, rule, ("x",)) for at, rule in sorted(edits)) or (noop(0),))

    references = [["a b c d" if row[2 + number] else "y b c d" for row in rows] for number in range(2)]
    systems = {"old": [block(row[0]) for row in rows], "new": [block(row[1]) for row in rows]}
    corpus = Corpus(["a b c d"] * len(rows), references, systems)
    metric, options = FalseAlarms(**settings), {"samples": 100, "checks": False}
    comparison = compare(corpus, [metric], by="rule", **options)
    groups = {name: results[0].groups() for name, results in evaluate_groups(corpus, [metric], ByRule()).items()}
    for rule in comparison.groups:
        of_rule = FalseAlarms(**settings, types=rule)
        expected = compare(corpus, [of_rule], **options)
        [name] = expected
        assert [
            replace(score, group=None, rank_low=0, rank_high=0, cluster=0)
            for score in comparison.systems
            if score.group == rule
        ] == [
            replace(score, metric="false-alarms", rank_low=0, rank_high=0, cluster=0)
            for score in expected[name].systems
        ]
        [pair], [expected_pair] = comparison["false-alarms"].pairs_of(rule), expected[name].pairs
        for figure in ("difference", "low", "high", "p", "better", "equal", "worse", "differing"):
            assert getattr(pair, figure) == pytest.approx(getattr(expected_pair, figure), nan_ok=True), figure
        for system, results in evaluate(corpus, [of_rule], checks=False).items():
            if rule in groups[system]:
                group, score = groups[system][rule], results[0].score()
                assert (group.totals, group.parts, group.value) == (score.totals, score.parts, score.value)
    proposed = {rule for row in rows for rule in RULES if any(row[2:]) and rule in dict(map(reversed, row[0] + row[1]))}
    assert {*comparison.groups} <= proposed


def test_registers_have_intervals_per_thousand_words() -> None:
    rng = np.random.default_rng(0)
    source = ["this is a text of ten words that is right"] * 200
    system = [line.replace("right", "write") if rng.random() < 0.2 else line for line in source]
    corpus = Corpus(source, [source], {"it": system})
    comparison = compare(
        corpus, [FalseAlarms(per="words")], pairs="none", groups=["news", "chat"] * 100, samples=500, checks=False
    )
    assert [score.group for score in comparison.systems] == [None, "chat", "news"]
    for score in comparison.systems:
        rows = slice(None) if score.group is None else slice(int(score.group == "chat"), None, 2)
        changed = [old != new for old, new in zip(source[rows], system[rows], strict=True)]
        assert score.value == pytest.approx(100 * np.mean(changed))
        assert 0 < score.low < score.value < score.high < 60
    assert comparison.systems[0].low < 20 < comparison.systems[0].high
    assert not comparison["false-alarms"].in_percent
