"""Orders, cells and tables of systems that several reports share."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from geceval.comparison.comparison_results import Comparison, Pair, Power, SystemScore
from geceval.tables.legends import ceiling_legend, confidence, forms_note
from geceval.tables.numbers import interval, shown, with_minus
from geceval.tables.shown_results import FrameRow
from geceval.tables.table import (
    FilledColumns,
    ReportTable,
    TableCell,
    TableColumn,
    TableRow,
    Value,
    best_cells,
    table_columns,
)
from geceval.text.files import SOURCE

#: Columns of CSV and TSV output.
PLACE_COLUMNS = (
    *table_columns("score", "value", "low", "high", "deviation"),
    *table_columns("count", "rank_low", "rank_high", "cluster"),
)
#: Columns of scores in data frames, after system, metric and group.
SCORES = ("value", "low", "high", "deviation", "rank_low", "rank_high", "cluster")


def place_table(
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
    """Return a row for each system.

    Systems with several runs have the standard deviation between them.

    If the best systems come first, a line separates clusters, and systems given in another form if ``forms`` are mixed.
    ``figure`` is the head of the scores. Systems that are ``uncorrected`` are not marked.
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
    for at, (score, cell) in enumerate(zip(scores, cells, strict=True)):
        name = f"{score.system} ({len(score.runs)} runs)" if score.runs else score.system
        ranks = shown_ranks(score) if score.cluster else "–"
        own = [(score.low, score.high), score.deviation, *(values[at] for _, values in between)]
        rows.append([name, cell, *own, ranks, score.cluster or None])
    clusters = [(group, score.cluster) for score, group in zip(scores, groups, strict=True) if group != SOURCE]
    begins = [at for at in range(1, len(clusters)) if clusters[at] != clusters[at - 1]]
    sections = begins if clusters == sorted(clusters) else ()
    return ReportTable(columns, rows, notes, title, legend, sections, above)


def shown_ranks(score: SystemScore) -> str:
    """Return the places that tests leave open for a system: 1-3."""
    return f"{score.rank_low}-{score.rank_high}"


def between_runs(scores: Sequence[SystemScore | None], *, percent: bool) -> FilledColumns:
    """Return a column with the deviations between runs, if a system has several."""
    found = [None if score is None else score.runs_deviation for score in scores]
    column = TableColumn("± between runs", "figure", percent, beside=True)
    return [(column, found)] if any(value is not None for value in found) else []


def place_cells(score: SystemScore, percent: bool) -> list[Value | TableCell]:
    """Return the cells of one system, in the order of PLACE_COLUMNS."""
    numbers = (score.value, score.low, score.high, score.deviation)
    return [*(TableCell(value, percent=percent) for value in numbers), score.rank_low, score.rank_high, score.cluster]


def ordered(comparison: Comparison) -> dict[str, list[str]]:
    """Return the systems of each metric, the best first, the source last."""
    return {metric: [score.system for score in comparison.best_first(metric)] for metric in comparison.metrics}


def score_cells(
    comparison: Comparison, metric: str, systems: Sequence[str], values: Sequence[float | None]
) -> list[TableCell]:
    """Return the cells of the systems' scores, the best of each form marked."""
    forms = [comparison.form(metric, system) for system in systems]
    unmarked = [system in comparison.uncorrected for system in systems]
    return best_cells(values, higher_is_better=comparison.higher_is_better(metric), groups=forms, unmarked=unmarked)


def shown_group(group: str | None) -> str:
    """Return the name of a group in a table; None stands for all sentences."""
    return "all" if group is None else group or "(none)"


def shown_figure(comparison: Comparison, metric: str, value: float, digits: int) -> str:
    """Return a score, or a difference of scores, as it is shown in a sentence."""
    return with_minus(shown(value, digits, comparison.in_percent(metric)))


def shown_interval(comparison: Comparison, of: SystemScore | Pair, digits: int) -> str:
    """Return the interval of a score or a difference as it is shown in a sentence."""
    scale = 100 if comparison.in_percent(of.metric) else 1
    return interval(scale * of.low, scale * of.high, digits)


def marked_systems(comparison: Comparison, metric: str) -> list[str]:
    """Return the systems that are marked in a table of scores.

    With a baseline, they differ from it on the whole corpus. Without one, they are not shown to differ from a best
    system that is given in their form, and are not among the best themselves. The uncorrected source is never marked.
    """
    baseline, ranked = comparison.baseline, comparison.best_first(metric)
    cells = score_cells(comparison, metric, [score.system for score in ranked], [score.value for score in ranked])
    best = [score.system for score, cell in zip(ranked, cells, strict=True) if cell.best]
    unmarked = {SOURCE, *comparison.uncorrected, *(best if baseline is None else ())}
    marked = [
        pair.b if pair.a == against else pair.a
        for against in (best if baseline is None else [baseline])
        for pair in comparison.pairs
        if pair.metric == metric and pair.group is None and against in (pair.a, pair.b)
        if comparison.is_shown(pair) == (baseline is not None)
    ]
    return [system for system in dict.fromkeys(marked) if system not in unmarked]


def mixed_note(comparison: Comparison, metrics: Sequence[str]) -> list[str]:
    """Return the line above a table of systems given as M2 and as text."""
    mixed = [metric for metric in metrics if metric in comparison.forms]
    named = [comparison.heads[metric].label for metric in mixed]
    return forms_note(named, comparison.forms[mixed[0]]) if mixed else []


def ceilings_of(comparison: Comparison, metrics: Sequence[str]) -> list[str]:
    """Return the line of the ceilings of metrics, if they have some."""
    found = {comparison.heads[own].label: (comparison.ceiling(own), comparison.in_percent(own)) for own in metrics}
    return ceiling_legend(found)


def power_facing(comparison: Comparison, row: Power) -> Power:
    """Return a pair with its better system first, or with the baseline second."""
    return replace(row, a=row.b, b=row.a, difference=-row.difference) if comparison.is_turned(row) else row


def score_rows(scores: Sequence[SystemScore], *, grouped: bool) -> Iterator[FrameRow]:
    """Yield a row of a data frame for each system and metric."""
    for score in scores:
        group = {"group": score.group} if grouped else {}
        yield {"system": score.system, "metric": score.metric} | group | {name: getattr(score, name) for name in SCORES}
