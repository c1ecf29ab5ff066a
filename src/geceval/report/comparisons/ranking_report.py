"""Report of a ranking of systems without human judgements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from geceval.report.comparisons.place_tables import PLACE_COLUMNS, place_cells, place_table
from geceval.report.report import Report
from geceval.report.table import ReportTable, table_columns
from geceval.statistics.rankings import AGGREGATIONS
from geceval.studies.comparison.ranking_without_people import Ranking


def ranking_report(ranking: Ranking, inputs: Mapping[str, Any]) -> Report:
    """Return a table of ranks for each metric; CSV has one table."""
    return Report(
        "geceval/ranking@1",
        lambda: vars(ranking) | {"inputs": inputs},
        lambda: _tables(ranking),
        records=lambda: [_records(ranking)],
    )


def _tables(ranking: Ranking) -> list[ReportTable]:
    figure = AGGREGATIONS[ranking.aggregation].label
    metrics = list(dict.fromkeys(place.metric for place in ranking.systems))
    return [
        place_table(
            [place for place in ranking.systems if place.metric == metric],
            figure,
            ranking.alpha,
            f"{metric}, {ranking.sentences} sentences",
            [ranking.signature, *ranking.signatures.values()] if metric == metrics[-1] else [],
        )
        for metric in metrics
    ]


def _records(ranking: Ranking) -> ReportTable:
    rows = [[place.metric, place.system, *place_cells(place, percent=False)] for place in ranking.systems]
    return ReportTable([*table_columns("text", "metric", "system"), *PLACE_COLUMNS], rows)
