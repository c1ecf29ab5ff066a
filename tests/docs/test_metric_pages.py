"""The section of each metric on its page, and what tools/metric_pages.py adds for the site."""

from __future__ import annotations

import re

import pytest

from geceval.counting.metric_classes import METRICS
from geceval.inspection.metric_facts import metric_facts
from support.scripts import import_script

pages = import_script("tools/metric_pages.py")
#: What a section may state, in this order.
LABELS = ("Rewards", "Compared with")

every_metric = pytest.mark.parametrize("name", METRICS.builtin)


@every_metric
def test_section_of_a_metric_starts_with_its_title_and_what_it_measures(name: str) -> None:
    lines = pages.section_of(metric_facts(name)).splitlines()
    assert lines[0].startswith("## ")
    assert lines[2][:1] not in {"", "#", "<", "`"}


@every_metric
def test_section_of_a_metric_states_what_it_rewards_before_what_it_was_compared_with(name: str) -> None:
    section = pages.section_of(metric_facts(name))
    labels = re.findall(r"\*\*(Rewards|Compared with)\*\*", section)
    assert labels == [label for label in LABELS if label in labels]


@every_metric
def test_site_has_the_agreement_with_people_that_the_evidence_states(name: str) -> None:
    section = pages.with_parts(pages.section_of(metric_facts(name)), [name])
    assert ("| r of systems" in section) is (name in pages.MEASURED)
    assert "<!-- " not in section.replace("<!-- needs", "").replace("<!-- not run", "")


@every_metric
def test_site_names_every_setting_once(name: str) -> None:
    part = pages.settings_part(metric_facts(name))
    rows = re.findall(r"^\| `([a-z_0-9]+)=", part, re.MULTILINE)
    below = re.findall(r"`([a-z_0-9]+)`", part[part.rindex("|") :])
    assert sorted([*rows, *below]) == sorted(setting.name for setting in metric_facts(name).settings)


def test_ranges_are_described_in_words() -> None:
    scale = pages.Scale
    assert pages.range_text(scale()) == "0 to 100"
    assert pages.range_text(scale(higher_is_better=False)) == "0 to 100, lower is better"
    assert pages.range_text(scale(0, float("inf"))) == "0 or more"
    assert pages.range_text(scale(1, 10, in_percent=False)) == "1 to 10"
