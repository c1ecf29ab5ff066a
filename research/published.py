"""Compare numbers with published ones (shared by poster_table.py and seeda_table.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from geceval.tables.number_text import round_half_up


def compare_with_published(
    ours: Mapping[str, float], published: Mapping[str, tuple[float, int]], why: Mapping[str, str]
) -> dict[str, Any]:
    """Return our and the published numbers by key, reasons for differences, and keys of unexplained differences.

    Published numbers are pairs of value and number of digits; two numbers differ if their rounded values do.
    """
    differing_keys = [
        key
        for key, (value, digits) in published.items()
        if key in ours and round_half_up(ours[key], digits) != round_half_up(value, digits)
    ]
    return {
        "ours": dict(ours),
        "published": {key: value for key, (value, _) in published.items()},
        "why": {key: why[key] for key in differing_keys if key in why},
        "unexplained": [key for key in differing_keys if key not in why],
    }


def format_pair(row: Mapping[str, Any], key: str, digits: int) -> list[str]:
    """Return our and the published number as text; a star marks a difference, a dash a missing number."""
    ours, published = (
        "–" if number is None else round_half_up(number, digits)
        for number in (row["ours"].get(key), row["published"].get(key))
    )
    differs = key in row["why"] or key in row["unexplained"]
    return [f"{ours}*" if differs else ours, published]


def reasons(rows: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> list[str]:
    """Return a note for each reason for differences."""
    notes: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        for key in keys:
            if key in row["why"]:
                notes.setdefault(row["why"][key], {}).setdefault(row["name"], []).append(key)
    return [
        f"* {', '.join(f'{name} ({chr(32).join(keys_of_row)})' for name, keys_of_row in keys_by_row.items())}: {reason}"
        for reason, keys_by_row in notes.items()
    ]


def unexplained(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return rows and keys of the numbers that differ without a reason."""
    return [f"{row['name']}: {key}" for row in rows for key in row["unexplained"]]
