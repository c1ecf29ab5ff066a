"""``geceval metrics``: the list, and the settings of each metric."""

from __future__ import annotations

import json

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval.base.arguments import Bounds
from geceval.base.errors import UsageError
from geceval.counting.metric_names import METRICS, make_metric, parse_specs
from geceval.counting.settings import settings_of
from geceval.inspection.metric_facts import MetricFacts, limits_text, metric_facts
from support.commands import Run
from support.toys import TOYS

every_metric = pytest.mark.parametrize("name", METRICS.builtin)


def test_list_has_every_metric_and_fits_80_columns(run: Run) -> None:
    out = run("metrics").out
    table = out[: out.index("\n\n")].splitlines()[2:]
    assert [line.split()[0] for line in table] == list(METRICS.builtin)
    assert max(map(len, out.splitlines())) <= 80
    rows = json.loads(run("metrics", "-f", "json").out)["metrics"]
    assert [row["metric"] for row in rows] == list(METRICS.builtin)
    assert {row["needs"] for row in rows} == {"references or gold", "gold edits", "source alone", "language model"}


@every_metric
def test_metric_states_what_it_measures_and_each_setting(name: str) -> None:
    facts = metric_facts(name)
    assert facts.cls.about.measures
    assert [setting.name for setting in facts.settings if not setting.meaning] == []
    [(_, settings)] = parse_specs([f"{name}:{facts.cls.about.example}"])
    assert settings
    assert make_metric(name, **settings) != make_metric(name)


@every_metric
def test_page_of_a_metric_lists_all_settings_in_80_columns(name: str, run: Run) -> None:
    lines = run("metrics", name.upper()).out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith(f"{name}: ")
    document = json.loads(run("metrics", name, "-f", "json").out)
    settings = [setting["name"] for setting in document["settings"]]
    assert settings == list(settings_of(METRICS[name]))
    assert [line.split()[0] for line in lines if line[:2] == "  " and line[2:3].strip()][: len(settings)] == settings


@every_metric
def test_default_of_a_setting_is_read_back(name: str) -> None:
    for setting in metric_facts(name).settings:
        if setting.default_text != "empty":
            assert make_metric(name, **{setting.name: setting.default_text}) == make_metric(name)


def test_setting_of_a_plug_in_may_lack_a_meaning() -> None:
    settings = [setting for toy in TOYS for setting in MetricFacts(toy.name, type(toy)).settings]
    assert any(setting.meaning == "" and setting.values for setting in settings)


@pytest.mark.parametrize(
    ("bounds", "expected"),
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
def test_limits_of_a_setting_are_described_in_words(bounds: Bounds | None, expected: str) -> None:
    assert limits_text(bounds) == expected


def test_unknown_name_is_refused_with_the_nearest_one(run: Run, snapshot: SnapshotAssertion) -> None:
    assert run("metrics", "erant") == snapshot
    with pytest.raises(UsageError) as error:
        make_metric("errant", mod="ds")
    assert error.value.hint == "did you mean mode? see: geceval metrics errant"
