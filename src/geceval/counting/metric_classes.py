"""Classes of metrics by name: registered ones and those in a file, which are imported when they are first used."""

from __future__ import annotations

import importlib.util
import re
import sys
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

from geceval.base.arguments import did_you_mean
from geceval.base.errors import UsageError
from geceval.base.hints import Hint, Option, hint_of_template
from geceval.base.registry import registry_from
from geceval.counting.metric import Metric
from geceval.counting.settings import settings_of
from geceval.text.files import is_file, is_folder

METRICS = registry_from("metric", "geceval.metrics", Path(__file__).with_name("metric_names.tsv"))

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


def setting_types(name: str) -> dict[str, Any]:
    """Return the settings of a metric by name, with their types."""
    return {setting: kind for setting, (_, kind) in settings_of(metric_class(name)).items()}
