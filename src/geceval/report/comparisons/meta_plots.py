"""Plots of a meta-evaluation: metrics against people, and the window analysis.

The plots are SVG and PNG files. They require matplotlib (the extra ``geceval[plots]``), and use fixed settings without
its global state.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from geceval.base.errors import require_extra
from geceval.base.output_files import write_errors
from geceval.report.comparisons.meta_report import heads_of
from geceval.studies.meta.sentence_agreement import accuracy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from geceval.studies.meta.study import MetricResult, StudyResults
    from geceval.text.files import PathLike

#: Colours of Okabe and Ito, which colour-blind readers can distinguish; markers serve for prints without colour.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

#: SVG files contain text as text; equal input gives equal bytes.
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "geceval",
    "font.size": 9,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
}

PANEL = (3.4, 3.0)
COLUMNS = 3
#: Maximum number of characters in a row of the legend.
LEGEND = 90


def write_plots(results: StudyResults, folder: PathLike, window: int) -> list[Path]:
    """Write the plots ``correlation``, ``windows`` and ``ranks`` as SVG and PNG.

    Args:
        results: Results of a meta-evaluation.
        folder: Output folder; created if it does not exist.
        window: Number of systems of a window; no plot of windows if the study has fewer.

    Raises:
        MissingExtraError: If matplotlib is not installed.
        InputError: If a file cannot be written.
        UsageError: If a window has fewer than two systems.
    """
    with require_extra("plots", "plots need matplotlib"):
        import matplotlib as mpl
    written = []
    with mpl.rc_context(STYLE):
        figures = {
            "correlation": _panels(results, _scatter, f"people: {results.measure.label}", "metric"),
            "ranks": _panels(results, _heat_map, "rank of the worse output", "rank of the better output"),
        }
        if window <= len(results.study.systems):
            figures["windows"] = window_analysis(results, window)
        for name, figure in figures.items():
            for ending, dated in (("svg", "Date"), ("png", "Software")):
                path = Path(folder) / f"{name}.{ending}"
                with write_errors(path):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    figure.savefig(path, dpi=200, metadata={dated: None})
                written.append(path)
    return written


def _panels(
    results: StudyResults, draw: Callable[[Any, str, StudyResults, MetricResult], None], across: str, along: str
) -> Figure:
    """Return a figure with a panel for each metric."""
    from matplotlib.figure import Figure

    count = len(results.metrics)
    columns = 2 if count == 4 else min(COLUMNS, count)
    rows = math.ceil(count / columns)
    figure = Figure(figsize=(PANEL[0] * columns, PANEL[1] * rows), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    for panel in panels[count:]:
        panel.set_axis_off()
    for panel, head, result in zip(panels, heads_of(results), results.metrics, strict=False):
        draw(panel, head, results, result)
    figure.supxlabel(across, fontsize=9)
    figure.supylabel(along, fontsize=9)
    return figure


def _heat_map(panel: Any, head: str, results: StudyResults, result: MetricResult) -> None:
    """Draw the accuracy of a metric on pairs of outputs, by human ranks."""
    found = {pair: float(accuracy(verdicts, ties=results.options.ties)) for pair, verdicts in result.ranks.items()}
    found = {pair: share for pair, share in found.items() if not math.isnan(share)}
    panel.set_title(head, fontsize=9)
    if not found:
        panel.set_axis_off()
        return
    # No rows and columns without numbers, as the lowest rank's among the better outputs.
    betters, worses = (sorted({pair[side] for pair in found}) for side in (0, 1))
    shares = np.full((len(betters), len(worses)), math.nan)
    for (better, worse), share in found.items():
        shares[betters.index(better), worses.index(worse)] = share
    # The colours diverge around chance. Each cell contains its number, because colour alone is not accessible.
    panel.imshow(shares, cmap="RdBu", vmin=0, vmax=1)
    for (row, column), share in np.ndenumerate(shares):
        if not math.isnan(share):
            colour = "white" if abs(share - 0.5) > 0.3 else "black"
            panel.annotate(f"{share:.2f}", (column, row), fontsize=6.5, ha="center", va="center", color=colour)
    panel.set_xticks(range(len(worses)), [str(rank) for rank in worses])
    panel.set_yticks(range(len(betters)), [str(rank) for rank in betters])


def _scatter(panel: Any, head: str, results: StudyResults, result: MetricResult) -> None:
    """Draw the scores of a metric against human scores, with the least-squares line."""
    x, y = results.people, result.scores.values
    panel.scatter(x, y, s=18, color=COLOURS[0], zorder=3)
    if not math.isnan(result.agreement.pearson):
        slope, base = results.line(result)
        ends = np.array([x.min(), x.max()])
        panel.plot(ends, slope * ends + base, color=COLOURS[1], linewidth=1, zorder=2)
    longest = max(map(len, results.study.systems))
    panel.margins(0.05 + 0.03 * longest, 0.12)  # space for names beside the outermost points
    label_points(panel, results.study.systems, x, y)
    panel.set_title(f"{head}\nr = {result.agreement.pearson:.3f}, ρ = {result.agreement.spearman:.3f}", fontsize=9)
    panel.grid(color="0.92")


def label_points(panel: Any, names: Sequence[str], x: Any, y: Any) -> None:
    """Draw the name of each point on its side with the most free space."""
    width, height = np.ptp(x) or 1.0, np.ptp(y) or 1.0
    points = np.column_stack([x / width, y / height])
    taken: list[Any] = []
    for k, name in enumerate(names):
        obstacles = np.array([*np.delete(points, k, axis=0), *taken]).reshape(-1, 2)
        side = max(SIDES, key=lambda side: _room(_name_at(points[k], side), obstacles))
        taken.append(_name_at(points[k], side))
        across = {-1: "right", 0: "center", 1: "left"}[side[0]]
        along = {-1: "top", 0: "center", 1: "bottom"}[side[1]]
        panel.annotate(
            name, (x[k], y[k]), xytext=(4 * side[0], 4 * side[1]), textcoords="offset points", fontsize=6.5,
            ha=across, va=along, color="0.25", bbox=HALO,
        )  # fmt: skip


#: Background of a name, which keeps it readable where it crosses a line.
HALO: Any = {"boxstyle": "square,pad=0.05", "edgecolor": "none", "facecolor": "white", "alpha": 0.75}
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))


def _name_at(point: Any, side: tuple[int, int]) -> tuple[float, float]:
    """Return the centre of a name beside a point, in units of the ranges of the data."""
    across, along = side
    return (point[0] + 0.11 * across, point[1] + 0.06 * along)


def _room(middle: Any, obstacles: Any) -> float:
    """Return the distance of the nearest obstacle.

    Horizontal distance has half the weight, because names are wider than high.
    """
    return float(abs((obstacles - middle) / [1.0, 0.5]).max(axis=1).min(initial=math.inf))


def window_analysis(results: StudyResults, size: int) -> Figure:
    """Return a plot of r and ρ in windows of systems with neighbouring human ranks."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(2 * PANEL[0] + 1.2, PANEL[1] + 0.4), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    for panel, (measure, title) in zip(panels, (("pearson", "Pearson's r"), ("spearman", "Spearman's ρ")), strict=True):
        for k, (head, result) in enumerate(zip(heads_of(results), results.metrics, strict=True)):
            found = results.windows(result, size)
            panel.plot(
                [window.first for window in found],
                [getattr(window.agreement, measure) for window in found],
                color=COLOURS[k % len(COLOURS)],
                marker=MARKERS[k % len(MARKERS)],
                markersize=4,
                linewidth=1.2,
                label=head,
            )
        panel.axhline(0, color="0.6", linewidth=0.8)
        panel.set_ylim(-1.08, 1.08)
        panel.xaxis.set_major_locator(MaxNLocator(integer=True))
        panel.set_title(title, fontsize=9)
        panel.grid(color="0.92")
    figure.supxlabel(f"people's rank of the best system of the window ({size} systems)", fontsize=9)
    handles, heads = panels[0].get_legend_handles_labels()
    columns = max(1, LEGEND // (6 + max(map(len, heads))))
    figure.legend(handles, heads, loc="outside upper center", ncols=columns, frameon=False)
    return figure
