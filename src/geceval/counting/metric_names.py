"""Metrics by name. A metric's module is named by a string and imported when the metric is first used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from geceval.base.arguments import did_you_mean
from geceval.base.errors import UsageError
from geceval.base.registry import Registry
from geceval.counting.settings import converted, settings_of

if TYPE_CHECKING:
    from geceval.counting.metric import Metric

METRICS = Registry(
    "metric",
    "geceval.metrics",
    {
        "green": "geceval.metrics.green:Green",
        "gleu": "geceval.metrics.gleu:Gleu",
        "maxmatch": "geceval.metrics.maxmatch:MaxMatch",
        "errant": "geceval.metrics.errant:Errant",
        "goto": "geceval.metrics.goto:Goto",
        "imeasure": "geceval.metrics.imeasure:IMeasure",
        "cleme": "geceval.metrics.cleme:Cleme",
        "cleme2": "geceval.metrics.cleme:Cleme2",
        "ptm2": "geceval.metrics.ptm2:PtM2",
        "pterrant": "geceval.metrics.ptm2:PtErrant",
        "uot-errant": "geceval.metrics.uot:UotErrant",
        "scribendi": "geceval.metrics.scribendi:Scribendi",
        "impara": "geceval.metrics.impara:Impara",
        "impara-ged": "geceval.metrics.impara:ImparaGed",
        "some": "geceval.metrics.some:Some",
        "llm": "geceval.metrics.llm:Llm",
        "dsgram": "geceval.metrics.dsgram:DsGram",
    },
    aliases={"m2": "maxmatch"},
)

#: Metrics that have a command of their own; ``-m`` and the lists of names leave them out.
UNLISTED = Registry("metric", "geceval.metrics", {"false-alarms": "geceval.metrics.false_alarms:FalseAlarms"})


def _registry_of(name: object) -> Registry:
    """Return the registry that a name is looked up in."""
    return UNLISTED if isinstance(name, str) and name in UNLISTED.builtin else METRICS


def metric_class(name: str) -> type[Metric[Any]]:
    """The class of a registered metric. Raises UsageError that lists the names there are."""
    cls: type[Metric[Any]] = _registry_of(name)[name]
    return cls


def setting_types(name: str) -> dict[str, Any]:
    """The settings of a metric by name, with their types."""
    return {setting: kind for setting, (_, kind) in settings_of(metric_class(name)).items()}


def make_metric(name: str, **settings: Any) -> Metric[Any]:
    """A metric by name. Values may be strings, as on a command line.

    Raises UsageError that lists what there is for a metric, a setting or a value that does not exist.
    """
    name = _registry_of(name).name_of(name)
    types = setting_types(name)
    for setting in settings:
        if setting not in types:
            message = f"{name} has no setting {setting!r}: choose from {', '.join(types)}"
            raise UsageError(message, hint=did_you_mean(setting, types))
    values = {key: converted(name, key, value, types[key]) for key, value in settings.items()}
    return metric_class(name)(**values)


def parse_specs(specs: Iterable[str]) -> list[tuple[str, dict[str, str]]]:
    """Metric specifications such as ``green,gleu`` or ``green:unit=char,beta=2`` as (name, settings) pairs.

    A comma separates metrics, and inside a metric its settings. Raises UsageError for a malformed one.
    """
    parsed: list[tuple[str, dict[str, str]]] = []
    for piece in (piece for spec in specs for piece in spec.split(",")):
        name, _, rest = piece.partition(":")
        if "=" in name:  # a setting, whose value may have colons itself: base_url=http://localhost:8000/v1
            if not parsed:
                raise UsageError(f"the setting {piece!r} stands before any metric")
            rest = piece
        else:
            parsed.append((METRICS.name_of(name.strip()), {}))
        if rest:
            key, equals, value = rest.partition("=")
            if not equals:
                raise UsageError(f"{piece!r} is not a metric with settings, such as green:unit=char,beta=2")
            parsed[-1][1][key.strip()] = value.strip()
    return parsed


def spec_of(name: str, settings: Mapping[str, str]) -> str:
    """The specification of a metric with settings: green:unit=char,beta=2."""
    return ":".join([name, *filter(None, [",".join(f"{key}={value}" for key, value in settings.items())])])


def metrics_of_specs(specs: Iterable[str], usual: Mapping[str, str | None]) -> list[Metric[Any]]:
    """The metrics of specifications, each with those of the ``usual`` settings that it has; its own go before. Errors:
    see make_metric."""
    made = []
    for name, settings in parse_specs(specs):
        types = setting_types(name)
        own = {key: value for key, value in usual.items() if value is not None and key in types}
        made.append(make_metric(name, **own | settings))
    return made
