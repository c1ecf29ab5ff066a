"""Counts of M2 files, and differences between two annotations of one text."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import PLACES, as_sequence, whole
from geceval.base.errors import UsageError
from geceval.text.m2.blocks import Blocks, portions_of
from geceval.text.m2.edit import Block, EditColumns
from geceval.text.m2.suggestions import NO_ANSWER, latency_of

#: The annotations that contain an edit: only the first, only the second, or both.
Where: TypeAlias = Literal["one", "other", "both"]


def f1(shared: int, edits: int) -> float:
    """Return 2 · shared / (edits of both); 1 without edits."""
    return 2 * shared / edits if edits else 1.0


@dataclass
class AnnotatorCounts:
    """Number of sentences with a line of an annotator, of changed ones, and of edits."""

    sentences: int = 0
    changed: int = 0
    edits: int = 0


@dataclass
class AnnotatorAgreement:
    """Agreement of two annotators on the sentences in which both have a line.

    Attributes:
        sentences: number of these sentences.
        edits: number of edits of both.
        shared: number of edits whose span and first correction agree.
        same: number of sentences in which all edits agree.
    """

    sentences: int = 0
    edits: int = 0
    shared: int = 0
    same: int = 0

    @property
    def f1(self) -> float:
        """2 · shared / (edits of both); 1 without edits."""
        return f1(self.shared, self.edits)


@dataclass
class Stats:
    """Counts of an M2 file; noops are no edits.

    Attributes:
        sentences: number of sentences.
        tokens: number of source tokens.
        annotators: counts by annotator.
        types: number of edits by type.
        lengths: number of edits by (source tokens, correction tokens).
        agreement: agreement by pair of annotators.
        unanswered: number of sentences with the line ``I no answer``.
        latencies: number of sentences by latency, of lines such as ``I latency 0.2``.
    """

    sentences: int = 0
    tokens: int = 0
    annotators: dict[int, AnnotatorCounts] = field(default_factory=dict)
    types: Counter[str] = field(default_factory=Counter)
    lengths: Counter[tuple[int, int]] = field(default_factory=Counter)
    agreement: dict[tuple[int, int], AnnotatorAgreement] = field(default_factory=dict)
    unanswered: int = 0
    latencies: Counter[float] = field(default_factory=Counter)

    @property
    def operation(self) -> dict[str, float]:
        """Number of answered sentences, and percentiles of the latency.

        They are latencies of sentences (nearest rank). The result is empty without ``I`` lines of either.
        """
        found: dict[str, float] = {}
        if self.unanswered or self.latencies:
            found = {"sentences": self.sentences, "answered": self.sentences - self.unanswered}
        times = sorted(self.latencies.elements())
        return found | {f"p{p}": times[-(-p * len(times) // 100) - 1] for p in (50, 95, 99) if times}

    @property
    def edits(self) -> int:
        """Number of edits of all annotators."""
        return self.types.total()


def stats(blocks: Iterable[Block]) -> Stats:
    """Count sentences, edits and agreement in one pass with constant memory.

    Args:
        blocks: the blocks; in ChERRANT's dialect all alignments count.

    Returns:
        The counts.
    """
    result = Stats()
    for portion in portions_of(blocks):
        _add(result, portion)
    return result


def _add(result: Stats, blocks: Blocks) -> None:
    notes = blocks.table.notes
    result.unanswered += notes.count(NO_ANSWER)
    result.latencies.update(latency for latency in map(latency_of, notes) if latency is not None)
    columns = EditColumns(blocks.edits)
    result.sentences += len(blocks)
    result.tokens += int(blocks.table.lengths().sum())
    annotators = columns.edits.annotator.tolist()
    edits: list[Counter[tuple[int, int, str]]] = [Counter() for _ in annotators]
    arrays = (columns.version, columns.start, columns.end, columns.edits.text, columns.type)
    for version, start, end, text, name in zip(*(own[columns.is_edit].tolist() for own in arrays), strict=True):
        correction = columns.corrections[text]
        edits[version][start, end, correction] += 1
        result.types[columns.strings[name]] += 1
        result.lengths[end - start, len(correction.split())] += 1
    for annotator, own in zip(annotators, edits, strict=True):
        counts = result.annotators.setdefault(annotator, AnnotatorCounts())
        counts.sentences += 1
        counts.changed += bool(own)
        counts.edits += own.total()
    for first, last in pairwise(columns.edits.versions.tolist()):
        for one, other in combinations(sorted(range(first, last), key=annotators.__getitem__), 2):
            found = result.agreement.setdefault((annotators[one], annotators[other]), AnnotatorAgreement())
            found.sentences += 1
            found.edits += edits[one].total() + edits[other].total()
            found.shared += (edits[one] & edits[other]).total()
            found.same += edits[one] == edits[other]


class DiffRow(NamedTuple):
    """An edit of one or both annotations.

    Attributes:
        sentence: index of the sentence, from 0.
        pair: index in ``Diff.pairs`` of the compared annotators.
        start: first source token.
        end: token after the last one.
        correction: the first alternative; empty for a deletion.
        types: the types in the first and in the second annotation; None if it lacks the edit.
    """

    sentence: int
    pair: int
    start: int
    end: int
    correction: str
    types: tuple[str | None, str | None]

    @property
    def where(self) -> Where:
        """The annotations that contain it."""
        return "other" if self.types[0] is None else "one" if self.types[1] is None else "both"

    @property
    def is_same(self) -> bool:
        """Whether both annotations contain it with the same type."""
        return self.types[0] == self.types[1]


@dataclass(frozen=True)
class TypeCounts:
    """Number of edits of one type in the first and second annotation, and in both."""

    edits: tuple[int, int]
    both: int

    @property
    def f1(self) -> float:
        """2 · both / (edits of either)."""
        return 2 * self.both / sum(self.edits)


class Diff:
    """The differences between two annotations, made by :func:`diff`.

    An edit is in both if span and first correction are equal; types are compared separately. ``pairs`` contains the
    annotators of the first and second annotation that are compared.
    """

    def __init__(self, one: Blocks, other: Blocks, pairs: Sequence[tuple[int, int]]) -> None:
        self.one, self.other, self.pairs = one, other, pairs
        self._numbers: dict[str, int] = {}
        edits = [self._columns(*own) for own in zip((one, other), zip(*pairs, strict=True), strict=True)]
        keys, side = np.concatenate(edits, axis=1), np.repeat((0, 1), [own.shape[1] for own in edits])
        order = np.lexsort((side, *keys[4::-1]))
        keys, side, place = keys[:, order], side[order], np.arange(len(order))
        group, self._counts = _counted(keys[:5], side)
        _, self._spans = _counted(keys[:4], side)
        ones, others = self._counts[group].T
        first = (np.cumsum(self._counts.sum(axis=1)) - self._counts.sum(axis=1))[group]
        rank = place - first - side * ones  # among the equal edits of the annotation
        is_shared = (side == 0) & (rank < others)
        types = np.full((2, len(order)), -1)
        types[side, place] = keys[5]
        types[1, is_shared] = keys[5, (place + ones)[is_shared]]
        # Edits of the second annotation alone are in the order of the first edits that equal them.
        earliest = order[np.where(side == 0, place, first + ones)]
        by_position = np.lexsort((order, earliest, side, *keys[3::-1]))
        is_row = (side == 0) | (rank >= ones)
        self._rows = np.concatenate((keys[:5], types))[:, by_position[is_row[by_position]]]
        self._is_same = self._rows[5] == self._rows[6]

    def _columns(self, blocks: Blocks, annotators: Sequence[int]) -> NDArray[np.int64]:
        """Return the edits [6, E]: sentence, pair, start, end, correction, type.

        Texts are indices of ``_numbers``.
        """
        columns = EditColumns(blocks.edits)
        at = columns.is_edit & np.isin(columns.annotator, annotators)
        pair = np.searchsorted(annotators, columns.annotator[at])
        correction = self._numbered(columns.edits.text[at], columns.corrections)
        kind = self._numbered(columns.type[at], columns.strings)
        return np.stack((columns.sentence[at], pair, columns.start[at], columns.end[at], correction, kind))

    def _numbered(self, places: NDArray[np.int32], texts: Mapping[int, str] | Sequence[str]) -> NDArray[np.int64]:
        known, inverse = np.unique(places, return_inverse=True)
        numbers = [self._numbers.setdefault(texts[place], len(self._numbers)) for place in known.tolist()]
        return np.array(numbers, np.int64)[inverse]

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.one)

    @property
    def edits(self) -> tuple[int, int]:
        """Number of edits of the first and the second."""
        one, other = self._counts.sum(axis=0).tolist()
        return one, other

    @property
    def shared(self) -> int:
        """Number of edits in both."""
        return int(self._counts.min(axis=1).sum())

    @property
    def retyped(self) -> int:
        """Number of edits in both whose types differ."""
        return self.shared - int(self._is_same.sum())

    @property
    def is_equal(self) -> bool:
        """Whether all edits are in both, with the same types."""
        return bool(self._is_same.all())

    @property
    def f1(self) -> float:
        """2 · shared / (edits of both); 1 without edits."""
        return f1(self.shared, sum(self.edits))

    @property
    def spans_f1(self) -> float:
        """F1 of the spans of edits, whatever the corrections."""
        return f1(int(self._spans.min(axis=1).sum()), sum(self.edits))

    @property
    def alike(self) -> int:
        """Number of sentences whose edits are all in both, with the same types."""
        return len(self) - len(np.unique(self._rows[0, ~self._is_same]))

    @property
    def absent(self) -> tuple[int, int]:
        """Number of sentences that an annotator of the first, or second, has no line in.

        These sentences count as having no edit.
        """
        found = []
        for side, own in zip((self.one, self.other), zip(*self.pairs, strict=True), strict=True):
            lines = side.edits.annotator[np.diff(side.edits.offsets) > 0]  # a block without any has an empty version
            found.append(len(self) * len(own) - int(np.isin(lines, own).sum()))
        return found[0], found[1]

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa of which tokens are wrong.

        It is None if agreement by chance is certain.

        Wrong are the tokens inside an edit, and the token to the right of an insertion.
        """
        lengths = self.one.table.lengths()
        total = int(lengths.sum()) * len(self.pairs)
        sentence, pair, start, end, *_ = self._rows
        sentence_start = (np.cumsum(lengths) - lengths)[sentence] + pair * lengths.sum()
        stop = np.minimum(np.maximum(end, start + 1), lengths[sentence])
        depth = np.zeros((2, total + 1), np.int64)  # edits begun minus edits ended, at each token
        for own, kind in zip(depth, self._rows[5:], strict=True):
            np.add.at(own, (sentence_start + start)[kind >= 0], 1)
            np.add.at(own, (sentence_start + stop)[kind >= 0], -1)
        one, other = np.cumsum(depth, axis=1)[:, :total] > 0
        rates = [int(own.sum()) / total if total else 0.0 for own in (one, other)]
        expected = rates[0] * rates[1] + (1 - rates[0]) * (1 - rates[1])
        return None if expected == 1.0 else (int((one == other).sum()) / total - expected) / (1 - expected)

    @property
    def types(self) -> dict[str, TypeCounts]:
        """Counts by type, most frequent first.

        An edit with different types counts in ``both`` of neither.
        """
        kinds = self._rows[5:]
        one, other, both = (
            np.bincount(own[own >= 0], minlength=len(self._numbers)).tolist()
            for own in (*kinds, kinds[0, self._is_same])
        )
        found = [(name, (one[at], other[at]), both[at]) for name, at in self._numbers.items() if one[at] or other[at]]
        found.sort(key=lambda own: (-sum(own[1]), own[0]))
        return {name: TypeCounts(edits, shared) for name, edits, shared in found}

    def rows(self, *, all: bool = False) -> Iterator[DiffRow]:
        """Return the edits that differ, by sentence and position.

        ``all`` includes the equal ones.
        """
        *places, correction, one, other = self._rows if all else self._rows[:, ~self._is_same]
        names = np.array([*self._numbers, None], object)  # the last one is number -1
        types = zip(names[one].tolist(), names[other].tolist(), strict=True)
        columns = *(own.tolist() for own in places), names[correction].tolist(), types
        return itertools.starmap(DiffRow, zip(*columns, strict=True))


def _counted(keys: NDArray[np.int64], side: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the indices of sorted keys [E] among K distinct ones, and counts [K, 2].

    ``side`` is the annotation of each key.
    """
    group = np.cumsum((np.diff(keys, axis=1, prepend=keys[:, :1]) != 0).any(axis=0))
    counts = np.bincount(2 * group + side, minlength=2 * (group.max(initial=0) + 1))
    return group, counts.reshape(-1, 2)


def diff(one: Iterable[Block], other: Iterable[Block], annotators: tuple[int, int] | None = None) -> Diff:
    """Return the differences between two annotations of the same sentences.

    Blocks in ChERRANT's dialect are compared in the form that is scored (Blocks.as_errant).

    Args:
        one: blocks of the first annotation.
        other: blocks of the second.
        annotators: the annotator of the first and of the second to compare. By default the annotators with equal
            numbers if both have the same ones, or the only ones.

    Returns:
        The differences.

    Raises:
        InputError: if the sentences differ or an edit does not fit its sentence.
        UsageError: if the annotators to compare are not clear.
    """
    sides = [Blocks.of(blocks).fitting() for blocks in (one, other)]
    _check_sentences(*sides)
    ids = [side.annotators or [0] for side in sides]
    if annotators is not None:
        pair = [whole("annotators", annotator, PLACES) for annotator in as_sequence("annotators", annotators, "number")]
        if len(pair) != 2:
            raise UsageError(f"two annotators are compared, not {len(pair)}")
        for annotator, known in zip(pair, ids, strict=True):
            if annotator not in known:
                raise UsageError(f"there is no annotator {annotator}: choose from {_listed(known)}")
        return Diff(sides[0], sides[1], [(pair[0], pair[1])])
    if ids[0] == ids[1] or len(ids[0]) == len(ids[1]) == 1:
        return Diff(sides[0], sides[1], list(zip(*ids, strict=True)))
    message = f"the annotators are {_listed(ids[0])} in the first and {_listed(ids[1])} in the second"
    raise UsageError(message, hint="name the annotators to compare, one of each file")


def _listed(ids: Sequence[int]) -> str:
    return ", ".join(map(str, ids))


def _check_sentences(one: Blocks, other: Blocks) -> None:
    """Raise InputError with the first sentence that differs."""
    both = min(len(one), len(other))
    for s in one.source[:both].differing(other.source[:both])[:1]:
        block, mine = other[s], one[s]
        where = f" from {mine.path}:{mine.line}" if mine.path else ""
        raise block.error(f"sentence {s + 1} differs{where}", hint=f"{block.source}\n  {mine.source}")
    if len(one) != len(other):
        first = (one if len(one) > both else other)[both]
        raise first.error(f"the first has {len(one)} sentences, the second {len(other)}: this one is missing there")
