"""Names of scores and of their parts: ``errant.precision``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import did_you_mean
from geceval.base.errors import UsageError
from geceval.base.ties import TOLERANCE
from geceval.counting.counts import Floats
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import labels, make_metric, names, parse_specs

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


@dataclass(frozen=True)
class Bar:
    """The worst score that is kept, on the scale of tables."""

    figure: NamedFigure
    points: Decimal
    higher_is_better: bool = True

    def keeps(self, values: Floats) -> NDArray[np.bool_]:
        """Return whether values are good enough, but for rounding errors; NaN is not.

        Args:
            values: Values [...] of the figure, as the metric has them.
        """
        sign = 1 if self.higher_is_better else -1
        is_kept: NDArray[np.bool_] = sign * (values * self.figure.scale - float(self.points)) >= -TOLERANCE
        return is_kept


def part_names(metric: AnyMetric) -> list[str]:
    """Return the names of the parts of a metric's scores."""
    return list(metric.own_parts(np.zeros(len(metric.columns))))


def figure_named(
    name: str, metrics: Sequence[AnyMetric], make: Callable[[list[str]], Sequence[AnyMetric]] | None = None
) -> NamedFigure:
    """Return the score, or the part of a score, with a name.

    ``make`` creates a metric that is not in ``metrics`` from its specification; None: only ``metrics`` are allowed.
    Raises UsageError if no metric or several metrics match, and if the metric does not have the part.
    """
    for label, part in _readings(name):
        matches = find_metrics(label, metrics)
        if len(matches) > 1:
            several = ", ".join(key for key in names(metrics) if key.partition(":")[0] == matches[0].name)
            raise UsageError(f"{label!r} may be several metrics of this run", hint=f"choose from {several}")
        if matches:
            return _with_part(matches[0], part)
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
        raise UsageError(
            f"{metric.label} has no {part}; {has}",
            hint=did_you_mean(part, parts) or f"{metric.name} without a part is the score",
        )
    return NamedFigure(metric, part)


def find_metrics(name: str, metrics: Sequence[AnyMetric]) -> list[AnyMetric]:
    """Return the metrics that match a name.

    The name is a label of tables, or a specification with the settings that differ from the defaults.
    """
    metrics = list(dict.fromkeys(metrics))
    for metric_names in (labels(metrics), names(metrics)):
        same = [metric for key, metric in zip(metric_names, metrics, strict=True) if key.casefold() == name.casefold()]
        if same:
            return same
    try:
        [(metric_name, settings)] = parse_specs([name])
        expected = make_metric(metric_name, **settings).settings
    except (UsageError, ValueError):
        return []
    same = [metric for metric in metrics if metric.name == metric_name]
    return [metric for metric in same if all(metric.settings[key] == expected[key] for key in settings)]


def _readings(name: str) -> Iterator[tuple[str, str]]:
    """Yield the metric and the part that a name can mean, without a part first."""
    yield name, ""
    if part := _PART.search(name):
        yield name[: part.start()], part[1].casefold()


def _specification(figure: str) -> tuple[str, str]:
    """Return the specification of the metric of a named figure, and the part.

    Raises UsageError for an unknown metric.
    """
    *_, (name, part) = _readings(figure)
    [(metric_name, settings), *more] = parse_specs([name])
    if more:
        raise UsageError(f"{figure!r} names several metrics", hint="name one metric, such as errant.precision")
    # A dot in a setting, such as a file name, does not separate a part.
    if ":" in name and part not in part_names(make_metric(metric_name, **settings)):
        return figure, ""
    return name, part


def settings(metric: AnyMetric) -> dict[str, Any]:
    """Return the settings of a metric as JSON values, and objects by name."""
    plain = (str, int, float, bool, type(None))
    return {
        key: value if isinstance(value, plain) else getattr(value, "name", str(value))
        for key, value in metric.settings.items()
    }
