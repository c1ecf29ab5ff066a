"""The page of each metric: its sections, and what tools/metric_pages.py adds for the site."""

from __future__ import annotations

import re

import pytest

from geceval.counting.metric_names import METRICS
from geceval.inspection.metric_facts import metric_facts
from support.pages import ROOT
from support.scripts import import_script

pages = import_script("tools/metric_pages.py")
#: Sections in their order, and those that some pages do not need.
SECTIONS = (
    "Formula",
    "Use",
    "Settings",
    "What it rewards",
    "Agreement with people",
    "Same numbers",
    "Empty lines",
    "Source and cost",
)
OPTIONAL = {"Agreement with people", "Same numbers"}

every_metric = pytest.mark.parametrize("name", METRICS.builtin)


def page_of(name: str) -> str:
    """Return the page of a metric."""
    page = metric_facts(name).page
    assert page is not None
    return (ROOT / "docs" / page).read_text(encoding="utf-8")


@every_metric
def test_page_has_the_sections_of_the_template_in_order(name: str) -> None:
    headings = re.findall(r"^## (.*)$", page_of(name), re.MULTILINE)
    assert headings == [section for section in SECTIONS if section in headings or section not in OPTIONAL]


@every_metric
def test_page_starts_with_its_title_and_what_it_measures(name: str) -> None:
    lines = page_of(name).splitlines()
    assert lines[0].startswith("# ")
    assert lines[2][:1] not in {"", "#"}


@every_metric
def test_site_has_the_agreement_with_people_that_the_evidence_states(name: str) -> None:
    page = pages.with_parts(page_of(name), name)
    assert ("| r of systems" in page) is (name in pages.MEASURED)
    assert "<!-- " not in page.replace("<!-- needs", "").replace("<!-- not run", "")


@every_metric
def test_site_names_every_setting_once(name: str) -> None:
    part = dict(pages.parts(name))["settings"]
    rows = re.findall(r"^\| `([a-z_0-9]+)=", part, re.MULTILINE)
    below = re.findall(r"`([a-z_0-9]+)`", part[part.rindex("|") :])
    assert sorted([*rows, *below]) == sorted(setting.name for setting in metric_facts(name).settings)


def test_ranges_are_described_in_words() -> None:
    scale = pages.Scale
    assert pages.range_text(scale()) == "0 to 100"
    assert pages.range_text(scale(higher_is_better=False)) == "0 to 100, lower is better"
    assert pages.range_text(scale(0, float("inf"))) == "0 or more"
    assert pages.range_text(scale(1, 10, in_percent=False)) == "1 to 10"
