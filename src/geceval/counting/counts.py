"""What metrics yield: counts, additive numbers of sentences and references, and scores."""

from __future__ import annotations

import dataclasses
import numbers
import operator
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from geceval.base.cached import cached_property
from geceval.base.errors import InputError, UsageError
from geceval.statistics import Floats as Floats

T = TypeVar("T")

Level: TypeAlias = Literal["corpus", "sentence", "mean"]
LEVELS: tuple[Level, ...] = get_args(Level)


#: ``Evidence.side``: whose edit it is.
HYPOTHESIS, REFERENCE = 0, 1


@dataclass(frozen=True, eq=False)
class Evidence:
    """Why counts are what they are: columns of E rows, each of which adds ``weight`` to one cell of the counts.

    Row e adds to ``array[sentence[e], reference[e], column[e]]``; grouped by these three the weights sum to the array.
    Of metrics on edits (or chunks) ``side`` says whose edit it is (HYPOTHESIS, REFERENCE), ``start`` and ``end`` the
    source tokens it spans, ``text`` and ``type`` are places in ``strings``; of metrics on n-grams ``order`` is the
    order and ``text`` the n-gram, its tokens joined by a blank. ``partner``: where an edit counts for one of the
    reference's, which of those, by its place (-1: none). A column that does not apply is None.
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

    def picked(self, rows: slice | NDArray[np.intp], **changed: NDArray[Any]) -> Evidence:
        """Some of the rows, with columns that are ``changed``."""
        parts = {name: own[rows] for name, own in vars(self).items() if isinstance(own, np.ndarray)}
        return dataclasses.replace(self, **parts | changed)

    @staticmethod
    def concatenate(parts: Sequence[Evidence], starts: Sequence[int]) -> Evidence:
        """The evidence of consecutive parts of a corpus, which begin at the sentences ``starts``."""
        places: dict[str, int] = {}
        tables = [np.array([places.setdefault(text, len(places)) for text in part.strings], np.int32) for part in parts]

        def joined(name: str) -> Any:
            columns = [getattr(part, name) for part in parts]
            if any(column is None for column in columns):
                return None
            if name == "sentence":
                columns = [column + start for column, start in zip(columns, starts, strict=True)]
            if name in ("text", "type"):
                columns = [table[column] for table, column in zip(tables, columns, strict=True)]
            return np.concatenate(columns)

        columns = {own.name: joined(own.name) for own in dataclasses.fields(Evidence) if own.name != "strings"}
        return Evidence(**columns, strings=tuple(places))

    def sums(self, shape: tuple[int, int, int]) -> Floats:
        """The weights grouped by sentence, reference and column: ``array`` [S, R, K], by the law."""
        cells = np.ravel_multi_index((self.sentence, self.reference, self.column), shape)
        sums = np.bincount(cells, self.weight, minlength=int(np.prod(shape)))
        return np.asarray(sums, dtype=np.float64).reshape(shape)


#: The types in which counts are kept.
KEPT = (np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.float64))


@dataclass(frozen=True, eq=False)
class Counts:
    """Additive numbers of one system: ``array[s, r, k]`` with a name for each column k.

    Numbers of other types than int32, int64 and float64 are brought into one of the latter two.
    ``present[s, r]`` is False where sentence s has no reference r (None: all are there); such rows are 0, never chosen.
    ``evidence`` and ``labels``, [S], by which sentences may be grouped, are there where they were asked for.
    ``given_up``, [S]: a time limit ended the counting of the sentence, as the metric says (None: of no sentence).
    """

    array: NDArray[Any]
    columns: tuple[str, ...]
    present: NDArray[np.bool_] | None = None
    evidence: Evidence | None = None
    labels: Sequence[Any] | None = None
    given_up: NDArray[np.bool_] | None = None
    _worked_out: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.array.ndim != 3 or self.array.shape[2] != len(self.columns):
            shape = self.array.shape
            raise InputError(f"counts of shape {shape} do not fit [S, R, {len(self.columns)}]")
        if self.array.dtype not in KEPT:
            if self.array.dtype.kind not in "biuf":
                raise InputError(f"counts are numbers, not {self.array.dtype}")
            wide = np.float64 if self.array.dtype.kind == "f" else np.int64
            object.__setattr__(self, "array", self.array.astype(wide))

    def __len__(self) -> int:
        return len(self.array)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_worked_out": {}}

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What ``make`` yields, worked out once for these counts: several consumers look at the same ones."""
        if key not in self._worked_out:
            self._worked_out[key] = make()
        made: T = self._worked_out[key]
        return made

    def __add__(self, other: Counts) -> Counts:
        """The counts of two parts of a corpus, one after the other."""
        return Counts.concatenate([self, other])

    def without_evidence(self) -> Counts:
        """The numbers alone."""
        return self if self.evidence is None else dataclasses.replace(self, evidence=None)

    def at(self, sentences: NDArray[np.intp]) -> Counts:
        """The numbers of some sentences, by their places: neither evidence nor labels."""
        present, given_up = (None if own is None else own[sentences] for own in (self.present, self.given_up))
        return Counts(self.array[sentences], self.columns, present, given_up=given_up)

    @staticmethod
    def concatenate(parts: Sequence[Counts]) -> Counts:
        """The counts of consecutive parts of a corpus, with the same columns; missing references are filled up.

        Evidence and labels are joined if all parts have them.
        """
        if not parts:
            raise UsageError("nothing was counted")
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
            no = np.zeros(max(map(len, parts)), dtype=bool)
            given_up = np.concatenate([no[: len(part)] if part.given_up is None else part.given_up for part in parts])
        return Counts(array, parts[0].columns, present, joined, labels, given_up)

    @cached_property
    def mask(self) -> NDArray[np.bool_]:
        """``present``, spelled out: [S, R]."""
        return np.ones(self.array.shape[:2], dtype=bool) if self.present is None else self.present

    def chosen(self, choice: NDArray[np.intp]) -> NDArray[Any]:
        """The rows [S, K] of the chosen references, ``choice[s]``."""
        rows: NDArray[Any] = self.array[np.arange(len(self)), choice]
        return rows


def _filled(rows: NDArray[Any], references: int) -> NDArray[Any]:
    """[s, r, …] with rows of 0 (False) for the references that are missing."""
    missing = references - rows.shape[1]
    return np.pad(rows, [(0, 0), (0, missing)] + [(0, 0)] * (rows.ndim - 2)) if missing else rows


@dataclass(frozen=True, repr=False)
class Score:
    """A value in [0, 1] with its named parts and the signature that says how it came about.

    ``totals`` are the summed counts behind it (means over the samples where references are sampled), ``deviation``
    the standard deviation over the samples, or None. It is written and ordered as its value, ``f"{score:.2f}"``,
    ``score > 0.5``, ``max(scores)``; equal are scores of which all is.
    """

    metric: str
    value: float
    signature: str
    level: Level = "corpus"
    sentences: int = 0
    parts: Mapping[str, float] = field(default_factory=dict)
    totals: Mapping[str, float] = field(default_factory=dict)
    deviation: float | None = None

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        parts = "".join(f", {name} {part:.4f}" for name, part in self.parts.items() if name in ("precision", "recall"))
        return f"<{self.metric} {self.value:.4f}{parts}>"

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def _ordered(self, other: object, order: Callable[[float, float], bool]) -> bool:
        if isinstance(other, Score):
            if other.metric != self.metric:
                raise UsageError(f"scores of {self.metric} and {other.metric} say nothing of which is better")
            return order(self.value, other.value)
        if isinstance(other, numbers.Real):
            return bool(order(self.value, float(other)))
        return NotImplemented  # type: ignore[no-any-return]

    def __lt__(self, other: object) -> bool:
        return self._ordered(other, operator.lt)

    def __le__(self, other: object) -> bool:
        return self._ordered(other, operator.le)

    def __gt__(self, other: object) -> bool:
        return self._ordered(other, operator.gt)

    def __ge__(self, other: object) -> bool:
        return self._ordered(other, operator.ge)

    def _part(self, name: str) -> float:
        if name not in self.parts:
            has = ", ".join(self.parts) or "none"
            raise AttributeError(f"a score of {self.metric} ({self.level}) has no {name}; its parts: {has}")
        return self.parts[name]

    @property
    def precision(self) -> float:
        """The part of this name. Raises AttributeError for a metric without it."""
        return self._part("precision")

    @property
    def recall(self) -> float:
        """The part of this name. Raises AttributeError for a metric without it."""
        return self._part("recall")

    def to_dict(self) -> dict[str, Any]:
        """A dictionary of plain numbers and strings; ``Score(**score.to_dict())`` is equal to the score."""
        return dataclasses.asdict(self) | {"parts": dict(self.parts), "totals": dict(self.totals)}
