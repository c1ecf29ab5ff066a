"""Assertions for tests of a checker: scores that must reach a bar.

>>> from geceval import Green
>>> from geceval.testing import assert_at_least
>>> assert_at_least(Green().corpus_score(["He go home ."], ["He goes home ."], [["He goes home ."]]), 0.9)
"""

from __future__ import annotations

from typing import Any

from geceval.base.arguments import Bounds, number
from geceval.counting.scores import Score
from geceval.scoring.gate import Check, exact
from geceval.tables.number_text import UNDEFINED, plain, round_half_up, round_in_order

#: Number of decimals of scores in messages; more if they are needed to distinguish a score from its bar.
DIGITS = 4


def assert_at_least(score: Score, bar: float) -> None:
    """Assert that a score is not under a bar.

    Scores are compared unrounded; a score at the bar passes.

    Args:
        score: A score, for example from ``Metric.corpus_score``.
        bar: The lowest value that passes, on the scale of ``score.value``: 0.40, not 40.

    Raises:
        AssertionError: The score is under the bar or not a number. The message has the score, its parts, the counts
            and the signature.
    """
    __tracebackhide__ = True
    _check(score, bar, higher_is_better=True)


def assert_at_most(score: Score, bar: float) -> None:
    """Assert that a score is not over a bar, for metrics where lower is better.

    Args:
        score: A score, for example of false alarms.
        bar: The highest value that passes, on the scale of ``score.value``: 0.05, not 5.

    Raises:
        AssertionError: The score is over the bar or not a number; see assert_at_least.
    """
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
    lines = [f"  {name:<{width}}  {_printed(value)}" for name, value in rows.items()]
    head = f"{score.metric} {round_in_order(check.value, DIGITS, check.against)} {sign} {plain(check.against)}"
    return "\n".join([head, *lines, f"  {score.signature}"])


def _printed(value: float | None) -> str:
    if value is None:
        return UNDEFINED
    return f"{value:g}" if float(value).is_integer() else round_half_up(value, DIGITS)
