"""The scores of systems under metrics, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from geceval.counting.metric import Metric, Tally
from geceval.report.documents import as_json
from geceval.report.numbers import percent
from geceval.report.tables import TABLE_FORMATS, Table

SCHEMA = "geceval/score@1"


def labels(metrics: Sequence[Metric]) -> list[str]:
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


def score_table(tallies: Mapping[str, Sequence[Tally]], digits: int, *, parts: bool = False) -> Table:
    """A row for each system, a column for each metric (``parts``: and for precision, recall and the like)."""
    first = next(iter(tallies.values()))
    heads = ["system"]
    for label, tally in zip(labels([tally.metric for tally in first]), first, strict=True):
        heads += [*(f"{label} {part}" for part in (tally.score().parts if parts else ())), label]
    rows = []
    for name, row in tallies.items():
        scores = [tally.score() for tally in row]
        cells = [[*(score.parts.values() if parts else ()), score.value] for score in scores]
        rows.append([name, *(percent(value, digits) for values in cells for value in values)])
    return Table(heads, rows, [tally.signature for tally in first], frozenset(range(1, len(heads))))


def sentence_table(tallies: Mapping[str, Sequence[Tally]], digits: int) -> Table:
    """A row for each line (counted from 1), a column for each system and metric."""
    first = next(iter(tallies.values()))
    heads = ["line"]
    columns = []
    several = len(first) > 1
    for name, row in tallies.items():
        for label, tally in zip(labels([tally.metric for tally in row]), row, strict=True):
            heads.append(f"{name} {label}" if several else name)
            columns.append([percent(value, digits) for value in tally.sentence_scores().tolist()])
    rows = [[str(line), *cells] for line, cells in enumerate(zip(*columns, strict=True), 1)]
    return Table(heads, rows, [tally.signature for tally in first], frozenset(range(len(heads))))


def scores_json(tallies: Mapping[str, Sequence[Tally]], inputs: Mapping[str, Any]) -> str:
    """All there is to know: raw floats, parts, totals, signatures, and the sentence scores at level "sentence"."""
    results = [_result(name, tally) for name, row in tallies.items() for tally in row]
    return as_json(SCHEMA, {**inputs, "results": results})


def _result(name: str, tally: Tally) -> dict[str, Any]:
    result = {"system": name, "settings": tally.metric.settings, **tally.score().to_dict()}
    if tally.level == "sentence":
        result["sentence_scores"] = tally.sentence_scores().tolist()
    return result


def render(
    tallies: Mapping[str, Sequence[Tally]], output: str, digits: int, parts: bool, inputs: Mapping[str, Any]
) -> str:
    """The scores in one of report.tables.FORMATS."""
    if output == "json":
        return scores_json(tallies, inputs)
    level = next(iter(tallies.values()))[0].level
    table = sentence_table(tallies, digits) if level == "sentence" else score_table(tallies, digits, parts=parts)
    return TABLE_FORMATS[output](table)
