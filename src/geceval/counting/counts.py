"""Counts: additive numbers by sentence and reference, with their evidence."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import InputError, UsageError
from geceval.statistics import Floats as Floats

T = TypeVar("T")

#: Values of ``Evidence.side``.
HYPOTHESIS, REFERENCE = 0, 1


@dataclass(frozen=True, eq=False)
class Evidence:
    """Evidence of counts, as columns of E rows.

    Row e adds its weight to ``array[sentence[e], reference[e], column[e]]``; grouped by these three, the weights sum to
    the array. An attribute that does not apply is None.

    Attributes:
        sentence: Index of the sentence [E].
        reference: Index of the reference [E].
        column: Index of the column [E].
        weight: Number added to the cell [E].
        side: HYPOTHESIS or REFERENCE [E], for edits and chunks.
        start: First source token [E], for edits and chunks.
        end: End of the source tokens, exclusive [E], for edits and chunks.
        text: Index in ``strings`` [E] of the corrected text, or of the n-gram, tokens joined by a space.
        type: Index in ``strings`` [E] of the edit's type.
        order: Order of the n-gram [E].
        strings: Texts and types.
        partner: Index of the reference's edit that a system's edit matches, -1 for none [E].
    """

    sentence: NDArray[np.int64]
    reference: NDArray[np.int64]
    column: NDArray[np.int64]
    weight: Floats
    side: NDArray[np.uint8] | None = None
    start: NDArray[np.int32] | None = None
    end: NDArray[np.int32] | None = None
    text: NDArray[np.int32] | None = None
    type: NDArray[np.int32] | None = None
    order: NDArray[np.int32] | None = None
    strings: Sequence[str] = ()
    partner: NDArray[np.int32] | None = None

    def __len__(self) -> int:
        return len(self.sentence)

    def take(self, rows: slice | NDArray[np.intp]) -> Evidence:
        """Return some of the rows."""
        columns: dict[str, Any] = {
            name: column[rows] for name, column in vars(self).items() if isinstance(column, np.ndarray)
        }
        return dataclasses.replace(self, **columns)

    @staticmethod
    def concatenate(parts: Sequence[Evidence], starts: Sequence[int]) -> Evidence:
        """Join the evidence of consecutive parts of a corpus.

        Args:
            parts: Evidence of each part.
            starts: Index of the first sentence of each part.
        """
        ids: dict[str, int] = {}
        new_ids = [np.array([ids.setdefault(text, len(ids)) for text in part.strings], np.int32) for part in parts]

        def joined(name: str) -> Any:
            columns = [getattr(part, name) for part in parts]
            if any(column is None for column in columns):
                return None
            if name == "sentence":
                columns = [column + start for column, start in zip(columns, starts, strict=True)]
            if name in ("text", "type"):
                columns = [part_ids[column] for part_ids, column in zip(new_ids, columns, strict=True)]
            return np.concatenate(columns)

        names = [field.name for field in dataclasses.fields(Evidence) if field.name != "strings"]
        return Evidence(**{name: joined(name) for name in names}, strings=tuple(ids))

    def sums(self, shape: tuple[int, int, int]) -> Floats:
        """Return the weights summed by sentence, reference and column, [S, R, K].

        They equal the array of the counts.
        """
        cells = np.ravel_multi_index((self.sentence, self.reference, self.column), shape)
        sums = np.bincount(cells, self.weight, minlength=int(np.prod(shape)))
        return np.asarray(sums, dtype=np.float64).reshape(shape)


#: Data types of counts.
DTYPES = (np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.float64))


@dataclass(frozen=True, eq=False)
class ChosenSums:
    """Sums of the counts of a part with the chosen references, in place of its counts.

    Attributes:
        sums: Sums [K].
        columns: Names of the K columns.
        sentences: Number of sentences.
    """

    sums: NDArray[np.int64]
    columns: tuple[str, ...]
    sentences: int

    def __len__(self) -> int:
        return self.sentences


@dataclass(frozen=True, eq=False)
class Counts:
    """Additive numbers of one system.

    Attributes:
        array: Counts [S, R, K]. Data types other than int32, int64 and float64 are converted to one of the latter two.
        columns: Names of the K columns.
        present: Whether each sentence has each reference [S, R] (None: all are present). Rows of missing references
            are 0 and never chosen.
        evidence: Evidence, if requested.
        labels: Labels [S] for groups of sentences, if requested.
        given_up: Whether a time limit ended the counting of each sentence [S] (None: of no sentence).
    """

    array: NDArray[Any]
    columns: tuple[str, ...]
    present: NDArray[np.bool_] | None = None
    evidence: Evidence | None = None
    labels: Sequence[Any] | None = None
    given_up: NDArray[np.bool_] | None = None
    _cache: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if not (isinstance(self.array, np.ndarray) and isinstance(self.columns, (tuple, list))):
            raise UsageError("counts must be a numpy array [S, R, K] and a tuple of K names")
        if self.array.ndim != 3 or self.array.shape[2] != len(self.columns):
            hint = "a number for each sentence, reference and column: see docs/new-metric.md"
            raise InputError(f"counts of shape {self.array.shape} do not fit [S, R, {len(self.columns)}]", hint=hint)
        if self.present is not None and self.present.shape != self.array.shape[:2]:
            raise InputError(f"present of shape {self.present.shape} does not fit counts [S, R] {self.array.shape[:2]}")
        if self.array.dtype not in DTYPES:
            if self.array.dtype.kind not in "biuf":
                raise InputError(f"counts must be numbers, not {self.array.dtype}")
            wide = np.float64 if self.array.dtype.kind == "f" else np.int64
            object.__setattr__(self, "array", self.array.astype(wide))

    def __len__(self) -> int:
        return len(self.array)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_cache": {}}

    def cached(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the result of ``make``, computed once for these counts.

        Consumers of the same counts share the result.
        """
        try:
            value: T = self._cache[key]
        except KeyError:
            value = self._cache[key] = make()
        return value

    def __add__(self, other: Counts) -> Counts:
        """Join the counts of two consecutive parts of a corpus."""
        return Counts.concatenate([self, other])

    def without_evidence(self) -> Counts:
        """Return the counts without evidence."""
        return self if self.evidence is None else dataclasses.replace(self, evidence=None)

    def at(self, sentences: NDArray[np.intp]) -> Counts:
        """Return the counts of some sentences, by index, without evidence and labels."""
        present = None if self.present is None else self.present[sentences]
        given_up = None if self.given_up is None else self.given_up[sentences]
        return Counts(self.array[sentences], self.columns, present, given_up=given_up)

    def at_references(self, positions: Sequence[int], references: int) -> Counts:
        """Return the counts with their references at some positions of more references; the others are missing.

        Args:
            positions: Positions [R].
            references: Number of references of the result.
        """
        columns = np.asarray(positions, np.intp)
        array = np.zeros((len(self), references, self.array.shape[2]), self.array.dtype)
        array[:, columns] = self.array
        present = np.zeros((len(self), references), dtype=bool)
        present[:, columns] = self.mask
        evidence = self.evidence
        if evidence is not None:
            evidence = dataclasses.replace(evidence, reference=columns[evidence.reference])
        return Counts(array, self.columns, present, evidence, self.labels, self.given_up)

    @staticmethod
    def concatenate(parts: Sequence[Counts]) -> Counts:
        """Join the counts of consecutive parts of a corpus.

        Missing references are added; evidence and labels are joined if all parts have them.

        Args:
            parts: Counts of the parts, with equal columns.

        Raises:
            UsageError: If there are no parts.
        """
        if not parts:
            raise UsageError("no sentences were counted")
        if len(parts) == 1:
            return parts[0]
        references = max(part.array.shape[1] for part in parts)
        present = None
        if any(part.present is not None or part.array.shape[1] < references for part in parts):
            present = np.concatenate([_filled(part.mask, references) for part in parts])
        array = np.concatenate([_filled(part.array, references) for part in parts])
        evidence = [part.evidence for part in parts if part.evidence is not None]
        starts = np.cumsum([0, *map(len, parts)])[:-1].tolist()
        joined = Evidence.concatenate(evidence, starts) if len(evidence) == len(parts) else None
        labels = None
        if all(part.labels is not None for part in parts):
            labels = [label for part in parts for label in part.labels or ()]
        given_up = None
        if any(part.given_up is not None for part in parts):
            columns = [np.zeros(len(part), dtype=bool) if part.given_up is None else part.given_up for part in parts]
            given_up = np.concatenate(columns)
        return Counts(array, parts[0].columns, present, joined, labels, given_up)

    @property
    def mask(self) -> NDArray[np.bool_]:
        """Presence [S, R] of each reference of each sentence."""
        if self.present is not None:
            return self.present
        return self.cached("mask", lambda: np.ones(self.array.shape[:2], dtype=bool))

    def chosen(self, choice: NDArray[np.intp]) -> NDArray[Any]:
        """Return the rows [S, K] of the chosen references, by index [S]."""
        rows: NDArray[Any] = self.array[np.arange(len(self)), choice]
        return rows


def _filled(rows: NDArray[Any], references: int) -> NDArray[Any]:
    """Return the rows [S, R, …] with rows of 0 (False) for missing references."""
    missing = references - rows.shape[1]
    return np.pad(rows, [(0, 0), (0, missing)] + [(0, 0)] * (rows.ndim - 2)) if missing else rows


@contextlib.contextmanager
def sentences_from(start: int) -> Iterator[None]:
    """Add the number of preceding sentences to errors raised within."""
    try:
        yield
    except InputError as error:
        if start == 0 or error.sentence is None:
            raise
        raise error.relocate(start, f"(sentences counted from number {start + 1} on)") from error
