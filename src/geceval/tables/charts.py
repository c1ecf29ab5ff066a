"""Charts of scores as SVG: intervals, precision against recall, maps, panels; the same colour and mark for a system."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from geceval.counting.figures import f_score
from geceval.counting.metric_names import f_name
from geceval.tables.svg import (
    CIRCLE,
    DIAMOND,
    LINE,
    SHAPES,
    SMALL,
    Drawing,
    Point,
    Scale,
    bar,
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
#: Opacity of the lowest and highest score of a map: text stays readable on it.
SHADES = (0.05, 0.6)
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


# --- rows ---


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
            _draw_names(drawing, rows[index], begin, left, top)
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


def _draw_names(
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


# --- panels with two axes ---


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


class PrecisionRecall(NamedTuple):
    """Precision and recall of systems under a metric.

    Attributes:
        label: Name of the metric.
        beta: Weight of recall in F.
        parts: Parts of the score of each system, with "precision" and "recall" in [0, 1].
    """

    label: str
    beta: float
    parts: Mapping[str, Mapping[str, float | None]]

    @property
    def points(self) -> dict[str, Point]:
        """Recall and precision in per cent of the systems that have both."""
        points = {}
        for name, values in self.parts.items():
            recall, precision = values["recall"], values["precision"]
            if recall and precision is not None:
                points[name] = 100 * recall, 100 * precision
        return points


def precision_recall_chart(
    drawing_name: str, metrics: Sequence[PrecisionRecall], systems: Systems, digits: int = 2, width: float = WIDTH
) -> Chart | None:
    """Return a chart of precision against recall, with lines of equal F and a panel for each metric.

    Systems and metrics without recall or precision are left out; None if nothing is left.
    """
    panels = [(metric, points) for metric in metrics if (points := metric.points)]
    if not panels:
        return None
    drawing, frames = panel_frames(drawing_name, [metric.label for metric, _ in panels], width)
    described, drawn = [], set[str]()
    for (metric, points), frame in zip(panels, frames, strict=True):
        across = Scale(*_bounded([recall for recall, _ in points.values()]), frame.left, frame.right)
        along = Scale(*_bounded([precision for _, precision in points.values()]), frame.bottom, frame.top)
        drawing.across(across, frame.top, frame.bottom, f"recall (lines: equal {f_name(metric.beta)})")
        drawing.along(along, frame.left, frame.right, "precision")
        _iso_lines(drawing, metric.beta, across, along)
        texts: list[str] = []
        for system in reversed(systems.ordered(points)):
            recall, precision = points[system]
            text = f"{system}: P {precision:.{digits}f}, R {recall:.{digits}f}"
            systems.add_mark(drawing, system, across(recall), along(precision), text)
            texts.insert(0, text)
        drawn |= points.keys()
        described.append(f"{metric.label}: {'; '.join(texts)}")
    systems.add_key(drawing, drawn)
    title = f"{', '.join(metric.label for metric, _ in panels)}: precision against recall"
    return Chart(drawing, title, f"With lines of equal F. {'. '.join(described)}")


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


# --- maps ---


class MapCell(NamedTuple):
    """A score in a map, in the unit of tables, and its mark; the score may be NaN."""

    value: float
    mark: str = ""


def heat_chart(
    drawing_name: str,
    title: str,
    columns: Sequence[str],
    panels: Mapping[str, Mapping[str, Sequence[MapCell]]],
    notes: Sequence[str] = (),
    digits: int = 1,
    width: float = WIDTH,
) -> Chart:
    """Return maps of scores, darker where they are higher, below each other.

    Where cells are narrow, scores have a decimal fewer, or no number.

    Args:
        drawing_name: Prefix of identifiers.
        title: Title of the chart.
        columns: Names of the columns.
        panels: Cells of each row by name, for each map by title.
        notes: Lines below the maps.
        digits: Number of decimals of scores.
        width: Width of the chart.
    """
    rows = [name for panel in panels.values() for name in panel]
    left = min(14 + max(map(width_of, rows), default=0.0), NAMES * width)
    cell = (width - left - 4) / max(len(columns), 1)
    cells = [cell for panel in panels.values() for row in panel.values() for cell in row]
    texts, small = _cell_texts(cells, digits, cell)
    is_flat = all(width_of(name) <= cell - 6 for name in columns)
    heads = [shortened(name, 200.0) for name in columns]
    above = LINE + 6 if is_flat else 10 + max(map(width_of, heads), default=0.0)
    drawing = Drawing(drawing_name, width, above)
    for index, head in enumerate(heads):
        x = left + cell * (index + 0.5)
        if is_flat:
            drawing.text(x, above - 4, head, "middle")
        else:
            drawing.upright(x + 4, above - 2, head)
    described = []
    for panel, content in panels.items():
        for text in lines_of(panel, width - 16) if len(panels) > 1 else []:
            drawing.text(left, drawing.height + LINE + 4, text, "head")
            drawing.height += LINE + 6
        _draw_names(drawing, list(content), left, left, drawing.height)
        values = [cell.value for row in content.values() for cell in row if not math.isnan(cell.value)]
        shade = Scale(min(values, default=0.0), max(values, default=1.0), *SHADES)
        for index, (name, row) in enumerate(content.items()):
            top = drawing.height + row_top(index)
            for number, score in enumerate(row):
                x, text = left + cell * number, _cell_text(score, digits)
                if not math.isnan(score.value):
                    box = bar(x, top, cell - 1, ROW - 1)
                    drawing.cell(box, shade(score.value), f"{panel}, {name}, {columns[number]}: {text}")
                if texts:
                    drawing.text(x + cell / 2, top + ROW / 2 + 4, texts[score], "middle small" if small else "middle")
            described.append(
                f"{panel}, {name}: "
                + ", ".join(f"{head} {_cell_text(score, digits)}" for head, score in zip(columns, row, strict=True))
            )
        drawing.height += row_top(len(content))
        if not texts and values:
            limits = f"light: {min(values):.{digits}f}, dark: {max(values):.{digits}f}"
            drawing.text(left, drawing.height + LINE, limits, "quiet")
            drawing.height += LINE + 4
    for text in (text for note in notes for text in lines_of(note, width - 16)):
        drawing.height += LINE + 2
        drawing.text(8, drawing.height, text, "quiet")
    drawing.height += 6
    return Chart(drawing, title, "; ".join(described))


def _cell_text(cell: MapCell, digits: int) -> str:
    return "–" if math.isnan(cell.value) else f"{cell.value:.{digits}f}{cell.mark}"


def _cell_texts(cells: Sequence[MapCell], digits: int, width: float) -> tuple[dict[MapCell, str], bool]:
    """Return the texts of cells that fit in a width, and whether they are small; no texts if none fit."""
    for decimals, size in ((digits, 1.0), (digits, SMALL), (digits - 1, 1.0), (digits - 1, SMALL)):
        texts = {cell: _cell_text(cell, decimals) for cell in cells}
        if all(size * width_of(text) <= width - 3 for text in texts.values()):
            return texts, size < 1
    return {}, False


# --- parts of charts ---


def rows_drawing(
    name: str, names: Sequence[str], ends: tuple[float, float], faint: Sequence[int] = ()
) -> tuple[Drawing, Scale, float]:
    """Return a drawing of the report with a row per name, its scale, and the left end of rows."""
    left = min(14 + max(map(width_of, names), default=0.0), NAMES * WIDTH)
    drawing = Drawing(name, WIDTH, row_top(len(names)) + 2 * LINE + 12)
    _draw_names(drawing, names, left, left, 0.0, faint)
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


def _bounded(values: Sequence[float]) -> tuple[float, float]:
    """Return the limits of an axis of percentages, with space for names."""
    room = max(0.12 * (max(values) - min(values)), 3.0)
    return max(min(values) - room, 0.0), min(max(values) + room, 100.0)


def _iso_lines(drawing: Drawing, beta: float, recalls: Scale, precisions: Scale) -> None:
    """Draw lines of equal F at round values, with their values outside the frame where there is space."""
    recall, precision = (np.array([scale.low, scale.high]) for scale in (recalls, precisions))
    share = 1.0 if math.isinf(beta) else beta**2 / (1 + beta**2)
    low, high = f_score(precision, recall, beta).tolist()
    last_right, last_top = math.inf, recalls.first + LINE  # beyond the number of the axis
    for level in Scale(low, high, 0, 1).ticks(8):
        # The line is drawn between the recalls at which it meets the frame.
        first = max(recalls.low, _other_part(share, level, precisions.high))
        last = min(recalls.high, _other_part(share, level, precisions.low))
        if level <= 0 or not first < last:
            continue
        curve = [first + (last - first) * (k / 24) ** 2 for k in range(25)]
        points = [(recalls(recall), precisions(_other_part(1 - share, level, recall))) for recall in curve]
        drawing.shape(line(*points), "contour")
        x, (_, y), text = points[0][0], points[-1], f"{level:g}"
        if last == recalls.high and y < last_right - LINE:
            last_right = y
            drawing.text(recalls.last + 9, y + 4, text, "quiet small")
        elif last < recalls.high and x - SMALL * width_of(text) / 2 > last_top:
            last_top = x + SMALL * width_of(text) / 2 + 4
            drawing.text(x, precisions.last - 10, text, "middle quiet small")


def _other_part(share: float, level: float, value: float) -> float:
    """Return the part of F with weight ``share`` if the other part has this value.

    1 / F is the weighted mean of 1 / recall and 1 / precision. Infinite if no value gives the level.
    """
    rest = value / level - (1 - share) if level else 0.0
    return share * value / rest if rest > 0 else math.inf
