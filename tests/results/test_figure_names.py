"""Names of scores and of their parts."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval import Green
from geceval.counting.metric import Metric
from geceval.counting.metric_classes import METRICS
from geceval.counting.metric_names import make_metric, metrics_of_specs
from geceval.results.named_figures import NamedFigure, figure_named, part_names
from support.messages import message_of


def metrics_of(specs: list[str]) -> list[Metric[object]]:
    return [*metrics_of_specs(specs, {})]


@pytest.mark.parametrize("name", METRICS.builtin)
def test_scores_and_parts_of_every_metric_are_found_by_name(name: str) -> None:
    metric = make_metric(name)
    assert figure_named(name, [metric]) == NamedFigure(metric)
    for part in part_names(metric):
        assert figure_named(f"{name}.{part.upper()}", [metric]) == NamedFigure(metric, part)
        assert figure_named(f"{name}.{part}", [], metrics_of) == NamedFigure(metric, part)


def test_settings_distinguish_metrics(snapshot: SnapshotAssertion) -> None:
    half, two, _ = metrics = metrics_of(["green:beta=0.5", "green:beta=2", "m2"])
    for name in ("green:beta=0.5", "GREEN beta=0.5", "Green:beta=.50"):
        assert figure_named(name, metrics) == NamedFigure(half)
    assert figure_named("green:beta=2.precision", metrics) == NamedFigure(two, "precision")
    assert figure_named("MaxMatch", metrics) == figure_named("m2", metrics)
    assert message_of(figure_named, "green.recall", metrics) == snapshot


def test_metric_that_a_run_does_not_have_is_made_from_its_name() -> None:
    [sentences] = metrics_of(["errant:mode=ds"])
    names = ["ERRANT.recall", "green:beta=0.5", "green:beta=0.5.precision", "errant:annotator=plain.recall", "green"]
    figures = [figure_named(name, [sentences], metrics_of) for name in names]
    [half, two, plain] = metrics_of(["green:beta=0.5", "green", "errant:annotator=plain"])
    assert [figure.metric for figure in figures] == [sentences, half, half, plain, two]
    assert [figure.part for figure in figures] == ["recall", "", "precision", "recall", ""]


@pytest.mark.parametrize("name", ["gren", "gren.precision", "green:beta=much", "green:gamma=1", "green,errant", ""])
def test_unknown_metric_is_refused(name: str, snapshot: SnapshotAssertion) -> None:
    assert message_of(figure_named, name, [], metrics_of) == snapshot


@pytest.mark.parametrize("name", ["errant.precison", "gren", "green:beta=3"])
def test_figure_that_a_run_does_not_have_is_refused(name: str, snapshot: SnapshotAssertion) -> None:
    assert message_of(figure_named, name, metrics_of(["errant", "green"])) == snapshot


def test_limits_of_a_figure_are_those_of_its_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shares are in percent, and the parts of a score that can be negative have its lower limit."""
    figures = [NamedFigure(make_metric("green"), part) for part in ("", "precision")]
    assert [figure.limits for figure in figures] == [(0.0, 100.0)] * 2
    monkeypatch.setattr(Green, "scale", replace(Green.scale, low=-1.0))
    assert [figure.limits for figure in figures] == [(-100.0, 100.0)] * 2
    assert NamedFigure(make_metric("false-alarms"), "edits_per_sentence").limits == (-math.inf, math.inf)
    assert NamedFigure(make_metric("false-alarms"), "sentences").scale == 1
    assert NamedFigure(make_metric("false-alarms", per="words")).limits == (0, math.inf)
