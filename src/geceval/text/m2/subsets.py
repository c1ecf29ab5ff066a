"""Parts of what is in M2 files: some of the edits, the lines of some annotators, some of the sentences."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from geceval.base.arguments import COUNT, PLACES, Bounds, as_sequence, choice, shown, whole
from geceval.base.errors import UsageError
from geceval.text.m2.blocks import Blocks, in_batches
from geceval.text.m2.cherrant_dialect import NO_ERROR
from geceval.text.m2.edit import Block, Target
from geceval.text.m2.edit_types import matches_type
from geceval.text.m2.faults import apply_edits, ordered

#: What an edit does: M inserts what is missing, R replaces, U deletes what is unnecessary.
Operation: TypeAlias = Literal["M", "R", "U"]

_ID = Bounds(0, PLACES.high)


@dataclass(frozen=True)
class Filter:
    """Which edits stay; called with blocks in columns, it yields those with them.

    An edit stays that has one of the ``types`` (``*`` stands for anything; ``R:VERB``, ``VERB`` or ``R`` asks by the
    whole type, by what follows the operation, or by the operation), one of the ``operations`` (as the type says, or of
    types without a letter by what the edit does), and a length between ``shortest`` and ``longest``, in tokens of the
    sentence or of the first correction, whichever are more; ``invert``: those that do not. An annotator who loses all
    edits keeps a noop.

    ``annotators``: only their lines stay, and nothing of others, whatever ``invert`` says. ``changed``: only sentences
    in which an edit is left. In ChERRANT's dialect types are as written, and ``T`` lines are made anew.
    Raises UsageError for arguments that are not such, and for ``invert`` where nothing is asked of edits.
    """

    types: Sequence[str] = ()
    operations: Sequence[Operation] = ()
    annotators: Sequence[int] | None = None
    shortest: int = 0
    longest: int | None = None
    invert: bool = False
    changed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "types", tuple(as_sequence("types", self.types, "type")))
        object.__setattr__(self, "operations", tuple(as_sequence("operations", self.operations, "operation")))
        for name in self.types:
            if not isinstance(name, str):
                raise UsageError(f"a type is text, not {shown(name)}")
        for operation in self.operations:
            choice("operations", operation, get_args(Operation))
        if self.annotators is not None:
            ids = as_sequence("annotators", self.annotators, "number")
            object.__setattr__(self, "annotators", tuple(whole("annotators", who, _ID) for who in ids))
        shortest = whole("shortest", self.shortest, COUNT)
        if self.longest is not None and whole("longest", self.longest, COUNT) < shortest:
            raise UsageError(f"no edit is at least {shortest} tokens long and at most {self.longest}")
        for switch in ("invert", "changed"):
            if not isinstance(getattr(self, switch), bool):
                raise UsageError(f"{switch} is True or False, not {shown(getattr(self, switch))}")
        if self.invert and not self._selects_edits:
            raise UsageError("invert turns round what is asked of edits: types, operations or a length")

    @property
    def _selects_edits(self) -> bool:
        return bool(self.types or self.operations or self.shortest or self.longest is not None)

    def __call__(self, blocks: Blocks) -> Blocks:
        import numpy as np

        from geceval.text.m2.edit_columns import EditColumns

        if self.annotators is not None:
            blocks = Blocks(blocks.table.of_annotators(self.annotators))
        columns = EditColumns(blocks.edits)
        if self._selects_edits:
            keep = np.ones(len(columns.start), bool)
            if self.types:
                keep &= columns.are_of_type(lambda name: any(matches_type(pattern, name) for pattern in self.types))
            if self.operations:
                keep &= np.isin(columns.operations(is_cherrant=blocks.is_cherrant), list(self.operations))
            length = np.maximum(columns.end - columns.start, columns.words)
            keep &= length >= self.shortest
            if self.longest is not None:
                keep &= length <= self.longest
            before, blocks = blocks, Blocks(blocks.table.kept(keep ^ self.invert))
            if before.is_cherrant:
                blocks = Blocks.of([_renew_targets(*both) for both in zip(before, blocks, strict=True)])
            columns = EditColumns(blocks.edits)
        if self.changed:
            left = np.unique(columns.sentence[columns.is_edit])
            blocks = blocks if len(left) == len(blocks) else Blocks(blocks.table.at(left.tolist()))
        return blocks


def filter(
    blocks: Iterable[Block],
    *,
    types: Sequence[str] = (),
    operations: Sequence[Operation] = (),
    annotators: Sequence[int] | None = None,
    shortest: int = 0,
    longest: int | None = None,
    invert: bool = False,
    changed: bool = False,
) -> Iterator[Block]:
    """The blocks with some of their edits: arguments and errors are those of :class:`Filter`.

    Streams. Raises InputError for edits of ChERRANT's dialect that overlap or do not fit, where a ``T`` line must be
    made anew.
    """
    which = Filter(types, operations, annotators, shortest, longest, invert, changed)
    return (block for batch in in_batches(blocks) for block in which(batch))


def _renew_targets(before: Block, block: Block) -> Block:
    """The block with ``T`` lines that say what its edits make, where those are fewer than ``before``."""
    if block.edits == before.edits:
        return block
    edits = {who: block.edits_of(who, None) for who in block.annotators}
    targets: list[Target] = []
    for target in block.targets:
        who, alignment = target.annotator, target.alignment
        if alignment is None or block.edits_of(who, alignment) == before.edits_of(who, alignment):
            targets.append(target)
        elif edits.get(who):
            targets.append(replace(target, text=apply_edits(block, ordered(block, who, alignment))))
        elif all(other.annotator != who for other in targets):
            targets.append(Target(who, None, NO_ERROR))
    return replace(block, targets=tuple(targets))


def split_by_annotator(blocks: Iterable[Block]) -> dict[int, Blocks]:
    """The blocks of each annotator who has a line somewhere, by number; 0 if there is no ``A`` line at all.

    All of them have all sentences. In one that an annotator has no line in there is no ``A`` line.
    """
    blocks = Blocks.of(blocks)
    return {who: Blocks(blocks.table.of_annotators([who])) for who in blocks.table.annotators or [0]}


def split(blocks: Iterable[Block], *, sentences: int | None = None, parts: int | None = None) -> Iterator[Blocks]:
    """The blocks in parts of so many ``sentences``, of which the last may have fewer; or in so many ``parts``, whose
    sizes differ by one at the most, the larger ones first.

    Raises UsageError unless one of the two is given, and for more parts than there are sentences.
    """
    blocks = Blocks.of(blocks)
    if (sentences is None) == (parts is None):
        raise UsageError("a file is cut by sentences or into parts: one of the two is needed")
    if sentences is not None:
        whole("sentences", sentences, Bounds(1, COUNT.high))
        cuts = [*range(0, len(blocks), sentences), len(blocks)]
    else:
        number = whole("parts", parts, Bounds(1, COUNT.high))
        if number > len(blocks):
            raise UsageError(f"{len(blocks)} sentences cannot be cut into {number} parts")
        size, more = divmod(len(blocks), number)
        cuts = [part * size + min(part, more) for part in range(number + 1)]
    return (blocks[start:stop] for start, stop in itertools.pairwise(cuts))
