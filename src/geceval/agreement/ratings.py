"""Read human ratings of sentences, as published by GMEG (Napoles et al. 2019).

A CSV file has one column per system, whose head is the system's name, and one row per sentence, in the order of the
outputs. The cell of an unrated sentence is empty. Ratings determine rankings: each rated sentence is an item whose
systems are ranked by their ratings.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from geceval.agreement.judgments import Item, Judgments
from geceval.base.arguments import shown
from geceval.base.errors import InputError
from geceval.statistics import Floats
from geceval.text.files import read_text
from geceval.text.reading.csv_rows import read_rows


@dataclass(frozen=True)
class Ratings:
    """Ratings of systems by sentence.

    Attributes:
        path: Path of the file.
        systems: Names of the systems, sorted by code point.
        values: Ratings [systems, S], high is good; NaN if not rated.
    """

    path: str
    systems: tuple[str, ...]
    values: Floats

    @property
    def source_ids(self) -> tuple[int, ...]:
        """Numbers of the rated sentences, from 0."""
        return tuple(np.flatnonzero(~np.isnan(self.values).all(axis=0)).tolist())

    def means(self) -> Floats:
        """Return the mean rating [systems]; NaN without ratings."""
        return np.asarray(self.weighted(np.ones((1, self.values.shape[1]), np.int64))[0])

    def weighted(self, weights: NDArray[np.int64]) -> Floats:
        """Return the mean ratings [replicates, systems] under weights [replicates, S]."""
        rated = ~np.isnan(self.values)
        counts = weights @ rated.T
        sums = weights @ np.where(rated, self.values, 0.0).T
        return np.asarray(np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0))

    def of(self, lines: Sequence[int]) -> Ratings:
        """Return the ratings of sentences, in the given order."""
        return Ratings(self.path, self.systems, self.values[:, list(lines)])

    def judgments(self) -> Judgments:
        """Return the rankings by rating; equal ratings share a rank, 1 is the highest."""
        items = [self._item(row) for row in range(self.values.shape[1])]
        return Judgments(self.path, tuple(item for item in items if item.groups))

    def _item(self, row: int) -> Item:
        ratings = self.values[:, row]
        rated = [k for k in range(len(self.systems)) if not math.isnan(ratings[k])]
        ranks = tuple(1 + int((ratings[rated] > ratings[k]).sum()) for k in rated)
        return Item(row, "", tuple((self.systems[k],) for k in rated), ranks, row + 2)


def read_ratings(path: str | os.PathLike[str]) -> Ratings:
    """Read a CSV file of ratings.

    Args:
        path: Path of the file.

    Returns:
        Ratings [systems, S]; high is good.

    Raises:
        InputError: If the file cannot be read, a system has two columns, a row and the head differ in length, or a
            cell is neither empty nor a finite number; names file and line.
    """
    rows = [row for _, row in read_rows(read_text(path), path)]
    if len(rows) < 2 or len(rows[0]) < 2:
        hint = "expected a column of ratings for each system, headed by its name, and a row for each sentence"
        raise InputError("the file has no ratings of at least two systems", path=path, hint=hint)
    names = [name.strip() for name in rows[0]]
    for name in names:
        if not name or names.count(name) > 1:
            raise InputError(f"two columns are named {name}" if name else "a column has no name", path=path, line=1)
    cells = [_row(row, len(names), path, line) for line, row in enumerate(rows[1:], 2)]
    order = sorted(range(len(names)), key=names.__getitem__)
    values = np.array(cells, np.float64).T[order]
    if np.isnan(values).all():
        raise InputError("the file has no ratings", path=path)
    return Ratings(os.fspath(path), tuple(names[k] for k in order), values)


def _row(row: list[str], columns: int, path: str | os.PathLike[str], line: int) -> list[float]:
    if len(row) != columns:
        raise InputError(f"the row has {len(row)} cells, the head has {columns}", path=path, line=line)
    return [_rating(cell.strip(), path, line) for cell in row]


def _rating(cell: str, path: str | os.PathLike[str], line: int) -> float:
    try:
        value = float(cell) if cell else math.nan
    except ValueError:
        value = math.inf
    if math.isinf(value) or (cell and math.isnan(value)):
        raise InputError(f"a rating must be a finite number or an empty cell, not {shown(cell)}", path=path, line=line)
    return value
