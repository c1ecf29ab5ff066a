"""Names of metrics in tables and results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from geceval.counting.stream import AnyMetric


def labels(metrics: Sequence[AnyMetric]) -> list[str]:
    """A name for each metric in tables: its label, with the settings that tell it from others: GREEN beta=0.5."""
    settings = _distinguishing_settings(metrics, lambda metric: metric.label)
    return [" ".join([metric.label, *own]) for metric, own in zip(metrics, settings, strict=True)]


def names(metrics: Sequence[AnyMetric]) -> list[str]:
    """A name for each metric in results, with the settings that tell it from others: green:beta=0.5."""
    settings = _distinguishing_settings(metrics, lambda metric: metric.name)
    return [
        ":".join([metric.name, *filter(None, [",".join(own)])]) for metric, own in zip(metrics, settings, strict=True)
    ]


@dataclass(frozen=True)
class MetricHeads:
    """How tables call a metric: its ``label``, GREEN beta=0.5, and what its score is: ``figure``, F₀.₅ where a beta is
    among the metric's settings, else score."""

    label: str
    figure: str = "score"

    @property
    def formula(self) -> str:
        """The label with the figure instead of the beta: GREEN F₀.₅; the label where the figure is no F."""
        words = [word for word in self.label.split(" ") if not word.startswith("beta=")]
        return self.label if self.figure == "score" else " ".join([*words, self.figure])


def heads_of(metrics: Sequence[AnyMetric], labels: Sequence[str] | None = None) -> list[MetricHeads]:
    """The heads of each metric with its label; None: the label and the settings of its name in results."""
    if labels is None:
        settings = _distinguishing_settings(metrics, lambda metric: metric.name)
        labels = [" ".join([metric.label, *own]) for metric, own in zip(metrics, settings, strict=True)]
    betas = [metric.settings.get("beta") for metric in metrics]
    figures = ["score" if beta is None else f_name(beta) for beta in betas]
    return [MetricHeads(label, figure) for label, figure in zip(labels, figures, strict=True)]


def f_name(beta: float) -> str:
    """F₀.₅."""
    return "F∞" if beta == float("inf") else "F" + f"{beta:g}".translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def _distinguishing_settings(metrics: Sequence[AnyMetric], called: Callable[[AnyMetric], str]) -> list[list[str]]:
    """Return the settings of each metric that tell it from others with the same name."""
    settings = []
    for metric in metrics:
        rivals = [other for other in metrics if called(other) == called(metric) and other is not metric]
        settings.append(
            [
                f"{key}={value:g}" if isinstance(value, float) else f"{key}={value}"
                for key, value in metric.settings.items()
                if any(other.settings.get(key) != value for other in rivals)
            ]
        )
    return settings
