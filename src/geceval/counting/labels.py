"""Names of metrics in tables and results."""

from __future__ import annotations

from collections.abc import Sequence

from geceval.counting.stream import AnyMetric


def labels(metrics: Sequence[AnyMetric]) -> list[str]:
    """A name for each metric: its label, with the settings that tell it from others of the same label."""
    heads = []
    for metric in metrics:
        rivals = [other for other in metrics if other.label == metric.label and other is not metric]
        own = [
            f"{key}={value:g}" if isinstance(value, float) else f"{key}={value}"
            for key, value in metric.settings.items()
            if any(other.settings.get(key) != value for other in rivals)
        ]
        heads.append(" ".join([metric.label, *own]))
    return heads
