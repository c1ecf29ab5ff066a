"""Is a system good enough to go out? Its scores against bars, and against those it had before.

Scores are compared as decimal numbers and unrounded: what stands at the bar passes it, and 39.999 is under 40.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from geceval.base.errors import InputError
from geceval.counting.consumers import Result
from geceval.counting.counts import Level, Score
from geceval.counting.metric_names import labels
from geceval.text.files import SOURCE
from geceval.text.reading.lines import read_text

#: The schema of the documents that can be baselines: those of ``geceval score -f json``.
BASELINES = "geceval/score@"


@dataclass(frozen=True)
class Check:
    """One score held against something: ``value`` and ``against`` on the scale that tables have (times 100 where the
    metric is in percent). ``allowed``: how much worse than ``against``, its score before, it may be; None: not at all,
    ``against`` is a bar."""

    system: str
    metric: str
    value: Decimal
    against: Decimal
    signature: str
    higher_is_better: bool = True
    allowed: Decimal | None = None

    @property
    def loss(self) -> Decimal:
        """By how much it is worse than what it is held against; NaN where it has no value."""
        return self.against - self.value if self.higher_is_better else self.value - self.against

    @property
    def kept(self) -> bool:
        """Whether it is good enough; a score without a value is not."""
        return not self.value.is_nan() and self.loss <= (self.allowed or 0)


def exact(value: float, in_percent: bool) -> Decimal:
    """A score on the scale that tables have, from its shortest decimal form."""
    number = Decimal(repr(float(value)))
    return number.scaleb(2) if in_percent and number.is_finite() else number


def against_bars(
    results: Mapping[str, Sequence[Result]], bars: Sequence[tuple[int, Decimal]], level: Level = "corpus"
) -> Iterator[Check]:
    """The systems' scores against bars, each with the place of its metric in the rows of results."""
    for name, row in _systems(results):
        for at, bar in bars:
            yield _check(name, *row[at], level, bar)


def against_baseline(
    results: Mapping[str, Sequence[Result]], baseline: Baseline, allowed: Decimal, level: Level = "corpus"
) -> Iterator[Check]:
    """All scores against those of an earlier run.

    Raises InputError where it has no such system or metric, or another signature or number of sentences: then the
    numbers say nothing about each other.
    """
    for name, row in _systems(results):
        for head, result in row:
            against = exact(_before(baseline, name, result.score(level)), result.metric.in_percent)
            yield _check(name, head, result, level, against, allowed)


def _systems(results: Mapping[str, Sequence[Result]]) -> Iterator[tuple[str, list[tuple[str, Result]]]]:
    """The systems, with their results by the labels of the metrics."""
    for name, row in results.items():
        if name != SOURCE:
            yield name, list(zip(labels([result.metric for result in row]), row, strict=True))


def _check(
    system: str, label: str, result: Result, level: Level, against: Decimal, allowed: Decimal | None = None
) -> Check:
    metric, score = result.metric, result.score(level)
    value = exact(score.value, metric.in_percent)
    return Check(system, label, value, against, score.signature, metric.higher_is_better, allowed)


@dataclass(frozen=True)
class Baseline:
    """The scores of an earlier run, with the path of their file."""

    path: str
    rows: Sequence[Mapping[str, Any]]


def read_baseline(path: str) -> Baseline:
    """The scores in a JSON file that ``geceval score`` wrote. Raises InputError if it is none."""
    text = read_text(path)
    try:
        document = json.loads(text)
        found = document["results"]
        if not document["schema"].startswith(BASELINES):
            raise ValueError
        keys = ("system", "metric", "signature", "sentences")
        return Baseline(path, [{key: one[key] for key in keys} | _value(one) for one in found])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        hint = "write one: geceval score … -f json -o FILE"
        raise InputError("no scores of an earlier run", path=path, hint=hint) from None


def _value(one: Mapping[str, Any]) -> dict[str, float]:
    """The value of a result, NaN where it has none. Raises TypeError for what is no number."""
    value = one["value"]
    if isinstance(value, (bool, str)):
        raise TypeError
    return {"value": math.nan if value is None else float(value)}


def _before(baseline: Baseline, system: str, score: Score) -> float:
    """The value that a system had under a metric."""
    before, path = baseline.rows, baseline.path
    of_system = [one for one in before if one["system"] == system]
    if not of_system:
        there = ", ".join(dict.fromkeys(str(one["system"]) for one in before)) or "none"
        hint = f"there is {there}; -c NAME=FILE names a system"
        raise InputError(f"no scores of the system {system}", path=path, hint=hint)
    of_metric = [one for one in of_system if one["metric"] == score.metric]
    if not of_metric:
        raise InputError(f"no score of {system} under {score.metric}", path=path, hint="write the baseline anew")
    same = [one for one in of_metric if one["signature"] == score.signature]
    if not same:
        signatures = "\n  ".join([f"now {score.signature}", *(f"there {one['signature']}" for one in of_metric)])
        raise InputError(f"scores of {system} that are not alike:\n  {signatures}", path=path, hint=_ANEW)
    [found, *_] = same
    if found["sentences"] != score.sentences:
        message = f"scores of {system} over {found['sentences']} sentences, and now they are {score.sentences}"
        raise InputError(message, path=path, hint=_ANEW)
    value: float = found["value"]
    if not math.isfinite(value):
        raise InputError(f"no value of {system} under {score.metric}", path=path, hint=_ANEW)
    return value


_ANEW = "write the baseline anew with these settings, files and version"
