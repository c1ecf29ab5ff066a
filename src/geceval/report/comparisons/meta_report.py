"""The results of a meta-evaluation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from geceval.base.errors import UsageError
from geceval.counting.metric_names import labels
from geceval.report.report import Report
from geceval.report.table import ReportTable, TableColumn, TableRow, Value, table_columns
from geceval.statistics.correlation import CORRELATIONS
from geceval.statistics.intervals import Interval
from geceval.studies.meta.people import MEASURES
from geceval.studies.meta.sentence_agreement import PreferenceCounts, accuracies, accuracy
from geceval.studies.meta.study import MetricResult, PeopleRanking, StudyResults, measure_of

SCHEMA = "geceval/meta@1"

#: Correlation -> its head in the table; JSON has Kendall's tau too.
SYMBOLS = {"pearson": "r", "spearman": "ρ"}


def meta_report(results: StudyResults, level: str, window: int, inputs: Mapping[str, Any]) -> Report:
    """The agreement of metrics with people at a level, one of TABLES or "window"; JSON holds all levels."""
    return Report(
        SCHEMA,
        lambda: {**inputs, **results_document(results, window)},
        lambda: [window_table(results, window) if level == "window" else TABLES[level](results)],
    )


def human_ranking_report(ranking: PeopleRanking, inputs: Mapping[str, Any]) -> Report:
    """A row for each system that people judged: score, deviation and rank range over replicates, cluster."""

    def document() -> dict[str, Any]:
        rows = [vars(row) | {"score": ranking.scores[row.system]} for row in ranking.placings]
        people = {"measure": ranking.measure, "replicates": ranking.replicates, "seed": ranking.seed, "systems": rows}
        return {**inputs, "people": people}

    measured = table_columns("score", MEASURES[ranking.measure].label, "deviation")
    columns = [TableColumn("system"), *measured, *table_columns("count", "ranks", "cluster")]
    rows: list[TableRow] = [
        [row.system, ranking.scores[row.system], row.deviation, f"{row.best_rank}-{row.worst_rank}", row.cluster]
        for row in ranking.placings
    ]
    note = f"{ranking.replicates} replicates, seed {ranking.seed}"
    return Report(SCHEMA, document, lambda: [ReportTable(columns, rows, [note])])


# --- tables ---


def system_table(results: StudyResults, *, timed: bool = True) -> ReportTable:
    """A row for each metric: its correlations with people, their intervals, and seconds a system if ``timed``."""
    columns = [TableColumn("metric")]
    for symbol in SYMBOLS.values():
        columns.append(TableColumn(symbol, "score"))
        if results.options.resamples:
            columns += table_columns("range", f"{symbol} systems", f"{symbol} sentences")
    rows: list[TableRow] = []
    for head, result in _by_metric(results):
        cells: list[Value] = [head]
        for name in SYMBOLS:
            cells.append(getattr(result.agreement, name))
            if result.intervals is not None:
                cells += [_bounds(result.intervals.systems[name]), _bounds(result.intervals.sentences[name])]
        rows.append([*cells, *([result.scores.seconds] if timed else [])])
    columns += [TableColumn("s/system", "count", digits=3)] if timed else []
    return ReportTable(columns, rows, _notes(results))


def sentence_table(results: StudyResults) -> ReportTable:
    """A row for each metric: how often it prefers the output people prefer."""
    ties = results.options.ties
    columns = [
        TableColumn("metric"),
        *table_columns("score", "accuracy"),
        *_interval_column(results),
        *table_columns("score", "tau"),
    ]
    columns += table_columns("count", "right", "wrong", "tied")
    rows: list[TableRow] = []
    for head, result in _by_metric(results):
        bounds = [] if result.intervals is None else [_bounds(result.intervals.accuracy)]
        counts = [int(count) for count in (result.verdicts.agree, result.verdicts.disagree, result.verdicts.tied)]
        rows.append([head, float(result.accuracy[ties]), *bounds, float(result.tau[ties]), *counts])
    note = f"metric ties: {ties}; accuracy over pairs of outputs that people did not tie"
    return ReportTable(columns, rows, [note, *_sentence_notes(results)])


def ranks_table(results: StudyResults) -> ReportTable:
    """A row for each two ranks people gave, a column for each metric: its accuracy on such pairs of outputs."""
    ties = results.options.ties
    columns = table_columns("count", "better", "worse", "pairs") + table_columns("score", *heads_of(results))
    rows: list[TableRow] = []
    for ranks in sorted({ranks for result in results.metrics for ranks in result.ranks}):
        verdicts = [result.ranks[ranks] for result in results.metrics]
        shares = [float(accuracy(verdict, ties=ties)) for verdict in verdicts]
        rows.append([*map(str, ranks), int(verdicts[0].decided), *shares])
    note = f"accuracy on pairs of outputs by the ranks people gave them; metric ties: {ties}"
    return ReportTable(columns, rows, [note, *_sentence_notes(results)])


def segment_table(results: StudyResults) -> ReportTable:
    """A row for each metric: its sentence scores against people's ratings, and which of two outputs it prefers."""
    columns = [
        TableColumn("metric"),
        *table_columns("score", "r"),
        *_interval_column(results),
        *table_columns("score", "ρ"),
    ]
    columns += [*_interval_column(results), *table_columns("score", "τ_b", "accuracy"), TableColumn("pairs", "count")]
    rows: list[TableRow] = []
    for head, result in _by_metric(results):
        if result.segments is None:
            raise UsageError("the level segment needs ratings, and these people ranked", hint="--level sentence")
        cells: list[Value] = [head]
        for name in CORRELATIONS:
            cells.append(getattr(result.segments.agreement, name))
            if result.segments.intervals is not None and name in result.segments.intervals:
                cells.append(_bounds(result.segments.intervals[name]))
        rows.append([*cells, result.accuracy[results.options.ties], int(result.verdicts.decided)])
    segments = results.metrics[0].segments
    notes = [
        f"r, ρ, τ_b over {0 if segments is None else segments.agreement.n} rated sentences of systems",
        f"accuracy over pairs of outputs of a sentence with unequal ratings; metric ties: {results.options.ties}",
    ]
    return ReportTable(columns, rows, [*notes, *_sentence_notes(results)])


def window_table(results: StudyResults, size: int) -> ReportTable:
    """A row for each metric and window of systems that people rank next to each other."""
    columns = [
        TableColumn("metric"),
        TableColumn("places"),
        *table_columns("score", "r", "ρ", "span"),
        TableColumn("systems"),
    ]
    rows: list[TableRow] = []
    for head, result in _by_metric(results):
        for window in results.windows(result, size):
            numbers = (window.agreement.pearson, window.agreement.spearman, window.span)
            rows.append([head, f"{window.first}-{window.last}", *numbers, " ".join(window.systems)])
    note = "span: distance of people's scores in the window; where it is tiny, r and ρ say little"
    return ReportTable(columns, rows, [note, *_notes(results)])


def left_out_table(results: StudyResults) -> ReportTable:
    """A row for each system left out, a pair of columns for each metric: an outlier shows as a jump."""
    columns = [TableColumn("without")]
    for head in heads_of(results):
        columns += table_columns("score", f"{head} r", f"{head} ρ")
    found = [[result.agreement, *result.left_out] for result in results.metrics]
    rows: list[TableRow] = [
        [name, *(number for own in found for number in (own[k].pearson, own[k].spearman))]
        for k, name in enumerate(["(nothing)", *results.study.systems])
    ]
    return ReportTable(columns, rows, _notes(results))


def score_table(results: StudyResults) -> ReportTable:
    """A row for each system, people's favourite first: people's score and every metric's."""
    columns = [TableColumn("system"), *table_columns("score", results.measure.label, *heads_of(results))]
    rows: list[TableRow] = [
        [system, float(people), *(float(result.scores.values[k]) for result in results.metrics)]
        for k, (system, people) in sorted(
            enumerate(zip(results.study.systems, results.people, strict=True)), key=lambda own: -own[1][1]
        )
    ]
    return ReportTable(columns, rows, _notes(results))


def test_table(results: StudyResults) -> ReportTable:
    """A row for each pair of metrics: is the difference of their correlations with people more than chance?"""
    heads = ["r", "other r", "Williams p", "adjusted", "mean r", "other mean r", "PERM-BOTH p", "PERM-BOTH adjusted"]
    names = heads_of(results)
    rows: list[TableRow] = []
    for test in results.tests:
        williams, perm_both = test.adjusted
        numbers = (*test.r, test.williams, williams, *test.means, test.perm_both, perm_both)
        rows.append([names[test.first], names[test.second], *numbers])
    note = "two-sided p, adjusted by Holm for the number of pairs; PERM-BOTH is about means of sentence scores"
    columns = [TableColumn("metric"), TableColumn("other"), *table_columns("score", *heads)]
    return ReportTable(columns, rows, [note, *_notes(results)])


#: Level -> the table that shows it.
TABLES: Mapping[str, Callable[[StudyResults], ReportTable]] = {
    "system": system_table,
    "sentence": sentence_table,
    "segment": segment_table,
    "ranks": ranks_table,
    "left-out": left_out_table,
    "test": test_table,
    "scores": score_table,
}


def heads_of(results: StudyResults) -> list[str]:
    """A head for each metric, telling apart metrics of the same name by their settings."""
    return labels([result.scores.metric for result in results.metrics])


def _by_metric(results: StudyResults) -> list[tuple[str, MetricResult]]:
    return list(zip(heads_of(results), results.metrics, strict=True))


def _interval_column(results: StudyResults) -> list[TableColumn]:
    return [TableColumn("95 %", "range")] if results.options.resamples else []


def _bounds(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high


def _sentence_notes(results: StudyResults) -> list[str]:
    return _notes(results, [result.scores.sentence_signature for result in results.metrics])


def _notes(results: StudyResults, signatures: Sequence[str] | None = None) -> list[str]:
    study, options = results.study, results.options
    signatures = signatures or [result.scores.signature for result in results.metrics]
    whole, judged = len(study.corpus), study.judged
    sentences = f"{whole} sentences" if judged == whole else f"{judged} of {whole} sentences"
    people = f"people: {results.measure.label}, {len(study.systems)} systems, {sentences}"
    draws = f"95 % intervals: {options.resamples} resamples of systems or of sentences, seed {options.seed}"
    return [*signatures, people, *([draws] if options.resamples else [])]


# --- JSON ---


def results_document(results: StudyResults, window: int) -> dict[str, Any]:
    """All results of a study in plain numbers and strings; windows only where they fit."""
    systems = results.study.systems
    return {
        "options": vars(results.options) | {"measure": measure_of(results.study.people, results.options)},
        "sentences": len(results.study.corpus),
        "judged": results.study.judged,
        "systems": systems,
        "people": dict(zip(systems, results.people.tolist(), strict=True)),
        "notes": results.study.notes,
        "metrics": [_metric_dict(results, result, window) for result in results.metrics],
        "tests": results.tests,
    }


def _metric_dict(results: StudyResults, result: MetricResult, window: int) -> dict[str, Any]:
    systems, scores = results.study.systems, result.scores
    return {
        "metric": scores.metric.name,
        "signature": scores.signature,
        "sentence_signature": scores.sentence_signature,
        "seconds_per_system": scores.seconds,
        "scores": dict(zip(systems, scores.values.tolist(), strict=True)),
        "agreement": vars(result.agreement),
        "intervals": None if result.intervals is None else vars(result.intervals),
        "left_out": dict(zip(systems, result.left_out, strict=True)),
        "windows": results.windows(result, window) if window <= len(systems) else [],
        "sentence_level": {
            **_counts(result.verdicts),
            "accuracy": result.accuracy,
        },
        "rank_pairs": [
            {"better": better, "worse": worse, **_counts(verdicts), "accuracy": accuracies(verdicts)}
            for (better, worse), verdicts in result.ranks.items()
        ],
        "segment_level": None if result.segments is None else vars(result.segments),
    }


def _counts(verdicts: PreferenceCounts) -> dict[str, int]:
    return {name: int(count) for name, count in vars(verdicts).items()}
