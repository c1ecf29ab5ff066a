"""False alarms, system by system and rule by rule."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from geceval.counting.consumers import Result
from geceval.report.report import Report
from geceval.report.scores.score_report import signatures
from geceval.report.table import ReportTable, TableColumn


def false_alarm_report(results: Mapping[str, Sequence[Result]], inputs: Mapping[str, Any]) -> Report:
    """A row for each system and rule. Where every sentence needs a change there is no share."""
    found = [row_document(name, result) for name, own in results.items() for result in own]
    return Report(
        "geceval/false-alarms@1",
        lambda: {**inputs, "results": found},
        lambda: [_table(found, signatures(results, "corpus"))],
    )


def row_document(name: str, result: Result) -> dict[str, Any]:
    """The figures of a system under a rule; None for missing ones."""
    score = result.score()
    share = {"rate": score.value, **score.parts}
    known = {key: None if math.isnan(value) else value for key, value in share.items()}
    totals = {"sentences" if key == "correct" else key: value for key, value in score.totals.items()}
    return {"system": name, "rule": result.metric.settings["rule"], **totals, **known, "signature": score.signature}


def _table(found: Sequence[Mapping[str, Any]], notes: Sequence[str]) -> ReportTable:
    columns = {
        "system": TableColumn("system"),
        "rule": TableColumn("rule"),
        "sentences": TableColumn("sentences", "exact"),
        "changed": TableColumn("changed", "exact"),
        "rate": TableColumn("%", "score", percent=True),
        "edits": TableColumn("edits", "exact"),
        "edits_per_sentence": TableColumn("edits a sentence", "count"),
    }
    return ReportTable(list(columns.values()), [[one[key] for key in columns] for one in found], notes)
