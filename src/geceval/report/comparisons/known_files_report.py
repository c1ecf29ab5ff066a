"""Files of a folder, and files that are known by their checksums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from geceval.report.report import Report
from geceval.report.table import ReportTable, plain_table
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


def found_files_report(found: Sequence[FoundFile]) -> Report:
    """A row for each file with its problems; readers see the known files only."""
    return Report(
        SCHEMA,
        lambda: {"files": [_document(one) for one in found]},
        lambda: [_table(found, [one for one in found if one.state != "unknown"])],
        records=lambda: [_table(found, found)],
    )


def _table(found: Sequence[FoundFile], shown: Sequence[FoundFile]) -> ReportTable:
    rows = []
    for one in shown:
        known = ("", "") if one.known is None else (f"@{one.known.id}", one.known.what)
        rows.append([one.path, STATES[one.state], *known, "; ".join(one.problems)])
    known_files = sum(one.known is not None for one in found)
    note = f"{known_files} of {len(found)} files are known ones; geceval data list lists all that are"
    return plain_table(["file", "state", "id", "what it is", "off"], rows, [note])


def _document(one: FoundFile) -> dict[str, Any]:
    named = {name: getattr(one.known, name, None) for name in ("id", "what", "origin")}
    return {"path": one.path, "state": one.state, **named, "problems": one.problems}


def known_files_report(known: Sequence[KnownFile]) -> Report:
    """A row for each known file."""
    rows = [[f"@{one.id}", one.name, one.what, one.origin] for one in known]
    return Report(
        SCHEMA,
        lambda: {"known": [vars(one) for one in known]},
        lambda: [plain_table(["id", "file", "what it is", "from"], rows)],
    )
