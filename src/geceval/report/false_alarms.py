"""False alarms, system by system and rule by rule."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from geceval.counting.evaluation import Result
from geceval.report.documents import as_json
from geceval.report.numbers import percent
from geceval.report.scores import signatures
from geceval.report.tables import TABLE_FORMATS, Table

SCHEMA = "geceval/false-alarms@1"
HEADS = ["system", "rule", "sentences", "changed", "%", "edits", "edits a sentence"]


def render(results: Mapping[str, Sequence[Result]], output: str, digits: int, inputs: Mapping[str, Any]) -> str:
    """In one of report.tables.FORMATS. Where no sentence needs no change there is no share."""
    found = [row(name, result) for name, own in results.items() for result in own]
    if output == "json":
        return as_json(SCHEMA, {**inputs, "results": found})
    cells = [
        [
            one["system"], one["rule"], f"{one['sentences']:g}", f"{one['changed']:g}",
            "" if one["rate"] is None else percent(one["rate"], digits),
            f"{one['edits']:g}", "" if one["rate"] is None else f"{one['edits_per_sentence']:.{digits}f}",
        ]
        for one in found
    ]  # fmt: skip
    return TABLE_FORMATS[output](Table(HEADS, cells, signatures(results, "corpus"), frozenset(range(2, len(HEADS)))))


def row(name: str, result: Result) -> dict[str, Any]:
    """The figures of a system under a rule; None where there are none."""
    score = result.score()
    share = {"rate": score.value, **score.parts}
    known = {key: None if math.isnan(value) else value for key, value in share.items()}
    totals = {"sentences" if key == "correct" else key: value for key, value in score.totals.items()}
    return {"system": name, "rule": result.metric.settings["rule"], **totals, **known, "signature": score.signature}
