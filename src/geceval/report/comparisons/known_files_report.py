"""Reports of the files of a folder, and of files with known checksums."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from geceval.report.report import Report
from geceval.report.table import FilledColumns, ReportTable, TableColumn, column_table, plain_table
from geceval.studies.suites.known_files import FoundFile, KnownFile

SCHEMA = "geceval/data@1"
STATES = {
    "exact": "as published",
    "same": "reads the same",
    "off": "OFF",
    "like": "like it",
    "unknown": "unknown",
    "unreadable": "UNREADABLE",
}


def found_files_report(found: Sequence[FoundFile], folder: str) -> Report:
    """Return a row for each file, with its problems.

    The table for readers has known files only, with paths relative to ``folder``.
    """
    return Report(
        SCHEMA,
        lambda: {"files": [_document(one) for one in found]},
        lambda: [_shown_table(found, folder)],
        records=lambda: [plain_table(["file", "state", "id", "what it is", "off"], [*map(_row, found)])],
    )


def _row(one: FoundFile) -> list[str]:
    known = ("", "") if one.known is None else (f"@{one.known.id}", one.known.what)
    return [one.path, STATES[one.state], *known, "; ".join(one.problems)]


def _shown_table(found: Sequence[FoundFile], folder: str) -> ReportTable:
    """Return a row for each known file."""
    rows = [_row(one) for one in found if one.state != "unknown"]
    cells = list(zip(*rows, strict=True)) or [()] * 5
    files = [os.path.relpath(path, folder) for path in cells[0]]
    columns: FilledColumns = [(TableColumn("file"), files), (TableColumn("state"), cells[1])]
    columns += [(TableColumn("id"), cells[2]), (TableColumn("what it is", spare=1), cells[3])]
    if any(cells[4]):
        columns.append((TableColumn("problem"), cells[4]))
    known_files = sum(one.known is not None for one in found)
    return column_table(columns, [f"{known_files} of {len(found)} files are known; all known files: geceval data list"])


def _document(one: FoundFile) -> dict[str, Any]:
    named = {name: getattr(one.known, name, None) for name in ("id", "what", "origin")}
    return {"path": one.path, "state": one.state, **named, "problems": one.problems}


def known_files_report(known: Sequence[KnownFile]) -> Report:
    """Return a row for each known file."""
    rows = [[f"@{one.id}", one.name, one.what, one.origin] for one in known]
    return Report(
        SCHEMA,
        lambda: {"known": [vars(one) for one in known]},
        lambda: [ReportTable([*map(TableColumn, ["id", "file", "what it is"]), TableColumn("from", spare=1)], rows)],
    )
