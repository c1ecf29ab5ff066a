"""Scores by groups (error types, operations, lengths, sentence groups): of each system those of every group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from geceval.counting.breakdown import GroupedResult, GroupScore
from geceval.errors import UsageError
from geceval.report.documents import as_json
from geceval.report.numbers import percent
from geceval.report.scores import document, labels, signatures
from geceval.report.tables import TABLE_FORMATS, Table

SCHEMA = "geceval/types@1"

#: Heads of counts and parts that have a short one.
HEADS = {"tp": "TP", "fp": "FP", "fn": "FN", "precision": "P", "recall": "R"}


def render_types(
    results: Mapping[str, Sequence[GroupedResult]], output: str, digits: int, by: str, inputs: Mapping[str, Any]
) -> str:
    """The table in one of report.tables.FORMATS. Raises UsageError for a table of metrics whose counts differ."""
    first = next(iter(results.values()))
    if output == "json":
        documents = [
            document(name, result, "corpus")
            | {"types": {label: _figures(score) for label, score in result.groups().items()}}
            for name, row in results.items()
            for result in row
        ]
        return as_json(SCHEMA, {**inputs, "by": by, "results": documents})
    if len({result.metric.columns for result in first}) > 1:
        raise UsageError("metrics with different counts do not fit into one table", hint="-f json takes all metrics")
    figures = [*first[0].metric.columns, *first[0].score().parts]
    metric = ["metric"] if len(first) > 1 else []
    heads = ["system", *metric, "type", *(HEADS.get(name, name) for name in figures), "F"]
    right = frozenset(range(len(heads) - len(figures) - 1, len(heads)))
    rows = list(_rows(results, digits, several=len(first) > 1))
    return TABLE_FORMATS[output](Table(heads, rows, signatures(results, "corpus"), right))


def _figures(score: GroupScore) -> dict[str, float]:
    return {**score.totals, **score.parts, "f": score.value}


def _rows(results: Mapping[str, Sequence[GroupedResult]], digits: int, *, several: bool) -> Iterator[list[str]]:
    heads = labels([result.metric for result in next(iter(results.values()))])
    for name, row in results.items():
        for head, result in zip(heads, row, strict=True):
            score = result.score()
            everything = GroupScore(score.totals, score.parts, score.value)
            for label, own in [*result.groups().items(), ("all", everything)]:
                counts = [_number(count, digits) for count in own.totals.values()]
                shares = [percent(share, digits) for share in (*own.parts.values(), own.value)]
                yield [name, *([head] if several else []), str(label), *counts, *shares]


def _number(count: float, digits: int) -> str:
    return f"{count:.{digits}f}" if isinstance(count, float) else str(count)
