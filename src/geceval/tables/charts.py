"""Charts of scores as SVG: intervals and panels; the same colour and mark for a system."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from geceval.tables.svg import (
    CIRCLE,
    DIAMOND,
    LINE,
    SHAPES,
    Drawing,
    Point,
    Scale,
    line,
    lines_of,
    mark,
    shortened,
    width_of,
)
from geceval.text.files import SOURCE

#: Width of a chart in the report, and height of a row.
WIDTH, ROW = 360.0, 19.0
#: Number of systems with a colour, the best by the first metric; the others are grey and hollow.
COLOURED = 8
#: Minimum width of a panel with two axes, and of a panel with rows.
LEAST_PANEL, LEAST_ROWS = 200.0, 84.0
#: Minimum width of a panel of small multiples.
LEAST_MULTIPLE = 145.0
#: Space of a panel for its axes, and for the title of the vertical axis above it.
LEFT, RIGHT, ABOVE, BELOW = 40.0, 32.0, 36.0, 2 * LINE + 18
#: Maximum share of the names of rows in the width.
NAMES = 0.65
#: Class of the unchanged source.
SOURCE_CLASS = "source"
#: Height of a row of a key, and width of its mark with space.
KEY_ROW, KEY_MARK = 15.0, 26.0
#: Name of the row of the gold as text.
CEILING = "(gold as text)"


class Chart(NamedTuple):
    """A drawing with its title and its description for screen readers."""

    drawing: Drawing
    title: str
    description: str

    @property
    def element(self) -> str:
        """The SVG element."""
        return self.drawing.element(self.title, self.description)


#: The pictures of results by name, the default first; each is drawn in a width.
Pictures: TypeAlias = Mapping[str, Callable[[float], Chart]]


class Systems:
    """Colour and mark of each system of a run.

    Marks differ without their colours: those of the first systems are filled, those of the others hollow.

    Args:
        ranked: Names of the systems, the best one first.

    Attributes:
        colours: Class of each system: s1, s2, …, s0 without a colour, or source.
        shapes: Shape of the mark of each system.
    """

    def __init__(self, ranked: Sequence[str]) -> None:
        names = [name for name in ranked if name != SOURCE]
        hollow = [shape for shape in SHAPES if shape != CIRCLE]  # a hollow circle is the source
        self.shapes = {
            name: SHAPES[index] if index < COLOURED else hollow[(index - COLOURED) % len(hollow)]
            for index, name in enumerate(names)
        }
        self.colours = {name: f"s{index + 1}" if index < COLOURED else "s0" for index, name in enumerate(names)}
        self.colours[SOURCE] = SOURCE_CLASS

    def is_coloured(self, system: str) -> bool:
        """Return whether a system has a colour of its own."""
        return self.colours[system] not in ("s0", SOURCE_CLASS)

    def ordered(self, names: Collection[str]) -> list[str]:
        """Return systems, the best one first."""
        return sorted(names, key=list(self.colours).index)

    def mark(self, system: str, x: float, y: float, size: float = 4.0) -> str:
        """Return the path of the mark of a system."""
        return mark(x, y, self.shapes.get(system, CIRCLE), size)

    def add_mark(self, drawing: Drawing, system: str, x: float, y: float, text: str) -> None:
        """Add the mark of a system in its colour, with a text that a pointer shows."""
        drawing.shape(self.mark(system, x, y), f"{self.colours[system]} mark", text)

    def add_key(self, drawing: Drawing, names: Collection[str]) -> None:
        """Add the marks and names of systems below a drawing, the best one first, in columns."""
        ranked = self.ordered(names)
        texts = [shortened(name, drawing.width - KEY_MARK - 4) for name in ranked]
        width = KEY_MARK + max(map(width_of, texts), default=0.0)
        columns = max(1, min(len(ranked), int(drawing.width // width)))
        rows = math.ceil(len(ranked) / columns)
        for index, (name, text) in enumerate(zip(ranked, texts, strict=True)):
            x, y = 12 + width * (index // rows), drawing.height + KEY_ROW * (index % rows + 0.5)
            self.add_mark(drawing, name, x, y, name)
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


class ScorePanel(NamedTuple):
    """The scores under a metric.

    Attributes:
        title: Name of the scores.
        scores: The scores in the order of rows.
        ceiling: The score of the gold as text, with its text.
    """

    title: str
    scores: Sequence[ScoreMark]
    ceiling: tuple[float, str] | None = None


def score_chart(
    drawing_name: str, title: str, axis: str, panels: Sequence[ScorePanel], systems: Systems, width: float = WIDTH
) -> Chart:
    """Return a chart of scores with intervals, with a panel for each metric.

    Panels with the same systems in the same order share their rows. Dashed lines separate clusters. The gold's
    score is the last row.

    Args:
        drawing_name: Prefix of identifiers.
        title: Title of the chart.
        axis: What the marks show, such as intervals; may be empty.
        panels: The scores of each metric.
        systems: Colours and marks.
        width: Width of the chart.
    """
    has_ceiling = any(panel.ceiling is not None for panel in panels)
    rows = [[*(score.system for score in panel.scores), *([CEILING] if has_ceiling else [])] for panel in panels]
    is_shared = all(names == rows[0] for names in rows)
    wanted = 14 + max(width_of(name) for names in rows for name in names)
    # Names are shortened in a panel that stands alone, not to make room for further panels.
    left = min(wanted, NAMES * width)
    room = (width - left) / LEAST_ROWS if is_shared else width / (left + LEAST_ROWS)
    columns = max(1, min(len(panels), int(room)))
    cell = (width - left) / columns if is_shared else width / columns
    heads = [lines_of(panel.title, cell - 8) for panel in panels] if len(panels) > 1 else [[] for _ in panels]
    above = 16.0 * max(map(len, heads))
    height = above + row_top(max(map(len, rows))) + LINE + 10
    drawing = Drawing(drawing_name, width, height * math.ceil(len(panels) / columns))
    described = []
    for index, (panel, head) in enumerate(zip(panels, heads, strict=True)):
        top, column = height * (index // columns) + above, index % columns
        begin = left + cell * column if is_shared else cell * column + left
        end = begin + cell - 4 if is_shared else cell * (column + 1) - 4
        if not is_shared or column == 0:
            draw_names(drawing, rows[index], begin, left, top)
        for number, text in enumerate(head):
            drawing.text((begin + end) / 2, top - above + 14 * (number + 1) - 2, text, "middle head")
        _draw_scores(drawing, panel, systems, Frame(begin, top, end, top + row_top(len(rows[index]))))
        texts = [f"{score.system} {score.text}" for score in panel.scores]
        texts += [] if panel.ceiling is None else [f"{CEILING} {panel.ceiling[1]}"]
        described.append(f"{panel.title}: {'; '.join(texts)}")
    below = [text for text in (axis, "" if len(panels) > 1 else panels[0].title) if text]
    for text in lines_of(", ".join(reversed(below)), width - 16) if below else []:
        x = min(max((left + width) / 2, width_of(text) / 2 + 8), width - width_of(text) / 2 - 4)
        drawing.text(x, drawing.height + LINE - 2, text, "middle quiet")
        drawing.height += LINE + 2
    drawing.height += 4
    return Chart(drawing, title, ". ".join(described))


class Frame(NamedTuple):
    """The box that the axes of a panel enclose."""

    left: float
    top: float
    right: float
    bottom: float


def draw_names(
    drawing: Drawing, names: Sequence[str], end: float, room: float, top: float, faint: Collection[int] = ()
) -> None:
    """Draw the names of rows, which end before ``end``, in a column of the width ``room``."""
    for index, name in enumerate(names):
        kind = "end quiet" if index in faint or name[:1] == "(" else "end"
        drawing.text(end - 6, top + row_middle(index) + 4, shortened(name, room - 10), kind)


def _draw_scores(drawing: Drawing, panel: ScorePanel, systems: Systems, frame: Frame) -> None:
    """Draw the scores of a metric in rows."""
    ends = [end for score in panel.scores for end in (score.value, score.low, score.high)]
    across = Scale(*widened(ends), frame.left + 8, frame.right - 8).with_ticks()
    drawing.across(across, frame.top + 6, frame.bottom, "")
    for index, score in enumerate(panel.scores):
        kind, text = systems.colours[score.system], f"{panel.title}, {score.system}: {score.text}"
        y = frame.top + row_middle(index)
        drawing.shape(line((frame.left + 4, y), (frame.right - 4, y)), "grid")
        if score.low < score.high:
            drawing.shape(line((across(score.low), y), (across(score.high), y)), f"{kind} interval", text)
        if not math.isnan(score.value):
            systems.add_mark(drawing, score.system, across(score.value), y, text)
        clusters = (score.cluster, panel.scores[index - 1].cluster if index else None)
        if None not in clusters and clusters[0] != clusters[1]:
            top = frame.top + row_top(index)
            drawing.shape(line((frame.left, top), (frame.right, top)), "cluster")
    if panel.ceiling is not None:
        _draw_ceiling(drawing, panel.ceiling, across, frame.top + row_middle(len(panel.scores)))


def _draw_ceiling(drawing: Drawing, ceiling: tuple[float, str], across: Scale, y: float) -> None:
    """Draw the score of the gold as text, which does not widen the axis: far from the systems an arrow points to it."""
    value, text = ceiling
    if across.low <= value <= across.high:
        x = across(value)
        drawing.shape(mark(x, y, DIAMOND, 4), "source mark", f"{CEILING} {text}")
        is_right = x - across.first < across.last - x
        drawing.text(x + 9 if is_right else x - 9, y + 4, text, "quiet" if is_right else "end quiet")
    elif value > across.high:
        drawing.text(across.last, y + 4, f"{text} →", "end quiet")
    else:
        drawing.text(across.first, y + 4, f"← {text}", "quiet")


def panel_frames(
    drawing_name: str, heads: Sequence[str], width: float, least: float = LEAST_PANEL
) -> tuple[Drawing, list[Frame]]:
    """Return a drawing with panels in rows, each with its head, and the frames of the panels.

    A single panel has no head. ``least`` is the minimum width of a panel.
    """
    columns = max(1, min(len(heads), int(width // least)))
    columns = 2 if columns == 3 and len(heads) == 4 else columns
    cell = width / columns
    texts = [lines_of(head, cell - 12) for head in heads] if len(heads) > 1 else [[]]
    above = ABOVE + 14 * max(map(len, texts), default=0)
    # Frames are wider than high, and neither flat nor tall in a wide one.
    height = above + min(max(0.8 * (cell - LEFT - RIGHT), 90.0), 230.0) + BELOW
    drawing = Drawing(drawing_name, width, height * math.ceil(len(heads) / columns))
    frames = []
    for index, lines in enumerate(texts):
        x, y = cell * (index % columns), height * (index // columns)
        for number, text in enumerate(lines):
            drawing.text(x + cell / 2, y + 14 * (number + 1) - 2, text, "middle head" if number == 0 else "middle")
        frames.append(Frame(x + LEFT, y + above, x + cell - RIGHT, y + height - BELOW))
    return drawing, frames


def panel_chart(
    drawing_name: str,
    title: str,
    axes: tuple[str, str],
    panels: Mapping[str, Mapping[str, Point]],
    systems: Systems,
    width: float = WIDTH,
) -> Chart:
    """Return panels in rows, each with a point for each system.

    Args:
        drawing_name: Prefix of identifiers.
        title: Title of the chart.
        axes: Names of the horizontal and of the vertical axis.
        panels: Values of the systems on both axes, by title of the panel; NaN leaves a system out.
        systems: Colours and marks.
        width: Width of the chart.
    """
    drawing, frames = panel_frames(drawing_name, list(panels), width, LEAST_MULTIPLE)
    described, drawn = [], set[str]()
    for (panel, values), frame in zip(panels.items(), frames, strict=True):
        points = {system: point for system, point in values.items() if not any(map(math.isnan, point))}
        across = Scale(*widened([x for x, _ in points.values()], 0.15), frame.left, frame.right)
        along = Scale(*widened([y for _, y in points.values()], 0.15), frame.bottom, frame.top)
        drawing.across(across, frame.top, frame.bottom, axes[0])
        drawing.along(along, frame.left, frame.right, axes[1])
        for system in reversed(systems.ordered(points)):
            x, y = points[system]
            text = f"{panel}, {system}: {axes[0]} {x:.2f}, {axes[1]} {y:.2f}"
            systems.add_mark(drawing, system, across(x), along(y), text)
            described.append(text)
        drawn |= points.keys()
    systems.add_key(drawing, drawn)
    return Chart(drawing, title, "; ".join(described))


def rows_drawing(
    name: str, names: Sequence[str], ends: tuple[float, float], faint: Sequence[int] = ()
) -> tuple[Drawing, Scale, float]:
    """Return a drawing of the report with a row per name, its scale, and the left end of rows."""
    left = min(14 + max(map(width_of, names), default=0.0), NAMES * WIDTH)
    drawing = Drawing(name, WIDTH, row_top(len(names)) + 2 * LINE + 12)
    draw_names(drawing, names, left, left, 0.0, faint)
    return drawing, Scale(*ends, left + 4, WIDTH - 14), left


def row_top(index: int) -> float:
    """Return the upper end of a row."""
    return 8 + ROW * index


def row_middle(index: int) -> float:
    """Return the middle of a row."""
    return row_top(index) + ROW / 2


def widened(values: Sequence[float], share: float = 0.04) -> tuple[float, float]:
    """Return the limits of an axis with space around the values, without NaN.

    The space is a ``share`` of the range of the values.
    """
    defined = [value for value in values if not math.isnan(value)]
    low, high = min(defined, default=0.0), max(defined, default=1.0)
    room = share * (high - low) or 1.0
    return low - room, high + room


def bounded(values: Sequence[float]) -> tuple[float, float]:
    """Return the limits of an axis of percentages, with space for names."""
    room = max(0.12 * (max(values) - min(values)), 3.0)
    return max(min(values) - room, 0.0), min(max(values) + room, 100.0)
