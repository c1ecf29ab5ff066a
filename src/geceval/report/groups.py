"""Scores by groups: of each system those of every kind of edit, or of every group of sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from geceval.counting.breakdown import GroupedResult, GroupScore, Label, Over
from geceval.counting.figures import F
from geceval.report.documents import as_json
from geceval.report.numbers import percent
from geceval.report.scores import document, labels, signatures
from geceval.report.tables import TABLE_FORMATS, Table

Results = Mapping[str, Sequence[GroupedResult]]

KINDS_SCHEMA, GROUPS_SCHEMA = "geceval/types@1", "geceval/groups@1"

#: Heads of counts and parts that have a short one.
HEADS = {"tp": "TP", "fp": "FP", "fn": "FN", "tn": "TN", "precision": "P", "recall": "R"}
#: The row of all groups together.
ALL = "all"


# --- by kinds of edits ---


def render_kinds(
    results: Results, output: str, digits: int, by: str, inputs: Mapping[str, Any], over: Over | None = None
) -> str:
    """Types or lengths of edits in one of report.tables.FORMATS: counts, parts and score of each, and the mean ``over``
    them if asked for, with a signature of its own.

    Metrics whose counts differ have a table each, one after the other.
    """
    if output == "json":
        documents = [
            document(name, result, "corpus")
            | {"types": _plain_keys(result, _kind_fields)}
            | ({} if over is None else {"macro": {"over": over, "value": result.macro(over)}})
            for name, row in results.items()
            for result in row
        ]
        return as_json(KINDS_SCHEMA, {**inputs, "by": by, "results": documents})
    first = next(iter(results.values()))
    together: dict[tuple[str, ...], list[int]] = {}
    for at, result in enumerate(first):
        together.setdefault(tuple(_figures(result)), []).append(at)
    heads = labels([result.metric for result in first])
    head = "length" if by == "length" else "type"
    tables = [_kind_table(results, own, heads, head, digits, over) for own in together.values()]
    if over is not None:
        tables = [replace(table, notes=[f"{note}|by:{by}|macro:{over}" for note in table.notes]) for table in tables]
    return "\n".join(map(TABLE_FORMATS[output], tables))


def _figures(result: GroupedResult) -> list[str]:
    """The counts, the parts and the score, by name."""
    return [*result.metric.columns, *result.score().parts, _score_name(result)]


def _score_name(result: GroupedResult) -> str:
    return "f" if isinstance(result.metric.figure, F) else "value"


def _kind_fields(result: GroupedResult, score: GroupScore) -> dict[str, Any]:
    return {**score.totals, **score.parts, _score_name(result): score.value}


def _plain_keys(result: GroupedResult, fields: Any) -> dict[str, Any]:
    return {str(label): fields(result, score) for label, score in result.groups().items()}


def _kind_table(
    results: Results, own: Sequence[int], metrics: Sequence[str], head: str, digits: int, over: Over | None
) -> Table:
    """The metrics at the places ``own``, whose counts and parts have the same names."""
    picked = {name: [row[at] for at in own] for name, row in results.items()}
    several = len(metrics) > 1
    *figures, score = _figures(next(iter(picked.values()))[0])
    last = "F" if score == "f" else "score"
    heads = ["system", *(["metric"] if several else []), head, *(HEADS.get(name, name) for name in figures), last]
    rows = [
        [name, *([metrics[at]] if several else []), *cells]
        for name, row in picked.items()
        for at, result in zip(own, row, strict=True)
        for cells in [*_kind_rows(result, digits), *_macro_row(result, digits, len(figures), over)]
    ]
    first = len(heads) - len(figures) - 1
    return Table(heads, rows, signatures(picked, "corpus"), frozenset(range(first, len(heads))))


def _kind_rows(result: GroupedResult, digits: int) -> Iterator[list[str]]:
    for label, score in [*result.groups().items(), (ALL, _all(result))]:
        counts = [_number(count, digits) for count in score.totals.values()]
        yield [_shown(label), *counts, *(_share(share, digits) for share in (*score.parts.values(), score.value))]


def _macro_row(result: GroupedResult, digits: int, figures: int, over: Over | None) -> list[list[str]]:
    return [] if over is None else [["macro", *[""] * figures, percent(result.macro(over), digits)]]


# --- by groups of sentences ---


def render_groups(
    results: Results, output: str, digits: int, parts: bool, group: str, inputs: Mapping[str, Any]
) -> str:
    """Groups of sentences in one of report.tables.FORMATS: a row for each system and group, a column for each metric
    (``parts``: and for precision, recall and the like)."""
    if output == "json":
        documents = [
            document(name, result, "corpus") | {"groups": _plain_keys(result, _group_fields)}
            for name, row in results.items()
            for result in row
        ]
        return as_json(GROUPS_SCHEMA, {**inputs, "group": group, "results": documents})
    first = next(iter(results.values()))
    heads = ["system", "group", "sentences"]
    for label, result in zip(labels([result.metric for result in first]), first, strict=True):
        heads += [*(f"{label} {part}" for part in (result.score().parts if parts else ())), label]
    rows = [[name, *cells] for name, row in results.items() for cells in _group_rows(row, digits, parts)]
    return TABLE_FORMATS[output](Table(heads, rows, signatures(results, "corpus"), frozenset(range(2, len(heads)))))


def _group_fields(result: GroupedResult, score: GroupScore) -> dict[str, Any]:
    return {"sentences": score.sentences, "value": score.value, "parts": score.parts, "totals": score.totals}


def _group_rows(row: Sequence[GroupedResult], digits: int, parts: bool) -> Iterator[list[str]]:
    """A system's rows; all metrics have the same groups."""
    columns = [[*result.groups().items(), (ALL, _all(result))] for result in row]
    for scores in zip(*columns, strict=True):
        label, first = scores[0]
        shares = [share for _, score in scores for share in (*(score.parts.values() if parts else ()), score.value)]
        yield [_shown(label), str(first.sentences), *(_share(share, digits) for share in shares)]


# --- cells ---


def _all(result: GroupedResult) -> GroupScore:
    score = result.score()
    return GroupScore(score.totals, score.parts, score.value, score.sentences)


def _shown(label: Label) -> str:
    return str(label) or "(none)"


def _share(share: float | None, digits: int) -> str:
    return "" if share is None else percent(share, digits)


def _number(count: float, digits: int) -> str:
    return f"{count:.{digits}f}" if isinstance(count, float) else str(count)
