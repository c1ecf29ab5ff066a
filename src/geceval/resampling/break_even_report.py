"""Net benefit by the cost of a wrong edit as sentences and as a chart."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from geceval.counting.counts import Floats
from geceval.resampling.break_even import HIGHEST, BreakEven, Decisions, Range, joined, outside, positive_stretches
from geceval.tables.charts import WIDTH, Chart, Frame, Systems, panel_frames, widened
from geceval.tables.svg import Drawing, Point, Scale, line

#: Most annotators whose reversed costs are listed.
MOST_REVERSALS = 3


def decision_sentences(decisions: Decisions, label: str, best: str | None) -> Iterator[str]:
    """Yield the costs at which the order of pairs changes, as sentences.

    Args:
        decisions: Net benefit of the systems.
        label: Name of the metric.
        best: The best system, whose pairs are written if their order changes at a cost where one of both is better
            than the unchanged text (None: write all pairs).
    """
    for pair in decisions.pairs:
        if best is not None and best not in (pair.a, pair.b):
            continue
        useful = decisions.useful_crossings(pair)
        if best is None or useful:
            harmful = "" if useful == pair.crossings or not pair.is_shown else _about_harm(pair, decisions)
            yield f"{label}: {_sentence(pair)}{harmful}."


def _about_harm(pair: BreakEven, decisions: Decisions) -> str:
    """Return the costs above which both systems are worse than the unchanged text."""
    cost = max(decisions.worth(pair.a), decisions.worth(pair.b))
    last = max((high for _, high in pair.near_unchanged), default=cost)
    about = f"; above {_cost(cost)} each scores lower than the unchanged text, "
    if last == HIGHEST and last not in pair.uncertain:
        return f"{about}which is not shown for both"
    is_same = _end(last, pair) == _cost(cost)
    return f"{about}which is shown for both{'' if is_same else f' above {_end(last, pair)}'}"


def _sentence(pair: BreakEven) -> str:
    if not (pair.a_better or pair.b_better):
        return f"{pair.a} and {pair.b} have the same net benefit whatever a wrong edit costs"
    if not pair.is_shown:
        return (
            f"no cost of a wrong edit from 0 to {HIGHEST} correct ones shows a difference between {pair.a} and {pair.b}"
        )
    ranges = pair.shown_costs
    first, second = sorted((pair.a, pair.b), key=lambda system: ranges[system] or ((math.inf, math.inf),))
    undecided = outside(sorted(itertools.chain(*ranges.values())))
    about = f"{first} is shown to be better than {second} "
    if not (undecided or ranges[second]):
        return f"{about}whatever a wrong edit costs (0 to {HIGHEST} correct ones){_about_annotators(pair)}"
    about += f"if a wrong edit costs {_listed(ranges[first], pair)} correct ones"
    about += f", {second} if it costs {_listed(ranges[second], pair)}" if ranges[second] else ""
    if undecided:
        about += f"; no difference is shown for costs of {_listed(undecided, pair, ' and ')} ({_about_order(pair)})"
    return f"{about}{_about_annotators(pair)}"


def _about_order(pair: BreakEven) -> str:
    """Return which system scores higher at which costs, shown or not."""
    ranges = {pair.a: pair.a_better, pair.b: pair.b_better}
    first, second = sorted(ranges, key=lambda system: ranges[system] or ((math.inf, math.inf),))
    if not ranges[second]:
        return f"{second} never scores higher"
    if len(ranges[first]) == len(ranges[second]) == 1 and ranges[first][0][1] == ranges[second][0][0]:
        return f"{first} scores higher below {_cost(pair.crossings[0])}, {second} above"
    return f"{first} scores higher for {_listed(ranges[first], pair)}, {second} for {_listed(ranges[second], pair)}"


def _about_annotators(pair: BreakEven) -> str:
    """Return the costs at which annotators alone have the opposite order."""
    annotators = {reversal.annotator for reversal in pair.reversals}
    if len(annotators) > MOST_REVERSALS:
        each = f"with the references of each of {len(annotators)} annotators"
        return (
            f"; at some of the costs where a system is shown to be better, the other scores higher {each} (not tested)"
        )
    return "".join(
        f"; for costs of {_listed(reversal.costs, pair, ' and ')} {reversal.better} scores higher with only the"
        f" references of annotator {reversal.annotator} (not tested)"
        for reversal in pair.reversals
    )


def _listed(ranges: Sequence[Range], pair: BreakEven, joint: str = " or ") -> str:
    """Return ranges of costs in words."""
    return joint.join(
        f"more than {_end(low, pair)}" if high == HIGHEST and high not in pair.uncertain
        else f"less than {_end(high, pair)}" if low == 0 and low not in pair.uncertain
        else f"{_end(low, pair)} to {_end(high, pair)}"
        for low, high in ranges
    )  # fmt: skip


def _end(cost: float, pair: BreakEven) -> str:
    return "an uncertain number" if cost in pair.uncertain else _cost(cost)


def _cost(cost: float) -> str:
    return "0" if cost == 0 else f"{cost:.1g}" if cost < 0.1 else f"{cost:.2f}" if cost < 1 else f"{cost:.1f}"


def decision_chart(
    decisions: Mapping[str, Decisions], systems: Systems, drawing_name: str, width: float = WIDTH
) -> Chart:
    """Return a chart of the net benefit of all systems against the cost of a wrong edit, with a panel for each metric.

    The costs end where no order changes any more and the systems are worse than the unchanged text, the dashed line
    at 0, or at HIGHEST.

    Args:
        decisions: Decisions by name of the metric.
        systems: Colours and marks.
        drawing_name: Prefix of identifiers.
        width: Width of the chart.
    """
    drawing, frames = panel_frames(drawing_name, list(decisions), width)
    described, drawn = [], set[str]()
    for (label, of_metric), frame in zip(decisions.items(), frames, strict=True):
        texts = _draw_benefits(drawing, of_metric, systems, frame)
        described.append(f"{label}: {'; '.join(texts)}")
        drawn |= of_metric.curves.keys()
    systems.add_key(drawing, drawn)
    title = f"{', '.join(decisions)}: net benefit by the cost of a wrong edit"
    return Chart(drawing, title, ". ".join(described))


def _draw_benefits(drawing: Drawing, decisions: Decisions, systems: Systems, frame: Frame) -> list[str]:
    """Draw the net benefit of systems, and return its description."""
    changes = [cost for pair in decisions.pairs for cost in decisions.useful_crossings(pair)]
    worths = [worth for worth in map(decisions.worth, decisions.curves) if worth < HIGHEST]
    last = min(float(HIGHEST), 1.2 * max([1.0, *worths, *changes]))
    visible = np.array([*(cost for cost in decisions.costs if cost < last), last])
    benefits = {name: np.interp(visible, decisions.costs, values) for name, values in decisions.curves.items()}
    ends = [0.0, *(float(value) for values in benefits.values() for value in values[[0, -1]])]
    # A system that does more harm than any does good leaves the frame.
    lowest, highest = max(min(ends), -max(ends)), max(ends)
    across = Scale(0, last, frame.left, frame.right)
    along = Scale(*widened([lowest, highest]), frame.bottom, frame.top)
    drawing.across(across, frame.top, frame.bottom, "cost of a wrong edit, in correct edits")
    drawing.along(along, frame.left, frame.right, "correct edits − cost · wrong edits")
    drawing.shape(line((frame.left, along(0)), (frame.right, along(0))), "source trend")
    ranked = systems.ordered(benefits)
    for index, name in reversed(list(enumerate(ranked))):
        _, inside = joined(*positive_stretches(benefits[name][np.newaxis] - along.low, visible))[0]

        def point(cost: float, values: Floats = benefits[name]) -> Point:
            return across(cost), along(float(np.interp(cost, visible, values)))

        points = map(point, [*visible[visible < inside].tolist(), inside])
        drawing.shape(line(*points), f"{systems.colours[name]} trend", name)
        # Marks of different lines are at different costs: lines are close to each other at the ends.
        for share in ((index + 0.5) / len(ranked) / 2, (index + 0.5) / len(ranked) / 2 + 0.5):
            drawing.shape(systems.mark(name, *point(share * inside)), f"{systems.colours[name]} mark", name)
    return [f"{name} {of[0]:.0f} at cost 0, {of[-1]:.0f} at cost {last:.1f}" for name, of in benefits.items()]
