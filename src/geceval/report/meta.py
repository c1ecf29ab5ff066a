"""The results of a meta-evaluation, as tables and as JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from geceval.base.errors import UsageError
from geceval.counting.metric_labels import labels
from geceval.report.documents import as_json
from geceval.report.numbers import round_half_up
from geceval.report.tables import Table, written
from geceval.statistics.correlation import CORRELATIONS
from geceval.statistics.intervals import Interval
from geceval.studies.meta.people import MEASURES
from geceval.studies.meta.sentence_agreement import PreferenceCounts, accuracies, accuracy
from geceval.studies.meta.study import MetricResult, PeopleRanking, StudyResults, measure_of

SCHEMA = "geceval/meta@1"

#: Correlation -> its head in the table; JSON has Kendall's tau too.
SYMBOLS = {"pearson": "r", "spearman": "ρ"}


def system_table(results: StudyResults, digits: int) -> Table:
    """A row for each metric: its correlations with people, their intervals, and seconds a system."""
    heads = ["metric"]
    for symbol in SYMBOLS.values():
        heads += [symbol, *([f"{symbol} systems", f"{symbol} sentences"] if results.options.resamples else [])]
    rows = []
    for head, result in zip(heads_of(results), results.metrics, strict=True):
        cells = [head]
        for name in SYMBOLS:
            cells.append(round_half_up(getattr(result.agreement, name), digits))
            if result.intervals is not None:
                cells.append(_interval(result.intervals.systems[name], digits))
                cells.append(_interval(result.intervals.sentences[name], digits))
        rows.append([*cells, f"{result.scores.seconds:.3f}"])
    heads.append("s/system")
    return Table(heads, rows, _notes(results), frozenset(range(1, len(heads))))


def sentence_table(results: StudyResults, digits: int) -> Table:
    """A row for each metric: how often it prefers the output people prefer."""
    heads = ["metric", "accuracy", *(["95 %"] if results.options.resamples else []), "tau", "right", "wrong", "tied"]
    rows = []
    for head, result in zip(heads_of(results), results.metrics, strict=True):
        ties, verdicts = results.options.ties, result.verdicts
        values = [result.accuracy[ties], result.tau[ties]]
        shown = [round_half_up(float(value), digits) for value in values]
        if result.intervals is not None:
            shown.insert(1, _interval(result.intervals.accuracy, digits))
        counts = [str(int(count)) for count in (verdicts.agree, verdicts.disagree, verdicts.tied)]
        rows.append([head, *shown, *counts])
    ties_note = f"metric ties: {results.options.ties}; accuracy over pairs of outputs that people did not tie"
    signatures = [result.scores.sentence_signature for result in results.metrics]
    return Table(heads, rows, [ties_note, *_notes(results, signatures)], frozenset(range(1, len(heads))))


def ranks_table(results: StudyResults, digits: int) -> Table:
    """A row for each two ranks people gave, a column for each metric: its accuracy on such pairs of outputs."""
    found = sorted({ranks for result in results.metrics for ranks in result.ranks})
    ties = results.options.ties
    rows = []
    for ranks in found:
        verdicts = [result.ranks[ranks] for result in results.metrics]
        shares = [round_half_up(float(accuracy(verdict, ties=ties)), digits) for verdict in verdicts]
        rows.append([*map(str, ranks), str(int(verdicts[0].decided)), *shares])
    heads = ["better", "worse", "pairs", *heads_of(results)]
    note = f"accuracy on pairs of outputs by the ranks people gave them; metric ties: {ties}"
    signatures = [result.scores.sentence_signature for result in results.metrics]
    return Table(heads, rows, [note, *_notes(results, signatures)], frozenset(range(len(heads))))


def segment_table(results: StudyResults, digits: int) -> Table:
    """A row for each metric: its sentence scores against people's ratings, and which of two outputs it prefers."""
    some = bool(results.options.resamples)
    heads = ["metric", "r", *(["95 %"] if some else []), "ρ", *(["95 %"] if some else []), "τ_b", "accuracy", "pairs"]
    rows = []
    for head, result in zip(heads_of(results), results.metrics, strict=True):
        if result.segments is None:
            raise UsageError("the level segment needs ratings, and these people ranked", hint="--level sentence")
        cells = [head]
        for name in CORRELATIONS:
            cells.append(round_half_up(getattr(result.segments.agreement, name), digits))
            if result.segments.intervals is not None and name in result.segments.intervals:
                cells.append(_interval(result.segments.intervals[name], digits))
        share = round_half_up(result.accuracy[results.options.ties], digits)
        rows.append([*cells, share, str(int(result.verdicts.decided))])
    cells_note = f"r, ρ, τ_b over {_rated_cells(results)} rated sentences of systems"
    ties = results.options.ties
    ties_note = f"accuracy over pairs of outputs of a sentence with unequal ratings; metric ties: {ties}"
    signatures = [result.scores.sentence_signature for result in results.metrics]
    return Table(heads, rows, [cells_note, ties_note, *_notes(results, signatures)], frozenset(range(1, len(heads))))


def _rated_cells(results: StudyResults) -> int:
    segments = results.metrics[0].segments
    return 0 if segments is None else segments.agreement.n


def window_table(results: StudyResults, digits: int, size: int) -> Table:
    """A row for each metric and window of systems that people rank next to each other."""
    heads = ["metric", "places", "r", "ρ", "span", "systems"]
    rows = []
    for head, result in zip(heads_of(results), results.metrics, strict=True):
        for window in results.windows(result, size):
            numbers = (window.agreement.pearson, window.agreement.spearman, window.span)
            shown = [round_half_up(number, digits) for number in numbers]
            rows.append([head, f"{window.first}-{window.last}", *shown, " ".join(window.systems)])
    note = "span: distance of people's scores in the window; where it is tiny, r and ρ say little"
    return Table(heads, rows, [note, *_notes(results)], frozenset(range(2, 5)))


def left_out_table(results: StudyResults, digits: int) -> Table:
    """A row for each system left out, a pair of columns for each metric: an outlier shows as a jump."""
    heads = ["without"]
    columns = []
    for head, result in zip(heads_of(results), results.metrics, strict=True):
        heads += [f"{head} r", f"{head} ρ"]
        columns.append([result.agreement, *result.left_out])
    rows = []
    for k, name in enumerate(["(nothing)", *results.study.systems]):
        numbers = [number for column in columns for number in (column[k].pearson, column[k].spearman)]
        rows.append([name, *(round_half_up(number, digits) for number in numbers)])
    return Table(heads, rows, _notes(results), frozenset(range(1, len(heads))))


def score_table(results: StudyResults, digits: int) -> Table:
    """A row for each system, people's favourite first: people's score and every metric's."""
    heads = ["system", results.measure.label, *heads_of(results)]
    rows = []
    for k in sorted(range(len(results.study.systems)), key=lambda k: -results.people[k]):
        numbers = [results.people[k], *(result.scores.values[k] for result in results.metrics)]
        rows.append([results.study.systems[k], *(round_half_up(float(number), digits) for number in numbers)])
    return Table(heads, rows, _notes(results), frozenset(range(1, len(heads))))


def test_table(results: StudyResults, digits: int) -> Table:
    """A row for each pair of metrics: is the difference of their correlations with people more than chance?"""
    heads = ["metric", "other", "r", "other r", "Williams p", "adjusted", "mean r", "other mean r"]
    heads += ["PERM-BOTH p", "PERM-BOTH adjusted"]
    names = heads_of(results)
    rows = []
    for test in results.tests:
        williams, perm_both = test.adjusted
        numbers = (*test.r, test.williams, williams, *test.means, test.perm_both, perm_both)
        rows.append([names[test.first], names[test.second], *(round_half_up(number, digits) for number in numbers)])
    note = "two-sided p, adjusted by Holm for the number of pairs; PERM-BOTH is about means of sentence scores"
    return Table(heads, rows, [note, *_notes(results)], frozenset(range(2, len(heads))))


def human_table(ranking: PeopleRanking, digits: int) -> Table:
    """A row for each system people judged: score, deviation and rank range over replicates, cluster."""
    heads = ["system", MEASURES[ranking.measure].label, "deviation", "ranks", "cluster"]
    rows = [
        [
            row.system,
            round_half_up(ranking.scores[row.system], digits),
            round_half_up(row.deviation, digits),
            f"{row.best_rank}-{row.worst_rank}",
            str(row.cluster),
        ]
        for row in ranking.placings
    ]
    return Table(heads, rows, [f"{ranking.replicates} replicates, seed {ranking.seed}"], frozenset({1, 2, 3, 4}))


#: Level -> the table that shows it, from results and digits.
TABLES: Mapping[str, Callable[[StudyResults, int], Table]] = {
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


def _interval(interval: Interval, digits: int) -> str:
    if math.isnan(interval.low):
        return "nan"
    return f"{round_half_up(interval.low, digits)} to {round_half_up(interval.high, digits)}"


def _notes(results: StudyResults, signatures: Sequence[str] | None = None) -> list[str]:
    study, options = results.study, results.options
    signatures = signatures or [result.scores.signature for result in results.metrics]
    whole, judged = len(study.corpus), study.judged
    sentences = f"{whole} sentences" if judged == whole else f"{judged} of {whole} sentences"
    people = f"people: {results.measure.label}, {len(study.systems)} systems, {sentences}"
    draws = f"95 % intervals: {options.resamples} resamples of systems or of sentences, seed {options.seed}"
    return [*signatures, people, *([draws] if options.resamples else [])]


def render(
    results: StudyResults,
    level: str,
    output: str,
    digits: int,
    window: int,
    inputs: Mapping[str, Any],
    *,
    width: int | None = None,
) -> str:
    """The results in one of report.tables.FORMATS; JSON holds all levels."""
    if output == "json":
        return _json({**inputs, **results_dict(results, window)})
    table = window_table(results, digits, window) if level == "window" else TABLES[level](results, digits)
    return written(table, output, width)


def render_ranking(
    ranking: PeopleRanking, output: str, digits: int, inputs: Mapping[str, Any], *, width: int | None = None
) -> str:
    """The human ranking in one of report.tables.FORMATS."""
    if output == "json":
        rows = [vars(row) | {"score": ranking.scores[row.system]} for row in ranking.placings]
        people = {"measure": ranking.measure, "replicates": ranking.replicates, "seed": ranking.seed, "systems": rows}
        return _json({**inputs, "people": people})
    return written(human_table(ranking, digits), output, width)


def _json(content: Mapping[str, Any]) -> str:
    return as_json(SCHEMA, content)


def results_dict(results: StudyResults, window: int) -> dict[str, Any]:
    """All there is to know about a study's results, in plain numbers and strings; windows only where they fit."""
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
