"""Reports of a meta-evaluation."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from geceval.agreement.human_ranking import PeopleRanking
from geceval.agreement.meta_plots import agreement_pictures
from geceval.agreement.metric_agreement import PreferenceCounts
from geceval.agreement.people import MEASURES
from geceval.agreement.study_results import MetricResult, StudyResults
from geceval.base.ties import order_of_best
from geceval.counting.metric_names import labels
from geceval.tables.report import Report
from geceval.tables.table import FilledColumns, ReportTable, TableColumn, TableRow, column_table, table_columns

SCHEMA = "geceval/meta@1"
#: Group of all edits in tables of edits.
ALL_EDITS = "all"

#: Note on pairs=outputs.
COUNTED_ONCE = "a verdict on two outputs counts once, not for each pair of systems with these outputs"

#: Head of each correlation in tables; JSON also has Kendall's tau.
SYMBOLS = {"pearson": "r", "spearman": "ρ"}


def meta_report(results: StudyResults, level: str, inputs: Mapping[str, Any], *, timed: bool = False) -> Report:
    """Return the agreement of metrics with people at a level.

    ``level`` is one of TABLES or "system". JSON has all levels. ``timed`` adds the seconds per system.
    """
    tables: Mapping[str, Callable[[StudyResults], ReportTable]] = {
        **TABLES,
        "system": partial(system_table, timed=timed),
    }
    return Report(
        SCHEMA,
        lambda: {**inputs, **results_document(results, timed=timed)},
        lambda: [tables[level](results)],
        pictures=lambda: agreement_pictures(results),
    )


def human_ranking_report(ranking: PeopleRanking, inputs: Mapping[str, Any]) -> Report:
    """Return the human score, deviation, ranks and cluster of each judged system."""
    systems = [vars(row) | {"score": ranking.scores[row.system]} for row in ranking.placings]
    people = {"measure": ranking.measure, "replicates": ranking.replicates, "seed": ranking.seed, "systems": systems}
    columns = [TableColumn("system"), *table_columns("score", MEASURES[ranking.measure].label, "deviation")]
    columns += table_columns("count", "ranks", "cluster")
    rows: list[TableRow] = [
        [row.system, ranking.scores[row.system], row.deviation, f"{row.best_rank}-{row.worst_rank}", row.cluster]
        for row in ranking.placings
    ]
    notes = [f"{ranking.replicates} replicates, seed {ranking.seed}"]
    notes += [COUNTED_ONCE] if ranking.pairs == "outputs" else []
    return Report(SCHEMA, lambda: {**inputs, "people": people}, lambda: [ReportTable(columns, rows, notes)])


# --- tables ---


def system_table(results: StudyResults, *, timed: bool = False) -> ReportTable:
    """Return the correlations of each metric with people, and their intervals.

    ``timed`` adds the seconds per system.
    """
    columns, ceilings = _metric_columns(results), results.ceilings
    for name, symbol in SYMBOLS.items():
        columns.append((TableColumn(symbol, "score"), [getattr(result.agreement, name) for result in results.metrics]))
        columns += _interval_column(results, f"{symbol} systems", "systems", name)
        columns += _interval_column(results, f"{symbol} sentences", "sentences", name)
    if ceilings is not None:
        columns.append((TableColumn("SPA", "score"), [result.soft_accuracy for result in results.metrics]))
    if timed:
        seconds = [result.scores.seconds for result in results.metrics]
        columns.append((TableColumn("s/system", "count", digits=3), seconds))
    if ceilings is None:
        return column_table(columns, _notes(results))
    scores = "Expected Wins" if results.study.ratings is None else "mean ratings"
    value = "undefined" if math.isnan(ceilings.reliability) else f"{ceilings.reliability:.3f}"
    reliability = f"people: ceiling of r by the reliability of {scores}, {value} (random halves)"
    pooled = [
        head
        for head, metric in zip(heads_of(results), results.metrics, strict=True)
        if metric.scores.metric.pool is not None
    ]
    notes = [f"{reliability}; {ceilings.separated} of {ceilings.pairs} pairs of systems separated"]
    if pooled and results.options.aggregation == "corpus":
        notes.append(f"SPA is undefined for {', '.join(pooled)}: the score of a system depends on all systems")
    ceiling_of_r = {} if math.isnan(ceilings.r) else {"r": ceilings.r}
    return column_table(_with_people(columns, ceiling_of_r), [*notes, *_notes(results)])


def sentence_table(results: StudyResults) -> ReportTable:
    """Return how often each metric prefers the same output as people."""
    ties, metrics, ceilings = results.options.ties, results.metrics, results.ceilings
    columns = [
        *_metric_columns(results),
        (TableColumn("accuracy", "score"), [result.accuracy[ties] for result in metrics]),
        *_interval_column(results, "95 %", "sentences", "accuracy"),
        (TableColumn("acc_eq", "score"), [result.tie_calibrated for result in metrics]),
        (TableColumn("ε", "score"), [result.epsilon for result in metrics]),
        (TableColumn("pairs", "count"), [int(result.verdicts.decided) for result in metrics]),
        (TableColumn("tied", "count"), [int(result.verdicts.tied) for result in metrics]),
    ]
    notes = [f"metric ties: {ties}; accuracy over pairs of outputs that people did not tie"]
    if results.study.ratings is not None:
        for name, symbol in (*SYMBOLS.items(), ("kendall", "τ_b")):
            columns.append((TableColumn(symbol, "score"), [getattr(result.segments, name) for result in metrics]))
            columns += _interval_column(results, f"{symbol} 95 %", "sentences", f"segment_{name}")
        notes.append("r, ρ, τ_b of sentence scores and ratings")
    two_people = None if ceilings is None else ceilings.two_people
    if two_people is not None and two_people.interval is not None:
        columns.append((TableColumn("one person", "score"), [result.one_person for result in metrics]))
        columns += _interval_column(results, "one person 95 %", "sentences", "one_person")
        bounds = two_people.interval.low, two_people.interval.high
        columns = _with_people(columns, {"one person": two_people.share, "one person 95 %": bounds})
        compared = f"{two_people.comparisons} pairs of verdicts, {two_people.sentences} sentences"
        best = f"no metric without ties can exceed {two_people.best_metric:.3f}"
        notes.append(f"one person: agreement with one of two people on outputs that both decided ({compared}); {best}")
    elif ceilings is not None:
        notes.append("agreement of two people: unknown, since no two decided about the same outputs")
    signatures = [result.scores.sentence_signature for result in results.metrics]
    return column_table(columns, [*notes, *_notes(results, signatures)])


def _with_people(columns: FilledColumns, figures: Mapping[str, Any]) -> FilledColumns:
    """Return the columns with a last row of people's figures, by head."""
    return [
        (column, [*cells, "people" if column.head == "metric" else figures.get(column.head)])
        for column, cells in columns
    ]


def score_table(results: StudyResults) -> ReportTable:
    """Return the human score and the metric scores of each system, best first.

    The correlations change strongly without a system that is an outlier.
    """
    columns: FilledColumns = [
        (TableColumn("system"), results.study.systems),
        (TableColumn(results.measure.label, "score"), results.people.tolist()),
    ]
    for head, result in zip(heads_of(results), results.metrics, strict=True):
        columns.append((TableColumn(head, "score"), result.scores.printed.tolist()))
        for name, symbol in SYMBOLS.items():
            values = [getattr(correlation, name) for correlation in result.left_out]
            columns.append((TableColumn(f"{symbol} without", "score"), values))
    order = order_of_best(results.people.tolist())
    note = "r and ρ without: correlations without this system; a large change shows an outlier"
    return column_table([(column, [cells[k] for k in order]) for column, cells in columns], [note, *_notes(results)])


def test_table(results: StudyResults) -> ReportTable:
    """Return tests of the difference between two metrics in their agreement with people."""
    names = heads_of(results)
    columns = [*table_columns("text", "metric", "other", "figure"), *table_columns("score", "of metric", "of other")]
    columns += [TableColumn("test"), *table_columns("score", "p", "adjusted")]
    rows: list[TableRow] = [
        [names[test.first], names[test.second], test.figure, *test.values, test.test, test.p, test.adjusted]
        for test in results.tests
    ]
    note = "two-sided p, adjusted by Holm for the number of pairs; SPA of means: p-values by the normal distribution"
    return ReportTable(columns, rows, [note, *_notes(results)])


#: Function that returns the table of each level.
TABLES: Mapping[str, Callable[[StudyResults], ReportTable]] = {
    "sentence": sentence_table,
    "test": test_table,
    "scores": score_table,
}


def heads_of(results: StudyResults) -> list[str]:
    """Return a head for each metric, with settings if two metrics have the same name."""
    return labels([result.scores.metric for result in results.metrics])


def _metric_columns(results: StudyResults) -> FilledColumns:
    return [(TableColumn("metric"), heads_of(results))]


def _interval_column(results: StudyResults, head: str, over: str, figure: str) -> FilledColumns:
    """Return the column of a figure's intervals over "systems" or "sentences", or no column without them."""
    intervals = [result.intervals.get(over, {}).get(figure) for result in results.metrics]
    bounds = [(interval.low, interval.high) for interval in intervals if interval is not None]
    return [(TableColumn(head, "range"), bounds)] if bounds else []


def _notes(results: StudyResults, signatures: Sequence[str] | None = None) -> list[str]:
    study, options = results.study, results.options
    signatures = signatures or [result.scores.signature for result in results.metrics]
    total, judged = len(study.corpus), study.judged
    sentences = f"{total} sentences" if judged == total else f"{judged} of {total} sentences"
    people = f"people: {results.measure.label}, {len(study.systems)} systems, {sentences}"
    draws = f"95 % intervals: {options.resamples} resamples of systems or of sentences, seed {options.seed}"
    counted = [COUNTED_ONCE] if options.pairs == "outputs" else []
    low = [
        head
        for head, result in zip(heads_of(results), results.metrics, strict=True)
        if not result.scores.metric.scale.higher_is_better
    ]
    turned = [f"lower scores are better; agreement of the negative scores: {', '.join(low)}"] if low else []
    return [*signatures, people, *counted, *turned, *([draws] if options.resamples else [])]


# --- JSON ---


def results_document(results: StudyResults, *, timed: bool = False) -> dict[str, Any]:
    """Return all results of a study as JSON values; ``timed`` adds the seconds per system."""
    systems = results.study.systems
    return {
        "options": {name: value for name, value in vars(results.options).items() if name != "threads"},
        "sentences": len(results.study.corpus),
        "judged": results.study.judged,
        "systems": systems,
        "people": dict(zip(systems, results.people.tolist(), strict=True)),
        "notes": results.study.notes,
        "metrics": [_metric_dict(results, result, timed=timed) for result in results.metrics],
        "tests": results.tests,
        "ceilings": results.ceilings and vars(results.ceilings) | {"r": results.ceilings.r},
    }


def _metric_dict(results: StudyResults, result: MetricResult, *, timed: bool) -> dict[str, Any]:
    systems, scores = results.study.systems, result.scores
    return {
        "metric": scores.metric.name,
        "signature": scores.signature,
        "sentence_signature": scores.sentence_signature,
        **({"seconds_per_system": scores.seconds} if timed else {}),
        "scores": dict(zip(systems, scores.printed.tolist(), strict=True)),
        "agreement": vars(result.agreement),
        "intervals": result.intervals,
        "left_out": dict(zip(systems, result.left_out, strict=True)),
        "soft_pairwise_accuracy": result.soft_accuracy,
        "sentence_level": {
            **_counts(result.verdicts),
            "accuracy": result.accuracy,
            "tie_calibrated": result.tie_calibrated,
            "epsilon": result.epsilon,
            "one_person": result.one_person,
        },
        "segment_level": result.segments,
    }


def _counts(verdicts: PreferenceCounts) -> dict[str, int]:
    return {name: int(count) for name, count in vars(verdicts).items()}
