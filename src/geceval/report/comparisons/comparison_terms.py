"""Systems, pairs and numbers of a comparison as its tables and sentences show them."""

from __future__ import annotations

from dataclasses import replace

from geceval.report.numbers import interval, shown, with_minus
from geceval.report.scores.score_report import BY_NAME, GIVEN, metric_named
from geceval.studies.comparison.comparison_results import Comparison, Pair, Power, SystemScore
from geceval.text.source_row import SOURCE

#: An order of the systems: in each table by its own metric.
BY_SCORE = "score"


def ordered(comparison: Comparison, sort: str = BY_SCORE) -> dict[str, list[str]]:
    """The names of the systems in the order of each metric's tables, the unchanged source last.

    ``sort``: a metric's name, GIVEN, BY_NAME or BY_SCORE. Raises UsageError for an order that does not exist.
    """
    metrics = metrics_of(comparison)
    if sort in (GIVEN, BY_NAME):
        given = dict.fromkeys(score.system for score in comparison.systems)
        names = sorted(sorted(given) if sort == BY_NAME else given, key=lambda name: name == SOURCE)
        return dict.fromkeys(metrics, names)
    called = {comparison.heads[metric].label: metric for metric in metrics}
    named = None if sort == BY_SCORE else called[metric_named(sort, list(called))]
    return {metric: [score.system for score in best_first(comparison, named or metric)] for metric in metrics}


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
    """A metric's scores, that of the unchanged source last."""
    sign = sign_of(comparison, metric)
    return sorted(overall(comparison, metric), key=lambda score: (score.system == SOURCE, -sign * score.value))


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


def marked_systems(comparison: Comparison, metric: str) -> list[str]:
    """The systems that differ from the baseline on the whole corpus; without one, those that are not shown to differ
    from the best."""
    baseline = comparison.baseline
    other = best_first(comparison, metric)[0].system if baseline is None else baseline
    return [
        pair.b if pair.a == other else pair.a
        for pair in comparison.pairs
        if pair.metric == metric and pair.group is None and other in (pair.a, pair.b)
        if is_shown(pair, comparison.alpha) == (baseline is not None)
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


def is_turned(comparison: Comparison, of: Pair | Power) -> bool:
    """Whether the better system, or the one that is held against the baseline, is the second one."""
    if comparison.baseline is not None:
        return of.a == comparison.baseline
    return sign_of(comparison, of.metric) * of.difference < 0


def power_facing(comparison: Comparison, row: Power) -> Power:
    """The better system first, or the one that is held against the baseline."""
    turn = is_turned(comparison, row)
    return replace(row, a=row.b, b=row.a, difference=-row.difference) if turn else row
