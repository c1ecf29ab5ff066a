"""A sentence and its edits in segments, which any renderer can show one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from geceval.counting.contract import Outcome
from geceval.edits.changes import Change, correction
from geceval.explaining.evidence import OUTCOMES, Row

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
    return list(_segments(tokens, edits))


def _segments(tokens: Sequence[str], edits: Iterable[Judged]) -> Iterator[Segment]:
    done = 0
    for edit in edits:
        if edit.start > done:
            yield _kept(tokens, done, edit.start)
        source = " ".join(tokens[edit.start : edit.end])
        kind: Kind = "inserted" if not source else "replaced" if edit.text else "deleted"
        yield Segment(kind, edit.start, edit.end, source, edit.text, edit.type, edit.outcome)
        done = edit.end
    if done < len(tokens):
        yield _kept(tokens, done, len(tokens))


def _kept(tokens: Sequence[str], start: int, end: int) -> Segment:
    text = " ".join(tokens[start:end])
    return Segment("kept", start, end, text, text)


def judged(changes: Sequence[Change], rows: Iterable[Row], *, of_reference: bool) -> list[Judged]:
    """The edits of a version, with what became of each as the rows of the evidence of its sentence say.

    Rows about the same span and text decide. Where a metric compares in other pieces (the chunks of CLEME, the edits
    that MaxMatch finds), those that hold an edit do, or that it holds; where rows differ, the larger weight.
    """
    ours = ("correct", "missed") if of_reference else ("correct", "wrong")
    told = [row for row in rows if row.outcome in ours and row.weight > 0]
    same = [[row for row in told if _is(row, change)] for change in changes]
    used = {id(row) for own in same for row in own}
    rest = [row for row in told if id(row) not in used]
    found = []
    for change, own in zip(changes, same, strict=True):
        types = [row.type for row in own if row.type]
        outcome = _heaviest(own or [row for row in rest if _nested(row, change)])
        found.append(Judged(change.start, change.end, change.correction, types[0] if types else change.type, outcome))
    return found


def _is(row: Row, change: Change) -> bool:
    if (row.start, row.end) != (change.start, change.end) or row.text is None:
        return False
    said = change.correction
    return row.text == said or said in {correction(text, literal=True) for text in row.text.split("||")}


def _nested(row: Row, change: Change) -> bool:
    assert row.start is not None
    assert row.end is not None
    inside = row.start <= change.start and change.end <= row.end
    return inside or (change.start <= row.start and row.end <= change.end)


def _heaviest(rows: Sequence[Row]) -> Outcome | None:
    weights = {outcome: sum(row.weight for row in rows if row.outcome == outcome) for outcome in OUTCOMES}
    best = max(OUTCOMES, key=lambda outcome: weights[outcome])  # the first among equals: correct
    return best if weights[best] > 0 else None
