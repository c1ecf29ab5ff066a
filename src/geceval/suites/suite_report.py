"""Reports of suites: systems × test sets, agreement, and published numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from geceval.agreement.meta_report import results_document, system_table
from geceval.comparison.comparison_report import comparison_document
from geceval.comparison.comparison_results import (
    PLACE_COLUMNS,
    between_runs,
    ceilings_of,
    marked_systems,
    mixed_note,
    place_cells,
    score_cells,
    shown_ranks,
)
from geceval.counting.counts import number_of
from geceval.scoring.score_report import LETTERS
from geceval.suites.published_numbers import Verdict, digits_of
from geceval.suites.suite_definition import OBJECTIVES, DataSet, Suite
from geceval.suites.suite_run import JudgedResults, SetResults, SuiteResults
from geceval.tables.report import Report
from geceval.tables.table import (
    SOURCE_NOTE,
    FilledColumns,
    ReportTable,
    TableCell,
    TableColumn,
    TableRow,
    Value,
    column_table,
    confidence,
    has_marks,
    plain_table,
    round_half_up,
    table_columns,
)
from geceval.text.files import SOURCE

SCHEMA = "geceval/suite@1"
#: Text of a cell if a system has no output.
NOTHING = "—"
#: Mark of a system that is not shown to differ from the best.
MARK = "†"
#: Line that explains the column of ranks.
RANKS = "ranks: places that paired tests leave open; 1 is the best"
#: Number of systems in a window of the agreement, in JSON.
WINDOW = 4


def suite_report(
    results: SuiteResults, inputs: Mapping[str, Any], *, whole: bool = False, parts: bool = False
) -> Report:
    """Return scores on test sets, and the agreement of metrics on judged sets.

    Args:
        results: Results of the suite.
        inputs: Further values of the JSON document.
        whole: Show all metrics, not only the primary ones and metrics with a declared objective.
        parts: Add precision and recall.
    """
    judged = [_agreement(own) for own in results.judged]

    def tables(*, paper: bool = False) -> list[ReportTable]:
        return [*([suite_table(results, whole=whole, parts=parts, paper=paper)] if results.sets else []), *judged]

    return Report(
        SCHEMA,
        lambda: {**inputs, **suite_document(results, parts=parts)},
        tables,
        records=lambda: [*([suite_records(results, parts=parts)] if results.sets else []), *judged],
        papers=lambda: tables(paper=True),
    )


# --- systems × test sets ---


def suite_table(results: SuiteResults, *, whole: bool = False, parts: bool = False, paper: bool = False) -> ReportTable:
    """Return a row for each system and columns for each test set.

    ``whole`` and ``parts``: see ``suite_report``. ``paper``: mark systems that are not shown to differ from the best,
    instead of intervals and ranks.
    """
    systems = shown_systems(results)
    shown = [(own, metric) for own in results.sets for metric in _shown_metrics(own, whole=whole)]
    titles = [(own.of.title or own.of.name, own.metrics[metric]) for own, metric in shown]
    # Titles name the sets of a paper's table if they distinguish all its columns.
    by_title = paper and len(set(titles)) == len(titles)
    names = {own.of.name: own.of.title if by_title and own.of.title else own.of.name for own in results.sets}
    columns: FilledColumns = [(TableColumn("system"), systems)]
    for own, metric in shown:
        columns += _metric_columns(own, metric, systems, names[own.of.name], parts=parts, paper=paper)
    if results.suite.average:
        means = [results.average(name) for name in systems]
        columns.append((TableColumn("average", "score", percent=True, missing=NOTHING), means))
    marked = has_marks(cell for _, cells in columns for cell in cells)
    legend = [f"{MARK} not shown to differ from the best (bold)"] if marked else []
    legend += [RANKS] if any(column.head == "ranks" for column, _ in columns) else []
    above = list[str]()
    for own in results.sets:
        if own.comparison is not None:
            metrics, name = _shown_metrics(own, whole=whole), names[own.of.name]
            above += [f"{name}: {line}" for line in mixed_note(own.comparison, metrics)]
            legend += [f"{name}: {line}" for line in ceilings_of(own.comparison, metrics)]
    for objective, (head, reward) in OBJECTIVES.items():
        declared = dict.fromkeys(own.metrics[name] for own, name in shown if own.objectives.get(name) == objective)
        legend += [f"{head} ({', '.join(declared)}): rewards {reward}"] if declared else []
    title = "" if paper else results.suite.title
    return column_table(columns, suite_notes(results, systems, whole=whole), title, legend, above=above)


def _shown_metrics(own: SetResults, *, whole: bool) -> list[str]:
    """Return the metrics of a test set in the table."""
    return [metric for metric in own.metrics if whole or metric == own.primary or metric in own.objectives]


def _metric_columns(
    own: SetResults, metric: str, systems: Sequence[str], title: str, *, parts: bool, paper: bool
) -> FilledColumns:
    """Return the columns of a test set under a metric."""
    comparison, head = own.comparison, f"{own.of.name} {own.metrics[metric]}"
    found = [own.score(name, metric) for name in systems]
    values = [None if score is None else score.value for score in found]
    if comparison is None:
        return [(TableColumn(head, "figure", missing=NOTHING, rows=(title, "", own.metrics[metric])), values)]
    percent, decides = comparison.in_percent(metric), metric == own.primary and bool(comparison.pairs)
    label, figure = comparison.heads[metric].rows
    numbers: list[tuple[str, Sequence[Value | TableCell]]] = []
    shares = own.parts[metric]
    if parts and all(LETTERS.keys() <= of.keys() for of in shares.values()):
        for part, letter in LETTERS.items():
            numbers.append((letter, [number_of(shares[name][part]) if name in shares else None for name in systems]))
    # The best score is bold where its differences were tested.
    cells = score_cells(comparison, metric, systems, values) if decides else [*map(TableCell, values)]
    if paper:
        equal = marked_systems(comparison, metric) if decides else []
        cells = [replace(cell, mark=MARK if name in equal else "") for name, cell in zip(systems, cells, strict=True)]
    numbers.append((figure, cells))
    columns: FilledColumns = []
    for row, own_cells in numbers:
        named = row if columns else f"{head} {row}" if len(numbers) > 1 else head
        rows, beside = (title, label, row), bool(columns)
        column = TableColumn(named, "figure", percent, missing=NOTHING, beside=beside, rows=rows)
        columns.append((replace(column, undefined=row != figure), own_cells))
    if paper:
        return columns
    bounds = [None if score is None else (score.low, score.high) for score in found]
    columns.append((TableColumn(f"{confidence(comparison.alpha)} interval", "interval", percent, beside=True), bounds))
    columns += between_runs(found, percent=percent)
    if decides:
        ranks = [None if score is None or not score.cluster else shown_ranks(score) for score in found]
        columns.append((TableColumn("ranks", "count", beside=True), ranks))
    return columns


def shown_systems(results: SuiteResults) -> list[str]:
    """Return the systems of the table, and the source if a metric requires it."""
    guard = any(own.score(SOURCE, metric) is not None for own in results.sets for metric in own.metrics)
    return [*results.systems, *([SOURCE] if guard else [])]


def suite_notes(results: SuiteResults, systems: Sequence[str], *, whole: bool) -> list[str]:
    """Return the notes below the table: signatures and the definition of the average."""
    found = [SOURCE_NOTE] if SOURCE in systems else []
    for own in results.sets:
        if own.comparison is not None:
            signed = own.comparison.signatures
            found += [f"{own.of.name}: {signed[metric]}" for metric in _shown_metrics(own, whole=whole)]
    found += list(dict.fromkeys(own.comparison.signature for own in results.sets if own.comparison is not None))
    if results.suite.average:
        scores = ", ".join(f"{own.of.name} {own.metrics[own.primary]}" for own in results.sets)
        found.append(f"average: mean of {scores}, for systems with an output for each set")
    return found


def suite_records(results: SuiteResults, *, parts: bool) -> ReportTable:
    """Return a row for each test set, metric and system.

    ``parts`` adds precision and recall.
    """
    named = [*LETTERS] if parts else []
    columns = [*table_columns("text", "set", "metric", "system"), *PLACE_COLUMNS, *table_columns("score", *named)]
    rows: list[TableRow] = []
    for own in results.sets:
        for metric in own.metrics:
            for name in shown_systems(results):
                score, cells = own.score(name, metric), list[Value | TableCell]([None] * len(PLACE_COLUMNS))
                if score is not None and own.comparison is not None:
                    cells = place_cells(score, own.comparison.in_percent(metric))
                    if not (score.cluster and metric == own.primary):
                        cells = [*cells[:4], None, None, None]
                shares = own.parts.get(metric, {}).get(name, {})
                percent = own.comparison is not None and own.comparison.in_percent(metric)
                own_shares = [TableCell(shares.get(part), percent=percent) for part in named]
                rows.append([own.of.name, metric, name, *cells, *own_shares])
    return ReportTable(columns, rows)


def _agreement(own: JudgedResults) -> ReportTable:
    """Return the agreement on a judged set, with one decimal more than scores."""
    table = system_table(own.results)
    columns = [replace(column, finer=1) for column in table.columns]
    return replace(table, columns=columns, title=f"{own.of.title or own.of.name}: agreement with people")


def suite_document(results: SuiteResults, *, parts: bool) -> dict[str, Any]:
    """Return all results of a suite as JSON values."""
    sets = [
        {"set": own.of.name}
        | {name: getattr(own, name) for name in ("primary", "metrics", "files", "missing")}
        | {"comparison": None if own.comparison is None else comparison_document(own.comparison)}
        | ({"parts": own.parts} if parts else {})
        for own in results.sets
    ]
    judged = [
        {"set": own.of.name, "files": own.files, **results_document(own.results, WINDOW)} for own in results.judged
    ]
    averages = {name: results.average(name) for name in results.systems} if results.suite.average else None
    return {
        "suite": results.suite.path,
        "title": results.suite.title,
        "systems": results.systems,
        "sets": sets,
        "judged": judged,
        "averages": averages,
    }


def bundled_report(suites: Mapping[str, Suite]) -> Report:
    """Return the suites that geceval contains."""
    heads = ("suite", "title", "test sets", "judged sets")
    columns = [*table_columns("text", *heads), TableColumn("published numbers", "count")]
    rows: list[TableRow] = [
        [name, own.title, ", ".join(own.sets), ", ".join(own.judged), sum(len(one.scores) for one in own.published)]
        for name, own in suites.items()
    ]
    documents = [{"suite": name, "title": own.title, "about": own.about.strip()} for name, own in suites.items()]
    return Report("geceval/suites@1", lambda: {"suites": documents}, lambda: [ReportTable(columns, rows)])


# --- published numbers ---


def verification_report(suite: Suite, verdicts: Sequence[Verdict], inputs: Mapping[str, Any]) -> Report:
    """Return a comparison of published numbers with computed ones, and a conclusion."""
    table = _verdict_table(suite, verdicts)
    below = "".join(f"{line}\n" for line in conclusion(suite, verdicts))
    rows = [
        {
            "set": one.published.of,
            "metric": one.metric,
            "system": one.what,
            "published": one.value,
            "here": one.ours,
            "outcome": one.outcome,
            "by": one.published.by,
            "recorded": one.published.recorded,
            "why": one.published.reason(one.what),
            "signature": one.signature,
            "missing": one.missing,
        }
        for one in verdicts
    ]
    return Report(
        SCHEMA,
        lambda: {**inputs, "suite": suite.path, "title": suite.title, "published": rows},
        lambda: [table, below],
        records=lambda: [table],
        papers=lambda: [table],
    )


def _verdict_table(suite: Suite, verdicts: Sequence[Verdict]) -> ReportTable:
    rows: list[TableRow] = [
        [
            one.published.of,
            f"{one.metric}{' (mean)' if one.published.level == 'mean' else ''}",
            one.what,
            one.value,
            NOTHING if one.ours is None else round_half_up(one.ours, digits_of(one.value)),
            OUTCOMES[one.outcome],
        ]
        for one in verdicts
    ]
    how = {True: "recorded", False: "published"}
    numbers = [(one.published, one.metric) for one in verdicts]
    sources = [f"{number.of} {metric}: {how[number.recorded]} by {number.by}" for number, metric in numbers]
    heads = ["set", "metric", "system", "published", "here", "outcome"]
    return plain_table(heads, rows, list(dict.fromkeys(sources)), [3, 4], title=suite.title)


OUTCOMES = {
    "equal": "as published",
    "explained": "known to differ",
    "different": "DIFFERENT",
    "missing": "not checked",
}


def conclusion(suite: Suite, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield the outcome of a verification as sentences."""
    reasons: dict[str, list[str]] = {}
    for one in verdicts:
        reason = one.published.reason(one.what)
        if one.outcome == "explained" and reason is not None:
            reasons.setdefault(reason, []).append(f"{one.published.of} {one.metric} {one.what}")
    for reason, places in reasons.items():
        yield f"known to differ: {', '.join(places)}: {reason}"
    for one in verdicts:
        if one.outcome == "equal" and not one.published.recorded:
            of = suite.measured(one.published.of)
            what = one.what if isinstance(of, DataSet) else f"{one.metric} {one.what}"
            yield f"your {of.title or of.name} files give {what} {one.value} as published"
            break
    number = {outcome: sum(one.outcome == outcome for one in verdicts) for outcome in OUTCOMES}
    yield ", ".join(f"{count} {OUTCOMES[outcome]}" for outcome, count in number.items() if count)
