"""The metrics that the laws are tried on: all registered ones, those of an extra only where it is installed."""

from __future__ import annotations

import importlib.util
from typing import Any

from geceval import Metric
from geceval.judging.metric import JudgedMetric
from geceval.metrics import EXTRAS, METRICS, make_metric, metric_class
from judges import Ruled
from tiny_bert import tiny_bert

HAS_ENCODER = all(importlib.util.find_spec(name) is not None for name in ("torch", "transformers"))
INSTALLED = {"neural": HAS_ENCODER}


def instances() -> dict[str, Metric]:
    """Every metric by name, with its defaults, but for a tiny encoder and a judge who follows a rule."""
    made = {}
    for name in METRICS.builtin:
        extra = EXTRAS.get(name)
        if extra is None or INSTALLED[extra]:
            settings: dict[str, Any] = {"model": tiny_bert(), "layer": 2} if extra == "neural" else {}
            if issubclass(metric_class(name), JudgedMetric):
                settings = {"model": Ruled()}
            made[name] = make_metric(name, **settings)
    return made
