"""Chart of precision against recall, with lines of equal F."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from geceval.counting.figures import f_score
from geceval.counting.metric_names import f_name
from geceval.tables.charts import WIDTH, Chart, Systems, bounded, panel_frames
from geceval.tables.svg import LINE, SMALL, Drawing, Point, Scale, line, width_of


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
        across = Scale(*bounded([recall for recall, _ in points.values()]), frame.left, frame.right)
        along = Scale(*bounded([precision for _, precision in points.values()]), frame.bottom, frame.top)
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
