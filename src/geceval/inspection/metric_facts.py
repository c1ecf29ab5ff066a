"""The settings and needs of a metric, in words."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from geceval.base.arguments import Bounds
from geceval.base.package_tables import table_rows
from geceval.counting.metric import Metric
from geceval.counting.metric_classes import metric_class, metric_name
from geceval.counting.settings import alternatives, settings_of

#: Pages of the builtin metrics under docs/, by the name of the metric.
PAGES: Mapping[str, str] = {
    name: f"metrics/{page}.md"
    for page, names in table_rows(Path(__file__).with_name("metric_pages.tsv"))
    for name in names.split()
}
#: A bound beyond which a number is called unlimited.
LARGE = 1e9
#: Names of types, in the order in which they are looked for.
TYPES: Mapping[type, str] = {bool: "yes or no", int: "integer", float: "number", str: "text"}
#: Input of a metric, by what a hypothesis is compared with.
NEEDS: Mapping[str, str] = {
    "texts": "references or gold",
    "edits": "references or gold",
    "gold": "gold edits",
    "nothing": "source alone",
}
#: The options that name it.
DATA: Mapping[str, str] = {
    "texts": "-s source.txt -r ref0.txt -c sys.txt",
    "edits": "-s source.txt -r ref0.txt -c sys.txt",
    "gold": "--gold gold.m2 -c sys.txt",
    "nothing": "-s source.txt -c sys.txt",
}


@dataclass(frozen=True)
class SettingFacts:
    """A setting of a metric.

    Attributes:
        name: Its name: ``mode`` of ``errant:mode=ds``.
        type: One of TYPES, or ``choice``.
        choices: The values of a choice.
        bounds: The smallest and largest number, if any.
        optional: Whether ``none`` is a value.
        default: The value unless given.
        meaning: A noun phrase; empty where the metric does not state one.
    """

    name: str
    type: str
    choices: tuple[str, ...]
    bounds: Bounds | None
    optional: bool
    default: Any
    meaning: str

    @property
    def values(self) -> str:
        """The values in words: ``cs, cse, ds, dt``, or ``number, 0 or more, or none``."""
        if self.type == "choice":
            return ", ".join([*self.choices, *["none"] * self.optional])
        limits = limits_text(self.bounds)
        return ", ".join(filter(None, [self.type, limits])) + (", or none" if limits else " or none") * self.optional

    @property
    def default_text(self) -> str:
        """The default as a command line has it: ``yes``, ``none``, ``0.5``."""
        if self.default is None or isinstance(self.default, bool):
            return {None: "none", True: "yes", False: "no"}[self.default]
        return f"{self.default:g}" if isinstance(self.default, float) else str(self.default) or "empty"

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as JSON values."""
        low, high = (self.bounds.low, self.bounds.high) if self.bounds else (None, None)
        return {
            "name": self.name,
            "type": self.type,
            "values": self.values,
            "choices": list(self.choices),
            "low": low,
            "high": high,
            "optional": self.optional,
            "default": self.default if isinstance(self.default, (bool, int, float, str)) else None,
            "meaning": self.meaning,
        }


def limits_text(bounds: Bounds | None) -> str:
    """Return the range of a number in words: ``1 to 100``, ``0 or more``; or empty."""
    if bounds is None or bounds.low == -math.inf:
        return ""
    if bounds.high < LARGE:
        return f"{bounds.low:.10g} to {bounds.high:.10g}"
    return f"more than {bounds.low:g}" if bounds.open else f"{bounds.low:g} or more"


def _facts(name: str, field: dataclasses.Field[Any], kind: Any) -> SettingFacts:
    kinds = alternatives(kind)
    choices = next((get_args(alternative) for alternative in kinds if get_origin(alternative) is Literal), ())
    named = "choice" if choices else next((word for alternative, word in TYPES.items() if alternative in kinds), "text")
    default = None if field.default is dataclasses.MISSING else field.default
    return SettingFacts(
        name,
        named,
        choices,
        field.metadata.get("bounds"),
        type(None) in kinds,
        default,
        field.metadata.get("meaning", ""),
    )


@dataclass(frozen=True)
class MetricFacts:
    """A metric: its name, its class and the settings."""

    name: str
    cls: type[Metric[Any]]

    @property
    def evidence(self) -> str:
        """Texts or edits that a hypothesis is compared with, with default settings; see NEEDS."""
        if not self._by_default("uses_references"):
            return "nothing"
        if not self._by_default("takes_gold"):
            return "texts"
        return "edits" if self._by_default("extracts_edits") else "gold"

    def _by_default(self, name: str) -> object:
        """Return an attribute of the class, or of a metric with default settings."""
        value = getattr(self.cls, name)
        return getattr(self.cls(), name) if isinstance(value, property) else value

    @property
    def needs(self) -> str:
        """The same in words."""
        return "language model" if self.cls.judging is not None else NEEDS[self.evidence]

    @property
    def page(self) -> str | None:
        """Its page under docs/; None for a metric of another package."""
        return PAGES.get(self.name)

    @property
    def settings(self) -> list[SettingFacts]:
        """Its settings, in order."""
        return [_facts(name, field, kind) for name, (field, kind) in settings_of(self.cls).items()]

    @property
    def example(self) -> str:
        """A command that computes it with some of its settings."""
        spec = f"{self.name}:{self.cls.about.example}" if self.cls.about.example else self.name
        judge = " --judge server=http://localhost:8000/v1" if self.cls.judging is not None else ""
        return f"geceval score {DATA[self.evidence]} -m {spec}{judge}"

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as JSON values, without the settings."""
        return {
            "metric": self.name,
            "measures": self.cls.about.measures,
            "needs": self.needs,
            "evidence": self.evidence,
            "all_systems": self._by_default("pool") is not None,
            "extra": self.cls.about.extra,
            "page": self.page,
        }


def metric_facts(name: str) -> MetricFacts:
    """Return the facts about a metric. Raises UsageError for an unknown name."""
    return MetricFacts(metric_name(name), metric_class(name))
