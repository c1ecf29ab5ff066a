"""Counts and evidence of edits that are computed in Python, cell by cell."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from geceval.counting.counts import Counts, Evidence
from geceval.edits.changes import Change


def ragged_counts(
    references: ArrayLike, cells: NDArray[Any], columns: tuple[str, ...], evidence: Evidence | None
) -> Counts:
    """Return the counts of sentences with ``references`` [S] references each.

    ``cells``: in order, [*, K].
    """
    numbers = np.asarray(references)
    present = np.arange(numbers.max()) < numbers[:, np.newaxis]
    array = np.zeros((*present.shape, len(columns)), cells.dtype)
    array[present] = cells
    return Counts(array, columns, None if present.all() else present, evidence)


class EvidenceRows:
    """Evidence to which edits are added one by one.

    ``partners``: whether it states the edit that an edit counts for.
    """

    def __init__(self, *, partners: bool = False) -> None:
        self._partners = partners
        self._places: dict[str, int] = {}
        self._rows: list[tuple[float, ...]] = []

    def add(self, cell: tuple[int, int, int], weight: float, side: int, edit: Change, partner: int = -1) -> None:
        """Add an edit to the cell (sentence, reference, column) of the counts."""
        text, type_ = (self._places.setdefault(said, len(self._places)) for said in (edit.correction, edit.type))
        self._rows.append((*cell, weight, side, edit.start, edit.end, text, type_, partner))

    def evidence(self) -> Evidence:
        """Return the rows as columns."""
        table = np.array(self._rows, dtype=np.float64).reshape(-1, 10).T
        sentence, reference, column = table[:3].astype(np.int64)
        start, end, text, type_, partner = table[5:].astype(np.int32)
        side, strings = table[4].astype(np.uint8), list(self._places)
        own = partner if self._partners else None
        return Evidence(
            sentence, reference, column, table[3], side, start, end, text, type_, strings=strings, partner=own
        )
