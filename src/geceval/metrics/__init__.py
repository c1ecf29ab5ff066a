"""One file a metric. ``METRICS`` names them; a metric's module is imported when it is first asked for."""

from __future__ import annotations

import dataclasses
import importlib
from typing import Any

from geceval.errors import UsageError
from geceval.metric import Metric

#: name -> (module, class)
METRICS: dict[str, tuple[str, str]] = {
    "green": ("geceval.metrics.green", "Green"),
}


def metric_class(name: str) -> type[Metric]:
    """The class of a registered metric. Raises UsageError that lists the names there are."""
    if name not in METRICS:
        raise UsageError(f"unknown metric {name!r}: choose from {', '.join(METRICS)}")
    module, attribute = METRICS[name]
    cls: type[Metric] = getattr(importlib.import_module(module), attribute)
    return cls


def make_metric(name: str, **settings: Any) -> Metric:
    """A metric by name. Raises UsageError that lists the settings there are for one it does not know."""
    cls = metric_class(name)
    known = [field.name for field in dataclasses.fields(cls) if field.init]  # type: ignore[arg-type]
    for setting in settings:
        if setting not in known:
            raise UsageError(f"{name} has no setting {setting!r}: choose from {', '.join(known)}")
    return cls(**settings)
