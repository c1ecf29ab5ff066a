"""The human judgments of the shared data, and what is recorded about them; for conformance tests."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from geceval.agreement.judgments import Judgments, read_judgments
from geceval.text.reading.lines import read_lines

FILES = {
    "gjg15": "gjg15/judgments.xml",
    "seeda_edit": "seeda/judgments_edit.xml",
    "seeda_sent": "seeda/judgments_sent.xml",
}


@cache
def recorded(shared: Path) -> dict[str, Any]:
    """All of golden/meta/meta.json."""
    loaded: dict[str, Any] = json.loads((shared / "golden/meta/meta.json").read_text("utf-8"))
    return loaded


@cache
def judgments_of(shared: Path, name: str) -> Judgments:
    return read_judgments(shared / "data/meta" / FILES[name])


def outputs_in(folder: Path) -> dict[str, list[str]]:
    return {path.stem: read_lines(path) for path in sorted(folder.glob("*.txt"))}
