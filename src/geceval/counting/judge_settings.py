"""Settings that all metrics with a judge share, as of ``--judge``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from geceval.base.arguments import did_you_mean
from geceval.base.errors import UsageError
from geceval.base.hints import AnyHint, Hint, Option
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_classes import metric_class
from geceval.counting.settings import check_value, convert_value, settings_of

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
