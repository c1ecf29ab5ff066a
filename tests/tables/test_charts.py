"""Charts: no label leaves a drawing, or lies on a label, a mark or a line; marks differ without their colours."""

from __future__ import annotations

import math
import re
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from geceval.counting.figures import f_score
from geceval.tables import pictures
from geceval.tables.charts import COLOURED, WIDTH, ScoreMark, ScorePanel, Systems, panel_chart, score_chart
from geceval.tables.heat_map import MapCell, heat_chart
from geceval.tables.precision_recall import PrecisionRecall, _other_part, precision_recall_chart
from geceval.tables.svg import SHAPES, Scale, lines_of, shortened, width_of
from support.drawings import labels_of, marks_of, problems_of

#: Widths of the report, a column and a page.
SIZES = [WIDTH, *(millimetres / pictures.MILLIMETRES for millimetres in pictures.SIZES.values())]
NUMBERS = [2, 3, 14]
FINITE = st.floats(-1e6, 1e6)
UNIT = st.floats(0.01, 1)

on_sizes = pytest.mark.parametrize("width", SIZES, ids=["report", "column", "page"])
on_numbers = pytest.mark.parametrize("number", NUMBERS)


def names_of(number: int) -> list[str]:
    """Names of 28 characters."""
    return [f"transformer-large-seed-{k:05}" for k in range(1, number + 1)]


def test_names_have_28_characters() -> None:
    assert {len(name) for name in names_of(14)} == {28}


# --- labels ---


@on_sizes
@on_numbers
def test_labels_of_scores_are_free(number: int, width: float) -> None:
    names = names_of(number)
    panels = []
    for index, title in enumerate(("ERRANT F₀.₅", "GREEN F₂ beta=2 unit=char", "GLEU", "false alarms")):
        values = [30 + 4.3 * k + 7 * index for k in range(number)]
        scores = [
            ScoreMark(name, value, value - 2, value + 2, f"{value:.2f}", k // 2)
            for k, (name, value) in enumerate(zip(names, values, strict=True))
        ]
        panels.append(ScorePanel(title, scores, (60.0 + 9 * index, "60.00")))
    for chosen in (panels[:1], panels[:2], panels):
        chart = score_chart("scores", "", "95 % intervals", chosen, Systems(names), width)
        assert problems_of(chart.element) == []
        assert len(marks_of(chart.element)) >= number * len(chosen)
    turned = [panels[0], ScorePanel("GREEN", panels[1].scores[::-1])]
    assert problems_of(score_chart("scores", "", "", turned, Systems(names), width).element) == []


@on_sizes
@on_numbers
def test_panels_with_one_order_share_their_rows(number: int, width: float) -> None:
    names = ["A", "B", "C"] if number == 3 else list("ABCDEFGHIJKLMN")[:number]
    scores = [ScoreMark(name, k, k, k, str(k)) for k, name in enumerate(names)]
    shared = score_chart("scores", "", "", [ScorePanel(str(k), scores) for k in range(3)], Systems(names), width)
    assert [box.name for box in labels_of(shared.element)].count("A") == (1 if width > 260 else 3)
    orders = [ScorePanel("x", scores), ScorePanel("y", scores[::-1])]
    apart = score_chart("scores", "", "", orders, Systems(names), width)
    assert [box.name for box in labels_of(apart.element)].count("A") == 2


@on_sizes
@on_numbers
@settings(max_examples=10)
@given(data=st.data(), beta=st.sampled_from([0.5, 1.0, 2.0]))
def test_labels_of_precision_and_recall_are_free(number: int, width: float, data: st.DataObject, beta: float) -> None:
    names = names_of(number)
    pairs = st.lists(st.tuples(UNIT, UNIT), min_size=number, max_size=number)
    metrics = []
    for label in ("ERRANT", "MaxMatch"):
        points = zip(names, data.draw(pairs), strict=True)
        parts = {name: {"precision": precision, "recall": recall} for name, (precision, recall) in points}
        metrics.append(PrecisionRecall(label, beta, parts))
    for chosen in (metrics[:1], metrics):
        chart = precision_recall_chart("pr", chosen, Systems(names), width=width)
        assert chart is not None
        assert problems_of(chart.element) == []
        assert len(marks_of(chart.element)) == number * (len(chosen) + 1)


@on_sizes
@on_numbers
def test_labels_of_small_multiples_are_free(number: int, width: float) -> None:
    names = names_of(number)
    panels = {
        f"{type_} (1{k}0)": {name: (0.31 * n + k, 90 - 3.7 * n) for n, name in enumerate(names)}
        for k, type_ in enumerate(("DET", "R:VERB:SVA", "R:NOUN:NUM", "PREP", "SPELL", "ORTH"))
    }
    for several in (1, 2, 4, 6):
        first_panels = dict(list(panels.items())[:several])
        chart = panel_chart("panels", "", ("FALSE-ALARMS", "ERRANT F₀.₅"), first_panels, Systems(names), width)
        assert problems_of(chart.element) == []


@on_sizes
@on_numbers
@pytest.mark.parametrize("metrics", [1, 2])
def test_labels_of_maps_are_free(number: int, width: float, metrics: int) -> None:
    names = names_of(number)
    types = ["DET", "R:VERB:SVA", "R:NOUN:NUM (1,024)", "(none)"]
    rows = {type_: [MapCell(100.0 / (k + 1), "†" if k else "") for k in range(number)] for type_ in types}
    rows["(none)"] = [MapCell(math.nan)] * number
    notes = ["† not shown to differ from the best (adjusted p ≥ 0.05)"]
    chart = heat_chart("types", "", names, {str(k): rows for k in range(metrics)}, notes, width=width)
    assert problems_of(chart.element) == []
    assert chart.element.count('class="cell"') == 3 * number * metrics


def test_numbers_of_narrow_cells_are_shorter_or_omitted() -> None:
    def texts(number: int) -> set[str]:
        row = [MapCell(45.32)] * number
        chart = heat_chart("types", "", [f"s{k}" for k in range(number)], {"": {"DET": row}}, width=300)
        return {box.name for box in labels_of(chart.element)} & {"45.3", "45", "light: 45.3, dark: 45.3"}

    assert [texts(number) for number in (5, 13, 30)] == [{"45.3"}, {"45"}, {"light: 45.3, dark: 45.3"}]


def test_a_best_possible_score_beyond_the_axis_has_an_arrow() -> None:
    scores = [ScoreMark("A", 30.0, 28.0, 32.0, "30.00"), ScoreMark("B", 20.0, 18.0, 22.0, "20.00")]
    for value, label in ((31.0, "31.00"), (18.5, "18.50"), (90.0, "90.00 →"), (1.0, "← 1.00")):
        panel = ScorePanel("ERRANT", scores, (value, f"{value:.2f}"))
        chart = score_chart("scores", "", "", [panel], Systems(["A", "B"]))
        assert label in {box.name for box in labels_of(chart.element)}
        assert ("source mark" in chart.element) == (label in ("31.00", "18.50"))
        assert problems_of(chart.element) == []


# --- axes ---


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


@given(st.floats(0, 100), st.floats(0.5, 60), st.floats(84, 600))
def test_an_axis_of_scores_has_two_numbers(low: float, width: float, length: float) -> None:
    scale = Scale(low, low + width, 0, length).with_ticks()
    assert len(scale.fitting_ticks()) >= 2
    assert scale.low <= low
    assert scale.high >= low + width


# --- marks ---


def test_marks_of_fifteen_systems_differ_without_colours() -> None:
    systems = Systems(names_of(15))
    forms = [(systems.shapes[name], systems.is_coloured(name)) for name in names_of(15)]
    assert len({*forms}) == 15
    assert (SHAPES[0], False) not in forms, "the mark of the source"


def test_the_first_systems_have_colours() -> None:
    colours = Systems(names_of(COLOURED + 3)).colours
    assert [colours[name] for name in names_of(COLOURED)] == [f"s{k + 1}" for k in range(COLOURED)]
    assert {colours[name] for name in names_of(COLOURED + 3)[COLOURED:]} == {"s0"}


#: Linear colours as readers without cones of a kind see them (Machado et al. 2009, severity 1), and as others do.
VISION = {
    "all cones": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def linear(colour: str) -> np.ndarray:
    shares = np.array([int(colour[k : k + 2], 16) / 255 for k in (0, 2, 4)])
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def lab(light: np.ndarray) -> np.ndarray:
    """Return CIELAB coordinates of linear colours."""
    ratios = np.clip(light, 0, 1) @ XYZ.T / np.array([0.95047, 1.0, 1.08883])
    cubes = np.where(ratios > 0.008856, np.cbrt(ratios), 7.787 * ratios + 16 / 116)
    return np.array([116 * cubes[1] - 16, 500 * (cubes[0] - cubes[1]), 200 * (cubes[1] - cubes[2])])


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("vision", VISION)
def test_colours_of_systems_differ_for_colour_blind_readers(theme: int, vision: str) -> None:
    css = Path(pictures.CHART_STYLE).read_text(encoding="utf-8")
    pairs = re.findall(r"--series-\d: light-dark\(#(\w+), #(\w+)\)", css)
    colours = [lab(linear(pair[theme]) @ VISION[vision].T) for pair in pairs]
    assert len(colours) == COLOURED
    assert min(np.linalg.norm(first - second) for first, second in combinations(colours, 2)) > 15


# --- precision and recall ---


@given(UNIT, UNIT, st.floats(0.05, 20))
def test_points_of_a_line_have_the_same_f(precision: float, recall: float, beta: float) -> None:
    level, share = float(f_score(precision, recall, beta)), beta**2 / (1 + beta**2)
    assert _other_part(share, level, precision) == pytest.approx(recall, rel=1e-6)
    assert _other_part(1 - share, level, recall) == pytest.approx(precision, rel=1e-6)


def test_no_recall_reaches_an_f_above_the_precision_of_beta_0() -> None:
    assert _other_part(0.0, 0.5, 0.4) == math.inf
    assert _other_part(0.5, 0.5, 0.0) == math.inf


def test_systems_without_a_correct_edit_are_not_drawn_in_precision_and_recall() -> None:
    parts = {"A": {"precision": 0.5, "recall": 0.2}, "(source)": {"precision": 1.0, "recall": 0.0}}
    chart = precision_recall_chart("pr", [PrecisionRecall("ERRANT", 0.5, parts)], Systems(["A", "(source)"]))
    assert chart is not None
    assert "A: P 50.00" in chart.element
    assert "(source)" not in chart.element
    alone = PrecisionRecall("ERRANT", 0.5, {"(source)": parts["(source)"]})
    assert precision_recall_chart("pr", [alone], Systems([])) is None


# --- texts ---


@given(st.text(max_size=60), st.floats(20, 300))
def test_shortened_texts_fit(text: str, width: float) -> None:
    assert width_of(shortened(text, width)) <= width


@given(st.text("abc W\n", max_size=80), st.floats(20, 300))
def test_lines_of_a_text_fit_and_have_its_words(text: str, width: float) -> None:
    lines = lines_of(text, width)
    assert all(width_of(line) <= width for line in lines)
    if not any("…" in line for line in lines):
        assert " ".join(lines).split() == text.split()


def test_long_names_are_shortened_in_the_middle() -> None:
    assert shortened("a" * 20 + "-final", 80) == "aaaaaaa…nal"
    assert shortened("short", 80) == "short"
