"""Resolve names of scores and parts: ``green:beta=0.5``, ``errant.precision``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from geceval.base.arguments import did_you_mean
from geceval.base.errors import UsageError
from geceval.counting.metric_names import labels, make_metric, names, parse_specs

if TYPE_CHECKING:
    from geceval.counting.stream import AnyMetric

#: The name of a part after the last dot; ``5`` in ``green:beta=0.5`` is no part.
_PART = re.compile(r"\.([A-Za-z]\w*)\Z")


@dataclass(frozen=True)
class NamedFigure:
    """The score of a metric, or a ``part`` of it, such as precision."""

    metric: AnyMetric
    part: str = ""

    @property
    def in_percent(self) -> bool:
        """Whether tables show the figure times 100."""
        return self.metric.scale.part_in_percent(self.part)

    @property
    def scale(self) -> int:
        """The factor between the raw value and the value in tables."""
        return 100 if self.in_percent else 1

    @property
    def limits(self) -> tuple[float, float]:
        """The smallest and the largest value in tables; infinite if unknown."""
        low, high = self.metric.scale.low, self.metric.scale.high
        if not self.part:
            return low * self.scale, high * self.scale
        if self.in_percent and math.isfinite(high):  # shares, such as precision
            return min(0.0, low) * self.scale, high * self.scale
        return -math.inf, math.inf


def part_names(metric: AnyMetric) -> list[str]:
    """Return the names of the parts of a metric's scores."""
    import numpy as np

    return list(metric.own_parts(np.zeros(len(metric.columns))))


def figure_named(
    name: str, metrics: Sequence[AnyMetric], make: Callable[[list[str]], Sequence[AnyMetric]] | None = None
) -> NamedFigure:
    """Return the score, or the part of a score, that a name stands for.

    ``make`` makes a metric that is not among them of its specification; None: it is refused. Raises UsageError for a
    name of none or of several metrics, and for a part that the metric does not have.
    """
    for called, part in _readings(name):
        found = metrics_called(called, metrics)
        if len(found) > 1:
            several = ", ".join(own for own in names(metrics) if own.partition(":")[0] == found[0].name)
            raise UsageError(f"{called!r} may be several metrics of this run", hint=f"choose from {several}")
        if found:
            return _with_part(found[0], part)
    if make is not None:
        specification, part = _specification(name)
        return _with_part(make([specification])[0], part)
    known = names(metrics)
    hint = did_you_mean(name.partition(".")[0], known)
    raise UsageError(f"{name!r} is not a metric of this run: choose from {', '.join(known)}", hint=hint)


def _with_part(metric: AnyMetric, part: str) -> NamedFigure:
    parts = part_names(metric)
    if part and part not in parts:
        has = f"its parts: {', '.join(parts)}" if parts else "it has no parts"
        raise UsageError(f"{metric.label} has no {part}; {has}", hint=did_you_mean(part, parts))
    return NamedFigure(metric, part)


def metrics_called(name: str, metrics: Sequence[AnyMetric]) -> list[AnyMetric]:
    """Return the metrics that a name stands for.

    It is a name in tables, or a specification with the settings that differ.
    """
    metrics = list(dict.fromkeys(metrics))
    for given in (labels(metrics), names(metrics)):
        same = [metric for own, metric in zip(given, metrics, strict=True) if own.casefold() == name.casefold()]
        if same:
            return same
    try:
        [(called, settings)] = parse_specs([name])
        wanted = make_metric(called, **settings).settings
    except (UsageError, ValueError):
        return []
    same = [metric for metric in metrics if metric.name == called]
    return [metric for metric in same if all(metric.settings[key] == wanted[key] for key in settings)]


def _readings(name: str) -> Iterator[tuple[str, str]]:
    """Yield a name as the name of a metric, then as the names of a metric and a part."""
    yield name, ""
    if part := _PART.search(name):
        yield name[: part.start()], part[1].casefold()


def _specification(figure: str) -> tuple[str, str]:
    """Return the specification of the metric of a named figure, and the part.

    Raises UsageError for an unknown metric.
    """
    *_, (name, part) = _readings(figure)
    [(called, settings), *more] = parse_specs([name])
    if more:
        raise UsageError(f"{figure!r} names several metrics", hint="name each of them apart")
    # A dot in a setting, such as the name of a file, begins no part.
    if ":" in name and part not in part_names(make_metric(called, **settings)):
        return figure, ""
    return name, part
