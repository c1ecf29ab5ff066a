"""Charts of a report: colours, small groups, and numbers next to bars."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

import geceval
from geceval.reporting.charts import Charts
from geceval.reporting.overview import GroupCell, Overview
from geceval.tables.charts import COLOURED, WIDTH
from geceval.tables.svg import width_of
from support.drawings import problems_of
from support.examples import SOURCE
from support.reports import OPTIONS, labelled_examples, seen


@pytest.fixture(scope="module")
def many_systems() -> Overview:
    """An overview of more systems than there are colours."""
    systems = {f"system {k:02}": [*SOURCE[:k], *labelled_examples().references[0][k:]] for k in range(COLOURED + 3)}
    labels = ["large"] * 35 + ["small"] * 5
    corpus = geceval.Corpus(SOURCE, labelled_examples().references, systems, labels=labels)
    return seen(corpus, [geceval.Errant(), geceval.Gleu()], 0, replace(OPTIONS, samples=20, pairs="none"))


def test_the_best_systems_by_the_first_metric_have_colours(many_systems: Overview) -> None:
    colours = Charts(many_systems, 2).systems.colours
    assert [colours[f"system {k:02}"] for k in range(COLOURED)] == [f"s{k + 1}" for k in range(COLOURED)]
    assert {colours[f"system {k:02}"] for k in range(COLOURED, COLOURED + 3)} == {"s0"}


def test_groups_of_few_sentences_are_faint(many_systems: Overview) -> None:
    charts = Charts(many_systems, 2)
    for chart in (charts.groups(many_systems.groups[0]), charts.lengths(many_systems.lengths[0])):
        ET.fromstring(chart)
        assert "faint" in chart
    groups = charts.groups(many_systems.groups[0])
    faint = re.findall(r'class="[^"]*mark faint"[^>]*><title>([^:<]*)', groups)
    clear = re.findall(r'class="\w+ mark"[^>]*><title>([^:<]*)', groups)
    assert set(faint) == {"small"}
    assert {*clear} - {*charts.systems.shapes} == {"large"}
    assert "large · 35" in groups


def test_every_chart_names_every_system_in_its_description(many_systems: Overview) -> None:
    charts = Charts(many_systems, 2)
    for chart in (charts.scores("errant"), charts.scores("gleu"), charts.precision_recall("errant")):
        text = "".join(ET.fromstring(chart).itertext())
        assert all(name in text for name in many_systems.systems)


def test_labels_of_a_report_are_free(many_systems: Overview) -> None:
    charts, [types] = Charts(many_systems, 2), many_systems.types
    drawn = [*(charts.scores(metric) for metric in many_systems.metrics), charts.precision_recall("errant")]
    drawn += [charts.lengths(many_systems.lengths[0]), charts.groups(many_systems.groups[0])]
    drawn += [chart for system in many_systems.systems if (chart := charts.types(types, system))]
    assert len(drawn) > 10
    assert [problem for svg in drawn for problem in problems_of(svg)] == []


@pytest.mark.parametrize("many", [532.0, 9532.0])
def test_numbers_next_to_bars_are_inside_the_chart(many_systems: Overview, many: float) -> None:
    """Also those of systems without a colour, whose bars may end at the edge."""
    cells = {name: {"DET": GroupCell(0.5, {}, 1224.0, 32.0, 1212.0)} for name in many_systems.systems}
    cells["system 10"] = {"DET": GroupCell(0.5, {}, 1.0, many, 2435.0)}
    table = replace(many_systems.types[0], groups=("DET",), cells=cells)
    for system in ("system 00", "system 10"):
        chart = Charts(many_systems, 2).types(table, system)
        numbers = re.findall(r'<text class="([^"]*small)" x="([^"]+)"[^>]*>([^<]+)', chart or "")
        assert len(numbers) == 2
        for classes, x, text in numbers:
            width = width_of(text) * 9.5 / 11
            left = float(x) - (width if "end" in classes else 0)
            assert 0 <= left <= left + width <= WIDTH
