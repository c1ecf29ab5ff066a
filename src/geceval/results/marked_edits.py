"""Evidence by sentence, outcomes of edits, and sentences with marked edits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from geceval.counting.counts import REFERENCE, Counts, Evidence, Floats
from geceval.counting.groupings import evidence_of
from geceval.counting.metric import Metric, Outcome
from geceval.tables.terminal import isolated
from geceval.tables.views import StyledLine
from geceval.text.m2.edit import Edit, alternatives_of

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
_CORRECT, NONE = OUTCOMES.index("correct"), -1


@dataclass(frozen=True, slots=True)
class Row:
    """An edit or n-gram that adds ``weight`` to ``column`` of a sentence's counts.

    Attributes:
        column: Column of the counts.
        weight: Number added to the column.
        outcome: Outcome of the edit or n-gram; None if the column has none.
        text: Text of the edit, or the n-gram.
        of_reference: Whether the edit is a reference's; None for n-grams.
        start: First source token of the edit; None for n-grams.
        end: End of the edit's source tokens, exclusive; None for n-grams.
        type: Type of the edit; None for n-grams.
        order: Order of the n-gram; None for edits.
    """

    column: str
    weight: float
    outcome: Outcome | None
    text: str | None = None
    of_reference: bool | None = None
    start: int | None = None
    end: int | None = None
    type: str | None = None
    order: int | None = None


def outcomes_of(metric: Metric[Any], counts: Counts) -> NDArray[np.int8]:
    """Return the index in OUTCOMES of each row of the evidence, or NONE (-1).

    Raises UsageError if the counts have no evidence.
    """
    evidence, outcomes = evidence_of(counts), metric.outcomes
    outcome_of_column = [
        OUTCOMES.index(outcomes.columns[name]) if name in outcomes.columns else NONE for name in counts.columns
    ]
    outcome_of_row = np.array(outcome_of_column, np.int8)[evidence.column]
    if outcomes.again:
        outcome_of_row[_repeats_correct(evidence, outcome_of_row)] = NONE
    return outcome_of_row


def _repeats_correct(evidence: Evidence, outcome: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return whether each proposed or gold row repeats a correct edit.

    It has the span of a correct edit, and the same text or the same type.
    """
    repeats = np.zeros(len(evidence), dtype=bool)
    span = [evidence.sentence, evidence.reference, evidence.start, evidence.end, evidence.order]
    for feature in (evidence.text, evidence.type):
        if feature is None:
            continue
        keys = np.stack([column for column in (*span, feature) if column is not None]).T
        _, group = np.unique(keys, axis=0, return_inverse=True)
        group = group.ravel()  # numpy 2.0.0 returns an additional axis
        repeats |= np.isin(group, group[outcome == _CORRECT])
    return repeats & (outcome > _CORRECT)


class EvidenceTable:
    """The evidence of one system under one metric, by sentence.

    ``choice`` [S] is the reference of each sentence whose evidence is shown.
    """

    def __init__(self, metric: Metric[Any], counts: Counts, choice: NDArray[np.intp]) -> None:
        evidence = evidence_of(counts)
        self.columns, self._size, self.strings = counts.columns, len(counts), evidence.strings
        rows = np.flatnonzero(evidence.reference == choice[evidence.sentence])
        rows = rows[np.argsort(evidence.sentence[rows], kind="stable")]
        self._sentence, self._weights = evidence.sentence[rows], evidence.weight[rows]
        fields = (evidence.text, evidence.side, evidence.start, evidence.end, evidence.type, evidence.order)
        numbers = (evidence.column, outcomes_of(metric, counts), *fields)
        absent = np.full(len(rows), NONE)
        self._numbers = np.stack([absent if part is None else part[rows] for part in numbers], 1).astype(np.int32)

    def by_sentence(self, longest: int | None = None) -> PlainRows:
        """Return the rows of each sentence as numbers.

        ``longest`` excludes rows without an outcome and n-grams of higher order, and sorts n-grams by their order.
        """
        keep: Any = slice(None)
        if longest is not None:
            keep = np.flatnonzero((self._numbers[:, 1] != NONE) & (self._numbers[:, -1] <= longest))
            keep = keep[np.lexsort((self._numbers[keep, -1], self._sentence[keep]))]
        bounds = np.searchsorted(self._sentence[keep], np.arange(self._size + 1)).tolist()
        return PlainRows(bounds, self._numbers[keep], self._weights[keep])

    @cached_property
    def _plain(self) -> PlainRows:
        return self.by_sentence()

    def rows(self, s: int) -> list[Row]:
        """Return the rows of sentence s."""
        return [self._row(weight, *numbers) for weight, numbers in self._plain[s]]

    def _row(self, weight: float, column: int, outcome_index: int, text: int, *optional: int) -> Row:
        side, start, end, kind, order = (None if value == NONE else value for value in optional)
        outcome = None if outcome_index == NONE else OUTCOMES[outcome_index]
        of_reference = None if side is None else side == REFERENCE
        string, type_ = (None if index in (None, NONE) else self.strings[index] for index in (text, kind))
        return Row(self.columns[column], weight, outcome, string, of_reference, start, end, type_, order)


@dataclass(frozen=True)
class PlainRows:
    """Rows of evidence as numbers.

    Attributes:
        bounds: Index of the first row of each sentence, and the number of rows.
        numbers: Column, outcome, text, side, start, end, type and order of each row [n, 8]; NONE where absent.
        weights: Weight of each row [n].
    """

    bounds: list[int]
    numbers: NDArray[np.int32]
    weights: Floats

    def __getitem__(self, s: int) -> Iterator[tuple[float, list[int]]]:
        """Return the weights and the numbers of the rows of sentence s."""
        rows = slice(self.bounds[s], self.bounds[s + 1])
        return zip(self.weights[rows].tolist(), self.numbers[rows].tolist(), strict=True)


SegmentKind: TypeAlias = Literal["kept", "deleted", "inserted", "replaced"]


class Segment(NamedTuple):
    """Consecutive source tokens ``start:end`` and the text that replaces them: an edit, or kept text between edits.

    The tokens of both texts are joined by spaces; either text may be empty.

    Attributes:
        kind: What the version does with the source tokens.
        start: First source token.
        end: End of the source tokens, exclusive.
        source: Source tokens.
        text: Tokens of the version.
        type: Type of the edit, or empty.
        outcome: "correct" or "wrong" for a system's edit, "correct" or "missed" for a reference's; None if the edit
            does not count.
    """

    kind: SegmentKind
    start: int
    end: int
    source: str
    text: str
    type: str = ""
    outcome: Outcome | None = None


def segments(tokens: Sequence[str], judged: Iterable[tuple[Edit, Outcome | None]]) -> list[Segment]:
    """Split a sentence into segments at sorted edits without overlap, each with its outcome.

    The sources of the segments, joined by spaces without the empty ones, are the sentence; the texts are the
    corrected sentence.
    """
    parts: list[Segment] = []
    end_of_last = 0

    def keep(end: int) -> None:
        if end > end_of_last:
            text = " ".join(tokens[end_of_last:end])
            parts.append(Segment("kept", end_of_last, end, text, text))

    for edit, outcome in judged:
        keep(edit.start)
        source, text = " ".join(tokens[edit.start : edit.end]), edit.correction
        kind: SegmentKind = "inserted" if not source else "replaced" if text else "deleted"
        parts.append(Segment(kind, edit.start, edit.end, source, text, edit.type, outcome))
        end_of_last = edit.end
    keep(len(tokens))
    return parts


def judge_edits(
    tokens: Sequence[str], edits: Sequence[Edit], rows: Iterable[Row] = (), *, of_reference: bool
) -> list[Segment]:
    """Split a sentence at the edits of a version, with their outcomes in the evidence.

    Rows with the span and the text of an edit determine its outcome. If a metric compares other units, such as the
    chunks of CLEME or the edits of MaxMatch, rows that contain the edit or are contained in it determine the outcome.
    If rows differ, the larger weight decides.
    """
    counted = ("correct", "missed") if of_reference else ("correct", "wrong")
    candidates = [row for row in rows if row.outcome in counted and row.weight > 0]
    by_span: dict[tuple[int | None, int | None], list[Row]] = {}
    for row in candidates:
        by_span.setdefault((row.start, row.end), []).append(row)
    exact_rows = [
        [row for row in by_span.get((edit.start, edit.end), ()) if _has_text(row, edit.correction)] for edit in edits
    ]
    used = {id(row) for exact in exact_rows for row in exact}
    by_position = _rows_by_position(row for row in candidates if id(row) not in used)
    judged = []
    for edit, exact in zip(edits, exact_rows, strict=True):
        type_ = next((row.type for row in exact if row.type), edit.type)
        typed = edit if type_ == edit.type else replace(edit, type=type_)
        judged.append((typed, _heaviest(exact or _nested_rows(by_position, edit))))
    return segments(tokens, judged)


def _has_text(row: Row, corrected: str) -> bool:
    text = row.text or ""
    return text == corrected or corrected in alternatives_of(text)


def _rows_by_position(rows: Iterable[Row]) -> dict[int, list[tuple[int, int, Row]]]:
    """Return rows with their spans, by each position between tokens that they touch."""
    rows_at: dict[int, list[tuple[int, int, Row]]] = {}
    for row in rows:
        if row.start is not None and row.end is not None:
            for position in range(row.start, row.end + 1):
                rows_at.setdefault(position, []).append((row.start, row.end, row))
    return rows_at


def _nested_rows(rows_at: dict[int, list[tuple[int, int, Row]]], edit: Edit) -> list[Row]:
    """Return the rows that contain the edit or are contained in it."""
    first, last = edit.start, edit.end
    touching = {id(entry[2]): entry for position in range(first, last + 1) for entry in rows_at.get(position, ())}
    return [
        row
        for start, end, row in touching.values()
        if (start <= first and last <= end) or (first <= start and end <= last)
    ]


def _heaviest(rows: Sequence[Row]) -> Outcome | None:
    if len(rows) < 2:  # most edits
        return rows[0].outcome if rows else None
    weights = {outcome: sum(row.weight for row in rows if row.outcome == outcome) for outcome in OUTCOMES}
    return max(OUTCOMES, key=lambda outcome: weights[outcome])  # of equal weights the first: correct


#: Sign and colour of each outcome of an edit; None: the edit does not count.
Marks: TypeAlias = Mapping[Outcome | None, tuple[str, str]]
MARKS: Marks = {"correct": ("✓", "green"), "wrong": ("✗", "red"), "missed": ("○", "yellow"), None: ("·", "cyan")}
SIGNS = {outcome: sign for outcome, (sign, _) in MARKS.items()}

#: Control characters, which a terminal would interpret, with visible replacements.
_VISIBLE = {code: 0x2400 + code for code in range(0x20)} | {0x7F: 0x2421} | dict.fromkeys(range(0x80, 0xA0), 0xFFFD)


def visible(text: str) -> str:
    """Return text with control characters replaced by visible ones."""
    return text if text.isprintable() else text.translate(_VISIBLE)


def marked(
    segments: Iterable[Segment], *, types: bool = False, terminal: bool = False, marks: Marks = MARKS
) -> StyledLine:
    """Return a sentence with edits in braces: {are→is ✓}, {+the ✗}, {-of ○}.

    Args:
        segments: Segments of the version.
        types: Add the types of edits.
        terminal: Isolate right-to-left text.
        marks: Sign and colour of each outcome.
    """
    line: list[tuple[str, str]] = []
    for segment in segments:
        if line:
            line.append((" ", ""))
        if segment.kind == "kept":
            line.append((visible(segment.source), ""))
            continue
        sign, colour = marks[segment.outcome]
        source, text = visible(segment.source), visible(segment.text)
        if terminal:
            source, text = isolated(source), isolated(text)
        line.append(("{", colour))
        if source:
            line.append((f"-{source}" if not text else source, f"strike {colour}"))
        if text:
            line += [("→" if source else "+", colour), (text, f"bold {colour}")]
        line.append((f" {sign}", colour))
        if types and segment.type:
            line.append((f" {visible(segment.type)}", f"dim {colour}"))
        line.append(("}", colour))
    return line
