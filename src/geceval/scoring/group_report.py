"""Tables of scores by kinds of edits, and by groups of sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from geceval.counting.breakdown import GroupedResult, GroupScore, Over
from geceval.counting.groupings import Label
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import labels
from geceval.counting.scores import number_of
from geceval.edits.type_names import TypeNames, type_name
from geceval.scoring.score_intervals import (
    Intervals,
    interval_column,
    interval_document,
    interval_options,
    intervals_of,
    metrics_in,
)
from geceval.scoring.score_report import outputs_of, part_rows, score_document, surrounding_lines
from geceval.tables.report import Report
from geceval.tables.table import ReportTable, TableCell, TableColumn, TableRow, Value, table_columns

if TYPE_CHECKING:
    from geceval.resampling.comparison_results import Comparison
    from geceval.tables.charts import Pictures

GroupedResults = Mapping[str, Sequence[GroupedResult]]

#: Short heads of counts and parts.
HEADS = {"tp": "TP", "fp": "FP", "fn": "FN", "tn": "TN", "precision": "P", "recall": "R"}
#: Why TP and FP may not add up: M2 may contain an edit twice.
REPEATED = (
    "TP counts edits of the reference, FP edits of the system: TP + FP differs from the number of proposed edits if an "
    "edit of either occurs twice"
)
#: Label of the row of all groups.
ALL = "all"


def kind_report(
    results: GroupedResults,
    by: str,
    inputs: Mapping[str, Any],
    over: Over | None,
    *,
    intervals: Comparison | None,
    type_names: TypeNames,
) -> Report:
    """Return counts, parts and scores by types or lengths of edits.

    Args:
        results: Results of each system, one per metric.
        by: Property of edits: "length", or a form of their types.
        inputs: Description of the input files, for JSON.
        over: Groups of the macro average; None: no average.
        intervals: Intervals of the scores.
        type_names: Names of types in tables for readers; programs read codes.
    """

    def content() -> dict[str, Any]:
        documents = _documents(results, "types", _kind_fields, intervals)
        if over is not None:
            all_results = [result for row in results.values() for result in row]
            for document, result in zip(documents, all_results, strict=True):
                document["macro"] = {"over": over, "value": result.macro(over)}
        outputs = outputs_of(results)
        return {**inputs, "outputs": outputs, "by": by, "results": documents, **interval_options(intervals)}

    def tables(names: TypeNames) -> list[ReportTable]:
        return _kind_tables(results, by, over, intervals, names)

    def pictures() -> Pictures:
        from geceval.scoring.score_charts import group_pictures  # most scores are not drawn

        return group_pictures(results, "types", lambda kind: type_name(kind, type_names))

    return Report(
        "geceval/types@1", content, lambda: tables(type_names), records=lambda: tables("codes"), pictures=pictures
    )


def group_report(
    results: GroupedResults,
    group: str,
    inputs: Mapping[str, Any],
    *,
    parts: bool = False,
    intervals: Comparison | None = None,
) -> Report:
    """Return scores by groups of sentences.

    Args:
        results: Results of each system, one per metric.
        group: Name of the grouping.
        inputs: Description of the input files, for JSON.
        parts: Add columns of precision, recall and other parts of scores.
        intervals: Intervals of the scores.
    """

    def pictures() -> Pictures:
        from geceval.scoring.score_charts import group_pictures  # most scores are not drawn

        return group_pictures(results, "groups")

    return Report(
        "geceval/groups@1",
        lambda: {
            **inputs,
            "outputs": outputs_of(results),
            "group": group,
            "results": _documents(results, "groups", _group_fields, intervals),
            **interval_options(intervals),
        },
        lambda: [group_rows_table(results, parts, intervals)],
        pictures=pictures,
    )


def _documents(
    results: GroupedResults,
    key: str,
    fields: Callable[[GroupedResult, GroupScore], dict[str, Any]],
    intervals: Comparison | None,
) -> list[dict[str, Any]]:
    """Return the scores of systems as JSON values, with groups under ``key``."""
    bounds = intervals_of(intervals, metrics_in(results))

    def interval_of(name: str, metric: AnyMetric, group: str | None) -> dict[str, Any]:
        key = name, metric, group
        return {"interval": interval_document(bounds[key])} if key in bounds else {}

    return [
        score_document(name, result, "corpus")
        | interval_of(name, result.metric, None)
        | {
            key: {
                str(label): fields(result, score) | interval_of(name, result.metric, str(label))
                for label, score in result.groups().items()
            }
        }
        for name, row in results.items()
        for result in row
    ]


def _interval_cell(bounds: Intervals, name: str, result: GroupedResult, group: str | None) -> TableCell:
    """Return the cell of the interval of a group's score."""
    score = bounds.get((name, result.metric, group))
    limits = None if score is None else (score.low, score.high)
    return TableCell(limits, percent=result.metric.scale.in_percent)


# --- by kinds of edits ---


def _kind_tables(
    results: GroupedResults, by: str, over: Over | None, intervals: Comparison | None, names_of_types: TypeNames
) -> list[ReportTable]:
    """Return tables of metrics, one for all metrics with the same counts and parts."""
    first, metrics = next(iter(results.values())), metrics_in(results)
    bounds, metric_labels = intervals_of(intervals, metrics), labels(metrics)
    groups: dict[tuple[str, ...], list[int]] = {}
    for index, result in enumerate(first):
        names = (*result.metric.columns, *result.score().parts, _score_name(result))
        groups.setdefault(names, []).append(index)
    keys = ["system", *(["metric"] if len(first) > 1 else []), by if by in ("length", "rule") else "type"]
    macro = "" if over is None else f"|by:{by}|macro:{over}"
    tables = []
    for (*figures, score), indexes in groups.items():
        heads, counts = [HEADS.get(name, name) for name in figures], len(first[indexes[0]].metric.columns)
        columns = table_columns("text", *keys) + table_columns("count", *heads[:counts])
        columns += table_columns("score", *heads[counts:], undefined=True)
        columns += table_columns("score", "F" if score == "f" else "score")
        columns += [] if intervals is None else [interval_column(intervals, "", first[indexes[0]].metric)]
        rows: list[TableRow] = [
            [name, *([metric_labels[index]] if len(first) > 1 else []), type_name(str(kind), names_of_types), *cells]
            for name, row in results.items()
            for index in indexes
            for kind, *cells in _kind_rows(name, row[index], len(figures), over, None if intervals is None else bounds)
        ]
        table_results = {name: [row[index] for index in indexes] for name, row in results.items()}
        lines = surrounding_lines(table_results, "corpus")
        lines["notes"] = [note + macro for note in lines["notes"]]
        lines["notes"] += [] if intervals is None else [intervals.signature]
        has_m2 = any(
            row[index].facts.inputs.m2 or row[index].facts.inputs.origin == "gold"
            for row in results.values()
            for index in indexes
        )
        lines["legend"] += [REPEATED] if has_m2 and {"TP", "FP"} <= {*heads} else []
        tables.append(ReportTable(columns, rows, **lines))
    return tables


def _score_name(result: GroupedResult) -> str:
    return "value" if result.metric.figure.f is None else "f"


def _kind_fields(result: GroupedResult, score: GroupScore) -> dict[str, Any]:
    return {**score.totals, **score.parts, _score_name(result): score.value}


def _kind_rows(
    name: str, result: GroupedResult, figures: int, over: Over | None, bounds: Intervals | None
) -> Iterator[TableRow]:
    """Yield the rows of one system, with intervals if there are bounds."""
    groups: list[tuple[str | None, str, GroupScore]] = [
        *((str(label), _shown(label), score) for label, score in result.groups().items()),
        (None, ALL, _all(result)),
    ]
    for group, label, score in groups:
        parts = [
            TableCell(part, percent=result.metric.scale.part_in_percent(name)) for name, part in score.parts.items()
        ]
        yield [
            label,
            *score.totals.values(),
            *parts,
            TableCell(score.value, percent=result.metric.scale.in_percent),
            *([] if bounds is None else [_interval_cell(bounds, name, result, group)]),
        ]
    if over is not None:
        macro = TableCell(result.macro(over), percent=True)
        yield ["macro", *[None] * figures, macro, *([] if bounds is None else [None])]


# --- by groups of sentences ---


def group_rows_table(results: GroupedResults, parts: bool, intervals: Comparison | None = None) -> ReportTable:
    """Return the scores of each system in groups of sentences, and in all of them.

    Args:
        results: The results by system.
        parts: Whether to show precision, recall and other parts.
        intervals: Intervals of the scores.
    """
    first = next(iter(results.values()))
    columns = [TableColumn("system"), TableColumn("group"), TableColumn("sentences", "count")]
    for label, result in zip(labels([result.metric for result in first]), first, strict=True):
        metric = result.metric
        for part in result.score().parts if parts else ():
            column = TableColumn(f"{label} {part}", "score", metric.scale.part_in_percent(part), undefined=True)
            columns.append(replace(column, rows=part_rows(label, part)))
        columns.append(TableColumn(label, "score", metric.scale.in_percent, rows=(label, "score") if parts else ()))
        columns += [] if intervals is None else [interval_column(intervals, label if len(first) > 1 else "", metric)]
    bounds = None if intervals is None else intervals_of(intervals, metrics_in(results))
    rows: list[TableRow] = []
    for name, system_results in results.items():
        rows += [[name, *row] for row in _group_rows(name, system_results, parts, bounds)]
    lines = surrounding_lines(results, "corpus")
    lines["notes"] += [] if intervals is None else [intervals.signature]
    return ReportTable(columns, rows, **lines)


def _group_fields(result: GroupedResult, score: GroupScore) -> dict[str, Any]:
    return {"sentences": score.sentences, "value": score.value, "parts": score.parts, "totals": score.totals}


def _group_rows(name: str, row: Sequence[GroupedResult], parts: bool, bounds: Intervals | None) -> Iterator[TableRow]:
    """Yield the rows of one system, with intervals if there are bounds; all metrics have the same groups."""
    columns = [[*result.groups().items(), (ALL, _all(result))] for result in row]
    for number, scores in enumerate(zip(*columns, strict=True)):
        label, first = scores[0]
        group = str(label) if number < len(columns[0]) - 1 else None
        cells: list[Value | TableCell] = []
        for result, (_, score) in zip(row, scores, strict=True):
            cells += [*(score.parts.values() if parts else ()), score.value]
            cells += [] if bounds is None else [_interval_cell(bounds, name, result, group)]
        yield [_shown(label), first.sentences, *cells]


def _all(result: GroupedResult) -> GroupScore:
    score = result.score()
    parts = {name: number_of(part) for name, part in score.parts.items()}
    return GroupScore(score.totals, parts, score.value, score.sentences)


def _shown(label: Label) -> str:
    return str(label) or "(none)"
