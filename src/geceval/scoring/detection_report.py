"""Report of error detection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from geceval.scoring.detection import Detection
from geceval.tables.report import Report
from geceval.tables.table import ReportTable, TableColumn, TableRow, table_columns


def detection_report(found: Mapping[str, Detection], sources: Mapping[str, str], inputs: Mapping[str, Any]) -> Report:
    """Return the detection scores of each system.

    ``sources`` contains the origin of each system's labels. The notes contain the annotators of edits.
    """
    return Report(
        "geceval/detection@1",
        lambda: {**inputs, "results": [_document(name, one, sources[name]) for name, one in found.items()]},
        lambda: [_table(found, sources)],
    )


def _document(name: str, one: Detection, source: str) -> dict[str, Any]:
    return {"system": name, "from": source, "beta": one.beta, **one.to_dict()}


def _table(found: Mapping[str, Detection], sources: Mapping[str, str]) -> ReportTable:
    beta = next(iter(found.values())).beta
    columns = [
        TableColumn("system"),
        *table_columns("score", "P", "R", f"F{beta:g}", percent=True, undefined=True),
        *table_columns("count", "TP", "FP", "FN", "tokens"),
    ]
    rows: list[TableRow] = [
        [name, one.precision, one.recall, one.f, one.tp, one.fp, one.fn, one.tokens] for name, one in found.items()
    ]
    return ReportTable(columns, rows, list(dict.fromkeys(source for source in sources.values() if ":" in source)))
