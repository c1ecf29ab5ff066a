"""The table of settings on a metric's page agrees with ``geceval metrics NAME``."""

from __future__ import annotations

import re

import pytest

from geceval.app.metrics_command import SettingFacts, metric_facts
from geceval.counting.metric_names import METRICS
from support.pages import ROOT

HEAD = "| setting | values | default | meaning |"


def settings_table(page: str) -> list[list[str]]:
    """Return the cells of the table of settings."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    [block] = re.findall(rf"^{re.escape(HEAD)}\n.*\n((?:\|.*\n)*)", text, flags=re.MULTILINE)
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in block.splitlines()]


def values_cell(setting: SettingFacts) -> str:
    """Return the values of a setting as in the table of a page."""
    return ", ".join(f"`{value}`" for value in setting.values.split(", ")) if setting.choices else setting.values


@pytest.mark.parametrize("name", METRICS.builtin)
def test_settings_on_the_page_agree_with_the_command(name: str) -> None:
    facts = metric_facts(name)
    assert facts.page is not None
    rows = settings_table(facts.page)
    assert [row[0] for row in rows] == [f"`{setting.name}`" for setting in facts.settings]
    for setting, (_, values, default, meaning) in zip(facts.settings, rows, strict=True):
        assert (values, default) == (values_cell(setting), f"`{setting.default_text}`")
        assert meaning == setting.meaning or meaning.startswith(f"{setting.meaning}. ")


@pytest.mark.parametrize("name", METRICS.builtin)
def test_page_names_the_command_that_prints_its_settings(name: str) -> None:
    text = (ROOT / "docs" / str(metric_facts(name).page)).read_text(encoding="utf-8")
    assert f"\n    geceval metrics {name}\n" in text
