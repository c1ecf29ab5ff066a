"""What tables of a comparison and its words share: layout, order, sides of a pair, p."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from geceval.report.numbers import shown
from geceval.report.scores import BY_NAME, GIVEN, bounds, metric_named, minus
from geceval.studies.comparison.comparison_results import Comparison, Pair, Power, SystemScore
from geceval.text.source_row import SOURCE

#: An order of the systems: in each table by its own metric.
BY_SCORE = "score"


@dataclass(frozen=True)
class Layout:
    """How a comparison is shown: one of report.tables.FORMATS, decimals, the order of the systems (a metric's name,
    or GIVEN, BY_NAME, or BY_SCORE: each table by its own metric), how groups are called, the terminal's width."""

    output: str = "table"
    digits: int = 2
    sort: str = BY_SCORE
    groups: str = "group"
    width: int | None = None

    @property
    def for_people(self) -> bool:
        """A table for each metric, and words."""
        return self.output in ("table", "markdown")

    @property
    def for_programs(self) -> bool:
        """Numbers as they are, all in one table."""
        return self.output in ("csv", "tsv")


def ordered(comparison: Comparison, sort: str) -> Callable[[str], list[str]]:
    """The names of the systems in the order in which a metric's tables show them, the unchanged source last."""
    given = list(dict.fromkeys(score.system for score in comparison.systems))
    apart, given = [name for name in given if name == SOURCE], [name for name in given if name != SOURCE]
    if sort in (GIVEN, BY_NAME):
        names = sorted(given) if sort == BY_NAME else given
        return lambda metric: [*names, *apart]
    called = {label_of(comparison, metric): metric for metric in metrics_of(comparison)}
    named = None if sort == BY_SCORE else called[metric_named(sort, list(called))]

    def by_score(metric: str) -> list[str]:
        own, sign = named or metric, sign_of(comparison, named or metric)
        values = {score.system: -sign * score.value for score in overall(comparison, own)}
        return [*sorted(given, key=values.__getitem__), *apart]

    return by_score


def figure(comparison: Comparison, metric: str, value: float, digits: int) -> str:
    """A score or a difference of scores as tables have it: times 100, unless the metric's are figures of their own."""
    return shown(value, digits, metric not in comparison.not_in_percent)


def shown_figure(comparison: Comparison, metric: str, value: float, digits: int) -> str:
    """The same with a minus sign for people."""
    return minus(figure(comparison, metric, value, digits))


def interval(comparison: Comparison, row: SystemScore | Pair, digits: int) -> str:
    """The interval of a score or a difference as tables have it."""
    return bounds(row, digits, row.metric not in comparison.not_in_percent)


def metrics_of(comparison: Comparison) -> list[str]:
    """The metrics in the order given."""
    return list(dict.fromkeys(score.metric for score in comparison.systems))


def groups_of(comparison: Comparison) -> list[str]:
    """The groups in the order given; that of all sentences is none."""
    return list(dict.fromkeys(score.group for score in comparison.systems if score.group is not None))


def shown_group(group: str | None) -> str:
    """What a group is called in a table; None are all sentences."""
    return "all" if group is None else group or "(none)"


def overall(comparison: Comparison, metric: str) -> list[SystemScore]:
    """A metric's scores of the whole corpus, or of the first group where only groups were compared."""
    own = [score for score in comparison.systems if score.metric == metric]
    return [score for score in own if score.group == own[0].group]


def best_first(comparison: Comparison, metric: str) -> list[SystemScore]:
    own = [score for score in overall(comparison, metric) if score.system != SOURCE]
    return sorted(own, key=lambda score: -sign_of(comparison, metric) * score.value)


# --- pairs ---


def is_shown(pair: Pair, alpha: float) -> bool:
    return pair.p_adjusted < alpha and pair.difference != 0


def sign_of(comparison: Comparison, metric: str) -> int:
    """-1 for a metric of which a low score is a good one."""
    return -1 if metric in comparison.lower_is_better else 1


def label_of(comparison: Comparison, metric: str) -> str:
    """GREEN beta=0.5: what a metric is called in its signature, and the settings that its name has."""
    label, _, rest = comparison.signatures.get(metric, "").partition("|")
    settings = metric.partition(":")[2].replace(",", " ")
    return f"{label if rest else metric} {settings}".strip() if rest else metric


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


# --- cells ---


def p_value(p: float, *, exact: bool = False) -> str:
    """A p-value as papers print it: .003, <.001; ``exact``: as a number for programs."""
    if exact or p != p:
        return f"{p:.6g}"
    if p < 0.001:
        return "<.001"
    return "1" if p >= 0.9995 else f"{p:.3f}".removeprefix("0")


def score_rows(
    scores: Sequence[SystemScore], names: Sequence[str], shown: Callable[[float], str], sign: int = 1
) -> tuple[list[list[str]], frozenset[int], frozenset[tuple[int, int]]]:
    """Rows of system, score, interval, deviation, ranks and cluster; where clusters begin, if the best come first; and
    the cell of the best score."""
    by_name = {score.system: score for score in scores}
    own = [by_name[name] for name in names if name in by_name]
    rows = [
        [
            score.system,
            shown(score.value),
            f"[{shown(score.low)}, {shown(score.high)}]",
            shown(score.deviation),
            f"{score.rank_low}-{score.rank_high}" if score.cluster else "–",
            str(score.cluster) if score.cluster else "–",
        ]
        for score in own
    ]
    own = [score for score in own if score.system != SOURCE]
    clusters = [score.cluster for score in own]
    begins = [at for at in range(1, len(own)) if clusters[at] != clusters[at - 1]]
    top = (max if sign > 0 else min)((score.value for score in own), default=0.0)
    best = frozenset((at, 1) for at, score in enumerate(own) if score.value == top)
    return rows, frozenset(begins if clusters == sorted(clusters) else ()), best
