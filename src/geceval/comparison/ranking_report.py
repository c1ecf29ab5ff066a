"""Report of a ranking of systems without human judgements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from geceval.comparison.place_tables import PLACE_COLUMNS, place_cells, place_table
from geceval.comparison.ranking_without_people import Ranking
from geceval.statistics.rankings import AGGREGATIONS
from geceval.tables.legends import ceiling_legend, forms_note
from geceval.tables.report import Report
from geceval.tables.table import ReportTable, table_columns
from geceval.text.files import SOURCE

#: Note on the row of the unchanged source.
SOURCE_NOTE = f"{SOURCE}: the uncorrected text against every system; no system wins or loses against it"


def ranking_report(ranking: Ranking, inputs: Mapping[str, Any]) -> Report:
    """Return a table of ranks for each metric; CSV has one table."""
    places = [[place.metric, place.system, *place_cells(place, percent=False)] for place in ranking.systems]
    return Report(
        "geceval/ranking@1",
        lambda: vars(ranking) | {"inputs": inputs},
        lambda: _tables(ranking),
        records=lambda: [ReportTable([*table_columns("text", "metric", "system"), *PLACE_COLUMNS], places)],
    )


def _tables(ranking: Ranking) -> list[ReportTable]:
    figure = AGGREGATIONS[ranking.aggregation].label
    guard = [SOURCE_NOTE] if any(place.system == SOURCE for place in ranking.systems) else []
    notes = [*guard, ranking.signature, *ranking.signatures.values()]
    metrics = list(dict.fromkeys(place.metric for place in ranking.systems))
    return [
        place_table(
            [place for place in ranking.systems if place.metric == metric],
            figure,
            ranking.alpha,
            f"{metric}, {ranking.sentences} sentences",
            notes if metric == metrics[-1] else [],
            forms=ranking.forms.get(metric),
            above=_forms(ranking, metric),
            # Metrics on edits are in per cent.
            legend=ceiling_legend({metric: (max(ranking.ceilings.get(metric, {}).values(), default=None), True)}),
        )
        for metric in metrics
    ]


def _forms(ranking: Ranking, metric: str) -> list[str]:
    """Return the line above a table of systems given as M2 and as text."""
    forms = ranking.forms.get(metric)
    if not forms:
        return []
    ranked = [place.system for place in ranking.systems if place.metric == metric]
    alone = [name for name in forms if name not in ranked]
    [line] = forms_note([metric], forms)
    return [line + (f" ({', '.join(alone)}: not ranked, the only one of its form)" if alone else "")]
