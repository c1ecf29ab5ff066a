"""Charts of a report as SVG elements, with the same colour and mark for a system."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from geceval.comparison.comparison_charts import comparison_chart
from geceval.counting.metric_names import f_name
from geceval.reporting.overview import GroupCell, GroupTable, Overview
from geceval.resampling.break_even_report import decision_chart
from geceval.resampling.system_tables import ordered, shown_group
from geceval.tables.charts import ROW, WIDTH, Systems, row_middle, row_top, rows_drawing, widened
from geceval.tables.precision_recall import PrecisionRecall, precision_recall_chart
from geceval.tables.svg import LINE, Drawing, Point, Scale, bar, hatching, line, shortened

#: Maximum number of types with a bar, and of groups with a row; tables have all of them.
MOST_TYPES, MOST_GROUPS = 18, 24
#: Width of a number next to a bar.
NUMBER = 30.0
#: Groups of fewer sentences are drawn faint.
FEW = 30


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
    def systems(self) -> Systems:
        """Colours and marks."""
        return Systems(ordered(self.overview.comparison)[self.overview.metrics[0]])

    def _identifier(self, kind: str, metric: str) -> str:
        return f"{kind}-{self.overview.metrics.index(metric)}"

    def _label(self, metric: str) -> str:
        return self.overview.comparison[metric].label

    def scores(self, metric: str) -> str:
        """Return a chart of scores with intervals."""
        comparison = self.overview.comparison
        return comparison_chart(
            [comparison[metric]], comparison.alpha, self.systems, self._identifier("scores", metric), self.digits
        ).element

    def precision_recall(self, metric: str) -> str:
        """Return a chart of precision against recall; empty if no system has both."""
        beta, parts = self.overview.betas[metric], self.overview.parts[metric]
        metrics = [PrecisionRecall(self._label(metric), beta, parts)]
        chart = precision_recall_chart(self._identifier("pr", metric), metrics, self.systems, self.digits)
        return "" if chart is None else chart.element

    def decisions(self, metric: str) -> str:
        """Return a chart of the net benefit of all systems by the cost of a wrong edit; empty without decisions."""
        decisions, name = self.overview.comparison[metric].decisions, self._identifier("decisions", metric)
        return "" if decisions is None else decision_chart({self._label(metric): decisions}, self.systems, name).element

    # --- types ---

    def types(self, table: GroupTable, system: str) -> str | None:
        """Return a chart of edits by type; None without edits.

        Correct and missed edits are on the right, wrong edits on the left. Charts of all systems have the same types
        and the same scale, which fits the systems with a colour.
        """
        chosen = _frequent(table)
        cells = {group: cell for group in chosen if (cell := table.cells[system][group]) is not None}
        if not cells:
            return None
        name = f"{self._identifier('types', table.metric)}-{self.overview.systems.index(system)}"
        drawing, across, _ = rows_drawing(name, [shown_group(group) for group in chosen], self._reach(table, chosen))
        across = replace(across, first=across.first + NUMBER, last=across.last - 2 * NUMBER)
        bottom = row_top(len(chosen))
        drawing.across(across, 6, bottom, "← ✗ wrong · ✓ correct, then ○ missed →", signed=False)
        for index, group in enumerate(chosen):
            if group in cells:
                _type_bars(drawing, across, index, cells[group], f"{shown_group(group)}: {_cell_text(cells[group])}")
        drawing.shape(line((across(0), 6), (across(0), bottom)), "axis")
        described = "; ".join(f"{shown_group(group)}: {_cell_text(cell)}" for group, cell in cells.items())
        return drawing.element(f"{self._label(table.metric)}: edits of {system} by type", described)

    def _reach(self, table: GroupTable, groups: Sequence[str]) -> tuple[float, float]:
        """Return the limits of the bars: most wrong edits, as a negative number, and most edits of references."""
        rows = [row for name, row in table.cells.items() if self.systems.is_coloured(name)]
        cells = [cell for row in rows for group in groups if (cell := row[group]) is not None]
        left = max((cell.wrong or 0 for cell in cells), default=0)
        return -left, max(((cell.found or 0) + (cell.missed or 0) for cell in cells), default=0)

    # --- groups of sentences ---

    def lengths(self, table: GroupTable) -> str:
        """Return a chart of scores by sentence length."""
        drawing = Drawing(self._identifier("lengths", table.metric), WIDTH, 286)
        values = self._values(table)
        left, right, top, bottom = 40.0, WIDTH - 14, 36.0, 232.0
        along = Scale(*widened(list(chain.from_iterable(values.values()))), bottom, top)
        step = (right - left - 24) / max(len(table.groups) - 1, 1)
        positions = [left + 12 + step * index for index in range(len(table.groups))]
        sizes = _sizes(table)
        drawing.along(along, left, right, value_name(self.overview, table.metric))
        for x, group in zip(positions, table.groups, strict=True):
            kind = "middle quiet" + (" faint" if sizes[group] < FEW else "")
            drawing.text(x, bottom + LINE + 4, group, kind)
            drawing.text(x, bottom + 2 * LINE + 4, f"n {sizes[group]:,}", f"{kind} small")
        drawing.text((left + right) / 2, bottom + 3 * LINE + 10, "tokens in the source", "middle quiet")
        # Coloured systems are drawn over the others, the best one last.
        for system in reversed(self.systems.ordered(values)):
            scores = values[system]
            points = list(zip(table.groups, zip(positions, map(along, scores), strict=True), scores, strict=True))
            self._length_line(drawing, system, points, sizes)
        self.systems.add_key(drawing, values)
        described = f"{self._groups_text(sizes)} The table has all numbers."
        return drawing.element(f"{self._label(table.metric)}: score against sentence length", described)

    def _length_line(
        self, drawing: Drawing, system: str, points: Sequence[tuple[str, Point, float]], sizes: Mapping[str, int]
    ) -> None:
        known = [(group, position, value) for group, position, value in points if not math.isnan(value)]
        kind = self.systems.colours[system]
        text = f"{system}: " + ", ".join(f"{group} {value:.{self.digits}f}" for group, _, value in known)
        for (group, position, _), (_, following, _) in zip(known[1:], known, strict=False):
            faint = " faint" if sizes[group] < FEW else ""
            drawing.shape(line(following, position), f"{kind} trend{faint}", "" if faint else text)
        for group, position, _ in known:
            faint = " faint" if sizes[group] < FEW else ""
            drawing.shape(self.systems.mark(system, *position, 3), f"{kind} mark{faint}", text)

    def groups(self, table: GroupTable) -> str:
        """Return a chart of scores in the largest groups, with a mark per system."""
        sizes, values = _sizes(table), self._values(table)
        largest = sorted(table.groups, key=lambda group: -sizes[group])[:MOST_GROUPS]
        groups = [group for group in table.groups if group in largest]
        faint = [index for index, group in enumerate(groups) if sizes[group] < FEW]
        names = [f"{shortened(shown_group(group), 110)} · {sizes[group]:,}" for group in groups]
        ends = widened(list(chain.from_iterable(values.values())))
        drawing, across, left = rows_drawing(self._identifier("groups", table.metric), names, ends, faint)
        drawing.across(across, 6, row_top(len(groups)), value_name(self.overview, table.metric))
        for index, group in enumerate(groups):
            drawing.shape(line((left, row_middle(index)), (WIDTH - 8, row_middle(index))), "grid")
            for system in reversed(list(values)):
                value = values[system][table.groups.index(group)]
                if not math.isnan(value):
                    kind = f"{self.systems.colours[system]} mark" + (" faint" if index in faint else "")
                    text = f"{group}: {system} {value:.{self.digits}f}"
                    drawing.shape(self.systems.mark(system, across(value), row_middle(index)), kind, text)
        self.systems.add_key(drawing, values)
        return drawing.element(f"{self._label(table.metric)}: score by group", self._groups_text(sizes))

    @staticmethod
    def _groups_text(sizes: Mapping[str, int]) -> str:
        numbers = ", ".join(f"{shown_group(group)} {size:,}" for group, size in sizes.items())
        return f"Numbers of sentences: {numbers}; groups of fewer than {FEW} are faint."

    def _values(self, table: GroupTable) -> dict[str, list[float]]:
        """Return the shown scores of each system by group; NaN without a score."""
        scale = 100.0 if self.overview.comparison[table.metric].in_percent else 1.0
        order = ordered(self.overview.comparison)[table.metric]
        cells = {system: [table.cells[system][group] for group in table.groups] for system in order}
        return {
            system: [math.nan if cell is None or cell.value is None else scale * cell.value for cell in row]
            for system, row in cells.items()
        }


def value_name(overview: Overview, metric: str) -> str:
    """Return the name of the scores of a metric: F₀.₅, or score."""
    return f_name(overview.betas[metric]) if metric in overview.betas else "score"


def _sizes(table: GroupTable) -> dict[str, int]:
    """Return the number of sentences of each group."""
    return {group: (table.sentences or {}).get(group, 0) for group in table.groups}


def _frequent(table: GroupTable) -> list[str]:
    """Return the most frequent types of all systems together."""
    rows = table.cells.values()
    cells = {group: [cell for row in rows if (cell := row[group]) is not None] for group in table.groups}
    sizes = {
        group: sum((cell.found or 0) + (cell.wrong or 0) + (cell.missed or 0) for cell in group_cells)
        for group, group_cells in cells.items()
        if any(cell.found is not None for cell in group_cells)
    }
    return sorted(sizes, key=lambda group: -sizes[group])[:MOST_TYPES]


def _cell_text(cell: GroupCell) -> str:
    wrong = "" if cell.wrong is None else f", {_amount(cell.wrong)} wrong"
    return f"{_amount(cell.found)} correct{wrong}, {_amount(cell.missed)} missed"


def _amount(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}".removesuffix(".0")


def _type_bars(drawing: Drawing, across: Scale, index: int, cell: GroupCell, text: str) -> None:
    """Draw the bars of a type, which differ in place and filling, not only in colour."""
    hits, wrong, missed = cell.found or 0, cell.wrong or 0, cell.missed or 0
    zero, middle, end, y = across(0), across(hits), across(hits + missed), row_top(index) + 4
    shapes = [(bar(zero, y, middle - zero, ROW - 8), "right bar")] if hits else []
    shapes += [(bar(middle, y, end - middle, ROW - 8), "missed bar")] if missed else []
    drawing.text(end + 4, y + 9, f"{_amount(hits)} / {_amount(hits + missed)}", "quiet small")
    if wrong:
        start = across(-wrong)
        box = start, y, zero - start, ROW - 8
        shapes.append((bar(*box) + hatching(*box), "wrong"))
        drawing.text(start - 4, y + 9, _amount(wrong), "end quiet small")
    drawing.group(shapes, text)
