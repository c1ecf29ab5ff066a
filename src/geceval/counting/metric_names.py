"""Make metrics by name, and name metrics in tables and results.

A metric's module is given as a string and imported when the metric is first used.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from geceval.base.arguments import as_sequence, did_you_mean, shown
from geceval.base.errors import UsageError, short_traceback
from geceval.base.hints import AnyHint, Hint, Option, Step, hint_of_template
from geceval.base.registry import registry_from
from geceval.counting.metric import AnyMetric, Metric
from geceval.counting.settings import check_value, convert_value, settings_of
from geceval.text.files import is_file, is_folder

METRICS = registry_from("metric", "geceval.metrics", Path(__file__).with_suffix(".tsv"))
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

#: Figures that people ask for as metrics, and templates of hints (hint_of_template).
_FIGURES = (
    (
        re.compile(r"f[-_]?(?:score|measure)?", re.IGNORECASE),
        "[[metrics errant]] is F0.5 of edits, [[metrics errant:beta=1]] F1",
    ),
    (re.compile(r"f[-_]?(?:beta)?[-_=]?([0-9.]+)", re.IGNORECASE), "[[metrics errant:beta={0}]] is F{0} of edits"),
    (
        re.compile(r"precision|recall|prec|rec|[pr]|tp|fp|fn|counts", re.IGNORECASE),
        '[[metrics errant; parts|the score of "errant"]] shows its parts',
    ),
    (re.compile(r"m2[-_]?scorer?", re.IGNORECASE), "[[metrics maxmatch]] is the score of m2scorer"),
    (re.compile(r"gleu[-_]?official", re.IGNORECASE), "[[metrics gleu:draws=python3]] is GLEUOfficial of gec-metrics"),
    (re.compile(r"acc(?:uracy)?", re.IGNORECASE), "geceval detect scores tokens, [[metrics errant]] edits"),
)

#: Metrics of geceval 0.3 with the setting ``valid``, an M2 file of correct edits that no reference contains.
_HAD_VALID = frozenset({"errant", "net-benefit", "maxmatch", "cleme", "cleme2"})
_INSTEAD_OF_VALID = Hint(
    "add an annotator to the M2 of ",
    Option("gold"),
    ": all edits of one gold annotator, with the accepted edits in place of those that"
    " they replace (an annotator with the accepted edits alone would mean that all else is correct)",
)


def metric_name(name: str) -> str:
    """Return the registered spelling of a metric's name; raises UsageError if it is unknown.

    The name of a class in a file, ``metric.py:EditRate``, is returned as it is.
    """
    if is_in_file(name):
        return name
    try:
        return METRICS.name_of(name)
    except UsageError as error:
        if isinstance(name, str):
            for pattern, template in _FIGURES:
                if match := pattern.fullmatch(name):
                    betas = ["0.5" if beta == "05" else beta for beta in match.groups()]
                    error.hint = hint_of_template(template.format(*betas))
                    break
        raise


def metric_class(name: str) -> type[Metric[Any]]:
    """Return the class of a registered metric or of one in a file; raises UsageError if it is unknown."""
    cls: type[Metric[Any]] = _class_in_file(name) if is_in_file(name) else METRICS[metric_name(name)]
    check_class(cls, name)
    return cls


def check_class(cls: type[Metric[Any]], name: str) -> None:
    """Raise UsageError, with what to write, unless the class of a metric is a frozen dataclass with all members.

    ``name`` is its name for messages.
    """
    if missing := sorted(getattr(cls, "__abstractmethods__", ())):
        hint = f"define {', '.join(missing)} in class {cls.__name__}: see docs/new-metric.md"
        raise UsageError(f"{name} is not a complete metric: it lacks {', '.join(missing)}", hint=hint)
    if not hasattr(cls, "name"):
        hint = f'write name: ClassVar[str] = "{cls.__name__.lower()}" in class {cls.__name__}'
        raise UsageError(f"{name} has no name", hint=hint)
    if not (is_dataclass(cls) and cls.__dataclass_params__.frozen):
        hint = f"write @dataclass(frozen=True) above class {cls.__name__}"
        raise UsageError(f"{name} is not a frozen dataclass", hint=hint)


def is_in_file(name: object) -> bool:
    """Return whether a name is that of a class in a Python file: ``metric.py:EditRate``."""
    return isinstance(name, str) and name.partition(":")[0].endswith(".py")


def _class_in_file(name: str) -> type[Metric[Any]]:
    """Return the metric ``metric.py:EditRate``; the file is executed once.

    Raises UsageError if the file cannot be executed or does not define the metric.
    """
    file, _, attribute = name.partition(":")
    if not is_file(file):
        files = [str(path) for path in Path(file).parent.glob("*.py")] if is_folder(Path(file).parent) else []
        hint = did_you_mean(file, files) or Hint(
            Option("metrics", "FILE.py:CLASS"), " needs a file: geceval metrics lists the builtin metrics"
        )
        raise UsageError(f"{name}: the file {file} does not exist", hint=hint)
    path = str(Path(file).resolve())
    key = path.replace(".", "\N{ONE DOT LEADER}")  # pickle takes what stands before a dot for a package
    if key not in sys.modules:
        spec = importlib.util.spec_from_file_location(key, path)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[key] = importlib.util.module_from_spec(spec)  # dataclasses look their module up
        try:
            spec.loader.exec_module(sys.modules[key])
        except (Exception, SystemExit) as error:
            del sys.modules[key]
            raise UsageError(f"{file} cannot be executed: {type(error).__name__}: {error}") from error
    values = vars(sys.modules[key])
    metrics = {key: value for key, value in values.items() if isinstance(value, type) and issubclass(value, Metric)}
    if attribute not in metrics and isinstance(values.get(attribute), type):
        hint = "derive it from geceval.extending.Metric: see docs/new-metric.md"
        raise UsageError(f"{file}: the class {attribute} is not a metric", hint=hint)
    if attribute not in metrics:
        defined = ", ".join(f"{file}:{key}" for key, cls in metrics.items() if cls.__module__ == values["__name__"])
        raise UsageError(
            f"{file} has no metric called {attribute!r}", hint=f"its metrics: {defined}" if defined else None
        )
    return metrics[attribute]


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


def setting_types(name: str) -> dict[str, Any]:
    """Return the settings of a metric by name, with their types."""
    return {setting: kind for setting, (_, kind) in settings_of(metric_class(name)).items()}


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


# --- settings that several metrics share ---

#: Settings of all metrics that use a judge: server, cache and requests. They affect no score.
JUDGE_SETTINGS = ("server", "cache", "concurrency", "rate", "price_prompt", "price_answer", "max_cost")


def judge_settings(values: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """Return the settings of judges by name, converted to their types.

    Args:
        values: Values by name, as strings or as they are.
        owner: Name for messages: ``--judge``.

    Raises:
        UsageError: An unknown name, or a value that is not valid.
    """
    llm_settings, converted = settings_of(metric_class("llm")), {}
    for key, value in values.items():
        if key not in JUDGE_SETTINGS:
            hint: AnyHint | None = did_you_mean(key, JUDGE_SETTINGS)
            if key in llm_settings:
                hint = Hint("settings of a metric: ", Option("metrics", f"llm:{key}=…"))
            raise UsageError(f"{owner} has no {key!r}: choose from {', '.join(JUDGE_SETTINGS)}", hint=hint)
        field, kind = llm_settings[key]
        converted[key] = convert_value(owner, key, value, kind)
        check_value(f"{owner}: {key}", converted[key], field, kind)
    return converted


def check_judge_is_asked(metrics: Iterable[AnyMetric]) -> None:
    """Raise UsageError if ``--judge`` is given and no metric uses a judge."""
    if not any(metric.judging is not None for metric in metrics):
        raise UsageError(
            "--judge: none of the metrics uses a judge", hint=Hint("use ", Option("metrics", "llm:model=NAME"))
        )


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
