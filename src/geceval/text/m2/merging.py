"""What is made of blocks: the sentences their edits make, and blocks of several files."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import get_args

from geceval._kernel import Text
from geceval.base.arguments import as_sequence, choice
from geceval.base.errors import UsageError
from geceval.text.m2.blocks import Blocks, in_batches, iterate_blocks
from geceval.text.m2.cherrant_dialect import NO_ERROR, in_errant
from geceval.text.m2.edit import Block, Edit, Misfits, Missing, Target, noop
from geceval.text.m2.faults import ordered, sort_edits


def fitting(blocks: Iterable[Block], misfits: Misfits = "error") -> Iterator[Block]:
    """The blocks, once the offsets of their edits have been held against the sentence.

    ``error`` raises InputError at the first edit that lies outside the sentence or ends before it starts.
    ``drop`` does what the official scorer does: edits outside the sentence go (their annotator stays, if need be
    with a noop); one that ends before it starts stays, counts as gold and never matches.
    """
    choice("misfits", misfits, get_args(Misfits))
    for batch in in_batches(blocks):
        if misfits == "error":
            yield from batch[: batch.table.first_misfit()]  # those before the one that stops it
            batch.fitting(misfits)
        else:
            yield from batch.fitting(misfits)


def apply(block: Block, annotator: int) -> str:
    """The sentence after the annotator's edits (first alternatives), tokens joined by one blank.

    Edits may stand in any order; several insertions at one point are made in file order, before an edit that
    starts there. Raises InputError if two edits overlap or one does not fit the sentence.
    """
    [text] = Blocks.of([block]).corrected(annotator, "plain")
    return str(text)


def annotators(blocks: Iterable[Block]) -> tuple[int, ...]:
    """Everyone who has a line somewhere, ascending; (0,) if there is no ``A`` line at all."""
    return tuple(sorted({who for batch in in_batches(blocks) for who in batch.table.annotators})) or (0,)


def references(blocks: Iterable[Block], missing: Missing = "fallback") -> list[Text]:
    """The corrected texts, ``references[r][s]``: annotator ``r`` (ascending ids), sentence ``s``.

    An annotator with no line in a block takes the correction of the block's first annotator (``fallback``:
    gives the published GLEU and GREEN numbers on CoNLL-2014) or leaves the source as it is (``plain``).
    Blocks in ChERRANT's dialect are taken as they are scored (Blocks.as_errant). Raises InputError as :func:`apply`
    does.
    """
    blocks = Blocks.of(blocks).as_errant()
    return [blocks.corrected(who, missing) for who in annotators(blocks)]


def vote(files: Sequence[Iterable[Block]], least: int) -> Iterator[Block]:
    """One block per sentence with the edits (spans and first alternatives) that at least so many of the files have.

    Of edits that overlap, or that correct the same span or point in two ways (unless a file has both), the one of more
    files stays, then the one of an earlier file, then the one that comes first. Types are those of the first file that
    has the edit, in ERRANT's dialect. Streams; raises InputError if the files differ in length or in the tokens of a
    sentence, or if a block has several annotators.
    """
    for row in _rows(files):
        blocks = [in_errant(block) for block in row]
        votes: dict[tuple[int, int, str], dict[int, Edit]] = {}
        for voter, block in enumerate(blocks):
            if len(block.annotators) > 1:
                raise block.error(f"one annotator is expected in a file that votes, here are {len(block.annotators)}")
            for edit in ordered(block, block.annotators[0]):
                key = edit.start, edit.end, " ".join(edit.correction.split())
                votes.setdefault(key, {}).setdefault(voter, edit)
        kept: list[dict[int, Edit]] = []
        for voters in sorted(votes.values(), key=len, reverse=True):
            if len(voters) >= least and not any(_exclude_each_other(voters, other) for other in kept):
                kept.append(voters)
        edits = [next(iter(voters.values())) for voters in kept]
        sorted_edits = [replace(edit, corrections=(edit.corrections[0],), annotator=0) for edit in sort_edits(edits)]
        yield replace(blocks[0], edits=tuple(sorted_edits) or (noop(0),), notes=(), ended=True)


def _exclude_each_other(own: dict[int, Edit], other: dict[int, Edit]) -> bool:
    """Whether two edits, by those who have them, overlap or are of the same span or point, and nobody has both."""
    one, two = next(iter(own.values())), next(iter(other.values()))
    same = (one.start, one.end) == (two.start, two.end)
    return (same or (one.start < two.end and two.start < one.end)) and own.keys().isdisjoint(other)


def merge(files: Sequence[Iterable[Block]], ids: Sequence[Sequence[int]]) -> Iterator[Block]:
    """One block per sentence with everybody's edits; ``ids[f]`` are the :func:`annotators` of file ``f``.

    Annotators are numbered anew: those of the first file, then those of the second, and so on. One who has no
    line in a block gets a noop, so that "no change" counts as an opinion. ChERRANT's dialect stays if all files are of
    it. Streams; raises InputError if the files differ in length or in the tokens of a sentence.
    """
    files = [iterate_blocks(blocks) for blocks in as_sequence("files", files, "file")]
    ids = [as_sequence("ids", own, "number") for own in as_sequence("ids", ids, "row of number")]
    if len(ids) != len(files):
        raise UsageError(f"{len(files)} files, annotators of {len(ids)}")
    fresh = itertools.count()
    numbers = [{annotator: next(fresh) for annotator in own} for own in ids]
    for blocks in _rows(files):
        yield _merged(blocks, numbers)


def _rows(files: Sequence[Iterable[Block]]) -> Iterator[list[Block]]:
    """Yield the blocks of each sentence. Raises InputError if the files differ in length or in tokens."""
    absent = object()
    for row in itertools.zip_longest(*files, fillvalue=absent):
        blocks = [block for block in row if isinstance(block, Block)]
        if len(blocks) < len(row):
            short = ", ".join(str(f + 1) for f, block in enumerate(row) if block is absent)
            raise blocks[0].error(f"the files differ in length: no such sentence in file {short}")
        first = blocks[0]
        for block in blocks:
            if block.tokens != first.tokens:
                hint = f"{block.source}\n  {first.source}"
                raise block.error(f"not the same sentence as {first.path}:{first.line}", hint=hint)
        yield blocks


def _merged(blocks: Sequence[Block], numbers: Sequence[dict[int, int]]) -> Block:
    is_cherrant = all(block.targets for block in blocks)
    blocks = blocks if is_cherrant else [in_errant(block) for block in blocks]
    edits: list[Edit] = []
    targets: list[Target] = []
    for block, new_numbers in zip(blocks, numbers, strict=True):
        for annotator, number in new_numbers.items():
            own_edits = [edit for edit in block.edits if edit.annotator == annotator]
            edits += [replace(edit, annotator=number) for edit in own_edits or [noop(number)]]
            answers = [target for target in block.targets if target.annotator == annotator]
            targets += [replace(target, annotator=number) for target in answers or [Target(number, None, NO_ERROR)]]
    notes = tuple(note for block in blocks for note in block.notes)
    targets = targets if is_cherrant else []
    return replace(blocks[0], edits=tuple(edits), notes=notes, ended=True, targets=tuple(targets))
