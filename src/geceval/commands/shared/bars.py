"""Bars on scores as options state them: ``errant=40``, ``false-alarms=5``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from geceval.base.arguments import shown
from geceval.base.errors import UsageError
from geceval.counting.metric import AnyMetric
from geceval.results.named_figures import Bar, NamedFigure, figure_named

#: Points have no exponent, and at most as many digits as a double represents.
_POINTS = re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]{1,17})?")


def split_bar(text: str) -> tuple[str, Decimal]:
    """Split ``errant=40`` or ``green:beta=0.5=40`` into name and points.

    Raises:
        UsageError: The text is not a bar.
    """
    name, equals, points = text.rpartition("=")
    if not (name and equals):
        raise UsageError(f"{shown(text)} is not a metric with a threshold, such as errant=40")
    if "=" in name.partition(":")[0]:
        raise UsageError(f"{shown(text)} is not one threshold; separate several by spaces: errant=40 green=50")
    if not _POINTS.fullmatch(points):
        raise UsageError(f"{shown(points)} is not a number, such as 40 or 0.5")
    return name, Decimal(points)


def split_shares(texts: Sequence[str], kinds: Sequence[str]) -> tuple[dict[str, Decimal], list[str]]:
    """Split values of an option into shares of lines in per cent by kind, ``empty=1``, and bars on scores.

    Raises:
        UsageError: A share is not between 0 and 100, or a value is not a bar.
    """
    shares: dict[str, Decimal] = {}
    bars = []
    for text in texts:
        name, points = split_bar(text)
        if name not in kinds:
            bars.append(text)
            continue
        if not 0 <= points <= 100:
            raise UsageError(f"{text}: shares of answers are between 0 and 100 per cent", hint=f"{name}=1")
        shares[name] = points
    return shares, bars


def bars_of(
    low: Mapping[str, Sequence[str]],
    high: Mapping[str, Sequence[str]],
    metrics: Sequence[AnyMetric],
    make: Callable[[list[str]], Sequence[AnyMetric]],
) -> list[Bar]:
    """Return the bars of two options.

    Args:
        low: Name of the option for the lowest scores that are kept -> its values.
        high: Name of the option for the highest ones -> its values.
        metrics: Metrics of the command.
        make: Makes a metric that is not in ``metrics``.

    Raises:
        UsageError: A metric or part is unknown, or a bar has a wrong direction or no possible score.
    """
    bars, directions = [], {**dict.fromkeys(low, True), **dict.fromkeys(high, False)}
    for option, text in ((option, text) for option, texts in {**low, **high}.items() for text in texts):
        name, points = split_bar(text)
        try:
            figure = figure_named(name, metrics, make)
            _check_points(name, figure, points)
            if not figure.part and figure.metric.scale.higher_is_better != directions[option]:
                comparative = "higher" if figure.metric.scale.higher_is_better else "lower"
                right = next(name for name in directions if name != option)
                raise UsageError(f"{comparative} {figure.metric.label} scores are better", hint=f"{right} {text}")
        except UsageError as error:
            hint = f"add the threshold: {text}=40" if ":" in name and error.hint is None else error.hint
            raise UsageError(f"{option} {text}: {error.message}", hint=hint) from None
        bars.append(Bar(figure, points, directions[option]))
    return bars


def _check_points(name: str, figure: NamedFigure, points: Decimal) -> None:
    """Raise UsageError for points of another scale."""
    # Less than 1 % of false alarms, where lower is better, is a usual bar.
    is_share = figure.in_percent and figure.metric.scale.higher_is_better
    if is_share and 0 < points < 1:
        raise UsageError("thresholds use the 0-100 scale, as tables do", hint=f"{name}={points.scaleb(2):f}")
    low, high = figure.limits
    if not low <= points <= high:
        hint = "thresholds use the 0-100 scale, such as errant=40" if figure.in_percent else None
        raise UsageError(f"{figure.metric.label} scores are between {low:g} and {high:g}", hint=hint)
