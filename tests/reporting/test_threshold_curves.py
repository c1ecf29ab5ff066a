"""Scores at thresholds of confidence equal those of a system with only the edits of at least each threshold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import Corpus, m2
from geceval.base.errors import UsageError
from geceval.counting.metric_names import metrics_of_specs
from geceval.counting.run import evaluate
from geceval.m2 import Block, Edit, noop
from geceval.reporting import explorer
from geceval.reporting import threshold_curves as module
from geceval.reporting.explorer import ConfidentSystem
from geceval.reporting.threshold_curves import ThresholdCurve, threshold_curves
from support.strategies import records

SOURCE = "a b c d e f"
#: Metrics of each kind of choice: in the order of the sentences, for the best total, by sentence, averaged.
METRICS = [
    *("errant", "errant:mode=cse,selection=optimum", "errant:mode=ds", "errant:mode=dt", "errant:size=single"),
    *("maxmatch", "maxmatch:selection=optimum", "green", "gleu:selection=mean"),
]


def made(start: int, length: int, text: str, confidence: str, annotator: int) -> Edit:
    end = min(start + length, 6)
    operation = "M" if start == end else "U" if not text else "R"
    return Edit(start, end, f"{operation}:OTHER", (text or m2.DELETE,), comment=confidence, annotator=annotator)


def blocks_of(edits: list[list[Edit]]) -> list[Block]:
    return [Block(SOURCE, tuple(own) or (noop(0),)) for own in edits]


def apart(edits: list[Edit], annotators: int) -> list[Edit]:
    """The edits of each annotator that do not touch an earlier one."""
    kept: list[Edit] = []
    for edit in edits:
        own = [other for other in kept if other.annotator == edit.annotator]
        if edit.annotator < annotators and all(o.end < edit.start or edit.end < o.start for o in own):
            kept.append(edit)
    return kept + [noop(k) for k in range(annotators) if k not in {edit.annotator for edit in kept}]


def sentences_of(annotators: int, size: int) -> Any:
    values = (range(6), (0, 1, 1, 2), ("", "x", "y"), (".5", "0.2", "1", "-3", "2e-1"), range(annotators))
    some = records(made, *values, max_size=6).map(lambda edits: apart(edits, annotators))
    return st.lists(some, min_size=size, max_size=size)


def at_least(system: list[Block], threshold: float) -> list[Block]:
    return blocks_of([[e for e in block.edits if not e.is_noop and float(e.comment) >= threshold] for block in system])


@st.composite
def corpora(draw: Any) -> tuple[Corpus, list[Block]]:
    size = draw(st.integers(1, 4))
    gold, system = draw(sentences_of(draw(st.integers(1, 3)), size)), draw(sentences_of(1, size))
    if all(edit.is_noop for own in system for edit in own):
        system[0] = [made(1, 1, "x", "0.7", 0)]
    blocks = blocks_of(system)
    return Corpus([SOURCE] * size, gold=blocks_of(gold), systems={"A": blocks, "text": [SOURCE] * size}), blocks


@given(corpora(), st.sampled_from(METRICS))
def test_a_score_at_a_threshold_is_that_of_the_edits_of_at_least_this_confidence(
    drawn: tuple[Corpus, list[Block]], spec: str
) -> None:
    corpus, system = drawn
    [metric] = metrics_of_specs([spec], {})
    [curve] = threshold_curves(ConfidentSystem(corpus, "A", [metric], threads=1), also=[0.3])
    edits = [float(edit.comment) for block in system for edit in block.edits if not edit.is_noop]
    assert curve.thresholds.tolist() == sorted({*edits, 0.3})
    assert curve.suggestions.tolist() == [sum(own >= t for own in edits) for t in [*curve.thresholds, math.inf]]
    for at, threshold in enumerate([*curve.thresholds, math.inf]):
        own = Corpus(corpus.source, gold=corpus.gold, systems={"A": at_least(system, threshold)})
        [result] = evaluate(own, [metric], threads=1, checks=False)["A"]
        score = result.score()
        assert curve.signature == score.signature
        figures = {name: None if math.isnan(own[at]) else own[at] for name, own in curve.figures.items()}
        assert figures == {**score.parts, "score": score.value}


def curve_of(confidences: list[list[str]], gold: list[list[str]], **options: Any) -> ThresholdCurve:
    """The curve of insertions: a suggestion or a gold edit is a letter; the confidence follows a suggestion's."""
    source = ["a b"] * len(gold)
    made = [[Edit(1, 1, "M", (one[0],), comment=one[1:]) for one in own] for own in confidences]
    right = [[Edit(1, 1, "M", (one,)) for one in own] for own in gold]
    corpus = Corpus(
        source,
        gold=[Block(*pair) for pair in zip(source, [tuple(own) or (noop(0),) for own in right], strict=True)],
        systems={"A": [Block(*pair) for pair in zip(source, [tuple(own) or (noop(0),) for own in made], strict=True)]},
    )
    [curve] = threshold_curves(ConfidentSystem(corpus, "A", metrics_of_specs(["errant"], {})), **options)
    return curve


def test_a_curve_by_hand() -> None:
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
        [[f"{'x' if own else 'y'}{confidence}"] for own, confidence in zip(right, confidences, strict=True)],
        [["x"]] * 200,
    )
    expected = metrics.average_precision_score(right, confidences) * right.mean()
    assert curve.average_precision == pytest.approx(expected, abs=1e-12)


def test_of_equal_scores_the_highest_threshold_is_the_best() -> None:
    assert curve_of([["x.9"]], [["x"]], also=[0.1, 0.5]).thresholds.tolist() == [0.1, 0.5, 0.9]
    assert curve_of([["x.9"]], [["x"]], also=[0.1, 0.5]).best == 2


def test_intervals_are_quantiles_of_curves_of_resampled_sentences() -> None:
    suggestions, gold = [["x.9"], ["y.4"], ["x.4"], ["y.7"], []], [["x"], ["x"], ["x"], [], ["x"]]
    curve = curve_of(suggestions, gold)
    assert curve.thresholds.tolist() == [0.4, 0.7, 0.9]
    drawn = [np.bincount(own, minlength=5) for own in np.random.RandomState(5).randint(5, size=(60, 5))]
    for own in drawn:
        some = [at for at, number in enumerate(own) for _ in range(number)]
        resampled = curve_of(
            [suggestions[at] for at in some], [gold[at] for at in some], also=curve.thresholds.tolist()
        )
        assert curve.figures_of(own)["score"].tolist() == resampled.figures["score"].tolist()
    places = {"all": 0, "best": curve.best}
    found = curve.intervals(places, replicates=200)
    assert found == curve.intervals(places, replicates=200) != curve.intervals(places, replicates=200, seed=1)
    assert list(found) == ["best_threshold", "average_precision", "all", "best"]
    for name, at in places.items():
        assert found[name].low <= curve.figures["score"][at] <= found[name].high
    assert {found["best_threshold"].low, found["best_threshold"].high} <= set(curve.thresholds)


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


def test_what_has_no_curve_is_refused() -> None:
    [gleu] = metrics_of_specs(["gleu"], {})
    several = Corpus(["a"], [["x"], ["y"]], {"A": [Block("a", (Edit(0, 1, "R", ("x",), comment="1"),))]})
    with pytest.raises(UsageError, match="gleu samples references"):
        threshold_curves(ConfidentSystem(several, "A", [gleu]))


def test_variants_have_at_most_so_many_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorer, "MOST_EDITS", 20)
    several = [[f"x{k}" for k in range(6)]]
    with pytest.raises(UsageError, match="too many confidences, 42 edits in all variants"):
        curve_of(several, [["x"]])
    assert curve_of(several, [["x"]], steps=2).thresholds.tolist() == [0, 5]
