"""Human ratings: a number for every sentence of every system, as GMEG publishes them (Napoles et al. 2019).

A CSV file with a column a system, headed by its name, and a row a sentence, in the order of the outputs; a cell without
a number is a sentence nobody rated. Rankings follow from ratings, not the other way round: each rated sentence is an
item in which the systems stand by their ratings.
"""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import InputError
from geceval.statistics import Floats
from geceval.studies.meta.judgments import Item, Judgments
from geceval.text.reading.lines import read_text


@dataclass(frozen=True)
class Ratings:
    """``values[system, sentence]``, the larger the better, NaN where nobody rated; systems by code point."""

    path: str
    systems: tuple[str, ...]
    values: Floats

    @property
    def source_ids(self) -> tuple[int, ...]:
        """The sentences that somebody rated, from 0."""
        return tuple(np.flatnonzero(~np.isnan(self.values).all(axis=0)).tolist())

    def means(self) -> Floats:
        """The mean rating [systems]; NaN without any."""
        means: Floats = self.weighted(np.ones((1, self.values.shape[1]), np.int64))[0]
        return means

    def weighted(self, weights: NDArray[np.int64]) -> Floats:
        """The mean ratings [replicates, systems] with ``weights[replicate, sentence]``."""
        rated = ~np.isnan(self.values)
        counts = weights @ rated.T
        sums = weights @ np.where(rated, self.values, 0.0).T
        means: Floats = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
        return means

    def of(self, lines: Sequence[int]) -> Ratings:
        """The ratings of these sentences, in this order."""
        return Ratings(self.path, self.systems, self.values[:, list(lines)])

    def judgments(self) -> Judgments:
        """The rankings that the ratings make: rank 1 for the highest of a sentence, equal ratings share a rank."""
        items = [self._item(row) for row in range(self.values.shape[1])]
        return Judgments(self.path, tuple(item for item in items if item.groups))

    def _item(self, row: int) -> Item:
        ratings = self.values[:, row]
        rated = [k for k in range(len(self.systems)) if not math.isnan(ratings[k])]
        ranks = tuple(1 + int((ratings[rated] > ratings[k]).sum()) for k in rated)
        return Item(row, "", tuple((self.systems[k],) for k in rated), ranks, row + 2)


def read_ratings(path: str | os.PathLike[str]) -> Ratings:
    """Read a file of ratings.

    Raises InputError, with file and line, when it cannot be read, a system has two columns, a row has another number of
    cells than the head, or a cell holds what is neither a finite number nor empty.
    """
    rows = list(csv.reader(io.StringIO(read_text(path), newline="")))
    if len(rows) < 2 or len(rows[0]) < 2:
        hint = "expected a column of ratings for each system, headed by its name, and a row for each sentence"
        raise InputError("holds no ratings of two systems or more", path=path, hint=hint)
    names = [name.strip() for name in rows[0]]
    for name in names:
        if not name or names.count(name) > 1:
            raise InputError("two columns have one name" if name else "a column has no name", path=path, line=1)
    cells = [_row(row, len(names), path, line) for line, row in enumerate(rows[1:], 2)]
    order = sorted(range(len(names)), key=names.__getitem__)
    values = np.array(cells, np.float64).T[order]
    if np.isnan(values).all():
        raise InputError("holds no rating", path=path)
    return Ratings(os.fspath(path), tuple(names[k] for k in order), values)


def _row(row: list[str], columns: int, path: str | os.PathLike[str], line: int) -> list[float]:
    if len(row) != columns:
        raise InputError(f"{len(row)} cells, where the head has {columns}", path=path, line=line)
    return [_rating(cell.strip(), path, line) for cell in row]


def _rating(cell: str, path: str | os.PathLike[str], line: int) -> float:
    try:
        value = float(cell) if cell else math.nan
    except ValueError:
        value = math.inf
    if math.isinf(value) or (cell and math.isnan(value)):
        raise InputError(f"a rating is a finite number or an empty cell, not {cell!r}", path=path, line=line)
    return value
