"""The scores of systems under metrics, as a table and as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from geceval.base.errors import UsageError
from geceval.counting.counts import Level
from geceval.counting.evaluation import Result
from geceval.counting.metric_labels import labels, names
from geceval.counting.stream import AnyMetric
from geceval.report.documents import as_json
from geceval.report.numbers import shown
from geceval.report.tables import Table, f_name, written
from geceval.studies.comparison.comparison_results import Comparison, Pair, SystemScore
from geceval.text.source_row import SOURCE

SCHEMA = "geceval/score@1"

R = TypeVar("R", bound=Result)

#: What the row of the unchanged source is.
SOURCE_NOTE = f"{SOURCE}: the unchanged source, what is had without correcting; not a system"
#: Orders of the systems beside that of a metric's scores.
GIVEN, BY_NAME = "given", "name"


def score_table(
    results: Mapping[str, Sequence[Result]],
    level: Level,
    digits: int,
    *,
    parts: bool = False,
    formulas: bool = False,
    intervals: Comparison | None = None,
) -> Table:
    """A row for each system, a column for each metric (``parts``: and for precision, recall and the like).

    ``formulas``: a head says ERRANT F₀.₅ where the number is an F. ``intervals``: beside each score.
    """
    first = next(iter(results.values()))
    heads, columns, beside = ["system"], [], []
    for label, result in zip(labels([result.metric for result in first]), first, strict=True):
        heads += [f"{label} {part}" for part in (result.score(level).parts if parts else ())]
        columns.append(len(heads))
        heads.append(with_formula(label, result.signature(level)) if formulas else label)
        if intervals is not None:
            beside.append(len(heads))
            heads.append(f"{label if len(first) > 1 else ''} {confidence(intervals.alpha)} interval".strip())
    own = {} if intervals is None else _by_place(intervals, [result.metric for result in first])
    rows, values = [], []
    signs = [1 if result.metric.higher_is_better else -1 for result in first]
    for name, row in results.items():
        scores = [result.score(level) for result in row]
        cells = [name]
        for result, score in zip(row, scores, strict=True):
            own_values = [*(score.parts.values() if parts else ()), score.value]
            cells += [shown(value, digits, result.metric.in_percent) for value in own_values]
            cells += [] if intervals is None else [bounds(own[name, result.metric], digits, result.metric.in_percent)]
        rows.append(cells)
        if name != SOURCE:  # the last row
            values.append([sign * score.value for sign, score in zip(signs, scores, strict=True)])
    under = [*notes(results, level), *([] if intervals is None else [intervals.signature])]
    best = best_cells(values, columns)
    return Table(heads, rows, under, frozenset(range(1, len(heads))), best=best, beside=frozenset(beside))


def confidence(alpha: float) -> str:
    """What an interval covers: 95 %."""
    return f"{100 * (1 - alpha):g} %"


def bounds(score: SystemScore | Pair, digits: int, in_percent: bool = True) -> str:
    """The interval, times 100."""
    return f"[{minus(shown(score.low, digits, in_percent))}, {minus(shown(score.high, digits, in_percent))}]"


def minus(number: str) -> str:
    """With a true minus sign, and without one before zeros only."""
    if number.startswith("-"):
        return number[1:] if not number.strip("-0.") else f"−{number[1:]}"
    return number


def _by_place(intervals: Comparison, metrics: Sequence[AnyMetric]) -> dict[tuple[str, AnyMetric], SystemScore]:
    """The intervals by system and metric; those of a metric given twice are there once."""
    distinct = list(dict.fromkeys(metrics))
    called = dict(zip(names(distinct), distinct, strict=True))
    return {(score.system, called[score.metric]): score for score in intervals.systems}


def best_cells(values: Sequence[Sequence[float]], columns: Sequence[int]) -> frozenset[tuple[int, int]]:
    """The cells of the highest of ``values[row][k]``, which stand in the columns ``columns[k]``; none where there is
    but one row."""
    if len(values) < 2:
        return frozenset()
    tops = [max(own) for own in zip(*values, strict=True)]
    return frozenset(
        (at, column)
        for at, row in enumerate(values)
        for column, value, top in zip(columns, row, tops, strict=True)
        if value == top
    )


def figure_name(signature: str) -> str:
    """What a metric's numbers are: F₀.₅ where its signature has a beta, else score."""
    found = re.search(r"\|beta:([^|]+)", signature)
    return f_name(float(found[1])) if found else "score"


def with_formula(label: str, signature: str) -> str:
    """ERRANT F₀.₅, for the head of a column; a label without F stays as it is."""
    name = figure_name(signature)
    bare = re.sub(r" beta=\S+", "", label)
    return label if name == "score" else f"{bare} {name}"


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


def notes(results: Mapping[str, Sequence[Result]], level: Level) -> list[str]:
    """What stands under a table: the signatures, and what the row of the source is."""
    own = [SOURCE_NOTE] if SOURCE in results else []
    return [*own, *signatures(results, level)]


def signatures(results: Mapping[str, Sequence[Result]], level: Level) -> list[str]:
    """The distinct signatures of a table, metric by metric: those of systems differ where some are M2."""
    columns = zip(*results.values(), strict=True)
    return list(dict.fromkeys(result.signature(level) for column in columns for result in column))


def sentence_table(results: Mapping[str, Sequence[Result]], digits: int, *, parts: bool = False) -> Table:
    """A row for each line (counted from 1), a column for each system and metric (``parts``: and for precision, recall
    and the like)."""
    several = len(next(iter(results.values()))) > 1
    heads = ["line"]
    columns = []
    for name, row in results.items():
        for label, result in zip(labels([result.metric for result in row]), row, strict=True):
            head, in_percent = f"{name} {label}" if several else name, result.metric.in_percent
            figures = {f"{head} {part}": values for part, values in result.sentence_parts().items()} if parts else {}
            figures[head] = result.sentence_scores()
            heads += figures
            columns += [[shown(value, digits, in_percent) for value in values.tolist()] for values in figures.values()]
    rows = [[str(line), *cells] for line, cells in enumerate(zip(*columns, strict=True), 1)]
    return Table(heads, rows, notes(results, "sentence"), frozenset(range(len(heads))))


def scores_json(
    results: Mapping[str, Sequence[Result]],
    level: Level,
    inputs: Mapping[str, Any],
    intervals: Comparison | None = None,
) -> str:
    """All there is to know: raw floats, parts, totals, signatures; at level "sentence" those of the sentences, too; and
    the ``intervals`` if there are some."""
    documents = [document(name, result, level) for name, row in results.items() for result in row]
    content = {**inputs, "results": documents}
    if intervals is not None:
        own = _by_place(intervals, [result.metric for result in next(iter(results.values()))])
        for found, (name, result) in zip(
            documents, ((name, result) for name, row in results.items() for result in row), strict=True
        ):
            score = own[name, result.metric]
            found["interval"] = {key: getattr(score, key) for key in ("low", "high", "deviation")}
        content |= {"intervals": {"alpha": intervals.alpha, "signature": intervals.signature}}
    return as_json(SCHEMA, content)


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


def render(
    results: Mapping[str, Sequence[Result]],
    level: Level,
    output: str,
    digits: int,
    parts: bool,
    inputs: Mapping[str, Any],
    *,
    intervals: Comparison | None = None,
    width: int | None = None,
) -> str:
    """The scores of a level in one of report.tables.FORMATS, corpus scores with ``intervals`` if there are some;
    ``width``: see report.tables.as_text."""
    if output == "json":
        return scores_json(results, level, inputs, intervals)
    if level == "sentence":
        return written(sentence_table(results, digits, parts=parts), output, width)
    formulas = output == "latex"
    table = score_table(results, level, digits, parts=parts, formulas=formulas, intervals=intervals)
    return written(table, output, width)
