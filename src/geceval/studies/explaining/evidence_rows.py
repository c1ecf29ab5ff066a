"""Evidence sentence by sentence: what the rows say, and what became of the edit or the n-gram in each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from geceval.counting.contract import Contract, Outcome
from geceval.counting.counts import REFERENCE, Counts, Evidence
from geceval.counting.groups.groupings import evidence_of

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
_CORRECT, NONE = OUTCOMES.index("correct"), -1


@dataclass(frozen=True, slots=True)
class Row:
    """What adds ``weight`` to ``column`` of the counts of a sentence against its reference.

    Of metrics on edits: whose edit it is, the source tokens ``start:end`` it spans, its text and its type; of metrics
    on n-grams: the order and the n-gram. What does not apply is None. ``outcome``: what became of it, if that is said.
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


def outcomes_of(metric: Contract[Any], counts: Counts) -> NDArray[np.int8]:
    """For each row of the evidence the place of its outcome in OUTCOMES, or -1 (NONE) where it says nothing.

    Raises UsageError for counts without evidence.
    """
    evidence, said = evidence_of(counts), metric.outcomes
    places = [OUTCOMES.index(said.columns[name]) if name in said.columns else NONE for name in counts.columns]
    found = np.array(places, np.int8)[evidence.column]
    if said.again:
        found[_again(evidence, found)] = NONE
    return found


def _again(evidence: Evidence, outcome: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Rows of what is proposed or gold for what stands among the correct already: the same span, and the same text (of
    the system) or the same type (of the gold edit that it meets, whatever alternative it takes)."""
    met = np.zeros(len(evidence), dtype=bool)
    where = [evidence.sentence, evidence.reference, evidence.start, evidence.end, evidence.order]
    for said in (evidence.text, evidence.type):
        if said is None:
            continue
        keys = np.stack([column for column in (*where, said) if column is not None]).T
        _, same = np.unique(keys, axis=0, return_inverse=True)
        same = same.ravel()  # numpy 2.0.0 gives it an axis more
        met |= np.isin(same, same[outcome == _CORRECT])
    return met & (outcome > _CORRECT)


class Table:
    """The evidence of one system under one metric, of the chosen references, by sentence."""

    def __init__(self, metric: Contract[Any], counts: Counts, choice: NDArray[np.intp]) -> None:
        """``choice[s]``: the reference whose evidence it is."""
        evidence = evidence_of(counts)
        self.columns, self._strings = counts.columns, evidence.strings
        rows = np.flatnonzero(evidence.reference == choice[evidence.sentence])
        rows = rows[np.argsort(evidence.sentence[rows], kind="stable")]
        self._bounds = np.searchsorted(evidence.sentence[rows], np.arange(len(counts) + 1))
        places = (evidence.text, evidence.side, evidence.start, evidence.end, evidence.type, evidence.order)
        numbers = (evidence.column, evidence.weight, outcomes_of(metric, counts))
        self._parts = [None if part is None else part[rows] for part in (*numbers, *places)]

    def rows(self, s: int) -> list[Row]:
        """The rows of sentence s."""
        first, last = self._bounds[s : s + 2].tolist()

        def listed(part: NDArray[Any] | None) -> list[Any]:
            return [None] * (last - first) if part is None else part[first:last].tolist()

        def text(place: int | None) -> str | None:
            return None if place is None else self._strings[place]

        found = []
        for column, weight, outcome, said, side, start, end, kind, order in zip(*map(listed, self._parts), strict=True):
            became = None if outcome == NONE else OUTCOMES[outcome]
            whose = None if side is None else side == REFERENCE
            found.append(Row(self.columns[column], weight, became, text(said), whose, start, end, text(kind), order))
        return found
