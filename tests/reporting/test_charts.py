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
from geceval.counting.figures import f_score
from geceval.reporting.charts import Charts
from geceval.reporting.overview import Cell, Overview
from geceval.tables.charts import (
    COLOURED,
    WIDTH,
    ScoreMark,
    Systems,
    _other_part,
    precision_recall_chart,
    score_chart,
    shortened,
)
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


@pytest.mark.parametrize("number", [2, 3, 14])
def test_key_has_each_system_below_the_axes_without_overlaps(number: int) -> None:
    names = [f"checkpoint-{k:02}-of-seed-12345678" for k in range(number)]
    points = {name: {"recall": 0.3 + 0.001 * k, "precision": 0.5} for k, name in enumerate(names)}
    chart = precision_recall_chart("pr", "ERRANT", 0.5, points, Systems(names))
    assert chart is not None
    drawn = re.findall(r'<text x="([\d.]+)" y="([\d.]+)">(checkpoint[^<]*)</text>', chart.element)
    assert [name for _, _, name in drawn] == names
    boxes = [(float(x), float(y) - 12, float(x) + width_of(name), float(y)) for x, y, name in drawn]
    assert not any(_overlaps(*pair) for pair in combinations(boxes, 2))
    axes = max(float(y) for y in re.findall(r'y="([\d.]+)">recall<', chart.element))
    assert all(box[1] >= axes and box[2] <= chart.drawing.width and box[3] <= chart.drawing.height for box in boxes)
    paths = [re.search(rf'd="([^"]*)"><title>{name}</title>', chart.element) for name in names]
    assert len({path.group(1) for path in paths if path}) == number


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


@pytest.mark.parametrize("many", [532.0, 9532.0])
def test_numbers_next_to_bars_are_inside_the_chart(many_systems: Overview, many: float) -> None:
    """Also those of systems without a colour, whose bars may end at the edge."""
    cells = {name: {"DET": Cell(0.5, {}, 1224.0, 32.0, 1212.0)} for name in many_systems.systems}
    cells["system 10"] = {"DET": Cell(0.5, {}, 1.0, many, 2435.0)}
    table = replace(many_systems.types[0], groups=("DET",), cells=cells)
    for system in ("system 00", "system 10"):
        chart = Charts(many_systems, 2).types(table, system)
        numbers = re.findall(r'<text class="([^"]*small)" x="([^"]+)"[^>]*>([^<]+)', chart or "")
        assert len(numbers) == 2
        for classes, x, text in numbers:
            width = width_of(text) * 9.5 / 11
            left = float(x) - (width if "end" in classes else 0)
            assert 0 <= left <= left + width <= WIDTH


def test_a_best_possible_score_beyond_the_axis_has_an_arrow() -> None:
    scores = [ScoreMark("A", 30.0, 28.0, 32.0, "30.00"), ScoreMark("B", 20.0, 18.0, 22.0, "20.00")]
    for value, shown in ((31.0, "31.00"), (90.0, "90.00 →"), (1.0, "← 1.00")):
        drawing = score_chart("scores", "", "", scores, Systems(["A", "B"]), (value, f"{value:.2f}")).drawing
        assert [element for element in drawing.elements if f">{shown}</text>" in element]
        assert any("source mark" in element for element in drawing.elements) == (shown == "31.00")


def test_systems_without_a_correct_edit_are_not_drawn_in_precision_and_recall() -> None:
    parts = {"A": {"precision": 0.5, "recall": 0.2}, "(source)": {"precision": 1.0, "recall": 0.0}}
    chart = precision_recall_chart("pr", "ERRANT", 0.5, parts, Systems(["A", "(source)"]))
    assert chart is not None
    assert "A: P 50.00" in chart.element
    assert "(source)" not in chart.element
    assert precision_recall_chart("pr", "ERRANT", 0.5, {"(source)": parts["(source)"]}, Systems([])) is None


def test_values_of_lines_of_equal_f_cover_neither_the_numbers_nor_the_title_of_the_axis() -> None:
    points = {"A": (1.0, 0.4), "B": (0.99, 0.62), "C": (0.85, 0.47), "D": (0.895, 0.95)}
    parts = {name: {"precision": precision, "recall": recall} for name, (precision, recall) in points.items()}
    chart = precision_recall_chart("pr", "GREEN", 2.0, parts, Systems(list(points)))
    assert chart is not None
    texts = re.findall(r'<text class="([^"]*)" x="([^"]+)" y="([^"]+)">([^<]*)', chart.element)
    boxes = []
    for classes, x, y, text in texts:
        size = 9.5 if "small" in classes else 11
        width = width_of(text) * size / 11
        left = float(x) - (width if "end" in classes else width / 2 if "middle" in classes else 0)
        boxes.append((left, float(y) - 0.7 * size, left + width, float(y) + 0.2 * size))
    assert len(boxes) > 10
    assert not [pair for pair in combinations(boxes, 2) if _overlaps(*pair)]
