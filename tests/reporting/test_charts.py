"""Charts: scales, names of points, lines of equal F, and small groups."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import geceval
from geceval.counting.policies import f_score
from geceval.reporting.charts import Charts
from geceval.reporting.overview import Overview
from geceval.tables.charts import COLOURED, _other_part, shortened
from geceval.tables.svg import Drawing, Scale, _around, _overlaps, name_points, spread, width_of
from support.examples import SOURCE
from support.reports import OPTIONS, labelled_examples, seen

FINITE = st.floats(-1e6, 1e6)


@given(FINITE, FINITE, st.integers(2, 12))
def test_ticks_are_few_even_and_within_the_ends(first: float, second: float, most: int) -> None:
    low, high = sorted((first, second))
    assume(high - low > 1e-6)
    scale = Scale(low, high, 0, 100)
    ticks = scale.ticks(most)
    slack = 1e-9 * max(abs(low), abs(high))
    assert len(ticks) <= most
    assert all(low - slack <= tick <= high + slack for tick in ticks)
    steps = [after - before for before, after in pairwise(ticks)]
    assert steps == pytest.approx([steps[0]] * len(steps)) if steps else True
    assert all(0 <= scale(tick) <= 100 for tick in [*ticks, low - 1, high + 1])


@given(
    st.lists(
        st.tuples(st.text("ABCx", min_size=1, max_size=9), st.tuples(st.floats(0, 300), st.floats(0, 200))), max_size=14
    )
)
def test_names_cover_no_other_name(points: list[tuple[str, tuple[float, float]]]) -> None:
    drawing, frame = Drawing("names", 300, 200), (0.0, 0.0, 300.0, 200.0)
    name_points(drawing, points, frame)
    texts = [
        re.match(r'<text class="middle" x="([^"]+)" y="([^"]+)">(.*)</text>', element) for element in drawing.elements
    ]
    boxes = [_around((float(element[1]), float(element[2]) - 4), width_of(element[3])) for element in texts if element]
    inner = [(left + 0.2, top + 0.2, right - 0.2, bottom - 0.2) for left, top, right, bottom in boxes]
    assert not any(_overlaps(first, second) for first, second in combinations(inner, 2))
    assert all(left >= -0.1 and right <= 300.1 for left, _, right, _ in boxes)


@given(st.floats(0.01, 1), st.floats(0.01, 1), st.floats(0.05, 20))
def test_points_of_a_line_have_the_same_f(precision: float, recall: float, beta: float) -> None:
    level, share = float(f_score(precision, recall, beta)), beta**2 / (1 + beta**2)
    assert _other_part(share, level, precision) == pytest.approx(recall, rel=1e-6)
    assert _other_part(1 - share, level, recall) == pytest.approx(precision, rel=1e-6)


def test_no_recall_reaches_an_f_above_the_precision_of_beta_0() -> None:
    assert _other_part(0.0, 0.5, 0.4) == math.inf
    assert _other_part(0.5, 0.5, 0.0) == math.inf


@given(st.lists(st.floats(0, 1000)), st.floats(0.1, 50))
def test_labels_keep_their_order_and_distance(values: list[float], gap: float) -> None:
    positions = spread(sorted(values), gap)
    assert all(after - before >= gap * (1 - 1e-9) - 1e-9 for before, after in pairwise(positions))
    assert all(position >= value for position, value in zip(positions, sorted(values), strict=True))


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
    assert set(clear) == {"large"}
    assert "large · 35" in groups


def test_every_chart_names_every_system_in_its_description(many_systems: Overview) -> None:
    charts = Charts(many_systems, 2)
    for chart in (charts.scores("errant"), charts.scores("gleu"), charts.precision_recall("errant")):
        text = "".join(ET.fromstring(chart).itertext())
        assert all(name in text for name in many_systems.systems)


def test_long_names_are_shortened_in_the_middle() -> None:
    assert shortened("a" * 20 + "-final", 12) == "aaaaaa…final"
    assert shortened("short") == "short"
