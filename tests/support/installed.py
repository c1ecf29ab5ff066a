"""A package of somebody else's, installed for a test: a folder on the path with its entry points."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, entries: Mapping[str, Mapping[str, str]]) -> None:
    """``entries[group][name]`` is ``module:attribute``; the modules are any that can be imported."""
    info = folder / "others-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n", encoding="utf-8")
    lines = [
        line
        for group, entry_points in entries.items()
        for line in [f"[{group}]", *(f"{k} = {v}" for k, v in entry_points.items())]
    ]
    (info / "entry_points.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
