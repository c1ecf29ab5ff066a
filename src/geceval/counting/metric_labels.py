"""Names of metrics in tables and results."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from geceval.counting.stream import AnyMetric


def labels(metrics: Sequence[AnyMetric]) -> list[str]:
    """A name for each metric in tables: its label, with the settings that tell it from others: GREEN beta=0.5."""
    told = _telling(metrics, lambda metric: metric.label)
    return [" ".join([metric.label, *own]) for metric, own in zip(metrics, told, strict=True)]


def names(metrics: Sequence[AnyMetric]) -> list[str]:
    """A name for each metric in results, with the settings that tell it from others: green:beta=0.5."""
    told = _telling(metrics, lambda metric: metric.name)
    return [":".join([metric.name, *filter(None, [",".join(own)])]) for metric, own in zip(metrics, told, strict=True)]


def _telling(metrics: Sequence[AnyMetric], called: Callable[[AnyMetric], str]) -> list[list[str]]:
    """The settings of each metric that others which are called the same have differently."""
    told = []
    for metric in metrics:
        rivals = [other for other in metrics if called(other) == called(metric) and other is not metric]
        told.append(
            [
                f"{key}={value:g}" if isinstance(value, float) else f"{key}={value}"
                for key, value in metric.settings.items()
                if any(other.settings.get(key) != value for other in rivals)
            ]
        )
    return told
