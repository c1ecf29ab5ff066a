"""The metrics that the laws are tried on: all registered ones, those of an extra only where it is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

from geceval.counting.metric_classes import METRICS, metric_class
from geceval.counting.metric_names import make_metric
from geceval.extending import Metric
from geceval.metrics.judging.judged_metric import JudgedMetric
from support import stand_ins
from support.judges import Ruled
from support.tiny_bert import tiny_bert

HAS_ENCODER = all(importlib.util.find_spec(name) is not None for name in ("torch", "transformers"))
INSTALLED = {"neural": HAS_ENCODER}

#: The settings that put tiny networks in the place of a metric's own, or under which drawn texts are counted.
STAND_INS: dict[str, Callable[[], dict[str, Any]]] = {
    "kept": lambda: {"tokens": "unchanged"},
    "ptm2": lambda: {"model": tiny_bert(), "layer": 2},
    "pterrant": lambda: {"model": tiny_bert(), "layer": 2},
    "uot-errant": lambda: {"model": tiny_bert()},
    "scribendi": lambda: {"model": stand_ins.language_model()},
    "impara": lambda: {"model": stand_ins.rater(), "similarity": stand_ins.encoder()},
    "impara-ged": lambda: {"model": stand_ins.modern_rater("mean"), "similarity": stand_ins.encoder()},
    "some": lambda: {"model": stand_ins.raters()},
}


def instances() -> dict[str, Metric]:
    """Every metric by name, with its defaults, but for the networks, which are tiny ones, and a judge who follows a
    rule."""
    metrics = {}
    for name in METRICS.builtin:
        extra = metric_class(name).about.extra
        if extra is None or INSTALLED[extra]:
            settings = STAND_INS.get(name, dict)()
            if issubclass(metric_class(name), JudgedMetric):
                settings = {"model": Ruled()}
            metrics[name] = make_metric(name, **settings)
    return metrics
