"""Rows of evidence by sentence, with the outcome of each edit or n-gram."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from geceval.counting.breakdown import evidence_of
from geceval.counting.counts import REFERENCE, Counts, Evidence, Floats
from geceval.counting.metric import Metric, Outcome

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

    ``choice`` [S] is the reference of each sentence whose evidence is shown. ``shared`` has the texts of the tables of
    several systems, most of which all have, once.

    Attributes:
        columns: Columns of the counts.
        strings: Texts and types.
    """

    def __init__(self, metric: Metric[Any], counts: Counts, choice: NDArray[np.intp], shared: dict[str, str]) -> None:
        evidence = evidence_of(counts)
        self.columns, self._size = counts.columns, len(counts)
        self.strings = [shared.setdefault(text, text) for text in evidence.strings]
        rows = np.flatnonzero(evidence.reference == choice[evidence.sentence])
        rows = rows[np.argsort(evidence.sentence[rows], kind="stable")]
        self._sentence, self._weights = evidence.sentence[rows], evidence.weight[rows]
        places = (evidence.text, evidence.side, evidence.start, evidence.end, evidence.type, evidence.order)
        numbers = (evidence.column, outcomes_of(metric, counts), *places)
        absent = np.full(len(rows), NONE)
        self._numbers = np.stack([absent if part is None else part[rows] for part in numbers], 1).astype(np.int32)

    def by_sentence(self, longest: int | None = None) -> PlainRows:
        """Return the rows of each sentence as numbers.

        ``longest`` excludes rows without an outcome and n-grams of higher order.
        """
        keep = slice(None)
        if longest is not None:
            keep = (self._numbers[:, 1] != NONE) & (self._numbers[:, -1] <= longest)
        bounds = np.searchsorted(self._sentence[keep], np.arange(self._size + 1)).tolist()
        return PlainRows(bounds, self._numbers[keep], self._weights[keep])

    @cached_property
    def _plain(self) -> PlainRows:
        return self.by_sentence()

    def rows(self, s: int) -> list[Row]:
        """Return the rows of sentence s."""
        return [self._row(weight, *numbers) for weight, numbers in self._plain[s]]

    def _row(self, weight: float, column: int, at: int, text: int, *places: int) -> Row:
        side, start, end, kind, order = (None if place == NONE else place for place in places)
        outcome = None if at == NONE else OUTCOMES[at]
        of_reference = None if side is None else side == REFERENCE
        said, type_ = (None if place in (None, NONE) else self.strings[place] for place in (text, kind))
        return Row(self.columns[column], weight, outcome, said, of_reference, start, end, type_, order)


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
        own = slice(self.bounds[s], self.bounds[s + 1])
        return zip(self.weights[own].tolist(), self.numbers[own].tolist(), strict=True)
