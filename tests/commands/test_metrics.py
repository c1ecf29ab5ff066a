"""``geceval metrics``: the list, and the settings of each metric."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval.base.arguments import Bounds
from geceval.base.errors import UsageError
from geceval.counting.metric_classes import METRICS
from geceval.counting.metric_names import make_metric, parse_specs
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


LENGTHS = """
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from geceval.extending import Best, Counts, Metric


@dataclass(frozen=True)
class Lengths(Metric[Any]):
    name: ClassVar[str] = "lengths"
    uses_references: ClassVar[bool] = False
    columns = ("hypothesis", "source")
    policy = Best()

    def prepare(self, corpus, threads=0):
        return np.array([len(line.split()) for line in corpus.source])

    def count(self, prepared, hypothesis, threads=0, *, evidence=False):
        lengths = np.array([len(line.split()) for line in hypothesis])
        return Counts(np.stack([lengths, prepared], axis=-1)[:, np.newaxis], self.columns)

    def score(self, totals):
        return np.minimum(totals[..., 0] / np.maximum(totals[..., 1], 1), 1)


class Unbounded(Lengths):
    def score(self, totals):
        return totals[..., 0] / np.maximum(totals[..., 1], 1) * 3


class OfOne(Lengths):
    def score(self, totals):
        return totals[0] / max(totals[1], 1)


class Plain:
    pass
"""


def test_laws_are_tried_on_a_metric_in_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "lengths.py"
    path.write_text(LENGTHS, encoding="utf-8")
    result = run("metrics", "--check", f"{path}:Lengths")
    assert result.status == 0, result.err
    assert " no " not in result.out
    result = run("metrics", "--check", f"{path}:Unbounded", "-f", "json")
    assert result.status == 1
    [faults] = json.loads(result.out)["metrics"].values()
    assert [law for law, fault in faults.items() if fault] == ["scores are in range"]
    assert faults["scores are in range"].endswith("is not within 0 to 1: set scale")
    result = run("metrics", "--check", f"{path}:OfOne")
    assert result.status == 1
    assert "sums are scored together as alone" in result.out
    result = run("metrics", "--check", f"{path}:Plain")
    assert result.status == 2
    assert "the class Plain is not a metric" in result.err
    assert "docs/new-metric.md" in result.err
    assert run("metrics", "errant", "--check", "green").status == 2


@pytest.mark.parametrize("name", ["green", "errant", "gleu"])
def test_laws_hold_for_metrics_of_the_package(run: Run, name: str) -> None:
    assert run("metrics", "--check", name).status == 0
