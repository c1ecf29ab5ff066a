"""Scores by groups: of each system those of every kind of edit, or of every group of sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from geceval.counting.figures import F
from geceval.counting.groups.breakdown import GroupedResult, GroupScore, Over
from geceval.counting.groups.groupings import Apart, Label
from geceval.counting.metric_labels import labels
from geceval.report.documents import as_json
from geceval.report.numbers import shown
from geceval.report.scores import document, notes
from geceval.report.tables import Table, written

Results = Mapping[str, Sequence[GroupedResult]]

KINDS_SCHEMA, GROUPS_SCHEMA = "geceval/types@1", "geceval/groups@1"

#: Heads of counts and parts that have a short one.
HEADS = {"tp": "TP", "fp": "FP", "fn": "FN", "tn": "TN", "precision": "P", "recall": "R"}
#: The row of all groups together.
ALL = "all"


# --- by kinds of edits ---


def render_kinds(
    results: Results,
    output: str,
    digits: int,
    by: str,
    inputs: Mapping[str, Any],
    over: Over | None = None,
    *,
    width: int | None = None,
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
    return "\n".join(written(table, output, width) for table in tables)


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
    return Table(heads, rows, notes(picked, "corpus"), frozenset(range(first, len(heads))))


def _kind_rows(result: GroupedResult, digits: int) -> Iterator[list[str]]:
    for label, score in [*result.groups().items(), (ALL, _all(result))]:
        counts = [_number(count, digits) for count in score.totals.values()]
        in_percent = result.metric.in_percent
        shares = [_share(share, digits, in_percent) for share in (*score.parts.values(), score.value)]
        yield [_shown(label), *counts, *shares]


def _macro_row(result: GroupedResult, digits: int, figures: int, over: Over | None) -> list[list[str]]:
    return [] if over is None else [["macro", *[""] * figures, shown(result.macro(over), digits)]]


# --- by groups of sentences ---


def render_groups(
    results: Results,
    output: str,
    digits: int,
    parts: bool,
    group: str,
    inputs: Mapping[str, Any],
    *,
    width: int | None = None,
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
    table = Table(heads, rows, notes(results, "corpus"), frozenset(range(2, len(heads))))
    return written(table, output, width)


def _group_fields(result: GroupedResult, score: GroupScore) -> dict[str, Any]:
    return {"sentences": score.sentences, "value": score.value, "parts": score.parts, "totals": score.totals}


def _group_rows(row: Sequence[GroupedResult], digits: int, parts: bool) -> Iterator[list[str]]:
    """A system's rows; all metrics have the same groups."""
    columns = [[*result.groups().items(), (ALL, _all(result))] for result in row]
    for scores in zip(*columns, strict=True):
        label, first = scores[0]
        shares = [
            _share(share, digits, result.metric.in_percent)
            for result, (_, score) in zip(row, scores, strict=True)
            for share in (*(score.parts.values() if parts else ()), score.value)
        ]
        yield [_shown(label), str(first.sentences), *shares]


# --- groups × systems ---


def render_wide(results: Results, output: str, digits: int, head: str, *, width: int | None = None) -> str:
    """A row for each group, a column for each system, in one of report.tables.TABLE_FORMATS: the scores alone.

    A table for each metric; ``head``: how groups are called.
    """
    first = next(iter(results.values()))
    heads = labels([result.metric for result in first])
    tables = [_wide_table(results, at, metric, digits, head) for at, metric in enumerate(heads)]
    return "\n".join(written(table, output, width) for table in tables)


def _wide_table(results: Results, at: int, metric: str, digits: int, head: str) -> Table:
    own = {name: row[at] for name, row in results.items()}
    scores = {name: result.groups() for name, result in own.items()}
    groups = {label: None for found in scores.values() for label in found}
    order = sorted(groups, key=lambda label: (isinstance(label, Apart), label))
    values = [[found[label].value if label in found else None for found in scores.values()] for label in order] + [
        [result.score().value for result in own.values()]
    ]
    shape = next(iter(own.values())).metric
    top = max if shape.higher_is_better else min
    best = {
        (row, 1 + column)
        for row, cells in enumerate(values)
        for column, value in enumerate(cells)
        if len(cells) > 1 and value is not None and value == top(other for other in cells if other is not None)
    }
    rows = [
        [name, *(_share(value, digits, shape.in_percent) for value in cells)]
        for name, cells in zip([*map(_shown, order), ALL], values, strict=True)
    ]
    right = frozenset(range(1, 1 + len(own)))
    under = list(dict.fromkeys(result.signature() for result in own.values()))
    title = f"{metric} by {head}"
    return Table([head, *own], rows, under, right, title, best=frozenset(best), sections=frozenset({len(order)}))


# --- cells ---


def _all(result: GroupedResult) -> GroupScore:
    score = result.score()
    return GroupScore(score.totals, score.parts, score.value, score.sentences)


def _shown(label: Label) -> str:
    return str(label) or "(none)"


def _share(share: float | None, digits: int, in_percent: bool) -> str:
    return "" if share is None else shown(share, digits, in_percent)


def _number(count: float, digits: int) -> str:
    return f"{count:.{digits}f}" if isinstance(count, float) else str(count)
