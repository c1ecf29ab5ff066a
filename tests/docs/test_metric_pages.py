"""The pages of metrics say of the settings what ``geceval metrics NAME`` says."""

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


def values_cell(one: SettingFacts) -> str:
    """Return the values as a page has them."""
    return ", ".join(f"`{value}`" for value in one.values.split(", ")) if one.choices else one.values


@pytest.mark.parametrize("name", METRICS.builtin)
def test_page_agrees_with_the_command(name: str) -> None:
    facts = metric_facts(name)
    assert facts.page is not None
    rows = settings_table(facts.page)
    assert [row[0] for row in rows] == [f"`{one.name}`" for one in facts.settings]
    for one, (_, values, default, meaning) in zip(facts.settings, rows, strict=True):
        assert (values, default) == (values_cell(one), f"`{one.default_text}`")
        assert meaning == one.meaning or meaning.startswith(f"{one.meaning}. ")


@pytest.mark.parametrize("name", METRICS.builtin)
def test_page_names_the_command_that_prints_its_settings(name: str) -> None:
    text = (ROOT / "docs" / str(metric_facts(name).page)).read_text(encoding="utf-8")
    assert f"\n    geceval metrics {name}\n" in text
