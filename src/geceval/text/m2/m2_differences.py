"""Two annotations of one text held against each other, edit by edit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from geceval.base.arguments import PLACES, Bounds, as_sequence, whole
from geceval.base.cached import cached_property
from geceval.base.errors import UsageError
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from geceval.text.m2.edit_columns import EditColumns

#: Where an edit is: in the first annotation alone, in the second alone, or in both.
Where: TypeAlias = Literal["one", "other", "both"]

_ID = Bounds(0, PLACES.high)


@dataclass(frozen=True)
class DiffRow:
    """An edit of either annotation: of ``sentence`` (from 0), source tokens ``start:end`` become ``correction`` (the
    first one; empty: deleted). ``types``: those it has in the first and in the second, None where it is not.
    ``pair``: the place in ``Diff.pairs`` of those who are compared."""

    sentence: int
    pair: int
    start: int
    end: int
    correction: str
    types: tuple[str | None, str | None]

    @property
    def where(self) -> Where:
        """Where it is."""
        return "other" if self.types[0] is None else "one" if self.types[1] is None else "both"

    @property
    def is_same(self) -> bool:
        """Whether it is in both, with the same type."""
        return self.types[0] == self.types[1]


@dataclass(frozen=True)
class TypeCounts:
    """The edits of one type in the first annotation and in the second, and those that have it in both."""

    edits: tuple[int, int]
    both: int

    @property
    def f1(self) -> float:
        """2 · both / (edits of either)."""
        return 2 * self.both / sum(self.edits)


class Diff:
    """How two annotations of the same sentences differ, made by :func:`diff`.

    An edit is in both if span and first correction are the same; its types are compared apart. ``pairs``: which
    annotator of the first is compared with which of the second.
    """

    def __init__(self, one: Blocks, other: Blocks, pairs: Sequence[tuple[int, int]]) -> None:
        self.one, self.other, self.pairs = one, other, pairs

    def __len__(self) -> int:
        """How many sentences there are."""
        return len(self.one)

    @cached_property
    def edits(self) -> tuple[int, int]:
        """How many edits the first and the second have."""
        return len(self._places[0]), len(self._places[1])

    @property
    def shared(self) -> int:
        """How many are in both."""
        return len(self._paired[0])

    @cached_property
    def retyped(self) -> int:
        """How many of those have other types in the second."""
        return sum(not row.is_same for row in self._rows if row.where == "both")

    @property
    def is_equal(self) -> bool:
        """Whether all edits are in both, with the same types."""
        return self.edits == (self.shared, self.shared) and self.retyped == 0

    @property
    def f1(self) -> float:
        """2 · shared / (edits of both), 1 if there are none."""
        return _f1(self.shared, self.edits)

    @cached_property
    def spans_f1(self) -> float:
        """The same of spans, whatever becomes of them."""
        from geceval.text.m2.edit_columns import paired

        spans = [keys[:, :3] for keys in self._keys]
        return _f1(len(paired(*spans)[0]), self.edits)

    @cached_property
    def alike(self) -> int:
        """In how many sentences all edits are in both, with the same types."""
        return len(self) - len({row.sentence for row in self._rows if not row.is_same})

    @cached_property
    def absent(self) -> tuple[int, int]:
        """How often an annotator of the first has no line in a sentence, and one of the second; this counts as no
        edit."""
        import numpy as np

        found = []
        for side, own in zip((self.one, self.other), zip(*self.pairs, strict=True), strict=True):
            lines = side.edits.annotator[np.diff(side.edits.offsets) > 0]  # a block without any has an empty version
            found.append(len(self) * len(own) - int(np.isin(lines, own).sum()))
        return found[0], found[1]

    @cached_property
    def kappa(self) -> float | None:
        """Cohen's kappa of which tokens are wrong: those inside an edit, and the token to the right of an insertion.
        None where chance alone would agree everywhere."""
        import numpy as np

        one, other = self._wrong(0), self._wrong(1)
        total = len(one)
        expected = float(one.mean() * other.mean() + (1 - one.mean()) * (1 - other.mean())) if total else 1.0
        return None if expected == 1.0 else (float(np.mean(one == other)) - expected) / (1 - expected)

    def _wrong(self, side: int) -> NDArray[np.bool_]:
        """[pairs · tokens]: which tokens one side changes."""
        import numpy as np

        lengths = np.repeat(self.one.table.lengths(), len(self.pairs))
        begins = np.concatenate([[0], np.cumsum(lengths + 1)])  # a place more behind each sentence
        unit, start, end, _ = self._keys[side].T
        last = np.minimum(np.maximum(end, start + 1), lengths[unit])
        steps = np.zeros(begins[-1] + 1, np.int64)
        np.add.at(steps, begins[unit] + start, 1)
        np.add.at(steps, begins[unit] + np.maximum(last, start), -1)
        tokens = np.ones(begins[-1], bool)
        tokens[begins[1:] - 1] = False
        return np.cumsum(steps)[:-1][tokens] > 0

    @cached_property
    def types(self) -> dict[str, TypeCounts]:
        """The edits by type, the most frequent first; one that has other types in both is in both of neither."""
        counts: dict[str, list[int]] = {}
        for row in self._rows:
            for side, name in enumerate(row.types):
                if name is not None:
                    counts.setdefault(name, [0, 0, 0])[side] += 1
            if row.is_same and row.types[0] is not None:
                counts[row.types[0]][2] += 1
        ranked = sorted(counts.items(), key=lambda item: (-item[1][0] - item[1][1], item[0]))
        return {name: TypeCounts((one, other), both) for name, (one, other, both) in ranked}

    def rows(self, *, all: bool = False) -> Iterator[DiffRow]:
        """The edits that are not the same, by sentence and place; or ``all`` of them."""
        return (row for row in self._rows if all or not row.is_same)

    @cached_property
    def _rows(self) -> list[DiffRow]:
        mine, theirs = self._said(0), self._said(1)
        places = dict(zip(*(found.tolist() for found in self._paired), strict=True))
        taken = set(places.values())
        types = [theirs[places[at]][4] if at in places else None for at in range(len(mine))]
        found = [_diff_row(own, len(self.pairs), (own[4], other)) for own, other in zip(mine, types, strict=True)]
        found += [_diff_row(own, len(self.pairs), (None, own[4])) for at, own in enumerate(theirs) if at not in taken]
        return sorted(found, key=lambda row: (row.sentence, row.pair, row.start, row.end, row.where == "other"))

    def _said(self, side: int) -> list[tuple[int, int, int, str, str]]:
        """Of each edit of a side its unit (sentence · pairs + pair), start, end, correction and type."""
        columns, places = self._columns[side], self._places[side]
        texts, types = columns.edits.text[places].tolist(), columns.type[places].tolist()
        return [
            (unit, start, end, columns.corrections[text], columns.strings[name])
            for (unit, start, end, _), text, name in zip(self._keys[side].tolist(), texts, types, strict=True)
        ]

    @cached_property
    def _columns(self) -> tuple[EditColumns, EditColumns]:
        from geceval.text.m2.edit_columns import EditColumns

        return EditColumns(self.one.edits), EditColumns(self.other.edits)

    @cached_property
    def _places(self) -> list[NDArray[np.int64]]:
        """Of either side the places of the edits that are compared."""
        import numpy as np

        sides = zip(self._columns, np.array(self.pairs).T.tolist(), strict=True)
        return [np.flatnonzero(columns.is_edit & np.isin(columns.annotator, own)) for columns, own in sides]

    @cached_property
    def _keys(self) -> list[NDArray[np.int64]]:
        """Of either side's edits: sentence and pair in one number, start, end, correction."""
        import numpy as np

        numbers: dict[str, int] = {}
        found = []
        for columns, places, own in zip(self._columns, self._places, np.array(self.pairs).T, strict=True):
            order = np.argsort(own)
            pair = order[np.searchsorted(own[order], columns.annotator[places])]
            unit = columns.sentence[places] * len(self.pairs) + pair
            found.append(np.column_stack([unit, columns.keys(numbers)[places]]))
        return found

    @cached_property
    def _paired(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Places, among the edits compared, of those that are in both."""
        from geceval.text.m2.edit_columns import paired

        return paired(*self._keys)


def _diff_row(described: tuple[int, int, int, str, str], pairs: int, types: tuple[str | None, str | None]) -> DiffRow:
    unit, start, end, correction, _ = described
    return DiffRow(*divmod(unit, pairs), start, end, correction, types)


def _f1(shared: int, edits: tuple[int, int]) -> float:
    return 2 * shared / sum(edits) if sum(edits) else 1.0


def diff(one: Iterable[Block], other: Iterable[Block], annotators: tuple[int, int] | None = None) -> Diff:
    """How two annotations of the same sentences differ.

    ``annotators``: which annotator of the first is compared with which of the second. Without them each with the one of
    the same number, if both have the same; else the only ones that there are. ChERRANT's dialect is compared as it is
    scored (Blocks.as_errant). Raises InputError if the sentences differ or an edit does not fit its sentence, and
    UsageError if it is not known who is to be compared.
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
    if ids[0] == ids[1]:
        return Diff(sides[0], sides[1], [(annotator, annotator) for annotator in ids[0]])
    if len(ids[0]) == len(ids[1]) == 1:
        return Diff(sides[0], sides[1], [(ids[0][0], ids[1][0])])
    message = f"the annotators are {_listed(ids[0])} in the first and {_listed(ids[1])} in the second"
    raise UsageError(message, hint="say who is compared: an annotator of either")


def _listed(ids: Sequence[int]) -> str:
    return ", ".join(map(str, ids))


def _check_sentences(one: Blocks, other: Blocks) -> None:
    """Raise InputError that says where the sentences are no longer the same."""
    both = min(len(one), len(other))
    for s in one.source[:both].differing(other.source[:both])[:1]:
        block, mine = other[s], one[s]
        where = f" as {mine.path}:{mine.line}" if mine.path else ""
        raise block.error(f"sentence {s + 1} is not the same{where}", hint=f"{block.source}\n  {mine.source}")
    if len(one) != len(other):
        first = (one if len(one) > both else other)[both]
        raise first.error(f"the first has {len(one)} sentences, the second {len(other)}: no other has this one")
