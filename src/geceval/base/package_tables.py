"""Tables that are part of the package."""

from __future__ import annotations

from pathlib import Path


def table_rows(path: Path) -> list[list[str]]:
    """Return the fields of each line of a table, which are separated by tabs.

    Lines that start with # are comments.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]
