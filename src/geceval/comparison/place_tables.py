"""Tables of systems with their scores, intervals, ranks and clusters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from geceval.comparison.comparison_results import SystemScore
from geceval.tables.legends import confidence
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
