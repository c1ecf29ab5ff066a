"""Reports of suites: scores of systems on test sets, agreement of metrics with people, and the bundled suites."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from geceval.agreement.meta_report import results_document, system_table
from geceval.agreement.study_results import StudyResults
from geceval.base.arguments import counted
from geceval.base.errors import UsageError
from geceval.base.ties import order_of_best
from geceval.comparison.comparison_report import comparison_document
from geceval.comparison.comparison_tables import mark_of
from geceval.counting.metric_names import labels as metric_labels
from geceval.counting.metric_names import names as metric_names
from geceval.counting.scores import number_of
from geceval.resampling.comparison_results import Comparison
from geceval.resampling.system_tables import (
    RANKING_COLUMNS,
    between_runs,
    ceiling_lines,
    marked_systems,
    mixed_forms_lines,
    ranking_cells,
    score_cells,
    shown_ranks,
)
from geceval.scoring.score_report import BY_NAME, GIVEN, LETTERS
from geceval.suites.methods import bibtex, methods_text
from geceval.suites.suite_definition import OBJECTIVES, Suite
from geceval.suites.suite_results import SetResults, SuiteResults
from geceval.tables.number_text import confidence
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
    has_marks,
    plain_table,
    table_columns,
)
from geceval.text.files import SOURCE

SCHEMA = "geceval/suite@1"
#: Cell of a system without an output.
NO_OUTPUT = "—"
#: Explanation of the column of ranks.
RANKS_LEGEND = "ranks: range of ranks consistent with the paired tests; 1 is the best"
#: Orders of the systems besides those of score.
BY_RANK, BY_AVERAGE = "rank", "average"
#: Mark of systems that have the outputs of another system.
COPY = " ="
MEAN_RANK_LEGEND = "mean rank: mean of the middles of the ranges of ranks, for systems with an output for each set"
#: Number of systems in a window of the agreement, in JSON.
WINDOW = 4


def suite_report(
    results: SuiteResults,
    inputs: Mapping[str, Any],
    *,
    whole: bool = False,
    parts: bool = False,
    intervals: bool = False,
    methods: bool = False,
    date: str = "",
) -> Report:
    """Return scores on test sets, and the agreement of metrics on judged sets.

    Args:
        results: Results of the suite.
        inputs: Further values of the JSON document.
        whole: Show all metrics, not only the primary ones and metrics with a declared objective.
        parts: Add precision and recall.
        intervals: Also show intervals in a paper's table, which has scores only otherwise.
        methods: Add sentences on the methods and BibTeX entries.
        date: Date of a board. Its columns have the titles of the sets and mean ranks, and outputs that were not scored
            are listed below. Empty: no board.
    """
    below = [f"{text}\n" for text in (methods_text(results), bibtex(results)) if text] if methods else []
    comments = ["".join(f"% {line}".rstrip() + "\n" for line in text.splitlines()) for text in below]
    judged: list[ReportTable] = []
    for judged_set in results.judged:
        table = system_table(judged_set.results)
        title = f"{judged_set.of.title or judged_set.of.name}: agreement with people"
        columns = [replace(column, finer=1) for column in table.columns]
        judged.append(replace(table, columns=columns, title=title))

    unscored = unscored_table(results)

    def tables(*, paper: bool = False) -> list[ReportTable | str]:
        columns = {"whole": whole, "parts": parts, "intervals": intervals or not paper}
        return [
            *([suite_table(results, **columns, paper=paper, date=date)] if results.sets else []),
            *([unscored] if date and unscored.rows and not paper else []),
            *judged,
            *(comments if paper else below),
        ]

    return Report(
        SCHEMA,
        lambda: (
            {**inputs, **suite_document(results, parts=parts)}
            | ({"methods": methods_text(results), "bibtex": bibtex(results)} if methods else {})
        ),
        tables,
        records=lambda: [*([suite_records(results, parts=parts)] if results.sets else []), *judged],
        papers=lambda: tables(paper=True),
    )


# --- systems × test sets ---


def suite_table(
    results: SuiteResults,
    *,
    whole: bool = False,
    parts: bool = False,
    intervals: bool = True,
    paper: bool = False,
    date: str = "",
) -> ReportTable:
    """Return a row for each system and columns for each test set.

    ``paper`` marks systems that are not shown to differ from the best, and omits ranks. With a baseline, systems that
    differ from it are marked. See ``suite_report`` for the others.
    """
    systems = shown_systems(results)
    set_metrics = [(scored, metric) for scored in results.sets for metric in _shown_metrics(scored, whole=whole)]
    titles = [(scored.of.title or scored.of.name, scored.metrics[metric]) for scored, metric in set_metrics]
    # Titles name the sets of a paper or board if they distinguish all its columns.
    by_title = (paper or date) and len(set(titles)) == len(titles)
    names = {scored.of.name: (by_title and scored.of.title) or scored.of.name for scored in results.sets}
    copies = {} if paper else copies_of(results)
    copied = {name for group in copies for name in group}
    marked_names = [TableCell(name, mark=COPY if name in copied else "") for name in systems]
    columns: FilledColumns = [(TableColumn("system"), marked_names)]
    if date and any(results.mean_rank(name) is not None for name in systems):
        ranks = [results.mean_rank(name) for name in systems]
        columns.append((TableColumn("mean rank", "score", missing=NO_OUTPUT), ranks))
    for scored, metric in set_metrics:
        columns += _metric_columns(
            scored, metric, systems, names[scored.of.name], parts=parts, intervals=intervals, paper=paper
        )
    if results.suite.average:
        means = [results.average(name) for name in systems]
        columns.append((TableColumn("average", "score", percent=True, missing=NO_OUTPUT), means))
    legend = _table_legend(results, columns)
    for group, sets in copies.items():
        legend.append(f"{COPY.strip()} same outputs: {', '.join(group)} ({', '.join(names[name] for name in sets)})")
    above = _board_lines(results, names, date) if date and not paper else []
    for scored in results.sets:
        if scored.comparison is not None:
            metrics = [scored.comparison[metric] for metric in _shown_metrics(scored, whole=whole)]
            name = names[scored.of.name]
            above += [f"{name}: {line}" for line in mixed_forms_lines(metrics)]
            legend += [f"{name}: {line}" for line in ceiling_lines(metrics)]
    for objective, (head, reward) in OBJECTIVES.items():
        having = [(scored, name) for scored, name in set_metrics if scored.objectives.get(name) == objective]
        declared = dict.fromkeys(scored.metrics[name] for scored, name in having)
        legend += [f"{head} ({', '.join(declared)}): rewards {reward}"] if declared else []
    title = "" if paper else results.suite.title
    return column_table(columns, suite_notes(results, systems, names, whole=whole), title, legend, above=above)


def _table_legend(results: SuiteResults, columns: FilledColumns) -> list[str]:
    """Return the legend of the marks and ranks of a table."""
    marked = has_marks(cell for _, cells in columns[1:] for cell in cells)
    explained = dict.fromkeys(_mark(comparison)[1] for comparison in _comparisons(results) if comparison.pairs)
    heads = {column.head for column, _ in columns}
    legend = [*explained] if marked else []
    legend += [RANKS_LEGEND] if "ranks" in heads else []
    return legend + ([MEAN_RANK_LEGEND] if "mean rank" in heads else [])


def _board_lines(results: SuiteResults, names: Mapping[str, str], date: str) -> list[str]:
    """Return the lines above the table of a board: the date, and the numbers of sentences of the sets."""
    sizes = [
        f"{names[scored.of.name]}: {counted(scored.comparison.sentences, 'sentence')}"
        for scored in results.sets
        if scored.comparison is not None
    ]
    return [date, *(["; ".join(sizes)] if sizes else [])]


def copies_of(results: SuiteResults) -> dict[tuple[str, ...], list[str]]:
    """Return the groups of systems with the same outputs, and the test sets on which they are the same."""
    copies: dict[tuple[str, ...], list[str]] = {}
    for scored in results.sets:
        for group in scored.copies:
            copies.setdefault(group, []).append(scored.of.name)
    return copies


def unscored_table(results: SuiteResults) -> ReportTable:
    """Return the outputs that were not scored, with file and cause."""
    rows: list[TableRow] = []
    for scored in results.sets:
        title, rejected = scored.of.title or scored.of.name, {row.system for row in scored.rejected}
        rows += [[row.system, title, row.location, row.cause] for row in scored.rejected]
        rows += [[name, title, "", "no output"] for name in scored.missing if name not in rejected]
    return plain_table(["system", "set", "file", "cause"], rows, title="Not scored")


def sort_heads(suite: Suite) -> dict[str, tuple[str, str]]:
    """Return the columns that order systems: name of the set and of the metric, by the head in small letters."""
    heads: dict[str, tuple[str, str]] = {}
    for data_set in suite.sets.values():
        metrics = list(dict.fromkeys(data_set.make_metrics()))
        [primary] = data_set.make_metrics([data_set.primary])
        for title in filter(None, (data_set.name, data_set.title)):
            for metric, name, label in zip(metrics, metric_names(metrics), metric_labels(metrics), strict=True):
                heads |= {f"{title} {label}".casefold(): (data_set.name, name)}
                heads |= {title.casefold(): (data_set.name, name)} if metric == primary else {}
    return heads


def check_sort(suite: Suite, sort: str) -> None:
    """Raise UsageError unless the systems of a suite can be in this order: see ``sorted_results``."""
    heads = sort_heads(suite)
    orders = [GIVEN, BY_NAME, BY_RANK, *([BY_AVERAGE] if suite.average else [])]
    if sort.casefold() not in (*orders, *heads):
        raise UsageError(f"cannot sort by {sort!r}: choose from {', '.join([*orders, *suite.sets])}")


def sorted_results(results: SuiteResults, sort: str) -> SuiteResults:
    """Return the results with the systems in another order.

    Args:
        results: Results of a suite.
        sort: GIVEN, BY_NAME, BY_RANK, BY_AVERAGE, or the head of a column, such as the name or title of a set, whose
            best system is first. Systems without a value are last; equal ones keep their order, after BY_RANK the one
            by the first set.
    """
    systems, sort = list(results.systems), sort.casefold()
    if sort == GIVEN:
        return results
    if sort == BY_NAME:
        return replace(results, systems=tuple(sorted(systems)))
    if sort in (BY_RANK, BY_AVERAGE):
        first = sorted_results(results, results.sets[0].of.name.casefold()) if sort == BY_RANK else results
        systems = list(first.systems)
        ranks = ((None if (rank := results.mean_rank(name)) is None else -rank) for name in systems)
        values = [*(ranks if sort == BY_RANK else map(results.average, systems))]
    else:
        set_name, metric = sort_heads(results.suite)[sort]
        [scored] = (scored for scored in results.sets if scored.of.name == set_name)
        sign = 1 if scored.comparison is None else scored.comparison[metric].sign
        scores = (scored.score(name, metric) for name in systems)
        values = [None if score is None else sign * score.value for score in scores]
    order = order_of_best([math.nan if value is None else value for value in values])
    return replace(results, systems=tuple(systems[index] for index in order))


def _shown_metrics(scored: SetResults, *, whole: bool) -> list[str]:
    """Return the metrics of a test set in the table."""
    return [metric for metric in scored.metrics if whole or metric == scored.primary or metric in scored.objectives]


def _metric_columns(
    scored: SetResults, metric: str, systems: Sequence[str], title: str, *, parts: bool, intervals: bool, paper: bool
) -> FilledColumns:
    """Return the columns of a metric on a test set."""
    comparison, head = scored.comparison, f"{title} {scored.metrics[metric]}"
    scores = [scored.score(name, metric) for name in systems]
    values = [None if score is None else score.value for score in scores]
    if comparison is None:
        return [(TableColumn(head, "figure", missing=NO_OUTPUT, rows=(title, "", scored.metrics[metric])), values)]
    compared, decides = comparison[metric], metric == scored.primary and bool(comparison.pairs)
    percent, (label, figure) = compared.in_percent, compared.heads.rows
    numbers: list[tuple[str, Sequence[Value | TableCell]]] = []
    shares = scored.parts[metric]
    if parts and all(LETTERS.keys() <= values_by_part.keys() for values_by_part in shares.values()):
        for part, letter in LETTERS.items():
            numbers.append((letter, [number_of(shares[name][part]) if name in shares else None for name in systems]))
    # The best score is bold where its differences were tested.
    cells = [*map(TableCell, values)]
    if decides:
        cells = score_cells(compared, systems, values, comparison.uncorrected)
    has_ranks = decides and comparison.baseline is None
    if decides and (paper or not has_ranks):
        marked, (mark, _) = marked_systems(comparison, compared), _mark(comparison)
        cells = [replace(cell, mark=mark if name in marked else "") for name, cell in zip(systems, cells, strict=True)]
    numbers.append((figure, cells))
    columns: FilledColumns = []
    for name, values_of_column in numbers:
        column = TableColumn(
            name if columns else f"{head} {name}" if len(numbers) > 1 else head,
            "figure",
            percent,
            missing=NO_OUTPUT,
            next_to_previous=bool(columns),
            rows=(title, label, name),
            undefined=name != figure,
        )
        columns.append((column, values_of_column))
    if not intervals:
        return columns
    bounds = [None if score is None else (score.low, score.high) for score in scores]
    head = f"{confidence(comparison.alpha)} interval"
    columns.append((TableColumn(head, "interval", percent, next_to_previous=True, rows=(title, label, head)), bounds))
    columns += between_runs(scores, percent=percent)
    if has_ranks and not paper:
        ranks = [None if score is None or not score.cluster else shown_ranks(score) for score in scores]
        columns.append((TableColumn("ranks", "count", next_to_previous=True), ranks))
    return columns


def _mark(comparison: Comparison) -> tuple[str, str]:
    """Return the mark of systems, and its explanation; the best system is bold."""
    if comparison.baseline is None:
        return "†", "† not shown to differ from the best (bold)"
    return mark_of(comparison)


def _comparisons(results: SuiteResults) -> list[Comparison]:
    return [scored.comparison for scored in results.sets if scored.comparison is not None]


def shown_systems(results: SuiteResults) -> list[str]:
    """Return the systems of the table, and the unchanged source if it has a score."""
    for scored in results.sets:
        if any(scored.score(SOURCE, metric) is not None for metric in scored.metrics):
            return [*results.systems, SOURCE]
    return [*results.systems]


def suite_notes(results: SuiteResults, systems: Sequence[str], names: Mapping[str, str], *, whole: bool) -> list[str]:
    """Return the notes below the table: signatures and the definition of the average.

    ``names`` are the names of the sets in the table.
    """
    notes = [SOURCE_NOTE] if SOURCE in systems else []
    for scored in results.sets:
        if scored.comparison is not None:
            signatures = scored.comparison.signatures
            notes += [
                f"{names[scored.of.name]}: {signatures[metric]}" for metric in _shown_metrics(scored, whole=whole)
            ]
    notes += list(dict.fromkeys(comparison.signature for comparison in _comparisons(results)))
    if results.suite.average:
        scores = ", ".join(f"{names[scored.of.name]} {scored.metrics[scored.primary]}" for scored in results.sets)
        notes.append(f"average: mean of {scores}, for systems with an output for each set")
    return notes


def suite_records(results: SuiteResults, *, parts: bool) -> ReportTable:
    """Return a row for each test set, metric and system.

    ``parts`` adds precision and recall.
    """
    part_names = [*LETTERS] if parts else []
    columns = [*table_columns("text", "set", "metric", "system"), *RANKING_COLUMNS]
    columns += table_columns("score", *part_names)
    rows: list[TableRow] = []
    for scored in results.sets:
        for metric in scored.metrics:
            for name in shown_systems(results):
                score, cells = scored.score(name, metric), list[Value | TableCell]([None] * len(RANKING_COLUMNS))
                if score is not None and scored.comparison is not None:
                    cells = ranking_cells(score, scored.comparison[metric].in_percent)
                    if not (score.cluster and metric == scored.primary) or scored.comparison.baseline is not None:
                        cells = [*cells[:4], None, None, None]
                shares = scored.parts.get(metric, {}).get(name, {})
                percent = scored.comparison is not None and scored.comparison[metric].in_percent
                part_cells = [TableCell(shares.get(part), percent=percent) for part in part_names]
                rows.append([scored.of.name, metric, name, *cells, *part_cells])
    return ReportTable(columns, rows)


def suite_document(results: SuiteResults, *, parts: bool) -> dict[str, Any]:
    """Return all results of a suite as JSON values."""
    sets = [
        {"set": scored.of.name}
        | {name: getattr(scored, name) for name in ("primary", "metrics", "files", "missing")}
        | {"rejected": [{"system": row.system, "reason": row.reason} for row in scored.rejected]}
        | {"copies": scored.copies}
        | {"comparison": None if scored.comparison is None else comparison_document(scored.comparison)}
        | ({"parts": scored.parts} if parts else {})
        for scored in results.sets
    ]
    judged = [
        {"set": judged_set.of.name, "files": judged_set.files, **_judged_document(judged_set.results)}
        for judged_set in results.judged
    ]
    mean_ranks = {name: results.mean_rank(name) for name in results.systems}
    averages = {name: results.average(name) for name in results.systems} if results.suite.average else None
    return {
        "suite": results.suite.path,
        "title": results.suite.title,
        "systems": results.systems,
        "sets": sets,
        "judged": judged,
        "averages": averages,
        "mean_ranks": mean_ranks,
    }


def board_document(results: SuiteResults) -> dict[str, Any]:
    """Return the results of a suite that a public page contains: no paths of the definition and no texts."""
    document = suite_document(results, parts=False)
    sets = [
        {key: value for key, value in of_set.items() if key not in ("files", "rejected")} for of_set in document["sets"]
    ]
    return {key: value for key, value in document.items() if key not in ("suite", "judged")} | {"sets": sets}


def _judged_document(results: StudyResults) -> dict[str, Any]:
    """Return the agreement on a judged set as JSON values.

    Each metric has its agreement in windows of systems, unless the windows are larger than the set.
    """
    document = results_document(results)
    fits = len(results.study.systems) >= WINDOW
    for of_metric, result in zip(document["metrics"], results.metrics, strict=True):
        of_metric["windows"] = results.windows(result, WINDOW) if fits else []
    return document


def bundled_report(suites: Mapping[str, Suite]) -> Report:
    """Return the list of the bundled suites."""
    heads = ("suite", "title", "test sets", "judged sets")
    columns = [*table_columns("text", *heads), TableColumn("published numbers", "count")]
    rows: list[TableRow] = [
        [name, suite.title, ", ".join(suite.sets), ", ".join(suite.judged), sum(len(p.scores) for p in suite.published)]
        for name, suite in suites.items()
    ]
    documents = [{"suite": name, "title": suite.title, "about": suite.about.strip()} for name, suite in suites.items()]
    return Report("geceval/suites@1", lambda: {"suites": documents}, lambda: [ReportTable(columns, rows)])
