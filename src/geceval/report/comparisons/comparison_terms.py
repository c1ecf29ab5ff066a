"""Systems, pairs and numbers of a comparison as its tables and sentences show them."""

from __future__ import annotations

from dataclasses import replace

from geceval.report.numbers import interval, shown, with_minus
from geceval.report.scores.score_report import BY_NAME, GIVEN, metric_named
from geceval.studies.comparison.comparison_results import Comparison, Pair, Power, SystemScore
from geceval.text.files import SOURCE

#: An order of the systems: in each table by its own metric.
BY_SCORE = "score"


def ordered(comparison: Comparison, sort: str = BY_SCORE) -> dict[str, list[str]]:
    """The names of the systems in the order of each metric's tables, the unchanged source last.

    ``sort``: a metric's name, GIVEN, BY_NAME or BY_SCORE. Raises UsageError for an order that does not exist.
    """
    metrics = comparison.metrics
    if sort in (GIVEN, BY_NAME):
        given = dict.fromkeys(score.system for score in comparison.systems)
        names = sorted(sorted(given) if sort == BY_NAME else given, key=lambda name: name == SOURCE)
        return dict.fromkeys(metrics, names)
    called = {comparison.heads[metric].label: metric for metric in metrics}
    named = None if sort == BY_SCORE else called[metric_named(sort, list(called))]
    return {metric: [score.system for score in comparison.best_first(named or metric)] for metric in metrics}


def shown_group(group: str | None) -> str:
    """A group's name in a table; None are all sentences."""
    return "all" if group is None else group or "(none)"


def shown_figure(comparison: Comparison, metric: str, value: float, digits: int) -> str:
    """A score or a difference of scores in a sentence."""
    return with_minus(shown(value, digits, comparison.in_percent(metric)))


def shown_interval(comparison: Comparison, of: SystemScore | Pair, digits: int) -> str:
    """The interval of a score or a difference in a sentence."""
    scale = 100 if comparison.in_percent(of.metric) else 1
    return interval(scale * of.low, scale * of.high, digits)


def marked_systems(comparison: Comparison, metric: str) -> list[str]:
    """The systems that differ from the baseline on the whole corpus; without one, those that are not shown to differ
    from the best."""
    baseline = comparison.baseline
    other = comparison.best_first(metric)[0].system if baseline is None else baseline
    return [
        pair.b if pair.a == other else pair.a
        for pair in comparison.pairs
        if pair.metric == metric and pair.group is None and other in (pair.a, pair.b)
        if comparison.is_shown(pair) == (baseline is not None)
    ]


def power_facing(comparison: Comparison, row: Power) -> Power:
    """The better system first, or the one that is held against the baseline."""
    return replace(row, a=row.b, b=row.a, difference=-row.difference) if comparison.is_turned(row) else row
