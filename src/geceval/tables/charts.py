"""Charts of scores as SVG: intervals, precision against recall, maps, panels; the same colour and mark for a system."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from geceval.counting.figures import f_score
from geceval.counting.metric_names import f_name
from geceval.tables.svg import LINE, Drawing, Point, Scale, bar, line, mark, printable, width_of
from geceval.text.files import SOURCE

#: Width of a chart, and height of a row.
WIDTH, ROW = 360.0, 19.0
#: Number of systems with a colour, the best by the first metric; the others are grey.
COLOURED = 8
#: Number of corners of the marks of systems, in their order; 0: a circle.
SIDES = (0, 4, 3, 5, 0, 4, 3, 5)
#: Width of a cell of a map, and opacity of its lowest and highest score: text stays readable on it.
CELL, SHADES = 46.0, (0.05, 0.6)
#: Panels in a row, and their width and height.
PANELS, PANEL_WIDTH, PANEL_HEIGHT = 3, 250.0, 210.0
#: Class of the unchanged source.
SOURCE_CLASS = "source"
#: Height of a row of a key, width of its mark with space, and longest name.
KEY_ROW, KEY_MARK, KEY_NAME = 15.0, 26.0, 32
#: Name of the row of the best possible score.
CEILING = "(best possible)"


class Chart(NamedTuple):
    """A drawing with its title and its description for screen readers."""

    drawing: Drawing
    title: str
    description: str

    @property
    def element(self) -> str:
        """The SVG element."""
        return self.drawing.element(self.title, self.description)


class Systems:
    """Colour and mark of each system of a run.

    Args:
        ranked: Names of the systems, the best one first.

    Attributes:
        colours: Class of each system: s1, s2, …, s0 without a colour, or source.
        sides: Number of corners of the mark of each system.
    """

    def __init__(self, ranked: Sequence[str]) -> None:
        names = [name for name in ranked if name != SOURCE]
        self.sides = {name: SIDES[index % len(SIDES)] for index, name in enumerate(names)}
        self.colours = {name: f"s{index + 1}" if index < COLOURED else "s0" for index, name in enumerate(names)}
        self.colours[SOURCE] = SOURCE_CLASS

    def is_coloured(self, system: str) -> bool:
        """Return whether a system has a colour of its own."""
        return self.colours[system] not in ("s0", SOURCE_CLASS)

    def mark(self, system: str, x: float, y: float, size: float = 4.0) -> str:
        """Return the path of the mark of a system."""
        return mark(x, y, self.sides.get(system, 0), size)

    def add_key(self, drawing: Drawing, names: Collection[str]) -> None:
        """Add the marks and names of systems below a drawing, the best one first, in columns."""
        ranked = sorted(names, key=list(self.colours).index)
        texts = [shortened(printable(name), KEY_NAME) for name in ranked]
        width = KEY_MARK + max(map(width_of, texts), default=0.0)
        columns = max(1, min(len(ranked), int((drawing.width - 8) // width)))
        rows = math.ceil(len(ranked) / columns)
        for index, (name, text) in enumerate(zip(ranked, texts, strict=True)):
            x, y = 12 + width * (index // rows), drawing.height + KEY_ROW * (index % rows + 0.5)
            drawing.shape(self.mark(name, x, y), f"{self.colours[name]} mark", name)
            drawing.text(x + 9, y + 4, text)
        drawing.height += KEY_ROW * rows + 6


class ScoreMark(NamedTuple):
    """The score of a system in a chart, in the unit of tables.

    Attributes:
        system: Name of the system.
        value: Score.
        low: Lower end of the interval; the score itself without an interval.
        high: Upper end of the interval.
        text: The score as text.
        cluster: A line separates neighbours of different clusters; None: no line.
    """

    system: str
    value: float
    low: float
    high: float
    text: str
    cluster: Hashable = None


def score_chart(
    drawing_name: str,
    title: str,
    axis: str,
    scores: Sequence[ScoreMark],
    systems: Systems,
    ceiling: tuple[float, str] | None = None,
) -> Chart:
    """Return a chart of scores with intervals, in the order of ``scores``.

    Dashed lines separate clusters. The best possible score, with its text, is the last row.
    """
    names = [score.system for score in scores] + ([] if ceiling is None else [CEILING])
    ends = [end for score in scores for end in (score.value, score.low, score.high)]
    drawing, across, left = rows_drawing(drawing_name, names, widened(ends))
    drawing.across(across, 6, row_top(len(names)), axis)
    for index, score in enumerate(scores):
        kind, text, y = systems.colours[score.system], f"{score.system}: {score.text}", row_middle(index)
        if score.low < score.high:
            drawing.shape(line((across(score.low), y), (across(score.high), y)), f"{kind} interval", text)
        if not math.isnan(score.value):
            drawing.shape(systems.mark(score.system, across(score.value), y), f"{kind} mark", text)
        clusters = (score.cluster, scores[index - 1].cluster if index else None)
        if None not in clusters and clusters[0] != clusters[1]:
            drawing.shape(line((left, row_top(index)), (WIDTH - 8, row_top(index))), "cluster")
    described = [f"{score.system} {score.text}" for score in scores]
    if ceiling is not None:
        value, text = ceiling
        y, is_inside = row_middle(len(scores)), across.low <= value <= across.high
        # It does not widen the axis: far from the systems an arrow points to it.
        if is_inside:
            drawing.shape(mark(across(value), y, 4, 4.5), "source mark", f"{CEILING} {text}")
        arrowed = text if is_inside else f"{text} →" if value > across.high else f"← {text}"
        drawing.text(across(value) - 8 * is_inside, y + 4, arrowed, "end quiet" if value > across.low else "quiet")
        described.append(f"{CEILING} {text}")
    return Chart(drawing, title, "; ".join(described))


def precision_recall_chart(
    drawing_name: str,
    label: str,
    beta: float,
    parts: Mapping[str, Mapping[str, float | None]],
    systems: Systems,
    digits: int = 2,
) -> Chart | None:
    """Return a chart of precision against recall, with lines of equal F; None if no system has both.

    Systems without recall or precision are left out.
    """
    points = {}
    for name, values in parts.items():
        recall, precision = values["recall"], values["precision"]
        if recall and precision is not None:
            points[name] = 100 * recall, 100 * precision
    if not points:
        return None
    left, right, top, bottom = 32.0, WIDTH - 24, 26.0, 256.0
    across, along = (
        Scale(*_bounded([point[axis] for point in points.values()]), *ends)
        for axis, ends in enumerate(((left, right), (bottom, top)))
    )
    drawing = Drawing(drawing_name, WIDTH, bottom + 2 * LINE + 10)
    drawing.across(across, top, bottom, "recall")
    drawing.along(along, left, right, "precision")
    _iso_lines(drawing, beta, across, along)
    positions, texts = dict[str, Point](), {}
    for system, (recall, precision) in points.items():
        positions[system] = (across(recall), along(precision))
        texts[system] = f"P {precision:.{digits}f}, R {recall:.{digits}f}"
        kind = f"{systems.colours[system]} mark"
        drawing.shape(systems.mark(system, *positions[system], 5), kind, f"{system}: {texts[system]}")
    systems.add_key(drawing, positions)
    listed = "; ".join(f"{name}: {text}" for name, text in texts.items())
    return Chart(drawing, f"{label}: precision against recall", f"On lines of equal {f_name(beta)}. {listed}")


def heat_chart(
    drawing_name: str,
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Sequence[Sequence[tuple[float, str]]],
) -> Chart:
    """Return a map of scores, darker where they are higher.

    Args:
        drawing_name: Prefix of identifiers.
        title: Title of the chart.
        rows: Names of the rows.
        columns: Names of the columns.
        cells: Score and text of each cell, by row; a score may be NaN.
    """
    row_names, heads = ([shortened(printable(name)) for name in names] for names in (rows, columns))
    left, above = (14 + max(map(width_of, names), default=0.0) for names in (row_names, heads))
    above /= math.sqrt(2)  # heads are slanted
    drawing = Drawing(drawing_name, max(WIDTH, left + CELL * len(heads) + above), above + row_top(len(rows)) + LINE)
    for index, head in enumerate(heads):
        drawing.slanted(left + CELL * (index + 0.5), above, head)
    scores = [value for row in cells for value, _ in row if not math.isnan(value)]
    shade = Scale(min(scores, default=0.0), max(scores, default=1.0), *SHADES)
    for index, (name, row) in enumerate(zip(row_names, cells, strict=True)):
        top = above + row_top(index)
        drawing.text(left - 6, top + ROW / 2 + 4, name, "end")
        for number, (value, text) in enumerate(row):
            x = left + CELL * number
            if not math.isnan(value):
                drawing.cell(bar(x, top, CELL - 1, ROW - 1), shade(value), f"{rows[index]}, {columns[number]}: {text}")
            drawing.text(x + CELL / 2, top + ROW / 2 + 4, text, "middle")
    described = [
        f"{name}: {', '.join(f'{head} {text}' for head, (_, text) in zip(columns, row, strict=True))}"
        for name, row in zip(rows, cells, strict=True)
    ]
    return Chart(drawing, title, "; ".join(described))


def panel_chart(
    drawing_name: str,
    title: str,
    axes: tuple[str, str],
    panels: Mapping[str, Mapping[str, Point]],
    systems: Systems,
) -> Chart:
    """Return panels in rows, each with a point for each system.

    Args:
        drawing_name: Prefix of identifiers.
        title: Title of the chart.
        axes: Names of the horizontal and of the vertical axis.
        panels: Values of the systems on both axes, by title of the panel; NaN leaves a system out.
        systems: Colours and marks.
    """
    rows = math.ceil(len(panels) / PANELS)
    drawing = Drawing(drawing_name, PANEL_WIDTH * min(PANELS, len(panels)), PANEL_HEIGHT * rows)
    described, drawn = [], set[str]()
    for index, (panel, values) in enumerate(panels.items()):
        points = {system: point for system, point in values.items() if not any(map(math.isnan, point))}
        x, y = PANEL_WIDTH * (index % PANELS), PANEL_HEIGHT * (index // PANELS)
        left, right, top, bottom = x + 38, x + PANEL_WIDTH - 14, y + 40, y + PANEL_HEIGHT - 40
        drawing.text((left + right) / 2, y + 14, panel, "middle head")
        across, along = (
            Scale(*widened([point[axis] for point in points.values()], 0.15), *ends)
            for axis, ends in enumerate(((left, right), (bottom, top)))
        )
        drawing.across(across, top, bottom, axes[0])
        drawing.along(along, left, right, axes[1])
        positions = {system: (across(value), along(height)) for system, (value, height) in points.items()}
        for system, position in positions.items():
            text = f"{panel}, {system}: {axes[0]} {points[system][0]:.2f}, {axes[1]} {points[system][1]:.2f}"
            drawing.shape(systems.mark(system, *position), f"{systems.colours[system]} mark", text)
            described.append(text)
        drawn |= positions.keys()
    systems.add_key(drawing, drawn)
    return Chart(drawing, title, "; ".join(described))


def rows_drawing(
    name: str, names: Sequence[str], ends: tuple[float, float], faint: Sequence[int] = ()
) -> tuple[Drawing, Scale, float]:
    """Return a drawing with a row per name, its scale, and the left end of rows."""
    texts = [shortened(printable(name)) for name in names]
    left = 14 + max(map(width_of, texts), default=0)
    drawing = Drawing(name, WIDTH, row_top(len(names)) + 2 * LINE + 10)
    for index, text in enumerate(texts):
        kind = "end quiet" if index in faint or text[:1] == "(" else "end"
        drawing.text(left - 6, row_middle(index) + 4, text, kind)
    return drawing, Scale(*ends, left + 4, WIDTH - 14), left


def row_top(index: int) -> float:
    """Return the upper end of a row."""
    return 8 + ROW * index


def row_middle(index: int) -> float:
    """Return the middle of a row."""
    return row_top(index) + ROW / 2


def shortened(text: str, most: int = 22) -> str:
    """Return a name for a chart, shortened in the middle."""
    return text if len(text) <= most else f"{text[: most - 6]}…{text[-5:]}"


def widened(values: Sequence[float], share: float = 0.04) -> tuple[float, float]:
    """Return the limits of an axis with space around the values, without NaN.

    The space is a ``share`` of the range of the values.
    """
    defined = [value for value in values if not math.isnan(value)]
    low, high = min(defined, default=0.0), max(defined, default=1.0)
    room = share * (high - low) or 1.0
    return low - room, high + room


def _bounded(values: Sequence[float]) -> tuple[float, float]:
    """Return the limits of an axis of percentages, with space for names."""
    room = max(0.12 * (max(values) - min(values)), 3.0)
    return max(min(values) - room, 0.0), min(max(values) + room, 100.0)


def _iso_lines(drawing: Drawing, beta: float, recalls: Scale, precisions: Scale) -> None:
    """Draw lines of equal F at integers, with their values outside the frame."""
    recall, precision = (np.array([scale.low, scale.high]) for scale in (recalls, precisions))
    share = 1.0 if math.isinf(beta) else beta**2 / (1 + beta**2)
    low, high = f_score(precision, recall, beta).tolist()
    for level in Scale(low, high, 0, 1).ticks(8):
        # The line is drawn between the recalls at which it meets the frame.
        first = max(recalls.low, _other_part(share, level, precisions.high))
        last = min(recalls.high, _other_part(share, level, precisions.low))
        if level <= 0 or not first < last:
            continue
        curve = [first + (last - first) * (k / 24) ** 2 for k in range(25)]
        points = [(recalls(recall), precisions(_other_part(1 - share, level, recall))) for recall in curve]
        drawing.shape(line(*points), "contour")
        if last == recalls.high:
            drawing.text(recalls.last + 3, points[-1][1] + 4, f"{level:g}", "quiet small")
        elif points[0][0] > recalls.first + LINE:  # beyond the number of the axis
            drawing.text(points[0][0], precisions.last - 8, f"{level:g}", "middle quiet small")


def _other_part(share: float, level: float, value: float) -> float:
    """Return the part of F with weight ``share`` if the other part has this value.

    1 / F is the weighted mean of 1 / recall and 1 / precision. Infinite if no value gives the level.
    """
    rest = value / level - (1 - share) if level else 0.0
    return share * value / rest if rest > 0 else math.inf
