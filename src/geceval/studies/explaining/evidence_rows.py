"""Rows of evidence by sentence, with the outcome of each edit or n-gram."""

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


def outcomes_of(metric: Contract[Any], counts: Counts) -> NDArray[np.int8]:
    """Return the index in OUTCOMES of each row of the evidence, or NONE (-1).

    Raises UsageError if the counts have no evidence.
    """
    evidence, outcomes = evidence_of(counts), metric.outcomes
    places = [OUTCOMES.index(outcomes.columns[name]) if name in outcomes.columns else NONE for name in counts.columns]
    found = np.array(places, np.int8)[evidence.column]
    if outcomes.again:
        found[_again(evidence, found)] = NONE
    return found


def _again(evidence: Evidence, outcome: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return which proposed or gold rows repeat a correct edit.

    A repeated row has the span of a correct edit, and its text or the type of the gold edit that it matches, whichever
    alternative it takes.
    """
    met = np.zeros(len(evidence), dtype=bool)
    where = [evidence.sentence, evidence.reference, evidence.start, evidence.end, evidence.order]
    for feature in (evidence.text, evidence.type):
        if feature is None:
            continue
        keys = np.stack([column for column in (*where, feature) if column is not None]).T
        _, same = np.unique(keys, axis=0, return_inverse=True)
        same = same.ravel()  # numpy 2.0.0 returns an additional axis
        met |= np.isin(same, same[outcome == _CORRECT])
    return met & (outcome > _CORRECT)


class Table:
    """The evidence of one system under one metric, by sentence.

    ``choice`` [S] is the reference of each sentence whose evidence is shown.
    """

    def __init__(self, metric: Contract[Any], counts: Counts, choice: NDArray[np.intp]) -> None:
        evidence = evidence_of(counts)
        self.columns, self._strings = counts.columns, evidence.strings
        rows = np.flatnonzero(evidence.reference == choice[evidence.sentence])
        rows = rows[np.argsort(evidence.sentence[rows], kind="stable")]
        self._bounds = np.searchsorted(evidence.sentence[rows], np.arange(len(counts) + 1))
        places = (evidence.text, evidence.side, evidence.start, evidence.end, evidence.type, evidence.order)
        numbers = (evidence.column, evidence.weight, outcomes_of(metric, counts))
        self._parts = [None if part is None else part[rows] for part in (*numbers, *places)]

    def rows(self, s: int) -> list[Row]:
        """Return the rows of sentence s."""
        first, last = self._bounds[s : s + 2].tolist()

        def values(part: NDArray[Any] | None) -> list[Any]:
            return [None] * (last - first) if part is None else part[first:last].tolist()

        def string(place: int | None) -> str | None:
            return None if place is None else self._strings[place]

        found = []
        for column, weight, at, text, side, start, end, kind, order in zip(*map(values, self._parts), strict=True):
            outcome = None if at == NONE else OUTCOMES[at]
            of_reference = None if side is None else side == REFERENCE
            name = self.columns[column]
            found.append(Row(name, weight, outcome, string(text), of_reference, start, end, string(kind), order))
        return found
