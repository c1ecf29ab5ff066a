"""Notes and legends that the tables of several questions share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from geceval.tables.numbers import shown
from geceval.text.files import SOURCE

#: Note on the row of the unchanged source.
SOURCE_NOTE = f"{SOURCE}: score of the uncorrected text; not a system"


def confidence(alpha: float) -> str:
    """Return the coverage of an interval as text: 95 %."""
    return f"{100 * (1 - alpha):g} %"


def ceiling_legend(ceilings: Mapping[str, tuple[float | None, bool]]) -> list[str]:
    """Return the line of ceilings.

    ``ceilings`` contains the value and whether it is in per cent, by label of the metric.
    """
    listed = [
        f"{label} {shown(value, 2, percent)}" for label, (value, percent) in ceilings.items() if value is not None
    ]
    return [f"ceiling of text against the gold edits: {', '.join(listed)}"] if listed else []


def forms_note(metrics: Sequence[str], forms: Mapping[str, str]) -> list[str]:
    """Return the line above a table that mixes systems given as M2 and as text.

    ``metrics`` are the labels of the metrics to which this matters.
    """
    given = [", ".join(name for name, own in forms.items() if own == form) for form in ("M2", "text")]
    return [f"given as M2: {given[0]}; as text: {given[1]}; ranked apart under {', '.join(metrics)}"]
