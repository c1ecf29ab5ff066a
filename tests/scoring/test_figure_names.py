"""Names of scores and of their parts."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from geceval import Green
from geceval.base.errors import UsageError
from geceval.counting.metric import Metric
from geceval.counting.metric_names import METRICS, make_metric, metrics_of_specs
from geceval.scoring.evaluation import NamedFigure, figure_named, part_names


def metrics_of(specs: list[str]) -> list[Metric[object]]:
    return [*metrics_of_specs(specs, {})]


@pytest.mark.parametrize("name", METRICS.builtin)
def test_scores_and_parts_of_every_metric_are_found_by_name(name: str) -> None:
    metric = make_metric(name)
    assert figure_named(name, [metric]) == NamedFigure(metric)
    for part in part_names(metric):
        assert figure_named(f"{name}.{part.upper()}", [metric]) == NamedFigure(metric, part)
        assert figure_named(f"{name}.{part}", [], metrics_of) == NamedFigure(metric, part)


def test_settings_tell_metrics_apart() -> None:
    half, two, _ = found = metrics_of(["green:beta=0.5", "green:beta=2", "m2"])
    for name in ("green:beta=0.5", "GREEN beta=0.5", "Green:beta=.50"):
        assert figure_named(name, found) == NamedFigure(half)
    assert figure_named("green:beta=2.precision", found) == NamedFigure(two, "precision")
    assert figure_named("MaxMatch", found) == figure_named("m2", found)
    with pytest.raises(UsageError, match="'green' may be several metrics of this run") as error:
        figure_named("green.recall", found)
    assert error.value.hint == "choose from green:beta=0.5, green:beta=2"


def test_metrics_that_are_not_given_are_made() -> None:
    [given] = metrics_of(["errant:mode=ds"])
    figures = ["ERRANT.recall", "green:beta=0.5", "green:beta=0.5.precision", "errant:annotator=plain.recall", "green"]
    found = [figure_named(name, [given], metrics_of) for name in figures]
    [half, two, plain] = metrics_of(["green:beta=0.5", "green", "errant:annotator=plain"])
    assert [figure.metric for figure in found] == [given, half, half, plain, two]
    assert [figure.part for figure in found] == ["recall", "", "precision", "recall", ""]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gren", "unknown metric 'gren'"),
        ("gren.precision", "unknown metric 'gren'"),
        ("green:beta=much", "beta"),
        ("green:gamma=1", "green has no setting 'gamma'"),
        ("green,errant", "'green,errant' names several metrics"),
        ("", "unknown metric ''"),
    ],
)
def test_metric_that_does_not_exist_is_refused(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        figure_named(name, [], metrics_of)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("errant.precison", "ERRANT has no precison; its parts: precision, recall"),
        ("gren", "'gren' is not a metric of this run: choose from errant, green"),
        ("green:beta=3", "'green:beta=3' is not a metric of this run"),
    ],
)
def test_figure_that_a_run_does_not_have_is_refused(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        figure_named(name, metrics_of(["errant", "green"]))


def test_limits_in_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times 100 for shares; a part of a score that can be negative can be as low."""
    figures = [NamedFigure(make_metric("green"), part) for part in ("", "precision")]
    assert [figure.limits for figure in figures] == [(0.0, 100.0)] * 2
    monkeypatch.setattr(Green, "scale", replace(Green.scale, low=-1.0))
    assert [figure.limits for figure in figures] == [(-100.0, 100.0)] * 2
    assert NamedFigure(make_metric("false-alarms"), "edits_per_sentence").limits == (-math.inf, math.inf)
    assert NamedFigure(make_metric("false-alarms"), "sentences").scale == 1
    assert NamedFigure(make_metric("false-alarms", per="words")).limits == (0, math.inf)
