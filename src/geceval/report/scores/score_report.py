"""The scores of systems under metrics."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from geceval.base.errors import UsageError
from geceval.counting.consumers import Result
from geceval.counting.counts import Level
from geceval.counting.metric_names import heads_of, labels, names
from geceval.counting.stream import AnyMetric
from geceval.report.report import Report
from geceval.report.table import FilledColumns, ReportTable, TableColumn, best_cells, column_table
from geceval.studies.comparison.comparison_results import Comparison, SystemScore
from geceval.text.files import SOURCE

R = TypeVar("R", bound=Result)

#: Note on the row of the unchanged source.
SOURCE_NOTE = f"{SOURCE}: the unchanged source, what is had without correcting; not a system"
#: Orders of the systems beside that of a metric's scores.
GIVEN, BY_NAME = "given", "name"


def score_report(
    results: Mapping[str, Sequence[Result]],
    level: Level,
    inputs: Mapping[str, Any],
    *,
    parts: bool = False,
    intervals: Comparison | None = None,
) -> Report:
    """The scores of a level, of whole corpora with ``intervals`` if given; ``parts``: with precision, recall and the
    like."""

    def content() -> Mapping[str, Any]:
        documents = [document(name, result, level) for name, row in results.items() for result in row]
        if intervals is None:
            return {**inputs, "results": documents}
        bounds = intervals_by_place(intervals, [result.metric for result in next(iter(results.values()))])
        places = ((name, result.metric) for name, row in results.items() for result in row)
        for found, place in zip(documents, places, strict=True):
            found["interval"] = {key: getattr(bounds[place], key) for key in ("low", "high", "deviation")}
        about = {"alpha": intervals.alpha, "signature": intervals.signature}
        return {**inputs, "results": documents, "intervals": about}

    if level == "sentence":
        return Report("geceval/score@1", content, lambda: [sentence_table(results, parts=parts)])
    return Report(
        "geceval/score@1",
        content,
        lambda: [score_table(results, level, parts=parts, intervals=intervals)],
        papers=lambda: [score_table(results, level, parts=parts, intervals=intervals, formulas=True)],
    )


def score_table(
    results: Mapping[str, Sequence[Result]],
    level: Level,
    *,
    parts: bool = False,
    formulas: bool = False,
    intervals: Comparison | None = None,
) -> ReportTable:
    """A row for each system, a column for each metric (``parts``: and for precision, recall and the like).

    ``formulas``: a head is ERRANT F₀.₅ where the score has a beta. ``intervals``: beside each score.
    """
    metrics = [result.metric for result in next(iter(results.values()))]
    bounds = {} if intervals is None else intervals_by_place(intervals, metrics)
    columns: FilledColumns = [(TableColumn("system"), list(results))]
    called = labels(metrics)
    heads = [head.formula for head in heads_of(metrics, called)] if formulas else called
    for at, (metric, label, head) in enumerate(zip(metrics, called, heads, strict=True)):
        scores = [row[at].score(level) for row in results.values()]
        for part in scores[0].parts if parts else ():
            shares = [score.parts[part] for score in scores]
            is_whole = part in metric.plain_parts and all(share.is_integer() for share in shares)
            column = TableColumn(f"{label} {part}", "score", metric.part_in_percent(part), 0 if is_whole else None)
            columns.append((column, shares))
        values, better = [score.value for score in scores], metric.higher_is_better
        cells = best_cells(values, higher_is_better=better, apart=SOURCE in results)
        columns.append((TableColumn(head, "score", metric.in_percent), cells))
        if intervals is not None:
            of = f"{label if len(metrics) > 1 else ''} {confidence(intervals.alpha)} interval".strip()
            pairs = [(bounds[name, metric].low, bounds[name, metric].high) for name in results]
            columns.append((TableColumn(of, "interval", metric.in_percent, beside=True), pairs))
    return column_table(columns, notes(results, level) + ([] if intervals is None else [intervals.signature]))


def confidence(alpha: float) -> str:
    """The coverage of an interval: 95 %."""
    return f"{100 * (1 - alpha):g} %"


def intervals_by_place(intervals: Comparison, metrics: Sequence[AnyMetric]) -> dict[tuple[str, AnyMetric], SystemScore]:
    """The intervals by system and metric; those of a metric given twice are there once."""
    distinct = list(dict.fromkeys(metrics))
    called = dict(zip(names(distinct), distinct, strict=True))
    return {(score.system, called[score.metric]): score for score in intervals.systems}


def notes(results: Mapping[str, Sequence[Result]], level: Level) -> list[str]:
    """The notes under a table of scores: what the row of the source is, and the signatures."""
    return [*([SOURCE_NOTE] if SOURCE in results else []), *signatures(results, level)]


def signatures(results: Mapping[str, Sequence[Result]], level: Level) -> list[str]:
    """The distinct signatures of a table, metric by metric: those of systems differ where some are M2."""
    columns = zip(*results.values(), strict=True)
    return list(dict.fromkeys(result.signature(level) for column in columns for result in column))


def sentence_table(results: Mapping[str, Sequence[Result]], *, parts: bool = False) -> ReportTable:
    """A row for each line (counted from 1), a column for each system and metric (``parts``: and for precision, recall
    and the like)."""
    several = len(next(iter(results.values()))) > 1
    columns: FilledColumns = []
    for name, row in results.items():
        for label, result in zip(labels([result.metric for result in row]), row, strict=True):
            head = f"{name} {label}" if several else name
            for part, scores in result.sentence_parts().items() if parts else ():
                column = TableColumn(f"{head} {part}", "score", result.metric.part_in_percent(part))
                columns.append((column, scores.tolist()))
            score_column = TableColumn(head, "score", result.metric.in_percent)
            columns.append((score_column, result.sentence_scores().tolist()))
    lines = range(1, len(columns[0][1]) + 1)
    return column_table([(TableColumn("line", "count"), lines), *columns], notes(results, "sentence"))


# --- JSON ---


def document(name: str, result: Result, level: Level) -> dict[str, Any]:
    """The score of one system under one metric, as JSON has it."""
    guard = {"guard": True} if name == SOURCE else {}
    score = {"system": name, **guard, "settings": settings(result.metric), **result.score(level).to_dict()}
    if level != "sentence":
        return score
    counts = dict(zip(result.metric.columns, result.sentence_counts().T.tolist(), strict=True))
    parts = {part: values.tolist() for part, values in result.sentence_parts().items()}
    scores = result.sentence_scores().tolist()
    return score | {"sentence_scores": scores, "sentence_parts": parts, "sentence_counts": counts}


def settings(metric: AnyMetric) -> dict[str, Any]:
    """A metric's settings as JSON has them; an object, such as an annotator, goes by its name."""
    plain = (str, int, float, bool, type(None))
    return {
        key: value if isinstance(value, plain) else getattr(value, "name", str(value))
        for key, value in metric.settings.items()
    }


# --- order of the systems ---


def sorted_results(results: Mapping[str, list[R]], sort: str, level: Level) -> dict[str, list[R]]:
    """The results in another order of systems: GIVEN, BY_NAME, or a metric's label, the best first; the unchanged
    source stays last.

    Raises UsageError for an order that does not exist.
    """
    apart = {name: row for name, row in results.items() if name == SOURCE}
    results = {name: row for name, row in results.items() if name != SOURCE}
    if sort in (GIVEN, BY_NAME):
        return dict(results if sort == GIVEN else sorted(results.items())) | apart
    heads = labels([result.metric for result in next(iter(results.values()))])
    at = heads.index(metric_named(sort, heads))
    scores = {name: row[at].score(level).value for name, row in results.items()}
    best_first = next(iter(results.values()))[at].metric.higher_is_better
    return {name: results[name] for name in sorted(results, key=scores.__getitem__, reverse=best_first)} | apart


def metric_named(sort: str, metrics: Sequence[str]) -> str:
    """The metric that ``--sort`` names, in any case. Raises UsageError if none or several fit."""
    found = metric_called(sort, metrics)
    if found is None:
        raise UsageError(f"cannot sort by {sort!r}: choose from {', '.join([GIVEN, BY_NAME, *metrics])}")
    return found


def metric_called(name: str, metrics: Sequence[str]) -> str | None:
    """The metric that a name means, in any case, with or without its settings; None if none or several fit."""
    asked = re.sub(r"[:,]", " ", name).casefold()
    whole = [name for name in metrics if asked == name.casefold()]
    found = whole or [name for name in metrics if asked == name.split()[0].casefold()]
    return found[0] if len(found) == 1 else None
