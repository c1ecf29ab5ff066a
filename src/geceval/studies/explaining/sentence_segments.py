"""A sentence and its edits in segments, which any renderer can show one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from geceval.counting.contract import Outcome
from geceval.edits.changes import Change, correction
from geceval.studies.explaining.evidence_rows import OUTCOMES, Row

Kind: TypeAlias = Literal["kept", "deleted", "inserted", "replaced"]


@dataclass(frozen=True, slots=True)
class Judged:
    """An edit: source tokens ``start:end`` become ``text`` (empty: deleted); ``type`` may be empty.

    ``outcome``: of a system's edit correct or wrong, of a reference's correct or missed, None if it does not count.
    """

    start: int
    end: int
    text: str
    type: str = ""
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """Consecutive source tokens ``start:end`` and what a version makes of them; the texts' tokens are joined by a
    blank, and either may be empty."""

    kind: Kind
    start: int
    end: int
    source: str
    text: str
    type: str = ""
    outcome: Outcome | None = None


def segments(tokens: Sequence[str], edits: Iterable[Judged]) -> list[Segment]:
    """What edits, in order and without overlap, make of a sentence. The sources of the segments are the sentence, their
    texts the corrected one, empty ones left out and the others joined by a blank."""
    found: list[Segment] = []
    done = 0

    def keep(end: int) -> None:
        if end > done:
            text = " ".join(tokens[done:end])
            found.append(Segment("kept", done, end, text, text))

    for edit in edits:
        keep(edit.start)
        source = " ".join(tokens[edit.start : edit.end])
        kind: Kind = "inserted" if not source else "replaced" if edit.text else "deleted"
        found.append(Segment(kind, edit.start, edit.end, source, edit.text, edit.type, edit.outcome))
        done = edit.end
    keep(len(tokens))
    return found


def judged(changes: Sequence[Change], rows: Iterable[Row], *, of_reference: bool) -> list[Judged]:
    """The edits of a version, with what became of each as the rows of the evidence of its sentence say.

    Rows about the same span and text decide. Where a metric compares in other pieces (the chunks of CLEME, the edits
    that MaxMatch finds), those that hold an edit do, or that it holds; where rows differ, the larger weight.
    """
    ours = ("correct", "missed") if of_reference else ("correct", "wrong")
    told = [row for row in rows if row.outcome in ours and row.weight > 0]
    by_span: dict[tuple[int | None, int | None], list[Row]] = {}
    for row in told:
        by_span.setdefault((row.start, row.end), []).append(row)
    same = [
        [row for row in by_span.get((change.start, change.end), ()) if _says(row, change.correction)]
        for change in changes
    ]
    used = {id(row) for own in same for row in own}
    rest = _by_place(row for row in told if id(row) not in used)
    found = []
    for change, own in zip(changes, same, strict=True):
        types = [row.type for row in own if row.type]
        outcome = _heaviest(own or _nested(rest, change))
        found.append(Judged(change.start, change.end, change.correction, types[0] if types else change.type, outcome))
    return found


def _says(row: Row, said: str) -> bool:
    text = row.text or ""
    return text == said or said in {correction(own, literal=True) for own in text.split("||")}


def _by_place(rows: Iterable[Row]) -> dict[int, list[tuple[int, int, Row]]]:
    """The rows, with their spans, at every place between tokens that they touch."""
    places: dict[int, list[tuple[int, int, Row]]] = {}
    for row in rows:
        if row.start is not None and row.end is not None:
            for place in range(row.start, row.end + 1):
                places.setdefault(place, []).append((row.start, row.end, row))
    return places


def _nested(places: dict[int, list[tuple[int, int, Row]]], change: Change) -> list[Row]:
    """The rows that the edit lies within, or that lie within it."""
    first, last = change.start, change.end
    near = {id(found[2]): found for place in range(first, last + 1) for found in places.get(place, ())}
    return [
        row for start, end, row in near.values() if (start <= first and last <= end) or (first <= start and end <= last)
    ]


def _heaviest(rows: Sequence[Row]) -> Outcome | None:
    weights = {outcome: sum(row.weight for row in rows if row.outcome == outcome) for outcome in OUTCOMES}
    best = max(OUTCOMES, key=lambda outcome: weights[outcome])  # the first among equals: correct
    return best if weights[best] > 0 else None
