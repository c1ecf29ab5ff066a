"""The settings and needs of a metric, in words.

``geceval metrics``: the metrics, and the settings of each.
"""

from __future__ import annotations

import dataclasses
import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin

from cyclopts import Parameter

from geceval.base.arguments import Bounds
from geceval.commands.shared.options import OUTPUT, TargetOption
from geceval.commands.shared.output_formats import text_of
from geceval.counting.metric import Metric
from geceval.counting.metric_names import METRICS, metric_class, metric_name
from geceval.counting.settings import settings_of
from geceval.tables.report import Report
from geceval.tables.table import ReportTable, TableColumn
from geceval.terminal.writing import write_text

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
#: Width of the text in columns of a terminal.
WIDTH = 80
NOTES = (
    "gold: gold edits in M2, --gold FILE",
    "neural: pip install 'geceval[neural]'; models are downloaded unless folders",
    "settings of a metric: geceval metrics errant",
)


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
    kinds = (kind,) if get_origin(kind) is Literal else get_args(kind) or (kind,)
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
        """What a hypothesis is compared with, with default settings; see NEEDS."""
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
        return f"metrics/{self.name}.md" if self.name in METRICS.builtin else None

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


def metric_list_report(metrics: Sequence[MetricFacts]) -> Report:
    """Return the list of metrics."""
    columns = [TableColumn(head) for head in ("metric", "measures", "needs", "extra")]
    rows = [[metric.name, metric.cls.about.measures, metric.needs, metric.cls.about.extra or ""] for metric in metrics]
    return Report(
        "geceval/metrics@1",
        lambda: {"metrics": [metric.to_dict() for metric in metrics]},
        lambda: [ReportTable(columns, rows, notes=NOTES)],
    )


def metric_report(metric: MetricFacts) -> Report:
    """Return the settings of a metric."""
    lines = "".join(f"{line}\n" for line in _settings(metric))
    settings = [setting.to_dict() for setting in metric.settings]
    document = {**metric.to_dict(), "example": metric.example, "settings": settings}
    return Report("geceval/metric@1", lambda: document, lambda: [lines])


def _settings(metric: MetricFacts) -> Iterator[str]:
    yield f"{metric.name}: {metric.cls.about.measures}" if metric.cls.about.measures else metric.name
    yield f"needs: {metric.needs}" + (
        f"; pip install 'geceval[{metric.cls.about.extra}]'" if metric.cls.about.extra else ""
    )
    settings = metric.settings
    yield from ["", "settings:"] if settings else ["", "no settings"]
    width = max((len(setting.name) for setting in settings), default=0)
    for setting in settings:
        yield from _behind(
            f"  {setting.name:{width}}  ", setting.meaning, f"{setting.values} (default: {setting.default_text})"
        )
    yield from ["", "signatures contain the settings, and entries that docs/scoring.md explains"]
    yield from ["", "example:", *command_lines(metric.example)]
    if metric.page is not None:
        yield from ["", f"see: docs/{metric.page}"]


def _behind(head: str, *texts: str) -> Iterator[str]:
    """Yield texts wrapped behind a head."""
    lines = [line for text in texts for line in textwrap.wrap(text, WIDTH - len(head), break_on_hyphens=False)]
    for index, line in enumerate(lines or [""]):
        yield ((" " * len(head) if index else head) + line).rstrip()


def command_lines(command: str) -> list[str]:
    """Return a command wrapped before its options, with the backslashes of a shell."""
    if len(command) <= WIDTH - 2:
        return [f"  {command}"]
    data, options = command.split(" -m ", 1)
    rest = textwrap.wrap(f"-m {options}", WIDTH - 6, break_long_words=False, break_on_hyphens=False)
    return " \\\n    ".join([f"  {data}", *rest]).split("\n")


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class MetricsRequest(TargetOption):
    """The format of the list or of the settings."""

    formats: ClassVar[tuple[str, ...]] = ("table", "json")
    format: Annotated[str | None, Parameter(alias="-f", choices=("table", "json"))] = None
    """output format (default: by the ending of -o, or table)"""


def metrics(
    metric: Annotated[str | None, Parameter(name="METRIC", help="name of a metric (default: list all)")] = None,
    /,
    *,
    request: MetricsRequest = MetricsRequest(),
) -> None:
    """Write the list of metrics, or the settings of one.

    Examples:
      geceval metrics
      geceval metrics errant
      geceval metrics errant -f json

    documentation: docs/scoring.md
    """
    if metric is None:
        report = metric_list_report([metric_facts(name) for name in METRICS.names()])
    else:
        report = metric_report(metric_facts(metric))
    write_text(request.target, text_of(report, request.written_format, request.target))
