"""One file a metric. ``METRICS`` names them; a metric's module is imported when it is first asked for."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from geceval.errors import UsageError

if TYPE_CHECKING:
    from geceval.counting.metric import Metric

#: name -> (module, class)
METRICS: dict[str, tuple[str, str]] = {
    "green": ("geceval.metrics.green", "Green"),
    "gleu": ("geceval.metrics.gleu", "Gleu"),
    "maxmatch": ("geceval.metrics.maxmatch", "MaxMatch"),
    "errant": ("geceval.metrics.errant", "Errant"),
    "cleme": ("geceval.metrics.cleme", "Cleme"),
    "cleme2": ("geceval.metrics.cleme", "Cleme2"),
    "ptm2": ("geceval.metrics.ptm2", "PtM2"),
    "pterrant": ("geceval.metrics.ptm2", "PtErrant"),
}

#: The extra that a metric needs, if any: ``pip install 'geceval[neural]'``.
EXTRAS = {"ptm2": "neural", "pterrant": "neural"}


def metric_class(name: str) -> type[Metric]:
    """The class of a registered metric. Raises UsageError that lists the names there are."""
    if name not in METRICS:
        raise UsageError(f"unknown metric {name!r}: choose from {', '.join(METRICS)}")
    module, attribute = METRICS[name]
    cls: type[Metric] = getattr(importlib.import_module(module), attribute)
    return cls


def setting_types(name: str) -> dict[str, Any]:
    """The settings of a metric by name, with their types."""
    cls = metric_class(name)
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls) if field.init}  # type: ignore[arg-type]


def make_metric(name: str, **settings: Any) -> Metric:
    """A metric by name. Values may be strings, as on a command line.

    Raises UsageError that lists what there is for a metric, a setting or a value that does not exist.
    """
    types = setting_types(name)
    for setting in settings:
        if setting not in types:
            raise UsageError(f"{name} has no setting {setting!r}: choose from {', '.join(types)}")
    converted = {key: _converted(name, key, value, types[key]) for key, value in settings.items()}
    return metric_class(name)(**converted)


def _converted(metric: str, setting: str, value: Any, kind: Any) -> Any:
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise UsageError(f"{metric}: {setting} is one of {', '.join(map(str, get_args(kind)))}, not {value}")
        return value
    if not isinstance(value, str):
        return value
    kinds = get_args(kind) or (kind,)
    try:
        if bool in kinds:
            return {"yes": True, "true": True, "no": False, "false": False}[value.lower()]
        if int in kinds:
            return int(value)
        if float in kinds:
            return float(value)
    except (KeyError, ValueError):
        words = " or ".join({"bool": "yes or no", "NoneType": "none"}.get(k.__name__, k.__name__) for k in kinds)
        raise UsageError(f"{metric}: {setting} takes {words}, not {value!r}") from None
    return value


def parse_specs(specs: Iterable[str]) -> list[tuple[str, dict[str, str]]]:
    """Metric specifications such as ``green,gleu`` or ``green:unit=char,beta=2`` as (name, settings) pairs.

    A comma separates metrics, and inside a metric its settings. Raises UsageError for a malformed one.
    """
    parsed: list[tuple[str, dict[str, str]]] = []
    for piece in (piece for spec in specs for piece in spec.split(",")):
        name, colon, rest = piece.partition(":")
        if "=" in piece and not colon:
            if not parsed:
                raise UsageError(f"the setting {piece!r} stands before any metric")
            rest = piece
        else:
            metric_class(name.strip())
            parsed.append((name.strip(), {}))
        if rest:
            key, equals, value = rest.partition("=")
            if not equals:
                raise UsageError(f"{piece!r} is not a metric with settings, such as green:unit=char,beta=2")
            parsed[-1][1][key.strip()] = value.strip()
    return parsed
