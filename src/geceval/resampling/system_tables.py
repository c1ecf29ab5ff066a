"""Tables and sentences of systems' scores that several reports share."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from geceval.resampling.comparison_results import Comparison, MetricComparison, Pair, Power, SystemScore
from geceval.tables.number_text import confidence, interval, shown, with_minus
from geceval.tables.shown_results import FrameRow
from geceval.tables.table import (
    FilledColumns,
    ReportTable,
    TableCell,
    TableColumn,
    TableRow,
    Value,
    best_cells,
    ceiling_legend,
    forms_note,
    table_columns,
)
from geceval.text.files import SOURCE

#: Maximum number of pairs that are named; more pairs are counted.
NAMED = 3
#: Columns of CSV and TSV output.
RANKING_COLUMNS = (
    *table_columns("score", "value", "low", "high", "deviation"),
    *table_columns("count", "rank_low", "rank_high", "cluster"),
)
#: Columns of scores in data frames, after system, metric and group.
SCORES = ("value", "low", "high", "deviation", "rank_low", "rank_high", "cluster")


def ranking_table(
    scores: Sequence[SystemScore],
    figure: str,
    alpha: float,
    title: str,
    notes: Sequence[str] = (),
    *,
    percent: bool = False,
    higher_is_better: bool = True,
    forms: Mapping[str, str] | None = None,
    uncorrected: Collection[str] = (),
    legend: Sequence[str] = (),
    above: Sequence[str] = (),
) -> ReportTable:
    """Return scores, intervals and ranks, with a row for each system.

    If the best systems come first, lines separate clusters and, if ``forms`` are mixed, systems given in different
    forms.

    Args:
        scores: Scores of the systems under one metric.
        figure: Head of the column of scores.
        alpha: 1 − the level of the intervals.
        title: Title of the table.
        notes: Lines below the table.
        percent: Multiply scores by 100.
        higher_is_better: Whether high scores are good.
        forms: Form of each system, "M2" or "text", if they are mixed.
        uncorrected: Systems that are never marked as the best.
        legend: Explanations below the table.
        above: Lines above the table.
    """
    between = between_runs(scores, percent=percent)
    columns = [
        TableColumn("system"),
        TableColumn(figure, "figure", percent),
        TableColumn(f"{confidence(alpha)} interval", "interval", percent),
        TableColumn("s.d.", "figure", percent, spare=1),
        *(column for column, _ in between),
        TableColumn("ranks", "count"),
        TableColumn("cluster", "count", missing="–", spare=2),
    ]
    groups = [SOURCE if score.system == SOURCE else (forms or {}).get(score.system, "") for score in scores]
    unmarked, values = [score.system in uncorrected for score in scores], [score.value for score in scores]
    cells = best_cells(values, higher_is_better=higher_is_better, groups=groups, unmarked=unmarked)
    rows: list[TableRow] = []
    for index, (score, cell) in enumerate(zip(scores, cells, strict=True)):
        name = f"{score.system} ({len(score.runs)} runs)" if score.runs else score.system
        ranks = shown_ranks(score) if score.cluster else "–"
        deviations_of_runs = [values[index] for _, values in between]
        rows.append(
            [name, cell, (score.low, score.high), score.deviation, *deviations_of_runs, ranks, score.cluster or None]
        )
    ranked = [(index, (group, scores[index].cluster)) for index, group in enumerate(groups) if scores[index].cluster]
    clusters = [cluster for _, cluster in ranked]
    begins = [index for (_, above), (index, cluster) in pairwise(ranked) if cluster != above]
    sections = begins if clusters == sorted(clusters) else ()
    return ReportTable(columns, rows, notes, title, legend, sections, above)


def shown_ranks(score: SystemScore) -> str:
    """Return the range of ranks that the tests allow, as in "1-3"."""
    return f"{score.rank_low}-{score.rank_high}"


def between_runs(scores: Sequence[SystemScore | None], *, percent: bool) -> FilledColumns:
    """Return a column of standard deviations between runs if a system has several runs."""
    deviations = [None if score is None else score.runs_deviation for score in scores]
    column = TableColumn("± between runs", "figure", percent, next_to_previous=True)
    return [(column, deviations)] if any(value is not None for value in deviations) else []


def ranking_cells(score: SystemScore, percent: bool) -> list[Value | TableCell]:
    """Return the cells of one system, in the order of RANKING_COLUMNS."""
    numbers = (score.value, score.low, score.high, score.deviation)
    return [*(TableCell(value, percent=percent) for value in numbers), score.rank_low, score.rank_high, score.cluster]


def ordered(comparison: Comparison) -> dict[str, list[str]]:
    """Return the systems by metric, from best to worst, the source last."""
    return {name: [score.system for score in metric.best_first] for name, metric in comparison.items()}


def score_cells(
    metric: MetricComparison,
    systems: Sequence[str],
    values: Sequence[float | None],
    uncorrected: Collection[str],
) -> list[TableCell]:
    """Return the cells of systems' scores, with the best score of each form marked.

    ``uncorrected`` systems are never marked, and no system is under a description, such as a change rate.
    """
    forms = [metric.form(system) for system in systems]
    unmarked = [metric.is_description or system in uncorrected for system in systems]
    return best_cells(values, higher_is_better=metric.higher_is_better, groups=forms, unmarked=unmarked)


def group_table(
    metric: MetricComparison,
    head: str,
    scores: Sequence[tuple[str | None, Sequence[float | None]]],
    systems: Sequence[str],
    title: str,
    uncorrected: Collection[str],
    sizes: Sequence[int] | None = None,
) -> ReportTable:
    """Return a table of groups × systems, with the best score of each group marked.

    Args:
        metric: Results under the metric.
        head: Head of the column of groups.
        scores: Each group with the scores of the systems.
        systems: Names of the systems, in the order of the columns.
        title: Title of the table.
        uncorrected: Systems that are never marked as the best.
        sizes: Number of sentences of each group, as a column.
    """
    columns = [TableColumn(head), *([] if sizes is None else [TableColumn("sentences", "count")])]
    columns += table_columns("figure", *systems, percent=metric.in_percent)
    rows: list[TableRow] = []
    for index, (group, values) in enumerate(scores):
        size = [] if sizes is None else [f"{sizes[index]:,}"]
        rows.append([shown_group(group), *size, *score_cells(metric, systems, values, uncorrected)])
    return ReportTable(columns, rows, title=title)


def shown_group(group: str | None) -> str:
    """Return the name of a group in a table; None stands for all sentences."""
    return "all" if group is None else group or "(none)"


def shown_figure(metric: MetricComparison, value: float, digits: int) -> str:
    """Return a score, or a difference of scores, as it is shown in a sentence."""
    return with_minus(shown(value, digits, metric.in_percent))


def shown_with_interval(metric: MetricComparison, value: float, row: SystemScore | Pair, digits: int) -> str:
    """Return a score or a difference as it is shown in a sentence, with the interval of a row if it has one."""
    scale, figure = 100 if metric.in_percent else 1, shown_figure(metric, value, digits)
    return figure if math.isnan(row.low) else f"{figure} {interval(scale * row.low, scale * row.high, digits)}"


def marked_systems(comparison: Comparison, metric: MetricComparison) -> list[str]:
    """Return the systems that are marked in a table of scores.

    With a baseline, they differ from it on the whole corpus. Without one, they are not shown to differ from a best
    system that is given in their form, and are not among the best themselves. The uncorrected source is never marked.
    """
    if not comparison.is_tested(metric.name) or (metric.is_description and comparison.baseline is None):
        return []
    baseline, ranked = comparison.baseline, metric.best_first
    systems, values = [score.system for score in ranked], [score.value for score in ranked]
    cells = score_cells(metric, systems, values, comparison.uncorrected)
    best = [system for system, cell in zip(systems, cells, strict=True) if cell.best]
    unmarked = {SOURCE, *comparison.uncorrected, *(best if baseline is None else ())}
    marked = [
        pair.b if pair.a == against else pair.a
        for against in (best if baseline is None else [baseline])
        for pair in metric.pairs_of(None)
        if against in (pair.a, pair.b) and pair.is_defined
        if comparison.is_shown(pair) == (baseline is not None)
    ]
    return [system for system in dict.fromkeys(marked) if system not in unmarked]


def mixed_forms_lines(metrics: Sequence[MetricComparison]) -> list[str]:
    """Return the lines above a table that contains systems of different forms."""
    return forms_note({metric.label: metric.forms for metric in metrics if metric.forms})


def ceiling_lines(metrics: Sequence[MetricComparison]) -> list[str]:
    """Return a line with the ceilings of metrics; empty if no metric has a ceiling."""
    return ceiling_legend({metric.label: (metric.ceiling, metric.in_percent) for metric in metrics})


def power_facing(comparison: Comparison, row: Power) -> Power:
    """Return a row with its better system first, or with the baseline second."""
    return replace(row, a=row.b, b=row.a, difference=-row.difference) if comparison.is_swapped(row) else row


def score_rows(scores: Sequence[SystemScore], *, grouped: bool) -> Iterator[FrameRow]:
    """Yield a row of a data frame for each system and metric."""
    for score in scores:
        group = {"group": score.group} if grouped else {}
        yield {"system": score.system, "metric": score.metric} | group | {name: getattr(score, name) for name in SCORES}
