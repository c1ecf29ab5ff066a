"""What the files of a folder are, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from geceval.report.documents import as_json
from geceval.report.tables import Table, written
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


def render_found(found: Sequence[FoundFile], output: str, *, width: int | None = None) -> str:
    """A row for each file: what it is, and what is off with it."""
    if output == "json":
        return as_json(SCHEMA, {"files": [_document(one) for one in found]})
    known = [one for one in found if one.known is not None]
    shown = [one for one in found if output in ("csv", "tsv") or one.state != "unknown"]
    rows = []
    for one in shown:
        id, what = ("", "") if one.known is None else (f"@{one.known.id}", one.known.what)
        rows.append([one.path, STATES[one.state], id, what, "; ".join(one.problems)])
    note = f"{len(known)} of {len(found)} files are known ones; geceval data list lists all that are"
    return written(Table(["file", "state", "id", "what it is", "off"], rows, [note]), output, width)


def _document(one: FoundFile) -> dict[str, Any]:
    known = one.known
    named = {name: None if known is None else getattr(known, name) for name in ("id", "what", "origin")}
    return {"path": one.path, "state": one.state, **named, "problems": one.problems}


def render_known(known: Sequence[KnownFile], output: str, *, width: int | None = None) -> str:
    """A row for each known file."""
    if output == "json":
        return as_json(SCHEMA, {"known": [vars(one) for one in known]})
    rows = [[f"@{one.id}", one.name, one.what, one.origin] for one in known]
    return written(Table(["id", "file", "what it is", "from"], rows), output, width)
