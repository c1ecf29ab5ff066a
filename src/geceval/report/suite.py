"""A suite's results: systems × test sets, agreement on judged sets, published numbers beside ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from geceval.report.comparison import comparison_dict
from geceval.report.documents import as_json
from geceval.report.meta import results_dict, system_table
from geceval.report.numbers import round_half_up, shown
from geceval.report.scores import SOURCE_NOTE, best_cells, bounds, confidence, minus, with_formula
from geceval.report.tables import Table, written
from geceval.studies.comparison.comparison_results import SystemScore
from geceval.studies.suites.published_numbers import Verdict, digits_of
from geceval.studies.suites.suite_definition import DataSet, Suite
from geceval.studies.suites.suite_run import SetResults, SuiteResults
from geceval.text.source_row import SOURCE

SCHEMA = "geceval/suite@1"
#: What stands where a system has no output.
NOTHING = "—"
#: A system that is not shown to differ from the best.
MARK = "†"
#: Systems in a window of the agreement, in JSON.
WINDOW = 4


def render(
    results: SuiteResults,
    output: str,
    digits: int,
    inputs: Mapping[str, Any],
    *,
    whole: bool = False,
    width: int | None = None,
) -> str:
    """The results in one of report.tables.FORMATS; ``whole``: all metrics, not the primary ones alone."""
    if output == "json":
        return as_json(SCHEMA, {**inputs, **suite_dict(results)})
    tables = []
    if results.sets:
        programs = output in ("csv", "tsv")
        tables.append(long_table(results, digits) if programs else table(results, digits, output, whole=whole))
    for own in results.judged:
        agreement = system_table(own.results, digits + 1)
        kept = agreement.columns(range(len(agreement.heads) - 1))  # how long it took is no result
        tables.append(_titled(kept, f"{own.of.title or own.of.name}: agreement with people"))
    return "\n".join(written(one, output, width) for one in tables)


def _titled(table: Table, title: str) -> Table:
    return Table(**{**vars(table), "title": title})


# --- systems × test sets ---


def table(results: SuiteResults, digits: int, output: str, *, whole: bool = False) -> Table:
    """A row for each system; a column for each test set (``whole``: and metric), with intervals, and with clusters
    under the primary metric; in LaTeX marks stand for these."""
    paper = output == "latex"
    systems = shown_systems(results)
    heads, beside, columns = ["system"], set(), []
    rows: list[list[str]] = [[name] for name in systems]
    values: list[list[float]] = [[] for _ in systems]
    for own in results.sets:
        for metric, label in own.metrics.items():
            if metric != own.primary and not whole:
                continue
            columns.append(len(heads))
            heads.append(_head(own, metric, label, formula=paper))
            cells, marks = _cells(own, metric, systems, digits), _marks(own, metric)
            for row, name, cell in zip(rows, systems, cells, strict=True):
                row.append(cell + (marks.get(name, "") if paper else ""))
            for row_values, name in zip(values, systems, strict=True):
                row_values.append(_signed(own, metric, own.score(name, metric)))
            if paper or own.comparison is None:
                continue
            beside.add(len(heads))
            heads.append(f"{confidence(own.comparison.alpha)} interval")
            for row, name in zip(rows, systems, strict=True):
                row.append(_bounds(own, metric, own.score(name, metric), digits))
            if metric == own.primary and own.comparison.pairs:
                beside.add(len(heads))
                heads.append("cluster")
                for row, name in zip(rows, systems, strict=True):
                    row.append(_cluster(own.score(name, metric)))
    if results.suite.average:
        columns.append(len(heads))
        heads.append("average")
        for row, row_values, name in zip(rows, values, systems, strict=True):
            mean = results.average(name)
            row.append(NOTHING if mean is None else shown(mean, digits))
            row_values.append(float("-inf") if mean is None else mean)
    own_values = [row for row, name in zip(values, systems, strict=True) if name != SOURCE]
    best = {cell for cell in best_cells(own_values, columns) if rows[cell[0]][cell[1]] != NOTHING}
    legend = (
        [f"{MARK} not shown to differ from the best"] if paper and any(own.comparison for own in results.sets) else []
    )
    right = frozenset(range(1, len(heads)))
    title = "" if paper else results.suite.title
    notes = notes_of(results, systems, whole=whole)
    return Table(heads, rows, notes, right, title, legend, frozenset(best), beside=frozenset(beside))


def shown_systems(results: SuiteResults) -> list[str]:
    """The systems that the table has, the unchanged source last where a metric needs it beside."""
    guard = any(own.score(SOURCE, metric) is not None for own in results.sets for metric in own.metrics)
    return [*results.systems, *([SOURCE] if guard else [])]


def _head(own: SetResults, metric: str, label: str, *, formula: bool) -> str:
    signature = "" if own.comparison is None else own.comparison.signatures[metric]
    return f"{own.of.name} {with_formula(label, signature) if formula else label}"


def _in_percent(own: SetResults, metric: str) -> bool:
    return own.comparison is None or metric not in own.comparison.not_in_percent


def _cells(own: SetResults, metric: str, systems: Sequence[str], digits: int) -> list[str]:
    scores = [own.score(name, metric) for name in systems]
    in_percent = _in_percent(own, metric)
    return [NOTHING if score is None else minus(shown(score.value, digits, in_percent)) for score in scores]


def _signed(own: SetResults, metric: str, score: SystemScore | None) -> float:
    """The score, higher is better; what there is not is the worst."""
    if score is None or own.comparison is None:
        return float("-inf")
    return -score.value if metric in own.comparison.lower_is_better else score.value


def _bounds(own: SetResults, metric: str, score: SystemScore | None, digits: int) -> str:
    return "" if score is None else bounds(score, digits, _in_percent(own, metric))


def _cluster(score: SystemScore | None) -> str:
    return "" if score is None or not score.cluster else str(score.cluster)


def _marks(own: SetResults, metric: str) -> dict[str, str]:
    """The systems that the tests do not show to differ from the best, under the primary metric."""
    if own.comparison is None or metric != own.primary or not own.comparison.pairs:
        return {}
    rows = [row for row in own.comparison.systems if row.metric == metric and row.system != SOURCE]
    best = max(rows, key=lambda row: _signed(own, metric, row)).system
    return {
        (pair.b if pair.a == best else pair.a): MARK
        for pair in own.comparison.pairs
        if best in (pair.a, pair.b) and not (pair.p_adjusted < own.comparison.alpha and pair.difference)
    }


def notes_of(results: SuiteResults, systems: Sequence[str], *, whole: bool) -> list[str]:
    """What stands under the table: signatures of what it has, set by set, and how the average comes about."""
    found = [SOURCE_NOTE] if SOURCE in systems else []
    for own in results.sets:
        if own.comparison is not None:
            signed = own.comparison.signatures
            found += [f"{own.of.name}: {signed[metric]}" for metric in (signed if whole else [own.primary])]
    found += list(dict.fromkeys(own.comparison.signature for own in results.sets if own.comparison is not None))
    if results.suite.average:
        scores = ", ".join(f"{own.of.name} {own.metrics[own.primary]}" for own in results.sets)
        found.append(f"average: the plain mean of {scores}; of systems with an output for every set")
    return found


def long_table(results: SuiteResults, digits: int) -> Table:
    """A row for each test set, metric and system, for programs."""
    heads = ["set", "metric", "system", "value", "low", "high", "deviation", "rank_low", "rank_high", "cluster"]
    rows = []
    for own in results.sets:
        for metric in own.metrics:
            for name in shown_systems(results):
                score = own.score(name, metric)
                figures = [""] * 4 if score is None else _figures(own, metric, score, digits)
                tested = score is not None and score.cluster and metric == own.primary
                places = [score.rank_low, score.rank_high, score.cluster] if score is not None and tested else []
                rows.append([own.of.name, metric, name, *figures, *(map(str, places) if places else [""] * 3)])
    return Table(heads, rows)


def _figures(own: SetResults, metric: str, score: SystemScore, digits: int) -> list[str]:
    figures = (score.value, score.low, score.high, score.deviation)
    return [shown(figure, digits, _in_percent(own, metric)) for figure in figures]


def suite_dict(results: SuiteResults) -> dict[str, Any]:
    """All there is to know, in raw numbers."""
    sets = [
        {
            "set": own.of.name,
            "primary": own.primary,
            "metrics": own.metrics,
            "files": own.files,
            "missing": own.missing,
            "comparison": None if own.comparison is None else comparison_dict(own.comparison),
        }
        for own in results.sets
    ]
    judged = [{"set": own.of.name, "files": own.files, **results_dict(own.results, WINDOW)} for own in results.judged]
    averages = {name: results.average(name) for name in results.systems} if results.suite.average else None
    return {
        "suite": results.suite.path,
        "title": results.suite.title,
        "systems": results.systems,
        "sets": sets,
        "judged": judged,
        "averages": averages,
    }


# --- published numbers ---


def render_verdicts(
    suite: Suite, verdicts: Sequence[Verdict], output: str, inputs: Mapping[str, Any], *, width: int | None = None
) -> str:
    """Published numbers beside ours in one of report.tables.FORMATS; text and Markdown end in words."""
    if output == "json":
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
        return as_json(SCHEMA, {**inputs, "suite": suite.path, "title": suite.title, "published": rows})
    heads = ["set", "metric", "system", "published", "here", "outcome"]
    cells = [
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
    notes = list(dict.fromkeys(_source(one) for one in verdicts))
    found = written(Table(heads, cells, notes, frozenset({3, 4}), suite.title), output, width)
    said = list(words(suite, verdicts)) if output in ("table", "markdown") else []
    return found + "".join(f"{line}\n" for line in (["", *said] if said else []))


OUTCOMES = {
    "equal": "as published",
    "explained": "known to differ",
    "different": "DIFFERENT",
    "missing": "not checked",
}


def _source(one: Verdict) -> str:
    what = "recorded" if one.published.recorded else "published"
    return f"{one.published.of} {one.metric}: {what} by {one.published.by}"


def words(suite: Suite, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """What the comparison comes to."""
    reasons: dict[str, list[str]] = {}
    for one in verdicts:
        reason = one.published.reason(one.what)
        if one.outcome == "explained" and reason is not None:
            reasons.setdefault(reason, []).append(f"{one.published.of} {one.metric} {one.what}")
    for reason, places in reasons.items():
        yield f"known to differ: {', '.join(places)}: {reason}"
    for one in verdicts:
        if one.outcome == "equal" and not one.published.recorded:
            yield f"your {_title(suite, one)} files give {_what(suite, one)} {one.value} as published"
            break
    number = {outcome: sum(one.outcome == outcome for one in verdicts) for outcome in OUTCOMES}
    yield ", ".join(f"{count} {OUTCOMES[outcome]}" for outcome, count in number.items() if count)


def _title(suite: Suite, one: Verdict) -> str:
    return suite.measured(one.published.of).title or one.published.of


def _what(suite: Suite, one: Verdict) -> str:
    return one.what if isinstance(suite.measured(one.published.of), DataSet) else f"{one.metric} {one.what}"
