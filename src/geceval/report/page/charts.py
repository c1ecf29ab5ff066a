"""Charts of a report as SVG elements, drawn with matplotlib."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from geceval.counting.figures import f_score
from geceval.counting.metric_names import f_name
from geceval.report.comparisons.comparison_terms import shown_figure, shown_interval
from geceval.report.comparisons.meta_plots import label_points
from geceval.report.page.svg import COLOURS, SERIES, as_svg, printable, titled
from geceval.report.scores.score_report import confidence
from geceval.studies.comparison.comparison_results import Comparison, SystemScore
from geceval.studies.explaining.overview import Cell, GroupTable, Overview
from geceval.text.files import SOURCE

#: Width of a chart, height of a row, and height of the space above and below the rows, in inches.
WIDTH, ROW, FRAME = 4.2, 0.235, 0.75
#: Maximum number of types with a bar; the table has all types.
MOST_TYPES = 18
#: Maximum number of systems with a distinct colour.
NAMED = 6
MARKERS = ("o", "s", "^", "D", "v", "P")


def score_chart(overview: Overview, metric: str, digits: int) -> str:
    """Return a chart of scores with intervals.

    The best system is at the top, and dashed lines separate clusters.
    """
    comparison = overview.comparison
    rows, percent = comparison.best_first(metric), _scale(overview, metric)
    panel = _panel(len(rows) * ROW + FRAME)
    for at, row in enumerate(rows):
        colour = COLOURS["muted"] if row.system == SOURCE else SERIES[0]
        said = f"{row.system}: {_score_said(comparison, row, digits)}"
        panel.hlines(at, percent * row.low, percent * row.high, color=colour, linewidth=1.6, gid=titled(said))
        panel.plot(percent * row.value, at, marker="o", markersize=5.5, color=colour, gid=titled(said))
        above = rows[at - 1]
        together = comparison.form(metric, row.system) == comparison.form(metric, above.system)
        if at and together and row.cluster and above.cluster and row.cluster != above.cluster:
            panel.axhline(at - 0.5, color=COLOURS["line"], linewidth=0.9, linestyle=(0, (4, 3)))
    _name_rows(panel, [row.system for row in rows])
    panel.set_xlabel(f"{value_name(overview, metric)}, {confidence(comparison.alpha)} interval")
    described = "; ".join(f"{row.system} {_score_said(comparison, row, digits)}" for row in rows)
    title = f"{comparison.heads[metric].label}: scores with intervals"
    return as_svg(panel.figure, f"scores-{overview.metrics.index(metric)}", title, described)


def precision_recall_chart(overview: Overview, metric: str, digits: int) -> str:
    """Return a chart of precision against recall, with lines of equal F."""
    beta = overview.betas[metric]
    parts = {system: own for system, own in overview.parts[metric].items() if system != SOURCE}
    x, y = (np.array([100 * own[name] for own in parts.values()]) for name in ("recall", "precision"))
    said = [(f"P {precision:.{digits}f}", f"R {recall:.{digits}f}") for recall, precision in zip(x, y, strict=True)]
    panel = _panel(3.5)
    limits = [_limits(values) for values in (x, y)]
    _iso_lines(panel, beta, *limits)
    for at, system in enumerate(parts):
        gid = titled(f"{system}: {', '.join(said[at])}")
        panel.plot(x[at], y[at], marker="o", markersize=6, color=SERIES[0], zorder=3, gid=gid)
    panel.set(xlim=limits[0], ylim=limits[1], xlabel="recall", ylabel="precision")
    names = [printable(system) for system in parts]
    label_points(panel, names, x, y, ink=COLOURS["ink"], halo=COLOURS["surface"], size=7.5)
    panel.tick_params(axis="y", labelcolor=COLOURS["muted"])
    systems = "; ".join(f"{system} {' '.join(numbers)}" for system, numbers in zip(parts, said, strict=True))
    described = f"On lines of equal {f_name(beta)}. {systems}"
    title = f"{overview.comparison.heads[metric].label}: precision against recall"
    return as_svg(panel.figure, f"pr-{overview.metrics.index(metric)}", title, described)


def _limits(values: Any) -> tuple[float, float]:
    """Return the limits of an axis with space around the points, within 0 and 100."""
    room = max(0.12 * np.ptp(values), 3.0)
    return max(float(values.min()) - room, -1.0), min(float(values.max()) + room, 101.0)


def _iso_lines(panel: Any, beta: float, across: tuple[float, float], along: tuple[float, float]) -> None:
    """Draw lines of equal F at integers, with their values."""
    recall, precision = (np.linspace(*limits, 160) for limits in (across, along))
    precisions, recalls = np.meshgrid(np.maximum(precision, 0) / 100, np.maximum(recall, 0) / 100, indexing="ij")
    values = 100 * f_score(precisions, recalls, beta)
    step = next(step for step in (1, 2, 5, 10, 20, 100) if np.ptp(values) / step < 8)
    levels = np.arange(math.ceil(values.min() / step) * step, values.max(), step)
    levels = levels[levels > 0]
    if not len(levels):
        return
    lines = panel.contour(recall, precision, values, levels=levels, colors=COLOURS["line"], linewidths=0.9)
    for text in panel.clabel(lines, fmt=lambda level: f"{level:g}", fontsize=7.5):
        text.set_color(COLOURS["muted"])


def type_chart(overview: Overview, table: GroupTable, system: str) -> str | None:
    """Return a chart of edits by type; None without edits.

    Correct and missed edits are on the right, wrong edits on the left.
    """
    chosen = _frequent(table)
    cells = {group: cell for group in chosen if (cell := table.cells[system][group]) is not None}
    if not cells:
        return None
    panel = _panel(len(chosen) * ROW + FRAME + 0.2)
    for at, group in enumerate(chosen):
        if group in cells:
            _type_bars(panel, at, group, cells[group])
    panel.axvline(0, color=COLOURS["muted"], linewidth=0.8)
    _name_rows(panel, chosen)
    panel.xaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    panel.set_xlim(*_reach(table, chosen))
    panel.set_xlabel("← ✗ wrong    ·    ✓ correct, then ○ missed →")
    label = overview.comparison.heads[table.metric].label
    described = "; ".join(f"{group}: {_said(cell)}" for group, cell in cells.items())
    name = f"types-{overview.metrics.index(table.metric)}-{overview.systems.index(system)}"
    return as_svg(panel.figure, name, f"{label}: edits of {system} by type", described)


def _frequent(table: GroupTable) -> list[str]:
    """Return the most frequent types of all systems together.

    The charts of all systems have the same types and can be compared.
    """
    cells = {group: _of(table, group) for group in table.groups}
    sizes = {
        group: sum((cell.found or 0) + (cell.wrong or 0) + (cell.missed or 0) for cell in own)
        for group, own in cells.items()
        if any(cell.found is not None for cell in own)
    }
    return sorted(sizes, key=lambda group: -sizes[group])[:MOST_TYPES]


def _of(table: GroupTable, group: str) -> list[Cell]:
    """Return the cells of a group, of all systems."""
    return [cell for own in table.cells.values() if (cell := own[group]) is not None]


def _reach(table: GroupTable, groups: Sequence[str]) -> tuple[float, float]:
    """Return the limits of the bars of all systems, with space for numbers."""
    cells = [cell for group in groups for cell in _of(table, group)]
    left = max(cell.wrong or 0 for cell in cells)
    right = max((cell.found or 0) + (cell.missed or 0) for cell in cells)
    room = 0.17 * max(left + right, 1)
    return (-left - room if left else 0, right + room)


def _said(cell: Cell) -> str:
    wrong = "" if cell.wrong is None else f", {_amount(cell.wrong)} wrong"
    return f"{_amount(cell.found)} correct{wrong}, {_amount(cell.missed)} missed"


def _amount(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}".removesuffix(".0")


def _type_bars(panel: Any, at: int, group: str, cell: Cell) -> None:
    """Draw the bars of a type, which differ in place and filling, not only in colour."""
    found, wrong, missed = cell.found or 0, cell.wrong or 0, cell.missed or 0
    said = titled(f"{group}: {_said(cell)}")
    bars: Any = {"height": 0.62, "linewidth": 0.9, "gid": said}
    panel.barh(at, found, color=COLOURS["right"], edgecolor=COLOURS["right"], **bars)
    panel.barh(at, missed, left=found, color=COLOURS["surface"], edgecolor=COLOURS["missed"], **bars)
    panel.barh(at, -wrong, color=COLOURS["surface"], edgecolor=COLOURS["wrong"], hatch="////", **bars)
    note: Any = {"va": "center", "fontsize": 7.5, "color": COLOURS["muted"], "textcoords": "offset points"}
    panel.annotate(f"{_amount(found)} / {_amount(found + missed)}", (found + missed, at), (4, 0), **note)
    if wrong:
        panel.annotate(_amount(wrong), (-wrong, at), (-4, 0), ha="right", **note)


def length_chart(overview: Overview, table: GroupTable) -> str:
    """Return a chart of scores by sentence length, with the best systems in colour."""
    metric, percent = table.metric, _scale(overview, table.metric)
    ranked = [row.system for row in overview.comparison.best_first(metric)]
    panel = _panel(3.3)
    places = np.arange(len(table.groups))
    ends = []
    for at, system in reversed(list(enumerate(ranked))):
        own = [table.cells[system][group] for group in table.groups]
        values = np.array([math.nan if cell is None or cell.value is None else percent * cell.value for cell in own])
        named = at < NAMED
        colour = SERIES[at] if named else COLOURS["line"]
        said = titled(f"{system}: " + ", ".join(f"{g} {v:.1f}" for g, v in zip(table.groups, values, strict=True)))
        marker: Any = {"marker": MARKERS[at], "markersize": 4.5} if named else {}
        panel.plot(places, values, color=colour, linewidth=1.5 if named else 1.1, gid=said, **marker)
        if named and not math.isnan(values[-1]):
            ends.append((float(values[-1]), system, colour))
    _end_labels(panel, ends, len(places) - 1)
    panel.set_xticks(places, table.groups)
    panel.tick_params(axis="y", labelcolor=COLOURS["muted"])
    panel.set(xlabel="tokens in the source", ylabel=value_name(overview, metric), xlim=(-0.15, len(places) - 0.85))
    panel.grid(axis="y")
    described = f"The {min(NAMED, len(ranked))} best systems in colour; the table has all numbers."
    title = f"{overview.comparison.heads[metric].label}: score against sentence length"
    return as_svg(panel.figure, f"lengths-{overview.metrics.index(metric)}", title, described)


def _end_labels(panel: Any, ends: Sequence[tuple[float, str, str]], last: int) -> None:
    """Draw the names of systems beside the ends of their lines, without overlaps."""
    low, high = panel.get_ylim()
    gap, before = 0.062 * (high - low), -math.inf
    for value, system, colour in sorted(ends):
        place = max(value, before + gap)
        before = place
        panel.annotate(
            printable(system), (last, value), (last + 0.09, place), textcoords="data", fontsize=8, va="center",
            color=colour, annotation_clip=False,
        )  # fmt: skip


# --- shared functions ---


def _panel(height: float) -> Any:
    """Return an empty chart."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    figure.patch.set_visible(False)
    panel = figure.subplots()
    panel.patch.set_visible(False)
    return panel


def _name_rows(panel: Any, names: Sequence[str]) -> None:
    """Draw names to the left of the rows of a chart."""
    panel.set_yticks(range(len(names)), [printable(name) for name in names])
    panel.tick_params(axis="y", length=0)
    panel.set_ylim(len(names) - 0.4, -0.6)
    panel.grid(axis="x")
    panel.spines["left"].set_visible(False)


def _scale(overview: Overview, metric: str) -> float:
    return 100.0 if overview.comparison.in_percent(metric) else 1.0


def _score_said(comparison: Comparison, row: SystemScore, digits: int) -> str:
    return f"{shown_figure(comparison, row.metric, row.value, digits)} {shown_interval(comparison, row, digits)}"


def value_name(overview: Overview, metric: str) -> str:
    """Return the name of the scores of a metric: F₀.₅, or score."""
    return f_name(overview.betas[metric]) if metric in overview.betas else "score"
