"""The detection of errors, a system a row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from geceval.report.documents import as_json
from geceval.report.numbers import percent
from geceval.report.tables import TABLE_FORMATS, Table
from geceval.studies.detection import Detection

SCHEMA = "geceval/detection@1"


def render(
    found: Mapping[str, Detection], sources: Mapping[str, str], output: str, digits: int, inputs: Mapping[str, Any]
) -> str:
    """In one of report.tables.FORMATS. ``sources``: where each system's labels are from; under tables stands how edits
    were found."""
    if output == "json":
        results = [
            {"system": name, "from": sources[name], "beta": one.beta, **one.to_dict()} for name, one in found.items()
        ]
        return as_json(SCHEMA, {**inputs, "results": results})
    rows = [
        [
            *(name, percent(one.precision, digits), percent(one.recall, digits), percent(one.f, digits)),
            *map(str, (one.tp, one.fp, one.fn, one.tokens)),
        ]
        for name, one in found.items()
    ]
    beta = next(iter(found.values())).beta
    heads = ["system", "P", "R", f"F{beta:g}", "TP", "FP", "FN", "tokens"]
    notes = list(dict.fromkeys(source for source in sources.values() if ":" in source))
    return TABLE_FORMATS[output](Table(heads, rows, notes, frozenset(range(1, len(heads)))))
