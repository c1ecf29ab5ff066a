"""Scores at thresholds of confidence equal those of a system with only the edits of at least each threshold."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import Corpus, m2
from geceval.base.errors import UsageError
from geceval.counting.metric_names import metrics_of_specs
from geceval.counting.system_results import system_results
from geceval.m2 import Block, Edit, noop
from geceval.reporting import confident_systems
from geceval.reporting import threshold_curves as module
from geceval.reporting.confident_systems import ConfidentSystem
from geceval.reporting.threshold_curves import ThresholdCurve, threshold_curves
from support.strategies import records

SOURCE = "a b c d e f"
#: Metrics of each kind of choice: in the order of the sentences, for the best total, by sentence, averaged.
METRICS = [
    *("errant", "errant:mode=cse,selection=optimum", "errant:mode=ds", "errant:mode=dt", "errant:size=single"),
    *("maxmatch", "maxmatch:selection=optimum", "green", "gleu:selection=mean"),
]


def edit_of(start: int, length: int, text: str, confidence: str, annotator: int) -> Edit:
    end = min(start + length, 6)
    operation = "M" if start == end else "U" if not text else "R"
    return Edit(start, end, f"{operation}:OTHER", (text or m2.DELETE,), comment=confidence, annotator=annotator)


def blocks_of(edits: list[list[Edit]]) -> list[Block]:
    return [Block(SOURCE, tuple(sentence) or (noop(0),)) for sentence in edits]


def without_overlaps(edits: list[Edit], annotators: int) -> list[Edit]:
    """Return the edits that do not touch an earlier one of their annotator."""
    separate: list[Edit] = []
    for edit in edits:
        earlier = [other for other in separate if other.annotator == edit.annotator]
        if edit.annotator < annotators and all(other.end < edit.start or edit.end < other.start for other in earlier):
            separate.append(edit)
    return separate + [noop(k) for k in range(annotators) if k not in {edit.annotator for edit in separate}]


def sentences_of(annotators: int, size: int) -> Any:
    values = (range(6), (0, 1, 1, 2), ("", "x", "y"), (".5", "0.2", "1", "-3", "2e-1"), range(annotators))
    some = records(edit_of, *values, max_size=6).map(lambda edits: without_overlaps(edits, annotators))
    return st.lists(some, min_size=size, max_size=size)


def at_least(system: list[Block], threshold: float) -> list[Block]:
    return blocks_of([[e for e in block.edits if not e.is_noop and float(e.comment) >= threshold] for block in system])


@st.composite
def corpora(draw: Any) -> tuple[Corpus, list[Block]]:
    size = draw(st.integers(1, 4))
    gold, system = draw(sentences_of(draw(st.integers(1, 3)), size)), draw(sentences_of(1, size))
    if all(edit.is_noop for sentence in system for edit in sentence):
        system[0] = [edit_of(1, 1, "x", "0.7", 0)]
    blocks = blocks_of(system)
    return Corpus([SOURCE] * size, gold=blocks_of(gold), systems={"A": blocks, "text": [SOURCE] * size}), blocks


@given(corpora(), st.sampled_from(METRICS))
def test_score_at_a_threshold_is_that_of_the_edits_of_at_least_this_confidence(
    drawn: tuple[Corpus, list[Block]], spec: str
) -> None:
    corpus, system = drawn
    [metric] = metrics_of_specs([spec], {})
    [curve] = threshold_curves(ConfidentSystem(corpus, "A", [metric], threads=1), also=[0.3])
    edits = [float(edit.comment) for block in system for edit in block.edits if not edit.is_noop]
    assert curve.thresholds.tolist() == sorted({*edits, 0.3})
    assert curve.suggestions.tolist() == [
        sum(confidence >= t for confidence in edits) for t in [*curve.thresholds, math.inf]
    ]
    for at, threshold in enumerate([*curve.thresholds, math.inf]):
        filtered = Corpus(corpus.source, gold=corpus.gold, systems={"A": at_least(system, threshold)})
        [result] = system_results(filtered, [metric], threads=1, checks=False)["A"]
        score = result.score()
        assert curve.signature == score.signature
        figures = {name: None if math.isnan(values[at]) else values[at] for name, values in curve.figures.items()}
        assert figures == {**score.parts, "score": score.value}


def curve_of(confidences: list[list[str]], gold: list[list[str]], **options: Any) -> ThresholdCurve:
    """Return the curve of insertions, one letter each; the confidence follows the letter of a suggestion."""

    def blocks(sentences: list[list[str]]) -> list[Block]:
        edits = [[Edit(1, 1, "M", (text[0],), comment=text[1:]) for text in texts] for texts in sentences]
        return [Block("a b", tuple(sentence) or (noop(0),)) for sentence in edits]

    corpus = Corpus(["a b"] * len(gold), gold=blocks(gold), systems={"A": blocks(confidences)})
    [curve] = threshold_curves(ConfidentSystem(corpus, "A", metrics_of_specs(["errant"], {})), **options)
    return curve


def test_curve_is_that_computed_by_hand() -> None:
    curve = curve_of([["x.9", "y.4"], ["z.7"], [], ["x.4"]], [["x"], ["v"], ["w"], ["x"]])
    assert curve.thresholds.tolist() == [0.4, 0.7, 0.9]
    assert curve.suggestions.tolist() == [4, 2, 1, 0]
    assert curve.figures["precision"].tolist() == pytest.approx([2 / 4, 1 / 2, 1, math.nan], nan_ok=True)
    assert curve.figures["recall"].tolist() == [2 / 4, 1 / 4, 1 / 4, 0]
    assert curve.figures["score"].round(4).tolist() == [0.5, round(5 / 12, 4), 0.625, 0]
    assert curve.best == 2
    assert curve.average_precision == 1 / 4 * 1 + 0 * 1 / 2 + 1 / 4 * 2 / 4


def test_average_precision_is_scikit_learns_times_the_recall_of_all_edits() -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    draw = np.random.RandomState(3)
    right, confidences = draw.rand(200) < 0.4, draw.rand(200).round(2)
    curve = curve_of(
        [[f"{'x' if is_right else 'y'}{confidence}"] for is_right, confidence in zip(right, confidences, strict=True)],
        [["x"]] * 200,
    )
    expected = metrics.average_precision_score(right, confidences) * right.mean()
    assert curve.average_precision == pytest.approx(expected, abs=1e-12)


def test_highest_threshold_of_equal_scores_is_the_best() -> None:
    assert curve_of([["x.9"]], [["x"]], also=[0.1, 0.5]).thresholds.tolist() == [0.1, 0.5, 0.9]
    assert curve_of([["x.9"]], [["x"]], also=[0.1, 0.5]).best == 2


def test_intervals_are_quantiles_of_curves_of_resampled_sentences() -> None:
    suggestions, gold = [["x.9"], ["y.4"], ["x.4"], ["y.7"], []] * 2, [["x"], ["x"], ["x"], [], ["x"]] * 2
    curve = curve_of(suggestions, gold)
    assert curve.thresholds.tolist() == [0.4, 0.7, 0.9]
    draws = [np.bincount(draw, minlength=10) for draw in np.random.RandomState(5).randint(10, size=(60, 10))]
    for weights in draws:
        rows = [at for at, number in enumerate(weights) for _ in range(number)]
        resampled = curve_of(
            [suggestions[at] for at in rows], [gold[at] for at in rows], also=curve.thresholds.tolist()
        )
        assert curve.figures_of(weights)["score"].tolist() == resampled.figures["score"].tolist()
    positions = {"all": 0, "best": curve.best}
    intervals = curve.intervals(positions, replicates=200)
    assert intervals == curve.intervals(positions, replicates=200) != curve.intervals(positions, replicates=200, seed=1)
    assert list(intervals) == ["best_threshold", "average_precision", "all", "best"]
    for name, at in positions.items():
        assert intervals[name].low <= curve.figures["score"][at] <= intervals[name].high
    assert {intervals["best_threshold"].low, intervals["best_threshold"].high} <= set(curve.thresholds)


def test_curve_of_few_sentences_has_no_interval() -> None:
    curve = curve_of([["x.9"], ["y.4"]], [["x"], ["x"]])
    assert all(math.isnan(interval.low) for interval in curve.intervals({"all": 0}, replicates=20).values())


def test_many_confidences_become_quantiles() -> None:
    several = [[f"x{k / 100}"] for k in range(100)]
    curve = curve_of(several, [["x"]] * 100, steps=5, also=[0.3])
    assert curve.thresholds.tolist() == [0, 0.25, 0.3, 0.5, 0.74, 0.99]
    assert (curve.suggestions[2], curve.figures["score"][2], curve.confidences) == (
        70,
        pytest.approx(1.25 * 0.7 / 0.95),
        100,
    )
    assert len(curve_of(several, [["x"]] * 100).thresholds) == 100


def test_references_chosen_by_other_sentences_bound_the_thresholds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CHOICES", 40)
    gold = [Block("a", (Edit(0, 1, "R", ("x",), annotator=k),)) for k in range(1)] * 10
    two = [Block("a", tuple(Edit(0, 1, "R", (t,), annotator=k) for k, t in enumerate("xy")))] * 10
    system = [Block("a", (Edit(0, 1, "R", ("x",), comment=str(k)),)) for k in range(10)]
    metrics = metrics_of_specs(["errant"], {})
    for blocks, expected in ((gold, 10), (two, 4)):
        corpus = Corpus(["a"] * 10, gold=blocks, systems={"A": system})
        [curve] = threshold_curves(ConfidentSystem(corpus, "A", metrics))
        assert (len(curve.thresholds), curve.confidences) == (expected, 10)


def test_metric_that_samples_references_is_refused() -> None:
    [gleu] = metrics_of_specs(["gleu"], {})
    several = Corpus(["a"], [["x"], ["y"]], {"A": [Block("a", (Edit(0, 1, "R", ("x",), comment="1"),))]})
    with pytest.raises(UsageError, match="gleu samples references"):
        threshold_curves(ConfidentSystem(several, "A", [gleu]))


def test_too_many_edits_in_all_variants_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confident_systems, "MOST_EDITS", 20)
    several = [[f"x{k}" for k in range(6)]]
    with pytest.raises(UsageError, match="too many confidences, 42 edits in all variants"):
        curve_of(several, [["x"]])
    assert curve_of(several, [["x"]], steps=2).thresholds.tolist() == [0, 5]


# --- scores that silence satisfies ---


def curve_under(metric: str, system: list[list[Edit]], gold: list[list[Edit]]) -> ThresholdCurve:
    corpus = Corpus([SOURCE] * len(gold), (), {"it": blocks_of(system)}, blocks_of(gold))
    [curve] = threshold_curves(ConfidentSystem(corpus, "it", metrics_of_specs([metric], {})))
    return curve


RIGHT, WRONG = Edit(0, 1, "R:X", ("x",), comment="0.9"), Edit(2, 3, "R:X", ("y",), comment="0.4")
SUGGESTED, GOLD = [[RIGHT, WRONG], [WRONG], []], [[replace(RIGHT, comment="")], [], []]


@pytest.mark.parametrize("metric", ["false-alarms", "false-alarms:per=words", "false-alarms:rule=each"])
def test_no_threshold_is_best_where_silence_has_the_best_possible_score(metric: str) -> None:
    curve = curve_under(metric, SUGGESTED, GOLD)
    assert curve.figures["score"][-1] == 0
    assert curve.best is None
    assert "best_threshold" not in curve.intervals({"all": 0}, replicates=20)


@pytest.mark.parametrize("metric", ["errant", "errant:beta=0", "green", "gleu:selection=mean", "maxmatch"])
def test_threshold_is_best_where_silence_misses_edits(metric: str) -> None:
    best = curve_under(metric, SUGGESTED, GOLD).best
    assert best is not None
    assert curve_under(metric, SUGGESTED, GOLD).thresholds[best] == 0.9


def test_no_threshold_is_best_without_scores() -> None:
    curve = curve_under("false-alarms", SUGGESTED[:1], GOLD[:1])
    assert np.isnan(curve.figures["score"]).all()
    assert curve.best is None


@pytest.mark.parametrize("metric", ["net-benefit:cost=9", "green", "errant"])
def test_no_threshold_is_best_where_silence_is_no_worse(metric: str) -> None:
    assert curve_under(metric, [[WRONG, replace(RIGHT, start=3, end=4)], [WRONG], []], GOLD).best is None


def test_threshold_is_best_where_a_low_cost_makes_it_better_than_silence() -> None:
    curve = curve_under("net-benefit:cost=0.5", SUGGESTED, GOLD)
    assert curve.best is not None
    assert curve.thresholds[curve.best] == 0.9
