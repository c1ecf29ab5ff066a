"""Apply the edits of blocks, and merge the blocks of several files."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

from geceval._kernel import BlockTable, Text
from geceval.base.arguments import COUNT, as_sequence, choice, whole
from geceval.base.errors import UsageError
from geceval.text.m2.blocks import ANNOTATORS, Blocks, iterate_batches
from geceval.text.m2.cherrant_dialect import convert_to_errant
from geceval.text.m2.edit import Block, Misfits, Missing
from geceval.text.m2.faults import ordered


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
    return annotators_of(iterate_batches(blocks))


def annotators_of(batches: Iterable[Blocks]) -> tuple[int, ...]:
    """Return the annotators of blocks in columns, as :func:`annotators` does."""
    return tuple(sorted({who for blocks in batches for who in blocks.table.annotators})) or (0,)


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
    first file with the edit, in ERRANT's dialect. Memory holds a batch of blocks.

    Args:
        files: the blocks of each file.
        least: the number of files.

    Yields:
        One block per sentence.

    Raises:
        InputError: if the files differ in length or in the tokens of a sentence, or if a block has several annotators.
    """
    for blocks in vote_pieces([*map(iterate_batches, as_sequence("files", files, "file"))], least):
        yield from blocks


def vote_pieces(files: Sequence[Iterable[Blocks]], least: int) -> Iterator[Blocks]:
    """Yield the blocks of :func:`vote` in columns, a piece at a time."""
    least = whole("least", least, COUNT)
    for row in _rows(files):
        row = [Blocks.of([*map(convert_to_errant, own)]) if own.is_cherrant else own for own in row]
        made = Blocks(BlockTable.voted([own.table for own in row], least))
        yield made
        for block in [own[len(made)] for own in row if len(made) < len(own)]:
            if len(block.annotators) > 1:
                raise block.error(f"a file that votes has one annotator, found {len(block.annotators)}")
            ordered(block, block.annotators[0])


def merge(files: Sequence[Iterable[Block]], ids: Sequence[Sequence[int]]) -> Iterator[Block]:
    """Yield blocks with the edits of all files.

    Annotators get new numbers: first the ones of the first file, then of the second, and so on. An annotator without a
    line in a block gets a noop, so that "no change" counts as an opinion. The result is in ChERRANT's dialect if all
    files are. Memory holds a batch of blocks.

    Args:
        files: the blocks of each file.
        ids: ``ids[f]``: the :func:`annotators` of file f.

    Yields:
        One block per sentence.

    Raises:
        InputError: if the files differ in length or in the tokens of a sentence.
    """
    for blocks in merge_pieces([*map(iterate_batches, as_sequence("files", files, "file"))], ids):
        yield from blocks


def merge_pieces(files: Sequence[Iterable[Blocks]], ids: Sequence[Sequence[int]]) -> Iterator[Blocks]:
    """Yield the blocks of :func:`merge` in columns, a piece at a time."""
    ids = [as_sequence("ids", own, "number") for own in as_sequence("ids", ids, "row of number")]
    if len(ids) != len(files):
        raise UsageError(f"{len(files)} files, annotators of {len(ids)}")
    fresh = itertools.count()
    numbers = [[(whole("ids", annotator, ANNOTATORS), next(fresh)) for annotator in own] for own in ids]
    for row in _rows(files):
        if any(own.is_cherrant for own in row):
            row = _in_one_dialect(row)
        yield Blocks(BlockTable.merged([own.table for own in row], numbers))


def _in_one_dialect(row: Sequence[Blocks]) -> list[Blocks]:
    """Drop the ``T`` lines of sentences that lack them in a file."""
    sentences = [
        blocks if all(block.targets for block in blocks) else [*map(convert_to_errant, blocks)]
        for blocks in zip(*row, strict=True)
    ]
    return [Blocks.of(own) for own in zip(*sentences, strict=True)]


def _rows(files: Sequence[Iterable[Blocks]]) -> Iterator[list[Blocks]]:
    """Yield the blocks of the same sentences, a piece at a time.

    Raises InputError if the files differ in length or in tokens.
    """
    none = Blocks.of(())
    pieces = [filter(len, file) for file in files]
    left = [none for _ in files]
    while any(left := [own or next(new, none) for own, new in zip(left, pieces, strict=True)]):
        if not all(left):
            short = ", ".join(str(f + 1) for f, blocks in enumerate(left) if not blocks)
            first = next(filter(None, left))[0]
            raise first.error(f"the files differ in length: this sentence is missing in file {short}")
        size = min(map(len, left))
        row, left = [own[:size] for own in left], [own[size:] for own in left]
        differing = [row[0].source.differing(own.source)[:1] for own in row]
        same = min((places[0] for places in differing if places), default=size)
        yield [own[:same] for own in row]
        if same < size:
            first, block = row[0][same], row[differing.index([same])][same]
            hint = f"{block.source}\n  {first.source}"
            raise block.error(f"not the same sentence as {first.path}:{first.line}", hint=hint)
