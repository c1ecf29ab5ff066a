"""Specifications of metrics, such as ``green:unit=char``, and names of metrics in tables and results."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from geceval.base.arguments import as_sequence, did_you_mean, shown
from geceval.base.errors import UsageError, short_traceback
from geceval.base.hints import Hint, Option, Step
from geceval.counting.metric import AnyMetric, Metric
from geceval.counting.metric_classes import METRICS, check_class, is_in_file, metric_class, metric_name, setting_types
from geceval.counting.settings import convert_value, settings_of
from geceval.text.files import is_folder

#: Metrics or specifications, such as "green:unit=char", or one of them.
Metrics: TypeAlias = "str | Metric[Any] | Sequence[str | Metric[Any]]"
#: The metrics that are computed unless others are named, by what the systems are compared with.
DEFAULT_METRICS: Mapping[str, tuple[str, ...]] = {
    "references": ("errant", "green", "gleu"),
    "gold edits": ("errant", "maxmatch"),
    "both": ("errant", "maxmatch", "green", "gleu"),
    "rules": ("spans",),
    "types": ("errant", "success", "false-alarms"),
}

#: Metrics of geceval 0.3 with the setting ``valid``, an M2 file of correct edits that no reference contains.
_HAD_VALID = frozenset({"errant", "net-benefit", "maxmatch", "cleme", "cleme2"})
_INSTEAD_OF_VALID = Hint(
    "add an annotator to the M2 of ",
    Option("gold"),
    ": all edits of one gold annotator, with the accepted edits in place of those that"
    " they replace (an annotator with the accepted edits alone would mean that all else is correct)",
)


def check_safety(metric: str, settings: Mapping[str, str], named_by: str) -> None:
    """Raise UsageError for a metric of a suite or a record that would execute a file or download a network."""
    spec = spec_of(metric, settings)
    hint = Hint(Step(Hint(Option("metrics", spec), " on the command line"), f'metrics=["{spec}"] in geceval.evaluate'))
    if is_in_file(metric):
        raise UsageError(f"{metric}: {named_by} cannot execute a file", hint=hint)
    fields = {name: field for name, (field, _) in settings_of(metric_class(metric)).items()}
    for name, value in settings.items():
        if name in fields and fields[name].metadata.get("network") and not is_folder(value):
            message = f"{metric}: {name}={value} is not a folder: {named_by} cannot name a model to download"
            raise UsageError(message, hint=hint)


@short_traceback
def make_metric(name: str, **settings: Any) -> Metric[Any]:
    """Make a metric by name.

    Args:
        name: Name of the metric, such as "green", also with settings: "green:unit=char".
        settings: Settings of the metric; values may be strings, as on a command line.

    Returns:
        The metric.

    Raises:
        UsageError: If the metric, a setting or a value does not exist; lists the available ones.
    """
    if isinstance(name, str) and ":" in name:
        [(name, specified), *more] = parse_specs([name])
        if more:
            raise UsageError(
                f"one metric is required, not {len(more) + 1}: {name}, {', '.join(key for key, _ in more)}"
            )
        settings = specified | settings
    cls, types = metric_class(name), setting_types(name)
    for setting in settings:
        if setting not in types:
            message = f"{cls.name} has no setting {setting!r}: choose from {', '.join(types)}"
            if setting == "valid" and cls.name in _HAD_VALID:
                raise UsageError(message, hint=_INSTEAD_OF_VALID)
            hints = (did_you_mean(setting, types), f"see: geceval metrics {name}")
            raise UsageError(message, hint=" ".join(filter(None, hints)))
    values = {key: convert_value(cls.name, key, value, types[key]) for key, value in settings.items()}
    return cls(**values)


#: A comma outside of double quotes.
COMMA = re.compile(r',(?=(?:[^"]*"[^"]*")*[^"]*$)')
_QUOTE = "put a value with commas in double quotes: 'goto:weights=\"a,b.txt\"'"


def key_and_value(text: str) -> tuple[str, str] | None:
    """Split ``key=value``, whose value may be quoted; None without an equals sign."""
    key, equals, value = text.partition("=")
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] == '"':
        value = value[1:-1]
    return (key.strip(), value) if equals else None


def parse_specs(specs: Iterable[str]) -> list[tuple[str, dict[str, str]]]:
    """Return (name, settings) of specifications, such as ``green:unit=char,beta=2``.

    A comma separates metrics, and the settings of a metric. Raises UsageError for a malformed specification.
    """
    parsed: list[tuple[str, dict[str, str]]] = []
    for piece in (piece for spec in specs for piece in COMMA.split(spec)):
        if piece.count('"') % 2:
            raise UsageError(f"{piece!r} has a double quote that is not closed", hint=_QUOTE)
        name, _, rest = piece.partition(":")
        if "|" in name:
            raise _signature_error(piece)
        if is_in_file(name) and "=" not in name:
            attribute, _, rest = rest.partition(":")
            name = f"{name}:{attribute}"
        if "=" in name:  # a setting, whose value may have colons: server=http://localhost:8000/v1
            if not parsed:
                raise UsageError(f"the setting {piece!r} must follow a metric")
            rest = piece
        elif parsed and parsed[-1][1] and not is_in_file(name) and name.strip() not in METRICS:
            error = METRICS.unknown(name.strip())
            raise UsageError(error.message, hint=error.hint or _QUOTE)
        else:
            try:
                parsed.append((metric_name(name.strip()), {}))
            except UsageError as error:
                if rest.isidentifier():
                    error.hint = error.hint or Hint(Option("metrics", f"{name}.py:{rest}"), " is a metric in a file")
                raise
        if rest:
            setting = key_and_value(rest)
            if setting is None:
                raise UsageError(f"{piece!r} is not a metric with settings, such as green:unit=char,beta=2")
            parsed[-1][1].update([setting])
    return parsed


def _signature_error(signature: str) -> UsageError:
    """Return the error for a signature in place of a specification, whose hint has the settings of the signature."""
    name, *entries = signature.split("|")
    settings = {}
    for key, _, value in (entry.partition(":") for entry in entries):
        setting = "selection" if key == "policy" else key
        # Also the input has entries, and a setting may have more in a signature, such as the version of an annotator.
        with contextlib.suppress(UsageError):
            make_metric(name.lower(), **{setting: value})
            settings[setting] = value
    hint = Hint(Option("metrics", spec_of(name.lower(), settings)), " has its settings") if settings else None
    return UsageError(f"{signature!r} is a signature, not a metric with settings", hint=hint)


def metrics_of(metrics: Metrics, *, optional: bool = False) -> list[Metric[Any]]:
    """Return metrics from metrics and specifications, or from one of them.

    Raises UsageError if a metric does not exist, and for an empty list unless it is ``optional``.
    """
    resolved: list[Metric[Any]] = []
    for metric in [metrics] if isinstance(metrics, (str, Metric)) else as_sequence("metrics", metrics, "metric"):
        if isinstance(metric, str):
            resolved += [make_metric(name, **settings) for name, settings in parse_specs([metric])]
        elif isinstance(metric, Metric):
            check_class(type(metric), type(metric).__qualname__)
            resolved.append(metric)
        else:
            raise UsageError(f"not a metric: {shown(metric)}", hint='use a name, such as "green", or geceval.Green()')
    if not (resolved or optional):
        raise UsageError("metrics is empty", hint='use for example ["green", geceval.Errant()]')
    return resolved


def one_metric(metric: str | Metric[Any]) -> Metric[Any]:
    """Return a metric from a metric or a specification; raises UsageError if several."""
    return only(metrics_of(metric))


def only(metrics: Sequence[Metric[Any]]) -> Metric[Any]:
    """Return the only metric; raises UsageError if there are several."""
    if len(metrics) > 1:
        raise UsageError(f"one metric is required, not {len(metrics)}: {', '.join(names(metrics))}")
    return metrics[0]


def spec_of(name: str, settings: Mapping[str, str]) -> str:
    """Return the specification of a metric with settings: green:unit=char,beta=2."""
    pairs = [f'{key}="{value}"' if "," in value else f"{key}={value}" for key, value in settings.items()]
    return _with_settings(name, pairs)


def metrics_of_specs(
    specs: Iterable[str], usual: Mapping[str, str | None], judge: Mapping[str, Any] | None = None
) -> list[Metric[Any]]:
    """Return the metrics of specifications; their settings override shared ones.

    Args:
        specs: Specifications: ``green:unit=char,beta=2``.
        usual: Values for the metrics that have the setting.
        judge: Values for the metrics that ask a judge.

    Raises:
        UsageError: See make_metric.
    """
    metrics = []
    for name, settings in parse_specs(specs):
        types = setting_types(name)
        shared: dict[str, Any] = {key: value for key, value in usual.items() if value is not None and key in types}
        if judge and metric_class(name).judging is not None:
            shared |= judge
        metrics.append(make_metric(name, **shared | settings))
    return metrics


# --- names in tables and results ---


def labels(metrics: Sequence[AnyMetric], by: Literal["label", "name"] = "label") -> list[str]:
    """Return a name of each metric for tables: label and distinguishing settings.

    ``by``: shared key of the metrics whose settings distinguish them.
    """
    pairs = zip(metrics, _distinguishing_settings(metrics, by), strict=True)
    return [" ".join([metric.label, *settings]) for metric, settings in pairs]


def names(metrics: Sequence[AnyMetric]) -> list[str]:
    """Return a name of each metric for results, with distinguishing settings.

    For example green:beta=0.5.
    """
    pairs = zip(metrics, _distinguishing_settings(metrics, "name"), strict=True)
    return [_with_settings(metric.name, settings) for metric, settings in pairs]


def name_with_settings(metric: AnyMetric) -> str:
    """Return the name of a metric with the settings that differ from their defaults: green:beta=1."""
    defaults = {name: field.default for name, (field, _) in settings_of(type(metric)).items()}
    changed = [_written_setting(*item) for item in metric.settings.items() if item[1] != defaults[item[0]]]
    return _with_settings(metric.name, changed)


@dataclass(frozen=True)
class MetricHeads:
    """Names of a metric in tables: label, GREEN beta=0.5, and figure, F₀.₅ or score."""

    label: str
    figure: str = "score"

    @property
    def rows(self) -> tuple[str, str]:
        """Two rows of a head: GREEN, F₀.₅; or an empty row and the label."""
        words = [word for word in self.label.split(" ") if not word.startswith("beta=")]
        return ("", self.label) if self.figure == "score" else (" ".join(words), self.figure)

    @property
    def formula(self) -> str:
        """The label with the figure instead of the beta, if the score is F: GREEN F₀.₅."""
        return " ".join(filter(None, self.rows))


def heads_of(metrics: Sequence[AnyMetric], labels: Sequence[str]) -> list[MetricHeads]:
    """Return the heads of each metric in tables."""
    betas = [metric.settings.get("beta") for metric in metrics]
    figures = ["score" if beta is None else f_name(beta) for beta in betas]
    return [MetricHeads(label, figure) for label, figure in zip(labels, figures, strict=True)]


def f_name(beta: float) -> str:
    """Return the name of an F-score, such as F₀.₅."""
    return "F∞" if beta == float("inf") else "F" + f"{beta:g}".translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def _distinguishing_settings(metrics: Sequence[AnyMetric], by: str) -> list[list[str]]:
    """Return the settings that distinguish metrics with the same label or name."""
    settings = []
    for metric in metrics:
        rivals = [rival for rival in metrics if getattr(rival, by) == getattr(metric, by) and rival is not metric]
        settings.append(
            [
                _written_setting(key, value)
                for key, value in metric.settings.items()
                if value is not None and any(rival.settings.get(key) != value for rival in rivals)
            ]
        )
    return settings


def _with_settings(name: str, settings: Sequence[str]) -> str:
    return f"{name}:{','.join(settings)}" if settings else name


def _written_setting(key: str, value: Any) -> str:
    return f"{key}={value:g}" if isinstance(value, float) else f"{key}={value}"
