"""The scores of systems under metrics, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from geceval.counting.counts import Level
from geceval.counting.evaluation import Result
from geceval.counting.stream import AnyMetric
from geceval.report.documents import as_json
from geceval.report.numbers import shown
from geceval.report.tables import TABLE_FORMATS, Table
from geceval.text.guard import SOURCE

SCHEMA = "geceval/score@1"


def labels(metrics: Sequence[AnyMetric]) -> list[str]:
    """A head for each metric: its label, with the settings that tell it from others of the same label."""
    heads = []
    for metric in metrics:
        rivals = [other for other in metrics if other.label == metric.label and other is not metric]
        own = [
            f"{key}={value:g}" if isinstance(value, float) else f"{key}={value}"
            for key, value in metric.settings.items()
            if any(other.settings.get(key) != value for other in rivals)
        ]
        heads.append(" ".join([metric.label, *own]))
    return heads


def score_table(results: Mapping[str, Sequence[Result]], level: Level, digits: int, *, parts: bool = False) -> Table:
    """A row for each system, a column for each metric (``parts``: and for precision, recall and the like)."""
    first = next(iter(results.values()))
    heads = ["system"]
    for label, result in zip(labels([result.metric for result in first]), first, strict=True):
        heads += [*(f"{label} {part}" for part in (result.score(level).parts if parts else ())), label]
    rows = []
    for name, row in results.items():
        cells = [name]
        for result in row:
            score = result.score(level)
            values = [*(score.parts.values() if parts else ()), score.value]
            cells += [shown(value, digits, result.metric.in_percent) for value in values]
        rows.append(cells)
    return Table(heads, rows, notes(results, level), frozenset(range(1, len(heads))))


def notes(results: Mapping[str, Sequence[Result]], level: Level) -> list[str]:
    """What stands under a table: the signatures, and what the row of the source is."""
    own = [f"{SOURCE}: the unchanged source, what is had without correcting; not a system"] if SOURCE in results else []
    return [*own, *signatures(results, level)]


def signatures(results: Mapping[str, Sequence[Result]], level: Level) -> list[str]:
    """The distinct signatures of a table, metric by metric: those of systems differ where some are M2."""
    columns = zip(*results.values(), strict=True)
    return list(dict.fromkeys(result.signature(level) for column in columns for result in column))


def sentence_table(results: Mapping[str, Sequence[Result]], digits: int) -> Table:
    """A row for each line (counted from 1), a column for each system and metric."""
    several = len(next(iter(results.values()))) > 1
    heads = ["line"]
    columns = []
    for name, row in results.items():
        for label, result in zip(labels([result.metric for result in row]), row, strict=True):
            heads.append(f"{name} {label}" if several else name)
            scores, in_percent = result.sentence_scores().tolist(), result.metric.in_percent
            columns.append([shown(value, digits, in_percent) for value in scores])
    rows = [[str(line), *cells] for line, cells in enumerate(zip(*columns, strict=True), 1)]
    return Table(heads, rows, notes(results, "sentence"), frozenset(range(len(heads))))


def scores_json(results: Mapping[str, Sequence[Result]], level: Level, inputs: Mapping[str, Any]) -> str:
    """All there is to know: raw floats, parts, totals, signatures, and the sentence scores at level "sentence"."""
    documents = [document(name, result, level) for name, row in results.items() for result in row]
    return as_json(SCHEMA, {**inputs, "results": documents})


def document(name: str, result: Result, level: Level) -> dict[str, Any]:
    """The score of one system under one metric, as JSON has it."""
    guard = {"guard": True} if name == SOURCE else {}
    score = {"system": name, **guard, "settings": settings(result.metric), **result.score(level).to_dict()}
    return score | ({"sentence_scores": result.sentence_scores().tolist()} if level == "sentence" else {})


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
) -> str:
    """The scores of a level in one of report.tables.FORMATS."""
    if output == "json":
        return scores_json(results, level, inputs)
    table = sentence_table(results, digits) if level == "sentence" else score_table(results, level, digits, parts=parts)
    return TABLE_FORMATS[output](table)
