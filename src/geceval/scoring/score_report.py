"""Reports of the scores of systems."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from geceval.base.errors import UsageError
from geceval.base.ties import order_of_best
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import heads_of, labels
from geceval.counting.results import AnyResult, Result, RunsResult
from geceval.counting.scores import Level, Score, number_of
from geceval.counting.stream import SystemForm, mixed_forms
from geceval.results.named_figures import settings
from geceval.scoring.score_intervals import (
    interval_column,
    interval_document,
    interval_options,
    intervals_of,
    metrics_in,
)
from geceval.tables.report import Report
from geceval.tables.table import (
    SOURCE_NOTE,
    FilledColumns,
    ReportTable,
    TableColumn,
    best_cells,
    ceiling_legend,
    column_table,
    forms_note,
)
from geceval.text.files import SOURCE

if TYPE_CHECKING:
    from geceval.resampling.comparison_results import Comparison
    from geceval.scoring.expenses import Expenses
    from geceval.tables.charts import Pictures

R = TypeVar("R", bound=AnyResult)

#: Orders of the systems other than by the scores of a metric.
GIVEN, BY_NAME = "given", "name"
#: Heads of precision and recall in a paper's table.
LETTERS = {"precision": "P", "recall": "R"}


def score_report(
    results: Mapping[str, Sequence[AnyResult]],
    level: Level,
    inputs: Mapping[str, Any],
    *,
    parts: bool = False,
    intervals: Comparison | None = None,
    expenses: Mapping[str, Expenses] | None = None,
) -> Report:
    """Return the scores of systems.

    Args:
        results: Results of each system, one per metric.
        level: Level of the scores.
        inputs: Description of the input files, for JSON.
        parts: Add columns of precision, recall and other parts of scores.
        intervals: Intervals of corpus scores.
        expenses: Tokens, cost and latency by system.
    """

    def content() -> Mapping[str, Any]:
        documents = [score_document(name, result, level) for name, row in results.items() for result in row]
        files = {**inputs, "outputs": outputs_of(results)}
        if expenses is not None:
            files["expenses"] = {name: row.to_dict() for name, row in expenses.items()}
        if intervals is None:
            return {**files, "results": documents}
        bounds = intervals_of(intervals, metrics_in(results))
        keys = ((name, result.metric, None) for name, row in results.items() for result in row)
        for score, key in zip(documents, keys, strict=True):
            score["interval"] = interval_document(bounds[key])
        return {**files, "results": documents, **interval_options(intervals)}

    def table(formulas: bool = False) -> list[ReportTable]:
        if level == "sentence":
            return [sentence_table(of_sentences(results), parts=parts)]
        scores = score_table(results, level, parts=parts, formulas=formulas, intervals=intervals, expenses=expenses)
        return [scores]

    def pictures() -> Pictures:
        from geceval.scoring.score_charts import score_pictures  # most scores are not drawn

        return {} if level == "sentence" else score_pictures(results, level, intervals)

    return Report("geceval/score@1", content, table, papers=lambda: table(formulas=True), pictures=pictures)


def score_table(
    results: Mapping[str, Sequence[AnyResult]],
    level: Level,
    *,
    parts: bool = False,
    formulas: bool = False,
    intervals: Comparison | None = None,
    expenses: Mapping[str, Expenses] | None = None,
) -> ReportTable:
    """Return a row for each system and a column for each metric.

    Args:
        results: Results of each system, one per metric.
        level: Level of the scores.
        parts: Add columns of precision, recall and other parts of scores.
        formulas: Include beta in heads, as in ERRANT F₀.₅.
        intervals: Intervals, in a column after the scores.
        expenses: Tokens, cost and latency by system, in the last columns.
    """
    metrics = metrics_in(results)
    bounds = intervals_of(intervals, metrics)
    runs = {name: row[0].runs for name, row in results.items() if isinstance(row[0], RunsResult)}
    systems = [f"{name} ({len(runs[name])} runs)" if name in runs else name for name in results]
    columns: FilledColumns = [(TableColumn("system"), systems)]
    metric_labels = labels(metrics)
    heads = heads_of(metrics, metric_labels)
    for index, (metric, label, head) in enumerate(zip(metrics, metric_labels, heads, strict=True)):
        scores = [row[index].score(level) for row in results.values()]
        if parts:
            columns += _part_columns(scores, metric, label, head.rows[0] or label)
        values, better = [score.value for score in scores], metric.scale.higher_is_better
        mixed = _mixed_forms(results, index)
        groups = [name if name == SOURCE else mixed.get(name, "") for name in results]
        unmarked = [bool(metric.scale.description) or row[index].facts.uncorrected for row in results.values()]
        cells = best_cells(values, higher_is_better=better, groups=groups, unmarked=unmarked)
        name = head.formula if formulas else label
        rows = ("", *head.rows) if parts else ()
        columns.append((TableColumn(name, "score", metric.scale.in_percent, rows=rows), cells))
        if runs:
            title = f"{label if len(metrics) > 1 else ''} ± between runs".strip()
            between = [row[index].score(level).deviation if name in runs else None for name, row in results.items()]
            columns.append((TableColumn(title, "score", metric.scale.in_percent, next_to_previous=True), between))
        if intervals is not None:
            scores_of = [bounds[name, metric, None] for name in results]
            pairs = [(score.low, score.high) for score in scores_of]
            columns.append((interval_column(intervals, label if len(metrics) > 1 else "", metric), pairs))
    lines = surrounding_lines(results, level)
    lines["notes"] += [] if intervals is None else [intervals.signature]
    if expenses is not None:
        from geceval.scoring.expenses import expense_columns, expense_legend  # most scores have no expenses

        columns += expense_columns(expenses, results)
        lines["legend"] += expense_legend(expenses)
    return column_table(columns, **lines)


def _part_columns(scores: Sequence[Score], metric: AnyMetric, label: str, first_row: str) -> FilledColumns:
    """Return a column for each part of the scores; ``first_row`` heads it in LaTeX."""
    columns: FilledColumns = []
    for part in scores[0].parts:
        shares = [number_of(score.parts[part]) for score in scores]
        is_whole = part in metric.scale.plain_parts and all(share.is_integer() for share in shares if share == share)
        digits, rows = 0 if is_whole else None, ("", *part_rows(first_row, part))
        percent = metric.scale.part_in_percent(part)
        column = TableColumn(f"{label} {part}", "score", percent, digits, undefined=True, rows=rows)
        columns.append((column, shares))
    return columns


def part_rows(label: str, part: str) -> tuple[str, str]:
    """Return the rows of the head of a part of a score in LaTeX."""
    return label, LETTERS.get(part, part.replace("_", " "))


class SurroundingLines(TypedDict):
    """Lines around a table: above it, and as its legend and notes below."""

    above: list[str]
    legend: list[str]
    notes: list[str]


def surrounding_lines(results: Mapping[str, Sequence[AnyResult]], level: Level) -> SurroundingLines:
    """Return the lines around a table of scores.

    The notes contain the distinct signatures in the order of the metrics. Systems have different signatures if some of
    them are M2.
    """
    columns = list(zip(*results.values(), strict=True))
    heads = labels([column[0].metric for column in columns])
    bounded = {label: row for label, column in zip(heads, columns, strict=True) for row in column if row.ceilings}
    signed = dict.fromkeys(result.signature(level) for column in columns for result in column)
    mixed = {label: forms for index, label in enumerate(heads) if (forms := _mixed_forms(results, index))}
    ceilings = {label: (row.score(level).ceiling, row.metric.scale.in_percent) for label, row in bounded.items()}
    return {
        "above": forms_note(mixed),
        "legend": ceiling_legend(ceilings) if ceilings else [],
        "notes": [*([SOURCE_NOTE] if SOURCE in results else []), *signed],
    }


def _mixed_forms(results: Mapping[str, Sequence[AnyResult]], index: int) -> dict[str, str]:
    """Return the forms of the systems under a metric; see mixed_forms."""
    of_systems = {name: row[index] for name, row in results.items() if name != SOURCE}
    inputs = {name: result.facts.inputs for name, result in of_systems.items()}
    forms = {name: SystemForm(of_system.m2, of_system.has_own_references) for name, of_system in inputs.items()}
    return mixed_forms(next(iter(of_systems.values())).metric, forms) if of_systems else {}


def of_sentences(results: Mapping[str, Sequence[AnyResult]]) -> dict[str, list[Result]]:
    """Return the results that have scores of sentences; means of runs have none."""
    return {name: [result for result in row if isinstance(result, Result)] for name, row in results.items()}


def sentence_table(results: Mapping[str, Sequence[Result]], *, parts: bool = False) -> ReportTable:
    """Return a row for each sentence and a column for each system and metric.

    Lines are counted from 1. ``parts`` adds columns of precision, recall and other parts of scores.
    """
    several = len(next(iter(results.values()))) > 1
    columns: FilledColumns = []
    for name, row in results.items():
        for label, result in zip(labels([result.metric for result in row]), row, strict=True):
            head = f"{name} {label}" if several else name
            for part, scores in result.sentence_parts().items() if parts else ():
                percent = result.metric.scale.part_in_percent(part)
                column = TableColumn(f"{head} {part}", "score", percent, undefined=True)
                columns.append((column, scores.tolist()))
            score_column = TableColumn(head, "score", result.metric.scale.in_percent)
            columns.append((score_column, result.sentence_scores().tolist()))
    lines = range(1, len(columns[0][1]) + 1)
    return column_table([(TableColumn("line", "count"), lines), *columns], **surrounding_lines(results, "sentence"))


# --- JSON ---


def outputs_of(results: Mapping[str, Sequence[AnyResult]]) -> dict[str, dict[str, int]]:
    """Return the numbers of lines of each system, if they were checked."""
    firsts: dict[str, Result] = {}
    for name, (first, *_) in results.items():
        firsts |= first.runs if isinstance(first, RunsResult) else {name: first}
    return {name: outputs.to_dict() for name, result in firsts.items() if (outputs := result.outputs) is not None}


def score_document(name: str, result: AnyResult, level: Level) -> dict[str, Any]:
    """Return the score of one system under one metric as JSON values."""
    guard = {"guard": True} if name == SOURCE else {}
    score = {"system": name, **guard, "settings": settings(result.metric), **result.score(level).to_dict()}
    if isinstance(result, RunsResult):
        score["runs"] = [score_document(run, run_result, level) for run, run_result in result.runs.items()]
    if level != "sentence" or isinstance(result, RunsResult):
        return score
    counts = dict(zip(result.metric.columns, result.sentence_counts().T.tolist(), strict=True))
    parts = {part: values.tolist() for part, values in result.sentence_parts().items()}
    scores = result.sentence_scores().tolist()
    return score | {"sentence_scores": scores, "sentence_parts": parts, "sentence_counts": counts}


# --- order of the systems ---


def sorted_results(results: Mapping[str, list[R]], sort: str, level: Level) -> dict[str, list[R]]:
    """Return the results in another order of systems, the unchanged source last.

    Args:
        results: Results of each system, one per metric.
        sort: GIVEN, BY_NAME, or the label of a metric, which puts the best system first.
        level: Level of the scores.

    Raises:
        UsageError: If the order does not exist.
    """
    source = {name: row for name, row in results.items() if name == SOURCE}
    results = {name: row for name, row in results.items() if name != SOURCE}
    if sort in (GIVEN, BY_NAME):
        return dict(results if sort == GIVEN else sorted(results.items())) | source
    metrics, names = metrics_in(results), list(results)
    heads = labels(metrics)
    index = heads.index(metric_named(sort, heads))
    metric = metrics[index]
    values = [metric.scale.sign * row[index].score(level).value for row in results.values()]
    ranked = [names[k] for k in order_of_best(values)]
    if metric.matches_edits:  # systems given as M2 are ranked separately
        ranked.sort(key=lambda name: not results[name][index].facts.inputs.m2)
    return {name: results[name] for name in ranked} | source


def metric_named(sort: str, metrics: Sequence[str]) -> str:
    """Return the label of the metric that ``--sort`` names.

    Case does not matter, and settings may be omitted.

    Raises:
        UsageError: If no metric or several metrics match.
    """
    label = re.sub(r"[:,]", " ", sort).casefold()
    exact_matches = [name for name in metrics if label == name.casefold()]
    matches = exact_matches or [name for name in metrics if label == name.split()[0].casefold()]
    if len(matches) != 1:
        raise UsageError(f"cannot sort by {sort!r}: choose from {', '.join([GIVEN, BY_NAME, *metrics])}")
    return matches[0]
