"""Plots of a meta-evaluation: metrics against people, by system and by ranks of outputs.

PDF and PNG require CairoSVG (the extra ``geceval[plots]``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

import numpy as np

from geceval.agreement.meta_report import heads_of
from geceval.agreement.metric_agreement import accuracy
from geceval.agreement.study import MetricResult, StudyResults
from geceval.base.output_files import write_errors
from geceval.tables.charts import Chart, shortened, widened
from geceval.tables.pictures import STEPS, Writer, document
from geceval.tables.svg import DISTANCES, LINE, Box, Drawing, Scale, bar, line, mark, name_points, printable
from geceval.text.files import PathLike

#: Draws a metric into a frame of a drawing.
Draw: TypeAlias = "Callable[[Drawing, Box, StudyResults, MetricResult], None]"

#: Width and height of a panel with its axes, and maximum number of panels in a row.
PANEL, COLUMNS = (360.0, 330.0), 3
#: Distances of names from their points; all names have a place in most plots.
FAR = (*DISTANCES, 40.0, 54.0, 70.0, 90.0)
#: Space for names around the points, as a share of their range.
NAMES = 0.12


def write_plots(results: StudyResults, folder: PathLike, writers: Mapping[str, Writer]) -> list[Path]:
    """Write the plots ``correlation`` and ``ranks``.

    Args:
        results: Results of a meta-evaluation.
        folder: Output folder; created if it does not exist.
        writers: Functions that make the files, by ending (``picture_writers``).

    Raises:
        InputError: If a file cannot be written.
    """
    correlations = correlation_chart(results)
    title, description = "Accuracy of metrics on pairs of outputs, by ranks that people gave", correlations.description
    charts = [correlations, Chart(_panels("ranks", results, _heat_map), title, description)]
    written = []
    for chart in charts:
        picture = document([chart])
        for ending, write in writers.items():
            path = Path(folder) / f"{chart.drawing.name}.{ending}"
            with write_errors(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(write(picture))
            written.append(path)
    return written


def correlation_chart(results: StudyResults) -> Chart:
    """Return a chart of scores of metrics against scores by people, with a panel for each metric."""
    pairs = zip(heads_of(results), results.metrics, strict=True)
    description = "; ".join(f"{head} {_correlation(result)}" for head, result in pairs)
    return Chart(_panels("correlation", results, _scatter), "Scores of metrics against scores by people", description)


def _panels(name: str, results: StudyResults, draw: Draw) -> Drawing:
    """Return a drawing with a panel for each metric, under its name."""
    count = len(results.metrics)
    columns = 2 if count == 4 else min(COLUMNS, count)
    width, height = PANEL
    drawing = Drawing(name, columns * width, math.ceil(count / columns) * height)
    for index, (head, result) in enumerate(zip(heads_of(results), results.metrics, strict=True)):
        frame = _frame(index % columns * width, index // columns * height)
        drawing.text((frame[0] + frame[2]) / 2, frame[1] - 36, shortened(printable(head), 40), "middle head")
        draw(drawing, frame, results, result)
    return drawing


def _frame(left: float, top: float) -> Box:
    """Return the frame of a panel, with space for heads and axes."""
    return (left + 52, top + 50, left + PANEL[0] - 14, top + PANEL[1] - 44)


def _correlation(result: MetricResult) -> str:
    return f"r = {result.agreement.pearson:.3f}, ρ = {result.agreement.spearman:.3f}"


def _scatter(drawing: Drawing, frame: Box, results: StudyResults, result: MetricResult) -> None:
    """Draw the scores of a metric against human scores, with the least-squares line."""
    left, top, right, bottom = frame
    rows = zip(results.study.systems, results.people.tolist(), result.scores.values.tolist(), strict=True)
    points = [(system, x, y) for system, x, y in rows if math.isfinite(x + y)]
    if not points:
        drawing.text((left + right) / 2, (top + bottom) / 2, "no scores", "middle quiet")
        return
    _, people, scores = zip(*points, strict=True)
    ends = []
    if not math.isnan(result.agreement.pearson):
        slope, base = np.polyfit(results.people, result.scores.values, 1).tolist()
        ends = [(x, slope * x + base) for x in (min(people), max(people))]
    across = Scale(*widened(people, NAMES), left, right)
    along = Scale(*widened([*scores, *(y for _, y in ends)], NAMES), bottom, top)
    drawing.text((left + right) / 2, top - 22, _correlation(result), "middle")
    drawing.across(across, top, bottom, f"people: {results.measure.label}")
    drawing.along(along, left, right, "metric")
    if ends:
        drawing.shape(line(*((across(x), along(y)) for x, y in ends)), "s2 trend")
    names = []
    for system, x, y in points:
        drawing.shape(mark(across(x), along(y), 0, 3), "s1 mark", f"{system}: people {x:.4g}, metric {y:.4g}")
        names.append((shortened(printable(system)), (across(x), along(y))))
    name_points(drawing, names, (left, top, right, bottom), FAR)


def _heat_map(drawing: Drawing, frame: Box, results: StudyResults, result: MetricResult) -> None:
    """Draw the accuracy of a metric on pairs of outputs, by human ranks."""
    left, top, right, bottom = frame
    ties = results.options.ties
    accuracies = {pair: float(accuracy(verdicts, ties=ties)) for pair, verdicts in result.ranks.items()}
    shares = {pair: share for pair, share in accuracies.items() if not math.isnan(share)}
    if not shares:
        drawing.text((left + right) / 2, (top + bottom) / 2, "no pairs of different ranks", "middle quiet")
        return
    # No rows and columns without numbers, as the lowest rank's among the better outputs.
    betters, worses = (sorted({pair[side] for pair in shares}) for side in (0, 1))
    width, height = (right - left) / len(worses), (bottom - top) / len(betters)
    for (better, worse), share in shares.items():
        x, y = left + width * worses.index(worse), top + height * betters.index(better)
        step = round((2 * share - 1) * STEPS)
        drawing.shape(bar(x, y, width, height), f"heat{step}", f"rank {better} against rank {worse}: {share:.3f}")
        # Each cell contains its number, because colour alone is not accessible.
        light = " light" if abs(step) >= 0.9 * STEPS else ""
        drawing.text(x + width / 2, y + height / 2 + 4, f"{share:.2f}", f"middle small{light}")
    for index, rank in enumerate(betters):
        drawing.text(left - 5, top + height * (index + 0.5) + 4, str(rank), "end quiet")
    for index, rank in enumerate(worses):
        drawing.text(left + width * (index + 0.5), bottom + LINE + 2, str(rank), "middle quiet")
    drawing.text((left + right) / 2, bottom + 2 * LINE + 6, "rank of the worse output", "middle quiet")
    drawing.text(left - 30, top - 9, "rank of the better output", "quiet")
