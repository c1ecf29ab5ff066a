"""Subsets of M2 files: some edits, some annotators, some sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from geceval.base.arguments import COUNT, PLACES, as_sequence, choice, shown, whole
from geceval.base.errors import UsageError
from geceval.text.m2.blocks import Blocks, iterate_batches
from geceval.text.m2.cherrant_dialect import NO_ERROR
from geceval.text.m2.edit import Block, Target
from geceval.text.m2.edit_types import matches_type
from geceval.text.m2.faults import apply_edits, ordered

#: The effect of an edit: M inserts a missing word, R replaces, U deletes an unnecessary word.
Operation: TypeAlias = Literal["M", "R", "U"]


@dataclass(frozen=True)
class Filter:
    """A filter of edits.

    Called with blocks in columns, it returns blocks with the kept edits.

    An annotator who loses all edits keeps a noop. In ChERRANT's dialect types are used as written, and ``T`` lines are
    updated.

    Attributes:
        types: keep edits of these types: whole (``R:VERB``), the part after the operation (``VERB``) or the operation
            (``R``); ``*`` is a wildcard.
        operations: keep edits with these operations, by the letter of the type or, without one, by effect.
        annotators: keep only the lines of these annotators, whatever ``invert`` is.
        shortest: keep edits with at least this number of tokens in the sentence or the first correction.
        longest: keep edits with at most this number of tokens in both.
        invert: whether to keep the edits that the conditions exclude.
        changed: whether to keep only sentences with an edit left.

    Raises:
        UsageError: for invalid values, and for ``invert`` without a condition on edits.
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
            object.__setattr__(self, "annotators", tuple(whole("annotators", who, PLACES) for who in ids))
        shortest = whole("shortest", self.shortest, COUNT)
        if self.longest is not None and whole("longest", self.longest, COUNT) < shortest:
            raise UsageError(f"no edit is at least {shortest} tokens long and at most {self.longest}")
        for switch in ("invert", "changed"):
            if not isinstance(getattr(self, switch), bool):
                raise UsageError(f"{switch} is True or False, not {shown(getattr(self, switch))}")
        if self.invert and not self._selects_edits:
            raise UsageError("invert requires a condition on edits: types, operations or a length")

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
    """Yield blocks with some of their edits. Memory holds a batch of blocks.

    Args:
        blocks: the blocks.
        types: see :class:`Filter`, as for the other arguments.
        operations: "M", "R" or "U".
        annotators: numbers of annotators.
        shortest: minimum length in tokens.
        longest: maximum length in tokens.
        invert: whether to keep the edits that the conditions exclude.
        changed: whether to keep only sentences with an edit left.

    Returns:
        An iterator of blocks.

    Raises:
        UsageError: see :class:`Filter`.
        InputError: for edits of ChERRANT's dialect that overlap or do not fit, if a ``T`` line must be updated.
    """
    which = Filter(types, operations, annotators, shortest, longest, invert, changed)
    return (block for batch in iterate_batches(blocks) for block in which(batch))


def _renew_targets(before: Block, block: Block) -> Block:
    """Return a block with ``T`` lines updated to the remaining edits."""
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
    """Return the blocks of each annotator.

    Args:
        blocks: the blocks.

    Returns:
        Annotator -> all sentences with the lines of this annotator; annotator 0 if there are no ``A`` lines.
    """
    blocks = Blocks.of(blocks)
    return {who: Blocks(blocks.table.of_annotators([who])) for who in blocks.table.annotators or [0]}
