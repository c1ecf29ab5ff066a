"""Systems, pairs and numbers of a comparison as its tables and sentences show them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from geceval.report.numbers import interval, shown, with_minus
from geceval.report.scores.score_report import BY_NAME, GIVEN, metric_named
from geceval.studies.comparison.comparison_results import Comparison, Pair, Power, SystemScore
from geceval.text.source_row import SOURCE

#: An order of the systems: in each table by its own metric.
BY_SCORE = "score"


def ordered(comparison: Comparison, sort: str) -> Callable[[str], list[str]]:
    """The names of the systems in the order in which a metric's tables show them, the unchanged source last.

    ``sort``: a metric's name, GIVEN, BY_NAME or BY_SCORE. Raises UsageError for an order that does not exist.
    """
    given = list(dict.fromkeys(score.system for score in comparison.systems))
    apart, given = [name for name in given if name == SOURCE], [name for name in given if name != SOURCE]
    if sort in (GIVEN, BY_NAME):
        names = sorted(given) if sort == BY_NAME else given
        return lambda metric: [*names, *apart]
    called = {comparison.heads[metric].label: metric for metric in metrics_of(comparison)}
    named = None if sort == BY_SCORE else called[metric_named(sort, list(called))]

    def by_score(metric: str) -> list[str]:
        own, sign = named or metric, sign_of(comparison, named or metric)
        values = {score.system: -sign * score.value for score in overall(comparison, own)}
        return [*sorted(given, key=values.__getitem__), *apart]

    return by_score


def metrics_of(comparison: Comparison) -> list[str]:
    """The metrics in the order given."""
    return list(dict.fromkeys(score.metric for score in comparison.systems))


def groups_of(comparison: Comparison) -> list[str]:
    """The groups in the order given; that of all sentences is none."""
    return list(dict.fromkeys(score.group for score in comparison.systems if score.group is not None))


def shown_group(group: str | None) -> str:
    """A group's name in a table; None are all sentences."""
    return "all" if group is None else group or "(none)"


def overall(comparison: Comparison, metric: str) -> list[SystemScore]:
    """A metric's scores of the whole corpus, or of the first group where only groups were compared."""
    own = [score for score in comparison.systems if score.metric == metric]
    return [score for score in own if score.group == own[0].group]


def best_first(comparison: Comparison, metric: str) -> list[SystemScore]:
    """A metric's scores without that of the unchanged source."""
    own = [score for score in overall(comparison, metric) if score.system != SOURCE]
    return sorted(own, key=lambda score: -sign_of(comparison, metric) * score.value)


# --- numbers ---


def in_percent(comparison: Comparison, metric: str) -> bool:
    """Whether a metric's scores are printed times 100."""
    return metric not in comparison.not_in_percent


def shown_figure(comparison: Comparison, metric: str, value: float, digits: int) -> str:
    """A score or a difference of scores in a sentence."""
    return with_minus(shown(value, digits, in_percent(comparison, metric)))


def shown_interval(comparison: Comparison, of: SystemScore | Pair, digits: int) -> str:
    """The interval of a score or a difference in a sentence."""
    scale = 100 if in_percent(comparison, of.metric) else 1
    return interval(scale * of.low, scale * of.high, digits)


# --- pairs ---


def is_shown(pair: Pair, alpha: float) -> bool:
    """Whether a difference is more than chance."""
    return pair.p_adjusted < alpha and pair.difference != 0


def not_shown_to_differ(comparison: Comparison, metric: str, best: str) -> list[str]:
    """The systems that are not shown to differ from the best one, on the whole corpus."""
    return [
        pair.b if pair.a == best else pair.a
        for pair in comparison.pairs
        if pair.metric == metric and pair.group is None and best in (pair.a, pair.b)
        if not is_shown(pair, comparison.alpha)
    ]


def sign_of(comparison: Comparison, metric: str) -> int:
    """-1 for a metric of which a low score is a good one."""
    return -1 if metric in comparison.lower_is_better else 1


def from_the_better(pair: Pair, comparison: Comparison) -> Pair:
    """The same pair with the better system first."""
    return turned(pair) if sign_of(comparison, pair.metric) * pair.difference < 0 else pair


def turned(pair: Pair) -> Pair:
    """The same pair with the other system first."""
    return replace(
        pair, a=pair.b, b=pair.a, difference=-pair.difference, low=-pair.high, high=-pair.low, effect=-pair.effect,
        better=pair.worse, worse=pair.better,
    )  # fmt: skip


def power_facing(comparison: Comparison, row: Power) -> Power:
    """The better system first, or the one that is held against the baseline."""
    if comparison.baseline is not None:
        swapped = row.a == comparison.baseline
    else:
        swapped = sign_of(comparison, row.metric) * row.difference < 0
    return replace(row, a=row.b, b=row.a, difference=-row.difference) if swapped else row
