"""Ours beside published numbers: what differs, and for what reason; shared by poster_table.py and seeda_table.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from geceval.tables.numbers import round_half_up


def differing(
    ours: Mapping[str, float], published: Mapping[str, tuple[float, int]], why: Mapping[str, str]
) -> dict[str, Any]:
    """Ours and the published numbers (value, digits) by key, the reasons for those that differ in their digits
    (``why``), and those that differ without one (``unexplained``)."""
    different = [
        key
        for key, (value, digits) in published.items()
        if key in ours and round_half_up(ours[key], digits) != round_half_up(value, digits)
    ]
    return {
        "ours": dict(ours),
        "published": {key: value for key, (value, _) in published.items()},
        "why": {key: why[key] for key in different if key in why},
        "unexplained": [key for key in different if key not in why],
    }


def beside(row: Mapping[str, Any], key: str, digits: int) -> list[str]:
    """Ours and the published number; a star marks a difference, a dash what there is not."""
    ours, published = (
        "–" if number is None else round_half_up(number, digits)
        for number in (row["ours"].get(key), row["published"].get(key))
    )
    differs = key in row["why"] or key in row["unexplained"]
    return [f"{ours}*" if differs else ours, published]


def reasons(rows: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> list[str]:
    """A note for each reason why numbers differ."""
    notes: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        for key in keys:
            if key in row["why"]:
                notes.setdefault(row["why"][key], {}).setdefault(row["name"], []).append(key)
    return [
        f"* {', '.join(f'{name} ({chr(32).join(own)})' for name, own in numbers.items())}: {reason}"
        for reason, numbers in notes.items()
    ]


def unexplained(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """What differs without a reason."""
    return [f"{row['name']}: {key}" for row in rows for key in row["unexplained"]]
