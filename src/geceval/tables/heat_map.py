"""Map of values of rows and columns as a chart."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from geceval.tables.charts import NAMES, ROW, WIDTH, Chart, draw_names, row_top
from geceval.tables.svg import LINE, SMALL, Drawing, Scale, bar, lines_of, shortened, width_of

#: Opacity of the lowest and highest score of a map: text stays readable on it.
SHADES = (0.05, 0.6)


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
        draw_names(drawing, list(content), left, left, drawing.height)
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
