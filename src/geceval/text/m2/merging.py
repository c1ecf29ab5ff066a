"""Apply the edits of blocks, and merge the blocks of several files."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import get_args

from geceval._kernel import Text
from geceval.base.arguments import COUNT, as_sequence, choice, shown, whole
from geceval.base.errors import UsageError
from geceval.text.m2.blocks import Blocks, iterate_batches, iterate_blocks
from geceval.text.m2.cherrant_dialect import NO_ERROR, convert_to_errant
from geceval.text.m2.edit import Block, Edit, Misfits, Missing, Target, noop
from geceval.text.m2.faults import ordered, sort_edits


def fitting(blocks: Iterable[Block], misfits: Misfits = "error") -> Iterator[Block]:
    """Yield blocks after checking the offsets of their edits.

    Args:
        blocks: the blocks.
        misfits: ``error`` raises InputError for the first edit that lies outside the sentence or ends before it starts.
            ``drop`` does the same as the official scorer: it drops edits outside the sentence (their annotator stays,
            with a noop if needed), and keeps edits that end before they start, which count as gold and never match.

    Yields:
        The blocks.

    Raises:
        InputError: see ``misfits``.
    """
    choice("misfits", misfits, get_args(Misfits))
    for batch in iterate_batches(blocks):
        if misfits == "error":
            yield from batch[: batch.table.first_misfit()]  # the ones before the error
            batch.fitting(misfits)
        else:
            yield from batch.fitting(misfits)


def apply(block: Block, annotator: int) -> str:
    """Return the sentence after the annotator's edits, with single blanks.

    Each edit makes its first alternative.

    Edits may have any order. Several insertions at one point are made in file order, before an edit that starts there.

    Args:
        block: the sentence and its edits.
        annotator: number of the annotator.

    Returns:
        The corrected sentence.

    Raises:
        InputError: if two edits overlap or one does not fit the sentence.
    """
    [text] = Blocks.of([block]).corrected(annotator, "plain")
    return str(text)


def annotators(blocks: Iterable[Block]) -> tuple[int, ...]:
    """Return the annotators of all blocks.

    Args:
        blocks: the blocks.

    Returns:
        Numbers in ascending order; (0,) without ``A`` lines.
    """
    return tuple(sorted({who for batch in iterate_batches(blocks) for who in batch.table.annotators})) or (0,)


def references(blocks: Iterable[Block], missing: Missing = "fallback") -> list[Text]:
    """Return the corrected texts of all annotators.

    Blocks in ChERRANT's dialect are used in the form that is scored (Blocks.as_errant).

    Args:
        blocks: the blocks.
        missing: the text of an annotator without a line in a block. ``fallback``: the correction of the block's first
            annotator, which reproduces the published GLEU and GREEN numbers on CoNLL-2014. ``plain``: the source.

    Returns:
        ``references[r][s]``: annotator ``r`` (ascending numbers), sentence ``s``.

    Raises:
        InputError: see :func:`apply`.
    """
    blocks = Blocks.of(blocks).as_errant()
    return [blocks.corrected(who, missing) for who in annotators(blocks)]


def vote(files: Sequence[Iterable[Block]], least: int) -> Iterator[Block]:
    """Yield blocks with the edits that at least ``least`` files contain.

    Edits are equal if their spans and first alternatives are.

    Edits that overlap, or that correct the same span or point differently, exclude each other unless a file contains
    both. The edit in more files is kept, then the edit of an earlier file, then the first one. Types are taken from the
    first file with the edit, in ERRANT's dialect. Memory holds one sentence.

    Args:
        files: the blocks of each file.
        least: the number of files.

    Yields:
        One block per sentence.

    Raises:
        InputError: if the files differ in length or in the tokens of a sentence, or if a block has several annotators.
    """
    least = whole("least", least, COUNT)
    for row in _rows(files):
        blocks = [convert_to_errant(block) for block in row]
        votes: dict[tuple[int, int, str], dict[int, Edit]] = {}
        for voter, block in enumerate(blocks):
            if len(block.annotators) > 1:
                raise block.error(f"a file that votes has one annotator, found {len(block.annotators)}")
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
    """Return whether two edits exclude each other.

    They do if they overlap or have the same span or point, and no file contains both.
    """
    one, two = next(iter(own.values())), next(iter(other.values()))
    same = (one.start, one.end) == (two.start, two.end)
    return (same or (one.start < two.end and two.start < one.end)) and own.keys().isdisjoint(other)


def merge(files: Sequence[Iterable[Block]], ids: Sequence[Sequence[int]]) -> Iterator[Block]:
    """Yield blocks with the edits of all files.

    Annotators get new numbers: first the ones of the first file, then of the second, and so on. An annotator without a
    line in a block gets a noop, so that "no change" counts as an opinion. The result is in ChERRANT's dialect if all
    files are. Memory holds one sentence.

    Args:
        files: the blocks of each file.
        ids: ``ids[f]``: the :func:`annotators` of file f.

    Yields:
        One block per sentence.

    Raises:
        InputError: if the files differ in length or in the tokens of a sentence.
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
    """Yield the blocks of each sentence.

    Raises InputError if the files differ in length or in tokens.
    """
    absent = object()
    files = [iterate_blocks(file) for file in as_sequence("files", files, "file")]
    for row in itertools.zip_longest(*files, fillvalue=absent):
        wrong = [value for value in row if not (value is absent or isinstance(value, Block))]
        if wrong:
            raise UsageError(f"files have m2.Blocks, not {shown(wrong[0])}")
        blocks = [block for block in row if isinstance(block, Block)]
        if len(blocks) < len(row):
            short = ", ".join(str(f + 1) for f, block in enumerate(row) if block is absent)
            raise blocks[0].error(f"the files differ in length: this sentence is missing in file {short}")
        first = blocks[0]
        for block in blocks:
            if block.tokens != first.tokens:
                hint = f"{block.source}\n  {first.source}"
                raise block.error(f"not the same sentence as {first.path}:{first.line}", hint=hint)
        yield blocks


def _merged(blocks: Sequence[Block], numbers: Sequence[dict[int, int]]) -> Block:
    is_cherrant = all(block.targets for block in blocks)
    blocks = blocks if is_cherrant else [convert_to_errant(block) for block in blocks]
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
