"""Charts of a report as SVG elements, with the same colour and mark for a system."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from geceval.comparison.comparison_results import SystemScore, ordered, shown_figure, shown_group, shown_interval
from geceval.counting.metric_names import f_name
from geceval.counting.policies import f_score
from geceval.reporting.overview import Cell, GroupTable, Overview
from geceval.tables.svg import (
    LINE,
    Drawing,
    Point,
    Scale,
    bar,
    hatching,
    line,
    mark,
    name_points,
    printable,
    spread,
    width_of,
)
from geceval.tables.table import confidence
from geceval.text.files import SOURCE

#: Width of a chart, and height of a row.
WIDTH, ROW = 360.0, 19.0
#: Maximum number of types with a bar, and of groups with a row; tables have all of them.
MOST_TYPES, MOST_GROUPS = 18, 24
#: Number of systems with a colour, the best by the first metric; the others are grey.
COLOURED = 8
#: Number of corners of the mark of each coloured system; 0: a circle.
SIDES = (0, 4, 3, 5, 0, 4, 3, 5)
#: Groups of fewer sentences are drawn faint.
FEW = 30
#: Name of the row of the best possible score.
CEILING = "(best possible)"


@dataclass(frozen=True)
class Charts:
    """The charts of an overview.

    Attributes:
        overview: Scores, parts and groups of all systems.
        digits: Number of decimals of scores.
    """

    overview: Overview
    digits: int

    @cached_property
    def colours(self) -> dict[str, str]:
        """Class of each system."""
        return colours_of(self.overview)

    def _index(self, system: str) -> int | None:
        """Return the index of a system among the coloured ones."""
        number = self.colours[system].removeprefix("s")
        return int(number) - 1 if number.isdecimal() and number != "0" else None

    def _mark(self, system: str, x: float, y: float, size: float = 4.0) -> str:
        index = self._index(system)
        return mark(x, y, 0 if index is None else SIDES[index], size)

    def _identifier(self, kind: str, metric: str) -> str:
        return f"{kind}-{self.overview.metrics.index(metric)}"

    def _scale(self, metric: str) -> float:
        return 100.0 if self.overview.comparison.in_percent(metric) else 1.0

    def _label(self, metric: str) -> str:
        return self.overview.comparison.heads[metric].label

    # --- scores ---

    def scores(self, metric: str) -> str:
        """Return a chart of scores with intervals, the best system at the top.

        Dashed lines separate clusters. The unchanged source and the best possible score are the last rows.
        """
        comparison, scale = self.overview.comparison, self._scale(metric)
        rows = comparison.best_first(metric)
        ceiling = comparison.ceiling(metric)
        names = [row.system for row in rows] + ([] if ceiling is None else [CEILING])
        ends = [scale * end for row in rows for end in (row.low, row.high)]
        drawing, across, left = self._rows(self._identifier("scores", metric), names, widened(ends))
        drawing.across(
            across, 6, _row(len(names)), f"{value_name(self.overview, metric)}, {confidence(comparison.alpha)} interval"
        )
        for index, row in enumerate(rows):
            kind, text, y = self.colours[row.system], f"{row.system}: {self._score_text(row)}", _middle(index)
            drawing.shape(line((across(scale * row.low), y), (across(scale * row.high), y)), f"{kind} interval", text)
            drawing.shape(self._mark(row.system, across(scale * row.value), y), f"{kind} mark", text)
            above = rows[index - 1]
            together = comparison.form(metric, row.system) == comparison.form(metric, above.system)
            if index and together and row.cluster and above.cluster and row.cluster != above.cluster:
                drawing.shape(line((left, _row(index)), (WIDTH - 8, _row(index))), "cluster")
        described = [f"{row.system} {self._score_text(row)}" for row in rows]
        if ceiling is not None:
            text = f"{CEILING} {shown_figure(comparison, metric, ceiling, self.digits)}"
            # It does not widen the axis: far from the systems it is at the edge, with its value.
            drawing.shape(mark(across(scale * ceiling), _middle(len(rows)), 4, 4.5), "source mark", text)
            drawing.text(across(scale * ceiling) - 8, _middle(len(rows)) + 4, text.removeprefix(CEILING), "end quiet")
            described.append(text)
        return drawing.element(f"{self._label(metric)}: scores with intervals", "; ".join(described))

    def _score_text(self, row: SystemScore) -> str:
        comparison = self.overview.comparison
        figure = shown_figure(comparison, row.metric, row.value, self.digits)
        return f"{figure} {shown_interval(comparison, row, self.digits)}"

    @staticmethod
    def _rows(
        name: str, names: Sequence[str], ends: tuple[float, float], faint: Sequence[int] = ()
    ) -> tuple[Drawing, Scale, float]:
        """Return a drawing with a row per name, its scale, and the left end of rows."""
        texts = [shortened(printable(name)) for name in names]
        left = 14 + max(map(width_of, texts), default=0)
        drawing = Drawing(name, WIDTH, _row(len(names)) + 2 * LINE + 10)
        for index, text in enumerate(texts):
            kind = "end quiet" if index in faint or text[:1] == "(" else "end"
            drawing.text(left - 6, _middle(index) + 4, text, kind)
        return drawing, Scale(*ends, left + 4, WIDTH - 14), left

    # --- precision and recall ---

    def precision_recall(self, metric: str) -> str:
        """Return a chart of precision against recall, with lines of equal F.

        The chart is empty if no system has both.
        Systems without recall are at the edge and do not widen the axes; without precision, they are left out.
        """
        beta = self.overview.betas[metric]
        parts = {}
        for name, values in self.overview.parts[metric].items():
            recall, precision = values["recall"], values["precision"]
            if recall is not None and precision is not None:
                parts[name] = 100 * recall, 100 * precision
        if not parts:
            return ""
        visible = [point for point in parts.values() if point[0]] or list(parts.values())
        left, right, top, bottom = 32.0, WIDTH - 24, 26.0, 256.0
        across, along = (
            Scale(*_bounded([point[axis] for point in visible]), *ends)
            for axis, ends in enumerate(((left, right), (bottom, top)))
        )
        drawing = Drawing(self._identifier("pr", metric), WIDTH, bottom + 2 * LINE + 10)
        drawing.across(across, top, bottom, "recall")
        drawing.along(along, left, right, "precision")
        _iso_lines(drawing, beta, across, along)
        positions, texts = {}, {}
        for system, (recall, precision) in parts.items():
            positions[system] = (across(recall), along(precision))
            texts[system] = f"P {precision:.{self.digits}f}, R {recall:.{self.digits}f}"
            kind = f"{self.colours[system]} mark" + (" faint" if not recall else "")
            drawing.shape(self._mark(system, *positions[system], 5), kind, f"{system}: {texts[system]}")
        ranked = sorted(positions, key=list(self.colours).index)
        names = [(shortened(printable(system)), positions[system]) for system in ranked]
        name_points(drawing, names, (left, top, right, bottom))
        listed = "; ".join(f"{name}: {text}" for name, text in texts.items())
        described = f"On lines of equal {f_name(beta)}. {listed}"
        return drawing.element(f"{self._label(metric)}: precision against recall", described)

    # --- types ---

    def types(self, table: GroupTable, system: str) -> str | None:
        """Return a chart of edits by type; None without edits.

        Correct and missed edits are on the right, wrong edits on the left. Charts of all systems have the same types
        and the same scale.
        """
        chosen = _frequent(table)
        cells = {group: cell for group in chosen if (cell := table.cells[system][group]) is not None}
        if not cells:
            return None
        name = f"{self._identifier('types', table.metric)}-{self.overview.systems.index(system)}"
        drawing, across, _ = self._rows(name, [shown_group(group) for group in chosen], _reach(table, chosen))
        bottom = _row(len(chosen))
        drawing.across(across, 6, bottom, "← ✗ wrong · ✓ correct, then ○ missed →", signed=False)
        for index, group in enumerate(chosen):
            if group in cells:
                _type_bars(drawing, across, index, cells[group], f"{shown_group(group)}: {_cell_text(cells[group])}")
        drawing.shape(line((across(0), 6), (across(0), bottom)), "axis")
        described = "; ".join(f"{shown_group(group)}: {_cell_text(cell)}" for group, cell in cells.items())
        return drawing.element(f"{self._label(table.metric)}: edits of {system} by type", described)

    # --- groups of sentences ---

    def lengths(self, table: GroupTable) -> str:
        """Return a chart of scores by sentence length."""
        drawing = Drawing(self._identifier("lengths", table.metric), WIDTH, 276)
        values = self._values(table)
        left, right, top, bottom = 32.0, WIDTH - 84, 26.0, 222.0
        known = [value for scores in values.values() for value in scores if not math.isnan(value)]
        along = Scale(*widened(known), bottom, top)
        step = (right - left - 24) / max(len(table.groups) - 1, 1)
        positions = [left + 12 + step * index for index in range(len(table.groups))]
        sizes = _sizes(table)
        drawing.along(along, left, right, value_name(self.overview, table.metric))
        for x, group in zip(positions, table.groups, strict=True):
            kind = "middle quiet" + (" faint" if sizes[group] < FEW else "")
            drawing.text(x, bottom + LINE + 4, group, kind)
            drawing.text(x, bottom + 2 * LINE + 4, f"n {sizes[group]:,}", f"{kind} small")
        drawing.text((left + right) / 2, bottom + 3 * LINE + 10, "tokens in the source", "middle quiet")
        ends = []
        # Coloured systems are drawn over the others, the best one last.
        for system in sorted(values, key=lambda name: -1 if (index := self._index(name)) is None else COLOURED - index):
            scores = values[system]
            points = list(zip(table.groups, zip(positions, map(along, scores), strict=True), scores, strict=True))
            self._length_line(drawing, system, points, sizes)
            drawn = [position for _, position, value in points if not math.isnan(value)]
            if drawn and (self._index(system) is not None or system == SOURCE):
                ends.append((drawn[-1][1], system))
        heights = spread((height for height, _ in sorted(ends)), LINE)
        lower = max((heights or [0.0])[-1] - bottom - 4, 0.0)
        for height, (_, system) in zip(heights, sorted(ends), strict=True):
            kind = f"{self.colours[system]} name"
            drawing.text(right + 4, height - lower + 4, shortened(printable(system), 13), kind)
        described = f"{self._groups_text(sizes)} The table has all numbers."
        return drawing.element(f"{self._label(table.metric)}: score against sentence length", described)

    def _length_line(
        self, drawing: Drawing, system: str, points: Sequence[tuple[str, Point, float]], sizes: Mapping[str, int]
    ) -> None:
        known = [(group, position, value) for group, position, value in points if not math.isnan(value)]
        kind = self.colours[system]
        text = f"{system}: " + ", ".join(f"{group} {value:.{self.digits}f}" for group, _, value in known)
        for (group, position, _), (_, following, _) in zip(known[1:], known, strict=False):
            faint = " faint" if sizes[group] < FEW else ""
            drawing.shape(line(following, position), f"{kind} trend{faint}", "" if faint else text)
        if self._index(system) is not None:
            for group, position, _ in known:
                faint = " faint" if sizes[group] < FEW else ""
                drawing.shape(self._mark(system, *position, 3), f"{kind} mark{faint}", text)

    def groups(self, table: GroupTable) -> str:
        """Return a chart of scores in the largest groups, with a mark per system."""
        sizes, values = _sizes(table), self._values(table)
        largest = sorted(table.groups, key=lambda group: -sizes[group])[:MOST_GROUPS]
        groups = [group for group in table.groups if group in largest]
        faint = [index for index, group in enumerate(groups) if sizes[group] < FEW]
        names = [f"{shortened(shown_group(group), 18)} · {sizes[group]:,}" for group in groups]
        known = [value for scores in values.values() for value in scores if not math.isnan(value)]
        drawing, across, left = self._rows(self._identifier("groups", table.metric), names, widened(known), faint)
        drawing.across(across, 6, _row(len(groups)), value_name(self.overview, table.metric))
        for index, group in enumerate(groups):
            drawing.shape(line((left, _middle(index)), (WIDTH - 8, _middle(index))), "grid")
            for system in reversed(list(values)):
                value = values[system][table.groups.index(group)]
                if not math.isnan(value):
                    kind = f"{self.colours[system]} mark" + (" faint" if index in faint else "")
                    text = f"{group}: {system} {value:.{self.digits}f}"
                    drawing.shape(self._mark(system, across(value), _middle(index)), kind, text)
        return drawing.element(f"{self._label(table.metric)}: score by group", self._groups_text(sizes))

    @staticmethod
    def _groups_text(sizes: Mapping[str, int]) -> str:
        numbers = ", ".join(f"{shown_group(group)} {size:,}" for group, size in sizes.items())
        return f"Numbers of sentences: {numbers}; groups of fewer than {FEW} are faint."

    def _values(self, table: GroupTable) -> dict[str, list[float]]:
        """Return the shown scores of each system by group; NaN without a score."""
        scale = self._scale(table.metric)
        order = ordered(self.overview.comparison)[table.metric]
        cells = {system: [table.cells[system][group] for group in table.groups] for system in order}
        return {
            system: [math.nan if cell is None or cell.value is None else scale * cell.value for cell in row]
            for system, row in cells.items()
        }


def colours_of(overview: Overview) -> dict[str, str]:
    """Return the class of each system: s1, s2, …, s0 without a colour, or source."""
    ranked = [name for name in ordered(overview.comparison)[overview.metrics[0]] if name != SOURCE]
    classes = {name: f"s{index + 1}" if index < COLOURED else "s0" for index, name in enumerate(ranked)}
    return classes | {SOURCE: "source"}


def value_name(overview: Overview, metric: str) -> str:
    """Return the name of the scores of a metric: F₀.₅, or score."""
    return f_name(overview.betas[metric]) if metric in overview.betas else "score"


def shortened(text: str, most: int = 22) -> str:
    """Return a name for a chart, shortened in the middle."""
    return text if len(text) <= most else f"{text[: most - 6]}…{text[-5:]}"


def _sizes(table: GroupTable) -> dict[str, int]:
    """Return the number of sentences of each group."""
    return {group: (table.sentences or {}).get(group, 0) for group in table.groups}


def _row(index: int) -> float:
    """Return the upper end of a row."""
    return 8 + ROW * index


def _middle(index: int) -> float:
    return _row(index) + ROW / 2


def widened(values: Sequence[float], share: float = 0.04) -> tuple[float, float]:
    """Return the limits of an axis with space around the values.

    The space is a ``share`` of the range of the values.
    """
    low, high = min(values, default=0.0), max(values, default=1.0)
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
        elif first > recalls.low:
            drawing.text(points[0][0], precisions.last - 2, f"{level:g}", "middle quiet small")


def _other_part(share: float, level: float, value: float) -> float:
    """Return the part of F with weight ``share`` if the other part has this value.

    1 / F is the weighted mean of 1 / recall and 1 / precision. Infinite if no value gives the level.
    """
    rest = value / level - (1 - share) if level else 0.0
    return share * value / rest if rest > 0 else math.inf


def _frequent(table: GroupTable) -> list[str]:
    """Return the most frequent types of all systems together."""
    cells = {group: _cells_of(table, group) for group in table.groups}
    sizes = {
        group: sum((cell.found or 0) + (cell.wrong or 0) + (cell.missed or 0) for cell in group_cells)
        for group, group_cells in cells.items()
        if any(cell.found is not None for cell in group_cells)
    }
    return sorted(sizes, key=lambda group: -sizes[group])[:MOST_TYPES]


def _cells_of(table: GroupTable, group: str) -> list[Cell]:
    """Return the cells of a group, of all systems."""
    return [cell for row in table.cells.values() if (cell := row[group]) is not None]


def _reach(table: GroupTable, groups: Sequence[str]) -> tuple[float, float]:
    """Return the limits of the bars of all systems, with space for numbers."""
    cells = [cell for group in groups for cell in _cells_of(table, group)]
    left = max(cell.wrong or 0 for cell in cells)
    right = max((cell.found or 0) + (cell.missed or 0) for cell in cells)
    room = 0.17 * max(left + right, 1)
    return (-left - room if left else 0, right + room)


def _cell_text(cell: Cell) -> str:
    wrong = "" if cell.wrong is None else f", {_amount(cell.wrong)} wrong"
    return f"{_amount(cell.found)} correct{wrong}, {_amount(cell.missed)} missed"


def _amount(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}".removesuffix(".0")


def _type_bars(drawing: Drawing, across: Scale, index: int, cell: Cell, text: str) -> None:
    """Draw the bars of a type, which differ in place and filling, not only in colour."""
    hits, wrong, missed = cell.found or 0, cell.wrong or 0, cell.missed or 0
    zero, middle, end, y = across(0), across(hits), across(hits + missed), _row(index) + 4
    shapes = [(bar(zero, y, middle - zero, ROW - 8), "right bar")] if hits else []
    shapes += [(bar(middle, y, end - middle, ROW - 8), "missed bar")] if missed else []
    drawing.text(end + 4, y + 9, f"{_amount(hits)} / {_amount(hits + missed)}", "quiet small")
    if wrong:
        start = across(-wrong)
        box = start, y, zero - start, ROW - 8
        shapes.append((bar(*box) + hatching(*box), "wrong"))
        drawing.text(start - 4, y + 9, _amount(wrong), "end quiet small")
    drawing.group(shapes, text)
