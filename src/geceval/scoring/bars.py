"""Check scores against bars or another system.

Scores are compared as decimal numbers that are not rounded to the printed digits: a score at the bar is kept, 39.999 is
under 40.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from geceval.base.ties import TOLERANCE
from geceval.comparison.comparison_results import Comparison
from geceval.counting.consumers import Result
from geceval.counting.counts import number_of
from geceval.counting.metric_names import labels, names
from geceval.counting.stream import AnyMetric
from geceval.scoring.figure_names import NamedFigure

#: Losses up to this are rounding errors.
_ROUNDING = Decimal(repr(TOLERANCE))


@dataclass(frozen=True)
class Check:
    """A score and the bar that it must reach.

    ``value`` and ``against`` are on the scale of tables (times 100 if the metric is in per cent); ``metric`` is the
    label of the metric, with the part of the score.
    """

    kind: ClassVar[str] = "bar"

    system: str
    metric: str
    value: Decimal
    against: Decimal
    signature: str
    higher_is_better: bool = True

    @property
    def loss(self) -> Decimal:
        """Amount by which the score is worse than ``against``; NaN without a value."""
        return self.against - self.value if self.higher_is_better else self.value - self.against

    @property
    def kept(self) -> bool:
        """Whether the score is good enough; a score without a value is not."""
        return not self.value.is_nan() and self.loss <= _ROUNDING

    def to_dict(self) -> dict[str, Any]:
        """Return the check as JSON values, on the scale of tables."""
        about = {"check": self.kind, "system": self.system, "metric": self.metric, "signature": self.signature}
        return about | {"value": float(self.value), **self._against(), "kept": self.kept}

    def _against(self) -> dict[str, Any]:
        return {"fail_under" if self.higher_is_better else "fail_over": float(self.against)}


@dataclass(frozen=True)
class RivalCheck(Check):
    """A score and the score of another system, the rival.

    ``difference`` is ``value`` - ``against``; ``low`` and ``high`` bound its bootstrap interval of the level 1 - alpha.
    ``p`` is corrected for the number of tests; ``statistics`` is the signature of the test. The check fails if the
    score is significantly worse.
    """

    kind: ClassVar[str] = "not-worse-than"

    rival: str = ""
    difference: float = 0.0
    low: float = 0.0
    high: float = 0.0
    p: float = 1.0
    alpha: float = 0.05
    statistics: str = ""

    @property
    def kept(self) -> bool:
        return not self.loss.is_nan() and not (self.loss > _ROUNDING and self.p < self.alpha)

    def _against(self) -> dict[str, Any]:
        own = {name: getattr(self, name) for name in ("rival", "difference", "low", "high", "p", "alpha", "statistics")}
        return {"rival_value": float(self.against)} | own


def exact(value: float, in_percent: bool) -> Decimal:
    """Return a score on the scale of tables, from its shortest decimal form."""
    number = Decimal(repr(float(value)))
    return number.scaleb(2) if in_percent and number.is_finite() else number


# --- checks of results ---


@dataclass(frozen=True)
class Bar:
    """The worst score that is kept, on the scale of tables."""

    figure: NamedFigure
    points: Decimal
    higher_is_better: bool = True


@dataclass(frozen=True)
class Scores:
    """The scores of systems under metrics."""

    metrics: Sequence[AnyMetric]
    results: Mapping[str, Sequence[Result]]

    def rows(self) -> Iterator[tuple[str, dict[AnyMetric, tuple[str, Result]]]]:
        """Yield each system with the label and the result of each metric."""
        heads = labels(self.metrics)
        for system, row in self.results.items():
            yield system, dict(zip(self.metrics, zip(heads, row, strict=True), strict=True))


def against_bars(scores: Scores, bars: Sequence[Bar]) -> Iterator[Check]:
    """Yield the check of each system against each bar."""
    for system, row in scores.rows():
        for bar in bars:
            metric, part = bar.figure.metric, bar.figure.part
            label, result = row[metric]
            score = result.score()
            percent = metric.scale.part_in_percent(part) if part else metric.scale.in_percent
            value = exact(number_of(score.parts[part]) if part else score.value, percent)
            head = f"{label} {part}".rstrip()
            yield Check(system, head, value, bar.points, score.signature, bar.higher_is_better)


def against_rival(scores: Scores, rival: str, comparison: Comparison) -> Iterator[Check]:
    """Yield the check of each system against the rival under each tested metric."""
    rows, metrics = dict(scores.rows()), dict(zip(names(scores.metrics), scores.metrics, strict=True))
    for pair in comparison.pairs:
        metric = metrics[pair.metric]
        (label, own), (_, other) = rows[pair.a][metric], rows[rival][metric]
        value, against = (exact(result.score().value, metric.scale.in_percent) for result in (own, other))
        signature = own.score().signature
        factor = 100 if metric.scale.in_percent else 1
        bounds = (pair.difference * factor, pair.low * factor, pair.high * factor)
        p = math.nan if math.isnan(pair.difference) else pair.p_adjusted
        test = (p, comparison.alpha, comparison.signature)
        yield RivalCheck(
            pair.a, label, value, against, signature, metric.scale.higher_is_better, rival, *bounds, *test
        )  # fmt: skip
