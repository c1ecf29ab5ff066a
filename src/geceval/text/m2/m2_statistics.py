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

from geceval.base.arguments import PLACES, as_sequence, choices, whole
from geceval.base.errors import UsageError, short_traceback
from geceval.text.m2.blocks import Blocks, portions_of
from geceval.text.m2.edit import Block, EditColumns, Misfits
from geceval.text.m2.operations import fitting_blocks
from geceval.text.m2.suggestion_rows import NO_ANSWER_NOTE, latency_of

#: Largest number of annotators of a sentence whose agreement is counted.
MOST_ANNOTATORS = 100
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
        sentences: Number of these sentences.
        edits: Number of edits of both.
        shared: Number of edits whose span and first correction agree.
        same: Number of sentences in which all edits agree.
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
        sentences: Number of sentences.
        tokens: Number of source tokens.
        annotators: Counts by annotator.
        types: Number of edits by type.
        lengths: Number of edits by (source tokens, correction tokens).
        agreement: Agreement by pair of annotators, of the first 100 of each sentence.
        unanswered: Number of sentences with the line ``I no answer``.
        latencies: Number of sentences by latency, of lines such as ``I latency 0.2``.
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

        Percentiles use the nearest rank. The result is empty without ``I`` lines.
        """
        if not (self.unanswered or self.latencies):
            return {}
        result: dict[str, float] = {"sentences": self.sentences, "answered": self.sentences - self.unanswered}
        latencies = sorted(self.latencies.elements())
        if latencies:
            for percent in (50, 95, 99):
                result[f"p{percent}"] = latencies[-(-percent * len(latencies) // 100) - 1]
        return result

    @property
    def edits(self) -> int:
        """Number of edits of all annotators."""
        return self.types.total()


@short_traceback
def stats(blocks: Iterable[Block]) -> Stats:
    """Count sentences, edits and agreement in one pass with constant memory.

    Args:
        blocks: The blocks; in ChERRANT's dialect all alignments count.

    Returns:
        The counts.
    """
    result = Stats()
    for portion in portions_of(blocks):
        _add_counts(result, portion)
    return result


def _add_counts(result: Stats, blocks: Blocks) -> None:
    notes = blocks.table.notes
    result.unanswered += notes.count(NO_ANSWER_NOTE)
    result.latencies.update(latency for latency in map(latency_of, notes) if latency is not None)
    columns = EditColumns(blocks.edits)
    result.sentences += len(blocks)
    result.tokens += int(blocks.table.lengths().sum())
    annotators = columns.edits.annotator.tolist()
    edits: list[Counter[tuple[int, int, str]]] = [Counter() for _ in annotators]
    arrays = (columns.version, columns.start, columns.end, columns.edits.text, columns.type)
    for version, start, end, text, type_ in zip(*(array[columns.is_edit].tolist() for array in arrays), strict=True):
        correction = columns.corrections[text]
        edits[version][start, end, correction] += 1
        result.types[columns.strings[type_]] += 1
        result.lengths[end - start, len(correction.split())] += 1
    for annotator, version_edits in zip(annotators, edits, strict=True):
        counts = result.annotators.setdefault(annotator, AnnotatorCounts())
        counts.sentences += 1
        counts.changed += bool(version_edits)
        counts.edits += version_edits.total()
    for begin, end in pairwise(columns.edits.versions.tolist()):
        versions = sorted(range(begin, end), key=annotators.__getitem__)
        for first, second in combinations(versions[:MOST_ANNOTATORS], 2):
            agreement = result.agreement.setdefault((annotators[first], annotators[second]), AnnotatorAgreement())
            agreement.sentences += 1
            agreement.edits += edits[first].total() + edits[second].total()
            agreement.shared += (edits[first] & edits[second]).total()
            agreement.same += edits[first] == edits[second]


class DiffRow(NamedTuple):
    """An edit of one or both annotations.

    Attributes:
        sentence: Index of the sentence, from 0.
        pair: Index in ``Diff.pairs`` of the compared annotators.
        start: First source token.
        end: Token after the last one.
        correction: The first alternative; empty for a deletion.
        types: The types in the first and in the second annotation; None if it lacks the edit.
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
        self._string_ids: dict[str, int] = {}
        first_annotators, second_annotators = zip(*pairs, strict=True)
        edits = self._edit_keys(one, first_annotators), self._edit_keys(other, second_annotators)
        keys, side = np.concatenate(edits, axis=1), np.repeat((0, 1), [side_keys.shape[1] for side_keys in edits])
        order = np.lexsort((side, *keys[4::-1]))
        keys, side, index = keys[:, order], side[order], np.arange(len(order))
        group, self._counts = _group_counts(keys[:5], side)
        _, self._span_counts = _group_counts(keys[:4], side)
        in_first, in_second = self._counts[group].T
        group_start = (np.cumsum(self._counts.sum(axis=1)) - self._counts.sum(axis=1))[group]
        rank = index - group_start - side * in_first  # among the equal edits of the annotation
        is_shared = (side == 0) & (rank < in_second)
        types = np.full((2, len(order)), -1)
        types[side, index] = keys[5]
        types[1, is_shared] = keys[5, (index + in_first)[is_shared]]
        # Edits of the second annotation alone are in the order of the first edits that equal them.
        earliest = order[np.where(side == 0, index, group_start + in_first)]
        by_position = np.lexsort((order, earliest, side, *keys[3::-1]))
        is_row = (side == 0) | (rank >= in_first)
        self._rows = np.concatenate((keys[:5], types))[:, by_position[is_row[by_position]]]
        self._is_same = self._rows[5] == self._rows[6]

    def _edit_keys(self, blocks: Blocks, annotators: Sequence[int]) -> NDArray[np.int64]:
        """Return the edits [6, E]: sentence, pair, start, end, correction, type.

        Corrections and types are values of ``_string_ids``.
        """
        columns = EditColumns(blocks.edits)
        is_compared = columns.is_edit & np.isin(columns.annotator, annotators)
        pair = np.searchsorted(annotators, columns.annotator[is_compared])
        spans = (column[is_compared] for column in (columns.start, columns.end))
        correction = self._ids(columns.edits.text[is_compared], columns.corrections)
        type_ = self._ids(columns.type[is_compared], columns.strings)
        return np.stack((columns.sentence[is_compared], pair, *spans, correction, type_))

    def _ids(self, indices: NDArray[np.int32], strings: Mapping[int, str] | Sequence[str]) -> NDArray[np.int64]:
        """Return the ids of the strings with these indices; adds new strings to ``_string_ids``."""
        distinct, inverse = np.unique(indices, return_inverse=True)
        ids = [self._string_ids.setdefault(strings[index], len(self._string_ids)) for index in distinct.tolist()]
        return np.array(ids, np.int64)[inverse]

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.one)

    @property
    def edits(self) -> tuple[int, int]:
        """Number of edits of the first and the second."""
        first, second = self._counts.sum(axis=0).tolist()
        return first, second

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
        return f1(int(self._span_counts.min(axis=1).sum()), sum(self.edits))

    @property
    def alike(self) -> int:
        """Number of sentences whose edits are all in both, with the same types."""
        return len(self) - len(np.unique(self._rows[0, ~self._is_same]))

    @property
    def absent(self) -> tuple[int, int]:
        """Number of sentences without a line of an annotator of the first, or second, annotation.

        These sentences count as having no edit.
        """
        counts = []
        for blocks, annotators in zip((self.one, self.other), zip(*self.pairs, strict=True), strict=True):
            # A block without lines has an empty version.
            lines = blocks.edits.annotator[np.diff(blocks.edits.offsets) > 0]
            counts.append(len(self) * len(annotators) - int(np.isin(lines, annotators).sum()))
        return counts[0], counts[1]

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa of which tokens are wrong; None if agreement by chance is certain.

        Wrong are the tokens inside an edit, and the token to the right of an insertion.
        """
        lengths = self.one.table.lengths()
        total = int(lengths.sum()) * len(self.pairs)
        sentence, pair, start, end, *_ = self._rows
        sentence_start = (np.cumsum(lengths) - lengths)[sentence] + pair * lengths.sum()
        stop = np.minimum(np.maximum(end, start + 1), lengths[sentence])
        depth = np.zeros((2, total + 1), np.int64)  # edits begun minus edits ended, at each token
        for side_depth, types in zip(depth, self._rows[5:], strict=True):
            np.add.at(side_depth, (sentence_start + start)[types >= 0], 1)
            np.add.at(side_depth, (sentence_start + stop)[types >= 0], -1)
        is_wrong = np.cumsum(depth, axis=1)[:, :total] > 0
        first, second = (int(side.sum()) / total if total else 0.0 for side in is_wrong)
        expected = first * second + (1 - first) * (1 - second)
        if expected == 1.0:
            return None
        return (int((is_wrong[0] == is_wrong[1]).sum()) / total - expected) / (1 - expected)

    @property
    def types(self) -> dict[str, TypeCounts]:
        """Counts by type, most frequent first.

        An edit with different types counts in ``both`` of neither.
        """
        types = self._rows[5:]
        first, second, both = (
            np.bincount(column[column >= 0], minlength=len(self._string_ids)).tolist()
            for column in (*types, types[0, self._is_same])
        )
        counts = {
            name: TypeCounts((first[i], second[i]), both[i])
            for name, i in self._string_ids.items()
            if first[i] or second[i]
        }
        return dict(sorted(counts.items(), key=lambda item: (-sum(item[1].edits), item[0])))

    def rows(self, *, all: bool = False) -> Iterator[DiffRow]:
        """Return the edits that differ, by sentence and position.

        ``all`` includes the equal ones.
        """
        *positions, correction, first, second = self._rows if all else self._rows[:, ~self._is_same]
        strings = np.array([*self._string_ids, None], object)  # id -1 is None
        types = zip(strings[first].tolist(), strings[second].tolist(), strict=True)
        columns = *(column.tolist() for column in positions), strings[correction].tolist(), types
        return itertools.starmap(DiffRow, zip(*columns, strict=True))


def _group_counts(keys: NDArray[np.int64], side: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the group [E] of each of the sorted keys, and the counts [K, 2] of the K groups in both annotations.

    ``side`` is the annotation of each key.
    """
    group = np.cumsum((np.diff(keys, axis=1, prepend=keys[:, :1]) != 0).any(axis=0))
    counts = np.bincount(2 * group + side, minlength=2 * (group.max(initial=0) + 1))
    return group, counts.reshape(-1, 2)


@short_traceback
def diff(
    one: Iterable[Block], other: Iterable[Block], annotators: tuple[int, int] | None = None, misfits: Misfits = "error"
) -> Diff:
    """Return the differences between two annotations of the same sentences.

    Blocks in ChERRANT's dialect are compared in the form that is scored (Blocks.as_errant).

    Args:
        one: Blocks of the first annotation.
        other: Blocks of the second.
        annotators: The annotator of the first and of the second to compare. By default the annotators with equal
            numbers if both have the same ones, or the only ones.
        misfits: Treatment of edits that do not fit their sentence; see fitting.

    Returns:
        The differences.

    Raises:
        InputError: If the sentences differ; see ``misfits``.
        UsageError: If the annotators to compare are not clear.
    """
    first, second = (fitting_blocks(Blocks.of(blocks), misfits) for blocks in (one, other))
    _check_sentences(first, second)
    ids = [blocks.annotators or [0] for blocks in (first, second)]
    if annotators is not None:
        pair = [whole("annotators", annotator, PLACES) for annotator in as_sequence("annotators", annotators, "number")]
        if len(pair) != 2:
            raise UsageError(f"two annotators are compared, not {len(pair)}")
        for annotator, known in zip(pair, ids, strict=True):
            if annotator not in known:
                raise UsageError(f"annotator {annotator} does not exist: choose from {choices(known)}")
        return Diff(first, second, [(pair[0], pair[1])])
    if ids[0] == ids[1] or len(ids[0]) == len(ids[1]) == 1:
        return Diff(first, second, list(zip(*ids, strict=True)))
    message = f"the annotators are {choices(ids[0])} in the first and {choices(ids[1])} in the second"
    raise UsageError(message, hint="name the annotators to compare, one of each file")


def _check_sentences(first: Blocks, second: Blocks) -> None:
    """Raise InputError with the first sentence that differs."""
    length = min(len(first), len(second))
    if differing := first.source[:length].differing(second.source[:length]):
        s = differing[0]
        block, expected = second[s], first[s]
        where = f" from {expected.path}:{expected.line}" if expected.path else ""
        raise block.error(f"sentence {s + 1} differs{where}", hint=f"{block.source}\n  {expected.source}")
    if len(first) != len(second):
        block = (first if len(first) > length else second)[length]
        raise block.error(f"the first has {len(first)} sentences, the second {len(second)}: this one is missing there")
