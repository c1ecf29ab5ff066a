"""Scores by error type: of each system the counts, precision, recall and F of every type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from geceval.errors import UsageError
from geceval.report.documents import as_json
from geceval.report.numbers import percent
from geceval.report.tables import TABLE_FORMATS, Table

if TYPE_CHECKING:
    from geceval.counting.metric import Tally
    from geceval.metrics.errant import Errant, ErrantCounts, Tier

SCHEMA = "geceval/types@1"


def render_types(
    tallies: Mapping[str, Sequence[Tally]], output: str, digits: int, tier: Tier, inputs: Mapping[str, Any]
) -> str:
    """The table in one of report.tables.FORMATS.

    Raises UsageError for metrics without types and for levels other than the corpus.
    """
    first = next(iter(tallies.values()))
    for tally in first:
        if tally.metric.name != "errant" or tally.level != "corpus":
            raise UsageError("--by is for the corpus scores of errant")
    if output == "json":
        results = [
            {"system": name, "settings": tally.metric.settings, **tally.score().to_dict(), "types": _types(tally, tier)}
            for name, row in tallies.items()
            for tally in row
        ]
        return as_json(SCHEMA, {**inputs, "by": tier, "results": results})
    heads = ["system", *(["metric"] if len(first) > 1 else []), "type", "TP", "FP", "FN", "P", "R", "F"]
    rows = list(_rows(tallies, digits, tier, several=len(first) > 1))
    right = frozenset(range(len(heads) - 6, len(heads)))
    return TABLE_FORMATS[output](Table(heads, rows, [tally.signature for tally in first], right))


def _rows(tallies: Mapping[str, Sequence[Tally]], digits: int, tier: Tier, *, several: bool) -> Iterator[list[str]]:
    from geceval.report.scores import labels

    heads = labels([tally.metric for tally in next(iter(tallies.values()))])
    for name, row in tallies.items():
        for head, tally in zip(heads, row, strict=True):
            score = tally.score()
            total = [int(score.totals[key]) for key in ("tp", "fp", "fn")]
            figures = [score.parts["precision"], score.parts["recall"], score.value]
            for type_, cells in _types(tally, tier).items():
                counts = [str(cells[key]) for key in ("tp", "fp", "fn")]
                shares = [percent(cells[key], digits) for key in ("precision", "recall", "f")]
                yield [name, *([head] if several else []), type_, *counts, *shares]
            shares = [percent(figure, digits) for figure in figures]
            yield [name, *([head] if several else []), "all", *map(str, total), *shares]


def _types(tally: Tally, tier: Tier) -> dict[str, dict[str, float]]:
    from geceval.metrics.errant import precision_recall_f

    metric = cast("Errant", tally.metric)
    table = metric.by_type(cast("ErrantCounts", tally.counts()), tier)
    rows = {}
    for name, counts in table.items():
        precision, recall, f = precision_recall_f(*counts, metric.beta)
        rows[name] = dict(
            zip(("tp", "fp", "fn", "precision", "recall", "f"), (*counts, precision, recall, f), strict=True)
        )
    return rows
