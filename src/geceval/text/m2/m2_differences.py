"""Differences between two annotations of one text, edit by edit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from geceval.base.arguments import PLACES, Bounds, as_sequence, whole
from geceval.base.cached import cached_property
from geceval.base.errors import UsageError
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block

#: The annotations that contain an edit: only the first, only the second, or both.
Where: TypeAlias = Literal["one", "other", "both"]
#: A compared edit: sentence, pair of annotators, start, end, correction.
EditKey: TypeAlias = tuple[int, int, int, int, str]

_ID = Bounds(0, PLACES.high)


@dataclass(frozen=True)
class DiffRow:
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

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.one)

    @cached_property
    def edits(self) -> tuple[int, int]:
        """Number of edits of the first and the second."""
        one, other = self._sides
        return len(one), len(other)

    @cached_property
    def shared(self) -> int:
        """Number of edits in both."""
        return sum(row.where == "both" for row in self._rows)

    @cached_property
    def retyped(self) -> int:
        """Number of edits in both whose types differ."""
        return sum(not row.is_same for row in self._rows if row.where == "both")

    @property
    def is_equal(self) -> bool:
        """Whether all edits are in both, with the same types."""
        return all(row.is_same for row in self._rows)

    @property
    def f1(self) -> float:
        """2 · shared / (edits of both); 1 without edits."""
        return _f1(self.shared, self.edits)

    @property
    def spans_f1(self) -> float:
        """F1 of the spans of edits, whatever the corrections."""
        one, other = (Counter(key[:4] for key in self._keys(side)) for side in (0, 1))
        return _f1((one & other).total(), self.edits)

    @property
    def alike(self) -> int:
        """Number of sentences whose edits are all in both, with the same types."""
        return len(self) - len({row.sentence for row in self._rows if not row.is_same})

    @property
    def absent(self) -> tuple[int, int]:
        """Number of sentences that an annotator of the first, or second, has no line in.

        These sentences count as having no edit.
        """
        import numpy as np

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
        lengths = self.one.table.lengths().tolist()
        total = sum(lengths) * len(self.pairs)
        one, other = (
            {
                (sentence, pair, token)
                for sentence, pair, start, end, _ in self._keys(side)
                for token in range(start, min(max(end, start + 1), lengths[sentence]))
            }
            for side in (0, 1)
        )
        rates = [len(own) / total if total else 0.0 for own in (one, other)]
        expected = rates[0] * rates[1] + (1 - rates[0]) * (1 - rates[1])
        return None if expected == 1.0 else ((total - len(one ^ other)) / total - expected) / (1 - expected)

    @cached_property
    def types(self) -> dict[str, TypeCounts]:
        """Counts by type, most frequent first.

        An edit with different types counts in ``both`` of neither.
        """
        one, other = (Counter(name for _, name in side) for side in self._sides)
        both = Counter(row.types[0] for row in self._rows if row.is_same)
        ranked = sorted({*one, *other}, key=lambda name: (-one[name] - other[name], name))
        return {name: TypeCounts((one[name], other[name]), both[name]) for name in ranked}

    def rows(self, *, all: bool = False) -> Iterator[DiffRow]:
        """Return the edits that differ, by sentence and position.

        ``all`` includes the equal ones.
        """
        return (row for row in self._rows if all or not row.is_same)

    @cached_property
    def _rows(self) -> list[DiffRow]:
        mine, theirs = self._sides
        types: dict[EditKey, list[str]] = {}
        for key, name in theirs:
            types.setdefault(key, []).append(name)
        found = [DiffRow(*key, (name, types[key].pop(0) if types.get(key) else None)) for key, name in mine]
        found += [DiffRow(*key, (None, name)) for key, left in types.items() for name in left]
        return sorted(found, key=lambda row: (row.sentence, row.pair, row.start, row.end, row.where == "other"))

    def _keys(self, side: int) -> list[EditKey]:
        return [key for key, _ in self._sides[side]]

    @cached_property
    def _sides(self) -> list[list[tuple[EditKey, str]]]:
        """The compared edits of each annotation with their types."""
        import numpy as np

        from geceval.text.m2.edit_columns import EditColumns

        found = []
        for blocks, annotators in zip((self.one, self.other), zip(*self.pairs, strict=True), strict=True):
            columns = EditColumns(blocks.edits)
            at = np.flatnonzero(columns.is_edit & np.isin(columns.annotator, annotators))
            arrays = (columns.sentence, columns.annotator, columns.start, columns.end, columns.edits.text, columns.type)
            rows = zip(*(column[at].tolist() for column in arrays), strict=True)
            found.append(
                [
                    ((sentence, annotators.index(who), start, end, columns.corrections[text]), columns.strings[name])
                    for sentence, who, start, end, text, name in rows
                ]
            )
        return found


def _f1(shared: int, edits: tuple[int, int]) -> float:
    return 2 * shared / sum(edits) if sum(edits) else 1.0


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
    sides = [Blocks.of(blocks).as_errant().fitting() for blocks in (one, other)]
    _check_sentences(*sides)
    ids = [side.table.annotators or [0] for side in sides]
    if annotators is not None:
        pair = [whole("annotators", annotator, _ID) for annotator in as_sequence("annotators", annotators, "number")]
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
