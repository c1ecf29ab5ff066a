"""``geceval metrics``: the list, and the settings of each metric."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest

from geceval.app.metrics_command import MetricFacts, limits_text, metric_facts
from geceval.base.arguments import Bounds
from geceval.base.errors import UsageError
from geceval.counting.metric_names import METRICS, make_metric, parse_specs
from geceval.counting.settings import settings_of
from support.commands import Run
from support.toys import TOYS

every_metric = pytest.mark.parametrize("name", METRICS.builtin)


def fits(lines: Iterable[str]) -> bool:
    return all(len(line) <= 80 for line in lines)


def test_list_has_every_metric_and_fits_80_columns(run: Run) -> None:
    out = run("metrics").out
    table = out[: out.index("\n\n")].splitlines()[2:]
    assert [line.split()[0] for line in table] == list(METRICS.builtin)
    assert fits(out.splitlines())
    rows = json.loads(run("metrics", "-f", "json").out)["metrics"]
    assert [row["metric"] for row in rows] == list(METRICS.builtin)
    assert {row["needs"] for row in rows} == {"references or gold", "gold edits", "source alone", "language model"}


@every_metric
def test_metric_states_what_it_measures_and_each_setting(name: str) -> None:
    facts = metric_facts(name)
    assert facts.cls.about.measures
    assert [one.name for one in facts.settings if not one.meaning] == []
    [(named, settings)] = parse_specs([f"{name}:{facts.cls.about.example}"])
    assert settings
    assert make_metric(named, **settings) != make_metric(named)


@every_metric
def test_settings_fit_80_columns_and_are_all_there(name: str, run: Run) -> None:
    lines = run("metrics", name.upper()).out.splitlines()
    assert fits(lines)
    assert lines[0].startswith(f"{name}: ")
    document = json.loads(run("metrics", name, "-f", "json").out)
    settings = [one["name"] for one in document["settings"]]
    assert settings == list(settings_of(METRICS[name]))
    assert [line.split()[0] for line in lines if line[:2] == "  " and line[2:3].strip()][: len(settings)] == settings


@every_metric
def test_default_of_a_setting_is_read_back(name: str) -> None:
    for one in metric_facts(name).settings:
        if one.default_text != "empty":
            assert make_metric(name, **{one.name: one.default_text}) == make_metric(name)


def test_setting_of_a_plug_in_may_lack_a_meaning() -> None:
    facts = [one for toy in TOYS for one in MetricFacts(toy.name, type(toy)).settings]
    assert facts
    assert any(one.meaning == "" and one.values for one in facts)


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        (None, ""),
        (Bounds(), ""),
        (Bounds(1, 100), "1 to 100"),
        (Bounds(0, 1_000_000), "0 to 1000000"),
        (Bounds(0, 1e150), "0 or more"),
        (Bounds(0, open=True), "more than 0"),
        (Bounds(-1, 1), "-1 to 1"),
    ],
)
def test_limits_are_said_in_words(bounds: Bounds | None, words: str) -> None:
    assert limits_text(bounds) == words


def test_unknown_names_point_to_the_list(run: Run) -> None:
    refused = run("metrics", "erant")
    assert (refused.status, refused.out) == (2, "")
    assert "did you mean errant?" in refused.err
    with pytest.raises(UsageError) as refusal:
        make_metric("errant", mod="ds")
    assert refusal.value.hint == "did you mean mode? see: geceval metrics errant"
