"""Systems ranked without people, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from geceval.report.documents import as_json
from geceval.report.layout import Layout, score_rows
from geceval.report.numbers import round_half_up
from geceval.report.scores import confidence, minus
from geceval.report.tables import Table, written
from geceval.statistics.rankings import AGGREGATIONS
from geceval.studies.comparison.ranking_without_people import Ranking

SCHEMA = "geceval/ranking@1"


def render_ranking(ranking: Ranking, layout: Layout, inputs: Mapping[str, Any]) -> str:
    """Places by a metric's verdicts, in one of report.tables.FORMATS: a table for each metric, one for programs."""
    if layout.output == "json":
        return as_json(SCHEMA, vars(ranking) | {"inputs": inputs})
    metrics = list(dict.fromkeys(place.metric for place in ranking.systems))
    heads = ["system", AGGREGATIONS[ranking.aggregation].label, f"{confidence(ranking.alpha)} interval"]
    heads += ["s.d.", "ranks", "cluster"]
    if layout.for_programs:
        heads = ["metric", "system", "value", "low", "high", "deviation", "rank_low", "rank_high", "cluster"]
        rows = [
            [
                place.metric,
                place.system,
                *(round_half_up(value, layout.digits) for value in (place.value, place.low, place.high)),
                round_half_up(place.deviation, layout.digits),
                *map(str, (place.rank_low, place.rank_high, place.cluster)),
            ]
            for place in ranking.systems
        ]
        return written(Table(heads, rows), layout.output)
    tables = []
    for metric in metrics:
        own = [place for place in ranking.systems if place.metric == metric]
        names = [place.system for place in own]
        rows, sections, best = score_rows(own, names, lambda value: minus(round_half_up(value, layout.digits)))
        title = f"{metric}, {ranking.sentences} sentences"
        notes = [ranking.signature, *ranking.signatures.values()] if metric == metrics[-1] else []
        right = frozenset(range(1, len(heads)))
        tables.append(Table(heads, rows, notes, right, title, (), best, sections, spare=(3, 5)))
    return "\n".join(written(table, layout.output, layout.width) for table in tables)
