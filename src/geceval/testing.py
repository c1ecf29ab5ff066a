"""For tests of a checker: scores that have to be good enough.

>>> from geceval import Green
>>> from geceval.testing import assert_at_least
>>> assert_at_least(Green().corpus_score(["He go home ."], ["He goes home ."], [["He goes home ."]]), 0.9)
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from geceval.base.arguments import Bounds, number
from geceval.counting.counts import Score
from geceval.report.scores.bar_checks import figure, plain
from geceval.studies.comparison.bars import Check, exact

#: Decimals of scores in messages, as far as these tell them from the bar.
DIGITS = 4


def assert_at_least(score: Score, bar: float) -> None:
    """Raise AssertionError with score, parts, counts and signature if the score is under the bar, or not a number.

    ``bar`` is on the scale of ``score.value``: 0.40, not 40. Scores are compared unrounded; at the bar is good enough.
    """
    __tracebackhide__ = True
    _check(score, bar, higher_is_better=True)


def assert_at_most(score: Score, bar: float) -> None:
    """As assert_at_least, where lower is better, as for false alarms."""
    __tracebackhide__ = True
    _check(score, bar, higher_is_better=False)


def _check(score: Score, bar: float, *, higher_is_better: bool) -> None:
    __tracebackhide__ = True
    limit = exact(number("bar", bar, Bounds()), in_percent=False)
    check = Check("", score.metric, exact(score.value, in_percent=False), limit, score.signature, higher_is_better)
    if not check.kept:
        raise AssertionError(_message(score, check))


def _message(score: Score, check: Check) -> str:
    sign = "<" if check.higher_is_better else ">"
    rows: dict[str, Any] = {**score.parts, **score.totals}
    width = max(map(len, rows), default=0)
    told = [f"  {name:<{width}}  {_shown(value)}" for name, value in rows.items()]
    head = f"{score.metric} {figure(check.value, DIGITS, check.against)} {sign} {plain(check.against)}"
    return "\n".join([head, *told, f"  {score.signature}"])


def _shown(value: float) -> str:
    return f"{value:g}" if float(value).is_integer() else figure(exact(value, in_percent=False), DIGITS, Decimal("NaN"))
