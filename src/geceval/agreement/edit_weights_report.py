"""Report of the weights of edits that people's verdicts imply."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from geceval.agreement.edit_weights import ImpliedWeights
from geceval.agreement.meta_report import COUNTED_ONCE, SCHEMA
from geceval.statistics.intervals import Interval
from geceval.tables.number_text import round_half_up
from geceval.tables.report import Report
from geceval.tables.table import FilledColumns, ReportTable, TableColumn, cell_text, column_table

INTERVAL = TableColumn("95 %", "range")
#: Heads of the weights in tables.
HEADS = {"correct": "correct", "outside": "outside", "ratio": "ratio"}


def edit_weights_report(results: Sequence[ImpliedWeights], inputs: Mapping[str, Any]) -> Report:
    """Return the implied weights under each metric; JSON also has the effects of systems."""
    return Report(
        SCHEMA,
        lambda: {**inputs, "edit_weights": results},
        lambda: [_weight_table(results)],
        conclusion=lambda digits: [line for result in results for line in _conclusion(result, digits)],
    )


def _weight_table(results: Sequence[ImpliedWeights]) -> ReportTable:
    weights = [weight for result in results for weight in result.weights]
    columns: FilledColumns = [
        (TableColumn("metric"), [result.metric for result in results for _ in result.weights]),
        (TableColumn("edits"), [weight.group for weight in weights]),
        (TableColumn("TP", "count"), [weight.correct_edits for weight in weights]),
        (TableColumn("FP", "count"), [weight.outside_edits for weight in weights]),
    ]
    first = results[0]
    for name, head in HEADS.items():
        columns.append((TableColumn(head, "score"), [_in_words(getattr(weight, name)) for weight in weights]))
        if first.resamples:
            bounds = [_bounds(weight.intervals[name]) for weight in weights]
            columns.append((replace(INTERVAL, head=f"{head} 95 %"), bounds))
    notes = [result.signature for result in results]
    effects = f"; an effect of each system, 0 for {next(iter(first.effects))}" if first.effects else ""
    notes.append(f"people: {first.verdicts} verdicts on {first.sentences} sentences, without ties{effects}")
    notes += [COUNTED_ONCE] if first.pairs == "outputs" else []
    if first.resamples:
        notes.append(f"95 % intervals: {first.resamples} resamples of sentences, seed {first.seed}")
    weights_in_words = "correct, outside: log-odds of a preference per edit that the references have (TP) or lack (FP)"
    legend = [f"{weights_in_words}; ratio: outside / correct"]
    if any(isinstance(cell, str) for _, cells in columns[4:] for cell in cells):
        legend.append("unbounded, undefined: not bounded or determined by the verdicts, or a correct edit may weigh 0")
    return column_table(columns, notes, legend=legend)


def _in_words(value: float) -> float | str:
    return "undefined" if math.isnan(value) else "unbounded" if math.isinf(value) else value


def _bounds(interval: Interval) -> tuple[float, float] | str:
    words = [word for word in map(_in_words, (interval.low, interval.high)) if isinstance(word, str)]
    return words[0] if words else (interval.low, interval.high)


def _conclusion(result: ImpliedWeights, digits: int) -> list[str]:
    """Return what an edit outside the references is worth, if all edits have one weight that is bounded."""
    weight, *more_weights = result.weights
    if more_weights or not math.isfinite(weight.ratio):
        return []
    text = f"{result.metric}: an edit outside the references is worth"
    text += f" {round_half_up(weight.ratio, digits)} of a correct one"
    if weight.intervals:
        text += f" (95 %: {cell_text(INTERVAL, _bounds(weight.intervals['ratio']), digits)})"
    return [text]
